import {existsSync, readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {makeFolder} from '../../engine/files.ts'
import {assertRoom, assertWritable} from '../../engine/room.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

const told = (work: () => void) => {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}

describe('a folder is made', () => {
  test('with those around it, and once', async () => {
    const path = join(await temporaryFolder(), 'a/b/c')
    makeFolder(path)
    makeFolder(path)
    expect(existsSync(path)).toBe(true)
  })

  test('or what stands in the way is named', async () => {
    const file = join(await temporaryFolder(), 'file')
    writeFileSync(file, '')
    expect(told(() => makeFolder(file))).toMatchObject({
      code: 'output-unwritable',
      message: `${file} cannot be written (EEXIST).`,
    })
    expect(told(() => makeFolder(join(file, 'a')))).toMatchObject({message: `${file}/a cannot be written (ENOTDIR).`})
  })

  // Node's own way of making folders never ends there.
  test.runIf(existsSync('/proc/self'))('and a file system that takes none is told from one that lacks a folder', () => {
    expect(told(() => makeFolder('/proc/a/b'))).toMatchObject({
      code: 'output-unwritable',
      message: '/proc/a cannot be written (/proc does not accept new folders).',
    })
  })
})

test('a folder that takes files keeps none of the trial', async () => {
  const folder = join(await temporaryFolder(), 'new')
  assertWritable(folder)
  expect(readdirSync(folder)).toEqual([])
})

test('a disk has the room that is asked for, or the error says where, how much is left and how much is needed', async () => {
  const folder = await temporaryFolder()
  const words = {purpose: 'the work', setting: '--out'}
  assertRoom(folder, 1, words)
  expect(told(() => assertRoom(folder, 2 ** 60, words))).toMatchObject({
    code: 'disk-full',
    scope: 'run',
    message: expect.stringMatching(
      /^The disk is full: \S+ has [\d.]+ MiB free, and the work needs 1099511627776 MiB\.$/,
    ) as string,
    fix: 'Free some space, or choose a folder on another disk with --out; then run the command again.',
    evidence: {path: folder, needed: 2 ** 60},
  })
})
