import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openSpool} from '../../../engine/spool.ts'
import {NgramModel} from '../../../pipelines/general/ngram-model.ts'
import {partOf, trigramScores} from '../../../pipelines/general/general-perplexity.ts'
import {sample} from '../../datasets/rows.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

/** A word of letters, since all numbers are one unit. */
const word = (source: string, at: number) => source + at.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[+digit]!)

/** Texts of a source: most words are those of all its texts, some are of one text alone and fill a model. */
function* texts(source: string, count: number) {
  for (let at = 0; at < count; at += 1) {
    const common = Array.from({length: 30}, (_, place) => word(source, place))
    const own = Array.from({length: 5}, (_, place) => word(`${source}own`, at * 5 + place))
    yield sample({prompt: `${word(source, at)}?`, reasoning: [...common, ...own].join(' '), answer: 'So.'})
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length

test('of more samples than it has room for, a model learns those of the last source as those of the first', async () => {
  const samples = [...texts('aa', 300), ...texts('bb', 300)]
  const spool = openSpool(join(await temporaryFolder(), 'samples.jsonl'))
  for (const one of samples) spool.add(JSON.stringify(one))
  const {signal} = new AbortController()
  const scores = [...(await trigramScores(samples.map(partOf), spool, signal, new NgramModel(11)))]
  spool.remove()
  expect(scores.every(Number.isFinite)).toBe(true)
  const ratio = mean(scores.slice(300)) / mean(scores.slice(0, 300))
  expect(ratio).toBeGreaterThan(0.8)
  expect(ratio).toBeLessThan(1.25)
})
