import {describe, expect, test} from 'vitest'
import {PipelineError} from '../../engine/errors.ts'
import type {Candidate, JudgedCandidate} from '../../datasets/schema/candidate.ts'
import type {Execution, Program} from '../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../datasets/schema/task.ts'
import judge, {type JudgeOptions} from '../../eval/judge.ts'
import {decode, encode} from '../../datasets/dtype.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import {runStage} from '../helpers/run-stage.ts'
import {scriptedExecutor, type Script} from '../helpers/scripted-executor.ts'

const [task] = await loadTasks({root: 'test/fixtures/tasks'}, () => [])
const rows = [0, 1, 2, 3].map((id) => ({
  case_id: String(id),
  shape: '[6, 40]',
  dtype: 'float32',
  scale: '2',
  shift: '1',
}))

type Change = (value: number, operatorCase: OperatorCase) => number
type Serves = (operatorCase: OperatorCase) => Execution | undefined

/** x → 2x + 1, in which something may be wrong; `stops` ends some runs. */
function scaleShift(change: Change = (value) => value * 2 + 1, stops: Serves = () => undefined): Script['run'] {
  return (operatorCase) => {
    const stopped = stops(operatorCase)
    if (stopped) return stopped
    const [x] = operatorCase.inputs
    return [
      encode(
        decode(x?.data ?? new Uint8Array(), 'float32').map((value) => change(value, operatorCase)),
        'float32',
      ),
    ]
  }
}

const right = scaleShift()
const failed: Execution = {outcome: 'launch-failed', message: 'the tiling function returned GRAPH_FAILED'}
/** Serves the shape of the table and no other. */
const tableOnly = scaleShift(undefined, ({inputs}) => (inputs[0]?.shape.join() === '6,40' ? undefined : failed))

function candidate(text = 'candidate'): Candidate {
  if (!task) throw new Error('the fixture task is gone')
  const files = [{path: 'op_kernel/scale_shift.cpp', text}]
  return {
    task: {...task, cases: rows, answer: [{path: 'op_kernel/scale_shift.cpp', text: 'answer'}]},
    sampler: {kind: 'answer'},
    prompt: 'p',
    reasoning: '',
    files,
    written: ['op_kernel/scale_shift.cpp'],
  }
}

interface Scripts {
  answer?: Script['run']
  candidate?: Script['run']
  build?: Script['build']
}

async function judged(scripts: Scripts, options: Partial<JudgeOptions> = {}, candidates = [candidate()]) {
  const executor = scriptedExecutor({
    ...(scripts.build && {build: scripts.build}),
    run: (operatorCase, how, program) =>
      (isAnswer(program) ? scripts.answer : scripts.candidate)?.(operatorCase, how, program) ??
      right(operatorCase, how, program),
  })
  const {outputs} = await runStage(judge({executor, ...options}), candidates)
  expect(executor.openBuilds()).toBe(0)
  return {outputs, executor, ...(outputs[0] as JudgedCandidate)}
}

const isAnswer = ({files}: Program) => files[0]?.text === 'answer'

describe('a task whose own answer is correct', () => {
  test('has its candidates judged, each family with some row, and says so', async () => {
    const {verdict, canary} = await judged({})
    expect(verdict).toMatchObject({outcome: 'correct', cases: rows.map(() => ({sizes: 'fresh', hardened: true}))})
    expect(canary).toEqual({state: 'green', leftOut: []})
  })

  test('is asked once for all its candidates, and not again for itself', async () => {
    const {executor, outputs} = await judged({}, {concurrency: 3}, [
      candidate(),
      candidate('other'),
      candidate('answer'),
    ])
    // Once for its rows, once for the size beyond them.
    const builds = ['answer', 'answer', 'candidate', 'other']
    expect(executor.builds.map(({files}) => files[0]?.text).sort()).toEqual(builds)
    expect(outputs.map(({verdict}) => verdict.outcome)).toEqual(['correct', 'correct', 'correct'])
  })

  test.each<[string, Change, string]>([
    ['is right in [-10, 10] only', (value) => Math.min(Math.max(value, -10), 10) * 2 + 1, 'wide inputs'],
    ['takes infinities for large numbers', (value) => Math.min(value, 1e38) * 2 + 1, 'infinite inputs'],
    [
      'forgets the sign of an infinity',
      (value) => (Math.abs(value) === Infinity ? Infinity : value * 2 + 1),
      'infinite',
    ],
    ['takes NaN for zero', (value) => (Number.isNaN(value) ? 1 : value * 2 + 1), 'nan inputs'],
    ['gives infinity for negative zero', (value) => (Object.is(value, -0) ? -Infinity : value * 2 + 1), 'inputs'],
    ['breaks on denormals', (value) => (value !== 0 && Math.abs(value) < 1e-38 ? NaN : value * 2 + 1), 'denormal'],
  ])('has a candidate refused that %s', async (_, change, reason) => {
    const {verdict} = await judged({candidate: scaleShift(change)})
    if (verdict.outcome !== 'mismatched') throw new Error(verdict.outcome)
    const found = verdict.cases.filter(({hardened}) => !hardened).map((one) => one.reason)
    expect(found.join('\n')).toContain(reason)
    expect(verdict.cases.every(({literal}) => literal)).toBe(true)
  })

  test('has a candidate refused that serves the sizes of the table only', async () => {
    const {verdict} = await judged({candidate: tableOnly})
    expect(verdict).toMatchObject({
      outcome: 'launch-failed',
      message: expect.stringMatching(/GRAPH_FAILED with inputs of another size \(shape \[\d+, \d+\]\)$/) as string,
    })
  })

  test('still says then that the literal rule passes it, when the judge is tolerant', async () => {
    const {verdict} = await judged({candidate: tableOnly}, {tolerant: true})
    expect(verdict).toMatchObject({outcome: 'launch-failed', cases: rows.map(() => ({literal: true, hardened: false}))})
  })

  test('does not have it refused where the table pins the sizes', async () => {
    const {verdict} = await judged({candidate: tableOnly}, {sizes: 'pinned'})
    expect(verdict).toMatchObject({outcome: 'correct', cases: rows.map(() => ({sizes: 'pinned'}))})
  })
})

describe('what an answer does not pass beyond its rows is left out for candidates', () => {
  const noNaN: Change = (value) => (Number.isNaN(value) ? 0 : value * 2 + 1)

  test('a family', async () => {
    const {verdict, canary} = await judged({answer: scaleShift(noNaN), candidate: scaleShift(noNaN)})
    expect(verdict.outcome).toBe('correct')
    expect(canary).toMatchObject({state: 'green', leftOut: [{case: '2', family: 'nan'}]})
  })

  test('other sizes', async () => {
    const {verdict, canary} = await judged({answer: tableOnly, candidate: tableOnly})
    expect(verdict).toMatchObject({outcome: 'correct', cases: rows.map(() => ({sizes: 'unserved'}))})
    expect(canary).toMatchObject({
      leftOut: rows.map(({case_id: id}) => ({
        case: id,
        family: 'uniform',
        reason: expect.stringContaining('FAILED') as string,
      })),
    })
  })
})

describe('a task whose own answer is not correct', () => {
  const stopped = async (scripts: Scripts): Promise<PipelineError> => {
    const error: unknown = await judged(scripts).catch((caught: unknown) => caught)
    if (!(error instanceof PipelineError)) throw new Error('it was judged')
    return error
  }

  test.each<[string, Scripts, RegExp]>([
    ['computes wrong numbers', {answer: scaleShift((value) => value * 2)}, /own answer is mismatched \(case y, normal/],
    ['fails in the families of every task', {answer: scaleShift((value) => Math.min(value, 9) * 2 + 1)}, /mismatched/],
    ['cannot be launched', {answer: () => failed}, /launch-failed \(case 0: .*GRAPH_FAILED/],
    [
      'does not compile',
      {
        build: (program) =>
          isAnswer(program)
            ? {
                outcome: 'compile-failed',
                diagnostics: [],
                log: 'no header',
                executor: scriptedExecutor({run: right}).identity,
              }
            : undefined,
      },
      /compile-failed \(no header\)/,
    ],
  ])('is stopped: it %s', async (_, scripts, message) => {
    const {code, scope, message: said, fix} = await stopped(scripts)
    expect({code, scope}).toEqual({code: 'executor-failed', scope: 'record'})
    expect(said).toMatch(message)
    expect(fix).toContain('doctor')
  })

  test('is judged all the same where it is exempt, which its record says', async () => {
    const exempt = {ScaleShift: 'its answer is known to be mismatched'}
    const {verdict, canary} = await judged({answer: scaleShift(() => 0)}, {exempt})
    expect(verdict.outcome).toBe('correct')
    expect(canary).toEqual({state: 'none', why: 'its answer is known to be mismatched'})
  })
})

test('an answer that the executor cannot judge stops nothing, and opens no further family', async () => {
  const violation = {rule: 'not-covered', block: 0, api: 'A', tensor: '', message: 'm', fix: ''}
  const {verdict, canary, executor} = await judged({answer: () => ({outcome: 'violated', violation})})
  expect(verdict.outcome).toBe('correct')
  expect(canary).toEqual({state: 'none', why: 'the executor does not cover its own answer'})
  expect(executor.runs.length).toBe(1 + rows.length * 3)
})

test('a task without an answer has no canary', async () => {
  const one = candidate()
  const {verdict, canary} = await judged({}, {}, [{...one, task: {...one.task, answer: []}}])
  expect(verdict.outcome).toBe('correct')
  expect(canary).toEqual({state: 'none', why: 'the task has no answer of its own'})
})

test('an executor that breaks while an answer is asked is asked again by the next candidate', async () => {
  let broken = true
  const executor = scriptedExecutor({
    run(operatorCase, how, program) {
      if (!broken) return right(operatorCase, how, program)
      broken = false
      throw new Error('the sandbox is gone')
    },
  })
  const stage = judge({executor})
  await expect(runStage(stage, [candidate()])).rejects.toThrow('the sandbox is gone')
  expect((await runStage(stage, [candidate()])).outputs[0]?.verdict.outcome).toBe('correct')
})
