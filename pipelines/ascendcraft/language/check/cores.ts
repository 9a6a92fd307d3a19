import type {Expression, KernelStatement, Place} from '../ast.ts'
import type {KernelParameter} from '../checked.ts'
import {gmAddressOf} from '../gm-address.ts'
import type {Findings} from './findings.ts'
import {constantOf, type Range} from './ranges.ts'
import {type Statement, type Surroundings, visitKernel, within} from './walk.ts'

/** A load or store of the kernel, with the GM parameter that it moves. */
interface Move extends Place {
  pointer: string
  offset: Expression | undefined
  isStore: boolean
  atomic: boolean
  around: Surroundings
  at: number
}

interface CoreFacts {
  parameters: readonly KernelParameter[]
  cores: Range
  findings: Findings
}

/**
 * Checks what cores do to each other: barriers that all of them reach, stores that do not meet, memory that is written
 * before it is added to. Gives the parameters with what the kernel does to them.
 */
export function checkCores(body: readonly KernelStatement[], facts: CoreFacts): KernelParameter[] {
  const varies = findVarying(body)
  const moves = movesOf(body)
  const barriers = checkBarriers(body, varies, facts.findings)
  const isAlone = constantOf(facts.cores) === 1
  const parameters = facts.parameters.map((parameter): KernelParameter => {
    if (parameter.kind !== 'gm') return parameter
    const own = moves.filter(({pointer}) => pointer === parameter.name)
    const stores = own.filter(({isStore}) => isStore)
    if (parameter.of !== 'input') checkAdds(parameter.name, stores, barriers, facts.findings)
    if (!isAlone && parameter.of !== 'input') {
      checkMeeting(parameter.name, stores, varies, facts.findings)
      checkExchange(parameter.name, own, {varies, barriers}, facts.findings)
    }
    const added = stores.some(({atomic}) => atomic)
    return {...parameter, loaded: own.some(({isStore}) => !isStore), stored: stores.length > 0, added}
  })
  return parameters
}

type Varies = (expression: Expression) => boolean

/** Whether an expression may differ from core to core: through the core's number, or through elements of buffers. */
function findVarying(body: readonly KernelStatement[]): Varies {
  const names = new Set<string>()
  const varies = (expression: Expression): boolean =>
    [...within(expression)].some((part) => {
      if (part.kind === 'call') return part.callee === 'program_id' || part.callee === 'extract'
      return part.kind === 'name' && names.has(part.name)
    })
  for (let before = -1; before !== names.size; ) {
    before = names.size
    visitKernel(body, (one, around) => {
      const isSplit = [
        ...around.conditions,
        ...around.loops.flatMap(({start, stop, step}) => [start, stop, step]),
      ].some(varies)
      if (one.kind === 'assign' && (isSplit || varies(one.value))) names.add(one.name)
      if (one.kind === 'for' && [one.start, one.step].some(varies)) names.add(one.variable)
    })
  }
  return varies
}

function movesOf(body: readonly KernelStatement[]): Move[] {
  const moves: Move[] = []
  visitKernel(body, (one, around) => {
    if (one.kind !== 'operation' || (one.primitive !== 'load' && one.primitive !== 'store')) return
    const address = gmAddressOf(one.arguments[0]!)
    const isStore = one.primitive === 'store'
    const {line, column} = one
    const atomic = 'atomic' in one.named
    if (address) moves.push({line, column, ...address, isStore, atomic, around, at: moves.length})
  })
  return moves
}

/** Number of barriers; each must be reached by every core equally often. */
function checkBarriers(body: readonly KernelStatement[], varies: Varies, findings: Findings): number {
  let count = 0
  visitKernel(body, (one, {conditions, loops}) => {
    if (one.kind !== 'sync_all') return
    count++
    const mend = 'put it where all cores pass equally often, outside of this `if` or loop'
    if (conditions.some(varies)) {
      findings.refuse(
        one,
        'sync-divergent',
        'not every core reaches tl.sync_all: a condition depends on the core',
        mend,
      )
    } else if (loops.some((loop) => isUneven(loop, varies))) {
      findings.refuse(
        one,
        'sync-divergent',
        'cores go round this loop differently often, so tl.sync_all would wait for ever',
        mend,
      )
    }
  })
  return count
}

function isUneven({start, stop, step}: Statement<'for'>, varies: Varies): boolean {
  return [start, stop, step].some(varies)
}

/** Stores to one place from all cores at once: which of them stays is a matter of chance. */
function checkMeeting(name: string, stores: readonly Move[], varies: Varies, findings: Findings): void {
  for (const {atomic, offset, around, line, column} of stores) {
    const isOneCore = around.conditions.some(varies)
    if (atomic || isOneCore || (offset && varies(offset))) continue
    const mend =
      'let the offset depend on tl.program_id(0), store under `if tl.program_id(0) == 0:`, or use atomic="add"'
    findings.refuse({line, column}, 'store-overlap', `all cores store to the same elements of ${name}`, mend)
  }
}

function checkAdds(name: string, stores: readonly Move[], barriers: number, findings: Findings): void {
  const add = stores.find(({atomic}) => atomic)
  if (!add) return
  const {line, column} = add
  if (!stores.some(({atomic}) => !atomic)) {
    const mend = 'let one core store zeros first, then tl.sync_all(), then add'
    findings.refuse({line, column}, 'add-before-write', `${name} is added to, and nothing ever writes it`, mend)
  } else if (barriers === 0) {
    const mend = 'write tl.sync_all() between the first store and the sums'
    findings.refuse({line, column}, 'sync-missing', `cores may add to ${name} before it is written`, mend)
  }
}

/** A tensor that each core writes a part of and every core reads: that takes a barrier. */
function checkExchange(
  name: string,
  moves: readonly Move[],
  {varies, barriers}: {varies: Varies; barriers: number},
  findings: Findings,
): void {
  const isShared = ({offset}: Move) => !(offset && varies(offset))
  const load = moves.find((move) => !move.isStore && isShared(move))
  if (barriers > 0 || !load || !moves.some(({isStore}) => isStore)) return
  const {line, column} = load
  const mend = 'write tl.sync_all() behind the stages that store it'
  findings.refuse({line, column}, 'sync-missing', `${name} is read here while other cores may still write it`, mend)
}
