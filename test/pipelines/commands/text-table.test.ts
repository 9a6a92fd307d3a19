import {describe, expect, test} from 'vitest'
import {table, wrapped} from '../../../pipelines/commands/text-table.ts'

const header = ['stage', 'read', 'written', 'why']
const rows = [
  ['flatten', 20, 46, 'include-missing 1, too-long 10'],
  ['compile-check', 46, 46, ''],
]

describe('a table', () => {
  test('stands in columns where there is room: numbers right, text left', () => {
    expect(table(header, rows, 60)).toBe(
      [
        'stage          read  written  why',
        'flatten          20       46  include-missing 1, too-long 10',
        'compile-check    46       46',
      ].join('\n'),
    )
    expect(table(header, rows)).toBe(table(header, rows, 60))
  })

  test('wraps its last column into the room that the others leave', () => {
    expect(table(header, rows, 50)).toBe(
      [
        'stage          read  written  why',
        'flatten          20       46  include-missing 1,',
        '                              too-long 10',
        'compile-check    46       46',
      ].join('\n'),
    )
  })

  test('puts the last column below where the others leave too little', () => {
    expect(table(header, rows, 34)).toBe(
      [
        'stage          read  written',
        'flatten          20       46',
        '    include-missing 1, too-long 10',
        'compile-check    46       46',
      ].join('\n'),
    )
  })

  test('becomes paragraphs where nothing fits, and breaks between the items', () => {
    expect(table(header, rows, 20)).toBe(
      [
        'flatten',
        '    read 20,',
        '    written 46,',
        '    why include-missing 1, too-long 10',
        'compile-check',
        '    read 46,',
        '    written 46',
      ].join('\n'),
    )
  })

  test('counts two cells for a character of an East Asian script', () => {
    expect(
      table(
        ['名', 'n'],
        [
          ['算子', 1],
          ['ab', 2],
        ],
      ),
    ).toBe('名    n\n算子  1\nab    2')
  })
})

describe('wrapping', () => {
  test('breaks before the width, indents what follows, and leaves long words whole', () => {
    expect(wrapped('one two three', 2, 7)).toBe('one two\n  three')
    expect(wrapped('  abcdefghijkl mn', 2, 6)).toBe('  abcdefghijkl\n  mn')
    expect(wrapped('short', 2, 80)).toBe('short')
  })
})

test('a row that becomes a paragraph begins with as many cells as name it, and says what the others are', () => {
  const header = ['arm', 'trained on', 'device code', 'text']
  expect(table(header, [['base', 'nothing', '1.010', '0.887']], 24, 2)).toBe(
    'base  nothing\n    device code 1.010,\n    text 0.887',
  )
})
