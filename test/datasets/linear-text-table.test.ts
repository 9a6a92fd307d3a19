import {describe, expect, test} from 'vitest'
import {
  replaceBetween,
  replaceLinks,
  splitBetween,
  withinTags,
  withoutImages,
  withoutTags,
  withoutTrailingBlanks,
} from '../../datasets/linear-text.ts'

test.each<[string, string[]]>([
  ['', ['']],
  ['a', ['a']],
  ['a<!--b-->c', ['a', '<!--b-->', 'c']],
  ['<!--b--><!--c-->', ['', '<!--b-->', '', '<!--c-->', '']],
  ['a<!--b', ['a<!--b']],
  ['a-->b<!--c-->', ['a-->b', '<!--c-->', '']],
  ['<!--a<!--b-->c-->', ['', '<!--a<!--b-->', 'c-->']],
])('%j between comments: %j', (text, parts) => {
  expect(splitBetween(text, /<!--/g, /-->/g)).toEqual(parts)
  expect(replaceBetween(text, /<!--/g, /-->/g, () => '#')).toBe(parts.map((part, at) => (at % 2 ? '#' : part)).join(''))
})

test.each([
  ['a <b>c</b> d', 'a c d'],
  ['a < b', 'a < b'],
  ['a <b < c', 'a <b < c'],
  ['<a>b<c', 'b<c'],
  ['<>', ''],
  ['>', '>'],
  ['', ''],
])('%j without tags is %j', (text, plain) => {
  expect(withoutTags(text)).toBe(plain)
})

test('only what stands up to the last tag and its blanks is looked at', () => {
  const seen = (text: string) => {
    let part = ''
    withinTags(text, (one) => (part = one))
    return part
  }
  expect(['a<b>  \n c', 'no tag', ' x', '<a> ', '<a>'].map(seen)).toEqual(['a<b>  \n ', '', '', '<a> ', '<a>'])
})

test.each([
  ['a  \nb\t\n', 'a\nb\n'],
  ['a b  c', 'a b  c'],
  ['a ', 'a'],
  [' \t', ''],
  ['a \r\nb', 'a\r\nb'],
  ['a \u2028b \u2029', 'a\u2028b\u2029'],
  ['a\u00a0\n', 'a\u00a0\n'],
])('%j ends without blanks: %j', (text, plain) => {
  expect(withoutTrailingBlanks(text)).toBe(plain)
})

describe('links', () => {
  const found = (text: string) => {
    const links: string[] = []
    const rest = replaceLinks(text, ({whole, image, label, target}) => {
      links.push(`${image ? 'image ' : ''}${label}|${target}|${whole}`)
      return '#'
    })
    return [rest, ...links]
  }
  test.each<[string, ...string[]]>([
    ['[a](b)', '#', 'a|b|[a](b)'],
    ['x [a](b) y ![c](d)', 'x # y #', 'a|b|[a](b)', 'image c|d|![c](d)'],
    ['![a](b)', '#', 'image a|b|![a](b)'],
    ['[D](D(I).md#a)', '#', 'D|D(I).md#a|[D](D(I).md#a)'],
    ['[a[b]c](d)', '#', 'a[b]c|d|[a[b]c](d)'],
    ['[](b)', '#', '|b|[](b)'],
    ['[a]()', '#', 'a||[a]()'],
    ['[a] (b)', '[a] (b)'],
    ['[a](b', '[a](b'],
    ['[a](b\n)', '[a](b\n)'],
    ['[a\nb](c)', '#', 'a\nb|c|[a\nb](c)'],
    ['[a](b(c(d)))', '[a](b(c(d)))'],
    ['[[a](b)', '[#', 'a|b|[a](b)'],
    ['[a](b)[c](d)', '##', 'a|b|[a](b)', 'c|d|[c](d)'],
    ['[a](b)!', '#!', 'a|b|[a](b)'],
    ['[a](b)![c](d)', '##', 'a|b|[a](b)', 'image c|d|![c](d)'],
    ['no link', 'no link'],
    ['', ''],
  ])('%j', (text, ...expected) => {
    expect(found(text)).toEqual(expected)
  })
})

test.each([
  ['a ![b](c) d', 'a  d'],
  ['![a](b)![c](d)', ''],
  ['![a\\]b](c)', ''],
  ['![a] (b)', '![a] (b)'],
  ['![a](b', '![a](b'],
  ['![a', '![a'],
  ['![a](b) ![c', ' ![c'],
  ['![a]![b](c)', '![a]'],
  ['[a](b)', '[a](b)'],
  ['', ''],
])('%j without images is %j', (text, plain) => {
  expect(withoutImages(text)).toBe(plain)
})
