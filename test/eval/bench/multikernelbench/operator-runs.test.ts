import {describe, expect, test} from 'vitest'
import type {z} from 'zod'
import type {Execution} from '../../../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../../../datasets/schema/task.ts'
import type {Verdict} from '../../../../datasets/schema/verdict.ts'
import type {Elements} from '../../../../eval/bench/submission/device-process.ts'
import {OperatorRequest, OperatorRuns} from '../../../../eval/bench/submission/operator-runs.ts'
import type {OperatorProject} from '../../../../eval/bench/submission/project.ts'
import {scriptedExecutor, scriptedIdentity, type Script} from '../../../helpers/scripted-executor.ts'

const parameter = (name: string, kind = 'required', dtypes = ['float16', 'float32']) => ({name, kind, dtypes})
const project = {
  definition: {
    operator: 'AddCustom',
    inputs: [parameter('x'), parameter('y', 'optional')],
    attributes: [{name: 'alpha', type: 'Float'}],
    outputs: [parameter('z')],
  },
  files: [{path: 'op_kernel/a.cpp', text: 'k'}],
} as unknown as OperatorProject

type Request = z.infer<typeof OperatorRequest>

const tensor = (place: number, dtype = 'float32', shape = [2]) => ({
  ...{kind: 'tensor', dtype, place, shape},
  strides: [1],
})
const alpha = {kind: 'number', type: 'float64', value: 2}
const none = {kind: 'none'}
const asked = (...given: unknown[]) => OperatorRequest.parse({operator: 'aclnnAddCustom', arguments: given})
const usual = () => asked(tensor(1), tensor(2), alpha, tensor(0))

const answered: Script['run'] = (operatorCase) => operatorCase.inputs.slice(0, 1).map(({data}) => data)

/** A device on which every byte of a tensor is its place; what is written is kept by place. */
function memoryOf() {
  const written = new Map<number, Uint8Array>()
  const bytes = ({dtype, shape}: Elements) => (dtype === 'float16' ? 2 : 4) * shape.reduce((a, b) => a * b, 1)
  return {
    written,
    read: (at: Elements) => Promise.resolve(new Uint8Array(bytes(at)).fill(at.place)),
    write: ({place}: Elements, data: Uint8Array) => Promise.resolve(void written.set(place, data)),
  }
}

async function ran(request: Request, {run = answered, build}: Partial<Script> = {}) {
  const cases: OperatorCase[] = []
  const script: Script = {
    run: (operatorCase, ...rest) => {
      cases.push(operatorCase)
      return run(operatorCase, ...rest)
    },
    ...(build && {build}),
  }
  const executor = scriptedExecutor(script)
  const runs = new OperatorRuns(executor, project)
  const memory = memoryOf()
  const end = await runs.run(request, memory, {poison: 'zero'})
  return {end, executor, runs, cases, memory}
}

const why = async (...given: Parameters<typeof ran>) => {
  const {end} = await ran(...given)
  return end.ok ? 'ran' : `${end.failure.kind}: ${end.failure.why}`
}

describe('one request', () => {
  test('is run with its tensors and attributes, and its outputs go where they belong', async () => {
    const {end, cases, executor, memory} = await ran(usual())
    expect(end).toMatchObject({ok: true})
    expect([...memory.written]).toEqual([[0, new Uint8Array(8).fill(1)]])
    expect(cases).toEqual([
      {
        id: 'call',
        inputs: [
          {name: 'x', dtype: 'float32', shape: [2], data: new Uint8Array(8).fill(1)},
          {name: 'y', dtype: 'float32', shape: [2], data: new Uint8Array(8).fill(2)},
        ],
        outputs: [{name: 'z', dtype: 'float32', shape: [2], cleared: true}],
        attributes: {alpha: 2},
      },
    ])
    expect(executor.builds).toEqual([
      {operator: 'AddCustom', files: project.files, dtypes: {x: 'float32', y: 'float32', z: 'float32'}},
    ])
    expect(executor.runs[0]?.options).toEqual({poison: 'zero'})
  })

  test('may leave an optional input out', async () => {
    const {cases} = await ran(asked(tensor(1), none, alpha, tensor(3)))
    expect(cases[0]?.inputs.map(({name}) => name)).toEqual(['x'])
    expect(cases[0]?.outputs).toEqual([{name: 'z', dtype: 'float32', shape: [2], cleared: false}])
  })

  test.each<[string, Request, string]>([
    [
      'another operator',
      {...usual(), operator: 'aclnnMul'},
      "aclnnMul is not the submission's operator, aclnnAddCustom",
    ],
    ['too few arguments', asked(tensor(1), tensor(2), alpha), 'aclnnAddCustom takes 4 arguments, 3 were given'],
    [
      'too many arguments',
      asked(tensor(1), tensor(2), alpha, tensor(3), none),
      'aclnnAddCustom takes 4 arguments, 5 were given',
    ],
    ['no required input', asked(none, tensor(2), alpha, tensor(3)), 'aclnnAddCustom: x is no tensor'],
    ['no output', asked(tensor(1), tensor(2), alpha, none), 'aclnnAddCustom: expected 1 outputs'],
    [
      'no attribute',
      asked(tensor(1), tensor(2), none, tensor(3)),
      'aclnnAddCustom: the attribute alpha is double in the generated function, a null pointer was passed',
    ],
    [
      'a tensor of the host',
      asked(tensor(1), {kind: 'host-tensor'}, alpha, tensor(3)),
      'aclnnAddCustom: y lies in memory of the host',
    ],
  ])('does not launch with %s', async (_, request, said) => {
    expect(await why(request)).toBe(`launch-failed: ${said}`)
  })

  test.each<[Execution, string]>([
    [{outcome: 'launch-failed', message: 'no tiling'}, 'launch-failed: no tiling'],
    [{outcome: 'crashed', cause: 'SIGSEGV', log: 'at 4'}, 'crashed: SIGSEGV\nat 4'],
    [{outcome: 'crashed', cause: 'SIGSEGV', log: ''}, 'crashed: SIGSEGV'],
    [{outcome: 'timed-out', limitSeconds: 30}, 'timed-out: no end within 30 s'],
    [
      {
        outcome: 'violated',
        violation: {rule: 'r', block: 0, api: 'Add', tensor: 'x', message: 'It is.', fix: 'Mend it.'},
      },
      'violated: r: It is. Mend it.',
    ],
  ])('that ends as %o fails with its words', async (execution, said) => {
    expect(await why(usual(), {run: () => execution})).toBe(said)
  })

  test('of types that do not build does not launch', async () => {
    const verdict: Verdict = {outcome: 'link-failed', log: '', executor: scriptedIdentity}
    expect(await why(asked(tensor(1), none, alpha, tensor(3, 'float16')), {build: () => verdict})).toBe(
      'launch-failed: the operator does not build for {"x":"float32","z":"float16"}',
    )
  })
})

describe('builds', () => {
  test('are made once for each choice of types, and all are given back', async () => {
    const {runs, memory, executor} = await ran(usual())
    await runs.run(usual(), memory, {})
    expect(executor.builds).toHaveLength(1)
    await runs.run(asked(tensor(1, 'float16', [4]), none, alpha, tensor(3, 'float16', [4])), memory, {})
    expect(executor.builds).toHaveLength(2)
    expect(executor.openBuilds()).toBe(2)
    await runs.dispose()
    expect(executor.openBuilds()).toBe(0)
  })

  test('of the first choice take float32 where the definition has it, else what stands first', async () => {
    const {runs, executor} = await ran(usual())
    await runs.first()
    expect(executor.builds.at(-1)?.dtypes).toEqual({x: 'float32', y: 'float32', z: 'float32'})
    const other = {
      ...project,
      definition: {
        ...project.definition,
        inputs: [parameter('x', 'required', ['int8', 'int32'])],
        outputs: [parameter('z', 'required', ['int16'])],
      },
    } as unknown as OperatorProject
    await new OperatorRuns(executor, other).first()
    expect(executor.builds.at(-1)?.dtypes).toEqual({x: 'int8', z: 'int16'})
  })

  test('that a tool failed are tried again', async () => {
    const executor = scriptedExecutor({run: answered})
    let failing = true
    const once = {
      ...executor,
      build: (...given: Parameters<typeof executor.build>) =>
        failing ? Promise.reject(new Error('the disk is full')) : executor.build(...given),
    }
    const runs = new OperatorRuns(once, project)
    await expect(runs.first()).rejects.toThrow('the disk is full')
    failing = false
    await expect(runs.first()).resolves.toMatchObject({ok: true})
  })
})

test('numbers that JSON does not have are handed over as C prints them', () => {
  const value = (given: unknown) => asked({kind: 'number', type: 'float64', value: given}).arguments[0]
  expect(value('inf')).toMatchObject({value: Infinity})
  expect(value('-inf')).toMatchObject({value: -Infinity})
  expect(value('nan')).toMatchObject({value: NaN})
  expect(value('-nan')).toMatchObject({value: NaN})
  expect(value(3)).toMatchObject({value: 3})
})
