import {describe, expect, test} from 'vitest'
import {count, fileName, notices, size, table} from '../../../datasets/card/card-sections.ts'
import {combined, type ConfigStats} from '../../../datasets/card/stats.ts'

type Source = [licence: string, repository: string, revision: string, rows: number]
const stats = (...sources: Source[]): ConfigStats => {
  const tallies = sources.map(([licence, repository, revision, rows]) => [
    [licence, repository, revision].join(combined),
    rows,
  ])
  return {tallies: {'licence+repository+revision': tallies}} as unknown as ConfigStats
}

describe('notices', () => {
  test('name every source once, with its rows in all configurations together', () => {
    const text = notices(
      [stats(['MIT', 'a/b', 'r1', 1], ['MIT', 'c/d', 'r2', 5]), stats(['MIT', 'a/b', 'r1', 2000])],
      [],
    )
    expect(text.match(/\| a\/b \| r1 \| 2,001 \|/g)).toHaveLength(1)
    expect(text).toContain('| c/d | r2 | 5 |')
    expect(text.match(/^## /gm)).toHaveLength(1)
  })

  test('stand under their licence, in its order, with the text that is shipped or where it is', () => {
    const text = notices([stats(['MIT', 'a/b', 'r', 1], ['Apache-2.0', 'c/d', 'r', 1])], ['MIT'])
    const headings = [...text.matchAll(/^## .*\((.*)\)$/gm)].map(([, id]) => id)
    expect(headings).toEqual(['Apache-2.0', 'MIT'])
    expect(text).toContain('Text: LICENSES/MIT.txt')
    expect(text).not.toContain('LICENSES/Apache-2.0.txt')
    expect(text).toMatch(/Text: https?:/)
  })

  test('keep the copyright lines of the repositories that have some', () => {
    const text = notices([stats(['MIT', 'a/b', 'r', 1], ['MIT', 'c/d', 'r', 1])], [], {'a/b': ['Copyright 2024 A']})
    expect(text).toContain('Copyright notices in the files of a/b:\n\n- Copyright 2024 A')
    expect(text).not.toContain('files of c/d')
  })

  test('a repository whose name holds the separator keeps it', () => {
    const name = `odd${combined}name`
    expect(notices([stats(['MIT', name, 'r9', 3])], [])).toContain('| r9 | 3 |')
  })
})

test('numbers, sizes and names are written alike on every machine', () => {
  expect([0, 999, 1000, 1_234_567].map(count)).toEqual(['0', '999', '1,000', '1,234,567'])
  expect([0, 1023, 1024, 1536, 1024 * 1024 - 1, 1024 * 1024, 5_767_168].map(size)).toEqual([
    '0 B',
    '1023 B',
    '1.0 KiB',
    '1.5 KiB',
    '1024.0 KiB',
    '1.0 MiB',
    '5.5 MiB',
  ])
  expect(['MIT', 'LicenseRef-a b/c', 'GPL-2.0+'].map(fileName)).toEqual([
    'MIT.txt',
    'LicenseRef-a-b-c.txt',
    'GPL-2.0+.txt',
  ])
  expect(table(['a', 'b|'], [['1\n2', 'x\\|y']])).toBe('| a | b\\| |\n| --- | --- |\n| 1 2 | x\\|y |')
})
