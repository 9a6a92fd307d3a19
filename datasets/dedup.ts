import {canonicalJson, contentId, textId} from '../engine/ids.ts'
import type {Context, Stage} from '../engine/stage.ts'
import {signature, signatureIndex} from './minhash.ts'
import {contentTokens, normalForm} from './normalize.ts'
import {recordSchemas, type Config, type RecordOf} from './schema/export.ts'

interface DedupOptions<C extends Config> {
  config: C
  /**
   * Estimated Jaccard similarity of token 5-grams from which a record counts as a copy of another of its kind; null
   * compares exactly only. Default for sft: 0.8 for documentation, 0.95 for kernels, because host files of different
   * operators by one hand reach 0.92. Default for the others: null, because pairs that differ in a single call are
   * what is wanted, and overloads on pages of their own are interfaces too.
   */
  near?: Readonly<Record<string, number>> | null
}

/** What makes two records the same, apart from layout, case and comments; the reasoning does not count. */
const identities: {readonly [C in Config]: (record: RecordOf[C]) => string[]} = {
  sft: ({prompt, answer}) => [prompt, answer],
  dpo: ({prompt, chosen, rejected}) => [prompt, chosen.answer, rejected.answer],
  // Names that differ in case alone are different interfaces, so the entry is compared as it stands, places aside.
  apis: ({origin: _, kind: __, stages: ___, ...entry}) => [contentId(entry)],
  errors: ({candidate}) => [candidate],
}

const defaultNear: {readonly [C in Config]: Readonly<Record<string, number>> | null} = {
  sft: {documentation: 0.8, kernel: 0.95},
  dpo: null,
  apis: null,
  errors: null,
}

/**
 * Keeps the first of every set of equal or nearly equal records, in input order. Compared with survivors only, so a
 * chain of small steps cannot remove both of its ends. Holds hashes, not texts: about 700 bytes a survivor.
 */
export default function dedup<C extends Config>(options: DedupOptions<C>): Stage<RecordOf[C], RecordOf[C]> {
  const {config} = options
  const near = options.near === undefined ? defaultNear[config] : options.near

  async function* run(records: AsyncIterable<RecordOf[C]>, context: Context): AsyncIterable<RecordOf[C]> {
    const exact = new Map<string, string>()
    const kinds = new Map<string, NearIndex>()
    for await (const record of records) {
      const texts = identities[config](record)
      const key = textId(canonicalJson(texts.map(normalForm)))
      const original = exact.get(key)
      if (original !== undefined) {
        context.drop(record, 'duplicate', `of ${original}`)
        continue
      }
      const id = contentId(record)
      const kind = 'kind' in record ? record.kind : config
      const threshold = near?.[kind]
      if (threshold !== undefined) {
        const index = kinds.get(kind) ?? nearIndex()
        kinds.set(kind, index)
        const like = index.findOrAdd(texts.flatMap(contentTokens), threshold, id)
        if (like) {
          context.drop(record, 'near-duplicate', `of ${like.id}, similarity ${like.similarity.toFixed(2)}`)
          continue
        }
      }
      exact.set(key, id)
      yield record
    }
  }

  return {
    name: 'dedup',
    version: 2,
    options: {config, near},
    input: recordSchemas[config],
    output: recordSchemas[config],
    run,
  }
}

interface NearIndex {
  /** The first record that is at least this similar; if there is none, `id` is added. */
  findOrAdd(tokens: readonly string[], threshold: number, id: string): {id: string; similarity: number} | undefined
}

function nearIndex(): NearIndex {
  const index = signatureIndex()
  const ids: string[] = []
  return {
    findOrAdd(tokens, threshold, id) {
      const wanted = signature(tokens)
      const found = index.find(wanted, threshold)
      if (found) return {id: ids[found.number] ?? '', similarity: found.similarity}
      index.add(wanted)
      ids.push(id)
      return undefined
    },
  }
}
