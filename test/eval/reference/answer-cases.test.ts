import {describe, expect, test} from 'vitest'
import type {Candidate, JudgedCandidate} from '../../../datasets/schema/candidate.ts'
import type {Execution, Program} from '../../../datasets/schema/executor.ts'
import {labelOf} from '../../../datasets/schema/label.ts'
import type {DrawnCall} from '../../../datasets/schema/operator-call.ts'
import type {OperatorCase, OperatorTask} from '../../../datasets/schema/task.ts'
import {decode, encode} from '../../../datasets/dtype.ts'
import judge from '../../../eval/judge.ts'
import {drawnCase} from '../../../eval/reference/answer-cases.ts'
import {inputFamilies} from '../../../eval/reference/inputs.ts'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {scriptedExecutor, scriptedIdentity, type Script} from '../../helpers/scripted-executor.ts'

const call: DrawnCall = {
  dtypes: {x: 'float32', index: 'int32', axis: 'int64', y: 'float32'},
  inputs: [
    {name: 'x', dtype: 'float32', shape: [6, 40], range: [-4, 4]},
    {name: 'x', dtype: 'float32', shape: [6, 40], range: [0.5, 4]},
    {name: 'index', dtype: 'int32', shape: [64], range: [0, 7]},
    {name: 'axis', dtype: 'int64', shape: [2], range: [-8, 8], values: [1, 0]},
  ],
  attributes: {slope: 0.5},
  outputs: [{name: 'y', dtype: 'float32', shape: [6, 40]}],
}

describe('a drawn call', () => {
  const drawn = (family: (typeof inputFamilies)[number], seed = 's', id = '0') =>
    drawnCase(call, {id, family, seed: [seed]}).inputs.map(({dtype, data}) => [...decode(data, dtype)])

  test.each(inputFamilies)('stays within its ranges, and keeps what is given: %s', (family) => {
    const [x = [], positive = [], index = [], axis] = drawn(family)
    expect(x).toHaveLength(240)
    expect(Math.max(...x.map(Math.abs))).toBeLessThanOrEqual(4)
    expect(Math.min(...positive)).toBeGreaterThanOrEqual(0.5)
    expect(Math.max(...positive)).toBeLessThanOrEqual(4)
    expect(index.every((value) => Number.isInteger(value) && value >= 0 && value <= 7)).toBe(true)
    expect(axis).toEqual([1, 0])
  })

  test('fills the range of the call with uniform inputs, and hands on attributes and outputs', () => {
    const [x = [], , index = []] = drawn('uniform')
    expect(Math.min(...x)).toBeLessThan(-3.5)
    expect(Math.max(...x)).toBeGreaterThan(3.5)
    expect([...new Set(index)].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(drawnCase(call, {id: '3', family: 'uniform', seed: []})).toMatchObject({
      id: '3',
      attributes: {slope: 0.5},
      outputs: call.outputs,
    })
  })

  test('depends on seed, case, family and place in a list, and on nothing else', () => {
    expect(drawn('uniform')).toEqual(drawn('uniform'))
    const others = [drawn('uniform', 'other'), drawn('uniform', 's', '1'), drawn('normal')]
    for (const other of others) expect(other[0]).not.toEqual(drawn('uniform')[0])
    const twice = {...call, inputs: [call.inputs[0], call.inputs[0]] as DrawnCall['inputs']}
    const [first, second] = drawnCase(twice, {id: '0', family: 'uniform', seed: []}).inputs
    expect(first?.data).not.toEqual(second?.data)
  })

  test('draws integers from whole numbers around the range, within their type', () => {
    const narrow = {name: 'n', dtype: 'int8' as const, shape: [400], range: [0.2, 0.9] as [number, number]}
    const flag = {name: 'b', dtype: 'bool' as const, shape: [400], range: [-1, 1] as [number, number]}
    const {inputs} = drawnCase({...call, inputs: [narrow, flag]}, {id: '0', family: 'uniform', seed: []})
    expect(inputs.map(({data}) => new Set(data))).toEqual([new Set([1]), new Set([0, 1])])
  })
})

const [known] = await loadTasks({root: 'test/fixtures/tasks'}, () => [])
const answer = [{path: 'op_kernel/scale_shift.cpp', text: 'answer'}]
const oneInput: DrawnCall = {
  ...call,
  dtypes: {x: 'float32', y: 'float32'},
  inputs: [{name: 'x', dtype: 'float32', shape: [6, 40], range: [-4, 4]}],
}

function candidate(text = 'candidate', changes: Partial<OperatorTask> = {}): Candidate {
  if (!known) throw new Error('the fixture task is gone')
  const task: OperatorTask = {
    ...known,
    cases: [{case_id: '0', shape: '[6, 40]'}],
    reference: {kind: 'answer', calls: {'0': oneInput, '1': oneInput}},
    answer,
    ...changes,
  }
  const files = [{path: 'op_kernel/scale_shift.cpp', text}]
  return {task, sampler: {kind: 'answer'}, prompt: 'p', reasoning: '', files, written: ['op_kernel/scale_shift.cpp']}
}

type Run = Script['run']

/** An operator by what it makes of each value. */
const making =
  (of: (value: number) => number): Run =>
  ({inputs}) => [encode(decode(inputs[0]?.data ?? new Uint8Array(), 'float32').map(of), 'float32')]
const twice = making((value) => 2 * value)

interface Scripts {
  answer?: Run
  candidate?: Run
  build?: Script['build']
}

async function judged(scripts: Scripts, candidates: Candidate[] = [candidate()]) {
  const executor = scriptedExecutor({
    ...(scripts.build && {build: scripts.build}),
    run: (operatorCase, how, program) =>
      ((isAnswer(program) ? scripts.answer : scripts.candidate) ?? twice)(operatorCase, how, program),
  })
  const {outputs, dropped} = await runStage(judge({executor, concurrency: 2}), candidates)
  expect(executor.openBuilds(), 'builds that were not disposed').toBe(0)
  return {outputs: outputs as JudgedCandidate[], dropped, executor}
}

const isAnswer = ({files}: Program) => files[0]?.text === 'answer'
const failed: Execution = {outcome: 'launch-failed', message: 'GRAPH_FAILED'}
const values = ({inputs}: OperatorCase) => [...decode(inputs[0]?.data ?? new Uint8Array(), 'float32')]

describe('a task whose own answer is its reference', () => {
  test('has a candidate that computes the same called correct, at the sizes of its call', async () => {
    const {outputs} = await judged({})
    expect(outputs).toMatchObject([
      {
        verdict: {outcome: 'correct', cases: [{case: '0', literal: true, hardened: true, sizes: 'fixed'}]},
        canary: {state: 'green', leftOut: []},
      },
    ])
  })

  test.each<[string, (value: number) => number]>([
    ['everywhere', (value) => 2 * value + 1],
    ['beyond 3.5', (value) => (Math.abs(value) > 3.5 ? 0 : 2 * value)],
    ['by more than the type rounds', (value) => 2 * value * 1.01],
  ])('has a candidate that computes something else %s refused', async (_, of) => {
    const {outputs} = await judged({candidate: making(of)})
    expect(outputs.map(({verdict}) => labelOf(verdict))).toEqual(['orange'])
  })

  test('lets rounding pass, and tells by the literal rule what the benchmark would say', async () => {
    const close = await judged({candidate: making((value) => 2 * value * (1 + 3e-5))})
    expect(close.outputs[0]?.verdict.outcome).toBe('correct')
    const far = await judged({candidate: making((value) => 2 * value * (1 + 5e-4))})
    expect(far.outputs[0]?.verdict).toMatchObject({outcome: 'mismatched', cases: [{literal: true, hardened: false}]})
  })

  test('is judged in every case by the call of that case', async () => {
    const smaller = {
      ...oneInput,
      inputs: [{...oneInput.inputs[0], shape: [3]}],
      outputs: [{...oneInput.outputs[0], shape: [3]}],
    }
    const changes = {
      cases: [{case_id: '0'}, {case_id: '1'}],
      reference: {kind: 'answer', calls: {'0': oneInput, '1': smaller}},
    } as Partial<OperatorTask>
    const spoilt: Run = (one, ...rest) =>
      values(one).length === 3 ? making(() => 0)(one, ...rest) : twice(one, ...rest)
    const {outputs} = await judged({candidate: spoilt}, [candidate('candidate', changes)])
    expect(outputs[0]?.verdict).toMatchObject({
      cases: [
        {case: '0', hardened: true},
        {case: '1', hardened: false},
      ],
    })
  })

  test('builds its answer for the first candidate alone', async () => {
    const {executor, outputs} = await judged(
      {},
      ['a', 'b', 'answer', 'c', 'd'].map((text) => candidate(text)),
    )
    expect(outputs).toHaveLength(5)
    const built = executor.builds.map(({files}) => files[0]?.text).sort()
    // As a candidate and as the reference of that.
    expect(built).toEqual(['a', 'answer', 'answer', 'b', 'c', 'd'])
  })

  test('has rows without a call left out', async () => {
    const {dropped, outputs} = await judged({}, [candidate('candidate', {cases: [{case_id: '0'}, {case_id: '7'}]})])
    expect(dropped).toMatchObject([{reason: 'case-without-call', detail: expect.stringContaining('case 7') as string}])
    expect(outputs[0]?.verdict).toMatchObject({cases: [{case: '0'}]})
  })

  test('spares candidates the inputs that its answer does not run on', async () => {
    const careful: Run = (one, ...rest) => (values(one).includes(4) ? failed : twice(one, ...rest))
    const {outputs} = await judged({answer: careful, candidate: careful})
    expect(outputs).toMatchObject([
      {
        verdict: {outcome: 'correct'},
        canary: {
          state: 'green',
          leftOut: expect.arrayContaining([
            {case: '0', family: 'boundary', reason: expect.any(String) as string},
          ]) as unknown,
        },
      },
    ])
  })
})

describe('an answer that is no reference has candidates dropped, and none labelled', () => {
  const two = [candidate(), candidate('other')]
  let runs = 0
  test.each<[string, Scripts, string]>([
    [
      'leaves an output as it was',
      {answer: ({outputs}, {poison}) => outputs.map(() => new Uint8Array(960).fill(poison === 'zero' ? 0 : 0xff))},
      'answer-unsteady',
    ],
    [
      'hangs on the order of blocks in one bit',
      {
        answer: (one, how, program) =>
          making((value) => (how.order === 'reverse' ? value : value + 2 ** -20))(one, how, program),
      },
      'answer-unsteady',
    ],
    [
      'gives other values each time',
      {answer: (one, how, program) => making((value) => value + (runs += 1))(one, how, program)},
      'answer-unsteady',
    ],
    ['does not run', {answer: () => failed}, 'answer-not-green'],
    [
      'gives what the literal rule takes from nobody',
      {answer: making(() => NaN), candidate: making(() => NaN)},
      'answer-not-green',
    ],
    [
      'is not covered',
      {
        answer: () => ({
          outcome: 'violated',
          violation: {rule: 'not-covered', block: 0, api: 'A', tensor: '', message: 'm', fix: ''},
        }),
      },
      'answer-does-not-run',
    ],
  ])('it %s', async (_, scripts, reason) => {
    const {outputs, dropped} = await judged(scripts, two)
    expect(outputs).toEqual([])
    expect(dropped.map((drop) => drop.reason)).toEqual([reason, reason])
    expect(dropped[0]?.detail).toMatch(/^ScaleShift: ./)
  })

  test('it looks like cheating itself', async () => {
    const text = '#include <fstream>\nstd::ifstream file("expected.bin");'
    const script = {run: twice}
    const executor = scriptedExecutor(script)
    const cheat = [{path: 'op_host/scale_shift.cpp', text}]
    const {outputs, dropped} = await runStage(judge({executor}), [candidate('candidate', {answer: cheat})])
    expect(outputs).toEqual([])
    expect(dropped).toMatchObject([{reason: 'answer-looks-cheated'}])
    expect(executor.openBuilds()).toBe(0)
  })

  test('is asked once for all candidates of the task: another try might come out otherwise', async () => {
    const {executor} = await judged({answer: () => failed}, two)
    expect(executor.builds.filter(isAnswer)).toHaveLength(1)
  })

  test('but is a failure of the executor where it does not build any more', async () => {
    const refused = {outcome: 'link-failed' as const, log: 'no linker', executor: scriptedIdentity}
    const building = judged({build: (program) => (isAnswer(program) ? refused : undefined)})
    await expect(building).rejects.toMatchObject({code: 'executor-failed'})
  })
})
