import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {CotSample} from '../../../datasets/schema/sample.ts'
import type {ChatRequest, LanguageModel} from '../../../engine/llm/model.ts'
import generalPerplexity from '../../../pipelines/general/general-perplexity.ts'
import {collect, recordingContext, sample, stream} from '../../datasets/rows.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

/** A model to which each text has the perplexity that its prompt says; how many it was asked of at once. */
function judge(concurrency?: number) {
  const requests: ChatRequest[] = []
  let [open, most] = [0, 0]
  const llm: LanguageModel = {
    profile: 'perplexity',
    model: 'judge-1',
    fingerprint: 'j',
    ...(concurrency === undefined ? {} : {concurrency}),
    complete: async (request) => {
      requests.push(request)
      open += 1
      most = Math.max(most, open)
      await Promise.resolve()
      open -= 1
      const promptLogprobs = {tokens: 2, sum: -2 * Math.log(Number(request.messages[0]?.content))}
      const usage = {promptTokens: 1, completionTokens: 1}
      return {text: 'x', reasoning: '', finishReason: 'stop', model: 'judge-1', usage, promptLogprobs}
    },
  }
  return {llm, requests, mostAtOnce: () => most}
}

const numbered = (from: number, count: number, over: Partial<CotSample> = {}) =>
  Array.from({length: count}, (_, at) => sample({kind: 'general', prompt: `${from + at}`, ...over}))

type Options = Parameters<typeof generalPerplexity>[0]
async function sifted(samples: CotSample[], llm?: LanguageModel, options?: Options) {
  const directory = await temporaryFolder()
  const context = {...recordingContext(), directory, llm}
  const kept = await collect(generalPerplexity(options).run(stream(samples), context))
  return {
    kept: kept.map(({prompt}) => Number(prompt)),
    dropped: context.drops.map(({reason, detail}) => `${reason}: ${detail}`),
    told: JSON.parse(readFileSync(join(directory, 'perplexity.json'), 'utf8'), (_, value: unknown) =>
      typeof value === 'number' ? Number(value.toPrecision(9)) : value,
    ),
  }
}

test('the distribution of each language is told, with the thresholds that were cut at', async () => {
  const samples = [...numbered(1, 10), ...numbered(101, 4, {language: 'en'})]
  const {told, kept, dropped} = await sifted(samples, judge().llm, {low: 0.2, high: 0.7, leastSamples: 10})
  expect(told).toEqual({
    by: 'judge-1',
    shares: {low: 0.2, high: 0.7},
    languages: {
      zh: {
        samples: 10,
        thresholds: {low: 3, high: 8},
        quantiles: {'0.01': 1, '0.1': 2, '0.5': 6, '0.9': 10, '0.99': 10},
      },
      en: {samples: 4, quantiles: {'0.01': 101, '0.1': 101, '0.5': 103, '0.9': 104, '0.99': 104}},
    },
  })
  expect(kept).toEqual([3, 4, 5, 6, 7, 8, 101, 102, 103, 104])
  expect(dropped).toEqual([
    'perplexity-low: 1, at least 3',
    'perplexity-low: 2, at least 3',
    'perplexity-high: 9, at most 8',
    'perplexity-high: 10, at most 8',
  ])
})

test('by default two of a thousand and two of a hundred are cut, of two hundred samples at least', async () => {
  expect(generalPerplexity().options).toEqual({low: 0.002, high: 0.98, leastSamples: 200})
  const all = await sifted(numbered(1000, 199), judge().llm)
  expect([all.kept.length, all.told.languages.zh.thresholds]).toEqual([199, undefined])
  const some = await sifted(numbered(1000, 200), judge().llm)
  expect(some.dropped).toEqual([1197, 1198, 1199].map((one) => `perplexity-high: ${one}, at most 1196`))
  expect(some.told.languages).toEqual({
    zh: expect.objectContaining({samples: 200, thresholds: {low: 1000, high: 1196}}),
  })
})

describe('a teacher', () => {
  test('is asked of the whole text, for one token', async () => {
    const {llm, requests} = judge()
    await sifted([sample({prompt: '1', reasoning: 'So.', answer: 'Yes.'})], llm)
    expect(requests).toEqual([
      {
        messages: [
          {role: 'user', content: '1'},
          {role: 'assistant', content: '<think>\nSo.\n</think>\n\nYes.'},
        ],
        maxTokens: 1,
      },
    ])
  })
  test.each([
    [undefined, 1],
    [1, 1],
    [3, 3],
  ])('takes %s at once, so %i are asked together', async (concurrency, most) => {
    const asking = judge(concurrency)
    const {kept} = await sifted(numbered(1, 7), asking.llm)
    expect([asking.requests.length, asking.mostAtOnce(), kept.length]).toEqual([7, most, 7])
  })
})

test('without one, trigrams of the samples tell', async () => {
  const {told, kept} = await sifted(numbered(1, 3))
  expect(told.by).toBe('trigrams of the samples')
  expect(kept).toEqual([1, 2, 3])
  expect((await sifted([])).told.languages).toEqual({})
})
