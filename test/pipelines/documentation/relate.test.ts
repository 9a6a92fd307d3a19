import {open} from 'node:fs/promises'
import {describe, expect, test, vi} from 'vitest'
import type {DocSection, Evidence} from '../../../datasets/schema/document.ts'
import relate from '../../../pipelines/documentation/relate.ts'
import {docSection} from '../../helpers/doc-section.ts'
import {runStage} from '../../helpers/run-stage.ts'

/** Prototype, constraints and example of an interface. */
function api(page: string, path: string, code = `${page.replace(/（.*/, '')}(dst, src, 8);`): DocSection[] {
  const name = page.replace(/（.*/, '')
  return [
    docSection({page, path, heading: '功能说明', markdown: `${name}处理数据。`}),
    docSection({
      page,
      path,
      heading: '函数原型',
      role: 'prototype',
      markdown: `\`\`\`cpp\nvoid ${name}(int dst, int src, int count)\n\`\`\``,
    }),
    docSection({page, path, heading: '约束说明', role: 'constraints', markdown: `${name}只能用一次。`}),
    docSection({page, path, heading: '调用示例', role: 'example', markdown: `\`\`\`cpp\n${code}\n\`\`\``}),
  ]
}

async function evidenceOf(
  sections: readonly DocSection[],
  isAsked: (section: DocSection) => boolean,
  options: Parameters<typeof relate>[0] = {},
): Promise<Evidence[]> {
  const {outputs} = await runStage(relate(options), sections)
  expect(outputs.map(({evidence: _, ...section}) => section)).toEqual(sections)
  return outputs.find(isAsked)!.evidence!
}

const brief = (evidence: readonly Evidence[]) =>
  evidence.map(({why, about, page, role}) => `${why} ${about}>${page}/${role}`)
const of = (page: string, role: string) => (section: DocSection) => section.page === page && section.role === role
const fromOthers = (evidence: readonly Evidence[]) => brief(evidence.filter(({why}) => why !== 'same-page'))

const rules = 'api/通用说明和约束.md'
const alignment = docSection({page: '通用说明和约束', path: rules, heading: '通用地址对齐约束', role: 'other'})
const overlap = docSection({page: '通用说明和约束', path: rules, heading: '通用地址重叠约束', role: 'other'})

describe('the own page', () => {
  const support = docSection({page: 'Add', path: 'api/v/Add.md', heading: '产品支持', role: 'support'})
  const sections = [support, ...api('Add', 'api/v/Add.md')]

  test('gives interface, constraint and example in turns, not what it supports', async () => {
    expect(brief(await evidenceOf(sections, of('Add', 'function')))).toEqual([
      'same-page >Add/prototype',
      'same-page >Add/constraints',
      'same-page >Add/example',
    ])
  })

  test('says where each passage stands', async () => {
    const [first] = await evidenceOf(sections, of('Add', 'function'))
    expect(first).toMatchObject({
      origin: {path: 'api/v/Add.md', lines: [3, 9], licence: 'Apache-2.0'},
      headings: ['Add', '函数原型'],
    })
  })

  test('of one kind, the nearest sections come first', async () => {
    const rows = ['0', '1', '2', '3', '4', '5'].map((heading) =>
      docSection({page: 'Add', path: 'Add.md', heading, role: 'other'}),
    )
    const evidence = await evidenceOf(rows, (section) => section.headings.at(-1) === '3')
    expect(evidence.map(({headings}) => headings.at(-1))).toEqual(['2', '4', '1', '5', '0'])
  })

  test('of a thousand sections is read as far as the budget goes', async () => {
    const markdown = '一二三四五六七八九十'.repeat(10)
    const sections = Array.from({length: 300}, () => docSection({page: 'Ab', role: 'data-types', markdown}))
    const probe = await open(import.meta.filename)
    const reads = vi.spyOn(Object.getPrototypeOf(probe) as typeof probe, 'read')
    await probe.close()
    const {outputs} = await runStage(relate({ownCharacters: 250}), sections)
    expect(outputs.every(({evidence}) => evidence?.length === 2)).toBe(true)
    expect(reads.mock.calls.length).toBeLessThan(3 * 300)
    reads.mockRestore()
  })

  test('an example that only sends elsewhere is none', async () => {
    const pointer = docSection({page: 'Sub', path: 'api/v/Sub.md', role: 'example', markdown: '样例请参考Sub样例。'})
    const evidence = await evidenceOf([...api('Sub', 'api/v/Sub.md').slice(0, 3), pointer], of('Sub', 'function'))
    expect(brief(evidence)).toEqual(['same-page >Sub/prototype', 'same-page >Sub/constraints'])
  })
})

describe('the budget', () => {
  const long = '一二三四五六七八九十'.repeat(10)
  const page = [
    docSection({page: 'Ab', role: 'prototype', markdown: `${long}\n\n${long}`}),
    docSection({page: 'Ab', role: 'constraints', markdown: long}),
    docSection({page: 'Ab', role: 'example', markdown: `\`\`\`cpp\nF();\n\`\`\`\n\n${long}`}),
    docSection({page: 'Ab', role: 'function'}),
  ]

  test('takes whole blocks, and passes over what does not fit', async () => {
    const evidence = await evidenceOf(page, of('Ab', 'function'), {ownCharacters: 150, passageCharacters: 120})
    expect(evidence.map(({markdown}) => markdown)).toEqual([long, '```cpp\nF();\n```'])
  })

  test('takes no passage longer than allowed, however much is left', async () => {
    const evidence = await evidenceOf(page, of('Ab', 'function'), {ownCharacters: 5000, passageCharacters: 120})
    expect(evidence.map(({markdown}) => markdown.length)).toEqual([100, 100, 117])
  })

  test('is not exceeded', async () => {
    const evidence = await evidenceOf(page, of('Ab', 'function'), {ownCharacters: 330, passageCharacters: 1000})
    const lengths = evidence.map(({markdown}) => markdown.length)
    expect(lengths).toEqual([202, 100, 15])
  })

  test('is one for the own page and one for the others', async () => {
    const sections = [...page, docSection({page: 'Ab', path: 'x/A2.md', role: 'prototype'})]
    const other = docSection({page: 'Ab', path: 'x/A2.md', role: 'function', markdown: long})
    const evidence = await evidenceOf([...sections, other], of('Ab', 'function'), {
      ownCharacters: 20,
      otherCharacters: 100,
    })
    expect(brief(evidence)).toEqual(['same-page >Ab/example', 'same-name Ab>Ab/function'])
  })
})

describe('calls', () => {
  const user = (code: string) => api('User', 'api/v/基础/User.md', code)

  test('bring prototype, purpose, constraints and example of what is called', async () => {
    const sections = [...user('Load(a, b, 8);'), ...api('Load', 'api/v/基础/Load.md')]
    expect(fromOthers(await evidenceOf(sections, of('User', 'example')))).toEqual([
      'calls Load>Load/prototype',
      'calls Load>Load/constraints',
      'calls Load>Load/example',
      'calls Load>Load/function',
    ])
  })

  test('leave out what the code defines, what it calls on its own kernel, and comments', async () => {
    const code = 'void Load(int a) {}\nLoad(1);\nop.Store(2);\n// Fetch(3)'
    const names = ['Load', 'Store', 'Fetch']
    const sections = [...user(code), ...names.flatMap((name) => api(name, `api/v/基础/${name}.md`))]
    const evidence = await evidenceOf(sections, of('User', 'example'))
    expect(brief(evidence).filter((line) => line.startsWith('calls'))).toEqual([])
  })

  test('of three at most, the least common ones', async () => {
    const names = ['Aa', 'Bb', 'Cc', 'Dd']
    const apis = names.flatMap((name) => api(name, `api/v/基础/${name}.md`))
    const others = [1, 2].flatMap((number) => api(`Other${number}`, `api/v/基础/${number}.md`, 'Aa(1); Bb(1);'))
    const sections = [...user('Aa(1); Bb(1); Cc(1); Dd(1);'), ...apis, ...others]
    const called = (await evidenceOf(sections, of('User', 'example'))).filter(({why}) => why === 'calls')
    expect(new Set(called.map(({about}) => about))).toEqual(new Set(['Cc', 'Dd', 'Aa']))
  })

  test('of an overloaded name by the number of arguments; of none where nothing tells', async () => {
    const wide = docSection({
      page: 'Load（步长）',
      path: 'api/v/基础/L2.md',
      role: 'prototype',
      markdown: '```cpp\nvoid Load(int a, int b, int c, int stride, int gap = 0)\n```',
    })
    const narrow = api('Load（连续）', 'api/v/基础/L1.md')
    const pagesOf = async (code: string) => {
      const evidence = await evidenceOf([...user(code), ...narrow, wide], of('User', 'example'))
      return [...new Set(evidence.filter(({why}) => why === 'calls').map(({page}) => page))]
    }
    expect(await pagesOf('Load(1, 2, f(3, 4));')).toEqual(['Load（连续）'])
    expect(await pagesOf('Load(1, 2, 3, 4);')).toEqual(['Load（步长）'])
    expect(await pagesOf('Load(1, 2, 3, 4, 5);')).toEqual(['Load（步长）'])
    expect(await pagesOf('Load(1);')).toEqual([])
  })

  test('of a class only where the class is at hand', async () => {
    const queue = api('EnQue', 'api/x/y/资源/TQue/EnQue.md')
    const pagesOf = async (code: string) =>
      brief(await evidenceOf([...user(code), ...queue], of('User', 'example'))).filter((line) => /^calls/.test(line))
    expect(await pagesOf('inQueue.EnQue(a, b, 1);')).toEqual([])
    expect(await pagesOf('TQue<VECIN, 1> in;\nin.EnQue(a, b, 1);')).toContain('calls EnQue>EnQue/prototype')
  })

  test("of the page's example bear on its other sections where the names are akin", async () => {
    const folder = 'api/v/基础'
    const sections = [
      ...api('WaitIterate', `${folder}/W.md`, 'Iterate(1, 2, 3); LoadMatrix(1, 2, 3);'),
      ...['Iterate', 'LoadMatrix'].flatMap((name) => api(name, `${folder}/${name}.md`)),
      ...api('WaitIterateBatch', `${folder}/B.md`, 'IterateBatch(1, 2, 3); LoadMatrix(1, 2, 3);'),
      ...api('IterateBatch', `${folder}/IterateBatch.md`),
      docSection({page: 'WaitIterateBatch', path: `${folder}/B.md`, role: 'returns', markdown: '无返回值可用。'}),
    ]
    const calledBy = async (page: string, role: string) => {
      const evidence = await evidenceOf(sections, of(page, role))
      return [...new Set(evidence.filter(({why}) => why === 'calls').map(({about}) => about))]
    }
    expect(await calledBy('WaitIterateBatch', 'function')).toEqual(['IterateBatch'])
    expect(await calledBy('WaitIterateBatch', 'returns')).toEqual([])
    expect(await calledBy('WaitIterate', 'function')).toEqual([])
    expect(await calledBy('WaitIterate', 'example')).toEqual(['Iterate', 'LoadMatrix'])
  })

  test('are read in time that grows with the length of the listing', async () => {
    const hostile = ['a<'.repeat(30_000), '/*'.repeat(30_000), 'f('.repeat(30_000), `f${' '.repeat(60_000)}`]
    const sections = hostile.flatMap((code) => user(code))
    expect(fromOthers(await evidenceOf(sections, of('User', 'example')))).toEqual([])
  }, 20_000)

  test('of deprecated interfaces are passed over', async () => {
    const sections = [...user('Load(1, 2, 3);'), ...api('Load（废弃）', 'api/v/基础/Load.md')]
    expect(fromOthers(await evidenceOf(sections, of('User', 'example'))).join()).not.toContain('calls')
  })
})

describe('names and references', () => {
  test('a name in the text brings what it does and its constraints', async () => {
    const text = docSection({
      page: '指南',
      path: 'guide/g.md',
      role: 'other',
      markdown: '之后调用SetPad配置，注意Min。',
    })
    const sections = [text, ...api('SetPad', 'api/v/SetPad.md'), ...api('Min', 'api/v/Min.md')]
    expect(fromOthers(await evidenceOf(sections, of('指南', 'other')))).toEqual([
      'names SetPad>SetPad/function',
      'names SetPad>SetPad/constraints',
    ])
  })

  test('a reference brings the section of that heading, the one above where several have it', async () => {
    const deep = {heading: '通用地址重叠约束', role: 'other' as const}
    const sections = [
      docSection({page: 'C规则', path: 'api/c/规则.md', ...deep}),
      overlap,
      docSection({page: 'Add', path: 'api/v/Add.md', role: 'constraints', markdown: '请参考通用地址重叠约束。'}),
    ]
    const [only] = await evidenceOf(sections, of('Add', 'constraints'))
    expect(only).toMatchObject({why: 'names', about: '通用地址重叠约束', origin: {path: rules}})
  })

  test('a heading that pages elsewhere share is no reference', async () => {
    const sections = [
      docSection({page: 'X', path: 'x/1/a.md', heading: '更多样例', role: 'other'}),
      docSection({page: 'Y', path: 'x/2/b.md', heading: '更多样例', role: 'other'}),
      docSection({page: 'Add', path: 'api/v/Add.md', role: 'constraints', markdown: '请参考更多样例。'}),
    ]
    expect((await evidenceOf(sections, of('Add', 'constraints'))).filter(({why}) => why === 'names')).toEqual([])
  })
})

describe('rules', () => {
  const leaning = (markdown: string) => docSection({page: 'Add', path: 'api/v/Add.md', role: 'constraints', markdown})

  test('are explained by the section that holds for the page', async () => {
    const elsewhere = docSection({page: '约束', path: 'api/c/约束.md', heading: '地址对齐约束', role: 'other'})
    const found = await evidenceOf([elsewhere, alignment, leaning('地址32字节对齐。')], of('Add', 'constraints'))
    expect(found.map(({why, about, origin}) => [why, about, origin.path])).toEqual([['constraint', '对齐', rules]])
  })

  test('are rather taken from above than from nearby', async () => {
    const rule = (path: string) => docSection({page: '约束', path, heading: '地址对齐约束', role: 'other'})
    const add = docSection({page: 'Add', path: 'a/b/c/d/Add.md', role: 'constraints', markdown: '地址32字节对齐。'})
    const found = await evidenceOf([rule('a/b/c/x/规则.md'), rule('a/b/规则.md'), add], of('Add', 'constraints'))
    expect(found.map(({origin}) => origin.path)).toEqual(['a/b/规则.md'])
  })

  test('of another layer of the API do not hold', async () => {
    const elsewhere = docSection({page: '约束', path: 'api/c/约束.md', heading: '地址对齐约束', role: 'other'})
    const found = await evidenceOf([elsewhere, leaning('地址32字节对齐。')], of('Add', 'constraints'))
    expect(found.filter(({why}) => why === 'constraint')).toEqual([])
  })

  test('a list of interfaces explains none', async () => {
    const list = docSection({page: '接口列表', path: 'api/列表.md', heading: '掩码操作', role: 'other'})
    const found = await evidenceOf([list, leaning('由mask决定。')], of('Add', 'constraints'))
    expect(found.filter(({why}) => why === 'constraint')).toEqual([])
  })

  test('in English too', async () => {
    const guide = docSection({
      page: 'Rules',
      path: 'rules.md',
      heading: 'Address alignment',
      role: 'other',
      language: 'en',
    })
    const text = docSection({page: 'Add', role: 'constraints', language: 'en', markdown: 'It must be 32-byte aligned.'})
    expect(fromOthers(await evidenceOf([guide, text], of('Add', 'constraints')))).toEqual([
      'constraint aligned>Rules/other',
    ])
  })
})

describe('where no other page is linked', () => {
  const text = '将非对齐的尾块补零后再搬运回外部存储。'

  test('the most alike sections are taken', async () => {
    const sections = [
      docSection({page: '一', path: '1.md', role: 'other', markdown: text}),
      docSection({page: '二', path: '2.md', role: 'other', markdown: `${text}随后同步。`}),
      docSection({page: '三', path: '3.md', role: 'other', markdown: '编译选项说明。'}),
    ]
    expect(brief(await evidenceOf(sections, of('一', 'other')))).toEqual(['similar >二/other'])
  })

  test('nothing is looked for beside a table of supported products', async () => {
    const sections = ['1', '2'].map((path) =>
      docSection({page: path, path, role: 'support', markdown: '训练系列产品：支持通用地址对齐约束。'}),
    )
    expect(await evidenceOf([alignment, ...sections], of('1', 'support'))).toEqual([])
  })
})

test('waiting files do not stay', async () => {
  const {mkdtempSync, readdirSync, rmSync} = await import('node:fs')
  const {tmpdir} = await import('node:os')
  const {join} = await import('node:path')
  const directory = mkdtempSync(join(tmpdir(), 'ascend-cot-relate-'))
  const context = {directory} as Parameters<ReturnType<typeof relate>['run']>[1]
  async function* sections() {
    yield* api('Add', 'api/v/Add.md')
  }
  for await (const _ of relate().run(sections(), context)) expect(readdirSync(directory)).not.toEqual([])
  expect(readdirSync(directory)).toEqual([])
  rmSync(directory, {recursive: true})
})
