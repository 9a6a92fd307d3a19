import {join} from 'node:path'
import {completion} from '../../datasets/tokens/chat-turns.ts'
import {CotSample} from '../../datasets/schema/sample.ts'
import {PipelineError} from '../../engine/errors.ts'
import {writeWhole} from '../../engine/files.ts'
import type {LanguageModel} from '../../engine/llm/model.ts'
import {openSpool, type Spool} from '../../engine/spool.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {contentId} from '../../engine/ids.ts'
import {NgramModel, unitsOf} from './ngram-model.ts'

interface GeneralPerplexityOptions {
  /** Share of a language's samples that is refused because they repeat themselves. Default 0.002. */
  low?: number
  /** Quantile above which samples are refused as unlike all others. Default 0.98. */
  high?: number
  /** With fewer samples of a language there is no distribution to cut. Default 200. */
  leastSamples?: number
}

/** Where the thresholds come from: quantiles of the samples themselves. */
interface Distribution {
  samples: number
  /** Undefined when there were too few samples to refuse any. */
  thresholds: {low: number; high: number} | undefined
  quantiles: Record<string, number>
}

/**
 * Drops the most and the least predictable samples of each language: `perplexity-low` (loops, templates) and
 * `perplexity-high` (noise, broken text). By default, trigram models of the samples measure this, each sample under a
 * model that has not seen it; a configured teacher `perplexity` measures it by its log probabilities. The distribution
 * and the thresholds are in `perplexity.json` in the folder of the stage. Texts are kept on disk between the passes.
 */
export default function generalPerplexity(options: GeneralPerplexityOptions = {}): Stage<CotSample, CotSample> {
  const {low = 0.002, high = 0.98, leastSamples = 200} = options

  async function* run(samples: AsyncIterable<CotSample>, context: Context): AsyncIterable<CotSample> {
    const spool = openSpool(join(context.directory, 'samples.jsonl'))
    try {
      const {parts, scores} = await scored(samples, spool, context)
      const distributions = new Map<string, Distribution>()
      for (const language of CotSample.shape.language.options) {
        const own = scores.filter((_, at) => isIn(parts[at] as Part, language))
        if (own.length > 0) distributions.set(language, distributionOf(own, {low, high, leastSamples}))
      }
      const by = context.llm?.model ?? 'trigrams of the samples'
      const told = {by, shares: {low, high}, languages: Object.fromEntries(distributions)}
      await writeWhole(join(context.directory, 'perplexity.json'), `${JSON.stringify(told, null, 2)}\n`)
      let at = 0
      for await (const text of spool.read()) {
        const sample = CotSample.parse(JSON.parse(text))
        const refusal = refusalOf(scores[at] ?? 0, distributions.get(sample.language))
        at += 1
        if (refusal) context.drop(sample, refusal.reason, refusal.detail)
        else yield sample
      }
    } finally {
      spool.remove()
    }
  }

  return {
    name: 'general-perplexity',
    version: 2,
    options: {low, high, leastSamples},
    teacher: 'perplexity',
    input: CotSample,
    output: CotSample,
    run,
  }
}

/** The part that each sample is in, and its perplexity, in input order. */
interface Scored {
  parts: Part[]
  scores: Float64Array
}

async function scored(samples: AsyncIterable<CotSample>, spool: Spool, {llm, signal}: Context): Promise<Scored> {
  const parts: Part[] = []
  const asked: number[] = []
  for await (const some of inGroups(samples, llm?.concurrency ?? 1)) {
    for (const sample of some) {
      spool.add(JSON.stringify(sample))
      parts.push(partOf(sample))
    }
    if (llm) asked.push(...(await Promise.all(some.map((sample) => askedPerplexity(sample, llm, signal)))))
  }
  return {parts, scores: llm ? Float64Array.from(asked) : await trigramScores(parts, spool, signal)}
}

async function* inGroups<T>(items: AsyncIterable<T>, size: number): AsyncIterable<T[]> {
  let group: T[] = []
  for await (const item of items) {
    group.push(item)
    if (group.length === size) {
      yield group
      group = []
    }
  }
  if (group.length > 0) yield group
}

async function askedPerplexity(sample: CotSample, llm: LanguageModel, signal: AbortSignal): Promise<number> {
  const {prompt, reasoning, answer} = sample
  const messages = [
    {role: 'user', content: prompt},
    {role: 'assistant', content: completion(reasoning, answer)},
  ] as const
  const {promptLogprobs} = await llm.complete({messages: [...messages], maxTokens: 1}, signal)
  if (promptLogprobs) return Math.exp(-promptLogprobs.sum / promptLogprobs.tokens)
  throw new PipelineError('reply-invalid', `The teacher "${llm.profile}" returned no log probabilities of the text.`, {
    fix:
      'Use an endpoint that returns them, such as vLLM, with extraBody: {prompt_logprobs: 0} and stream: false; or ' +
      'remove teachers.perplexity to measure by trigrams of the samples.',
    scope: 'run',
    evidence: {profile: llm.profile, model: llm.model},
  })
}

function distributionOf(
  values: Float64Array,
  {low, high, leastSamples}: Required<GeneralPerplexityOptions>,
): Distribution {
  values.sort()
  const at = (share: number) => values[Math.min(Math.floor(share * values.length), values.length - 1)] ?? 0
  const quantiles = Object.fromEntries([0.01, 0.1, 0.5, 0.9, 0.99].map((share) => [share, rounded(at(share))]))
  const thresholds = values.length < leastSamples ? undefined : {low: at(low), high: at(high)}
  return {samples: values.length, thresholds, quantiles}
}

function refusalOf(value: number, distribution: Distribution | undefined) {
  const {thresholds} = distribution ?? {}
  if (!thresholds) return undefined
  const {low, high} = thresholds
  if (value < low) return {reason: 'perplexity-low', detail: `${rounded(value)}, at least ${rounded(low)}`}
  if (value > high) return {reason: 'perplexity-high', detail: `${rounded(value)}, at most ${rounded(high)}`}
  return undefined
}

const rounded = (value: number) => Number(value.toPrecision(4))

/**
 * How surprising each sample of a spool is, in its order: the perplexity of its trigrams. A model that had learned a
 * sample would find it likely, so each half of a language is judged by a model of the other half. One model is in
 * memory at a time; in addition to sixteen bytes per sample.
 * @param parts `partOf` of each sample, in the order of the spool
 */
export async function trigramScores(
  parts: readonly Part[],
  spool: Spool,
  signal: AbortSignal,
  model = new NgramModel(),
) {
  const scores = new Float64Array(parts.length)
  for (const part of new Set(parts)) {
    await learn(model, (at) => parts[at] === otherHalf(part), spool, signal)
    for await (const {at, units} of unitsIn(spool, (one) => parts[one] === part, signal))
      scores[at] = model.perplexity(units)
  }
  return scores
}

/** Half of the samples of a language. */
type Part = (typeof halves)[keyof typeof halves][number]

const halves = {zh: ['zh 0', 'zh 1'], en: ['en 0', 'en 1']} as const

/** Split by question, so that two answers to it are not scored by each other. */
export function partOf({language, prompt}: Pick<CotSample, 'language' | 'prompt'>): Part {
  return halves[language][Number.parseInt(contentId(prompt).slice(0, 2), 16) % 2 === 0 ? 0 : 1]
}

const isIn = (part: Part, language: keyof typeof halves) => halves[language].some((half) => half === part)

function otherHalf(part: Part): Part {
  const [language, half] = part.split(' ') as [keyof typeof halves, string]
  return halves[language][half === '0' ? 1 : 0]
}

/**
 * Learns as many of the selected samples as a model has room for, spread evenly: all, or every second, every fourth,
 * and so on. The first ones alone would come from the first data set only.
 */
async function learn(model: NgramModel, isWanted: (at: number) => boolean, spool: Spool, signal: AbortSignal) {
  for (let step = 1; ; step *= 2) {
    model.forget()
    if (await learnsAll(model, unitsIn(spool, everyNth(step, isWanted), signal))) return
  }
}

async function learnsAll(model: NgramModel, texts: AsyncIterable<{units: Uint32Array}>): Promise<boolean> {
  for await (const {units} of texts) if (!model.learn(units)) return false
  return true
}

function everyNth(step: number, isWanted: (at: number) => boolean): (at: number) => boolean {
  let seen = 0
  return (at) => isWanted(at) && seen++ % step === 0
}

async function* unitsIn(spool: Spool, isWanted: (at: number) => boolean, signal: AbortSignal) {
  let at = 0
  for await (const text of spool.read()) {
    signal.throwIfAborted()
    if (isWanted(at)) yield {at, units: unitsOf(textOf(JSON.parse(text) as CotSample))}
    at += 1
  }
}

const textOf = ({prompt, reasoning, answer}: CotSample) => `${prompt}\n${reasoning}\n${answer}`
