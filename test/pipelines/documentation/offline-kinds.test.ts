import {describe, expect, test} from 'vitest'
import type {DocSection} from '../../../datasets/schema/document.ts'
import {factsOfPage} from '../../../pipelines/documentation/section-facts.ts'
import {draftsOf} from '../../../pipelines/documentation/offline/compose.ts'
import {holds} from '../../../pipelines/documentation/offline/kinds/check-ask.ts'
import {docSection} from '../../helpers/doc-section.ts'
import {cpp, parameters, prototypes} from '../../helpers/doc-text.ts'

const pageOf = (section: Partial<DocSection>) => docSection({page: 'Move', path: 'p.html', markdown: '无', ...section})
const drafts = (section: DocSection, seed = 'seed') => draftsOf(section, seed)
const first = (section: DocSection) => drafts(section)[0]!.draft

describe('the question of what is needed', () => {
  const tensors = prototypes('template <typename T> void Move(const LocalTensor<T>& dst, const LocalTensor<T>& src);')
  const table = parameters('dst | 输出 | 目的操作数。', 'src | 输入 | 源操作数。')
  const context = `${tensors}\n\n${table}\n\n## 流水类型\n\nPIPE_V`

  test('gives the task and asks for the interface, and all that the page tells of it', () => {
    const {question, reasoning, answer} = first(pageOf({markdown: '把一段数据按元素取反后写到另一处。', context}))
    expect(question).toBe(
      '数据已经在片上内存里，需要：把一段数据按元素取反后写到另一处，应该用Ascend C的哪个接口？它在哪条流水上执行？',
    )
    expect(reasoning).toContain('读src，写dst，其中dst和src是片上内存里的张量')
    expect(reasoning).toContain('没有返回值，结果在dst里。')
    expect(answer).toContain('用Move：')
    expect(answer).toContain('流水：PIPE_V')
  })

  test('names the interface where the page cannot say the task without it', () => {
    const {question} = first(pageOf({markdown: '本接口与Move的另一形式配合使用，按元素取反。', context}))
    expect(question).toBe('Ascend C的Move做什么，在哪条流水上执行？')
  })

  test('takes in what makes no question of its own, and no part of what does', () => {
    const plain = prototypes('uint32_t Move(uint32_t count);')
    const alone = `${plain}\n\n${parameters('count | 输入 | 元素个数。')}\n\n## 约束说明\n\n只能在核函数中调用。\n\n## 返回值说明\n\n剩余的元素个数。`
    const {answer} = first(pageOf({markdown: '查询还有多少元素没有搬运完。', context: alone}))
    expect(answer).toContain('原型：`uint32_t Move(uint32_t count)`')
    expect(answer).toContain('count：元素个数')
    expect(answer).toContain('- 只能在核函数中调用。')
    expect(answer).toContain('返回：剩余的元素个数')
    const more = alone.replace('只能在核函数中调用。', '- 只能在核函数中调用。\n- count不能超过64。')
    const whole = pageOf({markdown: '查询还有多少元素没有搬运完。', context: more})
    expect(first(whole).answer).not.toContain('核函数')
    const rules = pageOf({role: 'constraints', markdown: '- 只能在核函数中调用。\n- count不能超过64。', context: more})
    expect(first({...rules, context: `${more}\n\n## 功能说明\n\n查询元素。`}).answer).toContain('count不能超过64')
  })
})

describe('the question of how it is called', () => {
  const ask = (form: string) => first(pageOf({role: 'prototype', markdown: cpp(form)}))

  test('tells what is deduced, what has a default and what must be written', () => {
    const {question, reasoning} = ask(
      'template <typename T, int mode, bool isSet = true> void Move(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint8_t n = 1);',
    )
    expect(question).toContain('模板参数T、mode、isSet要不要写')
    expect(reasoning).toContain('dst和src的元素类型都是T，所以必须相同')
    expect(reasoning).toContain('T排在必须写的模板参数前面，所以也要写')
    expect(
      ask('template <typename T, bool isSet = true> void Move(const LocalTensor<T>& dst, int n);').reasoning,
    ).toContain('T可以从实参推导，不必写')
    expect(reasoning).toContain('mode不能从实参推导，调用时要写在尖括号里')
    expect(reasoning).toContain('isSet有默认值true')
    expect(reasoning).toContain('n是`uint8_t`（8位，最大255）')
    expect(reasoning).toContain('n默认1，所以最少给2个实参')
  })

  test('is not asked of a single plain parameter where the page says what it does', () => {
    const section = pageOf({role: 'prototype', markdown: cpp('void Move(uint32_t n);')})
    expect(drafts({...section, context: '## 功能说明\n\n设置数量。'})).toEqual([])
    expect(drafts(section)).toHaveLength(1)
  })
})

describe('a planned call', () => {
  const page = pageOf({
    role: 'parameters',
    markdown: parameters(
      'T | 输入 | 操作数的数据类型，支持half、float。',
      'repeatTime | 输入 | 重复次数。',
      'gap | 输入 | 间隔，取值范围是[0, 15]。',
    ).replace('## 参数说明\n\n', ''),
    context: `${prototypes('template <typename T> void Move(const LocalTensor<T>& dst, uint8_t repeatTime, uint16_t gap);')}\n\n## 约束说明\n\n- count * sizeof(T)必须是32字节的整数倍。`,
  })
  const plans = Array.from({length: 60}, (_, seed) => drafts(page, String(seed))).flat()

  test('is checked rule by rule, by what the rules say', () => {
    const checks = plans.flatMap(({ask}) => (ask.kind === 'check' ? ask.checks : []))
    expect(new Set(checks.map(({rule}) => rule))).toEqual(new Set(['type', 'range', 'width']))
    for (const check of checks) {
      if (check.rule === 'type') expect(holds(check)).toBe(['half', 'float'].includes(check.asked))
      if (check.rule === 'range') expect(holds(check)).toBe(check.value <= 15)
      if (check.rule === 'width') expect(holds(check)).toBe(check.value <= 255)
    }
  })

  test('is mended by more calls where it repeats too often', () => {
    for (const {draft} of plans) {
      const [, value, cut] = /，(\d+)会被截断成(\d+)/.exec(draft.reasoning) ?? []
      if (value !== undefined) expect(Number(cut)).toBe(Number(value) % 256)
    }
    const wrong = plans
      .flatMap(({draft}) => draft.answer.split('\n'))
      .filter((line) => /^- repeatTime取\d+：不/.test(line))
    expect(wrong.length).toBeGreaterThan(0)
    for (const line of wrong) {
      const value = Number(/取(\d+)/.exec(line)![1])
      expect(line).toContain(`要分成${Math.ceil(value / 255)}次调用`)
    }
  })

  test.each([
    ['count * sizeof(T)必须是32字节的整数倍。', true],
    ['count * sizeof(T)需要32字节对齐，若未对齐，搬运量会向下取整。', false],
  ])('has its amount checked only where the page refuses others: %s', (rule, isRule) => {
    const context = `${prototypes('template <typename T> void Move(const LocalTensor<T>& dst, uint32_t count);')}\n\n## 约束说明\n\n- ${rule}`
    const asks = drafts({...page, context}).map(({ask}) => ask)
    const rules = asks.flatMap((ask) => (ask.kind === 'check' ? ask.checks.map((check) => check.rule) : []))
    expect(rules.includes('amount')).toBe(isRule)
  })

  test('of an amount that does not fit names the nearest that do', () => {
    const context = `${prototypes('template <typename T> void Move(const LocalTensor<T>& dst, uint32_t count);')}\n\n## 约束说明\n\n- count * sizeof(T)必须是32字节的整数倍。`
    const all = Array.from({length: 40}, (_, seed) => drafts({...page, context}, String(seed))).flat()
    const lines = all.flatMap(({draft}) => draft.answer.split('\n')).filter((line) => /个\w+：不可以/.test(line))
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) {
      const [count, per, below, above] = /(\d+)个.*取(\d+)的整数倍，最近的是(\d+)或(\d+)/
        .exec(line)!
        .slice(1)
        .map(Number)
      expect([below! % per!, above! - below!, below! < count! && count! < above!]).toEqual([0, per, true])
    }
  })
})

describe('the forms of a call', () => {
  const item = (title: string, form: string) => `- ${title}\n\n    ${cpp(form).replaceAll('\n', '\n    ')}`
  const page = (...parts: string[]) => pageOf({role: 'prototype', markdown: parts.join('\n\n')})

  test('are told with the use that stands above each', () => {
    const {question, answer} = first(
      page(
        item('通过入参传入临时空间', 'void Move(const LocalTensor<half>& dst, const LocalTensor<uint8_t>& tmp);'),
        item('接口框架申请临时空间', 'void Move(const LocalTensor<half>& dst);'),
      ),
    )
    expect(question).toBe('Ascend C的Move有2种调用形式，各用在什么情况下，要传什么？')
    expect(answer).toContain('形式1（通过入参传入临时空间）：传dst、tmp')
    expect(answer).toContain('形式2（接口框架申请临时空间）：传dst')
  })

  test('are one where only types differ, and none is left out', () => {
    const typed = ['half', 'float', 'int8_t', 'int16_t', 'int32_t'].map(
      (type) => `void Move(${type}* dst, ${type}* src);`,
    )
    const {question, reasoning, answer} = first(page(cpp(...typed)))
    expect(question).toContain('dst和src可以是哪些类型')
    expect(reasoning).toContain('dst有5种类型')
    expect(answer).toContain('（dst、src）可以是（`half*`、`half*`）、（`float*`、`float*`）、（`int8_t*`、`int8_t*`）')
    const many = Array.from({length: 7}, (_, index) => `void Move(int n${index}, int m);`)
    expect(drafts(page(cpp(...many)))).toEqual([])
  })

  test('take a row of the table whose name begins with another letter', () => {
    const context = parameters('dst | 输出 | 目的操作数。', 'MoveParams | 输入 | 搬运的长度和间隔。')
    const section = page(cpp('void Move(const LocalTensor<half>& dst, const MoveParams& moveParams);'))
    expect(first({...section, context}).answer).toContain('moveParams（输入）：搬运的长度和间隔')
  })

  test('are nothing to ask about where none of them takes anything', () => {
    expect(drafts(page(cpp('void move_half();', 'void move_float();')))).toEqual([])
    expect(drafts(page(cpp('void move_half();', 'void move_float(int gap);')))).not.toEqual([])
  })

  test('know the members of a structure by the title of their table', () => {
    const structures = (title: string) =>
      factsOfPage(`表2 ${title}\n\n| 参数名 | 描述 |\n| --- | --- |\n| gap | 相邻数据块的间隔。 |`).parameters.map(
        ({structure}) => structure,
      )
    expect(structures('MoveParams参数说明')).toEqual(['MoveParams'])
    expect(structures('Move参数说明')).toEqual([''])
    expect(structures('MoveMode参数说明')).toEqual([''])
  })

  test('list the members of a structure that is passed', () => {
    const context = `${parameters('dst | 输出 | 目的操作数。', 'params | 输入 | 搬运参数。')}\n\n表2 MoveParams结构体参数\n\n| 参数名 | 描述 |\n| --- | --- |\n| gap | 相邻数据块的间隔。 |`
    const section = page(cpp('void Move(const LocalTensor<half>& dst, const MoveParams& params);'))
    expect(first({...section, context}).answer).toContain('params（输入）：搬运参数\n  - gap：相邻数据块的间隔')
  })

  test('say in the answer which template arguments must be written', () => {
    const {answer} = first(
      page(cpp('template <typename T, int mode> void Move(const LocalTensor<T>& dst, int n = 2);')),
    )
    expect(answer).toContain('模板参数T（后面有必须写的模板参数，所以也要写）')
    expect(answer).toContain('模板参数mode（必须写出）')
    expect(answer).toContain('（可以省略，默认2）')
  })
})

describe('what a page says of more than one thing', () => {
  test('is a purpose only where it says what is done', () => {
    const task = (markdown: string) => first(pageOf({markdown, context: prototypes('void Move(int n);')})).question
    expect(task('把数据按元素取反后写回。n代表个数。')).toContain('把数据按元素取反后写回，应该用')
    expect(task(`把数据按元素取反后写回${'，并且处理下一段'.repeat(20)}。n代表个数。`)).toContain('Move做什么')
  })

  test('has types where one list is told for all operands', () => {
    const form = prototypes('void Move(const LocalTensor<half>& dst, const LocalTensor<half>& src, int n);')
    const asked = (types: string) =>
      first(pageOf({markdown: '把数据按元素取反。结果写回原处。', context: `${form}\n\n## 数据类型\n\n${types}`}))
        .answer
    expect(asked('- 支持的数据类型为：half、float。')).toContain('数据类型：half、float')
    const twoForms = [parameters('T | 输入 | 支持half。'), parameters('T | 输入 | 操作数的类型。')].join('\n\n')
    const ofOne = {markdown: '把数据按元素取反。结果写回原处。', context: `${form}\n\n${twoForms}`}
    expect(first(pageOf(ofOne)).answer).not.toContain('数据类型：')
    expect(asked('- src支持half，dst支持float。')).not.toContain('数据类型：')
    expect(asked('- 支持的数据类型为：half。\n- 支持的数据类型为：float。')).not.toContain('数据类型：')
  })

  test('is not asked for where no sentence says what it does', () => {
    const asked = (markdown: string) => drafts(pageOf({markdown, context: prototypes('void Move(int n);')}))
    expect(asked('框架要使用的空间称之为系统空间。')).toEqual([])
    expect(asked('创建对象时会设置全局唯一的指针。本接口用于获取该指针。')[0]?.draft.question).toContain('Move做什么')
    expect(asked('Move是一种在线计算均值和方差的方法。')).toEqual([])
    expect(asked('Move接口把数据按元素取反后写回。')).toHaveLength(1)
    expect(asked('Move接口把数据按元素取反后写回。如图1，灰色的不参与计算，必须补齐。')).toEqual([])
    expect(asked('x_i代表数据的第几个元素，从零开始计数。')).toEqual([])
    expect(asked('同时需要把另一个标志设置为打开的状态。')).toEqual([])
    expect(asked('针对Atlas A2 训练系列产品，换算成时间要按照50MHz的频率。')).toEqual([])
  })

  test('has no result where the page says that there is none', () => {
    const context = `${prototypes('bool Move(int a, int n);')}\n\n## 返回值说明\n\n`
    const of = (result: string) =>
      first(pageOf({markdown: '把数据按元素取反后写回。数据可以很长。', context: `${context}${result}`}))
    expect(of('无').reasoning).not.toContain('返回值')
    expect(of('搬运成功时返回真。').reasoning).toContain('结果由返回值给出')
  })

  test('is flowing through it only where every form takes it', () => {
    const forms = prototypes('void Move(int a, int n);', 'void Move(int a);')
    const table = parameters('a | 输入 | 数据的地址。', 'n | 输入 | 数据的个数。')
    const {reasoning} = first(
      pageOf({markdown: '把数据按元素取反后写回。数据可以很长。', context: `${forms}\n\n${table}`}),
    )
    expect(reasoning).toContain('涉及的数据：读a。')
  })
})

describe('an answer in another language than the page', () => {
  const words = (section: DocSection) => draftsOf(section, 'seed', 'en').map(({draft}) => draft)
  const form =
    'template <typename T> void Move(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint8_t repeatTime);'

  test('tells what types and code tell, without a word of the page', () => {
    const [told] = words(pageOf({role: 'prototype', markdown: cpp(form), context: '## 功能说明\n\n按元素取反。'}))
    expect(told!.question).toContain('In a call of Move of Ascend C, what is passed as dst, src and repeatTime')
    expect(told!.reasoning).toContain('dst and src share the element type T')
    const [call] = words(
      pageOf({
        role: 'example',
        markdown: cpp('// 输入有512个元素', 'AscendC::Move(y, x, 4); // 四次'),
        context: `${prototypes(form)}\n\n${parameters('dst | 输出 | 目的操作数。')}`,
      }),
    )
    expect(call!.answer).toContain('AscendC::Move(y, x, 4);')
    for (const draft of [told!, call!])
      expect(`${draft.question}${draft.reasoning}${draft.answer}`).not.toMatch(/\p{Script=Han}/u)
  })

  test('is not written on a page whose title is in its own script, nor on prose', () => {
    expect(words(pageOf({role: 'prototype', page: 'Move（搬运）', markdown: cpp(form)}))).toEqual([])
    expect(words(pageOf({markdown: '按元素取反，写到另一处。', context: prototypes(form)}))).toEqual([])
  })
})

describe('what a description lists', () => {
  const ask = (...items: string[]) => {
    const cell = `info | 输入 | 搬运的信息，可取值如下：<br>${items.map((item) => `• ${item}`).join('<br>')}`
    const markdown = parameters(cell).replace('## 参数说明\n\n', '')
    return drafts(pageOf({role: 'parameters', markdown, context: prototypes('void Move(GM_ADDR info);')}))
  }

  test('are values where they look like values, and members of what is passed elsewhere', () => {
    const {draft} = ask('MODE_A：从头开始。', 'MODE_B：接着上次。')[0]!
    expect(draft.question).toMatch(/把Ascend C的Move的参数info设为MODE_[AB]是什么意思/)
    expect(draft.answer).toContain('info（输入）：搬运的信息。')
    expect(ask('srcLength：源数据的长度。', 'dstLength：目的数据的长度。')).toEqual([])
  })
})

describe('what is told of several forms', () => {
  const ask = (forms: string[], table = '') =>
    drafts(pageOf({role: 'prototype', markdown: cpp(...forms), context: table})).map(({draft}) => draft)

  test('is what all of them have, and a reserved argument is no choice', () => {
    const forms = [
      'template <typename T, bool reuse = false> void Move(const LocalTensor<T>& dst, const LocalTensor<T>& src);',
      'template <typename T, bool reuse = false> void Move(const LocalTensor<T>& dst, const LocalTensor<float>& mean);',
    ]
    const [plain] = ask(forms)
    expect(plain!.reasoning).not.toContain('元素类型都是T')
    expect(plain!.reasoning).toContain('reuse有默认值false，要用别的值才写')
    const [reserved] = ask(
      forms,
      parameters(
        'dst | 输出 | 目的操作数。',
        'src | 输入 | 源操作数。',
        'mean | 输入 | 均值。',
        'reuse | 输入 | 该参数预留，传入默认值即可。',
      ),
    )
    expect(reserved!.reasoning).toContain('reuse是预留的，用默认值')
  })

  test('is nothing where the only form takes nothing', () => {
    expect(ask(['auto Move();'])).toEqual([])
  })
})

describe('a value that is reserved', () => {
  const markdown = (cell: string) => parameters(`info | 输入 | ${cell}`).replace('## 参数说明\n\n', '')
  const ask = (cell: string, seed: string) =>
    drafts(
      pageOf({role: 'parameters', markdown: markdown(cell), context: prototypes('void Move(GM_ADDR info);')}),
      seed,
    )

  test('is not the one asked for, and a reserved parameter is not asked about', () => {
    const cell = '搬运的方式，可取值如下：<br>• MODE_A：预留给以后的版本使用。<br>• MODE_B：从头开始。'
    const questions = ['a', 'b', 'c', 'd', 'e', 'f'].map((seed) => ask(cell, seed)[0]!.draft.question)
    expect(new Set(questions)).toEqual(new Set(['把Ascend C的Move的参数info设为MODE_B是什么意思？它还可以取哪些值？']))
    expect(ask(`预留参数，保持默认值。${cell}`, 'a')).toEqual([])
  })
})

describe('a parameter of which two tables say different things', () => {
  const form = 'void Move(const LocalTensor<float>& dst, uint32_t count);'
  const tables = (other: string) =>
    `${parameters('dst | 输出 | 目的操作数，shape为[B, S]。', 'count | 输入 | 元素个数。')}\n\n${parameters(`dst | 输出 | ${other}`).replace('## 参数说明\n\n', '')}`

  test('is told by both where they agree, and else by no row', () => {
    const section = pageOf({role: 'prototype', markdown: cpp(form)})
    expect(drafts({...section, context: tables('目的操作数，shape为[A]。')})).toEqual([])
    expect(first({...section, context: tables('目的操作数，shape为[B, S]。')}).answer).toContain('shape为[B, S]')
  })
})
