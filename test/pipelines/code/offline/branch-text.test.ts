import {expect, test} from 'vitest'
import {voice} from '../../../../datasets/voice.ts'
import {randomFrom} from '../../../../engine/random.ts'
import type {Branch} from '../../../../cpp/syntax.ts'
import {branchText, isSamePlace} from '../../../../pipelines/code/offline/branch-text.ts'

const told = (...branches: Branch[]) => branchText(branches, voice('en', randomFrom('branches')))
const when = (condition: string): Branch => ({condition, arm: 'then', line: 1})
const unless = (condition: string): Branch => ({condition, arm: 'else', line: 1})
const caseOf = (condition: string, value: string, ...also: string[]): Branch => ({
  condition,
  arm: {case: value, ...(also.length > 0 && {also})},
  line: 1,
})

test('conditions are told from the outside in', () => {
  expect(told()).toBe('')
  expect(told(when('a'), unless('b'))).toBe('where `a` holds and `b` does not hold')
  expect(branchText([when('a'), unless('b')], voice('zh', randomFrom('branches')))).toBe('当 `a` 成立且 `b` 不成立时')
})

test('that a variable has no other value follows from the one that it has', () => {
  expect(told(unless('x == 1'), when('x == 2'))).toBe('where `x == 2` holds')
  expect(told(unless('x == 1'), when('y == 2'))).toBe('where `x == 1` does not hold and `y == 2` holds')
  expect(told(unless('x == 1'), unless('x == 2'))).toBe('where `x == 1` does not hold and `x == 2` does not hold')
  expect(told(unless('x > 1'), when('x > 2'))).toBe('where `x > 1` does not hold and `x > 2` holds')
  expect(told(when('x == 1'), when('x == 2'))).toBe('where `x == 1` holds and `x == 2` holds')
})

test('cases are told by their values, the rest as any other', () => {
  expect(told(caseOf('mode', 'A'))).toBe('where `mode` is `A`')
  expect(told(caseOf('mode', 'A', 'B', 'C'))).toBe('where `mode` is `B` or `C` or `A`')
  expect(told(caseOf('mode', 'default'))).toBe('where `mode` is any other value')
  expect(told(caseOf('mode', 'default', 'B'))).toBe('where `mode` is `B` or any other value')
  expect(told(caseOf('mode', 'A', 'default'))).toBe('where `mode` is `A` or any other value')
  expect(branchText([caseOf('mode', 'default', 'B')], voice('zh', randomFrom('branches')))).toBe(
    '当 `mode` 为 `B` 或 其余取值 时',
  )
})

test('two statements stand in one place where all their conditions are the same', () => {
  expect(isSamePlace([when('a')], [when('a')])).toBe(true)
  expect(isSamePlace([when('a')], [unless('a')])).toBe(false)
  expect(isSamePlace([], [when('a')])).toBe(false)
})
