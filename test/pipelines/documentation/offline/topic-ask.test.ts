import {describe, expect, test} from 'vitest'
import type {DocSection, Evidence} from '../../../../datasets/schema/document.ts'
import {topicAsks} from '../../../../pipelines/documentation/offline/kinds/topic-ask.ts'
import {factsOfPage, type Facts, type Passage} from '../../../../pipelines/documentation/section-facts.ts'
import {docSection} from '../../../helpers/doc-section.ts'

const guide = (part: Partial<DocSection> & {path?: string; heading?: string} = {}) =>
  docSection({page: '数据搬运的性能调优指南', path: 'guide/tuning/copy.md', role: 'other', heading: '概述', ...part})

const passage = (...said: string[]): Passage => ({said, isCut: false})
const cut = (...said: string[]): Passage => ({said, isCut: true})

function factsWith(passages: readonly Passage[], other: Partial<Facts> = {}): Facts {
  return {
    ...factsOfPage(''),
    passages: {other: [...passages]},
    said: {other: passages.flatMap(({said}) => said)},
    ...other,
  }
}

const asked = (passages: readonly Passage[], section = guide(), other: Partial<Facts> = {}) =>
  topicAsks(section, factsWith(passages, other))

const ground = '由于指令的启动开销，每次搬运32字节的带宽很低。'
const points = ['每次搬运的数据量设置为16KB以上。', '多个小块合并成一次搬运来完成。']

describe('prose', () => {
  test('is a ground and what follows from it', () => {
    expect(asked([passage(ground), passage(...points)])).toEqual([
      {
        kind: 'topic',
        page: '数据搬运的性能调优指南',
        heading: '概述',
        shape: 'points',
        names: [],
        because: [ground],
        points,
      },
    ])
  })

  test('needs a ground, and two points', () => {
    expect(asked([passage(...points, ...points)])).toEqual([])
    expect(asked([passage(ground), passage(points[0]!)])).toEqual([])
    expect(asked([passage(ground), passage(...points)])).toHaveLength(1)
    expect(asked([passage(ground), passage(points[0]!), passage(points[0]!)])).toEqual([])
  })

  test('has thirty characters of points and 1600 at the most', () => {
    const of = (first: number, second: number) =>
      asked([passage(ground), passage('甲'.repeat(first), '乙'.repeat(second))]).length
    expect([of(15, 14), of(15, 15), of(800, 800), of(800, 801)]).toEqual([0, 1, 1, 0])
  })

  test('grounds are reasons of short paragraphs, or definitions of shorter ones', () => {
    const because = (...passages: Passage[]) =>
      asked([...passages, passage(...points)]).flatMap((ask) => (ask.kind === 'topic' ? ask.because : []))
    const definition = '流水任务是一个核函数中的并发单元。'
    expect(because(passage(ground, points[0]!, points[1]!))).toEqual([ground])
    expect(because(passage(ground, points[0]!, points[1]!, '另外一块数据留在片上内存里。'))).toEqual([])
    expect(because(passage(definition, points[0]!))).toEqual([definition])
    expect(because(passage(definition, points[0]!, points[1]!))).toEqual([])
    const five = ['甲乙丙丁', '戊己庚辛', '子丑寅卯', '辰巳午未', '申酉戌亥'].map((word) => `因为${word}占用带宽。`)
    expect(because(...five.map((one) => passage(one)))).toEqual(five.slice(0, 4))
  })

  test.each([
    '例如由于搬运指令有启动开销，带宽很低。',
    '当数据很小时，由于启动开销，带宽很低。',
    '在数据很小时，由于启动开销，带宽很低。',
    '由于启动开销，必须合并搬运的数据。',
    '搬运的数据放在片上内存里。',
    `由于${'甲'.repeat(58)}。`,
  ])('%s is no ground', (sentence) => {
    expect(asked([passage(sentence), passage(...points)])).toEqual([])
  })

  test('a ground has sixty words at the most', () => {
    expect(asked([passage(`由于${'甲'.repeat(57)}。`), passage(...points)])).toHaveLength(1)
  })

  test.each([
    'src -> dst 的数据搬运过程',
    '数据搬运→数据计算的过程',
    '数据搬运的样例代码',
    '搬运数据块',
    'move it at once',
  ])('%s is no sentence', (text) => {
    const found = asked([passage(ground), passage(...points, text)])
    expect(found).toMatchObject([{points}])
  })

  test.each(['指针src->dst指向下一块数据', '一共六个汉字', 'moves the data at once'])('%s is a sentence', (text) => {
    expect(asked([passage(ground), passage(...points, text)])).toMatchObject([{points: [...points, text]}])
  })

  test('three quarters of all sentences must be understood', () => {
    const three = [passage(ground), passage(...points)]
    expect(asked([...three, cut('其余的部分见下面这张表。')])).toHaveLength(1)
    expect(asked([...three, cut('其余的部分见下面这张表。', '还有一部分见上面那张图。')])).toEqual([])
  })

  test('passages that bind most are told until three quarters are there, in the order of the page', () => {
    const weak = passage('搬运的数据放在片上内存里。', '计算的结果写到全局内存里。')
    const strong = passage('每次必须搬运32字节的整数倍。', '对齐的数据不需要补齐处理。')
    const second = passage(ground, '搬运的块大小为16KB以上。')
    const told = asked([weak, strong, second, passage('最后再释放申请的所有内存块。')])
    expect(told).toMatchObject([
      {because: [ground], points: [...weak.said, ...strong.said, '搬运的块大小为16KB以上。']},
    ])
  })

  test('nothing of chapters on another architecture', () => {
    for (const heading of ['Reg矢量计算', 'SIMT编程', '3510架构'])
      expect(asked([passage(ground), passage(...points)], guide({headings: ['指南', heading]}))).toEqual([])
  })
})

describe('what an answer tells', () => {
  const shape = (heading: string, ...two: string[]) =>
    asked([passage(ground), passage(...two)], guide({heading})).map(
      (ask) => ask.kind === 'topic' && [ask.shape, ...ask.names],
    )

  test.each([
    ['两种方式的对比', points, ['difference']],
    ['流程', ['首先申请一块片上内存。', '接着把数据从全局内存里搬运进来，再做计算。'], ['steps']],
    ['流程', ['首先申请一块片上内存。', '数据在片上内存里连续存放，计算单元直接读取它们。'], ['steps']],
    [
      '如何搬运',
      ['调用DataCopy一次搬运数据。', '数据在片上内存里连续存放，计算单元直接读取它们。'],
      ['how', 'DataCopy'],
    ],
    ['如何搬运', ['调用搬运接口完成数据搬运。', '数据在片上内存里连续存放，计算单元直接读取它们。'], ['points']],
    [
      '如何搬运',
      ['用DataCopy一次搬完数据。', '数据在片上内存里连续存放，计算单元直接读取它们。'],
      ['points', 'DataCopy'],
    ],
    ['规则', ['地址不能重叠在一起使用。', '数据在片上内存里连续存放，计算单元直接读取它们。'], ['rules']],
    [
      '名词',
      ['搬运单元负责搬运数据。', '计算单元负责计算结果。', '数据在片上内存里连续存放，计算单元直接读取它们。'],
      ['meaning'],
    ],
    [
      '接口',
      ['搬运用DataCopy，计算用VecAdd。', '数据在片上内存里连续存放，计算单元直接读取它们。'],
      ['names', 'DataCopy', 'VecAdd'],
    ],
    [
      '接口',
      ['搬运用DataCopy，再次用DataCopy。', '数据在片上内存里连续存放，计算单元直接读取它们。'],
      ['points', 'DataCopy'],
    ],
  ] as [string, string[], string[]][])('under %s of %j', (heading, two, found) => {
    expect(shape(heading, ...two)).toEqual([found])
  })

  test('four names at the most', () => {
    const many = '搬运和计算用AaBb、CcDd、EeFf、GgHh、IiJj接口。'
    expect(shape('接口', many, points[0]!)).toEqual([['names', 'AaBb', 'CcDd', 'EeFf', 'GgHh']])
  })

  test('a short Chinese title stands in its chapter', () => {
    const page = (part: Parameters<typeof guide>[0]) =>
      asked([passage(ground), passage(...points)], guide(part)).map((ask) => ask.page)
    expect(page({page: '概述', path: 'guide/性能调优/概述.md'})).toEqual(['性能调优：概述'])
    expect(page({page: '搬运的性能调优要点', path: 'guide/性能调优/a.md'})).toEqual(['搬运的性能调优要点'])
    expect(page({page: '搬运性能调优要点', path: 'guide/性能调优/a.md'})).toEqual(['性能调优：搬运性能调优要点'])
    expect(page({page: '概述', path: 'guide/tuning/a.md'})).toEqual(['概述'])
    expect(page({page: '概述', path: 'guide/概述/a.md'})).toEqual(['概述'])
    expect(page({page: '概述', path: 'a.md'})).toEqual(['概述'])
    expect(page({page: '概述', path: 'guide/性能调优/a.md', language: 'en'})).toEqual(['概述'])
  })

  test('without a heading the title tells', () => {
    const section = guide({page: '两种搬运方式的对比和说明', headings: ['两种搬运方式的对比和说明']})
    expect(asked([passage(ground), passage(...points)], section)).toMatchObject([{heading: '', shape: 'difference'}])
  })
})

describe('listings', () => {
  const code = 'LocalTensor<half> x = queue.AllocTensor<half>();\nDataCopy(x, gm, 128);'
  const listing = (lead = '', text = code) => ({lead, code: text})
  const listings = (examples: Facts['examples'], said: string[] = [], evidence: Evidence[] = []) =>
    topicAsks(guide({evidence}), {...factsOfPage(''), examples, said: {other: said}}).filter(
      (ask) => ask.kind === 'topic-code',
    )

  test('one listing is asked for with what is said about it', () => {
    expect(listings([listing()], [ground, ...points])).toEqual([
      {
        kind: 'topic-code',
        page: '数据搬运的性能调优指南',
        heading: '概述',
        example: listing(),
        apis: ['AllocTensor', 'DataCopy'],
        called: [],
        because: [ground],
        points,
      },
    ])
  })

  test('what is said is short, no instance, and four grounds or points are too many', () => {
    const told = (...said: string[]) => listings([listing()], said).flatMap((ask) => [ask.because, ask.points])
    expect(told('例如每次搬运的数据量设置为16KB。', points[0]!)).toEqual([[], [points[0]]])
    expect(told(`${'甲'.repeat(199)}。`, `${'乙'.repeat(200)}。`)).toEqual([[], [`${'甲'.repeat(199)}。`]])
    const four = ['甲', '乙', '丙', '丁'].map((word) => `因为${word}占用了很多带宽。`)
    expect(told(...four)).toEqual([four.slice(0, 3), four.slice(3)])
    const rules = ['一', '二', '三', '四'].map((word) => `第${word}块数据放在片上内存里。`)
    expect(told(...rules)).toEqual([[], rules.slice(0, 3)])
    expect(told(...rules, '每次必须搬运32字节的数据。')).toEqual([
      [],
      [...rules.slice(0, 2), '每次必须搬运32字节的数据。'],
    ])
  })

  test('of several, each is asked for by what stands before it, and nothing else is said of it', () => {
    const two = [listing('把数据搬运到片上内存中'), listing('通过队列申请张量的内存')]
    expect(listings(two, [ground, ...points])).toMatchObject(two.map((example) => ({example, because: [], points: []})))
    expect(listings([...two, listing('使用第三种方式完成搬运')])).toHaveLength(2)
    expect(listings([listing('把数据搬运到片上'), listing('把数据搬运上')]).map(({example}) => example.lead)).toEqual([
      '把数据搬运到片上',
    ])
    expect(listings([listing('以下是一个简单的程序'), listing('')])).toEqual([])
    expect(listings([listing('')])).toHaveLength(1)
  })

  test('a listing is whole, calls interfaces, and does more than declare', () => {
    expect(listings([listing('', `${code}\n...`)])).toEqual([])
    expect(listings([listing('', 'int a = 1; int b = a + 2; int c = a + b;')])).toEqual([])
    expect(listings([listing('', 'void DataCopy(LocalTensor<half> dst, int count);')])).toEqual([])
  })

  test('purposes of what it calls come from the pages of these', () => {
    const [source] = [
      {
        origin: guide().origin,
        page: 'DataCopy',
        headings: ['DataCopy'],
        role: 'function',
        why: 'calls',
        about: 'DataCopy',
        markdown: '把数据搬运到另一处。',
      },
    ] as Evidence[]
    expect(listings([listing()], [], [source!])[0]?.called).toEqual([
      {name: 'DataCopy', purpose: '把数据搬运到另一处。', source},
    ])
    const other = (part: Partial<Evidence>) => listings([listing()], [], [{...source!, ...part}])[0]?.called
    expect(other({why: 'names'})).toEqual([])
    expect(other({role: 'example'})).toEqual([])
    expect(other({about: 'Copy'})).toEqual([])
    expect(other({markdown: '无'})).toEqual([])
    expect(other({markdown: `把数据${'甲'.repeat(76)}。`})).toHaveLength(1)
    expect(other({markdown: `把数据${'甲'.repeat(77)}。`})).toEqual([])
  })
})
