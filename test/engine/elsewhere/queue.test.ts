import {getEventListeners} from 'node:events'
import {setTimeout as sleep} from 'node:timers/promises'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import {openQueueLink, patiently} from '../../../engine/elsewhere/queue-link.ts'
import type {Workforce} from '../../../engine/elsewhere/worker-seen.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {silentLog} from '../../../engine/log.ts'
import {words} from '../../helpers/number-stages.ts'
import {queuedRun, startWorker} from '../../helpers/queue-run.ts'
import {badWay, startRedis, type RedisServer} from '../../helpers/redis.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {until} from '../../helpers/until.ts'

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.close())

type WorkerAsked = Partial<Parameters<typeof startWorker>[0]>

async function withWorkers(...all: WorkerAsked[]) {
  const workers = await Promise.all(all.map((one) => startWorker({url: redis.url, ...one})))
  onTestFinished(async () => void (await Promise.all(workers.map((one) => one.end()))))
  return workers
}

async function inProcess(asked: Partial<Parameters<typeof queuedRun>[0]> = {}) {
  return (await queuedRun({directory: await temporaryFolder(), ...asked})).kept
}

const queued = async (asked: Partial<Parameters<typeof queuedRun>[0]> = {}) =>
  queuedRun({url: redis.url, directory: await temporaryFolder(), ...asked})

const slowly = (milliseconds: number) => async (results: string[]) => {
  await sleep(milliseconds)
  return results
}

describe('a queue gives what this process gives', () => {
  test('with three workers, and leaves nothing behind', async () => {
    await withWorkers({}, {}, {})
    const {kept, told} = await queued()
    expect(kept).toEqual(await inProcess())
    expect(told).toEqual([])
    const link = await openQueueLink({url: redis.url, password: undefined})
    expect(await link.posted()).toEqual([])
    await link.close()
  })

  test('where a worker takes records and is lost', async () => {
    let taken = 0
    const never = () => new Promise<string[]>(() => (taken += 1))
    const lost = await startWorker({url: redis.url, change: never})
    const run = queued({ahead: 50})
    await until(() => taken > 0)
    // Its connection ends, and with it the renewal of its lock.
    await lost.link.close()
    await withWorkers({})
    expect((await run).kept).toEqual(await inProcess())
  })

  test('where Redis forgets everything', async () => {
    let batches = 0
    const change = async (results: string[]) => {
      batches += 1
      return slowly(60)(results)
    }
    await withWorkers({change}, {change})
    const run = queued()
    await until(() => batches > 2)
    await redis.restart()
    const {kept, told} = await run
    expect(kept).toEqual(await inProcess())
    expect(told.map(({message}) => message)).toContain('the queue lost batches; they were given out again')
  })

  test('over connections that are slow and cut', async () => {
    const way = await badWay(redis.url, 5)
    onTestFinished(() => way.close())
    let batches = 0
    const change = async (results: string[]) => {
      batches += 1
      // While the results are on their way.
      if (batches % 3 === 0) setTimeout(() => way.cut(), 5)
      return results
    }
    await withWorkers({url: way.url, change}, {url: way.url, change})
    expect((await queued({url: way.url})).kept).toEqual(await inProcess())
  })

  test('where a run is stopped and started again, without doing what was given out twice', async () => {
    const directory = await temporaryFolder()
    const stop = new AbortController()
    const done: string[] = []
    const change = async (results: string[], _: string, records: readonly string[]) => {
      done.push(...records)
      return slowly(40)(results)
    }
    await withWorkers({change})
    const first = queued({directory, stop})
    await until(() => done.length >= 8)
    stop.abort(new PipelineError('interrupted', 'stopped', {fix: ''}))
    await expect(first).rejects.toThrow()
    const {kept} = await queued({directory})
    const {emitted, drops} = await inProcess()
    expect(kept).toMatchObject({emitted, drops})
    // What failed is tried once more.
    const again = done.filter((record, at) => done.indexOf(record) !== at && Number(record) % 10 !== 3)
    expect(again).toEqual([])
  })
})

describe('what a worker does wrong is named, and does not reach the ledger', () => {
  test('a machine that would give other results takes nothing', async () => {
    const stage = words({options: {compiler: 'clang'}})
    await withWorkers({by: 'other', stage: words({options: {compiler: 'g++'}})}, {stage, change: slowly(100)})
    const {kept, told} = await queued({stage, total: 80})
    expect(kept).toEqual(await inProcess({total: 80}))
    const why = 'This machine would not give the run\'s results: options.compiler is "g++" here and "clang" in the run.'
    expect(told.map(({message}) => message)).toEqual([`other does not work on this stage: ${why}`])
  })

  test('results of another fingerprint are refused, and their worker gets no more', async () => {
    let batches = 0
    // Longer than the run takes to look.
    const count = (results: string[]) => {
      batches += 1
      return slowly(100)(results)
    }
    await withWorkers({by: 'liar', fingerprint: 'another', change: count}, {change: slowly(50)})
    const {kept, told} = await queued()
    expect(kept).toEqual(await inProcess())
    expect(told[0]?.message).toMatch(/^results of liar were refused: its fingerprint is another, not /)
    expect(batches).toBeLessThan(4)
  })

  test.each<[string, (results: string[]) => string[], RegExp]>([
    [
      'a record that it was not given',
      ([, ...rest]) => [JSON.stringify({id: 'x', outputs: [], drops: []}), ...rest],
      /record x was not asked for/,
    ],
    ['too few results', (results) => results.slice(1), /1 of its records have no result/],
    [
      'an output of another form',
      (results) => results.map((one) => one.replace('text', 'txt')),
      /does not fit the schema/,
    ],
  ])('%s', async (_, change, why) => {
    await withWorkers({by: 'liar', change}, {change: slowly(50)})
    const {kept, told} = await queued()
    expect(kept).toEqual(await inProcess())
    expect(told[0]?.message).toMatch(/^results of liar were refused: /)
    expect(told[0]?.message).toMatch(why)
  })

  test('a second result with other bytes, of a worker that had lost its batch', async () => {
    let theirs = ''
    let hold: () => void = () => undefined
    const held = new Promise<void>((resolve) => (hold = resolve))
    const asleep = (results: string[], _: string, records: readonly string[]) => {
      theirs ||= records.join()
      return held.then(() => results)
    }
    const late = await startWorker({
      url: redis.url,
      by: 'late',
      stage: words({letter: 'b'}),
      change: asleep,
      renews: false,
    })
    const run = queued({ahead: 40, total: 160})
    await until(() => theirs !== '')
    // Until its lock has run out: then its batch is the next.
    await sleep(2500)
    const order: string[] = []
    const change = async (results: string[], _: string, records: readonly string[]) => {
      order.push(records.join())
      if (order.at(-4) === theirs) {
        void late.end()
        hold()
      }
      return slowly(order.length === 20 ? 3000 : 50)(results)
    }
    await withWorkers({change})
    const {kept, told} = await run
    expect(kept).toEqual(await inProcess({total: 160}))
    const message = 'a second result, of late, for a record is not the first one; the first one is kept'
    expect(told).toContainEqual({message, fields: {record: expect.any(String)}})
  })

  test('a record that ends the process of every worker fails, and only that one', async () => {
    const change = (results: string[], _: string, records: readonly string[]) => {
      if (records.includes('7')) throw new Error('it ended by itself, SIGSEGV')
      return results
    }
    await withWorkers({change}, {change})
    const {kept} = await queued({recordsPerBatch: 16})
    const whole = await inProcess()
    // It came twice.
    expect(kept.failed).toBe(whole.failed + 2)
    expect(kept.emitted).toEqual(whole.emitted.filter((line) => !/"text":"(a{7}|7)"/.test(line)))
  })
})

test('waiting for the queue leaves nothing behind, whatever is collected meanwhile', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const {signal} = new AbortController()
  const answered = async () => {
    await sleep(1)
    collect()
  }
  const one = () => patiently(answered, {signal, log: silentLog})
  for (let at = 0; at < 5; at += 1) await Promise.all([one(), one(), one()])
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

describe('who works', () => {
  test('is told, with what it holds', async () => {
    const seen: Workforce[] = []
    await withWorkers({by: 'one', change: slowly(700)})
    const {workforce} = await queued({total: 40, seen: (one) => void seen.push(one)})
    expect(workforce?.workers).toMatchObject([{by: 'one', capability: 'twin', silentSeconds: expect.any(Number)}])
    expect(seen.flatMap(({workers}) => workers).map(({holds}) => holds)).toContain('x words, 4 records')
    expect(seen.some(({waiting, working}) => waiting > 0 && working === 1)).toBe(true)
  })

  test('a worker that is stopped finishes its batch and leaves', async () => {
    let batches = 0
    const change = async (results: string[]) => {
      batches += 1
      return slowly(300)(results)
    }
    const worker = await startWorker({url: redis.url, by: 'leaver', change})
    const run = queued({total: 40})
    await until(() => batches === 1)
    await worker.end()
    const link = await openQueueLink({url: redis.url, password: undefined})
    expect((await link.workers()).filter(({by}) => by === 'leaver')).toEqual([])
    await link.close()
    expect(batches).toBe(1)
    await withWorkers({})
    const {told, kept} = await run
    expect(kept).toEqual(await inProcess({total: 40}))
    expect(told).toEqual([])
  })

  test('only as much is given out as the workers need', async () => {
    const stop = new AbortController()
    const seen: Workforce[] = []
    const run = queued({stop, total: 400, seen: (one) => void seen.push(one)})
    await until(() => seen.length > 1)
    stop.abort(new PipelineError('interrupted', 'stopped', {fix: ''}))
    await expect(run).rejects.toThrow()
    expect(seen.at(-1)).toEqual({unit: 'batch', waiting: 8, working: 0, workers: []})
  })
})

describe('the way to the queue', () => {
  test('asks for a password where Redis does', async () => {
    const guarded = await startRedis('--requirepass', 'secret')
    onTestFinished(() => guarded.close())
    const {url} = guarded
    await expect(openQueueLink({url, password: undefined})).rejects.toMatchObject({code: 'key-missing'})
    await expect(openQueueLink({url, password: 'wrong'})).rejects.toMatchObject({code: 'key-missing'})
    const worker = await startWorker({url, password: 'secret'})
    onTestFinished(() => worker.end())
    const {kept} = await queued({url, password: 'secret', total: 40})
    expect(kept).toEqual(await inProcess({total: 40}))
  })
})
