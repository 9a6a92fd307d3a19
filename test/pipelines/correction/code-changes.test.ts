import {expect, test} from 'vitest'
import {changedLines, changesBetween} from '../../../pipelines/correction/references.ts'

const changes = (before: string, after: string) =>
  changesBetween([{path: 'k', text: before}], [{path: 'k', text: after}]).map(({path, ...rest}) => rest)

test.each<[string, string, string, ReturnType<typeof changes>]>([
  ['nothing', 'a\nb\n', 'a\nb\n', []],
  ['a line for another', 'a\nb\nc\n', 'a\nB\nc\n', [{line: 2, removed: ['b'], added: ['B']}]],
  ['the first line', 'a\nb\n', 'A\nb\n', [{line: 1, removed: ['a'], added: ['A']}]],
  ['lines that come', 'a\nb\n', 'a\nx\ny\nb\n', [{line: 2, removed: [], added: ['x', 'y']}]],
  ['lines that go', 'a\nb\nc\nd\n', 'a\nd\n', [{line: 2, removed: ['b', 'c'], added: []}]],
  [
    'two places, the second counted in the failed file',
    'a\nb\nc\nd\ne\n',
    'x\na\nb\nc\nD\ne\n',
    [
      {line: 1, removed: [], added: ['x']},
      {line: 4, removed: ['d'], added: ['D']},
    ],
  ],
  [
    'two places behind a longer stretch that goes',
    'a\nb\nc\nd\n',
    'c\nD\n',
    [
      {line: 1, removed: ['a', 'b'], added: []},
      {line: 4, removed: ['d'], added: ['D']},
    ],
  ],
])('%s', (_, before, after, expected) => expect(changes(before, after)).toEqual(expected))

test('a file of the right side alone is all added, one of the failed side alone is not looked at', () => {
  const only = {path: 'new.h', text: 'a\nb\n'}
  expect(changesBetween([], [only])).toEqual([{path: 'new.h', line: 1, removed: [], added: ['a', 'b']}])
  expect(changesBetween([only], [])).toEqual([])
})

test('a line for another counts once', () => {
  const change = (removed: string[], added: string[]) => ({path: 'k', line: 1, removed, added})
  expect(changedLines([])).toBe(0)
  expect(changedLines([change(['a'], ['b'])])).toBe(1)
  expect(changedLines([change(['a', 'b', 'c'], ['d']), change([], ['e', 'f'])])).toBe(5)
})
