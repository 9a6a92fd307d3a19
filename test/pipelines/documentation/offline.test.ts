import {describe, expect, test} from 'vitest'
import type {DocSection} from '../../../datasets/schema/document.ts'
import documentationCot from '../../../pipelines/documentation/cot.ts'
import type {ParameterFact} from '../../../pipelines/documentation/parameter-table.ts'
import {sectionFacts} from '../../../pipelines/documentation/section-facts.ts'
import {asksOf} from '../../../pipelines/documentation/offline/asks.ts'
import {argumentsOf} from '../../../pipelines/documentation/offline/calls.ts'
import {draftsOf} from '../../../pipelines/documentation/offline/compose.ts'
import {apisIn} from '../../../pipelines/documentation/offline/listing.ts'
import {randomFrom} from '../../../engine/random.ts'
import {refusalOf} from '../../../pipelines/documentation/draft-checks.ts'
import {readPrototypes} from '../../../pipelines/documentation/prototype.ts'
import {replayModel} from '../../helpers/replay-llm.ts'
import {runStage} from '../../helpers/run-stage.ts'

const pageOf = (section: Partial<DocSection>): DocSection => ({
  origin: {repository: 'r', revision: 'v', path: 'p.html', licence: 'Apache-2.0'},
  page: 'Move',
  language: 'zh',
  headings: ['Move'],
  role: 'parameters',
  markdown: '',
  context: '',
  ...section,
})
const table = (...rows: string[]) => `| 参数名 | 描述 |\n| --- | --- |\n${rows.map((row) => `| ${row} |`).join('\n')}`
const prototype = (...forms: string[]) => `## 函数原型\n\n\`\`\`cpp\n${forms.join('\n')}\n\`\`\``
const write = (section: DocSection) => draftsOf(section, 'seed').map(({draft}) => draft)

describe('the form that a call uses', () => {
  const forms = readPrototypes(
    'template <typename T> void Move(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const uint32_t count);\ntemplate <typename T> void Move(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const MoveParams& repeatParams);',
  )
  const names = (code: string) => argumentsOf(code, forms, [])?.arguments.map(({name}) => name)

  test('follows from the declared types of the arguments, not from their number', () => {
    expect(names('MoveParams copyParams;\nAscendC::Move(srcLocal, srcGlobal, copyParams);')).toEqual([
      'dst',
      'src',
      'repeatParams',
    ])
    expect(names('AscendC::Move(srcLocal, srcGlobal, 512);')).toEqual(['dst', 'src', 'count'])
  })

  test('stays open when the listing does not tell', () => {
    expect(names('AscendC::Move(srcLocal, srcGlobal, what);')).toBeUndefined()
  })

  test('is found in a function of the listing, and a function that the listing defines is no call of the page', () => {
    const call = 'AscendC::Move(srcLocal, srcGlobal, 512);'
    expect(names(`class Kernel {\n  void Run() { ${call} }\n};`)).toEqual(['dst', 'src', 'count'])
    expect(names(`void Run(int n)\n{\n  ${call}\n}`)).toEqual(['dst', 'src', 'count'])
    expect(names('void Move(int a, int b, int n)\n{\n  Run(a, b, n);\n}\nMove(1, 2, 3);')).toBeUndefined()
  })

  test('tells a scalar from a tensor and an array from a number', () => {
    const others = readPrototypes(
      'template <typename T> void Pick(const LocalTensor<T>& dst, const LocalTensor<T>& other);\ntemplate <typename T> void Pick(const LocalTensor<T>& dst, T scalar);\ntemplate <typename T> void Pick(const LocalTensor<T>& dst, uint64_t mask[]);',
    )
    const last = (code: string) => argumentsOf(code, others, [])?.arguments.at(-1)?.name
    expect(last('float zero = 0;\nPick(yLocal, zero);')).toBe('scalar')
    expect(last('Pick(yLocal, xLocal);')).toBe('other')
    expect(last('uint64_t bits[2] = {1, 1};\nPick(yLocal, bits);')).toBe('mask')
  })
})

describe('a list of values in a description', () => {
  const parameters = table('mode | 工作方式，MODE枚举类型：<br>• MODE_A：每次从头开始。<br>• MODE_B：接着上次的位置。')
  const context = prototype('void Move(const LocalTensor<float>& dst, MODE mode);')

  test('never says what the parameter means', () => {
    expect(sectionFacts(pageOf({markdown: parameters})).parameters).toMatchObject([
      {
        name: 'mode',
        meaning: ['工作方式，MODE枚举类型'],
        choices: [
          {name: 'MODE_A', text: '每次从头开始。'},
          {name: 'MODE_B', text: '接着上次的位置。'},
        ],
      },
    ])
  })

  test('explains the value that a listing passes, with the constraint that names it', () => {
    const markdown = '```cpp\nAscendC::Move(dstLocal, AscendC::MODE::MODE_B);\n```'
    const [sample] = write(
      pageOf({
        role: 'example',
        markdown,
        context: `${context}\n\n## 参数说明\n\n${parameters}\n\n## 约束说明\n\n- MODE_B会占用末尾的8KB空间。\n- 地址必须32字节对齐。`,
      }),
    )
    expect(sample!.answer).toContain('对应mode：工作方式，MODE枚举类型；MODE_B表示接着上次的位置')
    expect(sample!.answer).toContain('注意：MODE_B会占用末尾的8KB空间。')
    expect(sample!.answer).not.toContain('MODE_A')
  })
})

describe('what stands under a label', () => {
  const htmlOf = (cell: string) =>
    `<table><tr><th>参数名</th><th>描述</th></tr><tr><td>isSetMask</td><td>${cell}</td></tr></table>`
  const nested =
    '是否在接口内部设置mask。<ul><li>true：由接口设置。</li><li>false：<ul><li>需要先调用SetVectorMask。</li>' +
    '<li>结束后恢复mask。</li></ul></li></ul>'

  test.each([
    ['lists inside of lists', htmlOf(nested)],
    [
      'a line without a mark',
      table(
        'isSetMask | 是否在接口内部设置mask。<br>• true：由接口设置。<br>• false：<br>需要先调用SetVectorMask。结束后恢复mask。',
      ),
    ],
    [
      'marked lines below one without a mark',
      table(
        'isSetMask | 是否在接口内部设置mask。<br>true：由接口设置。<br>false：分为两种情况。<br>&bull; 需要先调用SetVectorMask。<br>&bull; 结束后恢复mask。'.replaceAll(
          '&bull;',
          '•',
        ),
      ),
    ],
  ])('is said of it: %s', (_, markdown) => {
    const [{meaning, choices}] = sectionFacts(pageOf({markdown})).parameters as [ParameterFact]
    expect(meaning).toEqual(['是否在接口内部设置mask。'])
    expect(choices.map(({name}) => name)).toEqual(['true', 'false'])
    expect(choices[1]?.text).toContain('需要先调用SetVectorMask')
    expect(choices[1]?.text).toContain('结束后恢复mask')
    expect(choices[0]?.text).toBe('由接口设置。')
  })

  test.each([
    [
      '设置是否使能主核。仅能在以下场景设置为true：<br>• 核数之比为1:1。',
      ['设置是否使能主核。', '仅能在以下场景设置为true：核数之比为1:1。'],
    ],
    ['设置是否使能主核。参数取值如下：<br>• 打开主核的功能。', ['设置是否使能主核。', '打开主核的功能。']],
    [
      '源操作数的内容。<br>• 当模式为1时：类型为half。<br>起始地址需要32字节对齐。',
      ['源操作数的内容。', '当模式为1时：类型为half。'],
    ],
  ])('is a condition or an announcement, and what a cell says before it stays: %s', (cell, expected) => {
    const [{meaning}] = sectionFacts(pageOf({markdown: table(`src | ${cell}`)})).parameters as [ParameterFact]
    expect(meaning.map((one) => one.replace(/^• /, ''))).toEqual(expected)
  })

  test('keeps the exception that a list in a cell belongs to', () => {
    const cell = 'src | 源操作数的内容。<br>例外场景：<br>• 零乘以无穷大得到nan。'
    const [{meaning}] = sectionFacts(pageOf({markdown: table(cell)})).parameters as [ParameterFact]
    expect(meaning).toEqual(['源操作数的内容。', '例外场景：零乘以无穷大得到nan。'])
  })

  const said = (markdown: string) => sectionFacts(pageOf({role: 'constraints', markdown})).said.constraints
  test.each([
    ['- 源操作数为half时：\n    - 长度不超过64。\n    - 地址对齐。\n- 不支持地址重叠。', ['half', 'half', '']],
    ['源操作数为half时：\n\n- 长度不超过64。\n- 地址要对齐。\n\n不支持地址重叠。', ['half', 'half', '']],
    ['约束如下：\n\n- 长度不超过64。\n- 地址要对齐。', ['', '']],
    ['- 源操作数为half时：\n- 长度不超过64。', ['']],
  ])('a rule in a list is told with the case that it is for: %j', (markdown, cases) => {
    const found = said(markdown) ?? []
    expect(found.map((line) => (line.startsWith('源操作数为half时：') ? 'half' : ''))).toEqual(cases)
  })

  test('may be a title without a colon, where its text is set in below it', () => {
    expect(said('- 支持的数据类型\n\n    T可以为half或float。\n\n- 地址不能重叠。')).toEqual([
      'T可以为half或float。',
      '地址不能重叠。',
    ])
  })

  test('does not hide what a sentence says before it announces a list', () => {
    const text = '将float类型的数据转换为half类型，支持多种舍入模式：\n\n- RINT模式：向最近的偶数舍入。'
    expect(said(text)).toEqual(['将float类型的数据转换为half类型', 'RINT模式：向最近的偶数舍入。'])
  })

  test('is not said where its label makes it too long', () => {
    const long = `${'很'.repeat(150)}时：`
    expect(said(`${long}\n\n- ${'长'.repeat(150)}。\n- 短的规则。`)).toEqual([`${long}短的规则。`])
  })
})

describe('an answer', () => {
  const prototypeOf = prototype(
    'void Move(const LocalTensor<float>& src0, const LocalTensor<float>& src1, uint32_t n);',
  )

  test('gives no one place to parameters that share a row', () => {
    const markdown = table(
      'src0、src1 | 源操作数。起始地址需要32字节对齐。一次不能超过64个。',
      'n | 元素个数。取值不能超过255。必须是16的倍数。',
    )
    const drafts = write(pageOf({markdown, context: prototypeOf}))
    expect(drafts.filter(({reasoning}) => /第\d个参数/.test(reasoning))).toHaveLength(1)
    expect(drafts.find(({question}) => question.includes('src0'))!.reasoning).not.toContain('个参数')
  })

  test('takes lists whole', () => {
    const modes = ['RINT向最近的偶数舍入，默认值。', 'FLOOR向负无穷舍入到整数。', 'CEIL向正无穷舍入到整数。']
    const section = pageOf({
      role: 'other',
      page: '舍入方式的说明与选择',
      headings: ['舍入方式的说明与选择'],
      markdown: `由于整数放不下小数部分，转换时要舍去一部分。\n\n浮点数转换为整数时使用。\n\n舍入模式为：\n\n${modes.map((one) => `- ${one}`).join('\n')}`,
    })
    const [sample] = write(section)
    for (const mode of modes) expect(sample!.answer).toContain(mode.replace('。', ''))
  })

  test('names every interface that a listing calls, and none that it defines', () => {
    const calls = Array.from({length: 14}, (_, index) => `Step${index}(x);`).join('\n')
    const own = 'class Kernel {\n    void Compute(int n)\n    {\n        Add(z, x, y, n);\n    }\n};'
    expect(apisIn(`${own}\nvoid Run()\n{\n    Compute(8);\n${calls}\n}`)).toEqual([
      'Add',
      ...Array.from({length: 14}, (_, index) => `Step${index}`),
    ])
  })
})

describe('a prototype', () => {
  test('is read from a block that is marked as text', () => {
    expect(
      sectionFacts(pageOf({role: 'prototype', markdown: '```text\nvoid Move(uint32_t count)\n```'})).prototypes.map(
        ({name}) => name,
      ),
    ).toEqual(['Move'])
  })
})

describe('a mapping of arguments', () => {
  const call = (code: string, ...rest: string[]) =>
    pageOf({
      role: 'example',
      markdown: `\`\`\`cpp\n${code}\n\`\`\``,
      context: [prototype('void Move(const LocalTensor<float>& dst, uint32_t count);'), ...rest].join('\n\n'),
    })
  const explained = `## 参数说明\n\n${table('count | 要搬运的元素个数。')}`

  test('names them all where the page explains one, and none where it explains none', () => {
    const [sample] = write(call('AscendC::Move(dstLocal, 512);', explained))
    expect(sample!.answer).toContain('`512`对应count：要搬运的元素个数')
    expect(sample!.answer).toContain('`dstLocal`对应dst')
    expect(write(call('AscendC::Move(dstLocal, 512);'))[0]!.answer).not.toContain('对应')
  })

  test.each([
    [
      '- count * sizeof(T)必须是256字节的整数倍。',
      'half local; Move(dstLocal, 128);',
      '共256字节，是所要求的256字节的整数倍',
    ],
    [
      '- count * sizeof(T)必须是256字节的整数倍。',
      'half local; Move(dstLocal, 64);',
      '共128字节，不是所要求的256字节的整数倍',
    ],
    ['- 地址不能重叠。', 'half local; Move(dstLocal, 64);', '共128字节。'],
  ])('checks the amount by the rule of the page: %s %s', (rule, code, told) => {
    const [sample] = write(call(code, explained, `## 约束说明\n\n${rule}`))
    expect(sample!.reasoning).toContain(told)
  })

  test('counts one parameter as one', () => {
    const context =
      '## Prototype\n\n```cpp\nvoid Move(const LocalTensor<float>& dst);\n```\n\n## Parameters\n\n| Parameter | Description |\n| --- | --- |\n| dst | The tensor that is moved. |'
    expect(
      write(pageOf({role: 'example', language: 'en', markdown: '```cpp\nAscendC::Move(dstLocal);\n```', context}))[0]!
        .reasoning,
    ).toContain('has 1 parameter: `dstLocal` for dst.')
  })
})

describe('a parameter whose type differs between forms', () => {
  const forms = (...types: string[]) => types.map((type) => `void Move(const ${type}<float>& dst, uint32_t count);`)
  const reasoning = (language: 'zh' | 'en', ...types: string[]) =>
    write(
      pageOf({
        language,
        markdown: table('dst | 目的操作数，必须对齐到32字节。<br>一次不能超过64个。'),
        context: prototype(...forms(...types)),
      }),
    )[0]!.reasoning

  test('is told with every type and is on-chip only when all forms say so', () => {
    expect(reasoning('zh', 'LocalTensor', 'GlobalTensor')).toContain(
      '有`const LocalTensor<float>&`、`const GlobalTensor<float>&`2种',
    )
    expect(reasoning('zh', 'LocalTensor', 'GlobalTensor')).not.toContain('片上内存中的张量')
    expect(reasoning('zh', 'LocalTensor')).toContain('片上内存中的张量')
    expect(reasoning('en', 'LocalTensor', 'GlobalTensor')).toContain(
      'differs between forms: `const LocalTensor<float>&` and `const GlobalTensor<float>&`',
    )
    expect(reasoning('en', 'LocalTensor', 'GlobalTensor')).not.toContain('a tensor in on-chip memory')
  })
})

describe('counts of elements', () => {
  const constraint = (parameters: string) =>
    write(
      pageOf({
        role: 'constraints',
        markdown: '- 起始地址必须32字节对齐。\n- dst与src不能重叠。',
        context: `${prototype('void Move(const LocalTensor<T>& dst);')}\n\n## 参数说明\n\n${parameters}`,
      }),
    )[0]!.reasoning

  test('are given for the types of T only, never for the type of a field', () => {
    expect(constraint(table('T | 操作数的数据类型，支持half。'))).toContain('32字节合16个half')
    expect(constraint(`表2 MoveParams结构体参数\n\n${table('blockLen | 数据块的长度，uint16_t类型。')}`)).not.toContain(
      '字节合',
    )
  })
})

describe('what a page is asked as', () => {
  const kinds = (section: DocSection) => asksOf(section, randomFrom('seed')).map((ask) => ask.kind)

  test('is a topic when the page declares nothing of its name', () => {
    const markdown =
      '- 每个队列有两块内存，所以缓冲区占用的片上内存会翻倍。\n- 循环至少要有2次，两块内存才能轮流使用，否则没有作用。\n- 一次就能搬完的数据没有必要开启两块缓冲区。'
    const section = pageOf({
      page: '隐藏搬运时间',
      headings: ['隐藏搬运时间', '注意事项'],
      role: 'constraints',
      markdown,
    })
    expect(kinds(section)).toEqual(['topic'])
    expect(write(section)[0]!.question).not.toMatch(/调用|使用Ascend C的/)
  })

  test('is a member when the page is a class', () => {
    const context = prototype('bool Push(const LocalTensor<float>& tensor);', 'LocalTensor<float> Pop();')
    const returned = write(
      pageOf({
        page: 'Line',
        role: 'returns',
        markdown: '- true：Push成功，张量已经入队。\n- false：Push失败，队列已满。\n- Pop返回张量对象。',
        context,
      }),
    )
    expect(returned.map(({question}) => question)).toEqual(['Ascend C的Line::Push可能返回true和false，分别表示什么？'])
    const [parameter] = write(
      pageOf({
        page: 'Line',
        markdown: table('tensor | 由Pop得到的张量，必须对齐到32字节。<br>之后64次调用内不能再使用它。'),
        context,
      }),
    )
    expect(parameter!.question).toContain('Line::Push')
    const [restricted] = write(
      pageOf({
        page: 'Line',
        role: 'constraints',
        markdown: '- 同时占用的内存块不能超过8个。\n- 空队列不能出队。',
        context,
      }),
    )
    expect(`${restricted!.question}${restricted!.reasoning}${restricted!.answer}`).not.toContain('调用Line')
  })
})

describe('a draft that teaches no reasoning', () => {
  const draft = {
    question: '问',
    reasoning: '按页上所说，结果只在下一次启动之前有效，之后要重新取得。',
    answer: '答案是另外的一句话。',
  }
  test.each([
    ['nothing-to-derive', {reasoning: ' '}, ''],
    ['reasoning-repeats-answer', {answer: '结果只在下一次启动之前有效，之后要重新取得。'}, ''],
    ['long-quotation', {reasoning: '很长的一段话，'.repeat(14)}, '很长的一段话，'.repeat(14)],
    [undefined, {}, '按页上所说，结果只在下一次启动之前有效，之后要重新取得。'],
  ])('is refused as %s', (reason, change, reference) => {
    expect(refusalOf({...draft, ...change}, reference)?.reason).toBe(reason)
  })

  test('is dropped with its reason', async () => {
    const llm = replayModel([
      {text: '<question>这条规则是什么？</question>'},
      {text: '<think>结果只在下一次启动之前有效。</think><answer>结果只在下一次启动之前有效。</answer>'},
    ])
    const section = pageOf({role: 'constraints', markdown: '- 结果只在下一次启动之前有效。'})
    const {outputs, dropped} = await runStage(documentationCot(), [section], {llm})
    expect(outputs).toEqual([])
    expect(dropped.map(({reason}) => reason)).toEqual(['reasoning-repeats-answer'])
  })
})
