import {expect, test} from 'vitest'
import {applyEdits, wholeLines} from '../../cpp/edit.ts'

test.each<[name: string, edits: [start: number, end: number, text: string][], after: string]>([
  ['none', [], '0123456789'],
  [
    'in any order',
    [
      [6, 8, 'b'],
      [2, 4, 'a'],
    ],
    '01a45b89',
  ],
  [
    'side by side',
    [
      [2, 4, 'a'],
      [4, 6, 'b'],
    ],
    '01ab6789',
  ],
  [
    'at the ends',
    [
      [0, 1, 'a'],
      [9, 10, 'b'],
    ],
    'a12345678b',
  ],
  ['where nothing goes', [[5, 5, 'a']], '01234a56789'],
  [
    'the first of two that overlap',
    [
      [4, 8, 'b'],
      [2, 6, 'a'],
    ],
    '01a6789',
  ],
  [
    'the longer of two from one place',
    [
      [2, 4, 'a'],
      [2, 6, 'b'],
    ],
    '01b6789',
  ],
])('edits are made: %s', (_, edits, after) => {
  const all = edits.map(([start, end, text]) => ({start, end, text}))
  expect(applyEdits('0123456789', all)).toBe(after)
})

/** What is left where the `xx` of a text goes. */
function left(text: string): string {
  const start = text.indexOf('xx')
  return applyEdits(text, [wholeLines({start, end: start + 2, text: ''}, text)])
}

test.each<[name: string, text: string, after: string]>([
  ['alone on its line', 'a\n  xx\nb\n', 'a\nb\n'],
  ['with blanks behind it', 'a\n\txx \t\nb\n', 'a\nb\n'],
  ['with a comment behind it', 'a\n  xx // of it\nb\n', 'a\nb\n'],
  ['on the first line', 'xx\nb\n', 'b\n'],
  ['on a first line that begins with a blank', ' xx\nb\n', 'b\n'],
  ['on the last line', 'a\n  xx', 'a\n'],
  ['right behind an empty line', 'a\n\nxx\nb\n', 'a\n\nb\n'],
  ['behind others', 'a; xx\nb\n', 'a; \nb\n'],
  ['before others', '  xx b\nc\n', '   b\nc\n'],
  ['before a comment and others', '  xx /* of it */ b\n', '   /* of it */ b\n'],
])('what goes takes its line where it stands %s', (_, text, after) => expect(left(text)).toBe(after))
