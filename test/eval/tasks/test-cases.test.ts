import {expect, test} from 'vitest'
import {parseTestCases} from '../../../eval/tasks/test-cases.ts'

test('keeps every cell as text under its column', () => {
  const {cases, bad} = parseTestCases(
    '\uFEFFcase_id;shape;dtype;eps\n0;[48, 128];float16;1e-5\n1;[[1], [2, 3]];bfloat16;None\n',
  )
  expect(bad).toEqual([])
  expect(cases).toEqual([
    {case_id: '0', shape: '[48, 128]', dtype: 'float16', eps: '1e-5'},
    {case_id: '1', shape: '[[1], [2, 3]]', dtype: 'bfloat16', eps: 'None'},
  ])
})

test('sets broken rows aside with line and problem and keeps the others', () => {
  const {cases, bad} = parseTestCases('case_id;shape\n0;[4, 8\n1;[4];float16\n2;[4]\n2;[5]\n')
  expect(cases).toEqual([{case_id: '2', shape: '[4]'}])
  expect(bad.map(({line, problem}) => `${line}: ${problem}`)).toEqual([
    "2: shape: \"[4, 8\" is not a Python literal: column 6: saw the end, expected ',' or ']'",
    '3: saw 3 cells, expected 2 (case_id;shape)',
    '5: case_id 2 appears twice',
  ])
})

test('refuses a table that is separated by commas', () => {
  expect(() => parseTestCases('case_id,shape\n0,[4]\n')).toThrow(
    'the first column is "case_id,shape", expected "case_id"',
  )
})

test('a row with a quote that never ends, or brackets without end, costs itself only', () => {
  const rows = [
    'case_id;shape;dtype',
    '0;[4];half',
    '1;"[4];half',
    '2;[4];half',
    `3;${'['.repeat(50_000)};half`,
    '4;[4];ha"lf',
    '5;[8];half',
    '6;\u0000;half;;',
    '7;[9];half',
  ]
  const {cases, bad} = parseTestCases(`${rows.join('\n')}\n`)
  expect(cases.map((row) => row['case_id'])).toEqual(['0', '2', '5', '7'])
  expect(bad.map(({line, problem}) => [line, problem.slice(0, 22)])).toEqual([
    [3, 'a quote is not closed,'],
    [5, expect.stringContaining('shape: ')],
    [6, 'a quote is not closed,'],
    [8, 'saw 5 cells, expected '],
  ])
  expect(bad[1]?.problem).toMatch(/nested more than 100 deep$/)
})

test('a quote that a later row closes takes no row along', () => {
  const {cases, bad} = parseTestCases('case_id;name\n0;"a\n1;b\n2;c"\n3;d\n')
  expect(cases.map((row) => row['case_id'])).toEqual(['1', '3'])
  expect(bad.map(({line}) => line)).toEqual([2, 4])
})
