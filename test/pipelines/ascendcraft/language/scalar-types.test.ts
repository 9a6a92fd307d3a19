import {describe, expect, test} from 'vitest'
import type {ScalarType} from '../../../../pipelines/ascendcraft/language/checked.ts'
import {Findings} from '../../../../pipelines/ascendcraft/language/check/findings.ts'
import {scalarType, type Scope} from '../../../../pipelines/ascendcraft/language/check/scalar-types.ts'
import {expressionOf} from '../../../helpers/tile-expression.ts'

const known: Readonly<Record<string, ScalarType>> = {n: 'int', f: 'float', b: 'bool'}

/** The type of an expression, or what is said of it. */
function told(text: string, side: Scope['side']): string | undefined {
  const findings = new Findings()
  const type = scalarType(expressionOf(text), {
    side,
    findings,
    nameType: ({name}) => known[name],
    tensorFault: (name) => (name === 'x' ? undefined : `${name} is no tensor`),
    extractType: () => 'float',
  })
  const faults = findings.faults.map(({rule, message, mend}) => `${rule}: ${message}; ${mend}`)
  return type ?? (faults.length > 0 ? faults.join('\n') : undefined)
}

const arithmetic = 'arithmetic takes int and float, `and`, `or` and `not` take comparisons; write `n != 0` for a truth'

describe('the type of a scalar', () => {
  test.each<[string, ScalarType]>([
    ['1', 'int'],
    ['1.0', 'float'],
    ['1e3', 'float'],
    ['float("inf")', 'float'],
    ['True', 'bool'],
    ['n', 'int'],
    ['f', 'float'],
    ['b', 'bool'],
    ['-n', 'int'],
    ['-f', 'float'],
    ['not b', 'bool'],
    ['n + n', 'int'],
    ['n + f', 'float'],
    ['f - n', 'float'],
    ['f * f', 'float'],
    ['n - 1', 'int'],
    ['n * 2', 'int'],
    ['n / 2', 'float'],
    ['f / 2', 'float'],
    ['n // 2', 'int'],
    ['n % 2', 'int'],
    ['n < 2', 'bool'],
    ['n <= f', 'bool'],
    ['f > 1', 'bool'],
    ['f >= f', 'bool'],
    ['n == f', 'bool'],
    ['n != 1', 'bool'],
    ['b == b', 'bool'],
    ['b != (n < 2)', 'bool'],
    ['b and n < 2', 'bool'],
    ['b or b', 'bool'],
    ['n ** 1', 'int'],
    ['f ** 1', 'float'],
    ['n ** 4', 'int'],
    ['f ** 4', 'float'],
    ['1 if b else 2', 'int'],
    ['1.0 if b else 2.0', 'float'],
    ['1 if b else 2.0', 'float'],
    ['1.0 if b else 2', 'float'],
    ['b if n < 2 else b', 'bool'],
    ['tl.cdiv(n, 2)', 'int'],
    ['tl.align(n, 8)', 'int'],
    ['tl.item_bytes(tl.float16)', 'int'],
    ['tl.sqrt(n)', 'float'],
    ['float(n)', 'float'],
    ['float(f)', 'float'],
    ['int(f)', 'int'],
    ['int(n)', 'int'],
    ['abs(n)', 'int'],
    ['abs(f)', 'float'],
    ['min(n, 1)', 'int'],
    ['min(n, 1, f)', 'float'],
    ['max(f, n)', 'float'],
    ['x.shape[0]', 'int'],
    ['x.shape[n - 1]', 'int'],
    ['x.numel()', 'int'],
    ['x.dim()', 'int'],
  ])('%s is %s on either side', (text, type) => {
    expect([told(text, 'host'), told(text, 'kernel')]).toEqual([type, type])
  })

  test.each<[string, ScalarType]>([
    ['n ** 0', 'int'],
    ['f ** 0', 'float'],
    ['n ** 5', 'int'],
    ['n ** -1', 'float'],
    ['n ** n', 'float'],
    ['n ** 2.0', 'float'],
    ['2 ** f', 'float'],
  ])('%s is %s in the host, and none in a kernel', (text, type) => {
    const mend = 'multiply, or compute the power in the host; kernels take exponents from 1 to 4'
    expect(told(text, 'host')).toBe(type)
    expect(told(text, 'kernel')).toBe(`scalar: \`${text}\` is a power in a kernel; ${mend}`)
  })

  test.each<[string, ScalarType]>([
    ['tl.program_id(0)', 'int'],
    ['tl.num_programs(0)', 'int'],
    ['tl.extract(u, 0)', 'float'],
  ])('%s is %s in a kernel, and none in the host', (text, type) => {
    const mend = 'compute in the host what all cores share, and in the kernel what each core does'
    expect(told(text, 'kernel')).toBe(type)
    expect(told(text, 'host')).toBe(`scalar: ${text.replace(/\(.*/, '')} stands in the host function; ${mend}`)
  })
})

describe('what has no type', () => {
  test.each([
    ['not n', '`not` of an int'],
    ['not f', '`not` of a float'],
    ['-b', '`-` of a bool'],
    ['b + 1', '`+` of a bool and an int'],
    ['n * b', '`*` of an int and a bool'],
    ['b < b', '`<` of a bool and a bool'],
    ['b == n', '`==` of a bool and an int'],
    ['f != b', '`!=` of a float and a bool'],
    ['b and n', '`and` of a bool and an int'],
    ['f or b', '`or` of a float and a bool'],
    ['f // 2', '`//` of a float and an int'],
    ['n % 2.0', '`%` of an int and a float'],
    ['b ** 2', '`**` of a bool and an int'],
    ['1 if n else 2', 'a choice by an int'],
    ['b if b else 2', 'one of bool and int'],
    ['2.0 if b else b', 'one of float and bool'],
    ['tl.cdiv(n, 2.0)', 'cdiv of a float'],
    ['tl.align(f, 8)', 'align of a float'],
    ['min(n, b)', 'min of a bool'],
    ['abs(b)', 'abs of a bool'],
    ['int(b)', 'int of a bool'],
    ['tl.sqrt(b)', 'sqrt of a bool'],
    ['x.shape[f]', 'an axis that is a float'],
    ['x.shape[b]', 'an axis that is a bool'],
  ])('%s is %s', (text, what) => {
    for (const side of ['host', 'kernel'] as const)
      expect(told(text, side)).toBe(`scalar-type: \`${text}\` is ${what}; ${arithmetic}`)
  })

  test.each([
    ['"a"', 'scalar: `"a"` is no scalar; use a number or a name'],
    ['u[8]', 'scalar: `u[8]` is no scalar; read an element with tl.extract in a compute stage'],
    ['tl.program_id(1)', 'scalar: `tl.program_id(1)`: cores have one axis; write tl.program_id(0)'],
    ['tl.num_programs(n)', 'scalar: `tl.num_programs(n)`: cores have one axis; write tl.num_programs(0)'],
    ['tl.item_bytes(n)', 'scalar: `tl.item_bytes(n)` takes no type; write e.g. tl.item_bytes(tl.float32)'],
    ['w.numel()', 'name: w is no tensor; compute it in the host and pass it in the launch'],
    ['w.shape[0]', 'name: w is no tensor; compute it in the host and pass it in the launch'],
  ])('%s', (text, said) => {
    expect(told(text, 'kernel')).toBe(said)
  })

  test('a tensor that is none is named in the host', () => {
    expect(told('w.dim()', 'host')).toBe('name: w is no tensor; name a tensor of the parameters')
  })

  // What a part of it is blamed for, the whole is not blamed for again.
  test.each([
    ...['-m', 'm + 1', '1 + m', 'm and b', 'm if b else 1', '1 if m else 1', '1 if b else m', 'tl.cdiv(m, 8)'],
    ...['min(1, m)', 'abs(m)', 'n ** m', 'float(m)'],
  ])('%s says nothing more than its name does', (text) => {
    expect(told(text, 'host')).toBeUndefined()
  })

  test('each part is looked at', () => {
    const fault = (text: string, what: string) => `scalar-type: \`${text}\` is ${what}; ${arithmetic}`
    expect(told('(not n) + (-b)', 'host')).toBe(
      [fault('not n', '`not` of an int'), fault('-b', '`-` of a bool')].join('\n'),
    )
    expect(told('(not n) if (not f) else (-b)', 'host')?.split('\n')).toHaveLength(3)
    expect(told('min(not n, not f, n)', 'host')?.split('\n')).toHaveLength(2)
  })
})
