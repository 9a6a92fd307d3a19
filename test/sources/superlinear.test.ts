import {afterAll, describe, expect, test} from 'vitest'
import {isolate} from '../../engine/worker.ts'

// Texts that made patterns read the rest of a page once per opening mark. What is asked is that they end at all: the
// limit is a hundred times what they take, and what grows with the square of the length takes minutes.
const limits = {seconds: 60, heapMegabytes: 2048}
const length = 50_000
const signal = new AbortController().signal

const helper = (name: string) => new URL(`../helpers/${name}.ts`, import.meta.url)
const pages = isolate<{text: string; format: 'html' | 'markdown'}, number>(helper('page-path'), limits, signal)
const kernels = isolate<string, number>(helper('kernel-path'), limits, signal)
afterAll(() => Promise.all([pages.close(), kernels.close()]))

const markUp = [
  '<a ',
  '<!--',
  '<!-- ',
  '<table ',
  '<table>\n',
  '[',
  '](',
  '![',
  '`',
  '```\n',
  '|',
  '| a ',
  '*',
  '\\',
  '<',
  '&',
  '> ',
  '> [!x',
  '- ',
  '# ',
  '#',
  '(',
  '"',
  ' ',
  '\n',
  ' \n',
  '\t',
  '\r',
  '<a href=x>',
  '<p>',
  '<td>x',
  '- x\n',
  'It. ',
  '这。',
  '如下',
  '参数',
  'a',
  'a ',
  '-',
  '：',
  '• ',
  '[a](b ',
  '![a](b "c',
]
const sections = [
  '',
  '## 参数说明\n\n',
  '## 函数原型\n\n```cpp\n',
  '## 参数说明\n\n| 参数名 | 描述 |\n| --- | --- |\n| a | 说明文字是这样的 ',
]
const tags = [
  '<a ',
  '<',
  '<p>',
  '<li>',
  '<br>',
  '<a href=x>',
  '<pre></pre>',
  '<h2>',
  '<span></span>',
  '<td>',
  '<tr><td>a</td></tr>',
  '&',
  ' ',
  'a ',
  '<p>a b</p>\n',
  '<b><p>',
]
const code = [
  '/*',
  '*/',
  '* /',
  '//',
  '"',
  "'",
  '"\\',
  'R"(',
  '#if\n',
  '#endif\n',
  '#include "a.h"\n',
  'template<',
  '{',
  '(',
  '[',
  '<',
  ' ',
  '\n',
  ' \n',
  '\\\n',
  'a',
  'a ',
  'a::',
  'Ab<',
  'Ab(',
  '__aicore__ ',
  'this->Input(',
  'TILING_DATA_FIELD_DEF(',
  'OP_ADD(',
  '```cpp\n',
  'int a = ',
  'a;\n',
  'f(a)',
  'return ',
  '#define X \\\n',
  '#define X 1   ',
  '#ifdef A\n#elif B\n',
  '#if A\n#else\n',
  '#ifdef A\n',
  '#elif B\n',
  'enum a ',
  'enum {',
  'enum X { DTYPE_A, ',
  '__global__ ',
  '__global__ void a(',
  'template <int N> __global__ void a() {}\n',
  'namespace A {',
  'ASCENDC_TPL_ARGS_DECL\n',
  'Apache License',
  'Redistribution and use in source and binary forms',
]

const repeated = (part: string) => part.repeat(Math.ceil(length / part.length))

describe('a page of repeated fragments goes through', () => {
  test.each(markUp.map((part) => [JSON.stringify(part), part]))('Markdown of %s', async (_, part) => {
    for (const section of sections) {
      const text = `# T\n\n${section}${repeated(part)}\n\nend\n`
      expect(await pages.call({text, format: 'markdown'}), section).toMatchObject({ok: true})
    }
  })

  test.each(tags.map((part) => [JSON.stringify(part), part]))('HTML of %s', async (_, part) => {
    const table = part.startsWith('<t') ? '<table>' : ''
    const text = `<h1>T</h1>${table}${repeated(part).slice(0, length / 2)}`
    expect(await pages.call({text, format: 'html'})).toMatchObject({ok: true})
  })
})

describe('a source file of repeated fragments goes through', () => {
  test.each(code.map((part) => [JSON.stringify(part), part]))('%s', async (_, part) => {
    expect(await kernels.call(`${repeated(part)}\nend\n`)).toMatchObject({ok: true})
  })
})
