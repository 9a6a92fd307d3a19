import {describe, expect, test} from 'vitest'
import {expandSources, isInclude} from '../../cpp/macros.ts'

/** `¦` for what parts pieces of code that do not belong together. */
const code = (...texts: string[]) =>
  expandSources(texts).map((one) => one.code.map(({text}) => (text === '' ? '¦' : text)).join(' '))
const directives = (text: string) =>
  (expandSources([text])[0]?.directives ?? []).map(({name, tokens}) =>
    [name, ...tokens.map((one) => one.text)].join(' '),
  )

describe('code as a compiler goes through it, then the bodies of its macros', () => {
  test.each<[string, string]>([
    ['int a = 1;\n#define N 4\nint b = N;', 'int a = 1 ; int b = 4 ; ¦ 4'],
    ['#define F(x, y) x + y\nF(1, (2, 3));F;F (4,5)', '1 + ( 2 , 3 ) ; F ; 4 + 5 ¦ ¦ + ¦'],
    ['#define F (x)\nF', '( x ) ¦ ( x )'],
    ['#define E\nE a E', 'a ¦'],
    ['#define Z() 0\nZ() Z( )', '0 0 ¦ 0'],
    // Texts and joined words.
    ['#define S(x) #x\nS(a  b "c\\d")', '"a b \\"c\\\\d\\"" ¦ # ¦'],
    ['#define J(a, b) a##b\nJ(x, 1) J(, y) J(z, )', 'x1 y z ¦ ¦ ## ¦'],
    ['#define D(x) x##_t x\nD(N)\n#define N 4', 'N_t 4 ¦ ¦ ## _t ¦ ¦ 4'],
    ['__CONCAT(a, b) __STRING(c d)', 'ab "c d"'],
    // Further arguments are those of the last parameter.
    ['#define L(x, ...) f(x, ##__VA_ARGS__)\nL(1, 2, 3);', 'f ( 1 , 2 , 3 ) ; ¦ f ( ¦ , ## ¦ )'],
    ['#define V(args...) g(args)\nV(1,2)', 'g ( 1 , 2 ) ¦ g ( ¦ )'],
    ['#define M(a, b) a b\nM(1)\nM(1,2,3)', '1 1 2 , 3 ¦ ¦ ¦'],
    // A name is not replaced within itself.
    ['#define A B\n#define B A\nA B', 'A B ¦ B ¦ A'],
    ['#define SELF SELF + 1\nSELF', 'SELF + 1 ¦ SELF + 1 + 1'],
    ['#define G(x) x\nG(G(2))', '2 ¦ ¦'],
    // A name with several definitions stands for all of them.
    ['#define N 1\n#define N 2\nN', '1 2 ¦ 1 ¦ 2'],
    ['#define N 1\n#define N 1\nN', '1 ¦ 1 ¦ 1'],
    ['#define F(a) a\n#define F 7\nF(3)', '3 7 ¦ ¦ ¦ 7'],
    // What has no end is no call, and no macro.
    ['#define P(x) x x\nP(', 'P ( ¦ ¦ ¦'],
    ['#define X(a\nX(1)', 'X ( 1 ) ¦'],
    // What pragmas say is code as well.
    ['#pragma once\n#pragma GCC poison x\ny', 'y ¦ once ¦ GCC poison x'],
    ['_Pragma("GCC error \\"x\\"") z', '_Pragma ( "GCC error \\"x\\"" ) z ¦ GCC error "x"'],
    ['#define Q(x) _Pragma(#x)\nQ(weak f)', '_Pragma ( "weak f" ) ¦ _Pragma ( # ¦ ) ¦ weak f'],
    ['_Pragma(x)', '_Pragma ( x )'],
    ['# 12 "file.c"\nx', 'x'],
    ['#\nx # y', 'x # y'],
  ])('%j', (text, expanded) => {
    expect(code(text)).toEqual([expanded])
  })

  test('macros of one text are those of all', () => {
    expect(code('int F(a) {}', '#define F(x) [x]')).toEqual(['int [ a ] { }', '¦ [ ¦ ]'])
  })

  test('what a macro stands for is where the macro stands', () => {
    const text = 'int a;\n#define OPEN(x) x(1)\nOPEN(f);'
    const made = expandSources([text])[0]?.code.find(({text: one}) => one === 'f')
    expect(made).toMatchObject({start: text.lastIndexOf('OPEN'), leads: false})
  })

  test('a macro that grows without end is cut off', () => {
    const lines = Array.from({length: 30}, (_, at) => `#define A${at + 1} A${at} A${at}`)
    const [expanded] = expandSources([`#define A0 x\n${lines.join('\n')}\nA30`])
    expect(expanded?.code.length).toBeLessThan(1_000_000)
  })
})

test('directives are told with what follows their name; of an include by macro, with what that stands for', () => {
  const text = '#include "a.h"\n#include <b>\n#define H <c>\n#include H\n#import "d"\n#include_next <e>\n# 12 "f"\n#'
  expect(directives(text)).toEqual([
    'include "a.h"',
    'include <b>',
    'define H < c >',
    'include < c >',
    'import "d"',
    'include_next <e>',
    'line 12 "f"',
  ])
  expect((expandSources([text])[0]?.directives ?? []).map(isInclude)).toEqual([
    true,
    true,
    false,
    true,
    true,
    true,
    false,
  ])
  expect(directives('a\n  # define X\\\n 1\nb')).toEqual(['define X 1'])
})
