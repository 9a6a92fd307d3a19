import {formatFiles} from '../../datasets/operator-reply.ts'
import {best, labelOf} from '../../datasets/schema/label.ts'
import {
  CostedCandidate,
  Optimisation,
  type ModelledCost,
  type OptimisationPair,
} from '../../datasets/schema/optimisation.ts'
import {byRequest} from '../../datasets/task-groups.ts'
import {languageOf, paragraphs, voice, type Language, type Voice} from '../../datasets/voice.ts'
import {randomFrom, type Random} from '../../engine/random.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {catalogueDigest} from '../telling/catalogue.ts'
import {profileOf, says} from '../telling/tell-improvement.ts'
import {tell as sentence, tellAll} from '../telling/tell-message.ts'
import {tell} from './rewinds/told.ts'
import {askedAs} from '../../datasets/written-answer.ts'

interface RewoundPairsOptions {
  /** Smallest ratio of modelled times of a pair. Default 1.1. */
  leastMargin?: number
  /** Smallest modelled gain of a step that makes it an example. Default 0.05. */
  leastGain?: number
  maxPairsPerTask?: number
}

/**
 * Costed candidates → for each step of a slowed-down one a sample that explains its cost, from the candidate to its
 * predecessor. Where that is the task's own answer, also a pair whose prompt asks for speed: nothing slowed is chosen.
 */
export default function rewoundPairs({
  leastMargin = 1.1,
  leastGain = 0.05,
  maxPairsPerTask = 12,
}: RewoundPairsOptions = {}): Stage<CostedCandidate, Optimisation> {
  return {
    name: 'rewound-pairs',
    version: 8,
    options: {leastMargin, leastGain, maxPairsPerTask, words: catalogueDigest()},
    input: CostedCandidate,
    output: Optimisation,
    async *run(items, context) {
      for await (const group of byRequest(items)) {
        let pairs = 0
        for (const step of stepsOf(group, leastGain, context)) {
          if (pairs < maxPairsPerTask) yield* recordsOf(step, leastMargin, context)
          else context.drop(step.slower, 'over-limit', `${step.slower.task.name}: at most ${maxPairsPerTask} steps`)
          pairs += 1
        }
      }
    },
  }
}

interface RewoundStep {
  faster: CostedCandidate
  slower: CostedCandidate
  costs: {faster: ModelledCost; slower: ModelledCost}
  /** What the slower one lacks of the faster. */
  name: string
  steps: readonly string[]
}

function* stepsOf(group: readonly CostedCandidate[], leastGain: number, context: Context): Generator<RewoundStep> {
  const known = new Map(group.map((candidate) => [stepsKey(candidate), candidate]))
  for (const slower of group) {
    if (slower.sampler.kind !== 'rewound') continue
    const {steps} = slower.sampler
    const told = `${slower.task.name}, ${steps.join(', ')}`
    const faster = known.get(steps.slice(0, -1).join('\0'))
    if (slower.verdict.outcome !== 'correct' || !slower.cost)
      context.drop(slower, 'not-correct', `${told}: ${slower.verdict.outcome}`)
    else if (!faster?.cost || faster.verdict.outcome !== 'correct') context.drop(slower, 'no-correct-predecessor', told)
    else if (slower.cost.microseconds < faster.cost.microseconds * (1 + leastGain)) {
      const gain = slower.cost.microseconds / faster.cost.microseconds - 1
      context.drop(slower, 'gain-too-small', `${told}: modelled gain ${(gain * 100).toFixed(1)} %`)
    } else {
      const costs = {faster: faster.cost, slower: slower.cost}
      yield {faster, slower, costs, name: steps.at(-1) ?? '', steps}
    }
  }
}

/** '' for the answer; other samplers have no part in this. */
function stepsKey({sampler}: CostedCandidate): string {
  if (sampler.kind === 'rewound') return sampler.steps.join('\0')
  return sampler.kind === 'answer' ? '' : `\0${sampler.kind}`
}

interface PairRecord {
  shared: Pick<OptimisationPair, 'task' | 'sizes' | 'step' | 'origin' | 'stages'>
  random: Random
}

/** Nothing that was slowed is chosen, and no difference that is too small for the model is taught. */
function pairsOf(
  {faster, slower, costs}: RewoundStep,
  leastMargin: number,
  {shared, random}: PairRecord,
): OptimisationPair[] {
  const margin = costs.slower.microseconds / costs.faster.microseconds
  if (faster.sampler.kind !== 'answer' || margin < leastMargin) return []
  const {task, prompt} = slower
  const speaker = voice(languageOf(task.description), random)
  return [
    {
      ...shared,
      kind: 'pair',
      prompt: paragraphs([prompt.trimEnd(), sentence(says('fast-alone', {sizes: shared.sizes}), speaker)]),
      chosen: sideOf(faster, costs.faster, speaker),
      rejected: sideOf(slower, costs.slower, speaker),
      margin,
    },
  ]
}

function recordsOf(step: RewoundStep, leastMargin: number, context: Context): Optimisation[] {
  const {faster, slower, costs, name, steps} = step
  const {task, sizes = ''} = slower
  const shared = {task: task.name, sizes, step: name, origin: task.origin, stages: context.stages}
  const pairs = pairsOf(step, leastMargin, {
    shared,
    random: randomFrom(context.seed, 'rewound-pairs', 'pair', task.origin.path, ...steps),
  })
  const random = randomFrom(context.seed, 'rewound-pairs', task.origin.path, ...steps)
  const speaker = voice(random.pick<Language>(['en', 'zh']), random)
  const told = tell(
    {
      operator: task.name,
      sizes,
      step: name,
      before: {files: writtenFiles(slower), cost: costs.slower},
      after: {files: writtenFiles(faster), cost: costs.faster},
    },
    speaker,
  )
  if (!told) return pairs
  return [
    ...pairs,
    {
      ...shared,
      ...told,
      kind: 'sample',
      language: speaker.language,
      before: costs.slower,
      after: costs.faster,
      teacher: {kind: 'offline'},
      verdict: faster.verdict,
    },
  ]
}

/** Its reasoning says where its own time goes. */
function sideOf(candidate: CostedCandidate, cost: ModelledCost, speaker: Voice) {
  const {sampler, verdict} = candidate
  const files = writtenFiles(candidate)
  const reasoning = tellAll(profileOf(cost), speaker)
  return {reasoning, answer: formatFiles(files), files, label: labelOf(verdict) ?? best, sampler, verdict, cost}
}

/** In the prompt's order: tiling data, host, kernel; further files after. */
function writtenFiles({files, written}: CostedCandidate): CostedCandidate['files'] {
  return files.filter(({path}) => written.includes(path)).sort((a, b) => askedAs(a.path) - askedAs(b.path))
}
