import {describe, expect, test} from 'vitest'
import type {ExecuteOptions, Execution} from '../../../../datasets/schema/executor.ts'
import type {OperatorProject} from '../../../../datasets/schema/operator.ts'
import type {OperatorCase} from '../../../../datasets/schema/task.ts'
import {operatorCase} from '../../../../pipelines/facts/operator-case.ts'
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

/** @param infers what the operator's inference does: of inputs with parts of their own it has to agree with a call */
function project(body: string, infers = ''): OperatorProject {
  return {
    origin: {repository: 'r', revision: 'v', path: 'op', licence: 'MIT'},
    operator: 'Op',
    host: [{path: 'op_host/op.cpp', text: `void InferShape() {${infers}}\nclass Op : public OpDef {\n${body}\n};\n`}],
    kernel: [{path: 'op_kernel/op.cpp', text: 'int kernel;'}],
  }
}

const input = (name: string, types = 'ge::DT_FLOAT') => `this->Input("${name}").DataType({${types}});\n`
const output = (name: string, types = 'ge::DT_FLOAT') => `this->Output("${name}").DataType({${types}});\n`
const unary = project(input('x') + output('y'))

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

/** All of every output. */
const whole = (one: OperatorCase, how: ExecuteOptions) => writes(one, how, () => 1 << 20)
const shapeOf = (one: OperatorCase) => one.inputs[0]?.shape ?? []
const violated = (rule: string, tensor: string): Execution => ({
  outcome: 'violated',
  violation: {rule, block: 0, api: 'Add', tensor, message: 'not so', fix: 'another way'},
})
const refusing = (message: string): Execution => ({outcome: 'launch-failed', message})

const stage = (run: Script['run'], options: Partial<Parameters<typeof scenarios>[0]> = {}) =>
  scenarios({executor: scriptedExecutor({run}), program: programOf, attempts: 3, differs: () => undefined, ...options})

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

  test('of integers are rounded away from 0, to what the type holds', () => {
    const values = [0.5, -0.5, 300, -300]
    const {inputs} = operatorCase(
      {seed: 's', inputs: [{...input, dtype: 'int8', values}], attributes: {}, outputs: []},
      'id',
    )
    expect(inputs.map(({data}) => [...new Int8Array(data)])).toEqual([[1, -1, 127, -128]])
  })
})

describe('a call', () => {
  test('whose outputs come out shorter gets their shape, where its formula gives as many', async () => {
    const text = `class RowSum : public OpDef {\n${input('x')}${output('y')}};\n`
    const sums = {...unary, operator: 'RowSum', host: [{path: 'op_host/op.cpp', text}]}
    const {outputs, dropped} = await runStage(
      stage((one, how) => writes(one, how, () => one.inputs[0]?.shape[0] ?? 1)),
      [sums],
    )
    expect([outputs[0]?.scenarios[0]?.outputs, dropped]).toEqual([[{name: 'y', dtype: 'float32', shape: [24, 1]}], []])
    expect(outputs[0]?.executor).toEqual(scriptedIdentity)
  })

  test('that goes past an output gets it longer, and is none where no source tells how long', async () => {
    const run: Script['run'] = (one, how) => {
      const count = (one.outputs[0]?.shape ?? []).reduce((a, b) => a * b, 1)
      const fix = 'stay inside'
      const violation = {rule: 'gm-out-of-range', block: 0, api: 'DataCopy', tensor: 'y', message: 'past y', fix}
      return count < 2 * 24 * 128 ? {outcome: 'violated', violation} : writes(one, how, () => 2 * 24 * 128)
    }
    const {outputs, dropped} = await runStage(stage(run, {runs: 1}), [unary])
    expect(outputs).toEqual([])
    expect(dropped[0]?.detail).toContain('no source tells the shape of an output')
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
    [
      'that only says that it writes',
      (one, how) => {
        const run = whole(one, how)
        return run.outcome === 'ran'
          ? {...run, trace: {...run.trace, blocks: [{index: 0, readBytes: 4, writtenBytes: 0}]}}
          : run
      },
      'at best unserved: nothing is written',
    ],
    [
      'that crashes over other outputs',
      (one, how) => (how.poison === 'zero' ? {outcome: 'crashed', cause: 'SIGSEGV', log: ''} : whole(one, how)),
      'at best crashed: SIGSEGV',
    ],
    [
      'that crashes in another order of blocks',
      (one, how) => (how.order === 'reverse' ? {outcome: 'crashed', cause: 'SIGSEGV', log: ''} : whole(one, how)),
      'at best crashed: SIGSEGV',
    ],
    ['that breaks a rule with an output', () => violated('pipe-hazard', 'y'), 'at best violated: pipe-hazard: not so'],
    [
      'that never ends',
      () => ({outcome: 'timed-out', limitSeconds: 40}),
      'Op: 1 calls, at best timed-out: more than 40 s',
    ],
  ])('%s is no scenario', async (_, run, detail) => {
    const {outputs, dropped} = await runStage(stage(run), [unary])
    expect(outputs).toEqual([])
    expect(dropped[0]?.reason).toBe('no-call-runs')
    expect(dropped[0]?.detail).toContain(detail)
  })

  test('is no scenario where one of its outputs depends on the order of blocks', async () => {
    const run: Script['run'] = (one, how) => {
      const end = whole(one, how)
      if (end.outcome === 'ran' && how.order === 'reverse') end.outputs[1]?.fill(8)
      return end
    }
    const {dropped} = await runStage(stage(run), [project(input('x') + output('y') + output('z'))])
    expect(dropped[0]?.detail).toContain('at best unserved: outputs depend on the order of blocks')
  })

  test('that goes past what it updates in place gets nothing longer', async () => {
    const same = '*context->GetOutputShape(0) = *context->GetInputShape(1);'
    const inPlace = project(input('x') + input('bias') + output('bias'), same)
    const {dropped} = await runStage(
      stage(() => violated('gm-out-of-range', 'bias')),
      [inPlace],
    )
    expect(dropped[0]?.detail).toContain('at best violated: gm-out-of-range: not so')
    const {outputs} = await runStage(stage(whole, {runs: 1}), [inPlace])
    expect(outputs[0]?.scenarios[0]?.outputs).toEqual([{name: 'bias', dtype: 'float32', shape: [128]}])
  })

  test('that came farthest is told, of as many as may be tried', async () => {
    const ends: Execution[] = [refusing('no'), {outcome: 'crashed', cause: 'SIGSEGV', log: ''}, refusing('no')]
    const executor = scriptedExecutor({run: () => ends.shift() ?? refusing('one more')})
    const {dropped} = await runStage(scenarios({executor, program: programOf, attempts: 3, differs: () => undefined}), [
      unary,
    ])
    expect(dropped[0]?.detail).toBe('Op: 3 calls, at best crashed: SIGSEGV')
    expect(executor.runs).toHaveLength(3)
    expect(executor.openBuilds()).toBe(0)
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

  test('has the dimensions that the tiling asks of the whole, unless they do not help', async () => {
    const asking = (rank: number, served: number) => (one: OperatorCase, how: ExecuteOptions) =>
      shapeOf(one).length === served
        ? whole(one, how)
        : refusing(`the tiling function returned 1\n[ERROR] Op: only ${rank} dimensions`)
    const {outputs} = await runStage(stage(asking(3, 3), {runs: 1, attempts: 2}), [unary])
    expect(outputs[0]?.scenarios[0]?.inputs[0]?.shape).toEqual([4, 16, 64])
    const {outputs: others} = await runStage(stage(asking(3, 1), {runs: 1, attempts: 3}), [unary])
    expect(others[0]?.scenarios[0]?.inputs[0]?.shape).toEqual([2048])
  })

  test('gives attributes that need a value one, and only those', async () => {
    const attributes = [
      'this->Attr("axis").AttrType(REQUIRED).Int();',
      'this->Attr("dst_type").AttrType(OPTIONAL).Int();',
      'this->Attr("keep").AttrType(OPTIONAL).Bool(false);',
    ]
    const {outputs} = await runStage(stage(whole, {runs: 1}), [
      project(input('x') + output('y', 'ge::DT_BF16') + attributes.join('\n')),
    ])
    expect(outputs[0]?.scenarios[0]?.attributes).toEqual({axis: -1, dst_type: 27})
  })

  test('draws unsigned numbers from 0 on, and several tensors for a list', async () => {
    const list = 'this->Input("x").ParamType(DYNAMIC).DataType({ge::DT_UINT8});\n'
    const {outputs} = await runStage(stage(whole, {runs: 1}), [project(list + output('y'))])
    const x = {name: 'x', dtype: 'uint8', shape: [24, 128], range: [0, 8]}
    expect(outputs[0]?.scenarios[0]?.inputs).toEqual([x, x])
  })

  test('leaves an optional input out, and gives an axis its value', async () => {
    const body = `this->Input("x").DataType({ge::DT_FLOAT});
      this->Input("axis").DataType({ge::DT_INT32});
      this->Input("bias").ParamType(OPTIONAL).DataType({ge::DT_FLOAT});
      this->Output("y").DataType({ge::DT_FLOAT});`
    const {outputs} = await runStage(
      stage((one, how) => writes(one, how, () => 1 << 20), {runs: 1}),
      [project(body, '*context->GetOutputShape(0) = *context->GetInputShape(0);')],
    )
    const [scenario] = outputs[0]?.scenarios ?? []
    expect(scenario?.inputs.map(({name, values}) => [name, values])).toEqual([
      ['x', undefined],
      ['axis', [1]],
    ])
    expect(scenario?.call).toEqual({contract: 'inferred'})
    const {dropped} = await runStage(
      stage((one, how) => writes(one, how, () => 1 << 20), {runs: 1}),
      [project(body)],
    )
    expect(dropped[0]).toMatchObject({reason: 'no-contract', detail: expect.stringContaining('1 drawn calls run')})
  })

  test('is what the contract tells, and none that breaks it', async () => {
    const place = {path: 'tests/a.cpp', line: 3}
    const tensor = (shape: number[]) => ({name: '', dtype: 'float32' as const, shape})
    const told = {name: 'x', kind: 'input' as const, optional: false, dtypes: [], shapes: [['N', 5]], ranks: [], place}
    const example = {inputs: [tensor([7, 5])], outputs: [tensor([7, 5])], attributes: [], place}
    const wrong = {...example, inputs: [tensor([7, 4])]}
    const run: Script['run'] = (one, how) => writes(one, how, () => 1 << 20)
    const examples = [wrong, example]
    const {outputs} = await runStage(stage(run, {runs: 1}), [{...unary, contract: {examples, parameters: [told]}}])
    expect(outputs[0]?.scenarios).toMatchObject([{inputs: [{shape: [7, 5]}], call: {contract: 'example', place}}])
    const guessed = await runStage(stage(run, {runs: 1}), [
      {...unary, contract: {examples: [wrong], parameters: [told]}},
    ])
    expect(guessed.outputs[0]?.scenarios[0]?.call).toMatchObject({contract: 'page'})
  })

  test('is an example with more elements where a kernel moves whole blocks', async () => {
    const place = {path: 'examples/test.cpp', line: 9}
    const small = {name: 'x', dtype: 'float32' as const, shape: [2, 2], values: [1, 2, 3, 4]}
    const examples = [{inputs: [small], outputs: [{...small, name: 'y'}], attributes: [], place}]
    const run: Script['run'] = (one, how) =>
      shapeOf(one)[1] === 2 ? violated('gm-out-of-range', 'y') : whole(one, how)
    const {outputs} = await runStage(stage(run, {runs: 1}), [{...unary, contract: {examples, parameters: []}}])
    expect(outputs[0]?.scenarios).toMatchObject([{inputs: [{shape: [2, 64]}], call: {contract: 'example', place}}])
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

test('scenarios differ in an optional input and in what has a default, too', async () => {
  const run: Script['run'] = (one, how) => {
    const end = whole(one, how)
    const blockDim = one.inputs.length + (one.attributes['keep'] === true ? 10 : 0)
    return end.outcome === 'ran' ? {...end, trace: {...end.trace, blockDim}} : end
  }
  const more = 'this->Input("bias").ParamType(OPTIONAL).DataType({ge::DT_FLOAT});\n'
  const flag = 'this->Attr("keep").AttrType(OPTIONAL).Bool(false);\n'
  const {outputs} = await runStage(stage(run, {runs: 3}), [project(input('x') + more + output('y') + flag)])
  expect(outputs[0]?.scenarios.map(({inputs, attributes}) => [inputs.length, attributes])).toEqual([
    [1, {}],
    [2, {}],
    [1, {keep: true}],
  ])
})

test('of further calls only those that break a rule are tried past it', async () => {
  const run: Script['run'] = (one, how) => {
    const rows = shapeOf(one)[0] ?? 0
    if (rows === 48) return {outcome: 'crashed', cause: 'SIGSEGV', log: ''}
    if (rows === 7 && !how.tolerant) return violated('pipe-hazard', 'x')
    const end = whole(one, how)
    return end.outcome === 'ran' ? {...end, trace: {...end.trace, blockDim: rows}} : end
  }
  const tolerant: number[] = []
  const watched: Script['run'] = (one, how, program) => {
    if (how.tolerant) tolerant.push(shapeOf(one)[0] ?? 0)
    return run(one, how, program)
  }
  const {outputs} = await runStage(stage(watched, {runs: 2}), [unary])
  expect(outputs[0]?.scenarios.map(({trace}) => trace.blockDim)).toEqual([24, 7])
  expect(new Set(tolerant)).toEqual(new Set([7]))
})

describe('of several combinations of dtypes', () => {
  const types = 'ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_BF16'
  const typed = project(input('x', types) + output('y', types))
  const served = async (run: Script['run']) => {
    const {outputs, dropped} = await runStage(stage(run, {runs: 1}), [typed])
    return {found: outputs[0]?.scenarios.map(({dtypes}) => dtypes['x']), detail: dropped[0]?.detail}
  }
  const only =
    (...dtypes: string[]): Script['run'] =>
    (one, how) =>
      dtypes.includes(one.inputs[0]?.dtype ?? '') ? whole(one, how) : refusing('wrong sizes')

  test('one that the definition lacks, or that does not run, leaves the others', async () => {
    const lacking: Script['run'] = (one, how, program) =>
      one.inputs[0]?.dtype === 'float32' ? refusing('no column of DataType') : only('bfloat16')(one, how, program)
    expect((await served(only('float32', 'bfloat16'))).found).toEqual(['float32', 'bfloat16'])
    expect((await served(only('float16'))).found).toBeUndefined()
    expect(await served(lacking)).toEqual({
      found: undefined,
      detail: 'Op: 3 calls, at best launch-failed: wrong sizes',
    })
    const some: Script['run'] = (one, how) =>
      one.inputs[0]?.dtype === 'float32' ? refusing('no column of DataType') : whole(one, how)
    expect((await served(some)).found).toEqual(['float16', 'bfloat16'])
  })

  test('none is tried again with other shapes where the definition lacks it', async () => {
    expect((await served(() => refusing('no column of DataType'))).detail).toBe(
      'Op: 1 calls, at best launch-failed: no column of DataType',
    )
  })
})

describe('an operator that', () => {
  const build = (verdict: Parameters<NonNullable<Script['build']>>[0] extends never ? never : unknown) =>
    scenarios({
      executor: scriptedExecutor({build: () => verdict as ReturnType<NonNullable<Script['build']>>, run: () => []}),
      program: programOf,
      differs: () => undefined,
    })
  const diagnostic = {severity: 'error' as const, file: 'a.cpp', line: 3, column: 1, message: 'no such thing'}

  test.each([
    ['no-kernel', {...unary, beside: {role: 'api' as const, files: []}}, undefined, 'Op: code beside operators'],
    ['no-definition', {...unary, operator: 'Other'}, undefined, 'Other'],
    [
      'no-definition',
      project(input('x', 'ge::DT_COMPLEX64') + output('y')),
      undefined,
      'Op: no dtypes that values are drawn for',
    ],
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
