import {describe, expect, test} from 'vitest'
import {modulePath, type OperatorTask, type OperatorCase} from '../../datasets/schema/task.ts'
import type {TensorSpec} from '../../datasets/schema/tensor.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import judge from '../../eval/judge.ts'
import {decode, encode, isInteger} from '../../datasets/dtype.ts'
import {caseId, expectedOutputs, loadReference} from '../../eval/reference/typescript.ts'
import {runStage} from '../helpers/run-stage.ts'
import {scriptedExecutor, untouchedOutputs, type Script} from '../helpers/scripted-executor.ts'

// What wrongly passes a weak check: a task that accepts any of these would label a broken kernel green.

const refuse = (_item: unknown, reason: string, detail?: string) => {
  throw new Error(`${reason}: ${detail}`)
}
const tasks = [
  ...(await loadTasks({root: 'sources/starter/tasks', operators: 'sources/starter/operators'}, refuse)),
  ...(await loadTasks({root: 'sources/starter/heldout'}, refuse)),
]

type Change = (expected: Float64Array, spec: TensorSpec, operatorCase: OperatorCase) => Uint8Array

const substitutes: Record<string, Change> = {
  zeros: (expected, spec) =>
    encode(
      expected.map(() => 0),
      spec.dtype,
    ),
  ones: (expected, spec) =>
    encode(
      expected.map(() => 1),
      spec.dtype,
    ),
  'its first input': (expected, spec, {inputs}) => {
    const data = decode(inputs[0]?.data ?? new Uint8Array(), inputs[0]?.dtype ?? 'float32')
    return encode(
      expected.map((_, index) => fit(data[index % data.length] ?? 0, spec)),
      spec.dtype,
    )
  },
  'a wrong last element': (expected, spec) =>
    encode(
      expected.map((value, index) => (index === expected.length - 1 ? fit(value * 1.05 + 1, spec) : value)),
      spec.dtype,
    ),
  'results five percent too large': (expected, spec) =>
    encode(
      expected.map((value) => fit(value * 1.05 + (isInteger(spec.dtype) ? 1 : 0), spec)),
      spec.dtype,
    ),
}

function fit(value: number, {dtype}: TensorSpec): number {
  if (!isInteger(dtype)) return value
  const whole = Math.round(value)
  if (dtype !== 'int8') return whole
  return whole > 127 ? whole - 256 : Math.max(-128, whole)
}

async function outcomeOf(task: OperatorTask, run: Script['run']): Promise<string> {
  const file = {path: 'op_kernel/a.cpp', text: 'void a() {}'}
  const candidate = {
    // The script stands in for every program, an answer too: nothing is to be learnt from it.
    task: {...task, answer: []},
    sampler: {kind: 'answer' as const},
    prompt: 'p',
    reasoning: '',
    files: [file],
    written: [file.path],
  }
  const {outputs} = await runStage(judge({executor: scriptedExecutor({run}), cases: 3, sizes: 'pinned'}), [candidate])
  return outputs[0]?.verdict.outcome ?? 'dropped'
}

test('there are at least twelve training and four held-out tasks', () => {
  expect(tasks.filter(({answer}) => answer.length > 0).length).toBe(tasks.length)
  expect(tasks.length).toBeGreaterThanOrEqual(16)
})

describe.each(tasks.map((task) => [task.name, task] as const))('%s', (_, task) => {
  const changed = async (change: Change) => {
    const reference = await loadReference(modulePath(task))
    return outcomeOf(task, (operatorCase) => {
      const row = task.cases.find((each) => caseId(each) === operatorCase.id) ?? {}
      return expectedOutputs(reference, row, operatorCase).map((values, index) =>
        change(values, operatorCase.outputs[index] as TensorSpec, operatorCase),
      )
    })
  }

  test('accepts its own reference', async () => {
    expect(await changed((expected, {dtype}) => encode(expected, dtype))).toBe('correct')
  })
  test.each(Object.entries(substitutes))('rejects %s', async (_name, change) => {
    expect(await changed(change)).not.toBe('correct')
  })
  test('rejects an output that was never written', async () => {
    expect(await outcomeOf(task, untouchedOutputs)).not.toBe('correct')
  })
})
