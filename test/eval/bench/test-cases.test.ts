import {expect, test} from 'vitest'
import {parseTestCases} from '../../../eval/bench/test-cases.ts'

test('keeps every cell as text under its column', () => {
  const {cases, bad} = parseTestCases('\uFEFFcase_id;shape;dtype;eps\n0;[48, 128];float16;1e-5\n1;[[1], [2, 3]];bfloat16;None\n')
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
    '2: shape: "[4, 8" is not a Python literal: column 6: saw the end, expected \',\' or \']\'',
    '3: saw 3 cells, expected 2 (case_id;shape)',
    '5: case_id 2 appears twice',
  ])
})

test('refuses a table that is separated by commas', () => {
  expect(() => parseTestCases('case_id,shape\n0,[4]\n')).toThrow('the first column is "case_id,shape", expected "case_id"')
})
