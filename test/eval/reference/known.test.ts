import {expect, test} from 'vitest'
import {byteLengths, Known} from '../../../eval/reference/known.ts'

/** Keys that were computed, in order. */
function counted() {
  const computed: string[] = []
  const bytes = (key: string, length: number) => () => {
    computed.push(key)
    return Promise.resolve([new Uint8Array(length)])
  }
  return {computed, bytes}
}

test('outputs are computed once, also for those that ask meanwhile', async () => {
  const {computed, bytes} = counted()
  const known = new Known<Uint8Array[]>(100, byteLengths)
  const [a, b] = await Promise.all([known.get('a', bytes('a', 10)), known.get('a', bytes('a', 10))])
  expect(a).toBe(b)
  expect(await known.get('a', bytes('a', 10))).toBe(a)
  expect(computed).toEqual(['a'])
})

test('the oldest go when there are too many bytes, and no others', async () => {
  const {computed, bytes} = counted()
  const known = new Known<Uint8Array[]>(100, byteLengths)
  for (const key of ['a', 'b', 'c', 'd']) await known.get(key, bytes(key, 30))
  for (const key of ['b', 'c', 'd', 'a']) await known.get(key, bytes(key, 30))
  expect(computed).toEqual(['a', 'b', 'c', 'd', 'a'])
})

test('outputs that are too large to keep are handed over all the same', async () => {
  const {computed, bytes} = counted()
  const known = new Known<Uint8Array[]>(100, byteLengths)
  expect((await known.get('a', bytes('a', 500)))[0]).toHaveLength(500)
  await known.get('a', bytes('a', 500))
  expect(computed).toEqual(['a', 'a'])
})

test('a failure is forgotten', async () => {
  const known = new Known<Uint8Array[]>(100, byteLengths)
  await expect(known.get('a', () => Promise.reject(new Error('disk')))).rejects.toThrow('disk')
  expect(await known.get('a', () => Promise.resolve([new Uint8Array(1)]))).toHaveLength(1)
})
