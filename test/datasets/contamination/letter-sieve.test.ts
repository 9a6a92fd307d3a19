import {describe, expect, test} from 'vitest'
import {LetterSieve} from '../../../datasets/contamination/letter-sieve.ts'
import {words} from '../../../datasets/contamination/normalize.ts'

const known = [
  'For every row the operator takes the mean of the absolute differences between prediction and target.',
  '对输入张量的每一行计算预测值与目标值之差的绝对值的平均值，并把结果写入输出张量的对应位置。',
  'ＦＰ１６ 输入经 Cast 转成 float32，再做 ReduceSum，K=1024 时分 4 次搬运，每次 256 个元素。',
]

function sieveOf(text: string, length: number): LetterSieve {
  const sieve = new LetterSieve()
  sieve.add(words(text), length, () => true)
  return sieve
}

describe('a text with a run of known words passes', () => {
  test.each(known)('wherever the run begins in it: %s', (text) => {
    const all = words(text)
    for (const length of [8, 13]) {
      const sieve = sieveOf(text, length)
      for (let start = 0; start + length <= all.length; start += 1) {
        const run = all.slice(start, start + length)
        // Between Chinese words stand no spaces.
        for (const space of [' ', /\p{Script=Han}/u.test(text) ? '' : ', ', '。\n'])
          expect(sieve.mayHave(`某处写道：${run.join(space).toUpperCase()}! (1)`), run.join(space)).toBe(true)
      }
    }
  })

  test('though it is written in full width, or its letters lie beyond 16 bits', () => {
    expect(
      sieveOf('one two three four five six seven eight', 8).mayHave('ｏｎｅ ｔｗｏ three four five six seven eight'),
    ).toBe(true)
    const rare = '𠀀 𠀁 𠀂 𠀃 𠀄 𠀅 𠀆 𠀇'
    expect(sieveOf(rare, 8).mayHave(rare)).toBe(true)
  })
})

test('other words do not pass, and neither do those that are not wanted', () => {
  const [english = '', chinese = ''] = known
  const sieve = new LetterSieve()
  for (const text of known) sieve.add(words(text), 13, () => true)
  expect(sieve.mayHave('Rows are independent of each other, and their number need not be a multiple.')).toBe(false)
  expect(sieve.mayHave('各行互不相关，行数不必是核数的整数倍，末尾的块单独处理。')).toBe(false)
  // Half a run is none.
  expect(sieve.mayHave(english.slice(0, 20))).toBe(false)
  const none = new LetterSieve()
  none.add(words(chinese), 13, () => false)
  expect(none.mayHave(chinese)).toBe(false)
})
