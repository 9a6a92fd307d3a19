import {describe, expect, test} from 'vitest'
import type {OperatorDefinition, OpParameter} from '../../../../datasets/op-def.ts'
import type {ExecuteOptions, Execution} from '../../../../datasets/schema/executor.ts'
import type {OperatorProject} from '../../../../datasets/schema/operator.ts'
import type {OperatorCase} from '../../../../datasets/schema/task.ts'
import {dtypeColumns} from '../../../../pipelines/code/scenarios/dtype-columns.ts'
import {operatorCase} from '../../../../pipelines/code/scenarios/operator-case.ts'
import scenarios from '../../../../pipelines/code/scenarios/scenarios.ts'
import {programOf} from '../../../../sources/kernels/program.ts'
import {runStage} from '../../../helpers/run-stage.ts'
import {
  ran,
  scriptedExecutor,
  scriptedIdentity,
  untouchedOutputs,
  type Script,
} from '../../../helpers/scripted-executor.ts'

const parameter = (name: string, dtypes: OpParameter['dtypes'], kind: OpParameter['kind'] = 'required') => ({
  name,
  kind,
  dtypes,
})
const operator = (inputs: OpParameter[], outputs: OpParameter[]): OperatorDefinition => ({
  operator: 'Op',
  inputs,
  outputs,
  attributes: [],
  socs: [],
  shapeFromKernel: false,
})

function project(body: string): OperatorProject {
  return {
    origin: {repository: 'r', revision: 'v', path: 'op', licence: 'MIT'},
    operator: 'Op',
    host: [{path: 'op_host/op.cpp', text: `class Op : public OpDef {\n${body}\n};\n`}],
    kernel: [{path: 'op_kernel/op.cpp', text: 'int kernel;'}],
  }
}

const unary = project(`this->Input("x").DataType({ge::DT_FLOAT});\nthis->Output("y").DataType({ge::DT_FLOAT});`)

/** Fills the first `share` elements of each output; what is left stands as it was before. */
function writes(
  operatorCase: OperatorCase,
  options: ExecuteOptions,
  elements: (at: number) => number,
  byte = 7,
): Execution {
  const outputs = untouchedOutputs(operatorCase, options)
  for (const [at, bytes] of outputs.entries()) bytes.fill(byte, 0, 4 * elements(at))
  const run = ran(outputs)
  return {...run, trace: {...run.trace, blocks: [{index: 0, readBytes: 4, writtenBytes: 4}]}}
}

const stage = (run: Script['run'], options: Partial<Parameters<typeof scenarios>[0]> = {}) =>
  scenarios({executor: scriptedExecutor({run}), program: programOf, attempts: 3, ...options})

describe('combinations of dtypes', () => {
  test('those with another first input come first, formats count once, complex numbers not at all', () => {
    const found = dtypeColumns(
      operator(
        [parameter('x', ['float16', 'float16', 'float16', 'float32', 'complex64'])],
        [parameter('y', ['float16', 'float16', 'int32', 'float32', 'complex64'])],
      ),
      4,
    )
    expect(found).toEqual([
      {x: 'float16', y: 'float16'},
      {x: 'float32', y: 'float32'},
      {x: 'float16', y: 'int32'},
    ])
  })

  test('a list that cannot be read has several guesses', () => {
    const found = dtypeColumns(operator([parameter('x', ['float16'])], [parameter('y', [])]), 1)
    expect(found.map(({y}) => y)).toEqual(['float16', 'bool', 'float32', 'uint8'])
  })
})

describe('values', () => {
  const input = {name: 'x', dtype: 'float32' as const, shape: [4], range: [-4, 4] as [number, number]}
  const drawn = (inputs: (typeof input & {values?: number[]})[]) =>
    operatorCase({seed: 's', inputs, attributes: {}, outputs: []}, 'id').inputs.map(({data}) => [...data])

  test('are the same for the same scenario, and others for each tensor of a list', () => {
    const [first, second] = drawn([input, input])
    expect(drawn([input, input])).toEqual([first, second])
    expect(second).not.toEqual(first)
  })

  test('are those that are given', () => {
    expect(drawn([{...input, values: [1, 2, 3, 4]}])[0]).toEqual([
      ...new Uint8Array(new Float32Array([1, 2, 3, 4]).buffer),
    ])
  })
})

describe('a call', () => {
  test('whose outputs come out shorter gets their shape', async () => {
    const {outputs} = await runStage(
      stage((one, how) => writes(one, how, () => one.inputs[0]?.shape[0] ?? 1)),
      [unary],
    )
    expect(outputs[0]?.scenarios[0]?.outputs).toEqual([{name: 'y', dtype: 'float32', shape: [24, 1]}])
    expect(outputs[0]?.executor).toEqual(scriptedIdentity)
  })

  test('that goes past an output gets it longer', async () => {
    const run: Script['run'] = (one, how) => {
      const count = (one.outputs[0]?.shape ?? []).reduce((a, b) => a * b, 1)
      const fix = 'stay inside'
      const violation = {rule: 'gm-out-of-range', block: 0, api: 'DataCopy', tensor: 'y', message: 'past y', fix}
      return count < 2 * 24 * 128 ? {outcome: 'violated', violation} : writes(one, how, () => 2 * 24 * 128)
    }
    const {outputs} = await runStage(stage(run, {runs: 1}), [unary])
    expect(outputs[0]?.scenarios[0]?.outputs[0]?.shape).toEqual([24, 256])
  })

  test.each<[string, Script['run'], string]>([
    [
      'that leaves a hole',
      (one, how) => {
        const run = writes(one, how, () => 24 * 128)
        if (run.outcome === 'ran') run.outputs[0]?.set(untouchedOutputs(one, how)[0]?.subarray(0, 4) ?? [], 40)
        return run
      },
      'a part of an output is not written',
    ],
    [
      'that depends on the order of blocks',
      (one, how) => writes(one, how, () => 24 * 128 * 8, how.order === 'reverse' ? 8 : 7),
      'order of blocks',
    ],
    ['that writes nothing', (one, how) => writes(one, how, () => 0), 'nothing is written'],
    ['that never ends', () => ({outcome: 'timed-out', limitSeconds: 40}), 'timed-out: more than 40 s'],
  ])('%s is no scenario', async (_, run, detail) => {
    const {outputs, dropped} = await runStage(stage(run), [unary])
    expect(outputs).toEqual([])
    expect(dropped[0]?.reason).toBe('no-call-runs')
    expect(dropped[0]?.detail).toContain(detail)
  })

  test('that breaks a rule past which the device goes on is tolerated when no other runs', async () => {
    const violation = {rule: 'pipe-hazard', block: 0, api: 'Add', tensor: 'x', message: 'no order', fix: 'a flag'}
    const run: Script['run'] = (one, how) => {
      if (!how.tolerant) return {outcome: 'violated', violation}
      const end = writes(one, how, () => 24 * 128 * 8)
      return end.outcome === 'ran' ? {...end, tolerated: violation} : end
    }
    const {outputs} = await runStage(stage(run, {runs: 1}), [unary])
    expect(outputs[0]?.scenarios[0]?.tolerated?.rule).toBe('pipe-hazard')
  })

  test('has the dimensions that the tiling asks for', async () => {
    const run: Script['run'] = (one, how) =>
      one.inputs[0]?.shape.length === 5
        ? writes(one, how, () => 1 << 20)
        : {
            outcome: 'launch-failed',
            message: 'the tiling function returned 1\n[ERROR] Op: the dim num of x should be 5',
          }
    const {outputs} = await runStage(stage(run, {runs: 1}), [unary])
    expect(outputs[0]?.scenarios[0]?.inputs[0]?.shape).toHaveLength(5)
  })

  test('leaves an optional input out, and gives an axis its value', async () => {
    const body = `this->Input("x").DataType({ge::DT_FLOAT});
      this->Input("axis").DataType({ge::DT_INT32});
      this->Input("bias").ParamType(OPTIONAL).DataType({ge::DT_FLOAT});
      this->Output("y").DataType({ge::DT_FLOAT});`
    const {outputs} = await runStage(
      stage((one, how) => writes(one, how, () => 1 << 20), {runs: 1}),
      [project(body)],
    )
    const [scenario] = outputs[0]?.scenarios ?? []
    expect(scenario?.inputs.map(({name, values}) => [name, values])).toEqual([
      ['x', undefined],
      ['axis', [1]],
    ])
  })
})

test('scenarios differ in tiling key, blocks or tiling values', async () => {
  const run: Script['run'] = (one, how) => {
    const end = writes(one, how, () => 1 << 20)
    const rows = one.inputs[0]?.shape[0] ?? 1
    return end.outcome === 'ran' ? {...end, trace: {...end.trace, blockDim: Math.min(rows, 48)}} : end
  }
  const {outputs} = await runStage(stage(run, {runs: 3}), [unary])
  const blocks = outputs[0]?.scenarios.map(({trace}) => trace.blockDim) ?? []
  expect(blocks).toHaveLength(3)
  expect(new Set(blocks).size).toBe(3)
})

describe('an operator that', () => {
  const build = (verdict: Parameters<NonNullable<Script['build']>>[0] extends never ? never : unknown) =>
    scenarios({
      executor: scriptedExecutor({build: () => verdict as ReturnType<NonNullable<Script['build']>>, run: () => []}),
      program: programOf,
    })
  const diagnostic = {severity: 'error' as const, file: 'a.cpp', line: 3, column: 1, message: 'no such thing'}

  test.each([
    ['no-definition', {...unary, operator: 'Other'}, undefined, 'Other'],
    ['not-covered', unary, {outcome: 'not-covered', missing: ['Mystery'], executor: scriptedIdentity}, 'Mystery'],
    [
      'does-not-build',
      unary,
      {outcome: 'compile-failed', diagnostics: [diagnostic], log: '', executor: scriptedIdentity},
      'a.cpp:3: no such thing',
    ],
  ])('is dropped as %s', async (reason, one, verdict, detail) => {
    const {dropped} = await runStage(build(verdict), [one])
    expect(dropped).toMatchObject([{reason}])
    expect(dropped[0]?.detail).toContain(detail)
  })
})
