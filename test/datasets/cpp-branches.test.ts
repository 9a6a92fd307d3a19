import {describe, expect, test} from 'vitest'
import {activeText, chipMacros, conditionValue, type Macros} from '../../cpp/conditions.ts'

/** `ON` is 1, `OFF` 0, `FIVE` 5; `NONE` is not defined, and `OPEN` may be anything. */
const macros: Macros = new Map<string, number | null>([
  ['ON', 1],
  ['OFF', 0],
  ['FIVE', 5],
  ['NONE', null],
])

test.each<[string, boolean | undefined]>([
  ['ON', true],
  ['OFF', false],
  ['NONE', false],
  ['OPEN', undefined],
  ['FIVE + 1 == 6', true],
  ['NONE == 0', true],
  ['OPEN == 0', undefined],
  ['!OPEN', undefined],
  ['defined(ON)', true],
  ['defined ON', true],
  ['defined(OFF)', true],
  ['defined(NONE)', false],
  ['defined NONE', false],
  ['defined(OPEN)', undefined],
  ['!defined(NONE) && ON', true],
  ['defined ON && defined NONE', false],
  ['OFF && OPEN', false],
  ['OPEN and not ON', false],
  ['OPEN or ON', true],
  ['', undefined],
  ['ON ON', undefined],
  ['CHECK(5)', undefined],
  ['OFF && CHECK(5)', false],
])('the condition %s: %s', (text, value) => expect(conditionValue(text, macros)).toBe(value))

/** Names of the lines that stay. */
const left = (lines: readonly string[]) =>
  activeText(lines.join('\n'), macros)
    .split('\n')
    .filter((line) => /^\w/.test(line))
    .join(' ')

describe('branches', () => {
  test.each<[string[], string]>([
    [['#if ON', 'a', '#endif', 'b'], 'a b'],
    [['#if OFF', 'a', '#endif', 'b'], 'b'],
    [['#if OPEN', 'a', '#endif', 'b'], 'a b'],
    [['#if ON', 'a', '#else', 'b', '#endif'], 'a'],
    [['#if OFF', 'a', '#else', 'b', '#endif'], 'b'],
    [['#if OPEN', 'a', '#else', 'b', '#endif'], 'a b'],
    [['#ifdef ON', 'a', '#else', 'b', '#endif'], 'a'],
    [['#ifdef NONE', 'a', '#else', 'b', '#endif'], 'b'],
    [['#ifndef NONE', 'a', '#else', 'b', '#endif'], 'a'],
    [['#ifndef OFF', 'a', '#else', 'b', '#endif'], 'b'],
    [['#ifdef OPEN', 'a', '#else', 'b', '#endif'], 'a b'],
    [['#if OFF', 'a', '#elif ON', 'b', '#elif ON', 'c', '#else', 'd', '#endif', 'e'], 'b e'],
    [['#if ON', 'a', '#elif ON', 'b', '#elif OPEN', 'c', '#else', 'd', '#endif', 'e'], 'a e'],
    [['#if OPEN', 'a', '#elif ON', 'b', '#else', 'c', '#endif'], 'a b'],
    [['#if OPEN', 'a', '#elif OFF', 'b', '#else', 'c', '#endif'], 'a c'],
    [['#if OFF', 'a', '#elif OPEN', 'b', '#else', 'c', '#endif'], 'b c'],
    [['#if OFF', '#if ON', 'a', '#else', 'b', '#endif', 'c', '#endif', 'd'], 'd'],
    [['#if ON', '#if OFF', 'a', '#else', 'b', '#endif', 'c', '#endif', 'd'], 'b c d'],
    [['  #  if OFF', 'a', '#endif // OFF', 'b'], 'b'],
    [['#if ON /* yes */', 'a', '#else', 'b', '#endif'], 'a'],
    [['#if OFF || \\', '  OFF', 'a', '#endif', 'b'], 'b'],
    [['#if OFF || \\', '  ON', 'a', '#endif', 'b'], 'a b'],
    [['#else', 'a', '#elif ON', 'b', '#endif', 'c'], 'a b c'],
  ])('%j leave %s', (lines, wanted) => {
    expect(left(lines)).toBe(wanted)
  })
})

describe('what the text defines on its way', () => {
  const when = (condition: string, ...before: string[]) =>
    left([...before, `#if ${condition}`, 'a', '#else', 'b', '#endif'])
  test.each<[string, string[], string]>([
    ['OPEN == 3', ['#define OPEN 3'], 'a'],
    ['OPEN == 3', ['#define OPEN 4'], 'b'],
    ['OPEN == 3', ['#  define  OPEN  3  '], 'a'],
    ['ON', ['#undef ON'], 'b'],
    ['defined(ON)', ['#undef ON'], 'b'],
    // A text that is no number, and a macro with parameters, may be anything.
    ['ON', ['#define ON x'], 'a b'],
    ['ON', ['#define ON(x) 0'], 'a b'],
    // Only what is compiled for sure settles a name.
    ['NONE', ['#if ON', '#define NONE 1', '#endif'], 'a'],
    ['NONE', ['#if OFF', '#define NONE 1', '#endif'], 'b'],
    ['NONE', ['#if OPEN', '#define NONE 1', '#endif'], 'a b'],
    ['NONE', ['#if OPEN', '#else', '#define NONE 1', '#endif'], 'a b'],
    ['ON', ['#if OPEN', '#undef ON', '#endif'], 'a b'],
    ['NONE', ['#if OFF', '#else', '#define NONE 1', '#endif'], 'a'],
    ['NONE', ['#if OPEN', '#elif ON', '#define NONE 1', '#endif'], 'a b'],
    ['NONE', ['#if OFF', '#elif ON', '#define NONE 1', '#endif'], 'a'],
    ['NONE', ['#ifndef NONE', '#define NONE 1', '#endif'], 'a'],
    ['defined(GUARD_H)', ['#ifndef GUARD_H', '#define GUARD_H', '#endif'], 'a b'],
  ])('%s after %j: %s', (condition, before, wanted) => {
    expect(when(condition, ...before)).toBe(wanted)
  })
})

test('lines keep their numbers and directives stay; comments go', () => {
  const text = ['int a; // one', '#if OFF', 'int b;', '#endif', '/* two', 'three */ int c;', '#define X \\', '  1', '']
  expect(activeText(text.join('\n'), macros).split('\n')).toEqual([
    expect.stringMatching(/^int a; *$/),
    '#if OFF',
    '',
    '#endif',
    expect.stringMatching(/^ *$/),
    expect.stringMatching(/^ *int c;$/),
    '#define X \\',
    '  1',
    '',
  ])
})

test('a device of Atlas A2 is 220 and 2201, its host has neither, and both are no emulator', () => {
  const value = (side: 'kernel' | 'host', condition: string) => conditionValue(condition, chipMacros[side])
  expect(value('kernel', '__CCE_AICORE__ == 220 && __NPU_ARCH__ == 2201')).toBe(true)
  expect(value('host', 'defined(__CCE_AICORE__) || defined(__NPU_ARCH__)')).toBe(false)
  for (const name of [
    '__DAV_M200__',
    '__DAV_M300__',
    '__DAV_M310__',
    '__DAV_310R6__',
    '__DAV_C310__',
    '__DAV_35_FAMILY__',
    '__CCE_KT_TEST__',
    '__CCE_UT_TEST__',
    'ASCENDC_CPU_DEBUG',
    '__DAV_FPGA__',
  ]) {
    expect([name, value('kernel', `defined(${name})`), value('host', `defined(${name})`)]).toEqual([name, false, false])
  }
})
