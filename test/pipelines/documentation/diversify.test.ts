import {describe, expect, test} from 'vitest'
import type {ReferencedSample} from '../../../datasets/schema/document.ts'
import diversify from '../../../pipelines/documentation/diversify.ts'
import {longestQuotation, shareRepeated} from '../../../pipelines/documentation/overlap.ts'
import {skeletonOf} from '../../../pipelines/documentation/skeleton.ts'
import {runStage} from '../../helpers/run-stage.ts'

const sampleOf = (prompt: string, answer: string): ReferencedSample => ({
  sample: {
    kind: 'documentation',
    prompt,
    reasoning: '想。',
    answer,
    files: [],
    language: 'zh',
    origin: {repository: 'r', revision: 'v', path: 'p.html', licence: 'Apache-2.0'},
    teacher: {kind: 'offline'},
    stages: {},
  },
  reference: '页面',
})
const many = Array.from({length: 40}, (_, index) => sampleOf(`Move${index}有什么作用？`, `答${index}`))
const few = Array.from({length: 10}, (_, index) => sampleOf(`为什么Move${index}要先同步？`, `因${index}`))

describe('a pattern of questions', () => {
  test.each([
    ['Add_1有什么作用？', 'DataCopyPad有什么作用？', ''],
    ['repeatTime取300可以吗？', 'blockCount取17可以吗？', ''],
    ['需要把两个张量相加，用哪个接口？', '需要求每行的最大值，用哪个接口？', '把两个张量相加。求每行的最大值。'],
    ['说明“数据搬运”的要点。', '说明“同步”的要点。', ''],
    [
      'How is the sum of a row taken by a call?',
      'How is the mean of all values taken by a call?',
      'the sum of a row; the mean of all values',
    ],
  ])('is what is left without names, numbers and the words of the page: %s', (one, other, reference) => {
    expect(skeletonOf(one, reference)).toBe(skeletonOf(other, reference))
    expect(skeletonOf(one, reference)).not.toBe(skeletonOf('别的问题是什么？', reference))
  })

  test('is kept up to its share of all, and a rare one whole', async () => {
    const {outputs, dropped} = await runStage(diversify({mostShare: 0.3, atLeast: 2}), [...many, ...few])
    expect(outputs.filter(({sample}) => sample.prompt.startsWith('Move'))).toHaveLength(15)
    expect(outputs.filter(({sample}) => sample.prompt.startsWith('为什么'))).toHaveLength(10)
    expect(dropped.map(({reason}) => reason)).toEqual(Array.from({length: 25}, () => 'question-pattern-too-common'))
  })

  test('is drawn by the seed, in the order of the input', async () => {
    const kept = async (seed: string) =>
      (await runStage(diversify({mostShare: 0.1, atLeast: 2}), many, {seed})).outputs.map(({sample}) => sample.prompt)
    expect(await kept('a')).toEqual(await kept('a'))
    expect(await kept('a')).not.toEqual(await kept('b'))
    const order = (await kept('a')).map((prompt) => Number(/\d+/.exec(prompt)![0]))
    expect(order).toEqual([...order].sort((a, b) => a - b))
  })

  test('is kept beyond its share where it is all that a page has', async () => {
    const onOwnPages = many.map((each, page) => ({
      ...each,
      sample: {...each.sample, origin: {...each.sample.origin, path: `${page % 20}.html`}},
    }))
    const {outputs} = await runStage(diversify({mostShare: 0.05, atLeast: 2}), onOwnPages)
    expect(new Set(outputs.map(({sample}) => sample.origin.path)).size).toBe(20)
    expect(outputs).toHaveLength(20)
  })

  test('is kept a few times in a small set', async () => {
    expect((await runStage(diversify(), many.slice(0, 9))).outputs).toHaveLength(8)
  })
})

describe('what two texts share', () => {
  test.each([
    ['一二三四五六七八九十', '一二三四五六七八九十', 1],
    ['一二三四五六七八九十', '一二三四五六', 1 / 3],
    ['```cpp\n一二三四五六七八九十\n```', '一二三四五六七八九十', 0],
    ['一二三', '一二三', 0],
  ])('is counted in runs of five words: %s', (text, other, share) => {
    expect(shareRepeated(text, other)).toBeCloseTo(share)
  })

  test.each([
    ['先想一下，甲乙丙丁戊己庚，再往下。', '页上写着：甲乙丙丁戊己庚。', 7],
    ['甲乙丙丁。', '甲乙丙丁。', 0],
    ['甲乙丙丁戊 x 己庚辛壬癸', '甲乙丙丁戊。己庚辛壬癸。', 5],
  ])('is quoted as far as it goes on: %s', (text, reference, words) => {
    expect(longestQuotation(text, reference)).toBe(words)
  })
})
