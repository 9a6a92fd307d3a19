import {expect, test} from 'vitest'
import {cases} from './told-cases.ts'
import {told} from './told-reasons.ts'

test.each(cases)('%s', (_, failed, right, expected, given) => {
  expect(told(failed, right, given).join(' | ')).toMatch(expected)
})
