import {mkdtemp, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import card from '../../datasets/card/card.ts'
import {cells} from '../../datasets/parquet/columns.ts'
import decontaminate from '../../datasets/contamination/decontaminate.ts'
import dedup from '../../datasets/dedup/dedup.ts'
import exportGate from '../../datasets/gates/export-gate.ts'
import licenceGate from '../../datasets/gates/licence-gate.ts'
import parquet from '../../datasets/parquet/parquet.ts'
import type {ErrorEntry} from '../../datasets/schema/error-entry.ts'
import split from '../../datasets/split.ts'
import type {Stage} from '../../engine/stage.ts'
import {runStage} from '../helpers/run-stage.ts'
import {collect, errorEntry, errorRow, pair, recordingContext, stream} from './rows.ts'

const config = 'errors'
const {error, origin} = errorEntry()

async function reasons(stage: Stage<ErrorEntry, unknown>, ...entries: ErrorEntry[]): Promise<string[]> {
  const {outputs, dropped} = await runStage(stage, entries)
  expect(outputs.length + dropped.length).toBe(entries.length)
  return dropped.map(({reason}) => reason)
}

describe('an error of a candidate', () => {
  test('comes once for each candidate, like others as it may be', async () => {
    const other = errorEntry({candidate: 'decaf'})
    expect(await reasons(dedup({config}), errorEntry(), other, errorEntry({outcome: 'crashed'}))).toEqual(['duplicate'])
  })

  test('is refused where its task may not be given away or passed on', async () => {
    const told = 'adds up all elements of every row with float accumulation and writes the sums in half precision'
    const reference = [{name: 'level1/Sum', operator: 'ScaleCustom', texts: [told]}]
    const leak = errorEntry({error: {...error, message: told}})
    expect(await reasons(decontaminate({config, reference}), leak, errorEntry())).toEqual(['contaminated'])
    const operators = ['name'] as const
    expect(await reasons(decontaminate({config, reference, operators}), errorEntry())).toEqual(['benchmark-operator'])
    const foreign = errorEntry({origin: {...origin, licence: 'NOASSERTION'}})
    expect(await reasons(licenceGate({config}), foreign, errorEntry())).toEqual(['licence-not-allowed'])
    const secret = errorEntry({error: {...error, code: `auto key = "AKIA${'A'.repeat(16)}";`}})
    expect(await reasons(exportGate({config}), secret, errorEntry())).toEqual(['secret'])
  })

  test('stands on the side of its operator, as a pair of that does', async () => {
    const tasks = Array.from({length: 40}, (_, at) => `Operator${at}`)
    const errors = await runStage(
      split({config, testFraction: 0.5}),
      tasks.map((task) => errorEntry({task})),
    )
    const pairs = await runStage(
      split({config: 'dpo', testFraction: 0.5}),
      tasks.map((task) => pair({task})),
    )
    expect(errors.outputs.map((row) => row.split)).toEqual(pairs.outputs.map((row) => row.split))
  })

  test('fills its columns', () => {
    expect(cells(errorRow(errorEntry()))).toMatchObject({
      candidate: 'c0ffee',
      task: 'ScaleCustom',
      sampler: 'mutation',
      sampler_detail: '{"detail":"line 6","kind":"mutation","mutation":"misspell-call"}',
      label: 'purple',
      outcome: 'compile-failed',
      class: 'syntax-and-structure',
      rule: null,
      signature: "no member named '…' in '…'",
      api: null,
      message: "no member named 'Proces' in 'KernelScale'",
      file: 'op_kernel/scale_custom.cpp',
      line: 6,
      code: '  op.Proces();',
      executor: 'twin',
      executor_fingerprint: 'f00d',
      compiler: 'clang-15',
      soc: 'Ascend910B1',
      licence: 'Apache-2.0',
      stages: '{"error-entries":1}',
    })
    const run = errorEntry({
      rule: 'deque-empty',
      api: 'DeQue',
      signature: '',
      error: {...error, file: '', line: 0, code: ''},
    })
    expect(cells(errorRow(run))).toMatchObject({
      rule: 'deque-empty',
      api: 'DeQue',
      signature: null,
      file: null,
      line: null,
      code: null,
    })
  })
})

describe('the card', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'errors-'))
  })
  afterEach(() => rm(directory, {recursive: true, force: true}))

  test('counts errors by class, and says that they are no text to train on', async () => {
    const entries = [errorEntry(), errorEntry({candidate: 'b'}), errorEntry({candidate: 'c', class: 'accuracy'})]
    const artifacts = await collect(parquet({config, directory}).run(stream(entries.map(errorRow)), recordingContext()))
    await collect(card({directory, regenerate: []}).run(stream(artifacts), recordingContext()))
    const readme = await readFile(join(directory, 'README.md'), 'utf8')
    expect(readme).toContain('| syntax-and-structure | 2 |\n| accuracy | 1 |')
    expect(readme).toContain('Authors of the candidates: mutation 3. Tasks: 1.')
    expect(readme).toContain('not training text')
    expect(readme).toContain('| errors | twin · clang-15 · Ascend910B1 · f00d | 3 |')
    expect(readme).toContain('Made of 3 errors of candidates (`errors`).')
    expect(readme).not.toContain('Token counts')
  })
})
