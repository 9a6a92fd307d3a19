import {expect, test} from 'vitest'
import {activeText, chipMacros, conditionValue} from '../../cpp/conditions.ts'

const {kernel, host} = chipMacros

test.each([
  ['__CCE_AICORE__ == 220', true],
  ['__CCE_AICORE__ == 200 || __CCE_AICORE__ == 310', false],
  ['__CCE_AICORE__ >= 220 && !(defined(__NPU_ARCH__) && (__NPU_ARCH__ == 3003 || __NPU_ARCH__ == 3113))', true],
  ['defined(__NPU_ARCH__) && __NPU_ARCH__ == 3510 || defined __DAV_M200__', false],
  ['__CCE_AICORE__ == 220 or __CCE_AICORE__ == 310', true],
  ['!defined(__CCE_AICORE__) && SOMETHING', false],
  ['defined(__CCE_AICORE__) || SOMETHING', true],
  ['defined(CATLASS_ARCH) && CATLASS_ARCH == 2201', true],
  ['CATLASS_ARCH == 3510', false],
  ['SOMETHING', undefined],
  ['!SOMETHING', undefined],
  ['defined(__CCE_AICORE__) && SOMETHING', undefined],
  ['ORIG_DTYPE_X == DT_BF16', undefined],
  ['VERSION(9, 0) > 1', undefined],
  ['(__CCE_AICORE__ > 200', undefined],
])('the condition %s is %s for a kernel of Atlas A2', (text, expected) => {
  expect(conditionValue(text, kernel)).toBe(expected)
})

/** The lines that are left, by number. */
function left(lines: readonly string[], macros = kernel): number[] {
  const active = activeText(lines.join('\n'), macros).split('\n')
  return active.flatMap((line, index) => (line === '' || line.startsWith('#') ? [] : [index + 1]))
}

test('branches of other chips are blank, those of this one and open ones stay', () => {
  const lines = [
    '#if __CCE_AICORE__ == 200',
    'old;',
    '#elif __CCE_AICORE__ == 220',
    'ours;',
    '#else',
    'new;',
    '#endif',
    '#ifdef FAST',
    'fast;',
    '#else',
    'slow;',
    '#endif',
    '#ifndef __CCE_AICORE__',
    'host;',
    '#endif',
  ]
  expect(left(lines)).toEqual([4, 9, 11])
  expect(left(lines, host)).toEqual([6, 9, 11, 14])
})

test('after an open branch a later one that holds may be taken, and none behind it', () => {
  expect(left(['#if FAST', 'a;', '#elif __CCE_AICORE__ == 220', 'b;', '#else', 'c;', '#endif'])).toEqual([2, 4])
})

test('numbers that the file defines decide, when they are defined for sure', () => {
  const defining = (condition: string) => [
    '#ifndef GUARD_H',
    '#define GUARD_H',
    `#if ${condition}`,
    '#define FAST 1',
    '#else',
    '#define FAST 0',
    '#endif',
    '#if FAST',
    'fast;',
    '#endif',
    '#endif',
  ]
  expect(left(defining('__NPU_ARCH__ == 3510'))).toEqual([])
  expect(left(defining('__NPU_ARCH__ == 2201'))).toEqual([9])
  expect(left(defining('OTHER'))).toEqual([9])
})

test('a condition may go on in the next line', () => {
  const lines = ['#if __CCE_AICORE__ == 310 || \\', '__CCE_AICORE__ == 200', 'other;', '#endif', 'all;']
  expect(left(lines)).toEqual([2, 5])
})

test('what a later branch defines is not sure behind one that may be taken', () => {
  const lines = (first: string, second: string) => {
    const branches = [`#if ${first}`, `#elif ${second}`, '#elif __CCE_AICORE__ == 220', '#define A 1', '#endif']
    return [...branches, '#if A', 'a;', '#else', 'b;', '#endif']
  }
  expect(left(lines('FAST', '__CCE_AICORE__ == 200'))).toEqual([7, 9])
  expect(left(lines('__CCE_AICORE__ == 200', 'FAST'))).toEqual([7, 9])
})

test('lines may end as Windows has it, and a condition that is ruled out goes on as well', () => {
  expect(left(['#if __CCE_AICORE__ == 200\r', 'other;\r', '#else\r', 'ours;\r', '#endif\r'])).toEqual([4])
  const inner = ['#if __CCE_AICORE__ == 200', '#if A && \\', 'B', 'a;', '#endif', '#endif', 'all;']
  expect(left(inner)).toEqual([7])
})

test('a line that goes on with the one before it defines nothing, and opens no branch', () => {
  const after = (first: string) => left([first, '#define WIDE 1', '#if WIDE', 'wide;', '#else', 'narrow;', '#endif'])
  expect(after('#define NAME 2')).toEqual([4])
  expect(after('#define NAME \\')).toEqual([4, 6])
  expect(after('#define NAME \\ ')).toEqual([4, 6])
  const behind = (first: string) => left([first, '#if 0', 'here;', '#endif'])
  expect(behind('f(a,')).toEqual([1])
  expect(behind('f(a, \\')).toContain(3)
})
