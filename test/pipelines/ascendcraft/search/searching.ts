import {Candidate, JudgedCandidate} from '../../../../datasets/schema/candidate.ts'
import {CraftedOperator, type CraftDesign} from '../../../../datasets/schema/crafted-operator.ts'
import {CostedCandidate} from '../../../../datasets/schema/optimisation.ts'
import type {SearchedOperator} from '../../../../datasets/schema/searched-operator.ts'
import {each, type Stage} from '../../../../engine/stage.ts'
import {modelCost} from '../../../../eval/cost.ts'
import {taskOf} from '../../../../pipelines/ascendcraft/factory/craft-task.ts'
import {designDecisions} from '../../../../pipelines/ascendcraft/factory/design-decisions.ts'
import {difficultyOf} from '../../../../pipelines/ascendcraft/factory/difficulty.ts'
import {programOf} from '../../../../pipelines/ascendcraft/factory/tile-program.ts'
import {lower} from '../../../../pipelines/ascendcraft/lower/lower.ts'
import {readProgram} from '../../../../pipelines/ascendcraft/language/check.ts'
import fasterDesigns from '../../../../pipelines/ascendcraft/search/faster-designs.ts'
import {runStage} from '../../../helpers/run-stage.ts'
import {executor, labelled} from '../../preference/records.ts'
import {drawnDesigns} from '../factory/drawn-designs.ts'

const {drawn} = await drawnDesigns(40)
const found = drawn.find(({design}) => design.form === 'elements' && design.strategy === 'runs')!
export const design: CraftDesign = found.design

const {label: _, ...labelledRight} = labelled('green', 'right')
const {verdict} = labelledRight

function operator(): CraftedOperator {
  const crafted = programOf(design)
  const read = readProgram(crafted.text)
  if (!read.ok) throw new Error(read.faults[0]?.message)
  return CraftedOperator.parse({
    ...found,
    difficulty: difficultyOf(design),
    program: crafted.text,
    tile: crafted.plan.tile,
    task: taskOf(design, crafted, read.checked, 'test').task,
    decisions: designDecisions(design, crafted),
    verdict,
  })
}

/** Tile and cores of a host file of the factory, and blocks of its queues in. */
export function knobsOf(files: Candidate['files']) {
  const text = files.map((file) => file.text).join('\n')
  const number = (pattern: RegExp) => Number(pattern.exec(text)?.[1])
  return {
    tile: number(/int64_t tile = (\d+);/),
    cores: number(/std::min<int64_t>\((\d+), /),
    depth: number(/InitBuffer\(\w+, (\d), /),
  }
}

const elements = 1 << 20

/** The cost model itself, on counts that a kernel with these knobs has. */
const cost: Stage<JudgedCandidate, CostedCandidate> = {
  name: 'modelled-cost',
  version: 1,
  input: JudgedCandidate,
  output: CostedCandidate,
  run: each((candidate) => {
    const {tile, cores, depth} = knobsOf(candidate.files)
    const share = Math.ceil(elements / cores)
    const tiles = Math.ceil(share / tile)
    const bytes = share * 4
    const work = {
      ...{copiesIn: tiles, copiesOut: tiles, burstsIn: tiles, burstsOut: tiles, waits: 0, drains: 0, tiles},
      ...{vectorInstructions: 3 * tiles, vectorRepeats: Math.ceil((3 * bytes) / 256), scalarAccesses: 0},
    }
    const queue = (position: string) => ({name: position, kind: 'queue', position, count: depth, filled: tiles})
    const modelled = modelCost({
      blockDim: cores,
      calls: {},
      buffers: [queue('VECIN'), queue('VECOUT')],
      blocks: Array.from({length: cores}, (_, index) => ({index, readBytes: bytes, writtenBytes: bytes, work})),
    } as unknown as Parameters<typeof modelCost>[0])
    return [{...candidate, ...(modelled && {cost: modelled}), sizes: `shape [1024, 1024]`}]
  }),
}

/** The modelled time of a design. */
export async function timeOf(one: CraftDesign): Promise<number> {
  const read = readProgram(programOf(one).text)
  if (!read.ok) throw new Error(read.faults[0]?.message)
  const {files} = lower(read.checked, {operator: one.name})
  const {outputs} = await runStage(cost, [{...labelledRight, files, written: files.map(({path}) => path)}])
  return outputs[0]!.cost!.microseconds
}

interface Asked {
  most?: number
  leastGain?: number
  seed?: string
  /** Programs that the judge finds wrong. */
  refuses?: (files: Candidate['files']) => boolean
}

/** A search on the factory's own programs, with a judge that refuses what it is told to. */
export async function searched({refuses = () => false, seed = 'test', ...options}: Asked = {}) {
  const judge: Stage<Candidate, JudgedCandidate> = {
    name: 'judge',
    version: 1,
    input: Candidate,
    output: JudgedCandidate,
    run: each((candidate) => [
      {...candidate, verdict: refuses(candidate.files) ? labelled('orange', 'wrong').verdict : {...verdict, executor}},
    ]),
  }
  const {outputs, dropped} = await runStage(fasterDesigns({judge, cost, ...options}), [operator()], {seed})
  return {search: outputs[0], dropped}
}

export const programsOf = ({start, steps}: SearchedOperator) => [start, ...steps]
