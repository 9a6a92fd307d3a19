import {beforeAll, describe, expect, test} from 'vitest'
import type {DocSection, Evidence, ReferencedSample} from '../../../datasets/schema/document.ts'
import documentationCot from '../../../pipelines/documentation/cot.ts'
import {findUngrounded} from '../../../pipelines/documentation/ground.ts'
import {shareRepeated} from '../../../pipelines/documentation/overlap.ts'
import segment from '../../../pipelines/documentation/segment.ts'
import documentationPages from '../../../sources/docs/pages.ts'
import {replayModel} from '../../helpers/replay-llm.ts'
import {runStage} from '../../helpers/run-stage.ts'

const section: DocSection = {
  origin: {repository: 'r', revision: 'v', path: 'p.html', licence: 'Apache-2.0'},
  page: 'Add',
  language: 'zh',
  headings: ['Add', '约束说明'],
  role: 'constraints',
  markdown: '- 操作数的起始地址必须32字节对齐。',
  context: '## 功能说明\n\n把两个源操作数按元素相加。',
}
const passage = {
  origin: {...section.origin, path: 'muls.html', lines: [4, 6] as [number, number]},
  role: 'function' as const,
}
const asked = (question: string) => ({text: `<question>${question}</question>`})
const cot = () => documentationCot()

describe('documentationCot with a model', () => {
  test('asks for a question, then for its answer, and keeps the reference', async () => {
    const llm = replayModel([
      asked('Add的地址怎样对齐？'),
      {text: '<think>先看UB的访问粒度。</think>\n<answer>32字节对齐。</answer>', model: 'teacher-1'},
    ])
    const {outputs, dropped} = await runStage(cot(), [section], {llm})
    expect(dropped).toEqual([])
    expect(outputs[0]!.sample).toMatchObject({
      prompt: 'Add的地址怎样对齐？',
      reasoning: '先看UB的访问粒度。',
      answer: '32字节对齐。',
      teacher: {kind: 'model', model: 'teacher-1'},
      files: [],
    })
    expect(outputs[0]!.reference).toContain('把两个源操作数按元素相加')
    expect(llm.requests.map(({messages}) => messages[0]!.content.includes('把两个源操作数按元素相加'))).toEqual([
      false,
      true,
    ])
  })

  test('asks on all points of a section, each question once, and keeps what is well answered', async () => {
    const llm = replayModel([
      {text: '<question>一？</question>\n<question>二？</question><question>一？</question><question>三？</question>'},
      {text: '<think>先想一。</think><answer>甲。</answer>'},
      {text: '<answer>没有思考。</answer>'},
      {text: '<think>再想三。</think><answer>丙。</answer>'},
    ])
    const {outputs, dropped} = await runStage(cot(), [section], {llm})
    expect(outputs.map(({sample}) => [sample.prompt, sample.answer])).toEqual([
      ['一？', '甲。'],
      ['三？', '丙。'],
    ])
    expect(dropped.map(({reason}) => reason)).toEqual(['reply-without-reasoning'])
    expect(llm.requests).toHaveLength(4)
  })

  test('asks for no more questions than it is allowed', async () => {
    const llm = replayModel([
      {text: '<question>一？</question><question>二？</question>'},
      {text: '<think>先想一。</think><answer>甲。</answer>'},
    ])
    const {outputs} = await runStage(documentationCot({mostQuestions: 1}), [section], {llm})
    expect(outputs).toHaveLength(1)
    expect(llm.requests[0]!.messages[0]!.content).toContain('between 1 and 1 questions')
  })

  test('writes each section once in each language that is wanted', async () => {
    const llm = replayModel(
      ['问？', 'Why?'].flatMap((question) => [
        {text: `<question>${question}</question>`},
        {text: `<think>先想${question}</think><answer>答。</answer>`},
      ]),
    )
    const stage = documentationCot({languages: ['page', 'zh', 'en'], concurrency: 1})
    const {outputs} = await runStage(stage, [section], {llm})
    expect(outputs.map(({sample}) => sample.language).sort()).toEqual(['en', 'zh'])
    expect(llm.requests.map(({messages}) => /in (Chinese|English)/.exec(messages[0]!.content)![1]).sort()).toEqual([
      'Chinese',
      'Chinese',
      'English',
      'English',
    ])
  })

  test('takes the reasoning that the endpoint has split off', async () => {
    const {outputs} = await runStage(cot(), [section], {
      llm: replayModel([asked('问？'), {text: '<answer>答。</answer>', reasoning: '想。'}]),
    })
    expect(outputs[0]!.sample.reasoning).toBe('想。')
  })

  test('prefers the thinking that was written for a reader', async () => {
    const {outputs} = await runStage(cot(), [section], {
      llm: replayModel([asked('问？'), {text: '<think>写出的。</think><answer>答。</answer>', reasoning: '内部的。'}]),
    })
    expect(outputs[0]!.sample.reasoning).toBe('写出的。')
  })

  const evidence: Evidence[] = [
    {...passage, why: 'same-page', about: '', page: 'Add', headings: ['Add', '功能说明'], markdown: '按元素求和。'},
    {...passage, why: 'calls', about: 'Muls', page: 'Muls', headings: ['Muls'], markdown: 'Muls乘以标量。'},
  ]

  test('shows the evidence, with the page of each passage, to the writer and to the check', async () => {
    const llm = replayModel([asked('问？'), {text: '<think>想。</think><answer>答。</answer>'}])
    const {outputs} = await runStage(cot(), [{...section, evidence}], {llm})
    const shown = llm.requests[1]!.messages[0]!.content
    expect(shown).toContain('## Add / 功能说明\n\n按元素求和。\n\n## Muls\n\nMuls乘以标量。')
    // The rest of the page would come twice.
    expect(shown).not.toContain(section.context)
    expect(outputs[0]!.reference).toContain('Muls乘以标量。')
    expect(outputs[0]!.reference).toContain(section.context)
  })

  test('names where its evidence stands', async () => {
    const replies = () => replayModel([asked('问？'), {text: '<think>想。</think><answer>答。</answer>'}])
    const {outputs} = await runStage(cot(), [{...section, evidence}], {llm: replies()})
    expect(outputs[0]!.sample.evidence).toEqual([passage.origin, passage.origin])
    const without = await runStage(cot(), [section], {llm: replies()})
    expect(without.outputs[0]!.sample).not.toHaveProperty('evidence')
  })

  test.each([
    ['reply-empty', [{text: ' '}]],
    ['reply-cut-off', [{text: '<question>问', finishReason: 'length'}]],
    ['question-malformed', [{text: '问题是什么？'}]],
    ['question-malformed', [{text: '<question>一</question><question><b>二</b></question>'}]],
    ['question-malformed', [{text: '<question> </question>'}]],
    ['reply-empty', [asked('问？'), {text: ''}]],
    ['reply-cut-off', [asked('问？'), {text: '<think>想', finishReason: 'length'}]],
    ['reply-without-reasoning', [asked('问？'), {text: '<answer>答。</answer>'}]],
    ['reply-without-reasoning', [asked('问？'), {text: '<think> </think><answer>答。</answer>'}]],
    ['reply-without-answer', [asked('问？'), {text: '<think>想。</think>答。'}]],
    ['reply-malformed', [asked('问？'), {text: '<think>想。<answer>答。</answer>'}]],
    ['reply-malformed', [asked('问？'), {text: '<answer>答。</answer><think>想。</think>'}]],
    ['reply-malformed', [asked('问？'), {text: '<think>想。</think><answer>答。</answer><answer>又答。</answer>'}]],
  ])('drops as %s', async (reason, replies) => {
    const llm = replayModel(replies)
    const {outputs, dropped} = await runStage(cot(), [section], {llm})
    expect(outputs).toEqual([])
    expect(dropped.map((drop) => drop.reason)).toEqual([reason])
    expect(llm.requests.length).toBe(replies.length)
  })
})

describe('documentationCot offline, on the starter pages', () => {
  let sections: DocSection[]
  let samples: ReferencedSample[]
  beforeAll(async () => {
    const pages = await runStage(documentationPages(), [
      {root: 'sources/starter/docs', repository: 'ascend-cot/starter', revision: '1', licence: 'Apache-2.0'},
    ])
    sections = (await runStage(segment(), pages.outputs)).outputs
    samples = (await runStage(cot(), sections)).outputs
  })
  const find = (text: string) => samples.filter(({sample}) => sample.prompt.includes(text)).map(({sample}) => sample)

  test('is called offline and asks of every page', () => {
    expect(new Set(samples.map(({sample}) => sample.teacher.kind))).toEqual(new Set(['offline']))
    expect(new Set(samples.map(({sample}) => sample.origin.path)).size).toBe(16)
    expect(samples.length).toBeGreaterThan(70)
  })

  test('tells questions on an interface from those on a guide', () => {
    const of = (path: string) =>
      new Set(samples.filter(({sample}) => sample.origin.path === path).map((row) => row.sample.qa))
    expect(of('add.html')).toEqual(new Set(['api-call']))
    expect(of('memory-hierarchy.html')).toEqual(new Set(['basic-knowledge']))
  })

  test('gives the same words for the same seed and others for another', async () => {
    expect((await runStage(cot(), sections)).outputs).toEqual(samples)
    const other = (await runStage(cot(), sections, {seed: 'other'})).outputs
    expect(other.map(({sample}) => sample.prompt)).not.toEqual(samples.map(({sample}) => sample.prompt))
  })

  test('asks no question twice', () => {
    const prompts = samples.map(({sample}) => sample.prompt)
    expect(new Set(prompts).size).toBe(prompts.length)
  })

  test('is borne out by its own pages', () => {
    expect(
      samples.map(({sample, reference}) => findUngrounded(sample.prompt, sample.answer, reference)).filter(Boolean),
    ).toEqual([])
  })

  test('names its subject, points nowhere and carries no mark-up', () => {
    for (const {sample} of samples) {
      const text = `${sample.prompt}\n${sample.reasoning}\n${sample.answer}`
      expect(text, sample.prompt).not.toMatch(/见表|如下[：:]|<td|<br|undefined|。。|\n\n\n|\[object/)
      expect(sample.reasoning.length, sample.prompt).toBeGreaterThan(12)
    }
  })

  test('writes in the language of the page', () => {
    for (const {sample} of samples) {
      expect(/\p{Script=Han}/u.test(sample.prompt), sample.prompt).toBe(sample.language === 'zh')
    }
  })

  test('never copies a page', () => {
    for (const {sample, reference} of samples.filter(({sample}) => sample.origin.path !== 'tque.html')) {
      expect(sample.answer.length / reference.length, sample.prompt).toBeLessThan(0.75)
    }
  })

  test('answers what every argument is from the table and from the prototype', () => {
    const sample = find('Add').find(({origin, prompt}) => origin.path === 'add.html' && prompt.includes('种调用形式'))!
    expect(sample.answer).toContain('一次迭代处理256字节，取值范围是[0, 255]')
    expect(sample.reasoning).toContain('元素类型都是T，所以必须相同；T可以从实参推导，不必写')
  })

  test('decides whether planned values hold by comparing and computing', () => {
    const items = samples
      .filter(({sample}) => /这样调用|，可以吗|Atlas A2 training products/.test(sample.prompt))
      .flatMap(({sample}) => sample.answer.split('\n').filter((line) => line.startsWith('- ')))
    const ranged = items.flatMap(
      (line) => /^- (\w+)(?:取| = )(\d+)[：:] ?(\S+?)[，,].*\[(\d+), (\d+)\]/.exec(line) ?? [],
    )
    expect(ranged.length).toBeGreaterThan(3 * 6)
    for (let at = 0; at < ranged.length; at += 6) {
      const [value, low, high] = [ranged[at + 2], ranged[at + 4], ranged[at + 5]].map(Number) as [
        number,
        number,
        number,
      ]
      expect(/^(?:可以|right)$/.test(ranged[at + 3]!), ranged[at]).toBe(value >= low && value <= high)
    }
    const amounts = items.flatMap(
      (line) => /^- (\d+)个(\w+)：(可以|不可以)，.*?(\d+)的整数倍/.exec(line)?.slice(1) ?? [],
    )
    expect(amounts.length).toBeGreaterThan(0)
    for (let at = 0; at < amounts.length; at += 4)
      expect(amounts[at + 2]).toBe(Number(amounts[at]) % Number(amounts[at + 3]) === 0 ? '可以' : '不可以')
  })

  test('maps the arguments of a call to the parameters', () => {
    const sample = find('Duplicate').find(({answer}) => answer.includes('```cpp\nhalf one'))!
    expect(sample.answer).toContain('`1024` is count: number of elements to fill')
    expect(sample.reasoning).toContain('1024 elements of half are 2048 bytes.')
  })

  test('tells forms of a call apart by what only one of them has', () => {
    const sample = find('Ascend C的Add有')[0]!
    expect(sample.reasoning).toContain('mask是`uint64_t[]`')
    expect(sample.reasoning).toContain('mask是`uint64_t`')
  })

  test('says no to a type that is not listed', () => {
    const typed = samples.filter(({sample}) => /元素类型用\w+/.test(sample.prompt))
    expect(typed.length).toBeGreaterThan(0)
    for (const {sample} of typed) {
      const dtype = /元素类型用(\w+)/.exec(sample.prompt)![1]!
      const [, verdict, types] = /元素类型\w+：(可以|不可以)，(?:支持的是|要从)([^\n里]*)/.exec(sample.answer)!
      expect(verdict, sample.prompt).toBe(types!.split('、').includes(dtype) ? '可以' : '不可以')
    }
  })

  test('reasons towards an answer instead of saying it twice', () => {
    const shares = samples.map(({sample}) => shareRepeated(sample.answer, sample.reasoning))
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeLessThan(0.05)
  })

  test('has nothing to ask of a support table', async () => {
    const {dropped} = await runStage(cot(), sections.filter(({role}) => role === 'support').slice(0, 1))
    expect(dropped.map(({reason}) => reason)).toEqual(['not-asked-by-role'])
  })
})
