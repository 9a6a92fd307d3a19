import {expect, test} from 'vitest'
import type {Check} from '../../../../pipelines/facts/checks.ts'
import {checkText, shortened} from '../../../../pipelines/code/offline/check-text.ts'
import {both, toldCases} from '../../../helpers/told-parts.ts'

test('each check is told by what it asks for', () => {
  const kinds: Check['kind'][] = [
    ...(['not-null', 'holds', 'fails', 'dtype-in', 'dtype-is', 'dtype-same', 'dtype-converts'] as const),
    ...(['shape-same', 'shape-is', 'dims-at-most', 'dims-at-least', 'dims-exactly'] as const),
    ...(['broadcast', 'broadcast-to'] as const),
  ]
  const cases: Record<string, string> = {}
  for (const kind of kinds)
    for (const result of ['', 'return', 'false'])
      if (result === 'false' || kind === 'holds' || kind === 'fails')
        cases[`${kind} ${result}`] = both((speaker) => checkText({kind, subjects: ['a', 'b', 'c'], result}, speaker))
  toldCases('checks', cases)
})

test('text is cut between two words', () => {
  expect(shortened('abc', 3)).toBe('abc')
  expect(shortened('abc def', 7)).toBe('abc def')
  expect(shortened('abc def', 6)).toBe('abc …')
  expect(shortened('abc, def', 4)).toBe('abc, …')
  expect(shortened('x'.repeat(150))).toBe('x'.repeat(150))
  expect(shortened(`${'x'.repeat(148)}, y`)).toBe(`${'x'.repeat(148)}, …`)
})
