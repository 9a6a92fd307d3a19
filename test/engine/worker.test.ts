import {once} from 'node:events'
import {join} from 'node:path'
import {Worker} from 'node:worker_threads'
import {afterEach, describe, expect, test} from 'vitest'
import {isolate, type Isolated, idleThreads} from '../../engine/worker.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

const module = new URL('../helpers/moody-worker.ts', import.meta.url)
let stop = new AbortController()
let open: Isolated<string, string> | undefined

function moody(limits = {seconds: 60, heapMegabytes: 64}): Isolated<string, string> {
  stop = new AbortController()
  return (open = isolate<string, string>(module, limits, stop.signal))
}

afterEach(() => open?.close())

test('answers in the order of the calls', async () => {
  const {call} = moody()
  const expected = ['a!', 'b!', 'c!'].map((value) => ({ok: true, value}))
  expect(await Promise.all(['a', 'b', 'c'].map(call))).toEqual(expected)
})

test('passes an exception on and goes on', async () => {
  const {call} = moody()
  expect(await call('throws')).toEqual({ok: false, why: 'threw', detail: 'Maximum call stack size exceeded'})
  expect(await call('a')).toEqual({ok: true, value: 'a!'})
})

test('ends what has no end, and goes on with another worker', async () => {
  const {call} = moody({seconds: 0.2, heapMegabytes: 64})
  const [slow, next] = [call('hangs'), call('a')]
  expect(await slow).toEqual({ok: false, why: 'too-slow', detail: 'more than 0.2 s'})
  expect(await next).toMatchObject({ok: true, value: 'a!'})
})

test('calls nothing slow that is slow only once', async () => {
  const marker = join(await temporaryFolder(), 'seen')
  const {call} = moody({seconds: 3, heapMegabytes: 64})
  expect(await call(marker)).toEqual({ok: true, value: `${marker}!`})
})

test('ends what takes all memory, and goes on with another worker', async () => {
  const {call} = moody()
  expect(await call('grows')).toMatchObject({ok: false, why: 'too-much-memory'})
  expect(await call('a')).toEqual({ok: true, value: 'a!'})
})

test('stops when the run is stopped', async () => {
  const limits = {seconds: 600, heapMegabytes: 64}
  const {call} = moody(limits)
  await call('a')
  const [answer, started] = [call('hangs'), isolate<string, string>(module, limits, stop.signal)]
  const other = started.call('hangs')
  other.catch(() => undefined)
  stop.abort()
  await expect(other).rejects.toMatchObject({code: 'interrupted'})
  await expect(answer).rejects.toMatchObject({code: 'interrupted'})
  await expect(call('a')).rejects.toMatchObject({code: 'interrupted'})
})

test('leaves nobody waiting when it is closed', async () => {
  const {call, close} = moody({seconds: 600, heapMegabytes: 64})
  await call('a')
  const [open, next] = [call('hangs'), call('b')]
  const both = Promise.allSettled([open, next])
  await close()
  const rejected = {status: 'rejected', reason: expect.objectContaining({code: 'interrupted'}) as unknown}
  expect(await both).toMatchObject([rejected, rejected])
})

describe('a thread that was given back', () => {
  const limits = {seconds: 60, heapMegabytes: 64, idleSeconds: 60}
  async function threadAfter(first: string, then = limits): Promise<[string, string]> {
    const own = new URL(`${module.href}?${first}`)
    const before = isolate<string, string>(own, limits, new AbortController().signal)
    const thread = await before.call('thread')
    await before.call(first)
    await before.close()
    const after = isolate<string, string>(own, then, new AbortController().signal)
    const next = await after.call('thread')
    await after.close()
    return [thread, next].map((answer) => (answer.ok ? answer.value : answer.why)) as [string, string]
  }

  test('works for the next who wants the same', async () => {
    const [thread, next] = await threadAfter('a')
    expect(next).toBe(thread)
  })

  test('is not taken by who has another limit', async () => {
    const [thread, next] = await threadAfter('b', {...limits, heapMegabytes: 65})
    expect(next).not.toBe(thread)
  })

  test.each(['throws', 'grows'])('is none in which code %s', async (mood) => {
    const [thread, next] = await threadAfter(mood)
    expect(next).not.toBe(thread)
  })

  test('is none where nobody is to wait for it', async () => {
    const own = new URL(`${module.href}?at-once`)
    const threads: unknown[] = []
    for (const idleSeconds of [0, 60]) {
      const {call, close} = isolate<string, string>(own, {...limits, idleSeconds}, new AbortController().signal)
      threads.push(await call('thread'))
      await close()
    }
    expect(threads[1]).not.toEqual(threads[0])
  })

  test('ends when nobody takes it in time', async () => {
    const worker = new Worker('setInterval(() => {}, 1000)', {eval: true})
    const waiting = idleThreads('a key of its own')
    waiting.give(worker, 0.05)
    await once(worker, 'exit')
    expect(waiting.take()).toBeUndefined()
  })

  test('may be taken and given again, and is one thread all the same', async () => {
    const worker = new Worker('setInterval(() => {}, 1000)', {eval: true})
    const waiting = idleThreads('another key')
    waiting.give(worker, 60)
    expect(idleThreads('a third key').take()).toBeUndefined()
    expect(idleThreads('another key').take()).toBe(worker)
    expect(waiting.take()).toBeUndefined()
    waiting.give(worker, 60)
    await worker.terminate()
    expect(waiting.take()).toBeUndefined()
  })
})
