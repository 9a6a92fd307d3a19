import {describe, expect, test} from 'vitest'
import convert, {type RawPage} from '../../../sources/docs/convert.ts'

const page = (text: string, part: Partial<RawPage> = {}) =>
  convert({bytes: Buffer.from(text), format: 'markdown', product: '910b', ...part})
const told = (...args: Parameters<typeof page>) => {
  const found = page(...args)
  if (found.refused) throw new Error(found.refused.detail)
  return found
}

describe('a page of bytes', () => {
  test('is text with all that is needed to decide on it', () => {
    const lines = [
      ...['# Move', '', '## 产品支持情况', '', '- Atlas A2 训练系列产品：支持', '', '## 功能说明', ''],
      ...['把数据搬运到片上。', '', '```cpp', 'Move(a, b);', '```', ''],
    ]
    expect(page(lines.join('\r\n'))).toEqual({
      title: 'Move',
      markdown: lines.slice(2, -1).join('\n'),
      headingLines: [3, 7],
      ...{lineCount: 13, linkShare: 0, hasCode: true, language: 'zh', licence: undefined, support: 'supported'},
      length: 'AtlasA2训练系列产品：支持把数据搬运到片上。```cppMove(a,b);```'.length,
    })
  })

  test('that nobody can read is refused', () => {
    expect(page('', {bytes: Uint8Array.of(0x61, 0xff, 0xff, 0x81, 0x00)}).refused).toEqual({
      reason: 'encoding-unknown',
      detail: 'neither UTF-8, UTF-16 nor GB18030, or damaged by an earlier conversion',
    })
    const nested = (depth: number) => page(`${'<div>'.repeat(depth)}text`, {format: 'html'}).refused
    expect([nested(256), nested(257)]).toEqual([
      undefined,
      {reason: 'nested-too-deeply', detail: 'elements 257 deep, at most 256'},
    ])
    expect(() => page('a', {product: '310'})).toThrow('no product 310')
  })

  test('is read in the encoding that came with it', () => {
    const gbk = Uint8Array.of(0x23, 0x20, 0xca, 0xfd, 0xbe, 0xdd)
    expect(told('', {bytes: gbk, charset: 'gbk'}).title).toBe('数据')
  })

  test('in HTML is Markdown', () => {
    const html =
      '<html><head><title>Move</title></head><body><h1>Move</h1><p>Moves <b>all</b> the data.</p></body></html>'
    expect(told(html, {format: 'html'})).toMatchObject({
      title: 'Move',
      language: 'en',
      hasCode: false,
      support: 'unsaid',
    })
  })

  test('speaks of the product', () => {
    const on = (said: string) => `# Move\n\n## 产品支持情况\n\n- Atlas A2 训练系列产品：${said}\n`
    expect([told(on('支持')).support, told(on('不支持')).support]).toEqual(['supported', 'unsupported'])
    expect(told(on('支持'), {product: 'A3'}).support).toBe('unsupported')
  })
})

describe('the language', () => {
  const language = (text: string) => told(`# T\n\n${text}`).language

  test.each([
    // Of eleven letters and the title's one, one or two are Han.
    [`${'a'.repeat(8)}数`, 'en'],
    [`${'a'.repeat(7)}数`, 'zh'],
    ['Moves the data.', 'en'],
    ['数据', 'zh'],
    ['123', 'en'],
    [`数据\n\n\`\`\`\n${'a'.repeat(100)}\n\`\`\``, 'zh'],
    [`Moves the data.\n\n\`\`\`\n${'数'.repeat(100)}\n\`\`\``, 'en'],
    [`数据\n\n\`\`\`\n${'a'.repeat(100)}`, 'en'],
  ])('of %j is %s', (text, expected) => {
    expect(language(text)).toBe(expected)
  })
})

describe('code and length', () => {
  test('are those of the text', () => {
    expect([told('a\n\n  ```\nb\n```').hasCode, told('a ``` b').hasCode]).toEqual([true, false])
    expect(told('# Title\n\n- a *b* | c > d').length).toBe(4)
    expect(told('a\nb\n\n\n').lineCount).toBe(2)
  })
})
