import {expect, test} from 'vitest'
import type {ChatReply, LanguageModel} from '../../../engine/llm/model.ts'
import generalPerplexity from '../../../pipelines/general/general-perplexity.ts'
import {sample} from '../../datasets/rows.ts'
import {runStage} from '../../helpers/run-stage.ts'

const base: ChatReply = {
  text: 'x',
  reasoning: '',
  finishReason: 'length',
  model: 'm',
  usage: {promptTokens: 1, completionTokens: 1},
}

/** A model that finds each text as surprising as its prompt says. */
function judge(reply: (surprise: number) => Partial<ChatReply>): LanguageModel {
  return {
    profile: 'perplexity',
    model: 'm',
    fingerprint: 'm',
    concurrency: 3,
    complete: async ({messages}) => ({...base, ...reply(Number(messages[0]?.content))}),
  }
}

const samples = Array.from({length: 10}, (_, at) => sample({kind: 'general', prompt: String(at + 1)}))
const stage = () => generalPerplexity({low: 0.1, high: 0.8, leastSamples: 10})

test('a configured endpoint tells perplexity by its log probabilities, in the order of the samples', async () => {
  const llm = judge((surprise) => ({promptLogprobs: {tokens: 4, sum: -4 * surprise}}))
  const {outputs, dropped} = await runStage(stage(), samples, {llm})
  expect(outputs.map(({prompt}) => prompt)).toEqual(['2', '3', '4', '5', '6', '7', '8', '9'])
  const e = Math.E
  expect(dropped).toEqual([
    {reason: 'perplexity-low', detail: `${Number(e.toPrecision(4))}, at least ${Number((e ** 2).toPrecision(4))}`},
    {
      reason: 'perplexity-high',
      detail: `${Number((e ** 10).toPrecision(4))}, at most ${Number((e ** 9).toPrecision(4))}`,
    },
  ])
})

test('one that gives none stops the run and says how to ask for them', async () => {
  const running = runStage(stage(), samples, {llm: judge(() => ({}))})
  await expect(running).rejects.toMatchObject({
    code: 'reply-invalid',
    fix: expect.stringContaining('prompt_logprobs: 0'),
  })
})

test('too few samples of a language are all kept', async () => {
  const {outputs} = await runStage(stage(), samples.slice(0, 9))
  expect(outputs).toHaveLength(9)
})
