import type {Declaration, FileSyntax, FunctionSyntax} from './cpp-syntax.ts'
import {evaluate, type Scope} from './expressions.ts'
import {variableOf} from './variable.ts'

/**
 * Memory of the unified buffer (or L1, L0 …) that a kernel asks the pipe for. Sizes are expressions as they are
 * written.
 */
export interface BufferFact {
  name: string
  kind: 'queue' | 'buffer'
  /** `VECIN`, `VECOUT`, `VECCALC`, `A1` … */
  position: string
  /** Memory blocks; `1` for a TBuf. */
  count: string
  /** Bytes of one block; '' when no InitBuffer call names it here. */
  bytes: string
  owner: string
}

/** Buffers of the target's classes, and those of base classes that it initialises itself. */
export function bufferFacts(
  declarations: readonly Declaration[],
  {functions, classes}: FileSyntax,
  scope: Scope,
): BufferFact[] {
  const sizes = initialisedSizes(functions)
  const isOwn = ({name, owner}: Declaration) => sizes.has(name) || classes.some((one) => one.name === owner)
  return declarations.filter(isOwn).flatMap((declaration) => {
    const fact = bufferFact(declaration, sizes.get(declaration.name), scope)
    return fact ? [fact] : []
  })
}

interface Size {
  count: string
  bytes: string
}

/** What InitBuffer is given, by the buffer's name. */
function initialisedSizes(functions: readonly FunctionSyntax[]): Map<string, Size> {
  const sizes = new Map<string, Size>()
  for (const {args, name} of functions.flatMap(({calls}) => calls)) {
    const [target, second, third] = args
    if (name !== 'InitBuffer' || target === undefined || second === undefined) continue
    sizes.set(variableOf(target), third === undefined ? {count: '1', bytes: second} : {count: second, bytes: third})
  }
  return sizes
}

const positions = /\b(VECIN|VECOUT|VECCALC|LCM|A1|A2|B1|B2|C1|C2|CO1|CO2|TSCM)\b/

function bufferFact({type, name, owner}: Declaration, size: Size | undefined, scope: Scope): BufferFact | undefined {
  const match = /^(?:AscendC::)?(TQue|TQueBind|TBuf)\s*(?:<(.*)>)?$/.exec(type)
  if (!match) return undefined
  const [, kind, templates] = match
  const position = positions.exec(templates ?? '')?.[1] ?? 'VECCALC'
  const bytes = size?.bytes ?? ''
  if (kind === 'TBuf') return {name, kind: 'buffer', position, owner, count: '1', bytes}
  return {name, kind: 'queue', position, owner, count: size?.count ?? depthOf(templates ?? '1', scope), bytes}
}

/** The last template argument of a queue: its number of blocks, unless InitBuffer says another. */
function depthOf(templates: string, scope: Scope): string {
  const depth = templates.split(',').at(-1)!.trim()
  return String(evaluate(depth, scope) ?? depth)
}
