import fc from '../helpers/properties.ts'
import {describe, expect, test} from 'vitest'
import {literalValue, tokenize, tokenTexts} from '../../cpp/tokens.ts'

const words = (text: string) => tokenize(text).map((token) => token.text)
const kinds = (text: string) => tokenize(text).map(({kind, text: said}) => `${kind} ${said}`)

describe('a text is taken apart as a compiler does it', () => {
  test.each<[string, string[]]>([
    ['a+b', ['word a', 'mark +', 'word b']],
    ['x->y::z...', ['word x', 'mark ->', 'word y', 'mark ::', 'word z', 'mark ...']],
    ["1'000.5e+3f 0x1p-3 .5", ["number 1'000.5e+3f", 'number 0x1p-3', 'number .5']],
    [`u8"a\\"b" L'c'`, ['string u8"a\\"b"', "character L'c'"]],
    [
      '%:define A <: 1 :> <% %>',
      ['mark #', 'word define', 'word A', 'mark [', 'number 1', 'mark ]', 'mark {', 'mark }'],
    ],
    ['f<::std::x>', ['word f', 'mark <', 'mark ::', 'word std', 'mark ::', 'word x', 'mark >']],
    ['#include <a/b.h>', ['mark #', 'word include', 'header <a/b.h>']],
    [
      '#include_next <a>\n#import <b>\n#embed <c>',
      [
        'mark #',
        'word include_next',
        'header <a>',
        'mark #',
        'word import',
        'header <b>',
        'mark #',
        'word embed',
        'header <c>',
      ],
    ],
    ['include <a>', ['word include', 'mark <', 'word a', 'mark >']],
    ['#if <a>', ['mark #', 'word if', 'mark <', 'word a', 'mark >']],
    ['R"x(a)" b)x" c', ['string R"x(a)" b)x"', 'word c']],
    ['"no end\nint a', ['string "no end', 'word int', 'word a']],
    ['a /* b */ c // d\ne', ['word a', 'word c', 'word e']],
    ['a /* b', ['word a']],
    ['in\\\nt a', ['word int', 'word a']],
    ['in\\  \r\nt', ['word int']],
  ])('%j', (text, tokens) => {
    expect(kinds(text)).toEqual(tokens)
  })

  test('each token knows where it stood, whether it leads its line, and whether space is before it', () => {
    const text = 'a b\n  c/**/d\\\ne f'
    expect(tokenize(text).map(({text: said, start, leads, spaced}) => [said, start, leads, spaced])).toEqual([
      ['a', 0, true, false],
      ['b', 2, false, true],
      ['c', 6, true, true],
      ['de', 11, false, true],
      ['f', 16, false, true],
    ])
  })

  test.each<[string, string[]]>([
    ['a b/**/"c"', ['a', 'b', '"c"']],
    ['a\\\nb c\\\n d', ['a\\\nb', 'c', 'd']],
    ['R"(a)"\\\nb', ['R"(a)"', 'b']],
    ['<::> %:%:', ['<:', ':>', '%:%:']],
  ])('the tokens of %j are written as %j', (text, written) => {
    expect(tokenize(text).map(({start, end}) => text.slice(start, end))).toEqual(written)
  })

  test('spaces beyond ASCII are spaces', () => {
    expect(tokenize('a\u3000b\u00a0c').map(({text, spaced}) => [text, spaced])).toEqual([
      ['a', false],
      ['b', true],
      ['c', true],
    ])
  })

  test.each<[string, string[]]>([
    ["it's a\nkernel", ['it', "'", 's', 'a', 'kernel']],
    [`"open L"x" u'`, ['"open L"', 'x', '"', 'u', "'"]],
    [`'a\\'b "c" 'd'`, [`'a\\'b "c" '`, 'd', "'"]],
    ['R"(x', ['R"(x']],
    ['5个 算子', ['5', '个', '算', '子']],
    ['## $x ... <:', ['#', '#', '$', 'x', '.', '.', '.', '<', ':']],
  ])('an excerpt as %j has its quotes without an end as marks', (text, written) => {
    expect(tokenize(text, 'excerpt').map((token) => token.text)).toEqual(written)
  })

  test('quotes without an end are looked at once', () => {
    const start = performance.now()
    expect(tokenize(`'${"\\'".repeat(100_000)}`, 'excerpt')).toHaveLength(200_001)
    expect(performance.now() - start).toBeLessThan(2000)
  })

  test('marks that touch make operators, shifts stay apart', () => {
    const said = tokenize('a+=b<<=c<<d>>e; A<B<C>>f; + = &&& n-->g', 'operators')
    expect(said.map((one) => one.text).join(' ')).toBe('a += b <<= c < < d > > e ; A < B < C > > f ; + = && & n -- > g')
    expect(said.slice(1, 4).map(({start, end}) => [start, end])).toEqual([
      [1, 3],
      [3, 4],
      [4, 7],
    ])
  })

  test.each<[string, number[]]>([
    // A token that begins where a line was joined to the next stands in the next.
    [' \\\nb', [3]],
    ['\\\nb', [2]],
    ['a\\\n\\\n+b', [0, 5, 6]],
    ['R"(a)"\\\nb', [0, 8]],
    ['a \\\nR"(b\\\n)" c', [0, 4, 13]],
  ])('%j has tokens at %j', (text, starts) => {
    expect(tokenize(text).map(({start}) => start)).toEqual(starts)
  })

  test('places hold behind any number of splices, and within raw strings, where there are none', () => {
    const piece = fc.constantFrom('name', ' ', '\\\n', '\\ \r\n', '1', '+', 'R"(a\\\nb)"', '"s"', '\n')
    fc.assert(
      fc.property(fc.array(piece, {maxLength: 30}), (pieces) => {
        const text = `${pieces.join(' ')} last`
        const last = tokenize(text).at(-1)
        expect(text.slice(last?.start)).toBe('last')
        for (const {kind, text: said, start} of tokenize(text))
          if (kind === 'string') expect(text.slice(start, start + said.length)).toBe(said)
      }),
    )
  })

  test('no text is taken for more, or less, than it is', () => {
    fc.assert(
      fc.property(fc.string({unit: 'grapheme-ascii'}), (text) => {
        for (const {start} of tokenize(text)) expect(start).toBeLessThan(text.length)
        // A backslash before it would join the end of the line with the next one.
        if (!text.endsWith('\\')) expect(words(`${text}\n`)).toEqual(words(text))
      }),
    )
  })
})

test.each<[string, string]>([
  ['"a"', 'a'],
  [`'a'`, 'a'],
  ['u8"a"', 'a'],
  ['L"a"', 'a'],
  ['R"(a\\n)"', 'a\\n'],
  ['u8R"x(a)x"', 'a'],
  ['"\\n\\t\\r\\\\\\""', '\n\t\r\\"'],
  ['"\\x41\\101\\u0041\\u{0041}"', 'AAAA'],
  ['"\\0"', '\0'],
  ['"\\x10ffff"', '\u{10ffff}'],
  ['"\\x110000"', ''],
])('%s stands for %j', (text, value) => {
  const [token] = tokenize(text)
  expect(token && literalValue(token)).toBe(value)
})

test('a header stands for the name between its brackets', () => {
  const header = tokenize('#include <a.h>').at(-1)
  expect(header && literalValue(header)).toBe('a.h')
})

test('the texts of tokens alone are those that the tokens have', () => {
  const piece = fc.constantFrom(
    'a',
    ' ',
    '\n',
    '"',
    "'",
    '//',
    '/*',
    '*/',
    '\\\n',
    '->',
    '<:',
    '#include <',
    '1.5e',
    '$',
    'R"(',
    '中',
  )
  fc.assert(
    fc.property(fc.array(piece, {maxLength: 12}), (pieces) => {
      const text = pieces.join('')
      expect(tokenTexts(text, 'excerpt')).toEqual(tokenize(text, 'excerpt').map((token) => token.text))
    }),
  )
})
