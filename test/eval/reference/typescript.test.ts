import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {TaskReference} from '../../../datasets/schema/task.ts'
import {decode} from '../../../datasets/dtype.ts'
import {
  caseDtypes,
  describeCase,
  expectedOutputs,
  loadReference,
  prepareCase,
} from '../../../eval/reference/typescript.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const fixture = 'test/fixtures/tasks/level1/Math/ScaleShift/validation/reference.ts'
const row = {case_id: '1', shape: '[3, 700]', dtype: 'float16', scale: '0.5', shift: '1.25'}

test('prepares inputs and expected outputs of a case, both rounded to their dtype', async () => {
  const reference = await loadReference(fixture)
  const operatorCase = prepareCase(reference, row, 'uniform', ['seed'])
  expect(operatorCase).toMatchObject({
    id: '1',
    attributes: {scale: 0.5, shift: 1.25},
    outputs: [{name: 'y', dtype: 'float16', shape: [3, 700]}],
  })
  expect(operatorCase.inputs[0]?.data.length).toBe(2 * 2100)
  const x = decode(operatorCase.inputs[0]?.data ?? new Uint8Array(), 'float16')
  const [y = new Float64Array()] = expectedOutputs(reference, row, operatorCase)
  expect(y.length).toBe(2100)
  for (const index of [0, 7, 2099])
    expect(Math.abs((y[index] as number) - (0.5 * (x[index] as number) + 1.25))).toBeLessThan(0.004)
})

test('the same seed, row and family give the same inputs; any other gives others', async () => {
  const reference = await loadReference(fixture)
  const data = (...[family, seed, case_id = '1']: ['normal' | 'uniform', string, string?]) =>
    Buffer.from(prepareCase(reference, {...row, case_id}, family, [seed]).inputs[0]?.data ?? []).toString('base64')
  expect(data('normal', 'a')).toBe(data('normal', 'a'))
  expect(data('normal', 'a')).not.toBe(data('normal', 'b'))
  expect(data('normal', 'a')).not.toBe(data('uniform', 'a'))
  expect(data('normal', 'a')).not.toBe(data('normal', 'a', '2'))
})

test('repeated inputs start like any, and come again after 65,537 elements', async () => {
  const reference = await loadReference(fixture)
  const wide = {...row, shape: '[3, 65537]'}
  const values = decode(prepareCase(reference, wide, 'repeated', ['seed']).inputs[0]!.data, 'float16')
  expect(values.length).toBe(3 * 65_537)
  const first = values.slice(0, 65_537)
  expect(new Set(first).size).toBeGreaterThan(5000)
  expect(values.slice(65_537, 131_074)).toEqual(first)
  expect(values.slice(131_074)).toEqual(first)
})

test('names the dtypes of inputs and outputs', async () => {
  expect(caseDtypes(describeCase(await loadReference(fixture), row))).toEqual({x: 'float16', y: 'float16'})
})

test('a missing reference and one with other exports are errors', async () => {
  await expect(loadReference('/no/such/reference.ts')).rejects.toMatchObject({code: 'input-missing'})
  const path = join(await temporaryFolder(), 'reference.ts')
  await writeFile(path, 'export const compute = () => ({})\n')
  await expect(loadReference(path)).rejects.toMatchObject({
    code: 'input-invalid',
    message: expect.stringContaining('its exports are: compute'),
  })
})

const broken = (compute: TaskReference['compute']): TaskReference => ({
  describe: () => ({inputs: [], outputs: [{name: 'y', dtype: 'int32', shape: [2]}]}),
  compute,
})

test.each<[string, TaskReference['compute'], string]>([
  ['leaves an output out', () => ({z: [1, 2]}), 'computes no y; it gives: z (case 1)'],
  ['gives too few values', () => ({y: [1]}), 'computes 1 values for y, its shape asks for 2'],
  ['gives fractions for integers', () => ({y: [1, 0.5]}), 'element 1: 0.5 is not a int32'],
])('a reference that %s is an invalid input', (_, compute, message) => {
  const reference = broken(compute)
  expect(() => expectedOutputs(reference, row, prepareCase(reference, row, 'normal', ['s']))).toThrow(message)
})
