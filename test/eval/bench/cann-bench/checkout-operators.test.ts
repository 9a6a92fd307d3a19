import {cpSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import benchmark from '../../../../eval/bench/cann-bench/benchmark.ts'
import {inputBytes, readOperator, readTasks} from '../../../../eval/bench/cann-bench/checkout-operators.ts'
import {isCheckout} from '../../../../eval/bench/load-benchmark.ts'
import {ownCheckout} from './own-packages.ts'

const folder = (operator: string) => join(ownCheckout, 'tasks', operator)

test('operators are read by level, and chosen by names and paths', async () => {
  const all = await readTasks(ownCheckout)
  expect(all.map(({name, category, path}) => `${category} ${name} ${path}`)).toEqual([
    'level1 Scale tasks/level1/scale',
    'level2 TopPlace tasks/level2/top_place',
    'level3 ShiftRows tasks/level3/shift_rows',
  ])
  expect(new Set(all.map(({content}) => content)).size).toBe(3)
  for (const pattern of ['TopPlace', 'top_place', 'level2/*'])
    expect((await readTasks(ownCheckout, pattern)).map(({name}) => name)).toEqual(['TopPlace'])
})

test('cases are the same from YAML and from CSV, with numbers that JSON does not have as text', async () => {
  const {facts, cases} = await readOperator(folder('level1/scale'))
  expect(facts).toMatchObject({function: 'scale', names: ['scale', 'Scale'], thresholds: {}})
  expect(cases[1]).toEqual({
    id: '2',
    shapes: [[4099]],
    dtypes: ['float16'],
    ranges: ['nan', 'nan'],
    attrs: {factor: 'inf'},
  })
  const home = mkdtempSync(join(tmpdir(), 'csv-'))
  try {
    cpSync(folder('level1/scale'), home, {recursive: true})
    rmSync(join(home, 'cases.yaml'))
    expect((await readOperator(home)).cases).toEqual(cases)
    writeFileSync(join(home, 'cases.csv'), 'operator,case_id,input_shape\nScale,1,none\n')
    await expect(readOperator(home)).rejects.toMatchObject({code: 'record-invalid'})
  } finally {
    rmSync(home, {recursive: true, force: true})
  }
})

test('input is measured over lists and what a case omits', async () => {
  const {facts, cases} = await readOperator(folder('level3/shift_rows'))
  expect(cases.map(inputBytes)).toEqual([4 * 20, 4 * 7])
  expect(inputBytes({shapes: [[3, 5], null, [[2], [4]]], dtypes: ['bfloat16', null, 'int64']})).toBe(2 * 15 + 8 * 6)
  expect(facts.names).toEqual(['shift_rows', 'shiftrows', 'ShiftRows'])
  const places = await readOperator(folder('level2/top_place'))
  expect(places.facts.outputs).toEqual([
    {name: 'y', compare: true},
    {name: 'place', compare: false, index: {input: 'x', dim_attr: 'dim', value_output: 'y'}},
  ])
})

test('a checkout is known by its folders, and its texts are kept out of training data', async () => {
  expect(isCheckout(ownCheckout, benchmark)).toBe(true)
  expect(isCheckout('test/fixtures/multikernelbench', benchmark)).toBe(false)
  const texts = await benchmark.texts(ownCheckout)
  const scale = texts.find(({name}) => name === 'tasks/level1/scale')
  expect(scale).toMatchObject({operator: 'scale'})
  expect(scale?.texts.join('\n')).toContain('Multiplies every element of a tensor by one number.')
  expect(scale?.texts.join('\n')).toContain('def scale(x: torch.Tensor')
  expect(texts).toHaveLength(3)
})
