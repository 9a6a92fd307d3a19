import {expect, test} from 'vitest'
import {decode, encode} from '../../../../datasets/dtype.ts'
import type {OperatorProject} from '../../../../datasets/schema/operator.ts'
import type {OperatorCase} from '../../../../datasets/schema/task.ts'
import {compareHardened} from '../../../../eval/compare.ts'
import scenarios from '../../../../pipelines/code/scenarios/scenarios.ts'
import {programOf} from '../../../../sources/kernels/program.ts'
import {runStage} from '../../../helpers/run-stage.ts'
import {ran, scriptedExecutor, type Script} from '../../../helpers/scripted-executor.ts'

const project = (operator: string, types = 'ge::DT_FLOAT'): OperatorProject => {
  const body = `this->Input("x").DataType({${types}});\nthis->Output("y").DataType({${types}});`
  return {
    origin: {repository: 'r', revision: 'v', path: 'op', licence: 'MIT'},
    operator,
    host: [{path: 'op_host/op.cpp', text: `class ${operator} : public OpDef {\n${body}\n};\n`}],
    kernel: [{path: 'op_kernel/op.cpp', text: 'int kernel;'}],
  }
}

/** A device that computes one function of each element. */
const computing =
  (f: (x: number, one: OperatorCase) => number): Script['run'] =>
  (one) => {
    const {inputs, outputs} = one
    const [x, y] = [inputs[0]!, outputs[0]!]
    const run = ran([
      encode(
        decode(x.data, x.dtype).map((value) => f(value, one)),
        y.dtype,
      ),
    ])
    return {...run, trace: {...run.trace, blocks: [{index: 0, readBytes: 4, writtenBytes: 4}]}}
  }

async function served(operator: string, f: (x: number, one: OperatorCase) => number, types?: string) {
  const stage = scenarios({
    executor: scriptedExecutor({run: computing(f)}),
    program: programOf,
    attempts: 8,
    differs: (output, expected, found, scale) =>
      compareHardened(output, expected, found, undefined, scale).reason || undefined,
  })
  const {outputs, dropped} = await runStage(stage, [project(operator, types)])
  return {ran: outputs[0]?.scenarios, dropped: dropped.map(({reason, detail}) => ({reason, detail}))}
}

test('a call whose outputs are what the formula gives says so, one without a formula too', async () => {
  const right = await served('Neg', (x) => -x)
  expect(new Set(right.ran?.map(({formula}) => formula))).toEqual(new Set(['agrees']))
  expect(right.dropped).toEqual([])
  const unknown = await served('Frobnicate', (x) => -x)
  expect(new Set(unknown.ran?.map(({formula}) => formula))).toEqual(new Set(['none']))
})

test('an operator that gives something else is dropped, after few calls, with what it gave', async () => {
  let calls = 0
  const {ran, dropped} = await served('Neg', (x) => {
    calls += 1
    return x
  })
  expect(ran).toBeUndefined()
  expect(dropped).toMatchObject([{reason: 'formula-disagreement'}])
  expect(dropped[0]?.detail).toMatch(
    /^Neg: float32\[24, 128\] \{\}: y: element \d+ is .*expected .*; begins .*, expected /,
  )
  // Three shapes, three runs each.
  expect(calls).toBeLessThan(3 * 3 * 5000)
})

test('calls and types that are right stay, those that are not are drops of their own', async () => {
  const sizes = await served('Neg', (x, {inputs}) => (inputs[0]!.shape[0] === 7 ? x : -x))
  expect(sizes.ran?.map(({inputs}) => inputs[0]?.shape[0])).not.toContain(7)
  expect(sizes.ran?.[0]).toMatchObject({formula: 'agrees'})
  expect(sizes.dropped).toMatchObject([{reason: 'formula-disagreement', detail: expect.stringContaining('[7, 33]')}])
  const types = await served(
    'Neg',
    (x, {inputs}) => (inputs[0]!.dtype === 'float16' ? x : -x),
    'ge::DT_FLOAT16, ge::DT_FLOAT',
  )
  expect(new Set(types.ran?.map(({inputs}) => inputs[0]?.dtype))).toEqual(new Set(['float32']))
  expect(new Set(types.dropped.map(({reason}) => reason))).toEqual(new Set(['formula-disagreement']))
})
