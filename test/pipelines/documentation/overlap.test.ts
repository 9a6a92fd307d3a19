import {expect, test} from 'vitest'
import {longestQuotation, shareRepeated, withoutCode} from '../../../pipelines/documentation/overlap.ts'

test('which share of the runs of five words another text has', () => {
  expect(shareRepeated('a b c d e f', 'a b c d e f')).toBe(1)
  expect(shareRepeated('a b c d e f', 'x a b c d e y')).toBe(0.5)
  expect(shareRepeated('a b c d e f', 'f e d c b a')).toBe(0)
  expect(shareRepeated('a b c d', 'a b c d'), 'fewer than five words have no run').toBe(0)
  expect(shareRepeated('a, b. c! d? e', 'a b c d e'), 'marks do not count').toBe(1)
})

test('the longest quotation, in words', () => {
  const page = 'a b c d e f g h'
  expect(longestQuotation('a b c d', page)).toBe(0)
  expect(longestQuotation('a b c d e', page)).toBe(5)
  expect(longestQuotation('x a b c d e f y', page)).toBe(6)
  expect(longestQuotation('b c d e f g x a b c d e f g h', page)).toBe(8)
  expect(longestQuotation('a b c d e f g h x b c d e f', page)).toBe(8)
  expect(longestQuotation('把数据搬运到', '先把数据搬运到另一处'), 'each Chinese character is one').toBe(6)
})

test('listings do not count', () => {
  expect(withoutCode('a\n```cpp\nint b;\n```\nc')).toBe('a\n\n\nc')
  expect(longestQuotation('```\na b c d e\n```', 'a b c d e')).toBe(0)
  expect(shareRepeated('```\na b c d e\n```', 'a b c d e')).toBe(0)
})
