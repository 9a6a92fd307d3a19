import {describe, expect, test} from 'vitest'
import type {DocSection, Evidence} from '../../../datasets/schema/document.ts'
import documentationCot from '../../../pipelines/documentation/cot.ts'
import {draftsOf} from '../../../pipelines/documentation/offline/compose.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {docSection} from '../../helpers/doc-section.ts'
import {cpp, parameters, prototypes} from '../../helpers/doc-text.ts'

const pageOf = (section: Partial<DocSection>) => docSection({page: 'Move', path: 'p.html', markdown: '无', ...section})
const drafts = (section: DocSection, seed = 'seed') => draftsOf(section, seed)
const first = (section: DocSection) => drafts(section)[0]!.draft

describe('an example', () => {
  const form = 'template <typename T> void Move(const LocalTensor<T>& dst, uint32_t& left, uint32_t count);'
  const page = (lead: string, code: string, rules = '') =>
    pageOf({
      role: 'example',
      markdown: `${lead}\n\n${cpp(code)}`,
      context: `${prototypes(form)}\n\n${parameters('count | 输入 | 元素个数。')}\n\n## 约束说明\n\n${rules}`,
    })

  test('is asked for by numbers that go in, not by what is only initialised', () => {
    const {question} = first(page('', 'uint32_t left = 0;\nuint32_t n = 64;\nAscendC::Move(dst, left, n);'))
    expect(question).toBe('调用Ascend C的Move，count为64，代码怎么写？')
    const changed = 'uint32_t left = 0;\nuint32_t n = 64;\nn += 8;\nAscendC::Move(dst, left, n);'
    expect(first(page('', changed)).question).not.toContain('64')
  })

  test.each([
    ['当数据不对齐时：', '当数据不对齐时，请写出调用Ascend C的Move的代码。'],
    ['将前半部分数据搬运到另一处的示例如下：', '将前半部分数据搬运到另一处。请写出调用Ascend C的Move的代码。'],
    ['高维切分计算样例：', '请写出调用Ascend C的Move的代码，用法是“高维切分计算”。'],
  ])('with words before it is asked for by them: %s', (lead, question) => {
    expect(first(page(lead, 'AscendC::Move(dst, left, 8);')).question).toBe(question)
  })

  test('is bound by rules on what it passes, not by what a special value does', () => {
    const rules = [
      '- count必须是8的倍数。',
      '- count为0时不执行任何操作，不能用来清零。',
      '- 需要保证otherLength与count之和不超过64。',
    ].join('\n')
    const {answer} = first(page('', 'AscendC::Move(dst, left, 8);', rules))
    expect(answer).toContain('对这些实参，约束里还写明：\n- count必须是8的倍数。')
    expect(answer).not.toMatch(/为0时|otherLength/)
  })

  test('is asked for by the function that it calls', () => {
    const context = prototypes('void asc_move(int count);', 'void asc_move_sync(int count);')
    const section = docSection({
      page: 'asc_move',
      path: 'p.html',
      role: 'example',
      markdown: cpp('int n = 64;\nasc_move_sync(n);'),
      context,
    })
    expect(first(section).question).toContain('asc_move_sync')
  })

  test('has no amount of data by the type of a scalar', () => {
    const size = (code: string) => first(page('', `${code}\nAscendC::Move(dst, left, 64);`)).reasoning
    expect(size('AscendC::LocalTensor<half> dst;')).toContain('64个half')
    expect(size('half scale = 0.1;')).not.toContain('64个half')
  })

  test('is bound by a rule on forms without a parameter that it does not take', () => {
    const rules =
      '- 对于不带otherLength的接口，dst和left的长度必须相等。\n- 对于不带count的接口，dst和left的地址必须对齐。'
    const {answer} = first(page('', 'AscendC::Move(dst, left, 8);', rules))
    expect(answer).toContain('长度必须相等')
    expect(answer).not.toContain('地址必须对齐')
  })

  test('is bound by what is to be done beside it, and by rules on operands', () => {
    const rules = '- 不支持源操作数与目的操作数地址重叠。\n- count只支持设置为正数。'
    const {context = '', ...rest} = page('', 'AscendC::Move(dst, left, 8);', rules)
    const function_ = '## 功能说明\n\n搬运数据。本接口需要与Prepare配合使用。'
    const {answer} = first({...rest, context: `${context}\n\n${function_}`})
    for (const rule of ['地址重叠', 'count只支持设置为正数', '需要与Prepare配合使用']) expect(answer).toContain(rule)
  })

  test('works on data that goes in, not on what the call writes', () => {
    const form = 'void Move(__ubuf__ half* dst, __ubuf__ half* src, uint32_t count);'
    const of = (direction: string) =>
      first(
        pageOf({
          role: 'example',
          markdown: cpp('__ubuf__ half dst[64];', 'Move(dst, src, n);'),
          context: `${prototypes(form)}\n\n${parameters(`dst | ${direction} | 数据所在的地址。`)}`,
        }),
      ).question
    expect(of('输入')).toContain('有64个half的数据dst')
    expect(of('输出')).not.toContain('数据dst')
  })

  test('says that types are deduced only where they are not written', () => {
    expect(first(page('', 'AscendC::Move(dst, left, 8);')).reasoning).toContain('模板参数T由实参的类型推导')
    expect(first(page('', 'AscendC::Move<half>(dst, left, 8);')).reasoning).toContain('模板参数写在尖括号里')
  })
})

describe('a listing that one call would explain badly', () => {
  const form = 'template <typename T> void Move(const LocalTensor<T>& dst, uint32_t count, uint32_t step = 1);'
  const context = `${prototypes(form)}\n\n${parameters('count | 输入 | 元素个数。')}`
  const page = (...code: string[]) => pageOf({role: 'example', markdown: cpp(...code), context})

  test('of calls in different forms is not explained by the first', () => {
    expect(first(page('Move(a, 8);', 'Move(b, 16);')).answer).toContain('`8`对应count')
    expect(first(page('Move(a, 8);', 'Move(b, 16, 2);')).answer).not.toContain('对应count')
  })

  test('of which only the names of its calls can be told teaches no reasoning', async () => {
    const {reasoning} = first(page('Move(a, 8);', 'Move(b, 16, 2);', 'Other(a);'))
    expect(reasoning).toBe('')
    const {dropped} = await runStage(documentationCot(), [page('Move(a, 8);', 'Move(b, 16, 2);', 'Other(a);')])
    expect(dropped.map(({reason}) => reason)).toEqual(['nothing-to-derive'])
  })
})

describe('what other pages say', () => {
  const form = 'template <typename T> void Move(const LocalTensor<T>& dst, uint32_t count);'
  const passage = (about: string, markdown: string, why: 'calls' | 'similar' = 'calls'): Evidence => ({
    why,
    about,
    origin: {repository: 'r', revision: 'v', path: `${about}.html`, licence: 'Apache-2.0', lines: [3, 5]},
    page: about,
    headings: [about, '功能说明'],
    role: 'function',
    markdown,
  })
  const section = pageOf({
    role: 'example',
    markdown: cpp('AscendC::Fill(dst, 8);', 'AscendC::Move(dst, 8);'),
    context: `${prototypes(form)}\n\n${parameters('count | 输入 | 元素个数。')}`,
    evidence: [
      passage('Fill', '用于把一个标量写到张量的每个元素。'),
      passage('Other', '把数据清零。'),
      passage('Fill', '把张量清成别的一个值。', 'similar'),
    ],
  })

  test('of an interface that a listing calls is part of the reasoning, with its place', async () => {
    const {outputs} = await runStage(documentationCot(), [section])
    const {sample, reference} = outputs[0]!
    expect(sample.reasoning).toContain('其中Fill的作用是：把一个标量写到张量的每个元素。')
    expect(sample.reasoning).not.toContain('清零')
    expect(sample.evidence).toEqual([expect.objectContaining({path: 'Fill.html', lines: [3, 5]})])
    expect(reference).toContain('把一个标量写到张量的每个元素')
  })

  test('goes with no sample that does not use it', async () => {
    const {outputs} = await runStage(documentationCot(), [{...section, evidence: [passage('Other', '把数据清零。')]}])
    expect(outputs[0]!.sample.evidence).toBeUndefined()
  })

  test('of the result goes along with the one listing', async () => {
    const result = 'dst: [1, 1, 1]'
    const {outputs} = await runStage(documentationCot(), [
      {...section, markdown: `${section.markdown}\n\n结果如下：\n\n\`\`\`text\n${result}\n\`\`\``},
    ])
    expect(outputs.map(({expected}) => expected)).toEqual([result])
  })
})

describe('a part of a guide', () => {
  const page = (markdown: string) =>
    pageOf({role: 'other', page: '搬运与计算的重叠', headings: ['搬运与计算的重叠'], markdown})
  const rules = '- 每个队列至少要有两块内存，才能轮流使用。\n- 循环次数不能少于两次。'

  test('reasons from what explains and answers with what is demanded', () => {
    const draft = first(page(`由于搬运和计算在不同的流水上，两者可以并行。\n\n${rules}`))
    expect(draft.reasoning).toBe('由于搬运和计算在不同的流水上，两者可以并行。')
    expect(draft.answer).toContain('循环次数不能少于两次')
  })

  test('is not asked without a reason, and a demand is none', () => {
    expect(drafts(page(rules))).toEqual([])
    expect(drafts(page(`为了让两者并行，必须先申请两块内存。\n\n${rules}`))).toEqual([])
  })

  test('keeps a condition with what follows from it, and no pictures', () => {
    const text = '为了减少搬运，数据要成批处理。当数据较少时，并行的性能反而下降，建议使用一个核。'
    const {reasoning} = first(page(`${text}\n\n- 数据要按三十二字节对齐。\n- 数据要放在片上内存里。`))
    expect(reasoning).not.toContain('当数据较少时')
    const all = drafts(page(`${text}\n\n- <img src="a.png">里的数据要对齐。`)).map(({draft}) => draft.answer)
    expect(all.join()).not.toContain('<img')
  })

  test('keeps a list of several reasons whole', () => {
    const list = [
      '由于带宽不同，搬运较慢。',
      '由于指令队列有限，下发较慢。',
      '由于核数不同，启动较慢。',
      '由于缓存不命中，读取较慢。',
    ]
    const {reasoning, answer} = first(page(`因此要减少搬运的次数。\n\n${list.map((one) => `- ${one}`).join('\n')}`))
    expect(reasoning).toBe('因此要减少搬运的次数。')
    for (const one of list) expect(answer).toContain(one.replace('。', ''))
  })
})
