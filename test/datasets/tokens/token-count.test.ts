import {countTokens} from 'gpt-tokenizer/encoding/o200k_base'
import {expect, test} from 'vitest'
import {countInPieces, tokenCount} from '../../../datasets/tokens/token-count.ts'
import {randomFrom} from '../../../engine/random.ts'

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

test('counts any text as the tokenizer does, however often its words came before', () => {
  const random = randomFrom('tokens')
  const parts = [
    ...' \t\n\r\u3000\u00a0aZé中文0123_-+(){};,"\'/*😀',
    ' the',
    'Tiling',
    'ing',
    "'LL",
    '<|im_start|>',
    '\n  ',
  ]
  for (let text = 0; text < 1500; text += 1) {
    const made = Array.from({length: random.integer(1, 60)}, () => random.pick(parts)).join('')
    expect(tokenCount(made), made).toBe(countTokens(made, {disallowedSpecial: new Set()}))
  }
})

test.each([
  ['letters', 'x'],
  ['blanks', ' '],
])('a run of 1,024 %s is found wherever it stands, and a shorter one is none', (_, letter) => {
  const other = letter === ' ' ? 'y' : ' '
  const parts = (text: string) => {
    let pieces = 0
    countInPieces(text, () => {
      pieces += 1
      return 0
    })
    return pieces
  }
  for (const before of [1, 511, 1022, 1023, 1024, 1500, 2047, 3000]) {
    const [start, end] = [`${'ab '.repeat(1000).slice(0, before - 1)}${other}`, `${other}${'ab '.repeat(100)}`]
    expect(parts(`${start}${letter.repeat(1023)}${end}`), `1023 behind ${before}`).toBe(1)
    expect(parts(`${start}${letter.repeat(1024)}${end}`), `1024 behind ${before}`).toBeGreaterThan(1)
  }
})
