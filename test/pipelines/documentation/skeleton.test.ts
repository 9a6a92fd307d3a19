import {expect, test} from 'vitest'
import {skeletonOf} from '../../../pipelines/documentation/skeleton.ts'

const page = 'The unified buffer holds all operands. 目的操作数和源操作数'

test.each([
  ['We say: The unified buffer works.', 'We say: … works .'],
  ['We say that the buffer works.', 'We say that the buffer works .'],
  ['We say that unified buffer holds all operands', 'We say that …'],
  ['它是目的操作数。', '它是 … 。'],
  ['它是操作数。', '它是操作数 。'],
  ['它是源操作数。', '它是 … 。'],
  ['Take LocalTensor or 32 of x_1 and Ns::Add here', 'Take … or … of … and … here'],
  ['He says "anything at all" there', 'He says … there'],
])('%s', (text, expected) => {
  expect(skeletonOf(text, page)).toBe(expected)
})
