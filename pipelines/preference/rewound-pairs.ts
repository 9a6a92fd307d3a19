import {formatFiles} from '../../datasets/operator-reply.ts'
import {best, labelOf} from '../../datasets/schema/label.ts'
import {CostedCandidate, Optimisation, type ModelledCost} from '../../datasets/schema/optimisation.ts'
import {byRequest} from '../../datasets/task-groups.ts'
import {voice, type Language} from '../../datasets/voice.ts'
import {randomFrom} from '../../engine/random.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {catalogueDigest} from '../telling/catalogue.ts'
import {tell} from './rewinds/told.ts'

interface RewoundPairsOptions {
  /** Smallest modelled gain of a step that makes it an example. Default 0.05. */
  leastGain?: number
  maxPairsPerTask?: number
}

/**
 * Costed candidates → for each step of a slowed-down one: the candidate and its predecessor as a pair, and as a sample
 * that explains the cost of the step. Both are correct, and the predecessor is faster in the model.
 */
export default function rewoundPairs({
  leastGain = 0.05,
  maxPairsPerTask = 12,
}: RewoundPairsOptions = {}): Stage<CostedCandidate, Optimisation> {
  return {
    name: 'rewound-pairs',
    version: 6,
    options: {leastGain, maxPairsPerTask, words: catalogueDigest()},
    input: CostedCandidate,
    output: Optimisation,
    async *run(items, context) {
      for await (const group of byRequest(items)) {
        let pairs = 0
        for (const step of stepsOf(group, leastGain, context)) {
          if (pairs < maxPairsPerTask) yield* recordsOf(step, context)
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

function recordsOf({faster, slower, costs, name, steps}: RewoundStep, context: Context): Optimisation[] {
  const {task, prompt, sizes = ''} = slower
  const shared = {task: task.name, sizes, step: name, origin: task.origin, stages: context.stages}
  const pair: Optimisation = {
    ...shared,
    kind: 'pair',
    prompt,
    chosen: sideOf(faster, costs.faster),
    rejected: sideOf(slower, costs.slower),
    margin: costs.slower.microseconds / costs.faster.microseconds,
  }
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
  if (!told) return [pair]
  return [
    pair,
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

function sideOf(candidate: CostedCandidate, cost: ModelledCost) {
  const {sampler, verdict} = candidate
  const files = writtenFiles(candidate)
  return {reasoning: '', answer: formatFiles(files), files, label: labelOf(verdict) ?? best, sampler, verdict, cost}
}

/** In the prompt's order: tiling data, host, kernel; further files after. */
function writtenFiles({files, written}: CostedCandidate): CostedCandidate['files'] {
  return files.filter(({path}) => written.includes(path)).sort((a, b) => askedAs(a.path) - askedAs(b.path))
}

function askedAs(path: string): number {
  if (!path.startsWith('op_host/')) return 2
  return path.endsWith('_tiling.h') ? 0 : 1
}
