import type {Context, Stage} from '../../engine/stage.ts'
import {emptyHash, hashOn} from '../contamination/ngrams.ts'
import {namesOfDecision} from '../decision-names.ts'
import {CotSample} from '../schema/sample.ts'
import type {Language} from '../voice.ts'
import {proseOf} from './row-words.ts'

interface TeachingGateOptions {
  /** Share of known eight-word runs from which a row repeats others. Default 0.8; 1 keeps all. */
  repeats?: number
  /** Share of a model's sentences without a decision from which it narrates. Default 0.6. */
  narrates?: number
}

/** A run of words is known once this many kept rows have it. */
const often = 5
const runLength = 8

/**
 * Reasoning that adds nothing: drops `repeats`, when most runs of eight words (without code and numbers) already occur
 * in five kept rows, and, for a model's text, `narrates`, when most sentences contain neither a number nor a name of
 * the row's decisions. Counts take 32 MB whatever the number of rows; a few runs may share a count.
 */
export default function teachingGate(options: TeachingGateOptions = {}): Stage<CotSample, CotSample> {
  const {repeats = 0.8, narrates = 0.6} = options

  async function* run(records: AsyncIterable<CotSample>, context: Context): AsyncIterable<CotSample> {
    const counts = new RunCounts()
    for await (const record of records) {
      const runs = runsOf(record)
      const known = runs.filter((one) => counts.of(one) >= often).length
      if (runs.length > 0 && known / runs.length >= repeats) {
        context.drop(record, 'repeats', `${record.origin.path}: ${known} of ${runs.length} runs of ${runLength} words`)
        continue
      }
      const empty = record.teacher.kind === 'model' ? withoutDecision(record) : undefined
      if (empty && empty.share >= narrates) {
        context.drop(record, 'narrates', `${record.origin.path}: ${empty.of} sentences, such as: ${empty.first}`)
        continue
      }
      for (const one of runs) counts.add(one)
      yield record
    }
  }

  return {
    name: 'teaching-gate',
    version: 2,
    options: {repeats, narrates},
    input: CotSample,
    output: CotSample,
    run,
  }
}

/** Words of a text with code, or a list of it, as `…` and numbers as 0; a Chinese character is a word. */
function wordsOf(text: string, language: Language): string[] {
  const masked = proseOf(text)
    .toLowerCase()
    .replace(/…(?:[\s,;，；、()（）]*…)+/g, '…')
    .replace(/\d[\d.]*/g, '0')
  return language === 'zh' ? (masked.match(/[\u4e00-\u9fff]|[a-z_]+|0|…/g) ?? []) : (masked.match(/[\w'-]+|…/g) ?? [])
}

/** Each run once. */
function runsOf({reasoning, language}: CotSample): number[] {
  const words = wordsOf(reasoning, language)
  const found = new Set<number>()
  for (let at = 0; at + runLength <= words.length; at += 1)
    found.add(hashOn(emptyHash, `${language} ${words.slice(at, at + runLength).join(' ')}`) >>> 0)
  return [...found]
}

/** How many rows have a run, up to the limit: two counters per run, of which the smaller one applies. */
class RunCounts {
  readonly #size = 1 << 24
  readonly #first = new Uint8Array(this.#size)
  readonly #second = new Uint8Array(this.#size)

  of(run: number): number {
    const [one, other] = this.#places(run)
    return Math.min(this.#first[one] ?? 0, this.#second[other] ?? 0)
  }

  add(run: number): void {
    const [one, other] = this.#places(run)
    this.#first[one] = Math.min(often, (this.#first[one] ?? 0) + 1)
    this.#second[other] = Math.min(often, (this.#second[other] ?? 0) + 1)
  }

  #places(run: number): readonly [number, number] {
    return [run % this.#size, (Math.imul(run, 0x9e3779b1) >>> 0) % this.#size]
  }
}

/** Sentences without a number or a name from the row's decisions; empty if the row has no decisions. */
function withoutDecision({reasoning, decisions = []}: CotSample) {
  if (decisions.length === 0) return undefined
  const names = new Set(decisions.flatMap(namesOfDecision))
  const sentences = reasoning.split(/(?<=[.!?])\s+|(?<=[。！？])/).filter((one) => /\S/.test(one))
  const isEmpty = (one: string) =>
    !/\d/.test(one) && !(one.match(/[A-Za-z_]\w+/g) ?? []).some((name) => names.has(name))
  const empty = sentences.filter(isEmpty)
  return {share: empty.length / sentences.length, of: empty.length, first: empty[0]?.trim().slice(0, 80) ?? ''}
}
