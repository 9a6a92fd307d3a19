import {describe, expect, test} from 'vitest'
import {cleanRow} from '../../../pipelines/general/general-language.ts'
import {languageOf} from '../../../pipelines/general/language-of.ts'

test.each([
  ['', 'none'],
  ['12 + 34', 'none'],
  ['`the code` $x$ https://the.address', 'none'],
  ['把数据搬运到片上内存', 'zh'],
  ['把資料搬運', 'zh'],
  ['Move the data', 'en'],
  ['データをはこぶ', 'Kana'],
  ['데이터를 옮긴다', 'Hangul'],
  ['перенести данные', 'Cyrillic'],
  ['نقل البيانات', 'Arabic'],
  ['डेटा ले जाना', 'Devanagari'],
  ['ย้ายข้อมูล', 'Thai'],
  ['העבר נתונים', 'Hebrew'],
])('%s is %s', (text, language) => {
  expect(languageOf(text)).toBe(language)
})

describe('shares of a text', () => {
  const words = (han: number, latin: number, other = 0) =>
    `${'搬'.repeat(han)} ${'word '.repeat(latin)}${'слово '.repeat(other)}`

  test('a fifth of Han characters makes a text Chinese', () => {
    expect([languageOf(words(4, 16)), languageOf(words(3, 16))]).toEqual(['zh', 'en'])
  })

  test('more than a tenth of another script makes it neither', () => {
    expect([languageOf(words(0, 9, 1)), languageOf(words(0, 8, 1)), languageOf(words(8, 0, 1))]).toEqual([
      'en',
      'Cyrillic',
      'Cyrillic',
    ])
    expect(languageOf(`${'слово '.repeat(3)}${'ไ'.repeat(4)}`)).toBe('Thai')
  })

  test('a tenth of its words are those that English cannot do without; fewer than twenty tell nothing', () => {
    const latin = (all: number, frequent: number) =>
      languageOf(`${'the '.repeat(frequent)}${'palabra '.repeat(all - frequent)}`)
    expect([latin(19, 0), latin(20, 1), latin(20, 2), latin(21, 2), latin(30, 3), latin(30, 2)]).toEqual([
      'en',
      'Latin',
      'en',
      'Latin',
      'en',
      'Latin',
    ])
  })

  test('of a long text the beginning and the end are looked at', () => {
    const han = '搬'.repeat(5000)
    expect(languageOf(`${han}${'палабра '.repeat(5000)}${han}${han}`)).toBe('zh')
    const end = `${'搬'.repeat(10_000)}${'слово '.repeat(5000)}${'слово '.repeat(1666)}word`
    expect(languageOf(end)).toBe('Cyrillic')
  })
})

describe('texts of a row', () => {
  const row = (answer: string, form: 'NFC' | 'NFKC' = 'NFC') => {
    const found = cleanRow({prompt: 'p', reasoning: 'r', answer} as Parameters<typeof cleanRow>[0], form)
    return 'reason' in found ? `${found.reason}: ${found.detail}` : found.answer
  }

  test.each([
    ['a\r\nb\rc', 'a\nb\nc'],
    ['\uFEFFa \t\nb  ', 'a\nb'],
    ['e\u0301', 'é'],
    ['a\tb', 'a\tb'],
    ['Ａ', 'Ａ'],
    [' \n ', 'empty-text: nothing but blanks'],
    ['a\uD800', 'half-a-character: a lone surrogate: no UTF-8 holds it'],
    ['a\uFFFD', 'damaged-text: it holds U+FFFD, left by a broken decoding'],
    ['a\u0007', 'control-character: U+0007'],
    ['a\u007f', 'control-character: U+007F'],
  ])('%j', (text, clean) => {
    expect(row(text)).toBe(clean)
  })

  test('in compatibility form, where it is asked for', () => {
    expect(row('Ａ', 'NFKC')).toBe('A')
    expect(cleanRow({prompt: ' a ', reasoning: 'b\r', answer: 'c'} as Parameters<typeof cleanRow>[0], 'NFC')).toEqual({
      prompt: 'a',
      reasoning: 'b',
      answer: 'c',
    })
  })
})
