import {expect, test} from 'vitest'
import {namesIn, partsOf, wordCutter} from '../../../pipelines/documentation/search-words.ts'

test('names, and the words that they are made of', () => {
  expect(namesIn('AscendC::DataCopyPad和a，b1')).toEqual(['AscendC', 'DataCopyPad', 'b1'])
  expect(partsOf('SoftmaxFlashV2')).toEqual(['softmax', 'flash', 'v2'])
  expect(partsOf('data_copy_2d')).toEqual(['data', 'copy'])
  expect([partsOf('Move'), partsOf('UBSize'), partsOf('aB')]).toEqual([[], ['ub', 'size'], []])
  expect(wordCutter()('DataCopy对齐')).toEqual(['datacopy', '对齐'])
})
