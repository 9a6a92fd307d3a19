import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import type {Executor} from '../../../../datasets/schema/executor.ts'
import cann, {type CannOptions} from '../../../../eval/executors/cann/cann.ts'
import {localShell} from '../../../../eval/executors/cann/cann-shell.ts'
import {findCann} from '../../../../eval/executors/cann/find-cann.ts'
import {fixtureProgram} from '../../../helpers/operators.ts'
import {realExecutor} from '../../../helpers/real-executor.ts'
import {workingCann} from '../../../helpers/stand-in-cann.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'

const soc = 'Ascend910B1'
const kernel = 'op_kernel/add_demo.cpp'
const host = 'op_host/add_demo.cpp'
const here = '// place of planted faults'
const float32 = {x: 'float32', y: 'float32', z: 'float32'} as const
const add = (...edits: [string, string, string][]) => fixtureProgram('add', 'AddDemo', float32, ...edits)
const marked = (mark: string) => add([kernel, here, `// stand-in: ${mark}`])

beforeAll(() => realExecutor())

async function compiling(more: Partial<CannOptions> = {}) {
  const {home, environment, workDirectory} = await workingCann()
  const shell = localShell(workDirectory)
  const install = await findCann({shell, soc, environment})
  const needed = {shell, install, level: 'cann-compile', soc, workDirectory, lockDirectory: home} as const
  const executor = await cann({...needed, say: () => undefined, ...more})
  return {executor, home, workDirectory}
}

async function verdictOf(executor: Executor, program: Parameters<Executor['build']>[0]) {
  const end = await executor.build(program)
  if (!end.ok) return end.verdict
  await end.build.dispose()
  return undefined
}

test('the executor is known by its level, the toolkit and the chip', async () => {
  const {executor} = await compiling()
  expect(executor.identity).toEqual({
    name: 'cann-compile',
    fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
    compiler: 'clang version 15.0.5 (stand-in), CANN 9.0.0',
    soc,
  })
  expect(executor.reach).toBe('compiles')
})

describe('a project', () => {
  test('is generated once for its shape, built, and installed in a folder of its own', async () => {
    const {executor, workDirectory, home} = await compiling()
    const before = readdirSync(home, {recursive: true}).sort()
    const end = await executor.build(add())
    if (!end.ok) throw new Error(JSON.stringify(end.verdict))
    const {directory} = end.build
    expect(readdirSync(join(directory, 'opp/vendors/customize/op_api/lib'))).toEqual(['libcust_opapi.so'])
    const presets = JSON.parse(readFileSync(join(directory, 'CMakePresets.json'), 'utf8'))
    expect(presets.configurePresets[0].cacheVariables).toMatchObject({
      ASCEND_CANN_PACKAGE_PATH: {value: home},
      ASCEND_COMPUTE_UNIT: {value: soc.toLowerCase()},
    })
    await end.build.dispose()
    expect(await verdictOf(executor, add([kernel, here, '// another text']))).toBe(undefined)
    expect(readdirSync(workDirectory).filter((name) => name.startsWith('build-'))).toEqual([])
    expect(readdirSync(workDirectory).filter((name) => name.startsWith('skeleton-'))).toHaveLength(1)
    expect(readdirSync(home, {recursive: true}).sort()).toEqual(before)
  })

  test.each([
    [kernel, 'Adds(1, 2, 3);', 'op_kernel/add_demo.cpp'],
    [host, 'int wrong = "text";', 'op_host/add_demo.cpp'],
  ])('that does not compile in %s gives the compiler the word', async (path, text, file) => {
    const {executor} = await compiling()
    const from = path === kernel ? here : 'namespace optiling {'
    const verdict = await verdictOf(executor, add([path, from, path === kernel ? text : `${text}\n${from}`]))
    expect(verdict).toMatchObject({
      outcome: 'compile-failed',
      diagnostics: expect.arrayContaining([expect.objectContaining({severity: 'error', file})]),
      executor: {name: 'cann-compile'},
    })
  })

  test('without a definition, or of a repository, is told before anything is built', async () => {
    const {executor} = await compiling()
    expect(await verdictOf(executor, {...add(), operator: 'Other'})).toMatchObject({
      outcome: 'compile-failed',
      diagnostics: [{message: expect.stringContaining('no definition of Other')}],
    })
    expect(await verdictOf(executor, {...add(), folder: 'math/add'})).toMatchObject({
      outcome: 'not-covered',
      missing: ['operators inside a repository'],
    })
  })

  test('that takes too long is a candidate that does not compile', async () => {
    const {executor} = await compiling({seconds: {build: 3}})
    expect(await verdictOf(executor, marked('hang build'))).toMatchObject({
      outcome: 'compile-failed',
      diagnostics: [{message: 'compilation ran past its time limit'}],
    })
  })

  test.each(['break build', 'build nothing'])('where the tools fail (%s) nothing is said of it', async (mark) => {
    const {executor, workDirectory} = await compiling()
    await expect(executor.build(marked(mark))).rejects.toMatchObject({code: 'executor-failed', scope: 'record'})
    expect(readdirSync(workDirectory).filter((name) => name.startsWith('build-'))).toEqual([])
  })

  test('runs nothing', async () => {
    const {executor} = await compiling()
    const end = await executor.build(add())
    if (!end.ok) throw new Error(JSON.stringify(end.verdict))
    const asked = executor.execute(end.build, {id: '', inputs: [], outputs: [], attributes: {}})
    await expect(asked).rejects.toMatchObject({code: 'config-invalid', scope: 'run'})
  })
})

describe('a unit', () => {
  const unit = (text: string, side: 'kernel' | 'host' = 'kernel') => ({side, text, tiling: '', dtypes: {}})
  const good = 'extern "C" __global__ __aicore__ void k(GM_ADDR x) { AscendC::TPipe pipe; }'

  test('compiles, or gives the compiler the word', async () => {
    const {executor, workDirectory} = await compiling()
    expect(await executor.compile(unit(good))).toMatchObject({outcome: 'compiled'})
    expect(await executor.compile(unit(good.replace('TPipe', 'Pipes')))).toMatchObject({
      outcome: 'compile-failed',
      diagnostics: [{severity: 'error', file: 'kernel.cpp', line: 1}],
    })
    expect(await executor.compile(unit('#include "register/tilingdata_base.h"\nint x = y;', 'host'))).toMatchObject({
      outcome: 'compile-failed',
      diagnostics: [{severity: 'error', file: 'host.cpp', line: 2}],
    })
    expect(readdirSync(workDirectory).filter((name) => name.startsWith('unit-'))).toEqual([])
  })

  test('that takes too long does not compile; over one that the compiler crashes on nothing is said', async () => {
    const {executor} = await compiling({seconds: {compile: 3}})
    expect(await executor.compile(unit(`${good} // stand-in: hang compiler`))).toMatchObject({
      outcome: 'compile-failed',
      diagnostics: [{message: 'compilation ran past its time limit'}],
    })
    await expect(executor.compile(unit(`${good} // stand-in: crash compiler`))).rejects.toMatchObject({
      code: 'executor-failed',
      message: expect.stringMatching(/^CANN could not judge: the compiler crashed/),
    })
  })

  test('a side of a program is its host files, or its kernel as the project builds it', async () => {
    const {executor} = await compiling()
    const wrongHost = add([host, 'namespace optiling {', 'int wrong = "text";\nnamespace optiling {'])
    expect(await executor.compile({side: 'host', program: add()})).toMatchObject({outcome: 'compiled'})
    expect(await executor.compile({side: 'host', program: wrongHost})).toMatchObject({outcome: 'compile-failed'})
    expect(await executor.compile({side: 'kernel', program: add()})).toMatchObject({outcome: 'compiled'})
    expect(await executor.compile({side: 'kernel', program: wrongHost})).toMatchObject({
      outcome: 'not-covered',
      missing: ['kernels whose host side does not build'],
    })
  })
})

test.each([
  ['auto', []],
  ['plain', ['written']],
] as const)('walls (%s) keep a build from writing anywhere else', async (sandbox, written) => {
  const {executor} = await compiling({sandbox})
  const outside = await temporaryFolder()
  const attempt = add([kernel, here, `// stand-in: write outside ${join(outside, 'written')}`])
  expect(await verdictOf(executor, attempt)).toBe(undefined)
  expect(readdirSync(outside)).toEqual(written)
})
