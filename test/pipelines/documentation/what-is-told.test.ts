import {describe, expect, test} from 'vitest'
import type {DocSection} from '../../../datasets/schema/document.ts'
import {draftsOf} from '../../../pipelines/documentation/offline/compose.ts'
import {silenceOf} from '../../../pipelines/documentation/offline/silence.ts'
import {sectionFacts} from '../../../pipelines/documentation/section-facts.ts'
import {docSection} from '../../helpers/doc-section.ts'
import {cpp, parameters, prototypes} from '../../helpers/doc-text.ts'

const pageOf = (section: Partial<DocSection>) => docSection({page: 'Move', path: 'p.html', markdown: '无', ...section})
const drafts = (section: Partial<DocSection>, seed = 'seed') => draftsOf(pageOf(section), seed)
const first = (section: Partial<DocSection>) => drafts(section)[0]!.draft
const tensors = 'template <typename T> void Move(const LocalTensor<T>& dst, const LocalTensor<T>& src);'

describe('the purpose of an interface', () => {
  const context = `${prototypes(tensors)}\n\n## 流水类型\n\nPIPE_V`

  test.each([
    ['不调用本接口时数据可能会被覆盖。本接口用于把数据搬到另一处。', '本接口用于把数据搬到另一处'],
    ['开发者可以通过Pool类管理内存。把一段数据搬运到另一处。', '用Move：把一段数据搬运到另一处'],
    ['只有当模式为混合前提下生效。把一段数据搬运到另一处。', '用Move：把一段数据搬运到另一处'],
    ['在网络里，GELU是一个重要的激活函数。把一段数据搬运到另一处。', '用Move：把一段数据搬运到另一处'],
    ['为保证兼容，别的模式下也可以调用。把一段数据搬运到另一处。', '用Move：把一段数据搬运到另一处'],
    ['注册算子的推导函数，供框架使用。', '用Move：注册算子的推导函数，供框架使用'],
    ['连续模式：数据相邻。把一段数据搬运到另一处。', '用Move：把一段数据搬运到另一处'],
    ['排布方式一：每个结构占8Bytes。把一段数据搬运到另一处。', '用Move：把一段数据搬运到另一处'],
    ['Atlas A2 训练系列产品采用方式一。把一段数据搬运到另一处。', '用Move：把一段数据搬运到另一处'],
  ])('is the sentence that says what it does: %s', (markdown, opening) => {
    expect(first({markdown, context}).answer.indexOf(opening)).toBe(0)
  })

  test('goes without the symbol of a formula that nobody could read', () => {
    const lost = first({markdown: '按元素求正切。\n\n![](formula.png)\n\n其中B_{n}是伯努利数。', context})
    expect(lost.answer).not.toContain('伯努利数')
    const greek = first({markdown: '按元素求正切。\n\n![](formula.png)\n\n其中γ为缩放系数。', context})
    expect(greek.answer).not.toContain('缩放系数')
    const read = first({markdown: '按元素求正切，系数为$B_{n}$。其中$B_{n}$是伯努利数。', context})
    expect(read.answer).toContain('伯努利数')
  })

  test('goes without the terms of a formula that nobody could read', () => {
    const lost = first({markdown: '按元素求互补误差函数。\n\n![](f.png)\n\nR(z) = (z + R0) * z是一个多项式；', context})
    expect(lost.answer).not.toContain('R(z)')
    const read = first({markdown: '按元素求互补误差函数，结果为z * R(z)。R(z) = (z + R0) * z是一个多项式。', context})
    expect(read.answer).toContain('R(z) = ')
  })

  test('of a macro for any number of arguments is not that it takes none', () => {
    const context = (list: string) => `## 函数原型\n\n\`\`\`\n#define MOVE_KEY(${list}) make({__VA_ARGS__})\n\`\`\``
    const reasoning = (list: string) =>
      drafts({page: 'MOVE_KEY', markdown: '开发者通过调用此接口自动生成一个键。', context: context(list)})[0]?.draft
        .reasoning
    expect(reasoning('')).toContain('不需要传入参数')
    expect(reasoning('...') ?? '').not.toContain('不需要传入参数')
  })

  test('is not that another interface does the same', () => {
    const [asked] = drafts({markdown: 'Shift接口功能与该接口相同，建议使用Shift。', context})
    expect(asked?.draft.answer ?? '').not.toContain('建议使用')
  })

  test('is no label of a list', () => {
    const [listed] = drafts({markdown: '概念和规则如下：\n\n- 概念：两个数按二进制位运算，相异为一。', context})
    expect(listed?.draft.question ?? '').not.toContain('概念')
  })

  test('keeps what a list of rules is about with each of them', () => {
    const rules = '- offset的取值要求如下：\n  - 取值应保证按位宽对齐。\n  - 取值不能小于0。'
    const [asked] = drafts({role: 'constraints', markdown: rules, context})
    expect(asked?.draft.answer).toContain('- offset的取值要求：取值应保证按位宽对齐')
    expect(asked?.draft.answer).toContain('- offset的取值要求：取值不能小于0')
  })

  test('is not told with combinations to choose from as if each were demanded', () => {
    const rules = (lead: string) =>
      drafts({role: 'constraints', markdown: `${lead}\n\n- n和count同时设置。\n- 仅传入n，count传入0。`, context})
    expect(rules('注意：')).toHaveLength(1)
    expect(rules('支持以下两种传参形式：')).toEqual([])
  })

  test('leaves nothing of a sentence that only leads elsewhere', () => {
    const markdown = '把一段数据搬运到另一处。如需跨多个硬件版本兼容的接口，请参见Copy。二者的区别在于能否兼容。'
    const {answer} = first({markdown, context})
    expect(answer).toContain('把一段数据搬运到另一处')
    expect(answer).not.toMatch(/如需|二者/)
  })

  test('is not what a reserved parameter is for', () => {
    expect(drafts({markdown: '此参数为预留参数，请保持固定值。', context})).toEqual([])
  })

  test('is asked for as a whole only where all of it is understood', () => {
    const named = '本接口与Move的另一形式配合，按元素取反。'
    expect(drafts({markdown: named, context})).toHaveLength(1)
    expect(drafts({markdown: `${named}取值如下图所示，灰色为无效元素。`, context})).toEqual([])
  })

  test('has no type that only a plain parameter has', () => {
    const get = `${prototypes('int64_t Move(int32_t id);')}\n\n## 数据类型\n\n支持的数据类型为：int64_t。`
    expect(first({markdown: '获取一个控制寄存器的值。', context: get}).answer).not.toContain('数据类型')
    const data = `${context}\n\n## 数据类型\n\n支持的数据类型为：half、float。`
    expect(first({markdown: '把一段数据按元素取反。', context: data}).answer).toContain('数据类型：half、float')
  })

  test('does not have the declared type for a result of which the page tells none', () => {
    const told = (returns: string) =>
      first({
        markdown: '设置框架使用的推导函数。',
        context: `${prototypes('OpDef &Move(int id);')}\n\n## 返回值说明\n\n${returns}`,
      })
    expect(told('无').answer).not.toContain('返回：')
    expect(told('返回算子定义。').answer).toContain('返回算子定义')
  })
})

describe('a page that declares no function of its title', () => {
  test('is asked by its macro, or by its type', () => {
    const macro = docSection({page: 'TILING_KEY', path: 'p.html', markdown: '判断本次执行的分支，在核函数里使用。'})
    const isKey = {
      ...macro,
      context: `${prototypes('#define TILING_KEY(key)')}\n\n${parameters('key | 输入 | 分支。')}\n\n## 约束说明\n\n只能在核函数中调用。`,
    }
    expect(draftsOf(isKey, 'seed')[0]!.draft.answer).toContain('用TILING_KEY：判断本次执行的分支')
    const trait = docSection({page: 'is_same', path: 'p.html', markdown: '在编译时比较两个类型是否相同。'})
    const isSame = {
      ...trait,
      context: `${prototypes('template <typename T, typename U> struct is_same;')}\n\n## 约束说明\n\n不支持void类型。`,
    }
    expect(draftsOf(isSame, 'seed')[0]!.draft.question).toContain('编译时比较两个类型')
  })

  test('has no purpose in common where it declares several functions', () => {
    const several = docSection({
      page: 'Move Tiling',
      path: 'p.html',
      markdown: '获取搬运所需的最大空间，以及切分的结果。',
      context: `${prototypes('uint32_t GetMoveMax(int n);', 'void MoveTiling(int n);')}\n\n${parameters('n | 输入 | 数量。')}`,
    })
    expect(draftsOf(several, 'seed')).toEqual([])
    const forms = {
      ...several,
      role: 'prototype' as const,
      markdown: cpp('uint32_t GetMoveMax(int n);', 'void MoveTiling(int n);'),
    }
    const whole = {...forms, context: `## 功能说明\n\n获取空间。\n\n${parameters('n | 输入 | 数量。')}`}
    expect(draftsOf(whole, 'seed')[0]!.draft.question).toContain('GetMoveMax和MoveTiling分别怎样调用')
  })
})

describe('what is said of the forms of a call', () => {
  const table = parameters('dst | 输出 | 目的操作数。', 'src | 输入 | 源操作数。')
  const ask = (...forms: string[]) => drafts({role: 'prototype', markdown: cpp(...forms), context: table})

  test('is nothing where one of them is for a chip of another architecture', () => {
    expect(ask(tensors)).toHaveLength(1)
    expect(
      ask(
        tensors,
        'template <Arch3510 A, typename T> void Move(const LocalTensor<T>& dst, const LocalTensor<T>& src);',
      ),
    ).toEqual([])
  })

  test('is no type in common where one declaration mixes types', () => {
    const mixed = 'template <typename T> void Move(const LocalTensor<half>& dst, const LocalTensor<float>& src);'
    const alike = 'template <typename T> void Move(const GlobalTensor<T>& dst, const LocalTensor<T>& src);'
    expect(ask(tensors, mixed)[0]!.draft.reasoning).not.toContain('必须相同')
    expect(ask(tensors, alike)[0]!.draft.reasoning).toContain('dst和src的元素类型都是T，所以必须相同')
  })
})

describe('a listing', () => {
  const ask = (code: string, form = tensors) =>
    drafts({role: 'example', markdown: cpp(code), context: prototypes(form)})

  test('is asked for where it uses the interface, not where a text or a comment names it', () => {
    expect(ask('AscendC::Move(dst, src);')).toHaveLength(1)
    expect(ask('Config config("Move=level0:fullmesh"); // Move\nconfig.Start();')).toEqual([])
  })

  test('is not given with parts left out', () => {
    expect(ask('AscendC::Move(dst, src);\n// 省略无关代码\nEnd();')).toEqual([])
  })

  test('that is for other products is not given', () => {
    const {examples} = sectionFacts(pageOf({role: 'example', markdown: `该示例适用于：\n\n${cpp('Move(dst, src);')}`}))
    expect(examples).toEqual([])
  })

  test('tells no arguments of a form that leaves its parameters without names', () => {
    expect(ask('AscendC::Move(dstLocal);', 'void Move(int);')[0]!.draft.reasoning).not.toContain('实参')
  })

  test('has no purpose that is its name over again', () => {
    const reasoning = (markdown: string) =>
      drafts({
        page: 'Config构造函数',
        role: 'example',
        markdown: cpp('Config config;\nConfig other(config); // 拷贝'),
        context: `## 功能说明\n\n${markdown}\n\n${prototypes('Config();', 'Config(const Config& other);')}`,
      })[0]?.draft.reasoning
    expect(reasoning('创建配置对象，初始化数据成员。')).toContain('作用是：创建配置对象')
    expect(reasoning('Config构造函数。') ?? '').not.toContain('作用是')
  })

  test('is asked for by its use, without the word that it is an example', () => {
    const question = (title: string) =>
      drafts({
        role: 'example',
        markdown: `- ${title}\n\n    ${cpp('AscendC::Move(dst, src);').replaceAll('\n', '\n    ')}`,
        context: prototypes(tensors),
      })[0]!.draft.question
    expect(question('通过设置开关开启该优化，具体代码如下：')).not.toContain('具体')
    expect(question('接口样例-mask连续模式')).toContain('用法是“mask连续模式”')
    expect(question('tensor高维切分计算样例-mask连续模式')).toContain('用法是“tensor高维切分计算-mask连续模式”')
  })

  test('calls without arguments in vain only where the form returns void', () => {
    const reasoning = (form: string) => ask('AscendC::Move(); // 等待搬运完成', form)[0]!.draft.reasoning
    expect(reasoning('void Move();')).toContain('也没有返回值')
    expect(reasoning('Move();')).toContain('Move不需要参数。')
  })
})

describe('a listing that is wrong on its page', () => {
  const examples = (...lines: string[]) => sectionFacts(pageOf({role: 'example', markdown: cpp(...lines)})).examples

  test('is none: a comment that names another type than the line below it', () => {
    const call = (said: string, passed: string) =>
      examples(`// 格式为ND，数据类型为${said}，不转置`, `tiling.SetType(Format::ND, DataType::DT_${passed});`)
    expect(call('bfloat16', 'FLOAT16')).toEqual([])
    expect(call('half', 'FLOAT')).toEqual([])
    for (const [said, passed] of [
      ['half', 'FLOAT16'],
      ['bfloat16', 'BF16'],
      ['bfloat16_t', 'BFLOAT16'],
      ['int8_t', 'INT8'],
      ['float', 'FLOAT'],
    ] as const)
      expect(call(said, passed)).toHaveLength(1)
  })

  test('is none where its fault is known', () => {
    const sums = (length: number) =>
      examples(`constexpr uint32_t dst_length = ${length};`, 'asc_pair_reduce_sum(dst, src, 2, 1, 1, 8);')
    expect(sums(16)).toEqual([])
    expect(sums(128)).toHaveLength(1)
    expect(examples('GetCmpMask(dst); // 只有第7个元素有效')).toEqual([])
    expect(examples('// 根据VacantInQue判断', 'que.HasTensorInQue();')).toEqual([])
    expect(examples('// 根据VacantInQue判断', 'que.VacantInQue();')).toHaveLength(1)
  })
})

describe('a planned call', () => {
  const plans = (row: string, form: string) =>
    Array.from({length: 20}, (_, seed) =>
      drafts({role: 'parameters', markdown: row, context: prototypes(form)}, String(seed)),
    )
      .flat()
      .flatMap(({ask}) => (ask.kind === 'check' ? [ask.checks] : []))
  const table = (row: string) => parameters(row).replace('## 参数说明\n\n', '')

  test('is not asked about by the width of a number alone, nor by one value that is allowed', () => {
    expect(plans(table('repeatTime | 输入 | 次数。'), 'void Move(uint8_t repeatTime);')).toEqual([])
    const ranged = plans(table('gap | 输入 | 间隔，取值范围是[0, 15]。'), 'void Move(uint16_t gap);')
    expect(ranged.length).toBeGreaterThan(0)
    for (const [check] of ranged) expect(check).toMatchObject({rule: 'range', low: 0, high: 15})
    for (const [check] of ranged) if (check?.rule === 'range') expect(check.value).toBeGreaterThan(15)
  })

  test('is measured by the width of a type only where the page tells no range', () => {
    const rules = (words: string) =>
      plans(
        parameters('gap | 输入 | 间隔，取值范围是[0, 15]。', `count | 输入 | ${words}`).replace('## 参数说明\n\n', ''),
        'void Move(uint16_t gap, uint16_t count);',
      )
        .flat()
        .map(({rule}) => rule)
    expect(rules('元素个数。')).toContain('width')
    expect(
      rules('元素个数。<br>• 不开启转换，取值范围：[1, 4095]；<br>• 开启转换，取值范围：[1, 4095]。'),
    ).not.toContain('width')
    expect(rules('元素个数，可以是[1, 4095]，见下图所示。')).not.toContain('width')
  })

  test('has no type to choose where the interface takes neither tensors nor a type', () => {
    const rows = table('T | 输入 | 支持的数据类型为half、float。')
    const rules = (form: string) =>
      plans(rows, form)
        .flat()
        .map(({rule}) => rule)
    expect(rules('void Move(uint16_t gap);')).toEqual([])
    expect(rules('template <typename T> void Move(uint16_t gap);')).toContain('type')
  })
})

describe('one parameter', () => {
  const ask = (rows: string[], rules = '') =>
    drafts({
      role: 'parameters',
      markdown: parameters(...rows).replace('## 参数说明\n\n', ''),
      context: `${prototypes('void Move(int policy, const uint32_t* shape);')}\n\n## 约束说明\n\n${rules}`,
    }).filter(({ask: {kind}}) => kind === 'parameter')

  test('has the values that the product has, and all that is said under their labels', () => {
    const values = '实现策略。<br>• FAST：速度优先。精度较低。<br>• WIDE：仅支持Ascend 950PR。<br>• SAFE：精度优先。'
    const {draft} = ask([`policy | 输入 | ${values}`])[0]!
    expect(draft.answer).not.toContain('WIDE')
    expect(draft.answer).toContain('FAST：速度优先。精度较低。')
  })

  test('ends before the words that only announce its values', () => {
    const {draft} = ask([
      'policy | 输入 | 实现策略，类型为枚举类型Policy，支持的取值为：<br>• FAST：速度优先。<br>• SAFE：精度优先。',
    ])[0]!
    expect(draft.answer).toContain('类型为枚举类型Policy。')
    expect(draft.answer).not.toContain('支持的')
  })

  test('is not asked about where two tables have one of that name', () => {
    const row = 'shape | 输入 | 长度必须是8的倍数。<br>取值范围为[1, 9]。'
    expect(ask([row])).toHaveLength(1)
    expect(ask([row, 'shape | 输入 | 长度必须是16的倍数。<br>取值范围为[1, 2]。'])).toEqual([])
  })

  test('has no rule twice', () => {
    const row = 'shape | 输入 | 长度必须为512的倍数。<br>取值范围为[1, 9]。'
    const {draft} = ask([row], '- 调用Move时，shape长度必须为512的倍数。\n- shape的地址必须对齐。')[0]!
    expect(draft.answer).toContain('shape的地址必须对齐')
    expect(ask([row], '- 调用Move时，长度必须为512的倍数。')[0]!.draft.answer.match(/512/g)).toHaveLength(1)
  })
})

describe('an item of a list', () => {
  test('whose words below say that it is for another product is not told', () => {
    const markdown =
      '- 地址要对齐。\n- 使用排序算法时的要求：\n\n  仅支持Ascend 950PR/Ascend 950DT。\n\n  数量必须为32。\n- 长度要相等。'
    const {said} = sectionFacts(pageOf({role: 'constraints', markdown}))
    expect(said.constraints?.join()).not.toContain('32')
    expect(said.constraints?.join()).toContain('长度要相等')
  })
})

describe('a rule that names its products at the end', () => {
  const rules = (product: string) =>
    sectionFacts(
      pageOf({role: 'constraints', markdown: `- 长度必须是8的倍数。上述说明适用于：\n  - ${product}\n- 地址要对齐。`}),
    )

  test('is told where the product is among them, without their list', () => {
    const {said, unread} = rules('Atlas A2 训练系列产品/Atlas A2 推理系列产品。')
    expect(unread.constraints).toBeUndefined()
    expect(said.constraints).toEqual(['长度必须是8的倍数。', '地址要对齐。'])
    expect(rules('Atlas 训练系列产品。').said.constraints).toEqual(['地址要对齐。'])
  })
})

describe('a section without a question', () => {
  test.each([
    [{role: 'support', markdown: '- Atlas A2：支持'}, 'not-asked-by-role'],
    [{role: 'constraints', markdown: '取值如下图所示，灰色为无效元素。'}, 'not-read-whole'],
    [{role: 'prototype', markdown: cpp(tensors), context: parameters('dst | 输出 | 取值见表4。')}, 'not-read-whole'],
    [{role: 'constraints', markdown: '无'}, 'nothing-to-ask'],
  ] as const)('says why: %j', (section, reason) => {
    expect(silenceOf(pageOf(section))).toBe(reason)
  })
})
