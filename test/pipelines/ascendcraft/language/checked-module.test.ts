import {expect, test} from 'vitest'
import {checkedFixture} from '../../../helpers/lowering.ts'

test.each([
  ['atomic-total', true],
  ['mean-square', true],
  ['centre-square', false],
  ['column-sum', false],
])('%s waits for all cores: %j', (name, expected) => {
  expect(checkedFixture(name).usesSyncAll).toBe(expected)
})
