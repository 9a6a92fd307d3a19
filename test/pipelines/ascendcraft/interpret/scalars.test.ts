import {describe, expect, test} from 'vitest'
import {compileScalar, type Scope} from '../../../../pipelines/ascendcraft/interpret/scalars.ts'
import {Trouble} from '../../../../pipelines/ascendcraft/interpret/trouble.ts'
import type {ScalarType} from '../../../../pipelines/ascendcraft/language/checked.ts'
import {expressionOf} from '../../../helpers/tile-expression.ts'

const types: Record<string, ScalarType> = {n: 'int', zero: 'int', f: 'float', g: 'float', yes: 'bool', no: 'bool'}
const frame: Record<string, number> = {n: 7, zero: 0, f: 2.5, g: 0, yes: 1, no: 0}

const scopeOf = (round: (value: number) => number): Scope<Record<string, number>> => ({
  round,
  name: (name) => ({type: types[name]!, of: (values) => values[name]!}),
  other: (expression) => (expression.kind === 'count' ? {type: 'int', of: () => 12} : undefined),
})

function computed(text: string, round: (value: number) => number = (value) => value): string {
  const scalar = compileScalar(expressionOf(text), scopeOf(round))
  try {
    return `${scalar.type} ${scalar.of(frame)}`
  } catch (error) {
    if (!(error instanceof Trouble)) throw error
    return `${error.fault.rule}: ${error.fault.message}`
  }
}

const byZero = 'division-by-zero: A division has the divisor 0.'

describe('a scalar expression has a type and a value', () => {
  test.each([
    ['3', 'int 3'],
    ['3.0', 'float 3'],
    ['True', 'bool 1'],
    ['False', 'bool 0'],
    ['n', 'int 7'],
    ['f', 'float 2.5'],
    ['x.numel()', 'int 12'],
    ['-n', 'int -7'],
    ['-f', 'float -2.5'],
    ['not yes', 'bool 0'],
    ['not no', 'bool 1'],
    ['n + 2', 'int 9'],
    ['n - 9', 'int -2'],
    ['n * 3', 'int 21'],
    ['n + f', 'float 9.5'],
    ['f - n', 'float -4.5'],
    ['n / 2', 'float 3.5'],
    ['n // 2', 'int 3'],
    ['-n // 2', 'int -4'],
    ['n % 4', 'int 3'],
    ['-n % 4', 'int 1'],
    ['n % -4', 'int -1'],
    ['n ** 2', 'int 49'],
    ['n / zero', byZero],
    ['n // zero', byZero],
    ['n % zero', byZero],
    ['f // zero', byZero],
    // A float divides by 0.0 as IEEE 754 has it.
    ['n / g', 'float Infinity'],
    ['f / g', 'float Infinity'],
    ['zero / n', 'float 0'],
    ['n + zero', 'int 7'],
    ['n == 7', 'bool 1'],
    ['n == 8', 'bool 0'],
    ['n != 7', 'bool 0'],
    ['n != 8', 'bool 1'],
    ['n < 7', 'bool 0'],
    ['n < 8', 'bool 1'],
    ['n <= 7', 'bool 1'],
    ['n <= 6', 'bool 0'],
    ['n > 7', 'bool 0'],
    ['n > 6', 'bool 1'],
    ['n >= 7', 'bool 1'],
    ['n >= 8', 'bool 0'],
    ['yes and no', 'bool 0'],
    ['yes and yes', 'bool 1'],
    ['no and n // zero > 1', 'bool 0'],
    ['yes or n // zero > 1', 'bool 1'],
    ['no or no', 'bool 0'],
    ['no or yes', 'bool 1'],
    ['1 if yes else 2', 'int 1'],
    ['1 if no else 2', 'int 2'],
    ['1 if no else 2.5', 'float 2.5'],
    ['1.5 if yes else 2', 'float 1.5'],
    ['yes if no else no', 'bool 0'],
    ['n // zero if no else 2', 'int 2'],
    ['tl.item_bytes(tl.float16)', 'int 2'],
    ['tl.item_bytes(tl.int64)', 'int 8'],
    ['tl.cdiv(n, 2)', 'int 4'],
    ['tl.cdiv(8, 2)', 'int 4'],
    ['tl.cdiv(n, zero)', byZero],
    ['tl.align(n, 4)', 'int 8'],
    ['tl.align(8, 4)', 'int 8'],
    ['tl.align(n, zero)', byZero],
    ['min(n, 9, 3)', 'int 3'],
    ['min(n, f)', 'float 2.5'],
    ['max(n, 9, 3)', 'int 9'],
    ['max(f, n)', 'float 7'],
    ['abs(-n)', 'int 7'],
    ['abs(-f)', 'float 2.5'],
    ['tl.sqrt(9)', 'float 3'],
    ['float(n)', 'float 7'],
    ['int(f)', 'int 2'],
    ['int(-f)', 'int -2'],
  ])('%s', (text, value) => expect(computed(text)).toBe(value))

  test.each([
    ['0.1', Math.fround(0.1)],
    ['f / 3', Math.fround(2.5 / 3)],
    ['n / 3', Math.fround(7 / 3)],
    ['16777216 + g', 16_777_216],
    ['16777217 + g', 16_777_216],
    ['float(16777217)', 16_777_216],
    ['tl.sqrt(2)', Math.fround(Math.SQRT2)],
  ])('floats of a kernel are float32: %s', (text, value) => {
    expect(computed(text, Math.fround)).toBe(`float ${value}`)
  })

  test.each([
    ['16777217', 16_777_217],
    ['16777216 + 1', 16_777_217],
    ['int(16777217)', 16_777_217],
  ])('whole numbers are not rounded: %s', (text, value) => {
    expect(computed(text, Math.fround)).toBe(`int ${value}`)
  })

  test('what stands on the wrong side is a fault of the checker', () => {
    expect(() => computed('tl.program_id(0)')).toThrow('program_id stands on the wrong side')
    expect(() => computed('x.shape[0]')).toThrow('shape is no scalar')
    expect(() => computed('tl.item_bytes(n)')).toThrow('item_bytes of no type')
  })
})
