import {describe, expect, test} from 'vitest'
import {indexHolds} from '../../sources/git-folder.ts'

interface Entry {
  path: string
  isExtended?: boolean
  /** Of version 4: bytes that are cut off the path before, and what follows. */
  cut?: number
  rest?: string
}

/** An index as git writes it, entry by entry. */
function index(version: number, entries: readonly (string | Entry)[], hashBytes = 20): Buffer {
  const head = Buffer.alloc(12)
  head.write('DIRC', 'latin1')
  head.writeUInt32BE(version, 4)
  head.writeUInt32BE(entries.length, 8)
  return Buffer.concat([
    head,
    ...entries.map((one) => entryOf(version, typeof one === 'string' ? {path: one} : one, hashBytes)),
  ])
}

function entryOf(version: number, {path, isExtended = false, cut, rest}: Entry, hashBytes: number): Buffer {
  // Times and sizes are no zero bytes, as in real entries.
  const stat = Buffer.alloc(40 + hashBytes, 0xff)
  const flags = Buffer.alloc(isExtended ? 4 : 2)
  flags.writeUInt16BE((isExtended ? 0x4000 : 0) | Math.min(path.length, 0xfff))
  if (version === 4) return Buffer.concat([stat, flags, offset(cut ?? 0), Buffer.from(`${rest ?? path}\0`)])
  const bytes = Buffer.concat([stat, flags, Buffer.from(path)])
  return Buffer.concat([bytes, Buffer.alloc(8 - (bytes.length % 8))])
}

/** Git's offset encoding: seven bits a byte, each further byte adds one. */
function offset(value: number): Buffer {
  const bytes = [value & 0x7f]
  for (let left = value >> 7; left > 0; left >>= 7) bytes.unshift(0x80 | (--left & 0x7f))
  return Buffer.from(bytes)
}

const holds = (version: number, entries: readonly (string | Entry)[], folder: string) =>
  indexHolds(index(version, entries), folder, 20)

describe.each([2, 3])('an index of version %s', (version) => {
  test('holds a folder of which it lists anything below', () => {
    const paths = ['a', 'docs/api/copy.md', 'src/kernels/add.cpp', 'zz']
    expect(['docs', 'docs/api', 'src', 'src/kernels'].map((folder) => holds(version, paths, folder))).toEqual(
      Array(4).fill(true),
    )
    expect(
      ['a', 'doc', 'docs/api/copy.md', 'docs/apis', 'kernels', 'zzz', 'zz'].map((folder) =>
        holds(version, paths, folder),
      ),
    ).toEqual(Array(7).fill(false))
  })

  test('lists a folder that is not checked out by its own name', () => {
    expect(['docs', 'docs/api', 'docs/apis', 'doc'].map((folder) => holds(version, ['docs/'], folder))).toEqual([
      true,
      true,
      true,
      false,
    ])
    expect(holds(version, ['docs/api/'], 'docs/api/copy')).toBe(true)
    expect(holds(version, ['docs/api/'], 'docs/apix')).toBe(false)
  })

  test('has entries of every length', () => {
    for (let length = 1; length <= 17; length += 1)
      expect(holds(version, ['a'.repeat(length), `b/${'c'.repeat(length)}`, 'docs/x'], 'docs')).toBe(true)
  })
})

test('extended flags stand in version 3 and later', () => {
  expect(holds(3, [{path: 'a', isExtended: true}, 'docs/x'], 'docs')).toBe(true)
  expect(holds(3, [{path: 'docs/x', isExtended: true}], 'docs')).toBe(true)
  expect(
    holds(
      4,
      [
        {path: 'a', isExtended: true},
        {path: 'docs/x', cut: 1},
      ],
      'docs',
    ),
  ).toBe(true)
  // Git never writes them before: the bits are part of the path's length there.
  expect(holds(2, [{path: 'docs/x', isExtended: true}], 'docs')).toBe(false)
})

test('version 4 keeps of a path what it shares with the one before', () => {
  const of = (entries: readonly Entry[], folder: string) => holds(4, entries, folder)
  expect(of([{path: 'docs/api/x'}, {path: 'docs/lib/y', cut: 5, rest: 'lib/y'}], 'docs/lib')).toBe(true)
  expect(of([{path: 'docs/api/x'}, {path: 'docs/lib/y', cut: 5, rest: 'lib/y'}], 'docs/apilib')).toBe(false)
  expect(of([{path: 'x'}, {path: 'docs/y', cut: 9, rest: 'docs/y'}], 'docs')).toBe(true)
  for (const length of [127, 128, 129, 255, 256, 300, 16_511, 16_512, 16_513]) {
    const first = `a${'b'.repeat(length)}`
    expect(of([{path: first}, {path: 'ac/d', cut: length, rest: 'c/d'}], 'ac')).toBe(true)
    expect(of([{path: first}, {path: 'ac/d', cut: length - 1, rest: 'c/d'}], 'ac')).toBe(false)
  }
})

test('hashes are 20 bytes, or 32', () => {
  expect(indexHolds(index(2, ['a', 'docs/x'], 32), 'docs', 32)).toBe(true)
  expect(indexHolds(index(2, ['a', 'docs/x'], 32), 'docs', 20)).toBe(false)
})

test('what cannot be read holds nothing', () => {
  const whole = index(2, ['a', 'docs/x'])
  const changed = (change: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(whole)
    change(bytes)
    return indexHolds(bytes, 'docs', 20)
  }
  expect(changed(() => {})).toBe(true)
  expect(changed((bytes) => bytes.write('DIRX', 'latin1'))).toBe(false)
  for (const version of [0, 1, 5]) expect(changed((bytes) => bytes.writeUInt32BE(version, 4))).toBe(false)
  expect(changed((bytes) => bytes.writeUInt32BE(1, 8))).toBe(false)
  // The end of the last entry is one to eight zero bytes, of which one is needed.
  const path = whole.indexOf('docs/x') + 6
  expect(
    [
      whole.subarray(0, path + 1),
      whole.subarray(0, path),
      whole.subarray(0, path - 7),
      whole.subarray(0, 12),
      whole.subarray(0, 11),
      Buffer.alloc(0),
    ].map((bytes) => indexHolds(bytes, 'docs', 20)),
  ).toEqual([true, false, false, false, false, false])
  expect(indexHolds(Buffer.concat([index(2, []), Buffer.alloc(61)]), 'docs', 20)).toBe(false)
  expect(indexHolds(Buffer.from('DIRC'), 'docs', 20)).toBe(false)
})
