import {expect, test} from 'vitest'
import {objectStore} from '../../../eval/executors/objects.ts'
import type {MadeObject, ObjectRequest} from '../../../eval/executors/objects.ts'

const path = 'op_host/a.cpp'
const program = {[path]: '#include "a.h"', 'op_host/a.h': 'int a;', 'op_kernel/k.cpp': 'k'}
const read = `unit-0.o: ${path} \\\n op_host/../op_host/a.h /usr/include/x.h\n`

function request(changes: Record<string, string> = {}, args = ['-O0']): ObjectRequest {
  return {args, path, files: new Map(Object.entries({...program, ...changes}))}
}

/** Counts how often it was asked to compile. */
function counting(dependencies = read, bytes = 1) {
  let count = 0
  const make = (): Promise<MadeObject> => {
    count += 1
    return Promise.resolve({object: new Uint8Array(bytes).fill(count), dependencies})
  }
  return {make, count: () => count}
}

test('a unit is compiled once for the same texts, whatever else the program changes', async () => {
  const [store, {make, count}] = [objectStore(), counting()]
  const first = await store.get(request(), make)
  expect(await store.get(request({'op_kernel/k.cpp': 'another kernel'}), make)).toEqual(first)
  expect(count()).toBe(1)
})

test.each<[string, ObjectRequest]>([
  ['another text of the unit', request({[path]: '#include "a.h"\nint b;'})],
  ['another text of a header that it read', request({'op_host/a.h': 'long a;'})],
  ['a file more, which may stand before another in the search for a header', request({'op_kernel/a.h': ''})],
  ['other flags', request({}, ['-O0', '-DTWIN_CUBE_CORE'])],
])('it is compiled again for %s', async (_, other) => {
  const [store, {make, count}] = [objectStore(), counting()]
  await store.get(request(), make)
  await store.get(other, make)
  expect(count()).toBe(2)
  await store.get(request(), make)
  await store.get(other, make)
  expect(count()).toBe(2)
})

test('two builds at once compile it once', async () => {
  const [store, {make, count}] = [objectStore(), counting()]
  const [one, two] = await Promise.all([store.get(request(), make), store.get(request(), make)])
  expect(one).toEqual(two)
  expect(count()).toBe(1)
})

test('a compilation that fails is kept by nobody and holds nobody up', async () => {
  const [store, {make, count}] = [objectStore(), counting()]
  const failing = store.get(request(), () => Promise.reject(new Error('killed')))
  const waiting = store.get(request(), make)
  await expect(failing).rejects.toThrow('killed')
  expect(await waiting).toEqual(new Uint8Array([1]))
  expect(await store.get(request(), () => Promise.resolve(undefined))).toEqual(new Uint8Array([1]))
  expect(count()).toBe(1)
})

test('nothing is kept whose inputs are not all known', async () => {
  const store = objectStore()
  const embedded = counting()
  const text = {[path]: 'asm(".incbin \\"op_kernel/k.cpp\\"");'}
  for (let time = 0; time < 2; time += 1) await store.get(request(text), embedded.make)
  expect(embedded.count()).toBe(2)
  const foreign = counting(`unit-0.o: ${path} op_host/generated.h\n`)
  for (let time = 0; time < 2; time += 1) await store.get(request(), foreign.make)
  expect(foreign.count()).toBe(2)
  const ofTwin = objectStore({toolchain: '/cache/twin-1'})
  for (const [folder, calls] of [
    ['/cache/twin-1/include', 1],
    ['/cache/twin-12', 2],
    ['/home', 2],
  ] as const) {
    const {make, count} = counting(`unit-0.o: ${path} ${folder}/x.h\n`)
    for (let time = 0; time < 2; time += 1) await ofTwin.get(request({}, [folder]), make)
    expect(count(), folder).toBe(calls)
  }
})

test('units of the same text wait for the first of them, until it is known what they read', async () => {
  const store = objectStore()
  const started: string[] = []
  const pending = new Map<string, () => void>()
  const build = (header: string) =>
    store.get(request({'op_host/a.h': header}), () => {
      started.push(header)
      return new Promise((resolve) =>
        pending.set(header, () => resolve({object: new TextEncoder().encode(header), dependencies: read})),
      )
    })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const first = build('1')
  const others = [build('2'), build('3'), build('1')]
  await turn()
  expect(started).toEqual(['1'])
  pending.get('1')?.()
  await first
  await turn()
  expect(started).toEqual(['1', '2', '3'])
  pending.get('3')?.()
  pending.get('2')?.()
  const objects = await Promise.all([first, ...others])
  expect(objects.map((object) => new TextDecoder().decode(object))).toEqual(['1', '2', '3', '1'])
})

test('the oldest go when there are too many bytes, a thousand of each entry beside its object', async () => {
  const [store, {make, count}] = [objectStore({mostBytes: 3000}), counting(read, 400)]
  const numbered = (number: number) => request({}, [`-DN=${number}`])
  for (const number of [1, 2, 3]) await store.get(numbered(number), make)
  await store.get(numbered(3), make)
  await store.get(numbered(2), make)
  expect(count()).toBe(3)
  await store.get(numbered(1), make)
  expect(count()).toBe(4)
  await store.get(numbered(2), make)
  expect(count()).toBe(4)
  const none = counting(read, 1)
  for (let time = 0; time < 2; time += 1) await objectStore({mostBytes: 0}).get(request(), none.make)
  expect(none.count()).toBe(2)
})

test('what goes takes nothing along that was compiled from the same text', async () => {
  const [store, {make, count}] = [objectStore({mostBytes: 3000}), counting(read, 400)]
  for (const header of ['1', '2', '3']) await store.get(request({'op_host/a.h': header}), make)
  for (const header of ['3', '2']) await store.get(request({'op_host/a.h': header}), make)
  expect(count()).toBe(3)
  await store.get(request({'op_host/a.h': '1'}), make)
  expect(count()).toBe(4)
})

test('a library is linked once for the same inputs and the same command', async () => {
  const store = objectStore()
  const [one, two] = [new Uint8Array([1]), new Uint8Array([2])]
  let count = 0
  const link = (command: string[], inputs: Uint8Array[]) =>
    store.linked(command, inputs, async () => new Uint8Array([(count += 1)]))
  expect(await link(['mold'], [one, two])).toEqual(new Uint8Array([1]))
  expect(await link(['mold'], [one, two])).toEqual(new Uint8Array([1]))
  expect(await link(['mold'], [two, one])).toEqual(new Uint8Array([2]))
  expect(await link(['ld'], [one, two])).toEqual(new Uint8Array([3]))
  expect(await store.linked(['gold'], [one], async () => undefined)).toBeUndefined()
  expect(await link(['gold'], [one])).toEqual(new Uint8Array([4]))
})
