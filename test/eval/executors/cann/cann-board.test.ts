import {existsSync, readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import type {Executor} from '../../../../datasets/schema/executor.ts'
import cann, {type CannOptions} from '../../../../eval/executors/cann/cann.ts'
import {localShell} from '../../../../eval/executors/cann/cann-shell.ts'
import {findCann} from '../../../../eval/executors/cann/find-cann.ts'
import {addCase, asFloats, fixtureProgram} from '../../../helpers/operators.ts'
import {realExecutor} from '../../../helpers/real-executor.ts'
import {workingCann} from '../../../helpers/stand-in-cann.ts'

const soc = 'Ascend910B1'
const kernel = 'op_kernel/add_demo.cpp'
const here = '// place of planted faults'
const float32 = {x: 'float32', y: 'float32', z: 'float32'} as const
const add = (text = '') => fixtureProgram('add', 'AddDemo', float32, [kernel, here, text])

beforeAll(() => realExecutor())

async function boards(parts: Parameters<typeof workingCann>[0] = {boards: [0]}, more: Partial<CannOptions> = {}) {
  const {home, environment, workDirectory} = await workingCann(parts)
  const shell = localShell(workDirectory)
  const install = await findCann({shell, soc, environment})
  const said: string[] = []
  const lockDirectory = join(workDirectory, 'locks')
  const level = parts.boards ? ('cann-board' as const) : ('cann-sim' as const)
  const needed = {shell, install, level, soc, workDirectory, lockDirectory, say: (text: string) => said.push(text)}
  return {open: () => cann({...needed, ...more}), home, workDirectory, lockDirectory, said}
}

async function ranBy(executor: Executor, mark: string, how = {}) {
  const end = await executor.build(add(mark === '' ? '' : `// stand-in: ${mark}`))
  if (!end.ok) throw new Error(JSON.stringify(end.verdict))
  try {
    return await executor.execute(end.build, addCase(), how)
  } finally {
    await end.build.dispose()
  }
}

const sums = Array.from({length: 1024}, (_, index) => index + 0.5)

test('a board gives the numbers, and the simulator does', async () => {
  for (const parts of [{boards: [0]}, {simulator: soc}]) {
    const {open, workDirectory, home} = await boards(parts)
    const before = readdirSync(home, {recursive: true}).sort()
    const executor = await open()
    expect(executor).toMatchObject({reach: 'runs', identity: {name: parts.boards ? 'cann-board' : 'cann-sim', soc}})
    expect(executor.measure !== undefined).toBe(parts.boards !== undefined)
    const execution = await ranBy(executor, '')
    if (execution.outcome !== 'ran') throw new Error(JSON.stringify(execution))
    expect(asFloats(execution.outputs[0] as Uint8Array)).toEqual(sums)
    expect(execution.trace).toMatchObject({workspaceBytes: 64, blocks: []})
    expect(readdirSync(home, {recursive: true}).sort()).toEqual(before)
    expect(readdirSync(workDirectory).filter((name) => name.startsWith('build-')).length).toBeLessThanOrEqual(1)
  }
})

async function measuredBy(executor: Executor, mark: string) {
  const end = await executor.build(add(`// stand-in: ${mark}`))
  if (!end.ok || !executor.measure) throw new Error(JSON.stringify(end))
  try {
    const run = await executor.measure(end.build, addCase())
    if ('outcome' in run) throw new Error(run.outcome)
    return {...run, outputs: asFloats(run.outputs[0] as Uint8Array)}
  } finally {
    await end.build.dispose()
  }
}

// One executor for all of it: to open one builds and runs the known operator.
test('what a board does wrong ends as what it means, the board is as good as before, and times are taken', async () => {
  const {open, said} = await boards({boards: [0]}, {seconds: {run: 20, grace: 0}})
  const executor = await open()
  const found = (mark: string) => ranBy(executor, mark)
  expect(await found('code 507015')).toMatchObject({
    outcome: 'crashed',
    cause: expect.stringMatching(/^507015, .*AI Core/),
  })
  expect(await found('code 507034')).toEqual({outcome: 'timed-out', limitSeconds: 20})
  expect(await found('refuse tiling')).toEqual({
    outcome: 'launch-failed',
    message: 'GetWorkspaceSize ended with 561002: tiling refused',
  })
  expect(await found('end host')).toMatchObject({outcome: 'crashed', cause: expect.stringContaining('status 3')})
  expect(await found('hang host')).toEqual({outcome: 'timed-out', limitSeconds: 20, byClock: true})
  const violated = async (mark: string) => ((await found(mark)) as {violation?: object}).violation
  expect(await violated('write behind')).toMatchObject({rule: 'gm-out-of-range', tensor: 'x'})
  expect(await violated('write input')).toMatchObject({rule: 'write-to-input', tensor: 'x'})
  await expect(found('code 507899')).rejects.toMatchObject({
    code: 'executor-failed',
    scope: 'record',
    message: expect.stringContaining('507899: the driver failed'),
  })
  expect(said).toEqual([])
  expect(await measuredBy(executor, 'takes 30')).toMatchObject({
    microseconds: 30.5,
    spread: 1,
    repeats: 20,
    outputs: sums,
  })
  expect((await measuredBy(executor, 'wrong elsewhere')).outputs).not.toEqual(sums)
  await expect(measuredBy(executor, 'lose profile')).rejects.toMatchObject({
    code: 'executor-failed',
    message: expect.stringContaining('msprof left no times of AddDemo'),
  })
}, 600_000)

describe('a sick board', () => {
  test('is taken out from the start, and the other one does the work', async () => {
    const {open, home, said} = await boards({boards: [0, 1, 2]}, {devices: [0, 1, 7]})
    writeFileSync(join(home, 'sick-0'), '')
    const executor = await open()
    expect(said).toEqual([expect.stringMatching(/^board 0 of this machine stays sick .*507033/)])
    expect(await ranBy(executor, '')).toMatchObject({outcome: 'ran'})
  })

  test('is taken out when it falls ill, its run goes to another, and without any the run stops', async () => {
    const {open, home, said, lockDirectory} = await boards({boards: [0, 1]})
    const executor = await open()
    writeFileSync(join(home, 'sick-0'), '')
    expect(await ranBy(executor, '')).toMatchObject({outcome: 'ran'})
    expect(said).toHaveLength(1)
    writeFileSync(join(home, 'sick-1'), '')
    await expect(ranBy(executor, '')).rejects.toMatchObject({code: 'executor-failed', scope: 'run'})
    expect(said).toHaveLength(2)
    expect(existsSync(lockDirectory) && readdirSync(lockDirectory)).toEqual([])
  })

  test('that is the only one stops the run before any work', async () => {
    const {open, home} = await boards({boards: [0]})
    writeFileSync(join(home, 'sick-0'), '')
    await expect(open()).rejects.toMatchObject({
      code: 'executor-failed',
      scope: 'run',
      message: expect.stringContaining('no board of this machine is left'),
    })
  })
})
