import {expect, test} from 'vitest'
import {Argument, arrivingValue} from '../../../../eval/bench/submission/operator-runs.ts'

const arriving = (type: string, argument: object, before = 3) =>
  arrivingValue({name: 'beta', type}, Argument.parse(argument), before)
const number = (type: string, value: number | string) => ({kind: 'number', type, value})

// On a board `float beta = 1.0f` for a double gave infinity everywhere; with `if (beta == 0) beta = 1` it was right.
test('a float that is read as a double is next to nothing', () => {
  expect(arriving('Float', number('float64', 1))).toEqual({value: 1})
  const {value} = arriving('Float', number('float32', 1)) as {value: number}
  expect(value).toBeCloseTo(5.26e-315, 316)
  expect(Math.fround(value)).toBe(0)
})

test('half of an integer is whole where the other half is zero, and unknown on the stack', () => {
  expect(arriving('Int', number('int64', '-5'))).toEqual({value: -5})
  expect(arriving('Int', number('int32', '7'))).toEqual({value: 7})
  expect(arriving('Int', number('int32', '-1'))).toEqual({value: 2 ** 32 - 1})
  expect(arriving('Int', number('bool', 1))).toEqual({value: 1})
  expect(arriving('Int', number('int64', '7'), 8)).toEqual({value: 7})
  expect(arriving('Int', number('int32', '7'), 8)).toMatchObject({why: expect.stringContaining('stack') as string})
  expect(arriving('Int', number('int32', '7'), 7)).toEqual({value: 7})
})

test('a truth value is the last byte', () => {
  expect(arriving('Bool', number('bool', 1))).toEqual({value: true})
  expect(arriving('Bool', number('int64', '256'))).toEqual({value: false})
  expect(arriving('Bool', number('int32', '3'))).toEqual({value: true})
})

test.each([
  ['Float', number('int64', '2'), 'double', 'int64'],
  ['Int', number('float64', 2), 'int64_t', 'float64'],
  ['Bool', number('float32', 2), 'bool', 'float32'],
  ['Float', {kind: 'scalar'}, 'double', 'an aclScalar *'],
  ['Float', {kind: 'none'}, 'double', 'a null pointer'],
  ['String', {kind: 'object'}, 'char *', 'an object of C++'],
  ['ListInt', {kind: 'object'}, 'const aclIntArray *', 'an object of C++'],
  ['ListInt', {kind: 'truths', value: [1]}, 'const aclIntArray *', 'an aclBoolArray *'],
])('%s does not take %j', (type, argument, wanted, given) => {
  expect(arriving(type, argument)).toEqual({
    why: `the attribute beta is ${wanted} in the generated function, ${given} was passed`,
  })
})

test.each([
  ['String', {kind: 'string', value: 'none'}, 'none'],
  ['ListInt', {kind: 'integers', value: [1, 2]}, [1, 2]],
  ['ListBool', {kind: 'truths', value: [1, 0]}, [1, 0]],
])('%s takes %j', (type, argument, value) => {
  expect(arriving(type, argument)).toEqual({value})
})
