import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import benchmark from '../../../eval/bench/npukernelbench/benchmark.ts'
import {explain, readKnownFaults, type KnownFault} from '../../../eval/bench/known-faults.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const fault: KnownFault = {
  task: 'ScaleShift',
  cases: ['1', '2'],
  verdict: 'mismatched',
  fault: 'answer',
  proof: 'op_kernel/scale_shift.cpp line 40 leaves the tail out.',
}
const compile: KnownFault = {
  task: 'RowSum',
  cases: 'all',
  verdict: 'compile-failed',
  fault: 'answer',
  proof: 'op_host/row_sum.cpp line 12 has no closing brace.',
}

async function fileOf(value: unknown): Promise<string> {
  const file = join(await temporaryFolder(), 'faults.json')
  await writeFile(file, JSON.stringify(value))
  return file
}

describe('the list', () => {
  test('of NPUKernelBench is valid', async () => {
    expect((await readKnownFaults(benchmark.knownFaults ?? '')).length).toBeGreaterThan(0)
  })
  test('is read as it stands', async () => {
    expect(await readKnownFaults(await fileOf([fault, compile]))).toEqual([fault, compile])
  })
  test.each([
    ['a proof', {...fault, proof: 'it is so'}],
    ['a fault', {...fault, fault: 'twin'}],
    ['an outcome', {...fault, verdict: 'correct-ish'}],
    ['cases', {...fault, cases: []}],
    ['known keys', {...fault, excuse: 'none'}],
  ])('is refused without %s', async (_, entry) => {
    await expect(readKnownFaults(await fileOf([entry]))).rejects.toMatchObject({
      code: 'input-invalid',
      message: expect.stringMatching(/ 0[.:]/) as string,
    })
  })
})

describe('an exception', () => {
  const seen = (cases: string[], over = {}) =>
    explain({task: 'ScaleShift', outcome: 'mismatched', cases, ...over}, [fault, compile])

  test('is explained by an entry with its task, verdict and cases', () => {
    expect(seen(['2'])).toEqual([fault])
    expect(seen(['1', '2'])).toEqual([fault])
    expect(seen([], {task: 'RowSum', outcome: 'compile-failed'})).toEqual([compile])
  })
  test('is not explained where another case fails as well', () => {
    expect(seen(['1', '3'])).toEqual([])
  })
  test('is not explained under another verdict or of another task', () => {
    expect(seen(['1'], {outcome: 'violated'})).toEqual([])
    expect(seen(['1'], {task: 'Other'})).toEqual([])
  })
  test('that rests on the code is not explained by an entry for some cases', () => {
    expect(explain({task: 'ScaleShift', outcome: 'mismatched', cases: []}, [fault])).toEqual([])
  })
  test('may need two entries', () => {
    const other = {...fault, cases: ['3'], fault: 'reference' as const}
    expect(explain({task: 'ScaleShift', outcome: 'mismatched', cases: ['1', '3']}, [fault, other])).toEqual([
      fault,
      other,
    ])
  })
})
