import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {z} from 'zod'
import {PipelineError} from '../../engine/errors.ts'
import {fromRun} from '../../engine/from-run.ts'
import {contentId} from '../../engine/ids.ts'
import {silentLog} from '../../engine/log.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {asFinished, openRun, readRunRecord, type FinishedRun} from '../../engine/run.ts'
import {runPipeline, type RunRequest} from '../../engine/runner.ts'
import {each, type EachOptions, type RecordFunction, type Stage} from '../../engine/stage.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

const Value = z.strictObject({value: z.int()})
type Value = z.infer<typeof Value>

const source: Stage<number, Value> = {
  name: 'source',
  version: 1,
  input: z.int(),
  output: Value,
  async *run(totals) {
    for await (const total of totals) for (let value = 0; value < total; value += 1) yield {value}
  },
}

function step(
  name: string,
  fn: RecordFunction<Value, Value>,
  {version = 1, options = null, ...each_}: EachOptions & {version?: number; options?: null | {factor: number}} = {},
): Stage<Value, Value> {
  return {name, version, options, input: Value, output: Value, run: each(fn, each_)}
}

async function runAll(directory: string, stages: Stage<Value, Value>[], more: Partial<RunRequest> = {}) {
  const pipeline = stages.reduce((line, stage) => line.via(stage), Pipeline.from('test', [10], source))
  const record = await runPipeline({
    pipeline,
    directory,
    model: () => undefined,
    seed: 's',
    now: () => 0,
    signal: new AbortController().signal,
    log: silentLog,
    ...more,
  })
  const run = await openRun(directory)
  const values = [...(run?.emitted() ?? [])].map(({json}) => (JSON.parse(json) as Value).value)
  run?.close()
  return {record, values}
}

describe('what a stage counts by names of its own', () => {
  const parity: Stage<Value, Value> = {
    ...step('parity', ({value}, {drop}) => (value === 4 ? drop({value}, 'four') : [{value}])),
    tally: ({value}) => (value === 9 ? undefined : ['even', 'odd'][value % 2]),
  }

  test('are its outputs, those of before as well, and none that was dropped', async () => {
    const directory = await temporaryFolder()
    const tallies = async () => (await runAll(directory, [parity])).record.counts.map((count) => count.tallies)
    expect(await tallies()).toEqual([{}, {even: 4, odd: 4}])
    expect(await tallies()).toEqual([{}, {even: 4, odd: 4}])
    expect((await readRunRecord(directory))?.counts.at(-1)?.tallies).toEqual({even: 4, odd: 4})
  })

  test('are counted over a whole stream too', async () => {
    const whole: Stage<Value, Value> = {...parity, name: 'whole', run: (items) => items}
    const {record} = await runAll(await temporaryFolder(), [whole])
    expect(record.counts.at(-1)?.tallies).toEqual({even: 5, odd: 4})
  })
})

test('a source says how many there will be: what a finished run left, or the limit', async () => {
  const directory = await temporaryFolder()
  await runAll(directory, [])
  const again = (limit?: number) =>
    temporaryFolder().then((other) =>
      runPipeline({
        pipeline: Pipeline.from('again', [{directory}], fromRun(Value)),
        directory: other,
        model: () => undefined,
        seed: 's',
        limit,
        now: () => 0,
        signal: new AbortController().signal,
        log: silentLog,
      }),
    )
  expect((await again()).counts[0]?.expected).toBe(10)
  expect((await again(3)).counts[0]?.expected).toBe(3)
})

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe('a run', () => {
  test('notes what a stage changed in the record that it was given', async () => {
    const doubling = step('double-in-place', (item) => {
      item.value *= 2
      return [item]
    })
    const directory = await temporaryFolder()
    expect((await runAll(directory, [doubling])).values).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18])
    expect((await runAll(directory, [doubling])).values).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18])
  })

  test('checks a record that was handed on as it came when the stages before and after it say so differently', async () => {
    const wide: Stage<Value, Value> = {
      ...step('wide', (item) => [item]),
      output: z.strictObject({value: z.int().max(4)}),
    }
    await expect(runAll(await temporaryFolder(), [wide])).rejects.toThrow('does not fit its schema')
  })

  test('hears of an abort though none of its stages ever waits', async () => {
    const controller = new AbortController()
    const many: Stage<number, Value> = {
      ...source,
      async *run() {
        for (let value = 0; value < 100_000; value += 1) {
          if (value === 100) setImmediate(() => controller.abort())
          yield {value}
        }
      },
    }
    const pipeline = Pipeline.from('test', [1], many).via(step('on', (item) => [item]))
    const running = runAll(await temporaryFolder(), [], {pipeline, signal: controller.signal})
    await expect(running).rejects.toMatchObject({code: 'interrupted'})
  })

  test('gives outputs in input order, whatever order concurrent records finish in', async () => {
    const slowFirst = step(
      'slow-first',
      async ({value}) => {
        await sleep(value === 0 ? 60 : (10 - value) * 2)
        return [{value: value * 10}]
      },
      {concurrency: 4},
    )
    const {values} = await runAll(await temporaryFolder(), [slowFirst])
    expect(values).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90])
  })

  test('never has more records in progress than the stage allows', async () => {
    let active = 0
    let most = 0
    const watched = step(
      'watched',
      async ({value}) => {
        active += 1
        most = Math.max(most, active)
        await sleep(5)
        active -= 1
        return [{value}]
      },
      {concurrency: 3},
    )
    await runAll(await temporaryFolder(), [watched])
    expect(most).toBe(3)
  })

  test('accounts for every record: read = accepted + dropped + failed', async () => {
    const picky = step('picky', ({value}, {drop}) => {
      if (value % 3 === 0) return drop({value}, 'divisible-by-three')
      if (value === 5) throw new PipelineError('reply-invalid', 'five is not answered', {fix: 'Ask again.'})
      return [{value}]
    })
    const {record, values} = await runAll(await temporaryFolder(), [picky])
    const counts = record.counts.at(-1)
    expect(values).toEqual([1, 2, 4, 7, 8])
    expect(counts).toMatchObject({
      read: 10,
      accepted: 5,
      dropped: 4,
      failed: 1,
      written: 5,
      reasons: {'divisible-by-three': 4},
      failures: {'reply-invalid': 1},
    })
  })

  test('refuses a record that vanishes without a reason', async () => {
    await expect(runAll(await temporaryFolder(), [step('silent', () => [])])).rejects.toThrow('without a reason')
  })

  test('does nothing twice when run again, and tries failed records again', async () => {
    const directory = await temporaryFolder()
    const seen: number[] = []
    let broken = true
    const flaky = () =>
      step('flaky', ({value}) => {
        seen.push(value)
        if (value === 4 && broken) throw new PipelineError('endpoint-stalled', 'no answer', {fix: 'Wait.'})
        return [{value: value + 100}]
      })
    const first = await runAll(directory, [flaky()])
    expect(first.values).not.toContain(104)
    broken = false
    const second = await runAll(directory, [flaky()])
    expect(second.values).toEqual([100, 101, 102, 103, 104, 105, 106, 107, 108, 109])
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 4])
    expect(second.record.counts.at(-1)?.reused).toBe(9)
  })

  test.each([
    ['version', {version: 2}],
    ['options', {options: {factor: 3}}],
  ])('does not reuse outcomes made under another %s', async (_, change) => {
    const directory = await temporaryFolder()
    let calls = 0
    const counting = (more: object) =>
      step(
        'counting',
        ({value}) => {
          calls += 1
          return [{value}]
        },
        more,
      )
    await runAll(directory, [counting({})])
    await runAll(directory, [counting(change)])
    expect(calls).toBe(20)
  })

  test('stops as a whole on a failure that concerns the run, and keeps what was finished', async () => {
    const directory = await temporaryFolder()
    const doomed = step('doomed', ({value}) => {
      if (value === 6) throw new PipelineError('budget-exceeded', 'the budget is spent', {fix: 'Raise it.'})
      return [{value}]
    })
    await expect(runAll(directory, [doomed])).rejects.toThrow('the budget is spent')
    const record = await readRunRecord(directory)
    expect(record).toMatchObject({state: 'stopped', error: {code: 'budget-exceeded', fix: 'Raise it.'}})
    const again = await runAll(directory, [step('doomed', ({value}) => [{value}])])
    expect(again.record.counts.at(-1)?.reused).toBe(6)
  })

  test('aborts what is in progress when the run stops', async () => {
    let aborted = 0
    const waiting = step(
      'waiting',
      async ({value}, {signal}) => {
        if (value === 0) {
          await sleep(10)
          throw new PipelineError('endpoint-unreachable', 'dead port', {fix: 'Start it.'})
        }
        await new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => {
            aborted += 1
            resolve()
          }),
        )
        return [{value}]
      },
      {concurrency: 3},
    )
    await expect(runAll(await temporaryFolder(), [waiting])).rejects.toThrow('dead port')
    expect(aborted).toBe(2)
  })

  test('refuses a directory that another living process works in', async () => {
    const directory = await temporaryFolder()
    const {writeFileSync} = await import('node:fs')
    writeFileSync(join(directory, 'lock'), String(process.ppid))
    await expect(runAll(directory, [])).rejects.toMatchObject({code: 'run-locked'})
  })

  test('takes over the lock of a process that died', async () => {
    const directory = await temporaryFolder()
    const {writeFileSync} = await import('node:fs')
    writeFileSync(join(directory, 'lock'), '4194305')
    expect((await runAll(directory, [])).values).toHaveLength(10)
  })

  test('calls an output that breaks its schema a fault of the stage', async () => {
    const wrong = step('wrong', () => [{value: 0.5}])
    await expect(runAll(await temporaryFolder(), [wrong])).rejects.toMatchObject({code: 'record-invalid', scope: 'run'})
  })

  test('writes what happened to events.jsonl', async () => {
    const directory = await temporaryFolder()
    await runAll(directory, [
      step('talkative', ({value}, {log}) => {
        log.debug('saw', {value})
        return [{value}]
      }),
    ])
    const [line] = readFileSync(join(directory, 'events.jsonl'), 'utf8').split('\n')
    expect(JSON.parse(line as string)).toMatchObject({stage: 'talkative', msg: 'saw', value: 0})
  })
})

describe('from-run', () => {
  const read = (run: FinishedRun, directory: string) =>
    runPipeline({
      pipeline: Pipeline.from('reader', [run], fromRun(Value)),
      directory,
      model: () => undefined,
      seed: 's',
      now: () => 0,
      signal: new AbortController().signal,
      log: silentLog,
    })

  test('yields what a finished run left, in its order', async () => {
    const [from, to] = [await temporaryFolder(), await temporaryFolder()]
    await runAll(from, [step('same', ({value}) => [{value}])])
    const record = await read({directory: from}, to)
    expect(record.counts[0]?.written).toBe(10)
  })

  test('refuses a run that stopped', async () => {
    const [from, to] = [await temporaryFolder(), await temporaryFolder()]
    const dead = step('dead', () => {
      throw new PipelineError('disk-full', 'full', {fix: 'Free some.'})
    })
    await expect(runAll(from, [dead])).rejects.toThrow('full')
    await expect(read({directory: from}, to)).rejects.toMatchObject({code: 'run-missing'})
  })
})

describe('what is behind a run', () => {
  const same = (name: string, version: number) => step(name, (item) => [item], {version})

  test('is its own stages and, after it has read runs, those of the runs', async () => {
    const [first, second] = [await temporaryFolder(), await temporaryFolder()]
    const {record} = await runAll(first, [same('cut', 4)])
    const from = asFinished(first, record)
    expect(from).toEqual({directory: first, ended: record.endedAt, stages: {source: 1, cut: 4}})
    const pipeline = Pipeline.from('reader', [from], fromRun(Value)).via(same('join', 2))
    const {record: joined} = await runAll(second, [], {pipeline})
    expect(joined.reads).toEqual([from])
    expect(asFinished(second, joined).stages).toEqual({source: 1, cut: 4, join: 2})
    expect(asFinished('nowhere', undefined)).toEqual({directory: 'nowhere'})
  })

  test('tells each stage its own version, for the records that keep account', async () => {
    const seen: unknown[] = []
    const note: RecordFunction<Value, Value> = (item, {stages}) => {
      seen.push(stages)
      return [item]
    }
    const noted = step('noted', note, {version: 7})
    await runAll(await temporaryFolder(), [noted], {limit: 1})
    expect(seen).toEqual([{noted: 7}])
  })
})

describe('an open run', () => {
  const failing = (name: string) =>
    step(name, ({value}) => {
      if (value === 2) throw new PipelineError('reply-invalid', 'no reply', {fix: 'Ask again.'})
      return [{value: value * 2}]
    })

  test('finds outcomes by the name of the stage, under the key of the run', async () => {
    const directory = await temporaryFolder()
    await runAll(directory, [step('twice', ({value}) => [{value: value * 2}])])
    await runAll(directory, [step('twice', ({value}) => [{value: value * 3}], {version: 2})])
    const run = await openRun(directory)
    const made = run
      ?.stage('twice')
      ?.find(contentId({value: 3}))
      ?.outputs.map(({json}) => json)
    expect([made, run?.stage('thrice')]).toEqual([['{"value":9}'], undefined])
    run?.close()
  })

  test('has the failures of the stages that the recipe has now', async () => {
    const directory = await temporaryFolder()
    const failuresAfter = async (name: string) => {
      await runAll(directory, [failing(name)])
      const run = await openRun(directory)
      const failed = run?.failures().map(({stage}) => stage)
      run?.close()
      return failed
    }
    expect(await failuresAfter('old')).toEqual(['old'])
    expect(await failuresAfter('new')).toEqual(['new'])
  })

  test('is none where no run is', async () => {
    expect(await openRun(await temporaryFolder())).toBeUndefined()
  })
})

describe('ids', () => {
  test('do not depend on the order of keys, and skip undefined ones', () => {
    expect(contentId({b: 1, a: [1, {d: 2, c: 3}]})).toBe(contentId({a: [1, {c: 3, d: 2}], b: 1, e: undefined}))
  })
})
