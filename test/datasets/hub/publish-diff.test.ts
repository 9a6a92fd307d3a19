import {expect, test} from 'vitest'
import {difference} from '../../../datasets/hub/publish-diff.ts'

test('a file of the same size and other bytes is changed, whichever way the Hub names its bytes', () => {
  const local = {path: 'data/a', bytes: 4, sha256: 's', gitId: 'g'}
  const there = [{sha256: 's'}, {gitId: 'g'}, {sha256: 't'}, {gitId: 'h'}, {}]
  const found = there.map((name) => difference([local], [{path: 'data/a', bytes: 4, ...name}]))
  expect(found.map(({changed}) => changed.length)).toEqual([0, 0, 1, 1, 1])
})
