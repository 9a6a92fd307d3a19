import type {HostFacts} from '../../../datasets/schema/code-facts.ts'
import {expect, test} from 'vitest'
import type {HostStep} from '../../../datasets/schema/scenario.ts'
import {answersOf} from '../../../pipelines/facts/call-answers.ts'
import {SeenCall} from '../../../pipelines/facts/seen-call.ts'

const facts = {constants: new Map([['ALIGN', 8]]), functions: []} as unknown as HostFacts
const answers = answersOf(undefined, {inputs: [], outputs: [], attributes: {}} as never, new Map())
const step = (name: string, expression: string, value: number): HostStep => ({name, expression, value})
const call = (...steps: HostStep[]) => new SeenCall(facts, steps, answers)

test('a field is told by the expression behind the variable that it is set to, with the values of then', () => {
  const seen = call(step('n', '', 30), step('rows', 'n / ALIGN', 3), step('set_rows', 'rows', 3), step('n', '1', 1))
  expect(seen.field('rows', 3)).toEqual({
    field: 'rows',
    value: 3,
    expression: 'n / ALIGN',
    branches: [],
    known: [
      ['n', 30],
      ['ALIGN', 8],
    ],
    worked: true,
  })
})

test('the last assignment that ran is the one that is told', () => {
  const seen = call(step('n', '9', 9), step('tiling->rows', 'n * 2', 18), step('tiling->rows', 'n + 1', 10))
  expect(seen.field('rows', 10)).toMatchObject({expression: 'n + 1', worked: true})
  expect(seen.field('rows', 18)).toMatchObject({worked: false, known: []})
  expect(seen.field('rows', 18)).not.toHaveProperty('expression')
})

test('a variable that a function set is told by what that function assigned', () => {
  const seen = call(step('cores', 'all - 2', 46), step('cores', '', 46), step('SetBlockDim', 'cores', 46))
  expect(seen.launch('SetBlockDim', 46)).toMatchObject({field: 'cores', expression: 'all - 2', worked: false})
  expect(seen.launch('SetTilingKey', 46)).toBeUndefined()
})

test('a variable may be computed from what it held before', () => {
  const seen = call(step('cores', '', 48), step('cores', 'cores > 10 ? 10 : cores', 10), step('set_cores', 'cores', 10))
  expect(seen.field('cores', 10)).toMatchObject({known: [['cores', 48]], worked: true})
})

test('an expression that does not give the value that was seen is named, without numbers', () => {
  const seen = call(step('n', '4', 4), step('tiling->rows', 'n * 2', 9))
  expect(seen.field('rows', 9)).toMatchObject({expression: 'n * 2', known: [], worked: false})
})

test('a field of float holds the nearest float of what it is given', () => {
  const seen = call(step('n', '3', 3), step('set_scale', '1.0 / n', 1 / 3))
  expect(seen.field('scale', Math.fround(1 / 3))).toHaveProperty('expression', '1.0 / n')
})

test('a limit that leaves a variable as it was is passed over for what gave the value', () => {
  const steps = [step('n', '', 30), step('cores', 'n / 3', 10), step('cores', 'std::max(1, cores)', 10)]
  expect(call(...steps, step('SetBlockDim', 'cores', 10)).launch('SetBlockDim', 10)).toMatchObject({
    field: 'cores',
    expression: 'n / 3',
    known: [['n', 30]],
  })
})

test('a field of an inner structure is told by its path, unless two structures have it', () => {
  const inner = [step('n', '', 8), step('params.rows', 'n / 2', 4)]
  expect(call(...inner).field('params.rows', 4)).toMatchObject({expression: 'n / 2', worked: true})
  expect(call(...inner, step('others.rows', 'n - 4', 4)).field('params.rows', 4)).not.toHaveProperty('expression')
})

test('a number that is computed in the call of the launch has the name of that function', () => {
  const seen = call(step('cores', '', 48), step('SetBlockDim', 'cores / 2', 24))
  expect(seen.launch('SetBlockDim', 24)).toMatchObject({field: 'SetBlockDim', expression: 'cores / 2', worked: true})
})

test('a constant is no variable, and its own step is not followed', () => {
  const seen = call(step('ALIGN', 'n / 2', 8), step('set_rows', 'ALIGN', 8), step('n', '', 16))
  expect(seen.variable('ALIGN', 8)).not.toHaveProperty('expression')
  expect(seen.field('rows', 8)).toMatchObject({expression: 'ALIGN', worked: false})
  expect(call(step('n', '16 / 2', 8)).variable('n', 8)).toMatchObject({expression: '16 / 2', worked: true})
  expect(call(step('n', '16 / 2', 8)).variable('m', 8)).not.toHaveProperty('expression')
})

test('a value is followed through four names, and no further', () => {
  const through = (count: number) => {
    const passed = Array.from({length: count}, (_, at) => step(`v${at + 1}`, `v${at}`, 6))
    return call(step('n', '', 3), step('v0', 'n * 2', 6), ...passed, step('set_rows', `v${count}`, 6)).field('rows', 6)
  }
  expect(through(3)).toMatchObject({expression: 'n * 2', worked: true})
  expect(through(4)).toMatchObject({expression: 'v0', worked: false})
})

test('the branches of an expression are those of the only place where it stands', () => {
  const branch = {condition: 'a > 1', arm: 'then' as const, line: 1}
  const cased = {condition: 'a', arm: {case: '1'}, line: 1}
  const placed = (...places: object[]) =>
    new SeenCall(
      {constants: new Map(), functions: [{assignments: places, calls: []}]} as unknown as HostFacts,
      [step('rows', 'n * 2', 6), step('set_rows', 'rows', 6)],
      answers,
    ).field('rows', 6).branches
  const one = {name: 'rows', value: 'n * 2', branches: [branch, cased]}
  expect(placed(one)).toEqual([branch])
  expect(placed(one, one)).toEqual([])
  expect(placed({...one, name: 'cols'})).toEqual([])
  expect(placed({...one, value: 'n'})).toEqual([])
  const called = {name: 'set_rows', args: ['n * 2'], branches: [branch]}
  const direct = new SeenCall(
    {
      constants: new Map(),
      functions: [{assignments: [], calls: [called, {...called, args: ['n']}, {...called, name: 'set_cols'}]}],
    } as unknown as HostFacts,
    [step('set_rows', 'n * 2', 6)],
    answers,
  )
  expect(direct.field('rows', 6).branches).toEqual([branch])
})
