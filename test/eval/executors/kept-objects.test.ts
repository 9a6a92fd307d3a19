import {appendFileSync, existsSync, readdirSync, readFileSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {keptObjects} from '../../../eval/executors/kept-objects.ts'
import {objectStore} from '../../../eval/executors/objects.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const path = 'op_host/a.cpp'
const request = (header = 'int a;', args = ['-O0']) => ({
  args,
  path,
  files: new Map([
    [path, '#include "a.h"'],
    ['op_host/a.h', header],
  ]),
})
const dependencies = `object: ${path} op_host/a.h\n`

/** As another process would see the folder. */
async function compiled(folder: string, {header = 'int a;', toolchain = 'clang', byte = 1} = {}) {
  const store = objectStore({toolchain, kept: keptObjects(folder)})
  let asked = false
  const object = await store.get(request(header), async () => {
    asked = true
    return {object: new Uint8Array([byte]), dependencies}
  })
  return {asked, bytes: [...(object ?? [])]}
}

function filesOf(folder: string, ending: string): string[] {
  const names = readdirSync(folder, {recursive: true, encoding: 'utf8'})
  return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name))
}

describe('objects of a folder', () => {
  test('serve the next process, for the same texts and the same tools', async () => {
    const folder = await temporaryFolder()
    expect(await compiled(folder)).toEqual({asked: true, bytes: [1]})
    expect(await compiled(folder, {byte: 2})).toEqual({asked: false, bytes: [1]})
    expect(await compiled(folder, {byte: 2, header: 'int b;'})).toEqual({asked: true, bytes: [2]})
    expect(await compiled(folder, {byte: 3, toolchain: 'gcc'})).toEqual({asked: true, bytes: [3]})
    expect(await compiled(folder, {byte: 4, header: 'int b;'})).toEqual({asked: false, bytes: [2]})
    expect(filesOf(folder, '.tmp')).toEqual([])
  })

  test('serve libraries as well', async () => {
    const folder = await temporaryFolder()
    const linked = (toolchain: string, byte: number) =>
      objectStore({toolchain, kept: keptObjects(folder)}).linked(['mold'], [], async () => new Uint8Array([byte]))
    expect(await linked('clang', 1)).toEqual(new Uint8Array([1]))
    expect([...((await linked('clang', 2)) ?? [])]).toEqual([1])
    expect(await linked('gcc', 3)).toEqual(new Uint8Array([3]))
  })

  test.each<[string, (file: string) => void]>([
    ['torn', (file) => writeFileSync(file, readFileSync(file).subarray(0, -1))],
    ['longer', (file) => appendFileSync(file, 'x')],
    ['empty', (file) => writeFileSync(file, '')],
  ])('that are %s are made again', async (_, damage) => {
    const folder = await temporaryFolder()
    await compiled(folder)
    for (const file of filesOf(folder, '.o')) damage(file)
    expect(await compiled(folder, {byte: 2})).toEqual({asked: true, bytes: [2]})
    expect(await compiled(folder, {byte: 3})).toEqual({asked: false, bytes: [2]})
  })

  test('are found although a line about what was read is torn', async () => {
    const folder = await temporaryFolder()
    await compiled(folder)
    for (const file of filesOf(folder, '.reads')) writeFileSync(file, '["op_host/a.c')
    expect((await compiled(folder, {byte: 2})).asked).toBe(true)
    expect(await compiled(folder, {byte: 3})).toEqual({asked: false, bytes: [2]})
  })

  test('are told once what is read, however many texts that has', async () => {
    const folder = await temporaryFolder()
    for (const header of ['1', '2', '3']) await compiled(folder, {header})
    const [lists = ''] = filesOf(folder, '.reads')
    expect(readFileSync(lists, 'utf8').trim().split('\n')).toEqual([JSON.stringify([path, 'op_host/a.h'])])
  })

  test('are kept by nobody where the folder cannot be made', async () => {
    const file = join(await temporaryFolder(), 'file')
    writeFileSync(file, '')
    expect(await compiled(join(file, 'objects'))).toEqual({asked: true, bytes: [1]})
    expect((await compiled(join(file, 'objects'))).asked).toBe(true)
  })
})

describe('a folder that is full', () => {
  const object = (name: string, bytes = 100) => ({unit: name, paths: [], name, object: new Uint8Array(bytes)})
  const placeOf = (folder: string, name: string) => join(folder, name.slice(0, 2), `${name.slice(2)}.o`)
  /** Seconds since 1970. */
  const usedAt = (folder: string, name: string, seconds: number) => utimesSync(placeOf(folder, name), seconds, seconds)

  test('loses what was not used for longest, when an object comes whose turn it is to look', async () => {
    const folder = await temporaryFolder()
    const names = ['aa1', 'aa2', 'aa3', 'aa4']
    // Each object counts for 16 KiB, and so does what is told of its unit: nine files with the one to come.
    const shelf = keptObjects(folder, 8 * (1 << 14))
    for (const [at, name] of names.entries()) {
      shelf.keep(object(name))
      usedAt(folder, name, 1_000_000 + at)
      utimesSync(placeOf(folder, name).replace(/o$/, 'reads'), 2_000_000, 2_000_000)
    }
    expect(shelf.find('aa1')).toBeDefined()
    shelf.keep(object('ab1'))
    expect(names.filter((name) => existsSync(placeOf(folder, name)))).toEqual(names)
    shelf.keep(object('001'))
    expect(['aa1', 'ab1', '001'].filter((name) => shelf.find(name))).toEqual(['aa1', 'ab1', '001'])
    expect(names.filter((name) => existsSync(placeOf(folder, name)))).toEqual(['aa1'])
  })

  test('counts what is large by its size, and leaves alone what fits', async () => {
    const folder = await temporaryFolder()
    const shelf = keptObjects(folder, 1 << 20)
    for (const name of ['aa1', 'aa2']) shelf.keep(object(name, 400_000))
    shelf.keep(object('001', 100_000))
    expect(['aa1', 'aa2', '001'].filter((name) => shelf.find(name))).toHaveLength(3)
    usedAt(folder, 'aa2', 1000)
    shelf.keep(object('002', 200_000))
    expect(['aa1', 'aa2', '001', '002'].filter((name) => shelf.find(name))).toEqual(['aa1', '001', '002'])
  })
})
