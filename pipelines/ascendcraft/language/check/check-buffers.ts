import type {KernelStatement} from '../ast.ts'
import type {Buffer} from '../checked.ts'
import {blockBytes, type ElementType, elementBytes, roundUp, ubBytes, ubReserved} from '../dtypes.ts'
import {primitiveOf} from '../primitives.ts'
import type {Findings} from './findings.ts'
import {bufferOperands} from './check-operands.ts'
import type {Range} from './ranges.ts'
import {extractedIn, type Statement, visitKernel} from './walk.ts'

interface Use {
  loaded: boolean
  stored: boolean
  computed: boolean
  /** Whether a load or store of it is in a loop. */
  repeated: boolean
}

type Alloc = Statement<'alloc'>

/** Finds the role and the depth of each buffer; refuses those without a clear role. */
export function findBuffers(body: readonly KernelStatement[], findings: Findings): Buffer[] {
  const uses = usesOf(body)
  const buffers: Buffer[] = []
  visitKernel(body, (alloc) => {
    if (alloc.kind !== 'alloc' || alloc.type.kind !== 'type') return
    const use = uses.get(alloc.name) ?? {loaded: false, stored: false, computed: false, repeated: false}
    refuseUse(alloc, use, findings)
    const role = roleOf(use)
    const depth = role !== 'scratch' && use.repeated && alloc.depth === undefined ? 2 : (alloc.depth ?? 1)
    const {line, column, name, type, size} = alloc
    buffers.push({line, column, name, type: type.type, size, role, depth: depth === 2 ? 2 : 1})
  })
  return buffers
}

function roleOf({loaded, stored}: Use): Buffer['role'] {
  if (loaded) return 'in'
  return stored ? 'out' : 'scratch'
}

function refuseUse(alloc: Alloc, use: Use, findings: Findings): void {
  const {name} = alloc
  const {loaded, stored, computed} = use
  if (alloc.type.kind === 'type' && alloc.type.type === 'bool') {
    findings.refuse(alloc, 'element-type', `${name} is a buffer of bool`, 'use tl.uint8: bools are bytes 0 and 1 in UB')
  }
  if (loaded && stored) {
    const mend = `tl.copy ${name} to a buffer of its own before the store, and store that`
    findings.refuse(alloc, 'buffer-role', `${name} is both loaded and stored`, mend)
  } else if (!loaded && !stored && !computed) {
    findings.refuse(alloc, 'unused', `${name} is never used`, 'leave it out')
  } else if (loaded && !computed) {
    const mend = `use ${name} in a compute stage, or do not load it; to move data, tl.copy it to an output buffer`
    findings.refuse(alloc, 'unused', `${name} is loaded but never read`, mend)
  } else if (!loaded && !stored && alloc.depth === 2) {
    findings.refuse(alloc, 'alloc', `${name} is scratch, of which there is one`, 'leave depth out')
  }
}

function usesOf(body: readonly KernelStatement[]): Map<string, Use> {
  const uses = new Map<string, Use>()
  const useOf = (name: string): Use => {
    const use = uses.get(name) ?? {loaded: false, stored: false, computed: false, repeated: false}
    uses.set(name, use)
    return use
  }
  visitKernel(body, (statement, {stage, outerLoops}) => {
    if (statement.kind !== 'operation') {
      for (const name of extractedIn(statement)) useOf(name).computed = true
      return
    }
    for (const {name} of bufferOperands(statement)) {
      const use = useOf(name)
      if (statement.primitive === 'load') use.loaded = true
      else if (statement.primitive === 'store') use.stored = true
      else use.computed = true
      if (stage !== 'compute' && outerLoops > 0) use.repeated = true
    }
    for (const name of extractedIn(statement)) useOf(name).computed = true
  })
  return uses
}

/** What the given sizes take of UB, and what there is. */
export function checkUb(
  body: readonly KernelStatement[],
  buffers: readonly Buffer[],
  rangeOf: (buffer: Buffer) => Range,
  findings: Findings,
): void {
  let taken = 0
  visitKernel(body, (one) => {
    if (one.kind === 'operation') taken = Math.max(taken, primitiveOf(one.primitive).ubTaken ?? 0)
  })
  const room = ubBytes - ubReserved - taken
  let sum = 0
  const parts: string[] = []
  for (const buffer of buffers) {
    const {low, high} = rangeOf(buffer)
    if (high < 1) findings.refuse(buffer, 'alloc', `${buffer.name} has ${high} elements`, 'allocate at least 1')
    const bytes = roundUp(Math.max(0, Number.isFinite(low) ? low : 0) * bytesOf(buffer.type), blockBytes) * buffer.depth
    sum += bytes
    if (bytes > 0) parts.push(`${buffer.name} ${bytes}${buffer.depth === 2 ? ' (twice)' : ''}`)
    if (sum <= room) continue
    const why = taken > 0 ? ` less ${taken} that tl.select takes` : ''
    const message = `buffers take ${sum} bytes of UB and more (${parts.join(', ')}); there are ${room}${why}`
    findings.refuse(
      buffer,
      'ub-overflow',
      message,
      'make the tiles smaller, or give depth=1 to buffers that need no second copy',
    )
    return
  }
}

function bytesOf(type: ElementType): number {
  return elementBytes[type]
}
