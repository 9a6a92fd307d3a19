import {describe, expect, test} from 'vitest'
import type {KernelStatement} from '../../../../pipelines/ascendcraft/language/ast.ts'
import {readModule} from '../../../../pipelines/ascendcraft/language/parse.ts'
import {findFacts} from '../../../../pipelines/ascendcraft/lower/facts.ts'
import type {ScalarPlan} from '../../../../pipelines/ascendcraft/lower/plan-lowering.ts'
import {type Dialect, primary} from '../../../../pipelines/ascendcraft/lower/scalar-code.ts'
import {assignment, branchLines, declaration, loopHead} from '../../../../pipelines/ascendcraft/lower/statement-code.ts'
import {sketched} from '../../../helpers/interpreting.ts'

describe('branches', () => {
  test.each<[string, [condition: string | undefined, ...body: string[]][], string[]]>([
    ['one', [['a', 'x;']], ['if (a) {', 'x;', '}']],
    ['one that does nothing', [['a']], ['if (a) {', '}']],
    [
      'two',
      [
        ['a', 'x;'],
        ['b', 'y;'],
      ],
      ['if (a) {', 'x;', '} else if (b) {', 'y;', '}'],
    ],
    [
      'the last of all',
      [
        ['a', 'x;'],
        [undefined, 'y;'],
      ],
      ['if (a) {', 'x;', '} else {', 'y;', '}'],
    ],
    ['a last of all that does nothing', [['a', 'x;'], [undefined]], ['if (a) {', 'x;', '}']],
    // What a branch that does nothing keeps the last one from is its condition's to say.
    [
      'a middle one that does nothing',
      [['a', 'x;'], ['b'], [undefined, 'y;']],
      ['if (a) {', 'x;', '} else if (b) {', '} else {', 'y;', '}'],
    ],
  ])('%s', (_, branches, lines) => {
    expect(branchLines(branches.map(([condition, ...body]) => ({condition, body}))).flat()).toEqual(lines)
  })
})

test('a scalar is declared once, for good where nothing changes it', () => {
  const [int, float, bool] = (['int', 'float', 'bool'] as const).map((type) => ({type, cpp: 'v'}))
  expect([int!, float!, bool!].map(declaration)).toEqual(['int64_t v = 0;', 'float v = 0.0f;', 'bool v = false;'])
  const one = primary('1', 'int')
  expect([undefined, 'first', 'only'].map((how) => assignment(int!, one, how as 'first' | undefined))).toEqual([
    ...['v = 1;', 'int64_t v = 1;', 'const int64_t v = 1;'],
  ])
  expect(assignment(float!, one, undefined)).toBe('v = 1.0f;')
  expect(assignment(float!, primary('n', 'int'), 'only')).toBe('const float v = static_cast<float>(n);')
  expect(assignment(bool!, primary('n < 2', 'bool'), 'first')).toBe('bool v = n < 2;')
})

describe('the head of a loop', () => {
  const unused = () => {
    throw new TypeError('the loops of these tests do not need it')
  }
  const dialect: Dialect = {
    real: 'float',
    nameOf: (name) => name,
    typeOf: () => 'int',
    facts: findFacts(new Map(), () => undefined, new Map()),
    call: ({callee}, given) => primary(`${callee}(${given.map(({text}) => text).join(', ')})`, 'int'),
    shape: unused,
    floored: unused,
    power: unused,
    infinity: unused,
  }
  const scalars = new Map<string, ScalarPlan>([['i', {name: 'i', type: 'int', place: 'local', cpp: 'tileIndex'}]])
  const headOf = (kernel: string) => {
    const read = readModule(sketched({kernel, scalars: {n: 'n', k: 'n'}}))
    const [loop] = read.ok ? read.module.kernel.body : []
    if (loop?.kind !== 'for') throw new TypeError(`${kernel} is no loop`)
    return loopHead(loop satisfies KernelStatement, {scalars}, dialect)
  }

  test.each([
    ['range(n)', 'for (int64_t tileIndex = 0; tileIndex < n; ++tileIndex)'],
    ['range(k, n)', 'for (int64_t tileIndex = k; tileIndex < n; ++tileIndex)'],
    ['range(k, n, 1)', 'for (int64_t tileIndex = k; tileIndex < n; ++tileIndex)'],
    ['range(0, n, 2)', 'for (int64_t tileIndex = 0; tileIndex < n; tileIndex += 2)'],
    ['range(k + 1, n - 1, k * 2)', 'for (int64_t tileIndex = k + 1; tileIndex < n - 1; tileIndex += k * 2)'],
  ])('of %s', (range, head) => {
    expect(headOf(`for i in ${range}:\n    v = i`)).toBe(head)
  })

  test('of a variable that has no other name', () => {
    expect(headOf('for j in range(n):\n    v = j')).toBe('for (int64_t j = 0; j < n; ++j)')
  })

  test.each([
    ['its stop', 'n', 'n = 2', true],
    ['its step', '0, 8, n', 'n = 2', true],
    ['its start', 'n, 8', 'n = 2', false],
    ['another name', 'n', 'k = 2', false],
    ['its stop in a branch', 'n', 'if k > 1:\n        n = 2', true],
    ['its stop in the last branch', 'n', 'if k > 1:\n        k = 2\n    else:\n        n = 2', true],
    ['its stop in a loop', 'n', 'for j in range(2):\n        n = 2', true],
    ['its stop in a stage', 'n', 'with tl.compute():\n        n = 2', true],
  ])('may not have a body that changes %s', (_, range, body, isRefused) => {
    const text = `for i in range(${range}):\n    ${body}`
    if (isRefused) expect(() => headOf(text)).toThrow(/^lowering: the loop on line \d+ changes its own bounds$/)
    else expect(headOf(text)).toMatch(/^for \(int64_t tileIndex = /)
  })
})
