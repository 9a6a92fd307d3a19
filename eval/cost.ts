import {familyOf, interfaces} from '../cpp/interfaces.ts'
import {chipOf} from './executors/chips.ts'
import type {BlockWork, RunTrace} from '../datasets/schema/executor.ts'
import type {CostPipe, ModelledCost, Overlap} from '../datasets/schema/optimisation.ts'

/** Peak rates of a chip, as published by its vendor. Times in microseconds, rates in bytes per microsecond. */
export interface Rates {
  cores: number
  cyclesPerMicrosecond: number
  /** Of all cores together, reading and writing. */
  gmBytes: number
  /** For a single core. */
  readBytes: number
  writtenBytes: number
  /** Cost of each copy, however short. */
  copy: number
  /** Shorter bursts are charged as this much. */
  shortestBurst: number
  /** Cycles of each vector instruction on top of its repeats. */
  vectorStart: number
  /** Cycles of a GetValue or SetValue with the arithmetic around it. */
  scalarAccess: number
  launch: number
}

/**
 * Atlas A2. The table is that of asc-devkit's Add tuning sample (examples/…/add_high_performance/README.md: x + y of
 * 8192 × 8192 half on Atlas A2, cases 0 to 6); no other source publishes the time of a single copy or instruction.
 */
export const atlasA2: Rates = {
  // Ascend910B1 (platform_config of CANN 8.1); "48 Vector cores" of the page on analysing performance data.
  cores: 48,
  // "Each cycle handles 128 half, 1.85 GHz" (the sample): one 256-byte repeat a cycle. Tensors whose banks of UB
  // conflict take twice as long (its cases 5 and 6), which nothing here sees.
  cyclesPerMicrosecond: 1850,
  // "GM about 1.6 TB/s" (the page on splitting for the L2 cache); copies in and out share it (the page on analysing
  // performance data). What stays in the L2 cache is faster, so the cost of small tensors is overestimated.
  gmBytes: 1.6e6,
  // Case 0 has a core to itself and copies 8 KiB in in 180.6 ns, out in 151.7 ns: less `copy`, what the bytes take.
  readBytes: 68_300,
  writtenBytes: 90_000,
  // Cases 2 and 3 move the same bytes in 684 and in 171 copies a core: 215.485 µs less 184.369 µs, by 513.
  copy: 0.0607,
  // "GM addresses at multiples of 512 bytes use the bandwidth best" (the page of that name).
  shortestBurst: 512,
  // Cases 2 and 3, and by itself case 6: 15.885 µs for 342 instructions of 32 repeats, 12.845 µs for 86 of 128.
  vectorStart: 22,
  // Case 0: 1,233,742 µs for 8192 × 8192 elements of two GetValue, one SetValue and an addition.
  scalarAccess: 11.3,
  // "On Atlas A2 about 20 to 21 µs with all cores" (the page on analysing performance data). It is less with fewer
  // cores, by a figure that is published as a picture only.
  launch: 20,
}

/** Rates of a chip; memory rates are published for Atlas A2 as a whole. @throws PipelineError for an unknown one */
export function ratesOf(soc: string): Rates {
  const {vectorCores, megahertz} = chipOf(soc)
  return {...atlasA2, cores: vectorCores, cyclesPerMicrosecond: megahertz}
}

/**
 * Repeats of reductions count twice: "two to five times the latency of Add" (asc-devkit, choosing instructions of low
 * latency). Functions of many instructions, such as Tanh, count as one: their composition is not published.
 */
const isReduction = (api: string) => familyOf(api) === 'reduction'

/** APIs of the cube core, whose pipes the model lacks. */
const isOfCube = (api: string) =>
  familyOf(api) === 'matrix' || interfaces.get(api)?.pipes.some((pipe) => pipe === 'MTE1' || pipe === 'FIX')

/**
 * A run's modelled time on the chip, from the executor's counts: that of the slowest block, its tiles overlapping as
 * far as its queues allow. Undefined if nothing was counted, nothing was done, or a cube core was used.
 */
export function modelCost(trace: RunTrace, rates: Rates = atlasA2): ModelledCost | undefined {
  const busy = modelBlocks(trace, rates)
  if (!busy) return undefined
  const works = worksOf(trace)
  const slowest = busy.reduce((one, other) => (other.microseconds > one.microseconds ? other : one))
  const [bottleneck] = Object.entries(slowest.pipes).sort(([, one], [, other]) => other - one)[0] as [CostPipe, number]
  const sum = (key: keyof (typeof works)[number]) => works.reduce((total, work) => total + (work[key] ?? 0), 0)
  return {
    // Blocks beyond the number of cores start when others finish.
    microseconds: slowest.microseconds * Math.ceil(busy.length / rates.cores),
    launchMicroseconds: rates.launch,
    pipes: slowest.pipes,
    bottleneck,
    overlap: slowest.overlap,
    // A block without a share may still load what all of them need.
    cores: busy.filter(({work}) => work.writtenBytes > 0).length || busy.length,
    blockDim: trace.blockDim,
    readBytes: sum('readBytes'),
    writtenBytes: sum('writtenBytes'),
    work: {
      copiesIn: sum('copiesIn'),
      copiesOut: sum('copiesOut'),
      burstsIn: sum('burstsIn'),
      burstsOut: sum('burstsOut'),
      vectorInstructions: sum('vectorInstructions'),
      vectorRepeats: sum('vectorRepeats'),
      scalarAccesses: sum('scalarAccesses'),
      waits: sum('waits'),
      drains: sum('drains'),
      tiles: Math.max(...works.map(({tiles}) => tiles)),
    },
    slowest: countsOf(slowest),
  }
}

function countsOf({work, copying}: ModelledBlock): ModelledCost['slowest'] {
  const {readBytes, writtenBytes, copiesIn, copiesOut, vectorInstructions, vectorRepeats, tiles} = work
  const copies = copiesIn + copiesOut
  return {readBytes, writtenBytes, copies, vectorInstructions, vectorRepeats, drains: refills(work), tiles, copying}
}

/** Waits between two tiles; older records count all of the block. */
const refills = ({drained, drains}: BlockWork) => drained ?? drains

export interface ModelledBlock extends BlockTime {
  work: BlockCounts
  /** What single instructions of the block are charged; the charges of all of them are its `pipes`. */
  charges: Charges
}

/** The blocks with work, each with its time; undefined as for `modelCost`. */
export function modelBlocks(trace: RunTrace, rates: Rates): ModelledBlock[] | undefined {
  if (Object.keys(trace.calls).some(isOfCube)) return undefined
  const works = worksOf(trace)
  if (works.length < trace.blocks.length) return undefined
  const busy = works.filter((work) => isBusy(work))
  if (busy.length === 0) return undefined
  const cores = Math.min(busy.length, rates.cores)
  const chip = {rates, share: rates.gmBytes / cores, repeatCycles: repeatCycles(trace), queues: queuesOf(trace)}
  return busy.map((work) => ({...timeOf(work, chip), work, charges: chargesOf(work, chip)}))
}

const worksOf = ({blocks}: RunTrace): BlockCounts[] =>
  blocks.flatMap(({work, ...block}) => (work ? [{...block, ...work}] : []))

interface BlockCounts extends BlockWork {
  index: number
  readBytes: number
  writtenBytes: number
}

const isBusy = ({readBytes, writtenBytes, vectorInstructions, scalarAccesses}: BlockCounts) =>
  readBytes + writtenBytes + vectorInstructions + scalarAccesses > 0

/** Cycles per repeat, over all APIs of the launch. */
function repeatCycles({repeats = {}}: RunTrace): number {
  const entries = Object.entries(repeats)
  const all = entries.reduce((sum, [, count]) => sum + count, 0)
  const cycles = entries.reduce((sum, [api, count]) => sum + count * (isReduction(api) ? 2 : 1), 0)
  return all === 0 ? 1 : cycles / all
}

/** Which queues have a single block, among those with more than one tile. */
interface Queues {
  singleIn: boolean
  singleOut: boolean
  /** A queue whose tensors are copied in and out. */
  singleThrough: boolean
}

function queuesOf({buffers}: RunTrace): Queues {
  const single = buffers.filter(({kind, count, filled = 0}) => kind === 'queue' && filled > 1 && count === 1)
  const through = ({name}: {name: string}) => name.startsWith('VECIN_VECOUT')
  return {
    singleIn: single.some((queue) => queue.position === 'VECIN' && !through(queue)),
    singleOut: single.some(({position}) => position === 'VECOUT'),
    singleThrough: single.some(through),
  }
}

interface Chip {
  rates: Rates
  /** GM bandwidth for each active core. */
  share: number
  repeatCycles: number
  queues: Queues
}

interface BlockTime {
  microseconds: number
  pipes: Record<CostPipe, number>
  /** Copies in and out side by side. */
  copying: number
  overlap: Overlap
}

/**
 * A block's tiles are assumed to be alike. A tile's dependences form cycles in the pipeline, and the longest cycle is
 * the time of each further tile; the pipeline refills after each drain between tiles.
 */
function timeOf(work: BlockCounts, chip: Chip): BlockTime {
  const {pipes, moving} = pipesOf(work, chip)
  const tiles = Math.max(work.tiles, 1)
  const fills = Math.min(tiles, refills(work) + 1)
  const compute = pipes.V + pipes.S
  const {singleIn, singleOut, singleThrough} = chip.queues
  const serial = pipes.MTE2 + compute + pipes.MTE3
  const steady = Math.max(
    moving,
    compute,
    singleIn ? pipes.MTE2 + compute : 0,
    singleOut ? compute + pipes.MTE3 : 0,
    // Copies in share the bandwidth with copies out of the previous tile.
    singleIn && singleOut ? compute + moving : 0,
    singleThrough ? serial : 0,
  )
  const microseconds = (steady * (tiles - fills) + serial * fills) / tiles
  return {microseconds, pipes, copying: moving, overlap: overlapOf(chip.queues, fills === tiles)}
}

function overlapOf({singleIn, singleOut, singleThrough}: Queues, serial: boolean): Overlap {
  if (serial || singleThrough) return 'none'
  return singleIn || singleOut ? 'in-part' : 'full'
}

/** Of a block or of a part of it. */
type Counts = Pick<
  BlockCounts,
  | 'copiesIn'
  | 'copiesOut'
  | 'burstsIn'
  | 'burstsOut'
  | 'readBytes'
  | 'writtenBytes'
  | 'vectorInstructions'
  | 'vectorRepeats'
  | 'scalarAccesses'
>

/** Microseconds for counts; linear, so that charges of parts add up to that of the block. */
type Charges = Record<CostPipe, (counts: Counts) => number> & {
  /** Of GM's bandwidth, which copies in and out share. */
  shared: (counts: Counts) => number
  /** Whether a copy in and one out at once need more bandwidth than the core has. */
  contend: boolean
}

function chargesOf(block: BlockCounts, {rates, share, repeatCycles}: Chip): Charges {
  const [burstsIn, burstsOut] = [block.burstsIn * rates.shortestBurst, block.burstsOut * rates.shortestBurst]
  const bytesIn = (one: Counts) => (block.readBytes > burstsIn ? one.readBytes : one.burstsIn * rates.shortestBurst)
  const bytesOut = (one: Counts) =>
    block.writtenBytes > burstsOut ? one.writtenBytes : one.burstsOut * rates.shortestBurst
  const more = block.copiesIn >= block.copiesOut ? 'copiesIn' : 'copiesOut'
  return {
    MTE2: (one) => one.copiesIn * rates.copy + bytesIn(one) / Math.min(rates.readBytes, share),
    V: (one) =>
      (one.vectorInstructions * rates.vectorStart + one.vectorRepeats * repeatCycles) / rates.cyclesPerMicrosecond,
    S: (one) => (one.scalarAccesses * rates.scalarAccess) / rates.cyclesPerMicrosecond,
    MTE3: (one) => one.copiesOut * rates.copy + bytesOut(one) / Math.min(rates.writtenBytes, share),
    shared: (one) => one[more] * rates.copy + (bytesIn(one) + bytesOut(one)) / share,
    contend: Math.min(rates.readBytes, share) + Math.min(rates.writtenBytes, share) > share,
  }
}

function pipesOf(work: BlockCounts, chip: Chip) {
  const {MTE2, V, S, MTE3, shared} = chargesOf(work, chip)
  const pipes: Record<CostPipe, number> = {MTE2: MTE2(work), V: V(work), S: S(work), MTE3: MTE3(work)}
  return {pipes, moving: Math.max(pipes.MTE2, pipes.MTE3, shared(work))}
}
