import {join} from 'node:path'
import {afterEach, expect, test} from 'vitest'
import {isolate, type Isolated} from '../../engine/worker.ts'
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
