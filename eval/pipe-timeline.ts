import type {RunTrace, Step} from '../datasets/schema/executor.ts'
import {CostPipe} from '../datasets/schema/optimisation.ts'
import type {CoreTimeline, Stall, Timeline, TimelineInterval, TimelineWait} from '../datasets/schema/timeline.ts'
import {modelBlocks, type ModelledBlock, type Rates} from './cost.ts'

/** What the numbers of a traced run mean; undefined for those that nobody gave out. */
export interface Places {
  placeOf(place: number): {path: string; line: number} | undefined
  /** The program's own name of the queue that a call (`DeQue`, `AllocTensor`) asks there. */
  queueOf(place: number, api: string): string | undefined
}

type Wait = Step['waits'][number]

/**
 * When each pipe of each core works, from the instructions of a traced run: each is charged its part of what the cost
 * model charges the block, and starts when its pipe is free and everything is done that it waits for. Copies in and out
 * take turns where they would need more than the core's share of GM's bandwidth. Blocks do not wait for one another.
 * Undefined where the cost model has no figure, or nothing was traced.
 */
export function timelineOf(
  {trace, steps}: {trace: RunTrace; steps: readonly (readonly Step[])[]},
  rates: Rates,
  places: Places,
): Timeline | undefined {
  const blocks = modelBlocks(trace, rates)
  if (!blocks || steps.length < trace.blocks.length) return undefined
  const cores = blocks.map((block) => {
    const own = trace.blocks.findIndex(({index}) => index === block.work.index)
    return coreTimeline(block, steps[own] ?? [], {cyclesPerMicrosecond: rates.cyclesPerMicrosecond, ...places})
  })
  const slowest = cores.reduce(
    (best, core, at) => (core.modelledCycles > (cores[best]?.modelledCycles ?? 0) ? at : best),
    0,
  )
  return {cyclesPerMicrosecond: rates.cyclesPerMicrosecond, slowest, cores}
}

interface Scale extends Places {
  cyclesPerMicrosecond: number
}

/** One instruction with what it is charged, in cycles. */
interface Piece {
  pipe: CostPipe
  cycles: number
  /** Of GM's bandwidth. */
  shared: number
  step: Step
  /** The scalar access before it, as the program has them. */
  issued: Piece | undefined
  interval?: TimelineInterval
}

interface Limit {
  at: number
  wait?: TimelineWait
}

function coreTimeline(block: ModelledBlock, steps: readonly Step[], scale: Scale): CoreTimeline {
  const pieces = piecesOf(block, steps, scale)
  const intervals = scheduled(pieces, scale)
  const stalls = CostPipe.options.flatMap((pipe) => stallsOf(intervals.filter((one) => one.pipe === pipe)))
  const busyOf = (pipe: CostPipe) =>
    intervals.reduce((sum, one) => sum + (one.pipe === pipe ? one.end - one.start : 0), 0)
  const {copiesIn, copiesOut, vectorInstructions, scalarAccesses} = block.work
  return {
    index: block.work.index,
    cycles: intervals.reduce((last, {end}) => Math.max(last, end), 0),
    modelledCycles: block.microseconds * scale.cyclesPerMicrosecond,
    busy: {MTE2: busyOf('MTE2'), V: busyOf('V'), S: busyOf('S'), MTE3: busyOf('MTE3')},
    overlap: overlapOf(intervals, busyOf),
    intervals,
    stalls,
    left: copiesIn + copiesOut + vectorInstructions + scalarAccesses - steps.length,
  }
}

/** The cost model charges what the scalar unit reads and writes in GM to the pipes that copy. */
function piecesOf({charges}: ModelledBlock, steps: readonly Step[], {cyclesPerMicrosecond}: Scale): Piece[] {
  const pieces: Piece[] = []
  let issued: Piece | undefined
  for (const step of steps) {
    const counts = {
      ...step,
      copiesIn: Number(step.pipe === 'MTE2'),
      copiesOut: Number(step.pipe === 'MTE3'),
      vectorInstructions: Number(step.pipe === 'V'),
      vectorRepeats: step.repeats,
      scalarAccesses: Number(step.pipe === 'S'),
    }
    const before = issued
    for (const pipe of CostPipe.options) {
      const cycles = charges[pipe](counts) * cyclesPerMicrosecond
      if (step.pipe !== pipe && cycles === 0) continue
      const contends = charges.contend && (pipe === 'MTE2' || pipe === 'MTE3')
      const shared = contends ? charges.shared(counts) * cyclesPerMicrosecond : 0
      const piece = {pipe, cycles, shared, step, issued: before}
      if (pipe === 'S') issued = piece
      pieces.push(piece)
    }
  }
  return pieces
}

/** The next to start is always the one that can start first, so that GM's bandwidth goes to whoever comes first. */
function scheduled(pieces: readonly Piece[], scale: Scale): TimelineInterval[] {
  const lanes = CostPipe.options.map((pipe) => pieces.filter((piece) => piece.pipe === pipe).reverse())
  const done = new Map<string, Piece>()
  const intervals: TimelineInterval[] = []
  const free: Partial<Record<CostPipe, number>> = {}
  let gm: {until: number; by?: Piece} = {until: 0}
  for (;;) {
    const ready = lanes.flatMap((lane) => {
      const piece = lane.at(-1)
      const limits = piece && limitsOf(piece, done, scale)
      if (!piece || !limits) return []
      const last = limits.reduce<Limit>((one, other) => (other.at > one.at ? other : one), {at: free[piece.pipe] ?? 0})
      const taken = piece.shared > 0 && gm.by && gm.by.pipe !== piece.pipe && gm.until > last.at
      const limit = taken ? {at: gm.until, wait: busyWait('gm', gm.by as Piece, scale)} : last
      return [{lane, piece, limit, since: last.at}]
    })
    const [first, ...others] = ready
    if (!first) return intervals.sort((one, other) => one.start - other.start)
    const {lane, piece, limit} = others.reduce((one, other) => (isBefore(other, one) ? other : one), first)
    lane.pop()
    const interval = intervalOf(piece, limit, scale)
    piece.interval = interval
    intervals.push(interval)
    free[piece.pipe] = interval.end
    if (piece.shared > 0) gm = {until: interval.start + piece.shared, by: piece}
    if (piece.step.pipe === piece.pipe) done.set(`${piece.pipe} ${piece.step.number}`, piece)
  }
}

interface Turn {
  limit: Limit
  /** When it could have started if GM's bandwidth had been free. */
  since: number
}

/** Of those that can start together, the one that has waited longer. */
function isBefore(one: Turn, other: Turn): boolean {
  const earlier = other.limit.at - one.limit.at
  return Math.abs(earlier) < 1e-6 ? one.since < other.since : earlier > 0
}

/** When all is done that a piece waits for; undefined while some of it has no place yet. */
function limitsOf({step, pipe, issued}: Piece, done: ReadonlyMap<string, Piece>, scale: Scale): Limit[] | undefined {
  const limits: Limit[] = []
  if (issued) {
    if (!issued.interval) return undefined
    limits.push({at: issued.interval.end, wait: busyWait('issue', issued, scale)})
  }
  for (const wait of step.waits) {
    // Of instructions that the model does not know, or that were not told, nothing is known.
    if (step.pipe !== pipe || !isCostPipe(wait.pipe)) continue
    const by = done.get(`${wait.pipe} ${wait.number}`)
    if (!by?.interval) return undefined
    limits.push({at: by.interval.end, wait: toldWait(wait, by, scale)})
  }
  return limits
}

const isCostPipe = (pipe: string): pipe is CostPipe => CostPipe.options.some((one) => one === pipe)

function intervalOf({pipe, cycles, step}: Piece, {at, wait}: Limit, {placeOf}: Scale): TimelineInterval {
  const place = placeOf(step.place)
  return {
    ...{pipe, start: at, end: at + cycles, api: step.api},
    ...(place && {place}),
    ...((pipe === 'MTE2' || pipe === 'MTE3') && {bytes: pipe === 'MTE2' ? step.readBytes : step.writtenBytes}),
    ...(pipe === 'V' && {repeats: step.repeats}),
    ...(wait && {waitsFor: wait}),
  }
}

function instruction({pipe, step}: Piece, {placeOf}: Scale): TimelineWait['by'] {
  const place = placeOf(step.place)
  return {pipe, api: step.api, ...(place && {place})}
}

const busyWait = (kind: 'issue' | 'gm', by: Piece, scale: Scale): TimelineWait => ({
  ...{kind, api: '', name: '', by: instruction(by, scale)},
})

/** Calls that wait for a queue or an event; of all others the scalar unit waits for a value. */
const kinds: Readonly<Record<string, TimelineWait['kind']>> = {
  DeQue: 'queue',
  AllocTensor: 'queue',
  FreeAllEvent: 'queue',
  WaitFlag: 'event',
  PipeBarrier: 'barrier',
}

function toldWait({api, name, place}: Wait, by: Piece, scale: Scale): TimelineWait {
  const at = scale.placeOf(place)
  const kind = kinds[api] ?? (name === '' ? 'scalar' : 'barrier')
  const own = kind === 'queue' ? scale.queueOf(place, api) : undefined
  return {kind, api, ...(at && {place: at}), name: own ?? name, by: instruction(by, scale)}
}

/** @param lane the intervals of one pipe, in order */
function stallsOf(lane: readonly TimelineInterval[]): Stall[] {
  return lane.flatMap(({pipe, start, waitsFor}, at) => {
    const before = lane[at - 1]?.end ?? 0
    return waitsFor && start > before ? [{pipe, start: before, end: start, cause: waitsFor}] : []
  })
}

function overlapOf(intervals: readonly TimelineInterval[], busyOf: (pipe: CostPipe) => number): number {
  const [copies, vectors] = (['MTE2', 'V'] as const).map((pipe) => intervals.filter((one) => one.pipe === pipe))
  const shorter = Math.min(busyOf('MTE2'), busyOf('V'))
  if (!copies || !vectors || shorter === 0) return 0
  let [both, c, v] = [0, 0, 0]
  for (;;) {
    const [copy, vector] = [copies[c], vectors[v]]
    if (!copy || !vector) return both / shorter
    both += Math.max(0, Math.min(copy.end, vector.end) - Math.max(copy.start, vector.start))
    if (copy.end < vector.end) c += 1
    else v += 1
  }
}
