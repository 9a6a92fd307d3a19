import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {decode, encode} from '../../../datasets/dtype.ts'
import type {Candidate} from '../../../datasets/schema/candidate.ts'
import type {TaskReference} from '../../../datasets/schema/task.ts'
import type {TensorSpec} from '../../../datasets/schema/tensor.ts'
import {compareOutputs, largest} from '../../../eval/reference/compare-outputs.ts'
import {openTypescriptCases} from '../../../eval/reference/typescript-cases.ts'
import {
  caseDtypes,
  caseId,
  describeCase,
  expectedOutputs,
  holdsNaN,
  loadReference,
  prepareCase,
} from '../../../eval/reference/typescript.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const row = {case_id: '7', shape: '[4]'}
const x: TensorSpec = {name: 'x', dtype: 'float32', shape: [4]}
const y: TensorSpec = {name: 'y', dtype: 'float16', shape: [2]}
const reference = (over: Partial<TaskReference> = {}): TaskReference => ({
  describe: () => ({inputs: [x], outputs: [y]}),
  compute: ({x: values = new Float64Array()}) => ({y: [values[0] ?? 0, 1]}),
  ...over,
})
const fault = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return (error as Error).message
  }
  return undefined
}

describe('a description', () => {
  test('is what the reference says of a row', () => {
    expect(describeCase(reference(), row)).toEqual({inputs: [x], outputs: [y]})
    const attributes = {alpha: 2}
    expect(describeCase(reference({describe: () => ({inputs: [x], outputs: [y], attributes})}), row)).toEqual({
      inputs: [x],
      outputs: [y],
      attributes,
    })
    expect(caseDtypes({inputs: [x], outputs: [y]})).toEqual({x: 'float32', y: 'float16'})
  })
  test.each<[string, () => never, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('no shape')
      },
      /^The reference throws no shape \(case 7\)\.$/,
    ],
    [
      'throws a text',
      () => {
        throw 'no shape'
      },
      /^The reference throws no shape \(case 7\)\.$/,
    ],
    ['has no output', () => ({inputs: [x], outputs: []}) as never, /^The reference describes no output \(case 7\)\.$/],
    [
      'has no tensor',
      () => ({inputs: [{...x, dtype: 'half'}], outputs: [y]}) as never,
      /^The reference describes the tensor \{"name":"x","dtype":"half","shape":\[4\]\}: .* \(case 7\)\.$/,
    ],
    [
      'has no output tensor',
      () => ({inputs: [x], outputs: [{...y, shape: [-1]}]}) as never,
      /^The reference describes the tensor \{"name":"y","dtype":"float16","shape":\[-1\]\}: .* \(case 7\)\.$/,
    ],
  ])('that %s is the fault of the task', (_, describe_, message) => {
    expect(fault(() => describeCase(reference({describe: describe_}), row))).toMatch(message)
  })
})

describe('a case', () => {
  const seed = ['s', 1]
  const drawn = (given = reference(), at = row, family: 'uniform' | 'ones' = 'uniform', by = seed) =>
    prepareCase(given, at, family, by).inputs.map(({data}) => Buffer.from(data).toString('hex'))
  test('has its inputs drawn, and its outputs described', () => {
    const made = prepareCase(reference(), row, 'ones', seed)
    expect(made).toEqual({
      id: '7',
      inputs: [{...x, data: encode([1, 1, 1, 1], 'float32')}],
      attributes: {},
      outputs: [y],
    })
  })
  test('has the values of its seed, row, family and name', () => {
    expect(drawn()).toEqual(drawn())
    const two = reference({describe: () => ({inputs: [x, {...x, name: 'z'}], outputs: [y]})})
    const [first, second] = drawn(two)
    expect(first).toBe(drawn()[0])
    expect(second).not.toBe(first)
    expect(drawn(reference(), {...row, case_id: '8'})).not.toEqual(drawn())
    expect(drawn(reference(), row, 'ones')).not.toEqual(drawn())
    expect(drawn(reference(), row, 'uniform', ['s', 2])).not.toEqual(drawn())
  })
  test('stays in the domain of the task', () => {
    const inside = prepareCase(reference({domain: {x: [3, 3]}}), row, 'uniform', seed).inputs[0]
    expect([...decode(inside?.data ?? new Uint8Array(), 'float32')]).toEqual([3, 3, 3, 3])
  })
  test('is known by its id, or by what stands in it', () => {
    expect(caseId({case_id: '7'})).toBe('7')
    expect(caseId({shape: '[1]'})).toMatch(/^[0-9a-f]{8}$/)
    expect(caseId({shape: '[1]'})).not.toBe(caseId({shape: '[2]'}))
  })
})

describe('what is expected', () => {
  const given = prepareCase(reference(), row, 'ones', ['s'])
  const expected = (compute: TaskReference['compute'], of = given) =>
    expectedOutputs(reference({compute}), row, of).map((values) => [...values])
  test('is computed of the inputs, and rounded to the type of the output', () => {
    expect(expected(({x: values = new Float64Array()}) => ({y: [(values[0] ?? 0) + 2 ** -12, 2049]}))).toEqual([
      [1, 2048],
    ])
  })
  test.each<[string, TaskReference['compute'], RegExp]>([
    [
      'throws',
      () => {
        throw new Error('no')
      },
      /^The reference throws no \(case 7\)\.$/,
    ],
    ['leaves it out', () => ({z: [1], w: [2]}), /^The reference computes no y; it gives: z, w \(case 7\)\.$/],
    ['gives too few', () => ({y: [1]}), /^The reference computes 1 values for y, its shape asks for 2 \(case 7\)\.$/],
    [
      'gives too many',
      () => ({y: [1, 2, 3]}),
      /^The reference computes 3 values for y, its shape asks for 2 \(case 7\)\.$/,
    ],
  ])('where the reference %s is its fault', (_, compute, message) => {
    expect(fault(() => expected(compute))).toMatch(message)
  })
  test('has two values for each complex element, and none that an integer cannot hold', () => {
    const of = (dtype: TensorSpec['dtype']) => ({...given, outputs: [{...y, dtype}]})
    expect(expected(() => ({y: [1, 2, 3, 4]}), of('complex64'))).toEqual([[1, 2, 3, 4]])
    expect(fault(() => expected(() => ({y: [1, 2]}), of('complex64')))).toContain('its shape asks for 4')
    expect(fault(() => expected(() => ({y: [1, 0.5]}), of('int32')))).toMatch(
      /^The reference computes y with element 1: 0.5 is not a int32 .* \(case 7\)\.$/,
    )
  })
})

test('a reference is what its file says', async () => {
  const file = async (text: string) => {
    const path = join(await temporaryFolder(), 'reference.mjs')
    await writeFile(path, text)
    return path
  }
  const whole = await file('export default {describe() {}, compute() {}}\n')
  expect(await loadReference(whole)).toHaveProperty('compute')
  for (const [text, names] of [
    ['export const a = 1, b = 2\n', 'a, b'],
    ['export default {describe() {}}\n', 'default'],
    ['export default {compute() {}}\n', 'default'],
    ['1\n', 'none'],
  ] as const) {
    const path = await file(text)
    await expect(loadReference(path)).rejects.toMatchObject({
      code: 'input-invalid',
      message: `${path} does not default-export {describe, compute}; its exports are: ${names}.`,
    })
  }
})

describe('outputs beside what is expected', () => {
  const specs: TensorSpec[] = [
    {name: 'a', dtype: 'float32', shape: [2]},
    {name: 'b', dtype: 'int32', shape: [1]},
  ]
  const expected = [Float64Array.of(1, 2), Float64Array.of(3)]
  const compare = (a: number[], b: number[], rules: Parameters<typeof compareOutputs>[1] = {literal: false}) =>
    compareOutputs({specs, seen: [encode(a, 'float32'), encode(b, 'int32')], expected}, rules)

  test('are right where all are', () => {
    expect(compare([1, 2], [3])).toEqual({
      hardened: {ok: true, output: '', reason: '', worstAbsolute: 0, worstRelative: 0},
      seen: [encode([1, 2], 'float32'), encode([3], 'int32')],
      expected: [encode([1, 2], 'float32'), encode([3], 'int32')],
      expectsNaN: false,
    })
  })
  test('are told by the first that is wrong, with the worst error of all', () => {
    expect(compare([1, 2.5], [9]).hardened).toMatchObject({ok: false, output: 'a', worstAbsolute: 6})
    expect(compare([1, 2], [4]).hardened).toMatchObject({
      output: 'b',
      reason: 'element 0 is 4, expected 3 (integers must be equal)',
    })
    expect(compareOutputs({specs, seen: [], expected}, {literal: false}).hardened).toMatchObject({
      output: 'a',
      reason: '0 elements where 2 are expected',
      worstAbsolute: null,
    })
  })
  test('meet the literal rule where it is asked for, with the tolerance of the task', () => {
    expect(compare([1, 2], [3]).literal).toBeUndefined()
    expect(compare([1, 2.0005], [3], {literal: true}).literal?.ok).toBe(true)
    expect(compare([1, 2.01], [3], {literal: true}).literal?.ok).toBe(false)
    const wide = {float32: {absolute: 0.1, relative: 0.1}}
    expect(compare([1, 2.01], [3], {literal: true, tolerance: wide})).toMatchObject({
      literal: {ok: true},
      hardened: {ok: true},
    })
    expect(compare([1, 2.01], [3]).hardened.ok).toBe(false)
  })
  test('say whether NaN is expected', () => {
    expect(holdsNaN([Float64Array.of(1), Float64Array.of(2, NaN)])).toBe(true)
    expect(holdsNaN([Float64Array.of(1, Infinity)])).toBe(false)
  })
  test('have a worst error only where each has one', () => {
    expect([largest([1, 3, 2]), largest([]), largest([1, null, 2]), largest([null])]).toEqual([3, 0, null, null])
  })
})

test('candidates of a task meet the same call, whose inputs and expected outputs are worked out once', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'reference.ts')
  const text = `let count = 0
export default {
  describe: () => ({
    inputs: [{name: 'x', dtype: 'float32', shape: [4]}],
    outputs: [{name: 'y', dtype: 'float32', shape: [4]}],
  }),
  compute: ({x}) => ({y: x.map(() => (count += 1))}),
}`
  await writeFile(file, text)
  const task = {name: 'Count', cases: [row], reference: {kind: 'typescript', path: file}}
  const asked = async (seed: string) => {
    const source = await openTypescriptCases({task} as unknown as Candidate, [row], () => undefined)
    const prepared = await source.prepare(row, 'normal', [seed])
    const {expected} = await prepared.compare([new Uint8Array(16)], {literal: false})
    return {inputs: prepared.operatorCase.inputs, expected}
  }
  const first = await asked('a')
  expect(await asked('a')).toEqual(first)
  const other = await asked('b')
  expect(other.expected).not.toEqual(first.expected)
  expect(other.inputs).not.toEqual(first.inputs)
})
