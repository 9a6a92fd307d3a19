import {describe, expect, test} from 'vitest'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import {randomFrom} from '../../../engine/random.ts'
import {mutate, mutationFamilies} from '../../../pipelines/preference/mutations.ts'

const [task] = await loadTasks({root: 'test/fixtures/tasks'}, () => [])
const answer = task?.answer ?? []
const all = mutationFamilies.flat()

/** Lines that a mutation took out and put in, over all files. */
function difference(mutation: string, seed = 'a'): {out: string[]; in: string[]; detail: string} {
  const mutant = all.find(({name}) => name === mutation)?.apply(answer, randomFrom(seed))
  if (!mutant) throw new Error(`${mutation} finds no place in ScaleShift`)
  const before = answer
    .map(({text}) => text)
    .join('')
    .split('\n')
  const after = mutant.files
    .map(({text}) => text)
    .join('')
    .split('\n')
  let head = 0
  while (before[head] === after[head]) head += 1
  let tail = 0
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  const lines = (text: string[]) => text.slice(head, text.length - tail).map((line) => line.trim())
  return {out: lines(before), in: lines(after), detail: mutant.detail}
}

test('there are at least fourteen mutations, each with a name of its own', () => {
  expect(new Set(all.map(({name}) => name)).size).toBe(all.length)
  expect(all.length).toBeGreaterThanOrEqual(14)
})

describe.each(all.map((mutation) => [mutation.name, mutation] as const))('%s', (_, mutation) => {
  test('changes one file in one place, or says that there is none', () => {
    for (const seed of ['a', 'b', 'c']) {
      const mutant = mutation.apply(answer, randomFrom(seed))
      if (!mutant) continue
      expect(mutant.files.map(({path}) => path)).toEqual(answer.map(({path}) => path))
      expect(mutant.files.filter((file, index) => file.text !== answer[index]?.text)).toHaveLength(1)
      expect(mutant.detail).toMatch(/^op_(host|kernel)\/scale_shift\w*\.(cpp|h) line \d+: ./)
    }
  })
  test('is the same for the same seed', () => {
    expect(mutation.apply(answer, randomFrom('s'))).toEqual(mutation.apply(answer, randomFrom('s')))
  })
  test('finds no place in an empty file', () => {
    expect(
      mutation.apply([{path: 'op_kernel/a.cpp', text: '// EnQue(x); GetBlockIdx();\n'}], randomFrom('s')),
    ).toBeUndefined()
  })
})

describe('on a real operator', () => {
  test.each([
    ['missing-copy-out', ['DataCopyPad(yGm[i * tileLength], yLocal, copyParams);'], []],
    [
      'wrong-tail-length',
      ['const uint32_t count = i + 1 == tileNum ? length - i * tileLength : tileLength;'],
      ['const uint32_t count = tileLength;'],
    ],
    [
      'missing-tail',
      ['const uint32_t tileNum = (length + tileLength - 1) / tileLength;'],
      ['const uint32_t tileNum = length / tileLength;'],
    ],
    ['tile-off-by-one', ['for (uint32_t i = 0; i < tileNum; ++i) {'], ['for (uint32_t i = 0; i <= tileNum; ++i) {']],
    [
      'last-tile-skipped',
      ['for (uint32_t i = 0; i < tileNum; ++i) {'],
      ['for (uint32_t i = 0; i + 1 < tileNum; ++i) {'],
    ],
    [
      'block-index-ignored',
      ['const uint32_t start = GetBlockIdx() * tiling.blockLength;'],
      ['const uint32_t start = 0;'],
    ],
    ['tiling-macro-misused', ['GET_TILING_DATA(tilingData, tiling);'], ['GET_TILING_DATA(tiling, tilingData);']],
    [
      'wrong-block-dim',
      ['context->SetBlockDim((totalLength + blockLength - 1) / blockLength);'],
      ['context->SetBlockDim(1);'],
    ],
    [
      'tiling-not-saved',
      ['tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());'],
      [],
    ],
    [
      'unaligned-data-copy',
      ['DataCopyPad(yGm[i * tileLength], yLocal, copyParams);'],
      ['DataCopy(yGm[i * tileLength], yLocal, count);'],
    ],
  ])('%s', (mutation, out, put) => {
    // Some mutations have several places: take the seed under which the expected one is picked.
    const differences = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((seed) => difference(mutation, seed))
    expect(differences.map((each) => ({out: each.out, in: each.in}))).toContainEqual({out, in: put})
  })
})

test('rounding is changed only where integers are made', () => {
  const wrongRounding = (text: string) =>
    all.find(({name}) => name === 'wrong-rounding')?.apply([{path: 'op_kernel/a.cpp', text}], randomFrom('a'))
  expect(wrongRounding('LocalTensor<half> y = q.Get<half>();\nCast(y, x, RoundMode::CAST_RINT, n);\n')).toBeUndefined()
  expect(
    wrongRounding('LocalTensor<int8_t> y = q.Get<int8_t>();\nCast(y, x, RoundMode::CAST_RINT, n);\n')?.detail,
  ).toBe('op_kernel/a.cpp line 2: CAST_FLOOR where CAST_RINT rounds to nearest')
})

describe('mutate', () => {
  test('gives as many different variants as asked, of different mutations and families in turn', () => {
    const mutants = mutate(answer, 14, randomFrom('x'))
    expect(mutants).toHaveLength(14)
    expect(new Set(mutants.map(({mutation}) => mutation)).size).toBe(14)
    expect(new Set(mutants.map(({files}) => JSON.stringify(files))).size).toBe(14)
    const family = (name: string) =>
      mutationFamilies.findIndex((list) => list.some((mutation) => mutation.name === name))
    expect(new Set(mutants.slice(0, 7).map(({mutation}) => family(mutation))).size).toBe(7)
  })
  test('gives what there is when asked for more', () => {
    expect(mutate(answer, 1000, randomFrom('x')).length).toBeGreaterThan(25)
    expect(mutate([], 5, randomFrom('x'))).toEqual([])
  })
  test('depends on its random stream alone', () => {
    expect(mutate(answer, 8, randomFrom('x'))).toEqual(mutate(answer, 8, randomFrom('x')))
    expect(mutate(answer, 8, randomFrom('x'))).not.toEqual(mutate(answer, 8, randomFrom('y')))
  })
})
