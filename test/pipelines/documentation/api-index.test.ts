import {describe, expect, test} from 'vitest'
import type {DocPage} from '../../../datasets/schema/document.ts'
import apiIndex from '../../../pipelines/documentation/api-index.ts'
import {documentedApis} from '../../../pipelines/documentation/documented-apis.ts'
import {runStage} from '../../helpers/run-stage.ts'

const pageOf = (title: string, markdown: string, path = 'api/SIMD-API/基础API/move.md'): DocPage => ({
  origin: {repository: 'r', revision: 'v', path, licence: 'Apache-2.0'},
  title,
  language: 'zh',
  markdown,
  lineCount: 70,
})

const move = `## 功能说明

把数据从一处搬运到另一处。

## 函数原型

\`\`\`cpp
template <typename T>
__aicore__ inline void Move(const LocalTensor<T>& dst, const GlobalTensor<T>& src, uint32_t count = 8)
\`\`\`

## 参数说明

| 参数名 | 输入/输出 | 描述 |
| --- | --- | --- |
| T | 输入 | 操作数的数据类型。支持的数据类型为：half、float。 |
| dst | 输出 | 目的操作数。起始地址需要32字节对齐。 |
| src | 输入 | 源操作数。源地址不需要32字节对齐。 |

## 约束说明

- count * sizeof(T)必须是256字节的整数倍。
- 未对齐时搬运量向下取整到32字节对齐。

## 流水类型

PIPE_MTE2

## 调用示例

搬运一块数据：

\`\`\`cpp
AscendC::Move(dstLocal, srcGlobal, 128);
\`\`\`

结果示例如下：

\`\`\`
输出数据 dstLocal: [1 2 3]
\`\`\`
`

describe('an interface', () => {
  test('is indexed with everything that its page says of it', () => {
    expect(documentedApis(pageOf('Move', move))).toEqual([
      {
        name: 'Move',
        kind: 'basic',
        page: 'Move',
        language: 'zh',
        purpose: '把数据从一处搬运到另一处。',
        prototypes: [
          {
            text: 'template <typename T>\n__aicore__ inline void Move(const LocalTensor<T>& dst, const GlobalTensor<T>& src, uint32_t count = 8)',
            returns: 'void',
            templates: [{name: 'T', type: 'typename'}],
            parameters: [
              {name: 'dst', type: 'const LocalTensor<T>&'},
              {name: 'src', type: 'const GlobalTensor<T>&'},
              {name: 'count', type: 'uint32_t', defaultValue: '8'},
            ],
          },
        ],
        parameters: [
          {
            names: ['T'],
            direction: 'input',
            meaning: ['操作数的数据类型。', '支持的数据类型为：half、float。'],
            choices: [],
            structure: '',
          },
          {
            names: ['dst'],
            direction: 'output',
            meaning: ['目的操作数。', '起始地址需要32字节对齐。'],
            choices: [],
            structure: '',
          },
          {
            names: ['src'],
            direction: 'input',
            meaning: ['源操作数。', '源地址不需要32字节对齐。'],
            choices: [],
            structure: '',
          },
        ],
        dtypes: ['half', 'float'],
        constraints: ['count * sizeof(T)必须是256字节的整数倍。', '未对齐时搬运量向下取整到32字节对齐。'],
        alignment: [
          {bytes: 32, of: ['dst'], text: '起始地址需要32字节对齐。'},
          {bytes: 256, of: [], text: 'count * sizeof(T)必须是256字节的整数倍。'},
        ],
        pipe: 'PIPE_MTE2',
        examples: [
          {
            lead: '搬运一块数据：',
            code: 'AscendC::Move(dstLocal, srcGlobal, 128);',
            result: '输出数据 dstLocal: [1 2 3]',
          },
        ],
        origin: {
          repository: 'r',
          revision: 'v',
          path: 'api/SIMD-API/基础API/move.md',
          licence: 'Apache-2.0',
          lines: [1, 70],
        },
      },
    ])
  })

  const listing = (...lines: string[]) => `## 函数原型\n\n\`\`\`cpp\n${lines.join('\n')}\n\`\`\``

  test('of a class goes by the name of the class', () => {
    const markdown = listing('void Init(int n);', 'void Init(int n, int m);', 'int Size() const;')
    const found = documentedApis(pageOf('Queue', markdown)).map(({name, prototypes}) => [name, prototypes.length])
    expect(found).toEqual([
      ['Queue::Init', 2],
      ['Queue::Size', 1],
    ])
  })

  const called = (...lines: string[]) => `\n\n## 调用示例\n\n\`\`\`cpp\n${lines.join('\n')}\n\`\`\``

  test('of a class goes by the folder of its page where examples call it on an object', () => {
    const page = (folder: string, code: string) =>
      documentedApis(
        pageOf('Reset', `${listing('void Reset();', 'int Left();')}${called(code)}`, `api/基础API/${folder}/Reset.md`),
      ).map(({name}) => name)
    expect(page('TRing', 'ring.Reset();\nring->template Left<1>();')).toEqual(['TRing::Reset', 'TRing::Left'])
    expect(page('TRing', 'AscendC::Reset();')).toEqual(['Reset', 'Left'])
    expect(page('环', 'ring.Reset();')).toEqual(['Reset', 'Left'])
    expect(page('Ring接口', 'ring.Reset();')).toEqual(['Reset', 'Left'])
  })

  test('is every function that the page declares, each with the examples that call it', () => {
    const markdown = `${listing('void do_move(int n);', 'void do_move_sync(int n);', '~do_move();')}${called('do_move_sync(1);')}`
    const found = documentedApis(pageOf('Moving things', markdown)).map(({name, examples}) => [name, examples.length])
    expect(found).toEqual([
      ['do_move', 0],
      ['do_move_sync', 1],
    ])
  })

  test('is no member where the title is its own name in another spelling', () => {
    expect(documentedApis(pageOf('SetWorkSpace', listing('void SetWorkspace(int n);'))).map(({name}) => name)).toEqual([
      'SetWorkspace',
    ])
  })

  test('that is a constructor goes by its class, without the members that it sets', () => {
    const markdown = listing('Ring(int n) : size_(n) {}', 'int Size() const;')
    expect(documentedApis(pageOf('Ring', markdown)).map(({name}) => name)).toEqual(['Ring', 'Ring::Size'])
  })

  test('is told without the parameters and constraints of other functions of its page', () => {
    const table = [
      '| 参数名 | 描述 |',
      '|---|---|',
      '| dst、src | 操作数，起始地址需要32字节对齐。 |',
      '| repeat | 迭代次数。 |',
    ].join('\n')
    const markdown = [
      listing('void do_move(int* dst, int* src, int count);', 'void do_move(int* dst, int* src, int repeat, int gap);'),
      listing('void do_move_sync(int* dst, int* src, int count);'),
      `## 参数说明\n\n${table}\n| count | 元素个数。 |\n| FIXED | 固定的值。 |`,
      '## 约束说明\n\n- repeat不能超过255。\n- count与repeat不能同时为0。\n- 不能在其他核上使用。',
    ].join('\n\n')
    const [whole, sync] = documentedApis(pageOf('do_move', markdown))
    expect(whole?.parameters.map(({names}) => names.join())).toEqual(['dst,src', 'repeat', 'count', 'FIXED'])
    expect(whole?.constraints).toHaveLength(3)
    expect(sync?.parameters.map(({names}) => names.join())).toEqual(['dst,src', 'count', 'FIXED'])
    expect(sync?.constraints).toEqual(['count与repeat不能同时为0。', '不能在其他核上使用。'])
    expect(sync?.alignment).toEqual([{bytes: 32, of: ['dst', 'src'], text: '操作数，起始地址需要32字节对齐。'}])
  })

  test.each([
    ['目的地址必须32字节对齐。源地址必须1字节对齐。', [[32, ['dst']]]],
    [
      'dst需要32字节对齐，src需要64字节对齐。',
      [
        [32, ['dst']],
        [64, ['src']],
      ],
    ],
    ['dst的起始地址，需要32字节对齐。', [[32, ['dst']]]],
    [
      '源操作数需要16字节对齐；搬运量需要是512B的整数倍。',
      [
        [16, ['src']],
        [512, []],
      ],
    ],
  ])('is aligned as each part of a sentence says: %s', (constraint, rules) => {
    const parameters = '## 参数说明\n\n| 参数名 | 描述 |\n|---|---|\n| dst | 目的操作数。 |\n| src | 源操作数。 |'
    const markdown = `${listing('void Move(int* dst, int* src);')}\n\n${parameters}\n\n## 约束说明\n\n- ${constraint}`
    expect(documentedApis(pageOf('Move', markdown))[0]?.alignment.map(({bytes, of}) => [bytes, of])).toEqual(rules)
  })

  test('keeps the condition with what holds under it, and says a rule once', () => {
    const table =
      '| 参数名 | 描述 |\n|---|---|\n| n | 长度，需要32字节对齐。 |\n| isPadded | 表示最内层数据是否16字节对齐。 |'
    const constraints = '- 当参数n取值为0时，该接口的行为如下：\n  - 该接口不会执行计算操作。'
    const markdown = `${listing('void Move(int n);')}\n\n## 参数说明\n\n${table}\n\n表2 其他\n\n${table}\n\n## 约束说明\n\n${constraints}`
    const [entry] = documentedApis(pageOf('Move', markdown))
    expect(entry?.constraints).toEqual(['当参数n取值为0时：该接口不会执行计算操作。'])
    expect(entry?.alignment).toEqual([{bytes: 32, of: ['n'], text: '长度，需要32字节对齐。'}])
  })

  const typed = 'template <typename T, typename U> void Move(const LocalTensor<T>& dst, uint32_t count);'

  test.each([
    [
      'its section and tables',
      typed,
      '## 数据类型\n\n针对本产品，支持bool、b16。\n\n| dst | src |\n|---|---|\n| half | int4b_t |\n\n## 其他\n\n| a |\n|---|\n| float |',
      ['bool', 'half', 'int4b_t', 'b16'],
    ],
    [
      'its constraints',
      typed,
      '## 约束说明\n\n- 支持的数据类型为：half、float。\n- count为uint32_t类型。',
      ['half', 'float'],
    ],
    [
      'other template parameters',
      typed,
      '## 参数说明\n\n| 参数名 | 描述 |\n|---|---|\n| U | 支持的数据类型为：double。 |\n| count | 类型为uint32_t。 |',
      ['double'],
    ],
    [
      'pointers of the declaration',
      'void do_move(__ubuf__ half* dst, __gm__ const float* src, uint32_t n);',
      '',
      ['half', 'float'],
    ],
    ['nothing else', 'void do_move(int n);', '## 说明\n\n支持half。', []],
  ])('has element types by %s', (_, declaration, text, dtypes) => {
    expect(documentedApis(pageOf('Move', `${listing(declaration)}\n\n${text}`))[0]?.dtypes).toEqual(dtypes)
  })

  test('keeps its template behind an attribute', () => {
    const [entry] = documentedApis(
      pageOf('show', listing('template <typename T>', '__aicore__ static __attribute__((noinline)) void show(T* x)')),
    )
    expect(entry?.prototypes).toMatchObject([{templates: [{name: 'T'}], returns: 'void'}])
  })

  test.each([
    [
      '#define Show(expr)\n#define Show(expr, const char *fmt, Args&&... args)',
      'Show',
      [['expr'], ['expr', 'fmt', 'args']],
    ],
    ['TASK_TYPE(key, value)', 'TASK_TYPE', [['key', 'value']]],
    ['REGISTER_NONE;', 'REGISTER_NONE', [[]]],
    ['template <typename A, typename B>\nstruct is_same;', 'is_same', [[]]],
    ['template <size_t v>\nusing Int = integral<size_t, v>;', 'Int', [[]]],
    ['enum class Place : uint8_t {\n  GM,\n};', 'Place', [[]]],
  ])('may be a macro, a type or an alias: %s', (declared, name, parameters) => {
    const found = documentedApis(pageOf('杂项', listing(declared)))
    expect(
      found.map((entry) => [entry.name, entry.prototypes.map((one) => one.parameters.map((each) => each.name))]),
    ).toEqual([[name, parameters]])
    const text = found[0]?.prototypes.at(-1)?.text ?? ''
    expect(declared.replace(/;$/, '').replace(/\};?$/, '}')).toContain(text)
  })

  test('may be a type that the title begins with, with its body and without its members', () => {
    const body = 'struct Steps {\n  Steps(int a) {}\n  struct Inner { int b; };\n  int first = 8;\n}'
    const page = (title: string) =>
      documentedApis(pageOf(title, `Steps控制地址步长。\n\n\`\`\`cpp\nconst int N = 8;\n${body};\n\`\`\``))
    expect(page('Steps简介')).toMatchObject([
      {name: 'Steps', purpose: 'Steps控制地址步长。', prototypes: [{text: body}], examples: []},
    ])
    expect(page('通过Steps优化')).toEqual([])
    expect(documentedApis(pageOf('定义', listing(`${body};`))).map(({name}) => name)).toEqual(['Steps'])
  })

  test('is no macro that code of its listing only uses', () => {
    expect(documentedApis(pageOf('Move', listing('MAX_SIZE = 3;', 'LOAD(x) + 1;'))).map(({name}) => name)).toEqual([])
  })

  test('may be a macro, whose parameters have no types', () => {
    const [entry] = documentedApis(pageOf('GET_SIZES', listing('GET_SIZES(data, source)')))
    expect(entry).toMatchObject({
      name: 'GET_SIZES',
      prototypes: [
        {
          text: 'GET_SIZES(data, source)',
          parameters: [
            {name: 'data', type: ''},
            {name: 'source', type: ''},
          ],
        },
      ],
    })
  })

  test.each([
    ['该接口已废弃，请使用Carry接口替代。', {text: '该接口已废弃，请使用Carry接口替代。', instead: ['Carry']}],
    ['该接口后续即将废弃，请使用更好的CarryV2接口。', expect.objectContaining({instead: ['CarryV2']})],
    [
      '> **该接口废弃，并将在后续版本移除，请不要使用该接口。请使用Carry接口设置Tiling地址。**',
      {text: '该接口废弃，并将在后续版本移除，请不要使用该接口。请使用Carry接口设置Tiling地址。', instead: ['Carry']},
    ],
    ['> **该接口废弃，并将在后续版本移除，请不要使用该接口。**', expect.objectContaining({instead: []})],
    ['This interface is deprecated. Use CarryOver instead.', expect.objectContaining({instead: ['CarryOver']})],
    ['GetMove and Move() are deprecated.', expect.objectContaining({instead: []})],
    ['The function `Move` has been deprecated.', expect.objectContaining({instead: []})],
    ['This API is now deprecated, use CarryOver.', expect.objectContaining({instead: ['CarryOver']})],
    ['The mode parameter is deprecated.', undefined],
    ['The mode parameter of this function is deprecated.', undefined],
    ['- `mode`: deprecated and ignored.', undefined],
    ['This interface is not deprecated.', undefined],
    ['It does not say that this interface is deprecated.', undefined],
    ['For the deprecated form see the archive.', undefined],
    ['The function CarryAll is deprecated.', undefined],
    ['参数mode已废弃，保持默认值。', undefined],
    ['CarryAll接口已废弃，请使用Move接口。', undefined],
    ['```cpp\n// [[deprecated]]\nint x;\n```', undefined],
  ])('is marked where its page warns of it: %s', (warning, deprecated) => {
    const [entry] = documentedApis(pageOf('Move', `${warning}\n\n${listing('void Move(int n);')}`))
    expect(entry?.deprecated).toEqual(deprecated)
  })

  test('that a warning does not name is not marked by it', () => {
    const warning = 'GetOldSize、GetOldestSize接口废弃，并将在后续版本移除，请不要使用该接口。请使用GetSize接口。'
    const markdown = `> ${warning}\n\n${listing('int GetSize();', 'int GetOldSize();', 'int GetOldestSize();')}`
    const marked = documentedApis(pageOf('GetSize', markdown)).map(({name, deprecated}) => [name, deprecated?.instead])
    expect(marked).toEqual([
      ['GetSize', undefined],
      ['GetOldSize', ['GetSize']],
      ['GetOldestSize', ['GetSize']],
    ])
  })

  test('that goes by another name now is found by the old one', () => {
    const table = [
      '| 原接口名 | 新接口名 | 备注 |',
      '|---|---|---|',
      '| HaulSum / HaulMax | Haul | •一个接口。<br>•参数换序。 |',
      '| ScalarTurn | Turn（half转float、int32_t）/TurnBack | 无 |',
      '| Stay | Stay | 接口名不变。 |',
    ].join('\n')
    const found = documentedApis(pageOf('接口变更说明', table, 'api/附录/接口变更说明.md'))
    expect(found.map(({name, deprecated, prototypes}) => [name, deprecated, prototypes])).toEqual([
      ['HaulSum', {text: '原接口名：HaulSum；新接口名：Haul；备注：一个接口。 参数换序。', instead: ['Haul']}, []],
      ['HaulMax', {text: '原接口名：HaulMax；新接口名：Haul；备注：一个接口。 参数换序。', instead: ['Haul']}, []],
      [
        'ScalarTurn',
        {text: '原接口名：ScalarTurn；新接口名：Turn（half转float、int32_t）/TurnBack', instead: ['Turn', 'TurnBack']},
        [],
      ],
    ])
  })

  test.each([
    ['Old API', 'New API', true],
    ['Old interface name', 'Replacement', true],
    ['Deprecated API', 'New', true],
    ['Old API', 'New parameter', false],
    ['Old API', 'New API parameter', false],
    ['Old API parameter', 'New API', false],
  ])('is renamed by a table of %s and %s: %s', (old, now, isRenamed) => {
    const table = `| ${old} | ${now} |\n|---|---|\n| HaulSum | Haul |`
    expect(documentedApis(pageOf('Changes', table)).map(({name}) => name)).toEqual(isRenamed ? ['HaulSum'] : [])
  })

  test.each([
    ['api/SIMD-API/高阶API/x.md', 'high-level'],
    ['api/SIMD-API/C-API/x.md', 'c'],
    ['api/Utils-API/x.md', 'utils'],
    ['guide/x.md', 'other'],
  ])('is of the kind that its place tells: %s', (path, kind) => {
    expect(documentedApis(pageOf('Move', listing('void Move(int n);'), path))[0]?.kind).toBe(kind)
  })
})

test('a page that declares nothing of its name has no interface', async () => {
  const guide = pageOf('概述', '## 说明\n\n这里只有说明。')
  const {outputs, dropped} = await runStage(apiIndex({product: 'A3'}), [guide, pageOf('Move', move)])
  expect(outputs).toMatchObject([{name: 'Move', product: 'A3', stages: {'api-index': expect.any(Number) as number}}])
  expect(dropped.map(({reason}) => reason)).toEqual(['no-interface'])
})
