import {cp} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {beforeEach, describe, expect, test, vi} from 'vitest'
import type {JudgeServiceOptions} from '../../../eval/serve/judge-service.ts'
import {serve} from '../../../pipelines/commands/serve-judge.ts'
import {Config} from '../../../pipelines/workspace/config.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'

const served = vi.hoisted(() => ({options: [] as unknown[], resumed: 0, closed: 0}))
const executor = vi.hoisted(() => ({identity: {name: 'stand-in'}}))

vi.mock('../../../pipelines/commands/executor.ts', () => ({makeExecutor: () => Promise.resolve(executor)}))
vi.mock('../../../eval/serve/judge-service.ts', () => ({
  serveJudge(options: unknown) {
    served.options.push(options)
    const close = () => Promise.resolve((served.closed += 1))
    return Promise.resolve({url: 'http://there', resumed: served.resumed, close})
  },
}))
beforeEach(() => {
  Object.assign(served, {options: [], resumed: 0, closed: 0})
})

interface Asked {
  host?: string
  env?: Record<string, string>
  tasks?: {root: string}[]
  settings?: object
}

/** What a command that is stopped at once serves, says and ends with. */
async function asked({host = '127.0.0.1', env, tasks = [{root: 'test/fixtures/tasks'}], settings = {}}: Asked = {}) {
  const out = await temporaryFolder()
  const world = {...recordedWorld(env), signal: AbortSignal.abort()}
  const config = Config.parse({out, sources: {tasks}, ...settings})
  const code = await serve({host, port: 8077, logSources: true}, config, world)
  return {code, out, world, options: served.options.at(-1) as JudgeServiceOptions}
}

/** A folder with the task of a fixture under another path. */
async function taskAt(path: string, from = 'test/fixtures/tasks/level1/Math/ScaleShift'): Promise<{root: string}> {
  const root = await temporaryFolder()
  await cp(from, join(root, path), {recursive: true})
  return {root}
}

describe('what is served', () => {
  test('has the limits of the configuration, and a minute for a request', async () => {
    const {code, out, world, options} = await asked()
    expect(options).toMatchObject({
      executor,
      ...{host: '127.0.0.1', port: 8077, token: undefined, logSources: true},
      ...{queue: 4096, mostBytes: 33_554_432, requestSeconds: 60},
      rule: Config.parse({}).judge.reward,
      directory: join(resolve(out), 'judge'),
      workers: Config.parse({}).executor.concurrency,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      now: world.now,
    })
    expect([...options.forms.keys()]).toEqual(expect.arrayContaining(['operator', 'kernel-only']))
    expect([code, served.closed]).toEqual([0, 1])
  })

  test('follows the configuration', async () => {
    const settings = {judge: {queue: 3, mostMib: 2, tokenVariable: 'WORD'}, executor: {concurrency: 5}}
    const {options} = await asked({settings, env: {WORD: 'secret', JUDGE_TOKEN: 'other'}})
    expect(options).toMatchObject({queue: 3, mostBytes: 2_097_152, token: 'secret', workers: 5})
  })

  test('is said with its address, and with what is judged anew where there is some', async () => {
    expect((await asked()).world).toMatchObject({
      printed: ['judging 1 task at http://there'],
      said: ['answering pending requests, then stopping'],
    })
    served.resumed = 2
    expect((await asked()).world.printed).toEqual([
      'judging 1 task at http://there; 2 earlier requests are being judged',
    ])
  })
})

describe('tasks', () => {
  const names = async (...tasks: {root: string}[]) => [...(await asked({tasks})).options.tasks.keys()]

  test('have the name of their operator, of several with one name each with a part of its hash', async () => {
    const [one, two] = [await taskAt('level1/Math/ScaleShift'), await taskAt('level2/Math/ScaleShift')]
    expect(await names(one)).toEqual(['ScaleShift'])
    const found = await names(one, two, {root: 'test/fixtures/example-tasks'})
    expect(found).toHaveLength(3)
    expect(found).toEqual([
      expect.stringMatching(/^ScaleShift-[0-9a-z]{8}$/),
      expect.stringMatching(/^ScaleShift-[0-9a-z]{8}$/),
      'AddExample',
    ])
  })

  test('whose reference needs PyTorch are left out', async () => {
    expect(await names({root: 'test/fixtures/pytorch-tasks'}, {root: 'test/fixtures/tasks'})).toEqual(['ScaleShift'])
  })
})

describe('a token', () => {
  test.each(['localhost', '::1', '127.0.0.1', '127.20.30.40'])('is not needed on %s', async (host) => {
    expect((await asked({host})).options).toMatchObject({host, token: undefined})
  })

  test.each(['0.0.0.0', '::', '127.0.0.1.example.org', 'x127.0.0.1', '127.0.0', 'localhost.example.org'])(
    'is needed on %s',
    async (host) => {
      await expect(asked({host})).rejects.toMatchObject({
        code: 'key-missing',
        message: `The judge runs code that clients send, and ${host} is reachable from other machines.`,
        fix: 'Set JUDGE_TOKEN to a token that clients must send, or serve on 127.0.0.1.',
      })
      await expect(asked({host, env: {JUDGE_TOKEN: ''}})).rejects.toMatchObject({code: 'key-missing'})
      expect((await asked({host, env: {JUDGE_TOKEN: 'secret'}})).options.token).toBe('secret')
    },
  )
})
