import {readdirSync} from 'node:fs'
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {shippedSpecs} from '../../../trainers/read-spec.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {jobsOf, readSweep, Sweep} from '../../../trainers/sweep/read-sweep.ts'

const table = {
  name: 'negatives',
  shows: ['table-4'],
  seeds: [1, 2],
  rows: [
    {name: 'SFT', profile: 'sft'},
    {name: 'cosine', spec: 'dpo-8b', set: {'hyperparameters.schedule': 'cosine'}},
    {name: 'plain', spec: 'dpo-8b'},
  ],
}

test('each row that is trained becomes a job for each seed, in the order of the table', () => {
  expect(jobsOf(Sweep.parse(table))).toEqual([
    {
      row: 'cosine',
      seed: 1,
      spec: 'dpo-8b',
      set: {'hyperparameters.schedule': 'cosine', 'hyperparameters.seed': '1'},
    },
    {
      row: 'cosine',
      seed: 2,
      spec: 'dpo-8b',
      set: {'hyperparameters.schedule': 'cosine', 'hyperparameters.seed': '2'},
    },
    {row: 'plain', seed: 1, spec: 'dpo-8b', set: {'hyperparameters.seed': '1'}},
    {row: 'plain', seed: 2, spec: 'dpo-8b', set: {'hyperparameters.seed': '2'}},
  ])
})

test('a row may have seeds of its own, and values of any kind', () => {
  const row = {name: 'a', spec: 's', seeds: [7], set: {'data.without': ['general'], 'data.share': 0.5}}
  expect(jobsOf(Sweep.parse({...table, rows: [row]}))).toEqual([
    {
      row: 'a',
      seed: 7,
      spec: 's',
      set: {'data.without': '["general"]', 'data.share': '0.5', 'hyperparameters.seed': '7'},
    },
  ])
})

describe('a table that cannot be meant is refused', () => {
  const [first, second, third] = table.rows
  const cases: [string, unknown, RegExp][] = [
    ['a row of two kinds', {...table, rows: [{...first, spec: 'x'}]}, /exactly one of `spec` and `profile`/],
    ['a row of no kind', {...table, rows: [{name: 'SFT'}]}, /exactly one of `spec` and `profile`/],
    [
      'settings of what is not trained',
      {...table, rows: [{...first, set: {a: 1}}]},
      /`set` has no effect on an untrained model/,
    ],
    ['two rows of one name', {...table, rows: [second, {...third, name: 'cosine'}]}, /duplicate row name cosine/],
    ['a seed twice', {...table, seeds: [1, 1]}, /duplicate seed/],
    ['a table that the paper does not have', {...table, shows: ['table-9']}, /table-4/],
    ['no row', {...table, rows: []}, /rows/],
    ['an unknown key', {...table, row: []}, /row/],
  ]
  test.each(cases)('%s', (_, given, said) => {
    expect(() => Sweep.parse(given)).toThrow(said)
  })
})

describe('the tables that come with the package', () => {
  const folder = 'trainers/sweeps'
  test.each(readdirSync(folder))('%s names jobs that come with it, and is called as its file', async (file) => {
    const {name, rows} = await readSweep(join(folder, file))
    expect(`${name}.yaml`).toBe(file)
    const shipped = await shippedSpecs()
    expect(rows.flatMap(({spec = shipped[0] ?? ''}) => spec).filter((spec) => !shipped.includes(spec))).toEqual([])
  })
})

describe('reading', () => {
  const written = async (text: string) => {
    const path = join(await temporaryFolder(), 'table.yaml')
    await writeFile(path, text)
    return path
  }

  test('a file gives its table', async () => {
    expect((await readSweep(await written(JSON.stringify(table)))).rows).toHaveLength(3)
  })

  test('a file that is not there, is no YAML, or is no table, says so', async () => {
    await expect(readSweep('/none.yaml')).rejects.toMatchObject({code: 'input-missing'})
    await expect(readSweep(await written('a: [1'))).rejects.toMatchObject({code: 'config-invalid'})
    await expect(readSweep(await written('name: x'))).rejects.toThrow(/shows: .*; rows: /)
  })
})
