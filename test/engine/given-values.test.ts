import {expect, test} from 'vitest'
import {parseScalar, setPath} from '../../engine/given-values.ts'

test('a value that is set at one place leaves the others alone that share it by an alias', () => {
  const given = parseScalar('{a: &one {x: 1, list: [1]}, b: *one}', 'here') as Record<string, unknown>
  setPath(given, 'b.x', 2)
  setPath(given, 'b.list.0', 3)
  setPath(given, 'c.d', 4)
  expect(given).toEqual({a: {x: 1, list: [1]}, b: {x: 2, list: [3]}, c: {d: 4}})
})
