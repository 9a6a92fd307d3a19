import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {z} from 'zod'
import {silentLog} from '../../../engine/log.ts'
import type {LanguageModel} from '../../../engine/llm/model.ts'
import {countPromptTokens} from '../../../engine/llm/tokens.ts'
import {Pipeline} from '../../../engine/pipeline.ts'
import {openRun} from '../../../engine/run.ts'
import {each, type Stage} from '../../../engine/stage.ts'
import {forecast} from '../../../pipelines/commands/forecast.ts'
import {Config} from '../../../pipelines/workspace/config.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'

const Text = z.strictObject({text: z.string()})
type Text = z.infer<typeof Text>

const messages = (content: string) => [{role: 'user' as const, content}]
const stage = (name: string, more: Partial<Stage<Text, Text>>): Stage<Text, Text> => ({
  name,
  version: 1,
  input: Text,
  output: Text,
  run: each((record) => [record]),
  ...more,
})

const given = stage('given', {
  run: each((record, context) => (record.text === 'no' ? context.drop(record, 'unwanted') : [record])),
})
/** Asks a teacher once for each record that has a question. */
const asking = (teacher: string, more: Partial<Stage<Text, Text>> = {}) =>
  stage(`asks-${teacher}`, {
    teacher,
    run: each(async (record, {llm}) => {
      if (record.text.includes('?')) await llm?.complete({messages: messages(record.text)} as never)
      return [record]
    }),
    ...more,
  })

const price = {promptPerMillion: 1_000_000, completionPerMillion: 2_000_000, currency: 'CNY'}
const teacher = (more: object = {}) => ({
  model: 'm-1',
  baseUrl: 'http://localhost:1/v1',
  expectedCompletionTokens: 100,
  ...more,
})

interface Given {
  stages?: Stage<Text, Text>[]
  texts?: string[]
  teachers?: Record<string, object>
  budget?: object
  startAnyway?: boolean
  show?: number
  known?: string[]
}

async function foretold(asked: Given = {}) {
  const {stages = [asking('one')], texts = ['a?', 'no', 'b', 'c and d?']} = asked
  const {teachers = {one: teacher()}, known = Object.keys(teachers)} = asked
  const directory = join(await temporaryFolder(), 'run')
  const config = Config.parse({out: directory, teachers, budget: asked.budget ?? {}})
  let pipeline = Pipeline.from(
    'recipe',
    texts.map((text) => ({text})),
    given,
  )
  for (const one of stages) pipeline = pipeline.via(one)
  const world = recordedWorld()
  const model = {} as LanguageModel
  const request = {
    pipeline,
    directory,
    model: (name: string) => (known.includes(name) ? model : undefined),
    seed: 's',
    now: () => 0,
    signal: world.signal,
    log: silentLog,
  }
  const error: unknown = await forecast(request, config, world, {
    startAnyway: asked.startAnyway ?? false,
    ...(asked.show === undefined ? {} : {show: asked.show}),
  }).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return {
    said: world.said,
    printed: world.printed,
    error: error as {code: string; message: string; fix: string} | undefined,
    directory,
  }
}

const promptTokens = countPromptTokens(messages('a?')) + countPromptTokens(messages('c and d?'))
const line = (what: string) => `recipe: forecast ${what} (minus what is cached)`

describe('a forecast', () => {
  test('counts the requests of a teacher, what is before it done and kept', async () => {
    const {said, error, directory} = await foretold()
    expect(error).toBeUndefined()
    expect(said).toEqual([line(`2 requests to m-1 for asks-one, about ${promptTokens + 200} tokens`)])
    const run = await openRun(directory)
    expect(run?.record.counts.map(({stage: name, read, dropped}) => [name, read, dropped])).toEqual([['given', 4, 1]])
    run?.close()
  })

  test('has a price where the teacher has one', async () => {
    const {said} = await foretold({teachers: {one: teacher({price})}})
    const cost = (promptTokens + 400).toFixed(2)
    expect(said).toEqual([
      line(`2 requests to m-1 for asks-one, about ${promptTokens + 200} tokens, about ${cost} CNY`),
    ])
  })

  test('has thousands that can be read', async () => {
    const {said} = await foretold({teachers: {one: teacher({expectedCompletionTokens: 1_000_000})}})
    expect(said).toEqual([line(`2 requests to m-1 for asks-one, about 2,000,0${promptTokens} tokens`)])
  })

  test('shows as many requests as are wanted, as they would be sent', async () => {
    const {printed} = await foretold({show: 1})
    expect(printed).toHaveLength(1)
    const [title, ...body] = (printed[0] as string).split('\n')
    expect(title).toBe('request 1 of asks-one, POST http://localhost:1/v1/chat/completions')
    expect(JSON.parse(body.join('\n'))).toEqual({
      model: 'm-1',
      messages: messages('a?'),
      max_tokens: 16_384,
      stream: true,
      stream_options: {include_usage: true},
    })
    expect((await foretold({show: 9})).printed).toHaveLength(2)
    expect((await foretold()).printed).toEqual([])
  })

  test('takes as many requests a record as the stage says', async () => {
    const {said} = await foretold({stages: [asking('one', {requestsPerRecord: 3})]})
    expect(said).toEqual([line(`6 requests to m-1 for asks-one, about ${3 * promptTokens + 600} tokens`)])
  })

  test('is of each teacher; one that is asked nothing is told of where it is the last', async () => {
    const teachers = {one: teacher(), two: teacher({model: 'm-2'})}
    const none = line('0 requests to m-2 for asks-two, about 0 tokens')
    const first = line(`2 requests to m-1 for asks-one, about ${promptTokens + 200} tokens`)
    const nothing = asking('two', {run: each((record) => [record])})
    expect((await foretold({teachers, stages: [asking('one'), nothing]})).said).toEqual([first, none])
    expect((await foretold({teachers, stages: [nothing, asking('one')]})).said).toEqual([first])
    expect((await foretold({teachers, stages: [nothing, asking('unknown')]})).said).toEqual([none])
    const single = line(`1 request to m-1 for asks-one, about ${countPromptTokens(messages('a?')) + 100} tokens`)
    expect((await foretold({teachers, stages: [asking('one'), nothing], texts: ['a?']})).said).toEqual([single, none])
  })

  test('leaves out teachers that are not there, and stages that go through all records at once', async () => {
    expect((await foretold({known: []})).said).toEqual([])
    expect((await foretold({teachers: {other: teacher()}})).said).toEqual([])
    expect((await foretold({teachers: {other: teacher()}, known: ['one']})).said).toEqual([])
    const whole = asking('one', {
      async *run(records) {
        yield* records
      },
    })
    expect((await foretold({stages: [whole]})).said).toEqual([line('0 requests to m-1 for asks-one, about 0 tokens')])
  })

  test('reports what a stage does wrong before it asks', async () => {
    const wrong = asking('one', {run: each(() => Promise.reject(new TypeError('a slip')))})
    expect((await foretold({stages: [wrong]})).error).toMatchObject({message: 'a slip'})
  })
})

describe('a budget', () => {
  const tokens = promptTokens + 200
  const two = {one: teacher({price}), two: teacher({model: 'm-2'})}
  const fix =
    'Raise the budget, use fewer records with --limit, or start anyway with --start-anyway; the run then stops when ' +
    'the budget is used up.'

  test('may be used up and not exceeded', async () => {
    expect((await foretold({budget: {tokens}})).error).toBeUndefined()
    expect((await foretold({budget: {tokens: tokens - 1}})).error).toMatchObject({
      code: 'budget-exceeded',
      message: `The forecast of ${tokens} tokens exceeds the budget (${tokens - 1} tokens). Nothing was sent.`,
      fix,
    })
    expect((await foretold({budget: {tokens: tokens - 1}, startAnyway: true})).error).toBeUndefined()
  })

  test('of money is that of all teachers together', async () => {
    const cost = promptTokens + 400
    const stages = [asking('one'), asking('two')]
    expect((await foretold({teachers: two, stages, budget: {cost, tokens: 2 * tokens}})).error).toBeUndefined()
    const {error} = await foretold({teachers: two, stages, budget: {cost: cost - 1, tokens: 2 * tokens}})
    expect(error?.message).toBe(
      `The forecast of ${2 * tokens} tokens, about ${cost.toFixed(2)} CNY exceeds the budget (${2 * tokens} tokens, ` +
        `a cost of ${cost - 1}). Nothing was sent.`,
    )
    expect((await foretold({teachers: two, stages, budget: {tokens: 2 * tokens - 1}})).error?.code).toBe(
      'budget-exceeded',
    )
  })
})
