import {describe, expect, test} from 'vitest'
import {asProduct, bytesOfDtype, evaluate, type Scope} from '../../cpp/expressions.ts'
import {typeBytes} from '../../cpp/types.ts'

const scope: Scope = {constants: new Map([['N', 7]]), types: new Map([['T', 2]])}

test.each<[expression: string, value: number | undefined]>([
  ['N * 2 + this->N', 21],
  ['sizeof(T) * N', 14],
  ['sizeof(int64_t) + sizeof(bool)', 9],
  ['sizeof( AscendC::half )', 2],
  ['sizeof(const T)', 2],
  ['(N == 7) ? 1 : M', 1],
  ['M', undefined],
  ['Space::N', undefined],
  ['info.N', undefined],
  ['true', undefined],
  ['sizeof(U)', undefined],
  ['f(N)', undefined],
  ['f<T>(N)', undefined],
])('the constant expression %s is %s', (expression, value) => expect(evaluate(expression, scope)).toBe(value))

test('types have the bytes that the compiler gives them', () => {
  expect(typeBytes).toEqual({
    complex64: 8,
    ...{half: 2, float16_t: 2, bfloat16_t: 2, DTYPE_HALF: 2, float: 4, double: 8},
    ...{int8_t: 1, uint8_t: 1, bool: 1, char: 1, int16_t: 2, uint16_t: 2},
    ...{int32_t: 4, uint32_t: 4, int: 4, int64_t: 8, uint64_t: 8},
  })
  expect(bytesOfDtype('bfloat16')).toBe(2)
  expect(bytesOfDtype('other')).toBeUndefined()
})

describe('a size is a number times lengths', () => {
  test.each<[size: string, factor: number, lengths: string[]]>([
    ['256', 256, []],
    ['tile', 1, ['tile']],
    ['tile * sizeof(T)', 2, ['tile']],
    ['N * tile * sizeof(float)', 28, ['tile']],
    ['rows * this->cols * 4', 4, ['cols', 'rows']],
    ['tiling->rows * info.cols', 1, ['info.cols', 'tiling->rows']],
    ['(tile * 4)', 4, ['tile']],
    ['2 * (tile * 4)', 8, ['tile']],
    ['(N + 1) * tile', 8, ['tile']],
    ['tile * sizeof(T) / 8', 0.25, ['tile']],
    ['tile * 8 / N', 8 / 7, ['tile']],
    ['static_cast<uint32_t>(tile) * 2', 2, ['tile']],
    ['(tile / 8) * 2', 0.25, ['tile']],
    ['tile / sizeof(T)', 0.5, ['tile']],
    ['10 / 4', 2, []],
  ])('%s', (size, factor, lengths) => expect(asProduct(size, scope)).toEqual({factor, lengths}))

  test.each([
    'tile + 1',
    'tile * 2 + 1',
    'Space::tile',
    'tile[i].rows * 2',
    '8 / tile',
    '-tile',
    'N < tile',
    'a + b / 2',
    'a / b / 2',
    'tile / M',
    'tile / 0',
    'Align(tile) / 2',
    'Align(tile)',
    'Align(tile) * 2',
    '2 * (tile + 1)',
    '(tile)(other)',
    '',
  ])('none is read from %j', (size) => expect(asProduct(size, scope)).toBeUndefined())
})
