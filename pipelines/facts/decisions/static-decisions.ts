import {evaluate} from '../../../cpp/expressions.ts'
import {vectorApis} from '../../../cpp/interfaces.ts'
import type {Call} from '../../../cpp/syntax.ts'
import type {Arithmetic, ArithmeticRole, Decision} from '../../../datasets/schema/decision.ts'
import type {HostFacts, KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {Step} from '../../../datasets/schema/executor.ts'
import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import {dtypeBytes} from '../../../datasets/schema/tensor.ts'
import {hardware} from '../call-answers.ts'
import type {Derivation} from '../call-of-host.ts'
import {derivations} from '../derivations.ts'
import {reportedUbBytes, scopeOfFacts, sumOfBuffers, ubBytes} from '../memory-plan.ts'
import {lastName} from '../settled-values.ts'
import {takenPath} from '../taken-path.ts'
import {capDecision} from './caps.ts'
import {rolesOf} from './host-tile.ts'
import {HostView} from './host-view.ts'
import {phases} from './order-decisions.ts'
import {piecesOf} from './copied-pieces.ts'
import {cutOf, isStrip, type Cut} from './cut.ts'
import {stepsInOrder} from './steps-in-order.ts'
import {lengthFromMemory, longestIn, reasonOf, stripLimit, tileLength, type TileLength} from './tile-length.ts'
import {readsOf} from './waits.ts'
import type {Share} from './written-share.ts'
import {workedOut} from './worked-out.ts'

/** Decisions from a pair's own code and run; alternatives are observed separately. */
interface Grounds extends Cut {
  pair: HostKernelPair
  /** Of what runs in the call. */
  kernel: KernelFacts
  /** Vector instructions in the order in which a tile meets them. */
  chain: string[]
  tile: TileLength | undefined
  /** Instructions of the call by block; absent if nothing was run. */
  steps: readonly Step[][] | undefined
  /** How the host comes to its numbers, in the order of their dependence. */
  worked: Arithmetic[]
  /** The variable that says how many blocks are launched. */
  blocks: string | undefined
  /** Constants that limit a tile. */
  caps: readonly Omit<Draft, 'because'>[]
}

export function groundsOf(
  pair: HostKernelPair,
  host: HostFacts,
  whole: KernelFacts,
  steps?: readonly Step[][],
): Grounds {
  const {facts: kernel} = takenPath(whole, pair)
  const {fields, blocks} = derivations(host, pair)
  const tile = tileLength(pair, whole)
  const roles = rolesOf(new HostView(host))
  const worked = fields.filter((one) => one.worked).map((one) => arithmetic(one, roles))
  const caps = worked.flatMap((one) => capDecision(one, host, tile) ?? []).slice(0, 1)
  const cut = cutOf(pair, tile, steps)
  return {pair, kernel, chain: instructionsInOrder(kernel), tile, ...cut, steps, worked, blocks: blocks?.field, caps}
}

/** Longer conditions are not quoted. */
const longest = 90

function arithmetic(
  {field, value, expression = '', known, branches}: Derivation,
  roles: ReadonlyMap<string, ArithmeticRole>,
): Arithmetic {
  const isReported = value === reportedUbBytes && /^GetCoreMemSize\(.*\bUB\b/.test(expression)
  const role = isReported ? 'reported' : roles.get(field)
  const worked = isReported ? `${ubBytes} - ${ubBytes - value}` : workedOut(expression, new Map(known))
  const where = branches
    .filter(({arm, condition}) => typeof arm === 'string' && condition.length <= longest)
    .map(({arm, condition}): [string, boolean] => [condition, arm === 'then'])
    .slice(-2)
  const values = known.map(([name, one]): [string, number] => [name, one])
  const isAttribute = expression.includes('GetAttrPointer') && !expression.includes(' ')
  const how = {
    ...(role && {role}),
    ...(isAttribute && {isAttribute}),
    ...(worked !== undefined && {worked}),
    ...(where.length > 0 && {where}),
  }
  return {kind: 'arithmetic', name: field, expression, values, ...how, result: value}
}

type Draft = Omit<Decision, 'because'> & {because: Arithmetic[]}

/** Decisions in the order of their topics, each with the arithmetic that leads to it. */
export function staticDecisions(grounds: Grounds): Draft[] {
  const {worked, tile} = grounds
  const cores = coresDecision(grounds)
  const tiles = tile ? tileDecision(grounds, tile) : []
  const taken = [...cores, ...tiles].flatMap(({because}) => because)
  const rest = worked.filter((one) => !taken.includes(one))
  return [
    ...instructionsDecision(grounds),
    ...typeDecision(grounds),
    ...cores,
    ...tiles.map((one) => ({...one, because: one.because.filter((each) => !cores[0]?.because.includes(each))})),
    ...grounds.caps.map((one) => ({...one, because: []})),
    ...depthDecision(grounds),
    ...rowsDecision(grounds),
    ...copyDecision(grounds),
    ...tailDecision(grounds),
    ...orderDecision(grounds),
    ...phases(grounds.kernel.methods.map(({syntax}) => syntax)).map((one) => ({...one, because: []})),
    ...(rest.length > 0
      ? [{topic: 'handed-over' as const, situation: 'worked', subject: '', values: {}, because: rest}]
      : []),
  ]
}

/** A value with all that it is computed from, in order. */
function leading(worked: readonly Arithmetic[], names: readonly string[]): Arithmetic[] {
  const needed = new Set(names)
  for (const one of [...worked].reverse()) if (needed.has(one.name)) for (const [name] of one.values) needed.add(name)
  return worked.filter(({name}) => needed.has(name))
}

/** A chain that is longer says nothing. */
const mostInstructions = 14

/** Vector instructions in the order in which a tile meets them: functions appear where they are called. */
function instructionsInOrder({methods, vectorCalls}: KernelFacts): string[] {
  const isVector = new Set(vectorCalls.map(({call}) => call.name))
  const functions = methods.map(({syntax}) => syntax)
  const steps = {functions, isStep: ({name}: Call) => isVector.has(name), runs: () => true}
  return methods.flatMap(({role, syntax}) => (role === 'entry' ? (stepsInOrder(syntax, steps) ?? []) : []))
}

function instructionsDecision({kernel, chain}: Grounds): Draft[] {
  // Of branches that are both left in the code, a tile takes one.
  const isOpen = kernel.vectorCalls.some(({call}) => call.branches.length > 0)
  if (chain.length === 0 || chain.length > mostInstructions || isOpen) return []
  const values = {chain: merged(chain), instructions: chain.length, different: new Set(chain).size}
  return [{topic: 'instructions', situation: chain.length === 1 ? 'one' : 'several', subject: '', values, because: []}]
}

/** Repetitions are merged, with their number. */
function merged(chain: readonly string[]): string[] {
  const found: {name: string; times: number}[] = []
  for (const name of chain) {
    const last = found.at(-1)
    if (last?.name === name) last.times += 1
    else found.push({name, times: 1})
  }
  return found.map(({name, times}) => (times === 1 ? name : `${name} ×${times}`))
}

const narrow = new Set<string>(['float16', 'bfloat16'])

function typeDecision({pair, kernel, chain}: Grounds): Draft[] {
  const input = pair.scenario.inputs.find(({dtype}) => narrow.has(dtype))
  // Code that widens later computes in the type itself.
  // A single instruction rounds once in either type.
  const computing = chain.filter((name) => name !== 'Cast')
  // Filling what is carried on comes before.
  const [first] = chain.filter((name) => name !== 'Duplicate')
  if (!input || first !== 'Cast' || computing.length < 2) return []
  const lacks = kernel.vectorCalls
    .map(({call}) => call.name)
    .filter((name) => name !== 'Cast' && !(vectorApis.get(name)?.types ?? []).includes(input.dtype))
  const isBack = pair.scenario.outputs.some(({dtype}) => narrow.has(dtype))
  const values = {name: input.name, dtype: input.dtype, lacking: [...new Set(lacks)], back: isBack ? 'yes' : 'no'}
  return [{topic: 'element-type', situation: input.dtype, subject: input.name, values, because: []}]
}

function coresDecision({pair, kernel, chain, share, tile, worked, blocks}: Grounds): Draft[] {
  const {blocks: launched, tiling} = pair.scenario.trace
  const busy = launched.filter(({writtenBytes}) => writtenBytes > 0).length
  const cores = kernel.matrixCalls.length > 0 ? hardware.cubeCores : hardware.vectorCores
  const isShare = ([name, value]: [string, unknown]) =>
    name !== tile?.field && value === share?.sizes[0]?.size && value !== share?.total
  const field = Object.entries(tiling).find(isShare)?.[0]
  const because = leading(
    worked,
    [blocks, field].filter((one) => one !== undefined),
  )
  const base = {blocks: busy, cores}
  if (!share) return [{topic: 'cores', situation: 'uneven', subject: '', values: base, because}]
  const [most, less] = share.sizes
  const values = {
    ...base,
    total: share.total,
    unit: share.unit,
    output: share.output.name,
    share: most?.size ?? 0,
    full: most?.cores ?? 0,
    less: less?.size ?? 0,
    lessCores: less?.cores ?? 0,
  }
  const situation = busy === 1 && !isReducedWhole(share, chain) ? 'alone' : situationOf(share, busy, cores)
  return [{topic: 'cores', situation, subject: field ?? '', values: {...values, idle: cores - busy}, because}]
}

/** Only one result, for all of which values are reduced: cut up, it would have to be put together. */
const isReducedWhole = ({total}: Share, chain: readonly string[]) =>
  total === 1 && chain.some((name) => /Reduce/.test(name))

function situationOf({sizes}: Share, blocks: number, cores: number): string {
  if (blocks === 1) return 'one'
  if (sizes.length > 2) return 'uneven'
  if (sizes.length === 1) return blocks < cores ? 'few' : 'all-alike'
  return sizes[1]?.cores === 1 ? 'last-short' : 'two-sizes'
}

function tileDecision({pair, cut: [share], worked}: Grounds, tile: TileLength): Draft[] {
  const because = leading(worked, [tile.field])
  const values = {
    field: tile.field,
    tile: tile.value,
    unit: tile.isRows ? 'rows' : 'elements',
    perUnit: tile.perUnit,
    fixed: tile.fixed,
    kept: tile.kept,
    keeper: tile.keeper,
    capacity: ubBytes,
    used: pair.scenario.trace.ubPeakBytes,
    ...sumOfBuffers(tile.buffers),
    derived: because.length > 0 ? 'none' : lengthFromMemory(tile),
    ...reasonOf(tile, because.length > 0),
    share: share ?? 0,
    rounds: roundsOf(share, tile),
  }
  // Buffers are whole blocks of 32 bytes, so that bytes an element need not add up.
  const isExact = values.used === tile.fixed + tile.perUnit * tile.value
  const inTiles = values.rounds === 1 ? 'one-tile' : 'several'
  if (tile.isRow) return rowDecision(tile, {values, because, worked})
  const strip = isStrip(tile) ? stripLimit(tile, because.find(({name}) => name === tile.field)?.worked) : undefined
  if (strip) return [{topic: 'tile', situation: 'strip', subject: tile.field, values: {...values, ...strip}, because}]
  const situation = isExact ? inTiles : 'rounded'
  return [{topic: 'tile', situation, subject: tile.field, values, because}]
}

/** The space of a row comes in whole units, which the host rounds its length up to: so does the longest one. */
function rowDecision(
  tile: TileLength,
  {values, because, worked}: {worked: Arithmetic[]} & Pick<Draft, 'values' | 'because'>,
) {
  const unit = Number(/⌉ × (\d+)$/.exec(worked.find(({name}) => name === tile.field)?.worked ?? '')?.[1])
  if (!(unit > 0)) return []
  const limit = longestIn(unit, tile)
  return [
    {topic: 'tile' as const, situation: 'row', subject: tile.field, values: {...values, limit: limit.text}, because},
  ]
}

/** Tiles of a core that has most; 0 where that is not known. */
const roundsOf = (share: number | undefined, tile: TileLength | undefined) =>
  share === undefined || !tile ? 0 : Math.ceil(share / tile.value)

function depthDecision({pair, kernel, cut, tile}: Grounds): Draft[] {
  const scope = scopeOfFacts(kernel)
  const names = kernel.buffers
    .filter(({kind, count}) => kind === 'queue' && evaluate(count, scope) === 2)
    .map(({name}) => name)
  if (names.length === 0) return []
  const {blocks} = pair.scenario.trace
  const works = blocks.flatMap(({work, writtenBytes}) => (work && work.tiles > 0 && writtenBytes > 0 ? [work] : []))
  const [busiest] = works.sort((one, other) => other.tiles - one.tiles)
  const rounds = busiest?.tiles ?? roundsOf(cut[0], tile)
  // What a copy brought is there before the vector unit begins, so only results of its own hold the next copy back.
  const isHeld = readsOf(kernel) === 'computed' || copiesByValue(kernel)
  const {drained = busiest?.drains ?? 0, synced = 0} = busiest ?? {}
  const drains = isHeld ? Math.max(0, drained - synced) : 0
  const overlapping = rounds === 1 ? names : names.filter((name) => filledOf(name, kernel, pair) !== 1)
  if (overlapping.length === 0) return []
  const values = {queues: overlapping, rounds, drains, ...(synced > 0 && {passes: synced + 1})}
  const situation = depthOf(rounds, drains, synced + 1)
  return [{topic: 'depth', situation, subject: overlapping[0] ?? '', values, because: []}]
}

/** Whether a value that the scalar unit reads says where a copy begins, as in a lookup: then the copy waits for it. */
function copiesByValue({methods}: KernelFacts): boolean {
  const calls = methods.flatMap(({syntax}) => syntax.calls)
  const read = methods
    .flatMap(({syntax}) => syntax.assignments)
    .filter(({value}) => /\bGetValue\s*\(/.test(value))
    .map(({name}) => lastName(name))
  const copies = calls.filter(({name}) => /^DataCopy(?:Pad)?$/.test(name))
  return copies.some(({args}) => args.some((one) => one.split(/\W+/).some((word) => read.includes(word))))
}

/** How many tiles came into a queue of the first core; undefined where it is not known which queue of the run it is. */
function filledOf(queue: string, {buffers, methods}: KernelFacts, {scenario: {trace}}: HostKernelPair) {
  const position = buffers.find(({name}) => name === queue)?.position
  const alike = new Set(buffers.flatMap((one) => (one.position === position && one.kind === 'queue' ? one.name : [])))
  const calls = methods.flatMap(({syntax}) => syntax.calls.filter(({name}) => name === 'InitBuffer'))
  const setUp = calls.map(({args}) => lastName(args[0] ?? '')).filter((name) => alike.has(name))
  const seen = trace.buffers.filter((one) => one.kind === 'queue' && one.position === position)
  return seen.length === setUp.length ? seen[setUp.indexOf(queue)]?.filled : undefined
}

/** Where the scalar unit waits for a result before every further tile, copies are issued one after the other. */
function depthOf(rounds: number, drains: number, passes: number): string {
  if (rounds === passes && passes > 1) return 'one-tile-a-pass'
  if (rounds <= 1) return rounds === 1 ? 'one-tile' : 'open'
  if (drains === 0) return 'several'
  return drains >= rounds - passes ? 'drained' : 'partly'
}

const readByScalars: Readonly<Record<string, string>> = {
  computed: 'queues-and-scalar',
  flagged: 'queues-and-copied',
  copied: 'queues-and-awaited',
}

/** How a tile gets from one pipe to the next, if there are queues on both sides of the vector unit. */
function orderDecision({pair, kernel}: Grounds): Draft[] {
  const passing = kernel.passingQueues
  const positions = kernel.buffers.filter(({name}) => passing.includes(name)).map(({position}) => position)
  if (!positions.includes('VECIN') || !positions.includes('VECOUT')) return []
  const waits = pair.scenario.trace.blocks.some(({work}) => (work?.drains ?? 0) > 0)
  const unaided = kernel.synchronisation.length > 0 ? 'queues-and-flags' : 'queues'
  const situation = (waits ? readByScalars[readsOf(kernel)] : undefined) ?? unaided
  return [{topic: 'synchronisation', situation, subject: passing[0] ?? '', values: {queues: passing}, because: []}]
}

const block = 32

/** Consecutive rows in the unified buffer. */
function rowsDecision({pair, share}: Grounds): Draft[] {
  const widest = pair.scenario.inputs.find(({shape}) => shape.length > 1)
  if (!widest || !share) return []
  const bytes = (widest.shape.at(-1) ?? 1) * dtypeBytes[widest.dtype]
  const perCore = share.isRows || share.row === 1 ? (share.sizes[0]?.size ?? 0) : 0
  const values = {name: widest.name, bytes, rest: bytes % block}
  const isOne = perCore === 1 ? 'one-a-core' : 'open'
  if (share.isRows && share.row !== widest.shape.at(-1)) return []
  return [{topic: 'rows', situation: bytes % block === 0 ? 'whole-blocks' : isOne, subject: '', values, because: []}]
}

function copyDecision({pair, kernel, steps}: Grounds): Draft[] {
  if (!kernel.moves.some(({api}) => api === 'DataCopyPad')) return []
  const pieces = piecesOf(pair.scenario, steps)
  const open = pieces.filter(({bytes}) => bytes % block !== 0)
  const known = (open.length > 0 ? open : pieces).filter(({dtype}) => dtype !== undefined)
  const [first, ...others] = known
  if (!first?.dtype) return []
  const largest = others.reduce((one, other) => (other.bytes > one.bytes ? other : one), first)
  const {bytes, dtype = first.dtype, direction} = largest
  const elements = bytes / dtypeBytes[dtype]
  const names = pair.scenario[direction === 'in' ? 'inputs' : 'outputs'].map(({name}) => name)
  const size = {bytes, rest: bytes % block, more: Math.floor(bytes / block), elements, dtype}
  const values = {...size, direction, names: names.length === 1 ? names : []}
  const situation = open.length > 0 ? 'pad-needed' : 'pad-spare'
  return [{topic: 'copy', situation, subject: 'DataCopyPad', values, because: []}]
}

function tailDecision({tile, cut: [largest, ...others], row}: Grounds): Draft[] {
  if (tile && row !== undefined) return tailOfRow(tile, row)
  if (!tile || largest === undefined) return []
  const partial = [largest, ...others].find((one) => one % tile.value !== 0)
  const size = partial ?? largest
  const ofPartial = size === largest ? 'cut' : 'cut-smaller'
  const values = {
    share: size,
    largest,
    tile: tile.value,
    whole: Math.floor(size / tile.value),
    rest: size % tile.value,
    unit: tile.isRows ? 'rows' : 'elements',
    field: tile.field,
  }
  return [
    {topic: 'tail', situation: partial === undefined ? 'none' : ofPartial, subject: tile.field, values, because: []},
  ]
}

/** A row that is cut by itself, or all columns. */
function tailOfRow(tile: TileLength, row: number): Draft[] {
  const {field, value} = tile
  const [whole, rest] = [Math.floor(row / value), row % value]
  if (rest === 0) return []
  const counts = isStrip(tile) ? {columns: row, strips: whole + 1, before: whole} : {whole}
  const values = {row, tile: value, field, unit: 'elements', ...counts, rest}
  return [{topic: 'tail', situation: isStrip(tile) ? 'strips' : 'row-cut', subject: field, values, because: []}]
}
