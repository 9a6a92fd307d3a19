import {readdirSync} from 'node:fs'
import {expect, test} from 'vitest'
import judgeModel from '../../../../eval/bench/multikernelbench/judge-model.ts'
import type {Opened} from '../../../../eval/bench/submission/submission.ts'
import {contentId} from '../../../../engine/ids.ts'
import {runStage} from '../../../helpers/run-stage.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'

const python = {torch: '0', package: '/nowhere', headers: '/nowhere', folders: [], command: 'python3'}
const task = {
  name: 'tame',
  category: 'activation',
  path: 'reference/activation/tame.py',
  root: 'test/fixtures/multikernelbench',
  module: 'm',
}
const candidate = {task, sampler: {model: 'm', sample: 0}, reply: 'a reply'}

async function stageWith(opened: Opened, others: Partial<Parameters<typeof judgeModel>[0]> = {}) {
  const workDirectory = await temporaryFolder()
  const asked: unknown[] = []
  const stage = judgeModel({
    identity: {name: 'twin'},
    python,
    sandbox: 'plain',
    workDirectory,
    open(which, reply) {
      asked.push([which, reply])
      return Promise.resolve(opened)
    },
    ...others,
  })
  return {stage, asked, workDirectory}
}

test.each(['unreadable', 'compile-failed', 'link-failed', 'refused-source'] as const)(
  'a reply that is %s is a verdict, and names why',
  async (kind) => {
    const {stage, asked} = await stageWith({ok: false, kind, why: 'line 3', log: 'long'})
    const {outputs, dropped} = await runStage(stage, [candidate])
    expect(dropped).toEqual([])
    expect(asked).toEqual([[{name: 'tame', stem: 'tame'}, 'a reply']])
    expect(outputs).toEqual([
      {task, sampler: candidate.sampler, reply: contentId('a reply'), verdict: {opened: false, kind, why: 'line 3'}},
    ])
    expect(stage.tally?.(outputs[0] as never)).toBe(kind)
  },
)

test('what a source is refused for has its number', async () => {
  const {stage} = await stageWith({ok: false, kind: 'refused-source', why: 'w', log: '', behaviour: 'SUB-BEH-003'})
  const {outputs} = await runStage(stage, [candidate])
  expect(outputs[0]?.verdict).toEqual({opened: false, kind: 'refused-source', why: 'w', behaviour: 'SUB-BEH-003'})
})

test('a module that cannot be asked is a failure of ours, and nothing is left behind', async () => {
  let disposed = 0
  const submission = {run: () => Promise.resolve([]), dispose: () => Promise.resolve(void (disposed += 1))}
  const {stage, workDirectory} = await stageWith({ok: true, submission})
  const broken = {...candidate, task: {...task, path: 'reference/activation/none.py'}}
  await expect(runStage(stage, [broken])).rejects.toMatchObject({
    code: 'executor-failed',
    message: expect.stringContaining('none.py failed') as string,
  })
  expect(disposed).toBe(1)
  expect(readdirSync(workDirectory)).toEqual([])
})

test('whatever shapes a verdict is part of the key', async () => {
  const opened: Opened = {ok: false, kind: 'unreadable', why: '', log: ''}
  const keyOf = async (others: Partial<Parameters<typeof judgeModel>[0]>) =>
    JSON.stringify((await stageWith(opened, others)).stage.options)
  const keys = await Promise.all([
    keyOf({}),
    keyOf({identity: {name: 'other'}}),
    keyOf({tiers: ['odd']}),
    keyOf({largestInput: 1}),
    keyOf({trials: 1}),
  ])
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.every((key) => key.includes('"rules"'))).toBe(true)
})

const tier = {tier: 'odd' as const, sizes: ['1'], calls: 1, leftOut: []}

test.each([
  [true, true, 'hardened'],
  [true, false, 'literal'],
  [false, false, 'wrong'],
])('literal %s, hardened %s is counted as %s', async (literal, hardened, name) => {
  const {stage} = await stageWith({ok: false, kind: 'unreadable', why: '', log: ''})
  const verdict = {
    opened: true,
    tiers: [
      {...tier, literal: true, hardened: true},
      {...tier, literal, hardened},
    ],
  }
  expect(stage.tally?.({verdict} as never)).toBe(name)
})
