import {expect, test} from 'vitest'
import {leafPaths, mergeValues, type Values} from '../../trainers/read-spec.ts'

test.each<[string, Values, Values, Values]>([
  ['a value takes the place of another', {a: 1, b: 2}, {a: 3}, {a: 3, b: 2}],
  ['a new key joins', {a: 1}, {b: 2}, {a: 1, b: 2}],
  ['null takes a key away', {a: 1, b: 2}, {a: null}, {b: 2}],
  ['sections go key by key', {a: {b: 1, c: 2}}, {a: {c: 3}}, {a: {b: 1, c: 3}}],
  ['however deep', {a: {b: {c: 1, d: 2}}}, {a: {b: {d: null}}}, {a: {b: {c: 1}}}],
  ['a section takes the place of what is none', {a: 1}, {a: {b: 2}}, {a: {b: 2}}],
  ['and the other way round', {a: {b: 2}}, {a: 1}, {a: 1}],
  ['lists are whole values', {a: [1, 2]}, {a: [3]}, {a: [3]}],
  ['a list is no section', {a: {b: 1}}, {a: [3]}, {a: [3]}],
  ['a value with its source is whole', {a: {value: 1, source: 'paper'}}, {a: {value: 2}}, {a: {value: 2}}],
  ['a section over a value with its source', {a: {value: 1}}, {a: {b: 2}}, {a: {value: 1, b: 2}}],
  ['sections of another kind are whole', {a: {kind: 'x', b: 1}}, {a: {kind: 'y', c: 2}}, {a: {kind: 'y', c: 2}}],
  ['of the same kind not', {a: {kind: 'x', b: 1}}, {a: {kind: 'x', c: 2}}, {a: {kind: 'x', b: 1, c: 2}}],
  ['of a kind that is not said neither', {a: {kind: 'x', b: 1}}, {a: {c: 2}}, {a: {kind: 'x', b: 1, c: 2}}],
  ['nor where it was not said', {a: {b: 1}}, {a: {kind: 'x'}}, {a: {b: 1, kind: 'x'}}],
  ['steps take epochs away', {h: {epochs: 3}}, {h: {steps: 5}}, {h: {steps: 5}}],
  ['epochs take steps away', {h: {steps: 5}}, {h: {epochs: 3}}, {h: {epochs: 3}}],
  ['to take one away takes only that', {h: {steps: 5, epochs: 3}}, {h: {steps: null}}, {h: {epochs: 3}}],
])('%s', (_, base, over, merged) => {
  const before = structuredClone(base)
  expect(mergeValues(base, over)).toEqual(merged)
  expect(base).toEqual(before)
})

test('the values of sections have paths', () => {
  expect(leafPaths({a: 1, b: {c: null, d: {e: [1]}}, f: {}})).toEqual(['a', 'b.c', 'b.d.e'])
})
