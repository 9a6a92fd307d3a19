import {mkdir, symlink, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {z} from 'zod'
import type {Execution} from '../../../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../../../datasets/schema/task.ts'
import type {Verdict} from '../../../../datasets/schema/verdict.ts'
import {OperatorRequest, OperatorRuns} from '../../../../eval/bench/multikernelbench/submission/operator-runs.ts'
import type {OperatorProject} from '../../../../eval/bench/multikernelbench/submission/project.ts'
import {scriptedExecutor, scriptedIdentity, type Script} from '../../../helpers/scripted-executor.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'

const parameter = (name: string, kind = 'required', dtypes = ['float16', 'float32']) => ({name, kind, dtypes})
const project = {
  definition: {
    operator: 'AddCustom',
    inputs: [parameter('x'), parameter('y', 'optional')],
    attributes: [{name: 'alpha'}],
    outputs: [parameter('z')],
  },
  files: [{path: 'op_kernel/a.cpp', text: 'k'}],
} as unknown as OperatorProject

type Request = z.infer<typeof OperatorRequest>

const tensor = (dtype = 'float32', shape = [2], zero = false) => ({kind: 'tensor', dtype, zero, shape})
const alpha = {kind: 'number', value: 2}
const none = {kind: 'none'}
const asked = (...given: unknown[]) => OperatorRequest.parse({operator: 'aclnnAddCustom', arguments: given})
const usual = () => asked(tensor(), tensor(), alpha, tensor('float32', [2], true))

const answered: Script['run'] = (operatorCase) => operatorCase.inputs.slice(0, 1).map(({data}) => data)

/** One operator whose tensors were handed over, as many bytes each as is said. */
async function ran(
  request: Request,
  {run = answered, build, bytes = [8, 8]}: Partial<Script> & {bytes?: number[]} = {},
) {
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
  const folder = await temporaryFolder()
  for (const [at, size] of bytes.entries()) await writeFile(join(folder, `t${at}.bin`), Buffer.alloc(size, at + 1))
  const end = await runs.run(request, folder, {poison: 'zero'})
  return {end, executor, runs, cases, folder}
}

const why = async (...given: Parameters<typeof ran>) => {
  const {end} = await ran(...given)
  return end.ok ? 'ran' : `${end.failure.kind}: ${end.failure.why}`
}

describe('one request', () => {
  test('is run with its tensors and attributes, and its outputs belong to their arguments', async () => {
    const {end, cases, executor} = await ran(usual())
    expect(end).toMatchObject({ok: true, outputs: [[3, new Uint8Array(8).fill(1)]]})
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
    const {cases} = await ran(asked(tensor(), none, alpha, tensor()))
    expect(cases[0]?.inputs.map(({name}) => name)).toEqual(['x'])
    expect(cases[0]?.outputs).toEqual([{name: 'z', dtype: 'float32', shape: [2], cleared: false}])
  })

  test.each<[string, Request, string]>([
    [
      'another operator',
      {...usual(), operator: 'aclnnMul'},
      "aclnnMul is not the submission's operator, aclnnAddCustom",
    ],
    ['too few arguments', asked(tensor(), tensor(), alpha), 'aclnnAddCustom takes 4 arguments, 3 were given'],
    [
      'too many arguments',
      asked(tensor(), tensor(), alpha, tensor(), none),
      'aclnnAddCustom takes 4 arguments, 5 were given',
    ],
    ['no required input', asked(none, tensor(), alpha, tensor()), 'aclnnAddCustom: x is no tensor'],
    ['no output', asked(tensor(), tensor(), alpha, none), 'aclnnAddCustom: expected 1 outputs'],
    ['no attribute', asked(tensor(), tensor(), none, tensor()), 'aclnnAddCustom: the attribute alpha is no value'],
    [
      'a tensor for one',
      asked(tensor(), tensor(), tensor(), tensor()),
      'aclnnAddCustom: the attribute alpha is no value',
    ],
  ])('does not launch with %s', async (_, request, said) => {
    expect(await why(request)).toBe(`launch-failed: ${said}`)
  })

  test('needs its tensors whole, in files of their own', async () => {
    expect(await why(usual(), {bytes: [8]})).toBe('crashed: the tensor y was not handed over whole')
    expect(await why(usual(), {bytes: [7, 8]})).toBe('crashed: the tensor x was not handed over whole')
    expect(await why(usual(), {bytes: [9, 8]})).toBe('crashed: the tensor x was not handed over whole')
    expect(await why(asked(tensor('float16'), none, alpha, tensor()), {bytes: [4]})).toBe('ran')
    const {runs, folder} = await ran(usual())
    await mkdir(join(folder, 'other'))
    await writeFile(join(folder, 'other', 'real'), Buffer.alloc(8))
    await symlink(join(folder, 'other', 'real'), join(folder, 'other', 't0.bin'))
    expect(await runs.run(asked(tensor(), none, alpha, tensor()), join(folder, 'other'), {})).toMatchObject({
      failure: {kind: 'crashed', why: 'the tensor x was not handed over whole'},
    })
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
    expect(await why(asked(tensor(), none, alpha, tensor('float16')), {build: () => verdict})).toBe(
      'launch-failed: the operator does not build for {"x":"float32","z":"float16"}',
    )
  })
})

describe('builds', () => {
  test('are made once for each choice of types, and all are given back', async () => {
    const {runs, folder, executor} = await ran(usual())
    await runs.run(usual(), folder, {})
    expect(executor.builds).toHaveLength(1)
    await runs.run(asked(tensor('float16', [4]), none, alpha, tensor('float16', [4])), folder, {})
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
  const value = (given: unknown) => asked({kind: 'number', value: given}).arguments[0]
  expect(value('inf')).toEqual({kind: 'number', value: Infinity})
  expect(value('-inf')).toEqual({kind: 'number', value: -Infinity})
  expect(value('nan')).toEqual({kind: 'number', value: NaN})
  expect(value('-nan')).toEqual({kind: 'number', value: NaN})
  expect(value(3)).toEqual({kind: 'number', value: 3})
})
