import type {KernelFacts} from '../../../../datasets/schema/code-facts.ts'
import {describe, expect, test} from 'vitest'
import type {Branch} from '../../../../cpp/syntax.ts'
import {computeParagraph} from '../../../../pipelines/code/offline/compute-paragraph.ts'
import {both} from '../../../helpers/told-parts.ts'

interface Given {
  method?: string
  from?: string
  branches?: Branch[]
}

const step = (text: string, {method = 'Compute', from, branches = []}: Given = {}) => {
  const [, name, args = ''] = /^(\w+)\((.*)\)$/.exec(text) ?? []
  return {method, from, call: {name, args: args.split(', '), branches}}
}
const said = (steps: object[], matrixCalls: string[] = []) =>
  both((voice) => computeParagraph({steps, matrixCalls} as unknown as KernelFacts, voice)).split('\n')
/** Without what opens it. */
const stepsOf = (...steps: object[]) => said(steps)[0]?.split('. ').slice(1).join('. ')
const holds: Branch = {condition: 'a', arm: 'then', line: 1}
const not: Branch = {condition: 'a', arm: 'else', line: 1}

describe('the computation', () => {
  test('is told in order, each instruction explained once', () => {
    expect(said([])).toEqual(['', ''])
    expect(said([step('Muls(y, x, 2, n)'), step('Muls(y, y, 3, n)')])).toEqual([
      'The computation itself, function by function. ' +
        'In `Compute`: `Muls(y, x, 2, n)` multiplies by a scalar, then `Muls(y, y, 3, n)`.',
      '计算过程按函数说明如下。`Compute` 中:`Muls(y, x, 2, n)` 乘一个标量,随后 `Muls(y, y, 3, n)`。',
    ])
  })

  test('an instruction that one function explains is known in the next', () => {
    expect(stepsOf(step('Muls(y, x, 2, n)'), step('Muls(z, x, 2, n)', {method: 'Other'}))).toBe(
      'In `Compute`: `Muls(y, x, 2, n)` multiplies by a scalar. In `Other`: `Muls(z, x, 2, n)`.',
    )
  })

  test('functions are told where they are from', () => {
    const steps = [step('Own(a, b)', {from: ''}), step('Given(a, b)', {from: 'given.h'})]
    expect(said(steps)).toEqual([
      'The computation itself, function by function. ' +
        'In `Compute`: `Own(a, b)`, a function of this file, then `Given(a, b)` from `given.h`.',
      '计算过程按函数说明如下。`Compute` 中:调用本文件的 `Own(a, b)`,随后 `given.h` 中的 `Given(a, b)`。',
    ])
  })

  test('equal calls that follow each other in one place are told once', () => {
    const one = step('Foo(y, x)')
    expect(stepsOf(one, one)).toBe('In `Compute`: `Foo(y, x)`.')
    expect(stepsOf(one, step('Bar(y, x)'), one)).toBe('In `Compute`: `Foo(y, x)`, then `Bar(y, x)`, then `Foo(y, x)`.')
    expect(stepsOf(one, step('Foo(y, x)', {branches: [holds]}))).toBe(
      'In `Compute`: `Foo(y, x)`; where `a` holds: `Foo(y, x)`.',
    )
  })

  test('steps of a branch stand under its condition, and what follows outside of it', () => {
    const steps = [
      step('Foo(a, b)', {branches: [holds]}),
      step('Bar(a, b)', {branches: [holds]}),
      step('Foo(b, a)', {branches: [not]}),
      step('End(a, b)'),
    ]
    expect(said(steps)).toEqual([
      'The computation itself, function by function. In `Compute`: where `a` holds: `Foo(a, b)`, then `Bar(a, b)`; ' +
        'where `a` does not hold: `Foo(b, a)`; outside of these branches: `End(a, b)`.',
      '计算过程按函数说明如下。`Compute` 中:当 `a` 成立时:`Foo(a, b)`,随后 `Bar(a, b)`;' +
        '当 `a` 不成立时:`Foo(b, a)`;分支之外:`End(a, b)`。',
    ])
  })

  test.each([
    [90, true],
    [91, false],
  ])('a call of %i characters', (length, isWhole) => {
    const last = 'n'.repeat(length - 'Foo(a, b, )'.length)
    expect(stepsOf(step(`Foo(a, b, ${last})`))).toBe(`In \`Compute\`: \`Foo(a, b, ${isWhole ? last : '…'})\`.`)
  })
})

describe('of many steps', () => {
  const many = (count: number, given: Given = {}) =>
    Array.from({length: count}, (_, index) => step(`Foo${index}(a, b)`, given))
  const endOf = (...steps: object[]) => stepsOf(...steps)?.replace(/^.*`Foo9\(a, b\)`/, '')

  test('ten are told, and what comes after them by name', () => {
    expect(endOf(...many(10))).toBe('.')
    expect(endOf(...many(11))).toBe('; after these come `Foo10`.')
    expect(endOf(...many(11), step('Foo10(b, b)'), step('Bar(b, b)'))).toBe('; after these come `Foo10` and `Bar`.')
    expect(said(many(11))[1]?.endsWith('`Foo9(a, b)`;此后还有 `Foo10`。')).toBe(true)
  })

  test.each([
    [[step('Bar(a, b)', {branches: [holds]})], '; other branches use `Bar`.', ';其他分支使用 `Bar`。'],
    [
      [step('Bar(a, b)', {branches: [holds]}), step('End(a, b)')],
      '; further on it uses `Bar` and `End`.',
      ';其后使用 `Bar`、`End`。',
    ],
    [
      [step('Bar(a, b)'), step('End(a, b)', {branches: [holds]})],
      '; after these come `Bar`; other branches use `End`.',
      ';此后还有 `Bar`;其他分支使用 `End`。',
    ],
  ])('those of other places are told apart: %#', (rest, en, zh) => {
    expect(endOf(...many(10), ...rest)).toBe(en)
    expect(said([...many(10), ...rest])[1]?.endsWith(`\`Foo9(a, b)\`${zh}`)).toBe(true)
  })

  test('after steps of a branch, those without one are further on', () => {
    expect(endOf(...many(10, {branches: [holds]}), step('End(a, b)'))).toBe('; further on it uses `End`.')
  })

  test('six functions are told, of others that have instructions the names', () => {
    const functions = (count: number, from?: string) =>
      Array.from({length: count}, (_, index) =>
        step('Foo(a, b)', {method: `F${index}`, ...(from !== undefined && {from})}),
      )
    expect(said(functions(6))[0]).toMatch(/In `F5`: `Foo\(a, b\)`\.$/)
    expect(said(functions(7))[0]).toMatch(/In `F5`: `Foo\(a, b\)`\. Vector instructions stand in `F6` as well\.$/)
    expect(said(functions(8))[1]).toMatch(/`F6`、`F7` 中同样有矢量指令。$/)
    expect(said(functions(7, 'given.h'))[0]).toMatch(/In `F5`: `Foo\(a, b\)` from `given\.h`\.$/)
  })
})

test.each([
  [8, '`M7`.', '`M7`。'],
  [9, '`M7` and 1 more call.', '`M7` 等 9 个接口。'],
  [10, '`M7` and 2 more calls.', '`M7` 等 10 个接口。'],
])('of %i calls of the matrix part eight are told', (count, en, zh) => {
  const [english, chinese] = said(
    [],
    Array.from({length: count}, (_, index) => `M${index}`),
  )
  expect(english?.startsWith('The matrix part goes through `M0`, `M1`')).toBe(true)
  expect(english?.endsWith(` and ${en}`)).toBe(true)
  expect(chinese?.startsWith('矩阵部分使用 `M0`、`M1`')).toBe(true)
  expect(chinese?.endsWith(`、${zh}`)).toBe(true)
})
