import type {Decision} from '../../../datasets/schema/decision.ts'
import {formatFiles} from '../../../datasets/operator-reply.ts'
import {requestFor} from '../../../datasets/operator-request.ts'
import {best, labelOf} from '../../../datasets/schema/label.ts'
import {
  Optimisation,
  type ModelledCost,
  type OptimisationPair,
  type OptimisationSample,
} from '../../../datasets/schema/optimisation.ts'
import {SearchedOperator, type FoundProgram, type SearchStep} from '../../../datasets/schema/searched-operator.ts'
import {languageOf, paragraphs, voice, type Language, type Voice} from '../../../datasets/voice.ts'
import {randomFrom} from '../../../engine/random.ts'
import {each, type Context, type Stage} from '../../../engine/stage.ts'
import {catalogueDigest} from '../../telling/catalogue.ts'
import {micros} from '../../telling/figures.ts'
import {tellDecisions} from '../../telling/tell-decisions.ts'
import {pipeChanges, profileOf, says, tellImprovement} from '../../telling/tell-improvement.ts'
import {tell, tellAll, type Message} from '../../telling/tell-message.ts'
import {vectorCores} from '../language/dtypes.ts'
import {gainsOf, sharedBandwidth} from './step-decisions.ts'

interface RowsOptions {
  /** Smallest ratio of modelled times of a pair. */
  leastMargin?: number
  /** Pairs of one search: all have the same chosen side. */
  mostPairs?: number
}

/**
 * Search → a sample of each step, and pairs of the fastest program with earlier ones. Both sides of a pair say why they
 * are as they are, and the chosen one also why it is faster.
 */
export default function searchRows({
  leastMargin = 1.1,
  mostPairs = 2,
}: RowsOptions = {}): Stage<SearchedOperator, Optimisation> {
  return {
    name: 'search-rows',
    version: 2,
    options: {leastMargin, mostPairs, words: catalogueDigest()},
    tally: ({kind, step}) => (kind === 'sample' ? step : kind),
    input: SearchedOperator,
    output: Optimisation,
    run: each((search, context): readonly Optimisation[] => {
      const all: readonly FoundProgram[] = [search.start, ...search.steps]
      const samples = search.steps.map((step, at) => sampleOf(search, {before: all[at]!, step, at}, context))
      const earlier = all
        .map((program, at) => ({program, at}))
        .slice(0, -1)
        .filter(({program}) => marginOf(search, program) >= leastMargin)
        .reverse()
      return [...samples, ...earlier.slice(0, mostPairs).map((one) => pairOf(search, one, context))]
    }),
  }
}

const lastOf = ({steps}: SearchedOperator) => steps.at(-1)!
const marginOf = (search: SearchedOperator, slower: FoundProgram) =>
  slower.cost.microseconds / lastOf(search).cost.microseconds

const shared = ({task, sizes}: SearchedOperator, {stages}: Context) => ({
  task: task.name,
  sizes,
  origin: task.origin,
  stages,
})

function stepName({knob, design, tile}: SearchStep, before: FoundProgram): string {
  if (knob === 'depth') return design.depth === 2 ? 'double-buffers' : 'single-buffers'
  if (knob === 'tile') return tile > before.tile ? 'longer-tiles' : 'shorter-tiles'
  return knob === 'cores' ? 'more-cores' : 'other-division'
}

interface Taken {
  before: FoundProgram
  step: SearchStep
  at: number
}

function sampleOf(search: SearchedOperator, {before, step, at}: Taken, context: Context): OptimisationSample {
  const random = randomFrom(context.seed, 'search-rows', search.task.name, at)
  const speaker = voice(random.pick<Language>(['en', 'zh']), random)
  const told = tellImprovement(
    {operator: search.task.name, sizes: search.sizes, before, after: step},
    {
      about: step.knob === 'depth' ? 'overlap' : 'pipe',
      why: [
        ...tellDecisions(step.because, speaker),
        tell(pipeChanges(before.cost, step.cost), speaker),
        ...tellDecisions(sharedBandwidth(before, step), speaker),
      ],
      limits: [],
      done: doneBy(step, before),
    },
    speaker,
  )
  return {
    ...shared(search, context),
    ...told,
    kind: 'sample',
    step: stepName(step, before),
    language: speaker.language,
    before: before.cost,
    after: step.cost,
    teacher: {kind: 'offline'},
    verdict: step.verdict,
  }
}

function doneBy({knob, design, tile}: SearchStep, before: FoundProgram): Message {
  const depth = design.depth === 2 ? 'double' : 'single'
  const values = {before: before.tile, after: tile, chip: design.bounds?.cores ?? vectorCores}
  return says(`${knob === 'depth' ? depth : knob}-mends`, values)
}

function pairOf(
  search: SearchedOperator,
  {program, at}: {program: FoundProgram; at: number},
  context: Context,
): OptimisationPair {
  const prompt = requestFor(search.task).trimEnd()
  const random = randomFrom(context.seed, 'search-rows', 'pair', search.task.name, at)
  const speaker = voice(languageOf(search.task.description), random)
  const since = search.steps.slice(at)
  const margin = marginOf(search, program)
  return {
    ...shared(search, context),
    kind: 'pair',
    prompt: paragraphs([prompt, tell(says('fast', {sizes: search.sizes}), speaker)]),
    chosen: sideOf(
      search,
      {
        taken: search.steps.length,
        more: [tell(compared(program, margin), speaker), ...tellDecisions(gainsOf(program, lastOf(search)), speaker)],
      },
      speaker,
    ),
    rejected: sideOf(search, {taken: at, more: []}, speaker),
    margin,
    step: [...new Set(since.map((step, place) => stepName(step, since[place - 1] ?? program)))].join(', '),
  }
}

/** Second copies of buffers that have nothing to overlap say so. */
function seenIn(one: Decision, {overlap, slowest, work}: ModelledCost): Decision {
  if (one.topic !== 'depth' || one.values['depth'] !== 2 || overlap !== 'none') return one
  return {...one, situation: 'searched-waits', values: {tiles: slowest?.tiles ?? work.tiles}, because: []}
}

function compared({tile, design, cost}: FoundProgram, margin: number): Message {
  const before = says('version', {tile, depth: design.depth, cores: cost.cores})
  return says('compared', {before, slow: micros(cost.microseconds), ratio: Number(margin.toPrecision(3))})
}

function sideOf(
  {start, steps, task}: SearchedOperator,
  {taken, more}: {taken: number; more: readonly string[]},
  speaker: Voice,
) {
  const {files, verdict, cost, decisions} = [start, ...steps][taken]!
  const seen = decisions.map((one) => seenIn(one, cost))
  const answered = task.answer.map(({path}) => path)
  const ordered = [...files].sort((a, b) => answered.indexOf(a.path) - answered.indexOf(b.path))
  return {
    reasoning: paragraphs([...tellDecisions(seen, speaker), tellAll(profileOf(cost), speaker), ...more]),
    answer: formatFiles(ordered),
    files: ordered,
    label: labelOf(verdict) ?? best,
    sampler: {kind: 'searched' as const, steps: steps.slice(0, taken).map(({knob}) => knob)},
    verdict,
    cost,
  }
}
