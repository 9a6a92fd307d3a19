import {describe, expect, test} from 'vitest'
import type {Candidate, JudgedCandidate} from '../../datasets/schema/candidate.ts'
import type {Executor} from '../../datasets/schema/executor.ts'
import type {OperatorTask} from '../../datasets/schema/task.ts'
import {decode, encode} from '../../datasets/dtype.ts'
import {silentLog} from '../../engine/log.ts'
import {perRecord, type Context, type PerRecordRun} from '../../engine/stage.ts'
import judge from '../../eval/judge.ts'
import {sharedWork} from '../../eval/shared-work.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import {runStage} from '../helpers/run-stage.ts'
import {scriptedExecutor, type Script} from '../helpers/scripted-executor.ts'

const [task] = await loadTasks({root: 'test/fixtures/tasks'}, () => [])

function candidate(changes: Partial<OperatorTask> = {}, text = 'void scale_shift() {}'): Candidate {
  if (!task) throw new Error('the fixture task is gone')
  const file = {path: 'op_kernel/scale_shift.cpp', text}
  return {
    task: {...task, answer: [], ...changes},
    sampler: {kind: 'answer'},
    prompt: 'Write it.',
    reasoning: '',
    files: [file],
    written: [file.path],
  }
}

const scaleShift: Script['run'] = ({inputs, attributes}) =>
  inputs.map(({data, dtype}) => {
    const {scale, shift} = attributes as {scale: number; shift: number}
    return encode(
      decode(data, dtype).map((value) => value * scale + shift),
      dtype,
    )
  })
const correct: Script = {run: scaleShift}

test('work is kept for so many results, the oldest is done again', async () => {
  const share = sharedWork<string>(2)
  const done: string[] = []
  const ask = async (key: string) => (await share(key, () => Promise.resolve(done.push(key)).then(() => key))).shared
  expect(await Promise.all([ask('a'), ask('a')])).toEqual([false, true])
  expect([await ask('b'), await ask('a'), await ask('c'), await ask('b'), await ask('a')]).toEqual([
    false,
    true,
    false,
    true,
    false,
  ])
  expect(done).toEqual(['a', 'b', 'c', 'a'])
})

describe('candidates of the same files', () => {
  const other = 'void scale_shift() { }'
  const alike = (): Candidate[] => [
    candidate(),
    {...candidate(), sampler: {kind: 'model', model: 'm', sample: 1}, reasoning: 'another'},
    candidate({}, other),
  ]
  const files = (first: string, second: string) => [
    {path: `op_kernel/${first}.h`, text: first},
    {path: `op_kernel/${second}.h`, text: second},
  ]

  test('are judged once, and each leaves as it came, with the verdict', async () => {
    const executor = scriptedExecutor(correct)
    const {outputs} = await runStage(judge({executor}), alike())
    expect(outputs.map(({verdict}) => verdict.outcome)).toEqual(['correct', 'correct', 'correct'])
    expect(outputs.map(({sampler, reasoning}) => [sampler.kind, reasoning])).toEqual([
      ['answer', ''],
      ['model', 'another'],
      ['answer', ''],
    ])
    // Two texts, each for two combinations of dtypes.
    expect(executor.builds).toHaveLength(4)
  })

  test('are judged once in whatever order their files stand', async () => {
    const executor = scriptedExecutor(correct)
    const two = [files('a', 'b'), files('b', 'a')].map((texts) => ({...candidate(), files: texts}))
    expect((await runStage(judge({executor}), two)).outputs).toHaveLength(2)
    expect(executor.builds).toHaveLength(2)
  })

  test('are judged once while that goes on, and counted', async () => {
    const executor = scriptedExecutor(correct)
    const said: string[] = []
    const {outputs} = await together(executor, [...alike(), ...alike()], said)
    expect(outputs).toHaveLength(6)
    expect(executor.builds).toHaveLength(4)
    expect(said).toEqual(Array.from({length: 4}, () => 'judged once with another of the same files ScaleShift'))
  })

  test('are judged for each task, for its cases are its own', async () => {
    const executor = scriptedExecutor(correct)
    await runStage(judge({executor}), [candidate(), candidate({description: 'Another.'})])
    expect(executor.builds).toHaveLength(4)
  })

  test('are judged again when a tool failed: that is no verdict', async () => {
    let broken = true
    const executor = scriptedExecutor({
      run(operatorCase, how, program) {
        if (!broken) return scaleShift(operatorCase, how, program)
        broken = false
        throw new Error('the sandbox is gone')
      },
    })
    const {outputs, failed} = await together(executor, [candidate(), candidate(), candidate()])
    expect(failed).toEqual(['the sandbox is gone'])
    expect(outputs.map(({verdict}) => verdict.outcome)).toEqual(['correct', 'correct'])
    expect(executor.builds).toHaveLength(2 + 2)
  })

  /** All at once, as a run with much concurrency does it. */
  async function together(executor: Executor, candidates: readonly Candidate[], said: string[] = []) {
    const run = judge({executor}).run as PerRecordRun<Candidate, JudgedCandidate>
    const log = {
      ...silentLog,
      info: (text: string, fields = {}) => void said.push(`${text} ${Object.values(fields)[0]}`),
    }
    const context = {seed: 'test', log, signal: new AbortController().signal, drop: () => []} as unknown as Context
    const ends = await Promise.allSettled(candidates.map((one) => run[perRecord].fn(one, context)))
    return {
      outputs: ends.flatMap((end) => (end.status === 'fulfilled' ? end.value : [])),
      failed: ends.flatMap((end) => (end.status === 'rejected' ? [(end.reason as Error).message] : [])),
    }
  }
})
