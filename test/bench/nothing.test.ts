import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {findTorch} from '../../eval/bench/submission/python.ts'
import {temporaryFolder} from '../helpers/temporary.ts'
import {benchNothing} from './nothing.ts'

const command = process.env['ASCEND_COT_TEST_PYTHON'] ?? 'python3'
const python = await findTorch(command).catch(() => undefined)

interface Found {
  benchmark: string
  task: string
  fault?: string
  settings?: unknown
  passing: [string, {literal: boolean; hardened: boolean}][]
}

// Needs a Python with torch.
test.skipIf(!python)('answers without work are looked at once for each task, at sizes that fit', async () => {
  const results = join(await temporaryFolder(), 'nothing.jsonl')
  const checkouts = ['--multi-kernel-bench', 'test/fixtures/multikernelbench']
  const asked = ['--python', command, ...checkouts, '--max-input-mib', '0.001', '--results', results]
  const lines = () => readFileSync(results, 'utf8').trim().split('\n')
  await benchNothing(asked)
  const found = lines().map((line) => JSON.parse(line) as Found)
  expect(found.map(({task, fault}) => [task, fault])).toEqual([
    ['activation/tame', undefined],
    ['npukernelbench_level0/7_tame_grad', undefined],
  ])
  expect(found[0]?.settings).toEqual([{constants: {rows: 2, columns: 129}}])
  const passing = found[0]?.passing ?? []
  expect(passing.map(([name]) => name)).toEqual(['zeros', 'ones', 'NaN', 'mean', 'input 1', 'first output'])
  // Of 258 values of a normal distribution, a few are bent, and none is left where all are large.
  expect(passing.filter(([, {literal, hardened}]) => literal || hardened)).toEqual([])
  await benchNothing(asked)
  expect(lines()).toHaveLength(2)
})
