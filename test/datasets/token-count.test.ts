import {expect, test} from 'vitest'
import {tokenCount} from '../../datasets/token-count.ts'

test('counts the spelling of a special token as plain text', () => {
  expect(tokenCount('<|endoftext|>')).toBeGreaterThan(1)
})

test('counts 300,000 equal letters without stalling', {timeout: 5000}, () => {
  expect(tokenCount('x'.repeat(300_000))).toBeGreaterThan(10_000)
})

test('counts ordinary text as the tokenizer does', () => {
  expect(tokenCount('DataCopy moves 32-byte blocks.')).toBe(8)
  expect(tokenCount('')).toBe(0)
})
