import {describe, expect, test} from 'vitest'
import type {DocSection, Evidence} from '../../../datasets/schema/document.ts'
import documentationCot from '../../../pipelines/documentation/cot.ts'
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
// Two steps with a number each, and a number that no question here has.
const thought = '块为32字节。half占2字节，所以是16个。'
const answered = '16个元素。'

describe('documentationCot with a model', () => {
  test('asks for a question, then for its answer, and keeps the reference', async () => {
    const llm = replayModel([
      asked('Add的地址怎样对齐？'),
      {text: `<think>${thought}</think>\n<answer>${answered}</answer>`, model: 'teacher-1'},
    ])
    const {outputs, dropped} = await runStage(cot(), [section], {llm})
    expect(dropped).toEqual([])
    expect(outputs[0]!.sample).toMatchObject({
      prompt: 'Add的地址怎样对齐？',
      reasoning: thought,
      answer: answered,
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
      {text: `<think>先想一。${thought}</think><answer>甲16。</answer>`},
      {text: '<answer>没有思考。</answer>'},
      {text: `<think>再想三。${thought}</think><answer>丙16。</answer>`},
    ])
    const {outputs, dropped} = await runStage(cot(), [section], {llm})
    expect(outputs.map(({sample}) => [sample.prompt, sample.answer])).toEqual([
      ['一？', '甲16。'],
      ['三？', '丙16。'],
    ])
    expect(dropped.map(({reason}) => reason)).toEqual(['reply-without-reasoning'])
    expect(llm.requests).toHaveLength(4)
  })

  test('asks for no more questions than it is allowed', async () => {
    const llm = replayModel([
      {text: '<question>一？</question><question>二？</question>'},
      {text: `<think>先想一。${thought}</think><answer>甲16。</answer>`},
    ])
    const {outputs} = await runStage(documentationCot({mostQuestions: 1}), [section], {llm})
    expect(outputs).toHaveLength(1)
    expect(llm.requests[0]!.messages[0]!.content).toContain('between 1 and 1 questions')
  })

  test('writes each section once in each language that is wanted', async () => {
    const llm = replayModel(
      ['问？', 'Why?'].flatMap((question) => [
        {text: `<question>${question}</question>`},
        {text: `<think>先想${question}${thought}</think><answer>${answered}</answer>`},
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
      llm: replayModel([asked('问？'), {text: `<answer>${answered}</answer>`, reasoning: thought}]),
    })
    expect(outputs[0]!.sample.reasoning).toBe(thought)
  })

  test('prefers the thinking that was written for a reader', async () => {
    const {outputs} = await runStage(cot(), [section], {
      llm: replayModel([
        asked('问？'),
        {text: `<think>${thought}</think><answer>${answered}</answer>`, reasoning: '内部的。'},
      ]),
    })
    expect(outputs[0]!.sample.reasoning).toBe(thought)
  })

  const evidence: Evidence[] = [
    {...passage, why: 'same-page', about: '', page: 'Add', headings: ['Add', '功能说明'], markdown: '按元素求和。'},
    {...passage, why: 'calls', about: 'Muls', page: 'Muls', headings: ['Muls'], markdown: 'Muls乘以标量。'},
  ]

  test('shows the evidence, with the page of each passage, to the writer and to the check', async () => {
    const llm = replayModel([asked('问？'), {text: `<think>${thought}</think><answer>${answered}</answer>`}])
    const {outputs} = await runStage(cot(), [{...section, evidence}], {llm})
    const shown = llm.requests[1]!.messages[0]!.content
    expect(shown).toContain('## Add / 功能说明\n\n按元素求和。\n\n## Muls\n\nMuls乘以标量。')
    // The rest of the page would come twice.
    expect(shown).not.toContain(section.context)
    expect(outputs[0]!.reference).toContain('Muls乘以标量。')
    expect(outputs[0]!.reference).toContain(section.context)
  })

  test('names where its evidence stands', async () => {
    const replies = () => replayModel([asked('问？'), {text: `<think>${thought}</think><answer>${answered}</answer>`}])
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

test('without a model nothing is read', async () => {
  await expect(runStage(cot(), [section])).rejects.toMatchObject({code: 'teacher-missing'})
})

test('tells questions on an interface from those on a guide', async () => {
  const replies = () => [asked('问？'), {text: `<think>${thought}</think><answer>${answered}</answer>`}]
  const prototype = '## 函数原型\n\n```cpp\nvoid Add(const LocalTensor<T>& dst, int32_t count);\n```'
  const onInterface = await runStage(cot(), [{...section, context: prototype}], {llm: replayModel(replies())})
  expect(onInterface.outputs[0]!.sample.qa).toBe('api-call')
  const onGuide = await runStage(cot(), [{...section, page: '对齐'}], {llm: replayModel(replies())})
  expect(onGuide.outputs[0]!.sample.qa).toBe('basic-knowledge')
})

test('drops what derives nothing', async () => {
  const llm = replayModel([asked('问？'), {text: '<think>想。</think><answer>答。</answer>'}])
  const {outputs, dropped} = await runStage(cot(), [section], {llm})
  expect(outputs).toEqual([])
  expect(dropped.map(({reason}) => reason)).toEqual(['hollow'])
})
