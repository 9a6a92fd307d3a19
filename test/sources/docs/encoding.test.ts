import {describe, expect, test} from 'vitest'
import {decodeText} from '../../../sources/docs/encoding.ts'

// The same sentence in the encodings that Chinese documentation comes in; GB18030 bytes written by hand, since Node
// only reads it.
const sentence = '数据的搬运'
const gb18030 = Uint8Array.of(0xca, 0xfd, 0xbe, 0xdd, 0xb5, 0xc4, 0xb0, 0xe1, 0xd4, 0xcb)
const utf16le = new Uint8Array(Buffer.from(sentence, 'utf16le'))
const swapped = (bytes: Uint8Array) => new Uint8Array(Buffer.from(bytes).swap16())
const ascii = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const joined = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts))

describe('decodeText', () => {
  test.each([
    ['UTF-8', new Uint8Array(Buffer.from(sentence)), 'utf-8'],
    ['UTF-8 with a mark', joined(Uint8Array.of(0xef, 0xbb, 0xbf), new Uint8Array(Buffer.from(sentence))), 'utf-8'],
    ['UTF-16 with a mark', joined(Uint8Array.of(0xff, 0xfe), utf16le), 'utf-16le'],
    ['big-endian UTF-16 with a mark', joined(Uint8Array.of(0xfe, 0xff), swapped(utf16le)), 'utf-16be'],
    [
      'UTF-16 without a mark, known by its ASCII mark-up',
      new Uint8Array(Buffer.from(`<p>${sentence}</p>`, 'utf16le')),
      'utf-16le',
    ],
    ['GB18030', gb18030, 'gb18030'],
  ])('reads %s', (_, bytes, encoding) => {
    const decoded = decodeText(bytes)
    expect(decoded?.encoding).toBe(encoding)
    expect(decoded?.text.replace(/<\/?p>/g, '')).toBe(sentence)
  })

  test('believes a declared charset that fits', () => {
    const page = joined(ascii('<meta charset="gb2312"><p>'), Uint8Array.of(0xcd, 0xbc), ascii('</p>'))
    expect(decodeText(page)?.text).toContain('图')
  })

  test('does not believe a declaration that the bytes refute', () => {
    const page = new Uint8Array(Buffer.from(`<meta charset="gb2312"><p>${sentence}</p>`))
    expect(decodeText(page)).toMatchObject({encoding: 'utf-8', text: expect.stringContaining(sentence) as string})
  })

  test.each([
    ['Latin-1 text', ascii('r\xe9sum\xe9 \xe0 propos de la m\xe9moire partag\xe9e')],
    [
      'Korean in EUC-KR, whose bytes are all valid GB18030',
      Uint8Array.of(
        0xb5,
        0xa5,
        0xc0,
        0xcc,
        0xc5,
        0xcd,
        0xb8,
        0xa6,
        0xba,
        0xb9,
        0xbb,
        0xe7,
        0xc7,
        0xd5,
        0xb4,
        0xcf,
        0xb4,
        0xd9,
      ),
    ],
    [
      'a page that declares a charset we do not read',
      joined(ascii('<meta charset="euc-kr"><p>'), gb18030, ascii('</p>')),
    ],
    ['text that was damaged by an earlier conversion', new Uint8Array(Buffer.from('数据\uFFFD搬运'))],
    [
      'UTF-8 that was read as Latin-1 and written again',
      new Uint8Array(Buffer.from(Buffer.from(sentence).toString('latin1'))),
    ],
    ['binary data', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2, 3, 0xff, 0xfe, 4)],
  ])('refuses %s', (_, bytes) => {
    expect(decodeText(bytes)).toBeUndefined()
  })
})

describe('a charset that came with the page', () => {
  // 声明编码: no word of it is common enough to tell Chinese by.
  const bytes = Buffer.from('c9f9c3f7b1e0c2eb', 'hex')
  const declared = (name: string) => Buffer.concat([Buffer.from(`<meta charset="${name}">`), bytes])

  test('counts where the page says nothing', () => {
    expect(decodeText(bytes)).toBeUndefined()
    expect(decodeText(bytes, 'GBK')).toEqual({text: '声明编码', encoding: 'gb18030'})
    expect(decodeText(bytes, 'big5')).toBeUndefined()
  })

  test('does not count against what the page says, and never against valid UTF-8', () => {
    expect(decodeText(declared('gbk'), 'big5')?.text).toContain('声明编码')
    expect(decodeText(declared('big5'), 'gbk')).toBeUndefined()
    expect(decodeText(Buffer.from('声明编码'), 'gbk')).toEqual({text: '声明编码', encoding: 'utf-8'})
  })

  test('says nothing when it is what servers say by themselves', () => {
    const common = Buffer.from('d5e2cac7d2bbb8f6bdd3bfda', 'hex')
    expect(decodeText(common, 'iso-8859-1')?.text).toBe('这是一个接口')
  })
})
