import type {CotSample} from '../../datasets/schema/sample.ts'
import {contentId} from '../../engine/ids.ts'
import type {Spool} from '../../engine/spool.ts'
import {NgramModel, unitsOf} from './ngram-model.ts'

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
export type Part = (typeof halves)[keyof typeof halves][number]

const halves = {zh: ['zh 0', 'zh 1'], en: ['en 0', 'en 1']} as const

/** Split by question, so that two answers to it are not scored by each other. */
export function partOf({language, prompt}: Pick<CotSample, 'language' | 'prompt'>): Part {
  return halves[language][Number.parseInt(contentId(prompt).slice(0, 2), 16) % 2 === 0 ? 0 : 1]
}

export const isIn = (part: Part, language: keyof typeof halves) => halves[language].some((half) => half === part)

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
