import {expect, test} from 'vitest'
import type {Candidate} from '../../datasets/schema/candidate.ts'
import type {Executor, MeasuredRun} from '../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../datasets/schema/task.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {decode, encode} from '../../datasets/dtype.ts'
import judge from '../../eval/judge.ts'
import score from '../../eval/score.ts'
import {scoreTables} from '../../eval/scores/table.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import {runStage} from '../helpers/run-stage.ts'
import {scriptedExecutor} from '../helpers/scripted-executor.ts'

const [task] = await loadTasks({root: 'test/fixtures/tasks'}, () => [])
const path = 'op_kernel/scale_shift.cpp'

function candidate(text: string): Candidate {
  if (!task) throw new Error('the fixture task is gone')
  const answer = [{path, text: 'void scale_shift() {}'}]
  const sampler = {kind: 'model', model: 'm', sample: 0} as const
  return {task: {...task, answer}, sampler, prompt: 'Write it.', reasoning: '', files: [{path, text}], written: [path]}
}

function scaled({inputs: [x], attributes}: OperatorCase): Uint8Array[] {
  const {scale, shift} = attributes as {scale: number; shift: number}
  if (!x) throw new Error('no input')
  const values = decode(x.data, x.dtype).map((value) => value * scale + shift)
  return [encode(values, x.dtype)]
}

/** Runs everything right; the text of a kernel says how long it takes, and whether it is wrong when it is timed. */
function timing(): {executor: Executor; timed: string[]} {
  const plain = scriptedExecutor({run: scaled})
  const texts = new Map<unknown, string>()
  const timed: string[] = []
  const executor: Executor = {
    ...plain,
    async build(program, signal) {
      const end = await plain.build(program, signal)
      if (end.ok) texts.set(end.build, program.files[0]?.text ?? '')
      return end
    },
    measure(build, operatorCase): Promise<MeasuredRun> {
      const text = texts.get(build) ?? ''
      timed.push(text)
      const microseconds = Number(/takes (\d+)/.exec(text)?.[1] ?? 10)
      const outputs = scaled(operatorCase)
      return Promise.resolve({
        microseconds,
        spread: 1,
        repeats: 20,
        outputs: /wrong/.test(text) ? [new Uint8Array(outputs[0]?.length ?? 0)] : outputs,
      })
    },
  }
  return {executor, timed}
}

async function judged(executor: Executor, ...texts: string[]) {
  const {outputs, dropped} = await runStage(judge({executor}), texts.map(candidate))
  expect(dropped).toEqual([])
  return outputs
}

const timesOf = (verdict: Verdict | undefined) => verdict?.outcome === 'correct' && verdict.cases.map(({time}) => time)

test('a correct candidate has a time in every case beside that of the answer, which is timed once a case', async () => {
  const {executor, timed} = timing()
  const [one, other, own] = await judged(executor, 'a; // takes 5', 'b; // takes 40', 'void scale_shift() {}')
  const beside = {spread: 1, repeats: 20, answer: 10}
  expect(timesOf(one?.verdict)).toEqual(Array(3).fill({...beside, microseconds: 5}))
  expect(timesOf(other?.verdict)).toEqual(Array(3).fill({...beside, microseconds: 40}))
  expect(timesOf(own?.verdict)).toEqual(Array(3).fill({spread: 1, repeats: 20, microseconds: 10}))
  expect(timed.filter((text) => text === 'void scale_shift() {}')).toHaveLength(6)
})

test('one that is wrong in its timed launches is not correct', async () => {
  const [one] = await judged(timing().executor, 'a; // wrong')
  expect(one?.verdict).toMatchObject({outcome: 'mismatched'})
  const [first] = one?.verdict.outcome === 'mismatched' ? one.verdict.cases : []
  expect(first).toMatchObject({hardened: false, reason: expect.stringMatching(/^after timing, /)})
})

test('speedups fill their columns, and without times there are none', async () => {
  const {executor} = timing()
  const outputs = await judged(executor, 'a; // takes 5', 'b; // takes 20', 'c; // takes 80', 'd; // wrong')
  const {outputs: scores} = await runStage(score({ks: [1]}), outputs)
  const all = scores.find((one) => one.kind === 'rates' && one.scope.by === 'all')
  expect(all).toMatchObject({
    speedup: {value: expect.closeTo((2 * 0.5 * 0.125) ** (1 / 3)), candidates: 3},
    fast: [
      {least: 0.2, share: 0.5},
      {least: 0.8, share: 0.25},
      {least: 1, share: 0.25},
    ],
  })
  const [, table] = scoreTables(scores).tables
  expect(table?.columns.slice(-4)).toEqual(['Speedup (×)', 'Fast0.2 (%)', 'Fast0.8 (%)', 'Fast1.0 (%)'])
  expect(table?.rows.at(-1)?.slice(-4)).toEqual(['0.50', '50.00', '25.00', '25.00'])
  const untimed = await judged(scriptedExecutor({run: scaled}), 'a; // takes 5')
  const {outputs: plain} = await runStage(score({ks: [1]}), untimed)
  expect(plain.filter((one) => 'speedup' in one || 'fast' in one)).toEqual([])
  expect(scoreTables(plain).tables[1]?.columns.join()).not.toMatch(/Speedup|Fast/)
})

test('an executor that compiles only runs nothing, and says of what compiles that it does', async () => {
  const plain = scriptedExecutor({run: () => expect.unreachable()})
  const [one] = await judged({...plain, reach: 'compiles'}, 'a;')
  expect(one).toMatchObject({verdict: {outcome: 'compiled'}, canary: {state: 'none'}})
})
