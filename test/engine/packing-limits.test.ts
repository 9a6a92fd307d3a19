import {expect, test} from 'vitest'
import {pack, unpack} from '../../engine/packing.ts'

const both = (text: string, base?: string) => unpack(pack(text, base), base)

test('texts from two hundred signs on are deflated', () => {
  expect(pack('a'.repeat(199))).toEqual({rest: 'a'.repeat(199)})
  expect(pack('a'.repeat(199), 'a'.repeat(500))).toEqual({rest: 'a'.repeat(199)})
  expect(pack('a'.repeat(200)).rest).toBeInstanceOf(Buffer)
  expect(both('a'.repeat(200))).toBe('a'.repeat(200))
})

test('of a text with a base only what differs is kept', () => {
  const base = `${'b'.repeat(150)}${'m'.repeat(100)}${'e'.repeat(150)}`
  const around = (middle: string) => `${'b'.repeat(150)}${middle}${'e'.repeat(150)}`
  expect(pack(around('xyz'), base)).toEqual({shared: {head: 150, tail: 150}, rest: 'xyz'})
  expect(pack(base, base)).toEqual({shared: {head: 400, tail: 0}, rest: ''})
  expect(pack(`${base}!`, base)).toEqual({shared: {head: 400, tail: 0}, rest: '!'})
  expect(pack(`!${base}`, base)).toEqual({shared: {head: 0, tail: 400}, rest: '!'})
  expect(pack(around('x'.repeat(199)), base).rest).toBe('x'.repeat(199))
  expect(pack(around('x'.repeat(200)), base).rest).toBeInstanceOf(Buffer)
  // What is shared is not shared twice.
  expect(pack('b'.repeat(300), 'b'.repeat(200))).toEqual({shared: {head: 200, tail: 0}, rest: 'b'.repeat(100)})
  expect(pack('b'.repeat(200), 'b'.repeat(300))).toEqual({shared: {head: 200, tail: 0}, rest: ''})
})

test('no character is cut in half at either end', () => {
  const [grin, wink] = ['\u{1f600}', '\u{1f609}']
  const before = 'b'.repeat(200)
  expect(pack(`${before}${grin}`, `${before}${wink}`)).toEqual({shared: {head: 200, tail: 0}, rest: grin})
  // The second half of both is the same.
  const other = '\u{1fa00}'
  expect(grin.charCodeAt(1)).toBe(other.charCodeAt(1))
  expect(pack(`${grin}${before}`, `${other}${before}`)).toEqual({shared: {head: 0, tail: 200}, rest: grin})
  for (const [text, base] of [
    [`${before}${grin}`, `${before}${wink}`],
    [`${grin}${before}`, `${other}${before}`],
    [`${before}${grin}${before}`, `${before}${other}${before}`],
  ] as const)
    expect(both(text, base)).toBe(text)
})

test('a text that was packed against a base is not read without it', () => {
  expect(() => unpack(pack('x'.repeat(300), 'x'.repeat(400)))).toThrow('unpack: this text was packed against a base')
})
