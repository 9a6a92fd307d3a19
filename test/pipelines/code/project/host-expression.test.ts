import {describe, expect, test} from 'vitest'
import {
  integerValue,
  withoutCasts,
  withoutObjects,
  type HostValue,
} from '../../../../pipelines/code/project/host-expression.ts'

const values = new Map<string, HostValue>([
  ['n', 7],
  ['rows', 12],
  ['zero', 0],
  ['type', 'DT_FLOAT16'],
])
const value = (expression: string) => integerValue(expression, values)

describe('an expression of the host has the value of C++', () => {
  test.each<[expression: string, value: HostValue]>([
    ['zero || n', 1],
    ['n || zero', 1],
    ['zero || zero', 0],
    ['zero && n', 0],
    ['n && zero', 0],
    ['n && rows', 1],
    ['n == 7', 1],
    ['n == 8', 0],
    ['n != 8', 1],
    ['n < 7', 0],
    ['n < 8', 1],
    ['n > 7', 0],
    ['n > 6', 1],
    ['n <= 7', 1],
    ['n <= 6', 0],
    ['n >= 7', 1],
    ['n >= 8', 0],
    ['3 << n', 384],
    ['rows >> 1', 6],
    ['-1 >> 1', -1],
    ['rows - n', 5],
    ['rows * n', 84],
    ['-rows / n', -1],
    ['rows % n', 5],
    ['!n', 0],
    ['!zero', 1],
    ['--n', 7],
    ['1 + 2 < 4 && 3 > 2', 1],
    ['1 << 1 + 1', 4],
    ['6 == 6 == 1', 1],
    ['n / 1 + n % 1', 7],
    ['zero ? 3 : n', 7],
    ['n ? 3 : zero', 3],
    ['(n) ? (zero ? 1 : 2) : 3', 2],
    ['type', 'DT_FLOAT16'],
    ['DT_BF16', 'DT_BF16'],
    ['type == ge::DT_FLOAT16', 1],
    ['type == DT_BF16', 0],
    ['type != DT_BF16 ? 1 : 2', 1],
    ['true + true + false', 2],
    ['4294967296UL + 1u', 4294967297],
    ['sizeof(float)', 4],
    ['sizeof(int64_t) * n', 56],
    ['GetSizeByDataType(type)', 2],
    ['ge::GetSizeByDataType(DT_FLOAT)', 4],
    ['GetSizeByDataType(DT_INT64)', 8],
    ['GetSizeByDataType(DT_BF16)', 2],
    ['GetSizeByDataType(DT_DOUBLE)', 8],
    ['info.rows + this->n', 19],
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
    'n n',
    'n) + 1',
    'n / zero',
    'n % zero',
    'n / 2.5',
    '2.5',
    '1 << 60',
    '9007199254740992 + 1',
    'type + 1',
    'type < DT_BF16',
    '-type',
    'other',
    'other ? 1 : 1',
    'n ?',
    'n ? 1',
    'n ? 1 2',
    '(n',
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
    'x{1}',
    'DTX',
    '1a',
    '!',
    '-',
  ])('for %s', (expression) => expect(value(expression)).toBeUndefined())
})

test('the largest whole number that a double tells apart is a value still', () => {
  expect(value('9007199254740990 + 1')).toBe(9007199254740991)
  expect(value('9007199254740991 + 1')).toBeUndefined()
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
