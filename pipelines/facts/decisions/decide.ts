import {availableParallelism} from 'node:os'
import {isInteger, largestOf} from '../../../datasets/dtype.ts'
import {
  isLevel,
  decisionTopics,
  type Counterfactual,
  type Decision,
  type Observation,
} from '../../../datasets/schema/decision.ts'
import {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import {randomFrom} from '../../../engine/random.ts'
import {each, type Context, type Stage} from '../../../engine/stage.ts'
import {factReader} from '../fact-reader.ts'
import {sideOfPair} from '../pair-source.ts'
import {alternativesOf, chosen, type Alternative} from './alternatives.ts'
import {Observer, type Observing} from './observer.ts'
import {groundsOf, staticDecisions} from './static-decisions.ts'

interface DecideOptions extends Observing {
  /** Most programs in which one side is decided otherwise, a pair. */
  most: number
  /** What times are modelled by: a part of the key. */
  rates: Readonly<Record<string, number>>
  /** Pairs at once; default one per core. */
  concurrency?: number
}

/**
 * A pair → the same with the decisions in its code: the reason of each, from the arithmetic of its call, and what the
 * same program does on that call when one decision is changed, as observed.
 */
export default function decide(options: DecideOptions): Stage<HostKernelPair, HostKernelPair> {
  const {executor, most, rates, concurrency = availableParallelism()} = options
  const read = factReader()
  return {
    name: 'decide',
    version: 13,
    options: {executor: executor.identity, most, rates},
    input: HostKernelPair,
    output: HostKernelPair,
    run: each(
      async (pair, context) => {
        const host = await read.host(sideOfPair(pair, 'host'))
        const kernel = await read.kernel(sideOfPair(pair, 'kernel'))
        const observer = new Observer(options, pair, context.signal)
        const run = most > 0 ? await observer.known() : undefined
        const grounds = groundsOf(pair, host, kernel, run?.call.steps)
        const found = await observed(pair, alternativesOf(pair, grounds.tile), {observer, most}, context)
        return [{...pair, decisions: joined(staticDecisions(grounds), found)}]
      },
      {concurrency},
    ),
  }
}

interface Found {
  alternative: Alternative
  evidence: Counterfactual
}

/** Changes that only cost time: they are run on a longer call as well. Blocks of a queue matter between tiles. */
const ofSpeed: Readonly<Record<string, true | 'by-tiles'>> = {cores: true, tile: true, depth: 'by-tiles'}

async function observed(
  pair: HostKernelPair,
  all: readonly Alternative[],
  {observer, most}: {observer: Observer; most: number},
  context: Context,
): Promise<Found[]> {
  const {scenario, operator, origin} = pair
  const random = randomFrom(context.seed, 'decide', origin.path, operator, scenario.seed, scenario.digests.join())
  const found: Found[] = []
  const ofKernel = ({path}: Alternative) => path === pair.kernel.path
  const sides = [all.filter((one) => !ofKernel(one)), all.filter(ofKernel)]
  for (const alternative of sides.flatMap((side) => chosen(side, most, random))) {
    const {files, topic, ...changed} = alternative
    const seen = await observer.observe(files, ofSpeed[topic] ?? false)
    if (seen && (topic !== 'range' || mayTell(seen.observed, scenario)))
      found.push({alternative, evidence: {kind: 'counterfactual', ...changed, ...seen}})
  }
  return found
}

/** Other values alone do not show that something left the range of its type: the formula may ask for the bound. */
function mayTell(observed: Observation, {outputs}: HostKernelPair['scenario']): boolean {
  if (observed.outcome !== 'wrong') return true
  const dtype = outputs.find(({name}) => name === observed.output)?.dtype
  const {seen} = observed
  return typeof seen === 'string' || (dtype !== undefined && !isInteger(dtype) && Math.abs(seen) >= largestOf(dtype))
}

/** An observation belongs to the decision of its topic; without one, it is a separate decision. */
function joined(known: readonly Decision[], found: readonly Found[]): Decision[] {
  const own = new Set(known.map(({topic}) => topic))
  const others = new Map<string, Decision>()
  for (const {alternative, evidence} of found) {
    const {topic, subject} = alternative
    if (own.has(topic)) continue
    const key = `${topic} ${subject}`
    const before = others.get(key) ?? {topic, situation: 'observed', subject, values: {}, because: []}
    others.set(key, {...before, because: [...before.because, evidence]})
  }
  const withEvidence = known.map((one) => {
    const isFirst = known.find(({topic}) => topic === one.topic) === one
    const evidence = found.flatMap((each) => (isFirst && each.alternative.topic === one.topic ? [each.evidence] : []))
    const situation = overlaps.has(`${one.topic} ${one.situation}`) && evidence.some(isLevel) ? 'level' : one.situation
    return {...one, situation, because: [...one.because, ...evidence]}
  })
  const order = ({topic}: Decision) => decisionTopics.indexOf(topic)
  const telling = withEvidence.filter(
    ({topic, situation, because}) => because.length > 0 || !usual.has(`${topic} ${situation}`),
  )
  return [...telling, ...others.values()].sort((a, b) => order(a) - order(b))
}

/** Copies beside arithmetic, unless the time is the same without. */
const overlaps = new Set(['depth several', 'depth partly'])

/** What is done so everywhere: without evidence that it matters, it is not a decision of this kernel. */
const usual = new Set([
  ...['one-tile', 'several', 'partly', 'level', 'open', 'drained', 'one-tile-a-pass'].map((one) => `depth ${one}`),
  ...['whole-blocks', 'one-a-core', 'open'].map((one) => `rows ${one}`),
  ...['copy pad-spare', 'tail none'],
])
