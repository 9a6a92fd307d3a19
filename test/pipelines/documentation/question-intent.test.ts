import {expect, test} from 'vitest'
import {roleFitOf, subjectOfQuestion} from '../../../pipelines/documentation/question-intent.ts'
import {inChinese, namesIn, partsOf, wordCutter} from '../../../pipelines/documentation/search-words.ts'

test.each([
  ['Move的约束', {constraints: 6}],
  ['Move的返回值有哪些约束', {returns: 6, constraints: 3.5}],
  ['Move有哪些约束，返回什么', {constraints: 6, returns: 3.5}],
  ['Move必须对齐', {constraints: 2.5}],
  ['Move怎么设置，得到什么', {parameters: 2.5, returns: 2.5}],
  ['Move的作用', {function: 6}],
  ['必须对齐的作用', {constraints: 2.5, function: 2.5}],
  ['Move的约束的作用', {constraints: 6}],
  ['Move支持half吗', {'data-types': 6}],
  ['what does Move return', {returns: 6}],
  ['which API moves data', {function: 6}],
  ['用哪个头文件', {headers: 6}],
  ['在哪条流水', {pipe: 6}],
  ['哪些产品支持', {support: 6}],
  ['函数原型', {prototype: 6}],
  ['给个示例', {example: 6}],
  ['Move', {}],
])('%s wants %j', (question, fit) => {
  expect(roleFitOf(question)).toEqual({support: 0.3, ...fit})
})

test('the subject of a question is what is left of it', () => {
  expect(subjectOfQuestion('请介绍DataCopy的约束').replace(/\s/g, '')).toBe('DataCopy的')
  expect(subjectOfQuestion('怎么使用')).toBe('怎么使用')
  expect(subjectOfQuestion('what is a')).toBe('what is a')
  expect(subjectOfQuestion('what is ab').trim()).toBe('ab')
})

test('names, and the words that they are made of', () => {
  expect(namesIn('AscendC::DataCopyPad和a，b1')).toEqual(['AscendC', 'DataCopyPad', 'b1'])
  expect(partsOf('SoftmaxFlashV2')).toEqual(['softmax', 'flash', 'v2'])
  expect(partsOf('data_copy_2d')).toEqual(['data', 'copy'])
  expect([partsOf('Move'), partsOf('UBSize'), partsOf('aB')]).toEqual([[], ['ub', 'size'], []])
  expect(inChinese(['aligned', 'moving', 'launch', 'kernel', 'kernelx', 'other'])).toEqual([
    '对齐',
    '搬运',
    '调用',
    '核函数',
    '核函数',
  ])
  expect(wordCutter()('DataCopy对齐')).toEqual(['datacopy', '对齐'])
})
