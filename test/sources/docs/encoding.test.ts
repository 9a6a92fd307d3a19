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

describe('what a text is read as', () => {
  const read = (bytes: readonly number[] | Uint8Array, sent?: string) => {
    const found = decodeText(Uint8Array.from(bytes), sent)
    return found && `${found.encoding}:${found.text}`
  }
  const sixteen = (text: string, order: 'le' | 'be') => {
    const bytes = new Uint8Array(Buffer.from(text, 'utf16le'))
    return order === 'le' ? bytes : swapped(bytes)
  }

  // Each is valid in another encoding too, so that the mark alone tells.
  test('a byte-order mark decides, whole', () => {
    expect(read([0xff, 0xfe, 0x2d, 0x4e])).toBe('utf-16le:中')
    expect(read([0xfe, 0xff, 0x4e, 0x2d])).toBe('utf-16be:中')
    expect(read([0xff, 0xfe, 0x41, 0x42])).toBe('utf-16le:䉁')
    expect(read([0xfe, 0xff, 0x41, 0x42])).toBe('utf-16be:䅂')
    expect(read([0xef, 0xbb, 0xbf, 0xca, 0xfd])).toBeUndefined()
    // 锘 and 锘縗 in GB18030 begin like the mark of UTF-8; the rest is 数据的.
    const data = [0xca, 0xfd, 0xbe, 0xdd, 0xb5, 0xc4]
    for (const start of [
      [0xef, 0xbb],
      [0xef, 0xbc, 0xbf, 0xc9],
      [0xee, 0xbb, 0xbf, 0xc9],
      [0xef, 0xbb, 0xbe, 0xc9],
    ])
      expect(read([...start, ...data])).toMatch(/^gb18030:.*数据的$/)
    expect(read([0xb5, 0xfe, ...data])).toBe('gb18030:叠数据的')
    expect(read([0xfe, 0x50, ...data])).toBe('gb18030:⺁数据的')
    expect(read([0xff, 0xb5, ...data])).toBeUndefined()
    expect(read([0xb5, 0xff, ...data])).toBeUndefined()
  })

  test('zero bytes at every second place are UTF-16: four times as many as at the others', () => {
    const latin = 'a <b> '
    expect(read(sixteen(latin, 'le'))).toBe(`utf-16le:${latin}`)
    expect(read(sixteen(latin, 'be'))).toBe(`utf-16be:${latin}`)
    // U+4E00 has a zero byte at the other place; of five letters one may be such.
    expect(read(sixteen('abcde一', 'le'))).toBe('utf-16le:abcde一')
    expect(read(sixteen('abcde一', 'be'))).toBe('utf-16be:abcde一')
    expect(read(sixteen('abcd一', 'le'))).toBeUndefined()
    expect(read(sixteen('abcd一', 'be'))).toBeUndefined()
    expect(read([0x61, 0x62, 0x00])).toBeUndefined()
    expect(read([0x61])).toBe('utf-8:a')
    expect(read([])).toBe('utf-8:')
  })

  test('the first four kilobytes tell of zero bytes', () => {
    // A zero byte at 4095 counts, one at 4097 does not: and 啊 alone is no Chinese.
    const long = (count: number) => sixteen(`${'啊'.repeat(count)}a`, 'le')
    expect(read(long(2047))).toMatch(/^utf-16le/)
    expect(read(long(2048))).toBeUndefined()
    const common = sixteen('的是在和'.repeat(512), 'le')
    expect(read([...common, 0x61, 0x00])).toMatch(/^utf-16le/)
  })

  test('UTF-16 without a mark and without Latin text is known by Chinese words, in one order only', () => {
    expect(read(sixteen('这是两个接口的说明', 'le'))).toBe('utf-16le:这是两个接口的说明')
    expect(read(sixteen('这是两个接口的说明', 'be'))).toBe('utf-16be:这是两个接口的说明')
  })

  test('of 25 characters one is a common word', () => {
    // 啊 is 0xB0A1, 的 0xB5C4.
    const page = (others: number) => read([...Array.from({length: others}, () => [0xb0, 0xa1]).flat(), 0xb5, 0xc4])
    expect(page(24)).toMatch(/^gb18030/)
    expect(page(25)).toBeUndefined()
    expect(read([0xb5, 0xc4])).toBe('gb18030:的')
    // Greek letters of GB18030 are no Chinese.
    expect(read([0xa6, 0xa1, 0xa6, 0xa2])).toBeUndefined()
  })

  test('Greek in a page that declares GB18030 is Chinese read by chance', () => {
    const chance = [0xce, 0xac]
    const meta = (name: string) => [...ascii(`<meta charset="${name}">`)]
    expect(read([...meta('gbk'), ...chance])).toMatch(/^gb18030:.*维$/)
    expect(read([...meta('utf-8'), ...chance])).toMatch(/^utf-8:.*ά$/)
    expect(read(chance)).toMatch(/^utf-8:/)
    expect(read([...meta('gbk'), ...ascii('plain')])).toMatch(/^utf-8:/)
    expect(read([...meta('gbk'), ...chance, ...Buffer.from('中')])).toMatch(/^utf-8:/)
  })

  test('a declaration stands in the first two kilobytes', () => {
    const late = (blanks: number) => [...ascii(`${' '.repeat(blanks)}<meta charset=gbk>`), 0xb0, 0xa1]
    expect(read(late(2048 - 17))).toMatch(/^gb18030/)
    expect(read(late(2048))).toBeUndefined()
    expect(read([...ascii('<?xml encoding="GB2312"?>'), 0xb0, 0xa1])).toMatch(/^gb18030/)
    expect(read([...ascii('<meta charset="utf8">'), 0xb5, 0xc4])).toMatch(/^gb18030/)
    expect(read([...ascii('<meta charset="big5">'), 0xb5, 0xc4])).toBeUndefined()
  })

  test('three letters of UTF-8 read as Latin-1 are damage, unless there is Chinese beside', () => {
    const twice = (text: string) => Buffer.from(Buffer.from(text).toString('latin1'))
    expect(read(twice('中文'))).toMatch(/^utf-8/)
    expect(read(twice('中文字'))).toBeUndefined()
    expect(read(Buffer.concat([twice('中文字'), Buffer.from('中')]))).toMatch(/^utf-8/)
  })
})
