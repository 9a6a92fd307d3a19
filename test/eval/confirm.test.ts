import {describe, expect, test} from 'vitest'
import {JudgedCandidate, LabelledCandidate} from '../../datasets/schema/candidate.ts'
import type {Executor} from '../../datasets/schema/executor.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {PipelineError} from '../../engine/errors.ts'
import {silentLog} from '../../engine/log.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {runPipeline} from '../../engine/runner.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import confirm, {confirmedBy} from '../../eval/confirm.ts'
import {decode, encode} from '../../datasets/dtype.ts'
import judge from '../../eval/judge.ts'
import label from '../../pipelines/preference/label.ts'
import {checkBy} from '../../pipelines/workspace/check-by.ts'
import {emittedBy} from '../../pipelines/workspace/runs.ts'
import {fixtureTask, judged} from '../pipelines/preference/records.ts'
import {requestOf} from '../helpers/sample-run.ts'
import {temporaryFolder} from '../helpers/temporary.ts'
import {runStage} from '../helpers/run-stage.ts'
import {scriptedExecutor, scriptedIdentity, type Script} from '../helpers/scripted-executor.ts'

const board = {...scriptedIdentity, name: 'cann-board', fingerprint: 'board-1'}
const task = {...(await fixtureTask()), answer: []}

/** What the task asks for, and what is added to it. */
const adding =
  (more: number): Script['run'] =>
  ({inputs: [x], attributes: {scale, shift}}) =>
    x
      ? [
          encode(
            decode(x.data, x.dtype).map((one) => one * Number(scale) + Number(shift) + more),
            x.dtype,
          ),
        ]
      : []

const second = (script: Script, over: Partial<Executor> = {}) => ({
  ...scriptedExecutor(script),
  identity: board,
  ...over,
})

const green: JudgedCandidate = judged({task, canary: {state: 'none', why: 'a test'}})
const options = {families: ['uniform' as const], cases: 1}

async function confirmed(executor: Executor, candidates: JudgedCandidate[] = [green]) {
  const {outputs, dropped} = await runStage(confirm({executor, ...options}), candidates)
  const labelled = await runStage(label(), outputs)
  return {outputs, dropped, labels: labelled.outputs.map((one) => one.label), unlabelled: labelled.dropped}
}

describe('what the first executor found correct', () => {
  test('is judged again, and takes the verdict of the second', async () => {
    const {outputs, labels} = await confirmed(second({run: adding(0)}))
    expect(outputs[0]).toMatchObject({
      verdict: {outcome: 'correct', executor: board},
      confirmation: {first: {outcome: 'correct', executor: scriptedIdentity}, second: {executor: board}},
      canary: {state: 'none', why: 'a test'},
    })
    expect(labels).toEqual(['green'])
  })

  test('is never green where the second refutes it, and both verdicts stay', async () => {
    const {outputs, labels} = await confirmed(second({run: adding(1)}))
    expect(outputs[0]).toMatchObject({
      verdict: {outcome: 'mismatched', executor: board},
      confirmation: {first: {outcome: 'correct'}, second: {outcome: 'mismatched'}},
    })
    expect(labels).toEqual(['orange'])
  })

  test('stays what it was where the second only compiles it, and says that it did', async () => {
    const compiler = second({run: adding(1)}, {reach: 'compiles'})
    const {outputs, labels} = await confirmed(compiler)
    expect(outputs[0]).toMatchObject({
      verdict: {outcome: 'correct', executor: scriptedIdentity},
      confirmation: {second: {outcome: 'compiled', executor: board}},
    })
    expect(labels).toEqual(['green'])
  })

  test('is refuted by a compiler that does not take it', async () => {
    const refused: Verdict = {outcome: 'compile-failed', diagnostics: [], log: 'error', executor: board}
    const {outputs, labels} = await confirmed(second({run: adding(0), build: () => refused}, {reach: 'compiles'}))
    expect(outputs[0]?.verdict).toEqual(refused)
    expect(labels).toEqual(['purple'])
  })

  test('has no label where the second cannot judge it', async () => {
    const lacking: Verdict = {outcome: 'not-covered', missing: ['a list of tensors'], executor: board}
    const {labels, unlabelled} = await confirmed(second({run: adding(0), build: () => lacking}))
    expect(labels).toEqual([])
    expect(unlabelled).toEqual([{reason: 'not-covered', detail: 'cann-board lacks a list of tensors'}])
  })

  test('has no verdict where a tool of the second fails', async () => {
    const failing = () => Promise.reject(new PipelineError('executor-failed', 'lost', {fix: 'Find it.'}))
    await expect(confirmed(second({run: adding(0)}, {build: failing}))).rejects.toMatchObject({code: 'executor-failed'})
  })

  test('is dropped, as the record that came in, where its task cannot be judged at all', async () => {
    const module = {kind: 'pytorch', path: 'module.py'} as const
    const items: unknown[] = []
    const stage = confirm({executor: second({run: adding(0)}), ...options})
    const given = {...green, task: {...task, reference: module}}
    const drop = (item: unknown) => {
      items.push(item)
      return []
    }
    const context = {drop} as never
    const made = []
    for await (const one of stage.run(listed(given), context)) made.push(one)
    expect(made).toEqual([])
    expect(items).toEqual([given])
  })
})

async function* listed<T>(...items: T[]): AsyncIterable<T> {
  yield* items
}

test('a tool of the second that fails leaves a failed record, which the next run tries again', async () => {
  const out = await temporaryFolder()
  let lost = true
  const build: Executor['build'] = (program, signal) =>
    lost
      ? Promise.reject(new PipelineError('executor-failed', 'the board is lost', {fix: 'Find it.'}))
      : sound.build(program, signal)
  const sound = second({run: adding(1)})
  const given: Stage<JudgedCandidate, JudgedCandidate> = {
    ...{name: 'given', version: 1, input: JudgedCandidate, output: JudgedCandidate},
    run: each((one) => [one]),
  }
  const line = Pipeline.from('confirmed', [green], given)
    .via(confirm({executor: {...sound, build}, ...options}))
    .via(label())
  const first = await runPipeline(requestOf(line, out))
  expect(first.counts.map(({failed, written}) => [failed, written])).toEqual([
    ...[
      [0, 1],
      [1, 0],
      [0, 0],
    ],
  ])
  lost = false
  const again = await runPipeline(requestOf(line, out))
  expect(again.counts.map(({failed, written}) => [failed, written])).toEqual([
    ...[
      [0, 1],
      [0, 1],
      [0, 1],
    ],
  ])
  const labels: string[] = []
  for await (const one of emittedBy(out, 'confirmed', LabelledCandidate)) labels.push(one.label)
  expect(labels).toEqual(['orange'])
})

test('a correction is held by both executors, and says so', async () => {
  const executor = scriptedExecutor({run: adding(0)})
  const context = {
    seed: 's',
    signal: new AbortController().signal,
    log: silentLog,
    drop: () => [],
  } as unknown as Context
  const {canary: _, verdict: __, ...candidate} = green
  const by = (script?: Script) => checkBy(executor, script && second(script))
  expect(await by().judge(candidate, context)).not.toHaveProperty('confirmation')
  expect(await by({run: adding(1)}).judge(candidate, context)).toMatchObject({
    verdict: {outcome: 'mismatched', executor: board},
    confirmation: {first: {outcome: 'correct'}},
  })
  expect(by().identity).not.toBe(by({run: adding(0)}).identity)
})

test('what the first found wrong is not asked about', async () => {
  const executor = scriptedExecutor({run: adding(0)})
  const wrong = [
    judged({task, verdict: {outcome: 'mismatched', cases: [], executor: scriptedIdentity}}),
    judged({task, verdict: {outcome: 'not-covered', missing: [], executor: scriptedIdentity}}),
  ]
  const {outputs} = await confirmed({...executor, identity: board}, wrong)
  expect(outputs).toEqual(wrong)
  expect(executor.builds).toEqual([])
})

test('the key holds the fingerprint of the second, and its rules', () => {
  const executor = second({run: adding(0)})
  const newer = {...executor, identity: {...board, fingerprint: 'board-2'}}
  const keys = [confirm({executor}), confirm({executor: newer}), confirm({executor, sizes: 'pinned'})]
  expect(new Set(keys.map(({options: key}) => JSON.stringify(key))).size).toBe(3)
  expect(keys[0]?.options).toMatchObject({judge: judge({executor}).version})
})

test('there is no stage without a second executor', () => {
  expect(confirmedBy(undefined, {})).toEqual([])
  expect(confirmedBy(second({run: adding(0)}), {}).map(({name}) => name)).toEqual(['confirm'])
})
