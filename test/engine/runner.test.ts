import {readFileSync} from 'node:fs'
import {basename, join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {z} from 'zod'
import {PipelineError} from '../../engine/errors.ts'
import type {LanguageModel} from '../../engine/llm/model.ts'
import {silentLog} from '../../engine/log.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {openRun, readRunRecord, type RunRecord} from '../../engine/run.ts'
import {runPipeline, type RunRequest} from '../../engine/runner.ts'
import {each, type Context, type EachOptions, type RecordFunction, type Stage} from '../../engine/stage.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

const Value = z.strictObject({value: z.int()})
type Value = z.infer<typeof Value>

const source = (over: Partial<Stage<number, Value>> = {}): Stage<number, Value> => ({
  name: 'source',
  version: 1,
  input: z.int(),
  output: Value,
  async *run(totals) {
    for await (const total of totals) for (let value = 0; value < total; value += 1) yield {value}
  },
  ...over,
})

const step = (
  fn: RecordFunction<Value, Value>,
  {over = {}, ...how}: EachOptions & {over?: Partial<Stage<Value, Value>>} = {},
): Stage<Value, Value> => ({name: 'step', version: 1, input: Value, output: Value, run: each(fn, how), ...over})

const pass = step((one) => [one])

interface Ran {
  record: RunRecord | undefined
  values: number[]
  error: unknown
}

async function ran(
  stages: Stage<Value, Value>[],
  {
    directory,
    first = source(),
    total = 10,
    ...more
  }: Partial<RunRequest> & {first?: Stage<number, Value>; total?: number} = {},
): Promise<Ran & {directory: string}> {
  const folder = directory ?? (await temporaryFolder())
  const pipeline = stages.reduce((line, stage) => line.via(stage), Pipeline.from('test', [total], first))
  const request = {
    ...{pipeline, directory: folder, model: () => undefined, seed: 's', now: () => 5},
    ...{signal: new AbortController().signal, log: silentLog, ...more},
  }
  let error: unknown
  await runPipeline(request).catch((thrown: unknown) => {
    error = thrown
  })
  const run = await openRun(folder)
  const values = [...(run?.emitted() ?? [])].map(({json}) => (JSON.parse(json) as Value).value)
  run?.close()
  return {record: await readRunRecord(folder), values, error, directory: folder}
}

const counts = ({record}: Ran, stage: number) => record?.counts[stage]

describe('a run says of itself', () => {
  test('what it was made of', async () => {
    const {record} = await ran([pass], {config: {a: 1}})
    expect(record).toMatchObject({
      ...{recipe: 'test', state: 'finished', seed: 's', config: {a: 1}},
      startedAt: '1970-01-01T00:00:00.005Z',
      endedAt: '1970-01-01T00:00:00.005Z',
      stages: [
        {name: 'source', version: 1, key: expect.any(String) as string},
        {name: 'step', version: 1, key: expect.any(String) as string},
      ],
    })
    expect(record?.reads).toBeUndefined()
    expect(record?.error).toBeUndefined()
    expect((await ran([pass])).record?.config).toBeNull()
  })

  test('which runs it reads, where its source reads runs', async () => {
    const first = {...source(), input: z.any(), readsRuns: true, run: async function* () {}} as never
    const pipeline = Pipeline.from('test', [{directory: '/a', ended: 'then'}], first)
    const directory = await temporaryFolder()
    await runPipeline({
      ...{pipeline, directory, model: () => undefined, seed: 's', now: () => 0},
      ...{signal: new AbortController().signal, log: silentLog},
    } as never)
    expect((await readRunRecord(directory))?.reads).toEqual([{directory: '/a', ended: 'then'}])
  })

  test('why it stopped', async () => {
    const failure = new PipelineError('disk-full', 'Full.', {fix: 'Free it.'})
    const stopped = await ran([step(() => Promise.reject(failure))])
    expect(stopped.error).toBe(failure)
    expect(stopped.record).toMatchObject({
      state: 'stopped',
      error: {code: 'disk-full', message: 'Full.', fix: 'Free it.'},
    })
  })

  test('a key that everything is part of which shapes outcomes', async () => {
    const keyOf = async (over: Partial<Stage<Value, Value>>, more: Partial<RunRequest> = {}) =>
      (await ran([{...pass, ...over}], {total: 0, ...more})).record?.stages[1]?.key
    const model = (fingerprint: string) => ({model: () => ({fingerprint}) as LanguageModel})
    const keys = [
      await keyOf({}),
      await keyOf({name: 'other'}),
      await keyOf({version: 2}),
      await keyOf({options: {a: 1}}),
      await keyOf({}, {seed: 't'}),
      await keyOf({teacher: 'kernel'}, model('f')),
      await keyOf({teacher: 'kernel'}, model('g')),
    ]
    expect(new Set(keys).size).toBe(keys.length)
    expect(await keyOf({teacher: 'kernel'})).toBe(keys[0])
    expect(await keyOf({options: null})).toBe(keys[0])
    expect(await keyOf({}, {config: {other: 1}, limit: 3, ...model('f')})).toBe(keys[0])
  })
})

describe('a limit', () => {
  // Records of an origin are its number and those after it, so that it shows where each comes from.
  const numbered = source({
    async *run(starts) {
      for await (const start of starts) for (let at = 0; at < start % 10; at += 1) yield {value: start + at}
    },
  })

  test.each<[origins: number[], limit: number, values: number[]]>([
    [[105, 205, 305], 6, [105, 106, 205, 206, 305, 306]],
    [[105, 205, 305], 7, [105, 106, 107, 205, 206, 305, 306]],
    [[101, 200, 305], 6, [101, 305, 306, 307, 308, 309]],
    [[105, 205, 305], 2, [105, 205]],
    [[102, 202], 99, [102, 103, 202, 203]],
  ])('takes of %j evenly: %d', async (origins, limit, values) => {
    const directory = await temporaryFolder()
    const once = () => {
      const request = {
        pipeline: Pipeline.from('test', origins, numbered).via(pass),
        ...{directory, model: () => undefined, seed: 's', now: () => 5, limit},
      }
      return runPipeline({...request, signal: new AbortController().signal, log: silentLog})
    }
    for (let time = 0; time < 2; time += 1) {
      await once()
      const run = await openRun(directory)
      expect([...(run?.emitted() ?? [])].map(({json}) => (JSON.parse(json) as Value).value)).toEqual(values)
      run?.close()
    }
  })

  test.each([
    [undefined, 10],
    [1, 1],
    [2, 2],
    [9, 9],
    [10, 10],
    [11, 10],
  ])('of %s lets so many records of the source through: %d', async (limit, count) => {
    const one = await ran([pass, {...pass, name: 'last'}], {limit})
    expect(one.values).toEqual(Array.from({length: count}, (_, at) => at))
    expect(counts(one, 1)).toMatchObject({read: count, written: count})
    expect(counts(one, 0)?.expected).toBe(limit)
    expect([counts(one, 1)?.expected, counts(one, 2)?.expected]).toEqual([undefined, undefined])
  })

  test('is what the source expects, whatever it says itself', async () => {
    const first = source({
      async *run(totals, context) {
        context.expect?.(77)
        for await (const total of totals) for (let value = 0; value < total; value += 1) yield {value}
      },
    })
    expect(counts(await ran([pass], {first}), 0)?.expected).toBe(77)
    expect(counts(await ran([pass], {first, limit: 3}), 0)?.expected).toBe(3)
  })
})

describe('what a stage sees', () => {
  async function seen(over: Partial<Stage<Value, Value>> = {}, more: Partial<RunRequest> = {}): Promise<Context> {
    let context: Context | undefined
    await ran(
      [
        step(
          (one, given) => {
            context = given
            return [one]
          },
          {over},
        ),
      ],
      {total: 1, ...more},
    )
    return context as Context
  }
  const model = (profile: string) => ({profile, fingerprint: profile}) as LanguageModel

  test('is its seed, its clock, its version and a folder of its own', async () => {
    const {seed, now, stages, directory, llm} = await seen({version: 3})
    expect([seed, now(), stages, basename(directory), llm]).toEqual(['s', 5, {step: 3}, '02-step', undefined])
  })
  test('is the model of its profile, and no model where it asks for none', async () => {
    expect((await seen({teacher: 'kernel'}, {model})).llm?.profile).toBe('kernel')
    expect((await seen({}, {model})).llm).toBeUndefined()
  })
})

describe('each record', () => {
  test('is accepted, dropped with its reason, or failed', async () => {
    const stage = step(({value}, {drop}) => {
      if (value === 1) return drop({value}, 'odd-one')
      if (value === 2) throw new PipelineError('executor-failed', 'It fell over.', {fix: 'Mend it.'})
      return value === 3 ? [{value: 30}, {value: 31}] : [{value}]
    })
    const one = await ran([stage], {total: 5})
    expect(one.values).toEqual([0, 30, 31, 4])
    expect(counts(one, 1)).toMatchObject({
      ...{read: 5, accepted: 3, dropped: 1, failed: 1, written: 4, reused: 0, ended: true},
      reasons: {'odd-one': 1},
      failures: {'executor-failed': 1},
    })
    const again = await ran([stage], {total: 5, directory: one.directory})
    expect(again.values).toEqual(one.values)
    expect(counts(again, 1)).toMatchObject({read: 5, accepted: 3, dropped: 1, failed: 1, reused: 4})
  })

  test('that is neither passed on nor dropped is a fault of the stage', async () => {
    const {error, record} = await ran([step(() => [])])
    expect(String(error)).toContain('stage step yielded nothing for a record and dropped it without a reason')
    expect(record?.error?.code).toBeDefined()
  })

  test('has to fit the schema of its stage', async () => {
    const {error} = await ran([step(() => [{value: 'x'} as unknown as Value])])
    expect(error).toMatchObject({
      code: 'record-invalid',
      scope: 'run',
      evidence: {stage: 'step', side: 'output'},
    })
    expect(String(error)).toContain('The output of stage step (version 1) does not fit its schema: value: ')
    const other = z.strictObject({value: z.int().max(3)})
    const wrong = await ran([step((one) => [one], {over: {input: other}})])
    expect(wrong.error).toMatchObject({code: 'record-invalid', evidence: {stage: 'step', side: 'input'}})
  })

  test('may be dropped only while it is worked on', async () => {
    let drop: Context['drop'] | undefined
    const whole: Stage<Value, Value> = {
      ...pass,
      async *run(items, context) {
        for await (const item of items) {
          if (item.value % 2 === 0) yield item
          else context.drop(item, 'odd', 'it is')
        }
        drop = context.drop
      },
    }
    const one = await ran([whole], {total: 4})
    expect(one.values).toEqual([0, 2])
    expect(counts(one, 1)).toMatchObject({read: 4, written: 2, dropped: 2, reasons: {odd: 2}})
    expect(drop).toBeDefined()
  })
})

describe('several at once', () => {
  test('come out in the order in which they went in, and no more are begun than may be', async () => {
    let [now, most] = [0, 0]
    const stage = step(
      async (one) => {
        now += 1
        most = Math.max(most, now)
        await new Promise((resolve) => setTimeout(resolve, one.value % 3 === 0 ? 8 : 1))
        now -= 1
        return [one]
      },
      {concurrency: 3},
    )
    expect((await ran([stage], {total: 20})).values).toEqual(Array.from({length: 20}, (_, at) => at))
    expect(most).toBe(3)
  })

  test('are read ahead of a slow one, four times as many as are worked on at most', async () => {
    let read = 0
    let readBehindFirst = 0
    const first = source({
      async *run(totals) {
        for await (const total of totals)
          for (let value = 0; value < total; value += 1) {
            read += 1
            yield {value}
          }
      },
    })
    const stage = step(
      async (one) => {
        if (one.value > 0) return [one]
        await new Promise((resolve) => setTimeout(resolve, 60))
        readBehindFirst = read
        return [one]
      },
      {concurrency: 2},
    )
    expect((await ran([stage], {first, total: 40})).values).toHaveLength(40)
    expect(readBehindFirst).toBe(8)
  })

  test('are as many as the model takes, where that is more', async () => {
    let [now, most] = [0, 0]
    const stage = step(
      async (one) => {
        now += 1
        most = Math.max(most, now)
        await new Promise((resolve) => setTimeout(resolve, 4))
        now -= 1
        return [one]
      },
      {concurrency: 2, over: {teacher: 'kernel'}},
    )
    await ran([stage], {total: 20, model: () => ({fingerprint: 'f', concurrency: 5}) as LanguageModel})
    expect(most).toBe(5)
  })
})

test('a run that is called off stops, and says so', async () => {
  const stop = new AbortController()
  const stage = step((one) => {
    if (one.value === 3) stop.abort()
    return [one]
  })
  const {error, record} = await ran([stage], {signal: stop.signal})
  expect(error).toMatchObject({code: 'interrupted'})
  expect(record).toMatchObject({state: 'stopped', error: {code: 'interrupted'}})
})

test('a source that waits for nothing is called off as well', async () => {
  const stop = new AbortController()
  const first = source({
    async *run(totals) {
      for await (const total of totals)
        for (let value = 0; value < total; value += 1) {
          if (value === 3) stop.abort()
          yield {value}
        }
    },
  })
  const {record, values} = await ran([], {first, signal: stop.signal})
  expect(record).toMatchObject({state: 'stopped', error: {code: 'interrupted'}})
  expect(values.length).toBeLessThan(4)
})

test.each([
  ["the signal's own exception", (signal: AbortSignal) => signal.throwIfAborted()],
  ['a system call that was called off', () => throwing(Object.assign(new Error('aborted'), {name: 'AbortError'}))],
  ['a loader that Ctrl-C reached too', () => throwing(new Error('The service was stopped'))],
])('a run that is called off is no fault of ours, whatever a stage makes of it: %s', async (_, thrown) => {
  const stop = new AbortController()
  const stage = step((one, {signal}) => {
    stop.abort()
    thrown(signal)
    return [one]
  })
  const {error, record} = await ran([stage], {signal: stop.signal})
  expect(error).toMatchObject({code: 'interrupted'})
  expect(record).toMatchObject({state: 'stopped', error: {code: 'interrupted'}})
})

test('a fault of ours stays one while a run is called off', async () => {
  const stop = new AbortController()
  const stage = step(() => {
    stop.abort()
    return throwing(new TypeError('no such name'))
  })
  expect((await ran([stage], {signal: stop.signal})).error).toBeInstanceOf(TypeError)
})

function throwing(error: Error): never {
  throw error
}

test('what a stage writes to its log lies in the run', async () => {
  const telling = step((one, {log}) => {
    log.warn('look', {at: one.value})
    return [one]
  })
  const {directory} = await ran([telling], {total: 1})
  const [line = ''] = readFileSync(join(directory, 'events.jsonl'), 'utf8').split('\n')
  expect(JSON.parse(line)).toMatchObject({stage: 'step', at: 0})
})
