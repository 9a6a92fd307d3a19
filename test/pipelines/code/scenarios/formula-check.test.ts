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

type Computed = (x: number, one: OperatorCase) => number

async function served(operator: string, f: Computed, types?: string) {
  return servedProject(project(operator, types), computing(f))
}

async function servedProject(one: OperatorProject, run: Script['run']) {
  const stage = scenarios({
    executor: scriptedExecutor({run}),
    program: programOf,
    attempts: 8,
    differs: (output, expected, found, scale) =>
      compareHardened(output, expected, found, undefined, scale).reason || undefined,
  })
  const {outputs, dropped} = await runStage(stage, [one])
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

test('an example of one value is called with others, which a wrong kernel does not survive', async () => {
  const place = {path: 'examples/test.cpp', line: 9}
  const ones = {name: 'x', dtype: 'float32' as const, shape: [4], values: [1, 1, 1, 1]}
  const example = {inputs: [ones], outputs: [{...ones, name: 'y'}], attributes: [], place}
  const told = {...project('Neg'), contract: {examples: [example], parameters: []}}
  const first = ({inputs}: OperatorCase) => decode(inputs[0]!.data, inputs[0]!.dtype)[0] as number

  const right = await servedProject(
    told,
    computing((x) => -x),
  )
  const own = right.ran?.find(({inputs}) => inputs[0]?.shape.join() === '4')
  expect(own).toMatchObject({inputs: [{range: [0.5, 1]}], formula: 'agrees', call: {contract: 'example', place}})
  expect(own?.inputs[0]).not.toHaveProperty('values')

  const wrong = await servedProject(
    told,
    computing((_, one) => -first(one)),
  )
  expect(wrong.ran).toBeUndefined()
  expect(wrong.dropped).toMatchObject([{reason: 'formula-disagreement'}])

  const run = computing((x) => -x)
  const refusing: Script['run'] = (...given) =>
    first(given[0]) === 1 ? run(...given) : {outcome: 'launch-failed', message: 'ones, please'}
  const picky = await servedProject(told, refusing)
  expect(picky.ran).toMatchObject([{inputs: [{values: [1, 1, 1, 1]}], call: {contract: 'example', place}}])
})
