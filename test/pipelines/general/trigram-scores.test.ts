import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openSpool} from '../../../engine/spool.ts'
import {partOf, trigramScores} from '../../../pipelines/general/trigram-scores.ts'
import {sample} from '../../datasets/rows.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

/** More than a model has room for: each text has words of its own besides those of its source. */
function* texts(source: string, count: number) {
  for (let at = 0; at < count; at += 1) {
    const words = Array.from({length: 900}, (_, word) =>
      word % 2 === 0 ? `${source}${(at * 31 + word * 17) % 211}` : `${source}${at}x${word}`,
    )
    yield sample({prompt: `${source} ${at}?`, reasoning: words.join(' '), answer: 'So.'})
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length

test('of more samples than a model has room for, those of the last source are learned as those of the first', async () => {
  const samples = [...texts('p', 800), ...texts('q', 400)]
  const spool = openSpool(join(await temporaryFolder(), 'samples.jsonl'))
  for (const one of samples) spool.add(JSON.stringify(one))
  const scores = [...(await trigramScores(samples.map(partOf), spool, new AbortController().signal))]
  spool.remove()
  expect(scores.every(Number.isFinite)).toBe(true)
  const [first, last] = [mean(scores.slice(0, 800)), mean(scores.slice(800))]
  expect(last / first).toBeGreaterThan(0.8)
  expect(last / first).toBeLessThan(1.25)
}, 60_000)
