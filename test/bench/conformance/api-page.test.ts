import {describe, expect, test} from 'vitest'
import {forChip, readApiPage} from './api-page.ts'
import {callsOf} from './page-code.ts'
import {byPage} from './page-ruler.ts'
import type {PageVector} from './page-ruler.ts'
import {errorsOf, testsOf, withoutTests} from './unit-tests.ts'

const page = `# Twice<a name="x"></a>

<!-- npu="A3,910b" id1 -->
- Atlas A2 训练系列产品：支持
<!-- end id1 -->
<!-- npu="950" id2 -->
- elsewhere
<!-- npu="910b" id3 -->
- nested
<!-- end id3 -->
<!-- end id2 -->

## 调用示例

\`\`\`cpp
uint64_t mask = 128; // all of them
AscendC::LocalTensor<half> dstLocal;
AscendC::Twice(dstLocal, srcLocal, mask, 4, { 1, 1 });
\`\`\`

\`\`\`cpp
AscendC::Twice<half>(dstLocal, srcLocal, 512);
\`\`\`

结果示例如下：

\`\`\`
输入数据(srcLocal, shape:[1, 4]): [1 2
 3 4]
输入数据scalar = 2
输出数据dstLocal：[2 4 ... 8] // comment [9]
\`\`\`

- 128个：

\`\`\`cpp
Twice(dstLocal, srcLocal, 128);
\`\`\`

> 输入数据src_gm：128个half类型数据

\`\`\`plain
[1 2 ... 128]
\`\`\`

> 输出数据dst_gm：[2 4 ... 256]
`

describe('a page of the API', () => {
  test('is sliced by the markers of chips, nested ones too', () => {
    const text = forChip(page, '910b')
    expect(text).toContain('Atlas A2')
    expect(text).not.toMatch(/elsewhere|nested|npu=/)
  })

  test('gives each example with the code before it', () => {
    const {title, supported, examples} = readApiPage(page)
    expect([title, supported, examples.length]).toEqual(['Twice', true, 2])
    const [first, second] = examples
    expect(first!.inputs.map(({name, array}) => [name, array.runs[0]!.length])).toEqual([['srcLocal', 4]])
    expect(first!.outputs.map(({array}) => array.runs.map((run) => run.length))).toEqual([[2, 1]])
    expect(first!.code).toHaveLength(2)
    expect(second!.inputs[0]!.array.runs.map((run) => run.length)).toEqual([2, 1])
    expect(second!.code).toHaveLength(1)
  })

  test('gives the calls of its code with what each needs before it', () => {
    const calls = callsOf(readApiPage(page).examples[0]!.code, 'Twice')
    expect(calls).toEqual([
      {setup: ['uint64_t mask = 128'], call: 'AscendC::Twice(dstLocal, srcLocal, mask, 4, { 1, 1 })'},
      {setup: [], call: 'AscendC::Twice<half>(dstLocal, srcLocal, 512)'},
    ])
  })
})

describe('a page without names', () => {
  test('is read where a label has no colon', () => {
    const text = page
      .replace(/## 调用示例[^]*$/, '')
      .concat('## 调用示例\n```\nTwice(dstLocal, srcLocal);\n```\n```\n输入数据：\n1 2\n输出数据\n2 4\n```\n')
    const {inputs, outputs} = readApiPage(text).examples[0]!
    expect([inputs, outputs].map(([one]) => one!.array.runs[0]!.map(({value}) => value))).toEqual([
      [1, 2],
      [2, 4],
    ])
  })
})

describe('how pages come out', () => {
  const example = (name: string, rest: Partial<PageVector>): PageVector => {
    return {name, abridged: false, ok: false, calls: 1, shown: 1, near: 0, reason: 'differs', ...rest}
  }

  test('a page passes when all of its examples do, and fails when one differs for no reason of the page', () => {
    const all = [
      example('Good', {ok: true}),
      example('Good#1', {ok: true, abridged: true}),
      example('Own', {wrong: 'prints 10 for 11'}),
      example('Own#1', {ok: true}),
      example('Short', {lacks: 'the element that decides'}),
      example('Mixed', {wrong: 'prints 10 for 11'}),
      example('Mixed#1', {}),
    ]
    expect(byPage(all)).toEqual([
      {page: 'Good', abridged: true, state: 'passed'},
      {page: 'Own', abridged: false, state: 'at fault'},
      {page: 'Short', abridged: false, state: 'at fault'},
      {page: 'Mixed', abridged: false, state: 'failed'},
    ])
  })
})

describe('a file of unit tests', () => {
  const text = 'int a;\nTEST_F(Suite, One)\n{\n    f();\n}\nTEST(Suite, Two) {\n}\n'

  test('is cut into tests, and keeps its lines without one', () => {
    const tests = testsOf(text)
    expect(tests).toEqual([
      {name: 'Suite.One', first: 2, last: 5},
      {name: 'Suite.Two', first: 6, last: 7},
    ])
    expect(withoutTests(text, [tests[0]!]).split('\n').indexOf('TEST(Suite, Two) {')).toBe(5)
  })

  test('has its errors told with the lines of their notes', () => {
    const log =
      'twin/x.h:9:1: error: static assertion failed: half\na.cpp:4:5: note: in instantiation\nb.cpp:7:1: error: no f\n'
    expect(errorsOf(log)).toEqual([
      {message: 'static assertion failed: half', places: [{file: 'a.cpp', line: 4}]},
      {message: 'no f', places: [{file: 'b.cpp', line: 7}]},
    ])
  })

  test('has its errors told with the lines that g++ puts in front of them', () => {
    const log =
      'x.h: In instantiation of f:\na.cpp:4:5:   required from here\ntwin/x.h:9:1: error: static assertion failed\n' +
      'b.cpp:7:1: error: no f\n'
    expect(errorsOf(log)).toEqual([
      {message: 'static assertion failed', places: [{file: 'a.cpp', line: 4}]},
      {message: 'no f', places: [{file: 'b.cpp', line: 7}]},
    ])
  })
})
