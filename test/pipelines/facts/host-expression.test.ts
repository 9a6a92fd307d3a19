import {describe, expect, test} from 'vitest'
import type {Value} from '../../../cpp/evaluator.ts'
import {integerValue, roundingsAsSigns, withoutCasts, withoutObjects} from '../../../pipelines/facts/host-expression.ts'

const values = new Map<string, Value>([
  ['n', 7],
  ['rows', 12],
  ['zero', 0],
  ['type', 'DT_FLOAT16'],
])
const value = (expression: string) => integerValue(expression, values)

describe('an expression of the host has the value of C++', () => {
  test.each<[expression: string, value: Value]>([
    ['type', 'DT_FLOAT16'],
    ['DT_BF16', 'DT_BF16'],
    ['type == ge::DT_FLOAT16', 1],
    ['type == DT_BF16', 0],
    ['type != DT_BF16 ? 1 : 2', 1],
    ['true + true + false', 2],
    ['sizeof(float)', 4],
    ['sizeof(int64_t) * n', 56],
    ['GetSizeByDataType(type)', 2],
    ['ge::GetSizeByDataType(DT_FLOAT)', 4],
    ['GetSizeByDataType(DT_INT64)', 8],
    ['GetSizeByDataType(DT_BF16)', 2],
    ['GetSizeByDataType(DT_DOUBLE)', 8],
    ['info.rows + this->n', 19],
    ['info.n < rows', 1],
    ['zero && other', 0],
    ['tiling->shape[0].n', 7],
    ['(int64_t)n + static_cast<size_t>(n)', 14],
  ])('%s', (expression, expected) => expect(value(expression)).toBe(expected))
})

test.each<[name: string, at: number, exact: number]>([
  ['CeilDiv', 2, 2],
  ['CeilDivision', 2, 2],
  ['Ceil', 2, 2],
  ['DivCeil', 2, 2],
  ['CeilAlign', 14, 14],
  ['RoundUp', 14, 14],
  ['AlignUp', 14, 14],
  ['Align', 14, 14],
  ['FloorDiv', 1, 2],
  ['FloorAlign', 7, 14],
  ['RoundDown', 7, 14],
  ['AlignDown', 7, 14],
])('%s is what functions of that name are everywhere', (name, between, exact) => {
  expect(value(`${name}(13, n)`)).toBe(between)
  expect(value(`Ops::Base::${name}(14, n)`)).toBe(exact)
  expect(value(`${name}(-13, 1)`)).toBe(-13)
  expect(value(`${name}(13, zero)`)).toBeUndefined()
  expect(value(`${name}(13, -1)`)).toBeUndefined()
})

test('the smaller and the larger of two', () => {
  expect(value('std::min(rows, n)')).toBe(7)
  expect(value('std::max<int64_t>(rows, n)')).toBe(12)
  expect(value('std::min<int64_t>(n, zero)')).toBe(0)
  expect(value('max(zero, -n)')).toBe(0)
})

describe('it has none', () => {
  test.each([
    'type + 1',
    'other',
    'other ? 1 : 1',
    'sizeof(T)',
    'sizeof(float',
    'min(n)',
    'min(n, 1, 2)',
    'min(n, type)',
    'min()',
    'Other(n, 2)',
    'MyCeilDiv(n, 2)',
    'GetSizeByDataType(n)',
    'GetSizeByDataType(type, 1)',
    'GetSizeByDataType(DT_OTHER)',
    'DTX',
  ])('for %s', (expression) => expect(value(expression)).toBeUndefined())
})

test.each([
  ['static_cast<uint32_t>(a * b)', '(a * b)'],
  ['(int64_t)(a)', '(a)'],
  ['( size_t ) a', 'a'],
  ['8U + 8u + 8ul + 8ULL + 8LU + 8L', '8 + 8 + 8 + 8 + 8 + 8'],
  ['std::min<int64_t>(a, b)', 'min(a, b)'],
  [' optiling::CeilDiv<uint32_t> (a, b) ', 'CeilDiv(a, b)'],
  ['true && falsehood || false', '1 && falsehood || 0'],
])('%s says as much as %s', (expression, plain) => expect(withoutCasts(expression)).toBe(plain))

test.each([
  ['this->rows', 'rows'],
  ['tiling.shape.rows', 'rows'],
  ['list[i].rows', 'rows'],
  ['context->GetInputShape(0)', 'context->GetInputShape(0)'],
  ['1.5', '1.5'],
])('%s is known as %s', (expression, plain) => expect(withoutObjects(expression)).toBe(plain))

test.each([
  ['max(RoundUp(CeilDiv(3072, 48), 8), 8)', 'max(⌈⌈3072 / 48⌉ / 8⌉ × 8, 8)'],
  ['RoundUp(33, 32 / 2)', '⌈33 / (32 / 2)⌉ × (32 / 2)'],
  ['7 % AlignUp(3 + 4, 2)', '7 % (⌈(3 + 4) / 2⌉ × 2)'],
  ['max(CeilDiv(⌊231 / 2⌋ × 4, 16), 1)', 'max(⌈⌊231 / 2⌋ × 4 / 16⌉, 1)'],
  ['96 / CeilDiv(10 - 3, 4)', '96 / ⌈(10 - 3) / 4⌉'],
  ['AlignDown((a + b), 8) - 3', '⌊(a + b) / 8⌋ × 8 - 3'],
  ['min(FloorDiv(9, 2), Other(CeilDiv(9, 2), 1))', 'min(⌊9 / 2⌋, Other(⌈9 / 2⌉, 1))'],
])('%s is read as %s', (expression, signs) => expect(roundingsAsSigns(expression)).toBe(signs))
