import {expect, test} from 'vitest'
import {topicCode as inChinese} from '../../../../pipelines/documentation/offline/chinese/chinese-code.ts'
import {topicCode as inEnglish} from '../../../../pipelines/documentation/offline/english/english-code.ts'
import type {TopicCodeAsk} from '../../../../pipelines/documentation/offline/kinds/topic-ask.ts'

const ask = (apis: string[], because: string[]): TopicCodeAsk => ({
  ...{kind: 'topic-code', page: 'Tuning', heading: 'Copies', example: {lead: '', code: 'f();'}, called: [], points: []},
  ...{apis, because},
})

// One interface is the listing's own name in the question already.
test.each([
  [['DataCopy'], ['Bandwidth is low'], 'Bandwidth is low。', 'Bandwidth is low.'],
  [
    ['DataCopy', 'Adds'],
    ['Bandwidth is low'],
    'Bandwidth is low。\n用到的接口有DataCopy、Adds。',
    'Bandwidth is low.\nThe code calls DataCopy and Adds.',
  ],
  [['DataCopy', 'Adds'], [], '', ''],
  [['EnQue'], [], 'EnQue把张量交给下一个任务。', 'EnQue hands a tensor to the next stage.'],
  [
    ['EnQue', 'FreeTensor'],
    [],
    'EnQue把张量交给下一个任务；FreeTensor归还内存。\n用到的接口有EnQue、FreeTensor。',
    'EnQue hands a tensor to the next stage; FreeTensor gives the block back.\nThe code calls EnQue and FreeTensor.',
  ],
])('code with %j is thought of by what it stands on, and by its interfaces where there are several', (...row) => {
  const [apis, because, chinese, english] = row
  expect(inChinese(ask(apis, because)).reasoning).toBe(chinese)
  expect(inEnglish(ask(apis, because)).reasoning).toBe(english)
})
