import {expect, test} from 'vitest'
import {nearest} from '../../engine/nearest.ts'

test.each<[string, string[], string | undefined]>([
  ['epochs', ['epochs'], 'epochs'],
  ['Epochs', ['steps', 'EPOCHS'], 'EPOCHS'],
  // One letter more, less, another, two swapped.
  ['epochss', ['epochs'], 'epochs'],
  ['epohs', ['epochs'], 'epochs'],
  ['epoxhs', ['epochs'], 'epochs'],
  ['eopchs', ['epochs'], 'epochs'],
  ['pe', ['ep'], 'ep'],
  // Two are the most.
  ['eopcsh', ['epochs'], 'epochs'],
  ['xpoxhs', ['epochs'], 'epochs'],
  ['xpoxhx', ['epochs'], undefined],
  ['epochsabc', ['epochs'], undefined],
  ['epo', ['epochs'], undefined],
  ['epoc', ['epochs'], 'epochs'],
  // And half of the letters of a short word.
  ['ab', ['ax'], 'ax'],
  ['ab', ['xy'], undefined],
  ['a', ['b'], undefined],
  ['abc', ['abx'], 'abx'],
  ['abc', ['axy'], undefined],
  ['abcd', ['abxy'], 'abxy'],
  // The nearest, of equally near ones the first.
  ['kind', ['bind', 'kinds'], 'bind'],
  ['knd', ['bind', 'kind'], 'kind'],
  ['', ['ab'], undefined],
  ['', [], undefined],
  // A pair that is swapped is one edit wherever it stands, and only where both letters are the other's.
  ['abdc', ['abcd'], 'abcd'],
  ['ca', ['abc'], undefined],
  ['sternght', ['strength'], 'strength'],
])('%j among %j is %j', (typed, words, word) => {
  expect(nearest(typed, words)).toBe(word)
})
