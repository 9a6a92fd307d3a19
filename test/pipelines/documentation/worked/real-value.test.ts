import {expect, test} from 'vitest'
import {interfaces} from '../../../../cpp/interfaces.ts'
import {realValue, roundings} from '../../../../pipelines/documentation/worked/real-value.ts'

test.each<[formula: string, operands: number[], before: number, value: number | undefined]>([
  ['$1 + $2', [0.5, -2], 0, -1.5],
  ['$1 / $2', [1, 4], 0, 0.25],
  ['1 / sqrt($1)', [4], 0, 0.5],
  ['|$1|', [-0.25], 0, 0.25],
  ['max($1 + $2, 0)', [1, -3], 0, 0],
  ['($1 >= 0 ? $1 : $1 * $2)', [-4, 0.5], 0, -2],
  ['($1 >= 0 ? $1 : $1 * $2)', [4, 0.5], 0, 4],
  ['dst + $1 * $2', [2, 3], 1, 7],
  ['-$1', [3], 0, -3],
  ['$1 ^ $2', [2, 3], 0, 8],
  ['$1 << $2', [3, 2], 0, 12],
  ['round($1)', [2.5], 0, 2],
  ['ln($1)', [0], 0, -Infinity],
  ['gelu($1)', [1], 0, undefined],
  ['$1 & $2', [3, 1], 0, undefined],
])('%s of %j, %d before, is %j', (formula, operands, before, value) => {
  expect(realValue(formula, operands, before)).toBe(value)
})

test('most formulas of elementwise instructions are understood', () => {
  const formulas = [...interfaces.values()].flatMap(({family, formula}) =>
    family === 'elementwise' && formula !== undefined ? [formula] : [],
  )
  const unknown = formulas.filter((one) => realValue(one, [1, 1, 1], 1) === undefined)
  expect(unknown).toEqual(['~$1', '$1 & $2', '$1 | $2'])
})

test.each<[mode: keyof typeof roundings, values: number[]]>([
  ['CAST_RINT', [2, -2, 4, 0, -0, 1, -2]],
  ['CAST_ROUND', [3, -3, 4, 1, -1, 1, -2]],
  ['CAST_FLOOR', [2, -3, 3, 0, -1, 1, -2]],
  ['CAST_CEIL', [3, -2, 4, 1, -0, 2, -1]],
  ['CAST_TRUNC', [2, -2, 3, 0, -0, 1, -1]],
])('%s', (mode, values) => {
  expect([2.5, -2.5, 3.5, 0.5, -0.5, 1.25, -1.75].map(roundings[mode])).toEqual(values)
})
