import {describe, expect, test} from 'vitest'
import {pack, unpack} from '../../engine/packing.ts'
import {randomFrom} from '../../engine/random.ts'

const both = (text: string, base?: string) => unpack(pack(text, base), base)

const sizeOf = (text: string, base?: string) => {
  const {rest} = pack(text, base)
  return typeof rest === 'string' ? Buffer.byteLength(rest) : rest.length
}

const page = Array.from(
  {length: 400},
  (_, line) => `第${line}行: DataCopy(dst, src, ${(line * 7919) % 1000}) 😀\n`,
).join('')

describe('a packed text', () => {
  const cases: Record<string, [text: string, base?: string]> = {
    'an empty one': [''],
    'a short one': ['{"a":1}', page],
    'a long one alone': [page],
    'its own base': [page, page],
    'a part of its base': [page.slice(900, 4000), page],
    'a text around its base': [`{"reference":${JSON.stringify(page)}}`, page],
    'nothing in common with its base': [page, '0'.repeat(5000)],
    'a base that is empty': [page, ''],
    'a base longer than deflate looks back': [`${page}${page.repeat(9)}!`, `${page}?${page.repeat(9)}`],
    'several megabytes': [`[${page.repeat(150)}]`, `{${page.repeat(150)}}`],
    'the base twice': [page + page, page],
    'half of the base': [page.repeat(2), page.repeat(4)],
  }
  test.each(Object.entries(cases))('comes back: %s', (_, [text, base]) => {
    expect(both(text, base) === text).toBe(true)
  })

  test('comes back where it differs from its base within one character', () => {
    // The same high surrogate before, the same low surrogate after the cut.
    const [one, other] = ['\ud83d\ude00', '\ud83d\ude01']
    const [third, fourth] = ['\ud83c\udf00', '\ud83d\udf00']
    const filling = 'x'.repeat(300)
    for (const [a, b] of [
      [one, other],
      [third, fourth],
    ] as const) {
      for (const [before, after] of [
        [filling, filling],
        ['', filling],
        [filling, ''],
      ] as const) {
        const [text, base] = [before + a + after, before + b + after]
        expect(both(text, base)).toBe(text)
        expect(both(text + filling + text, base)).toBe(text + filling + text)
      }
    }
  })

  test('comes back whatever was changed in it', () => {
    const random = randomFrom('packing')
    const pieces = ['😀', '\u0000', '"', '\\', '行', 'a', 'ÿ', '\ud83d\ude01', 'Add(x, y, 64);', '\n']
    for (let round = 0; round < 400; round += 1) {
      const below = (end: number) => Math.floor(random.unit() * end)
      const some = (count: number) => Array.from({length: count}, () => pieces[below(pieces.length)]).join('')
      const base = some(below(400))
      const at = below(base.length)
      // A cut may fall within a character, but records are JSON: half characters stand escaped in them.
      const changed = base.slice(0, at) + some(below(150)) + base.slice(at + below(60))
      const text = Buffer.from(changed).toString()
      expect(both(text, base)).toBe(text)
    }
  })

  test('takes little more than what is new in it', () => {
    expect(sizeOf(`${page.slice(0, 3000)}one word${page.slice(3000)}`, page)).toBe(8)
    expect(sizeOf(page.slice(900, 8000), page)).toBeLessThan(200)
    expect(sizeOf(page)).toBeLessThan(Buffer.byteLength(page) / 3)
  })
})
