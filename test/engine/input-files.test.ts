import {spawnSync} from 'node:child_process'
import {mkdir, symlink, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {findFiles, readInput, type Found} from '../../engine/input-files.ts'
import {rejection} from '../helpers/teacher.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

async function found(root: string): Promise<Found[]> {
  const all: Found[] = []
  for await (const one of findFiles(root)) all.push(one)
  return all
}

/** A folder with a file, others in it, links, a pipe and a name that is no UTF-8. */
async function dirty(): Promise<string> {
  const root = await temporaryFolder()
  for (const folder of ['b', 'b/.git', 'b/node_modules', 'b/x.git', '.git', 'c']) await mkdir(join(root, folder))
  for (const file of [
    'a.txt',
    'b/2',
    'b/10',
    'b/.git/x',
    'b/node_modules/x',
    'b/x.git/y',
    '.git/x',
    'Z',
    'node_modules',
  ])
    await writeFile(join(root, file), 'text')
  await symlink('a.txt', join(root, 'link'))
  await symlink('b', join(root, 'linked'))
  await symlink('nothing', join(root, 'lost'))
  await writeFile(Buffer.concat([Buffer.from(`${root}/bad-`), Buffer.from([0xe9, 0x0a])]), '')
  expect(spawnSync('mkfifo', [join(root, 'pipe')]).status).toBe(0)
  return root
}

describe('files below a folder', () => {
  const link = {reason: 'symbolic-link', detail: 'links are not followed'}
  test('are found in the order of their names; what is no file is refused, and no link followed', async () => {
    expect(await found(await dirty())).toEqual([
      {path: 'Z'},
      {path: 'a.txt'},
      {path: 'b/10'},
      {path: 'b/2'},
      {path: 'b/x.git/y'},
      {
        path: 'bad-\\xe9\\x0a',
        folder: false,
        refused: {reason: 'name-not-utf-8', detail: 'its name is not UTF-8, so no record can refer to it'},
      },
      {path: 'link', folder: false, refused: link},
      {path: 'linked', folder: true, refused: link},
      {path: 'lost', folder: false, refused: link},
      {path: 'node_modules'},
      {path: 'pipe', folder: false, refused: {reason: 'not-a-file', detail: 'a pipe, a socket or a device'}},
    ])
  })

  test('of a folder that is not there are an error', async () => {
    const root = join(await temporaryFolder(), 'gone')
    expect(await rejection(found(root))).toMatchObject({
      code: 'input-unreadable',
      scope: 'run',
      message: `${root} cannot be read (ENOENT).`,
      evidence: {path: root, why: 'ENOENT'},
    })
  })
})

describe('an untrusted file', () => {
  test.each([
    [0, 0],
    [0, 1],
    [1, 1],
    [99, 100],
    [100, 100],
    [70_000, 70_000],
  ])('of %i bytes is read where %i are taken', async (bytes, most) => {
    const path = join(await temporaryFolder(), 'a')
    const text = 'x'.repeat(bytes)
    await writeFile(path, text)
    expect(await readInput(path, most)).toEqual(Buffer.from(text))
  })

  test.each([
    [1, 0],
    [101, 100],
  ])('of %i bytes is refused where %i are taken', async (bytes, most) => {
    const path = join(await temporaryFolder(), 'a')
    await writeFile(path, 'x'.repeat(bytes))
    const detail = `at least ${bytes} bytes, the limit is ${most}`
    expect(await readInput(path, most)).toEqual({reason: 'file-too-large', detail})
  })

  test('that says that it is empty is read to its end, and not beyond the limit', async () => {
    const whole = (await readInput('/proc/self/status', 1_000_000)) as Buffer
    expect(whole.toString()).toMatch(/^Name:[^]*\n$/)
    expect(await readInput('/proc/self/status', 20)).toMatchObject({reason: 'file-too-large'})
  })

  test.each([
    ['b', {reason: 'not-a-file', detail: 'a folder, a pipe, a socket or a device'}],
    ['pipe', {reason: 'not-a-file', detail: 'a folder, a pipe, a socket or a device'}],
    ['link', {reason: 'symbolic-link', detail: 'it cannot be read (ELOOP)'}],
    ['gone', {reason: 'unreadable', detail: 'it cannot be read (ENOENT)'}],
    ['a.txt/x', {reason: 'unreadable', detail: 'it cannot be read (ENOTDIR)'}],
    ['x'.repeat(300), {reason: 'unreadable', detail: 'it cannot be read (ENAMETOOLONG)'}],
  ])('that is none is refused: %s', async (name, refused) => {
    expect(await readInput(join(await dirty(), name), 100)).toEqual(refused)
  })
})
