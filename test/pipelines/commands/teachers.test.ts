import {mkdir, writeFile} from 'node:fs/promises'
import {createServer} from 'node:net'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {z} from 'zod'
import {Pipeline} from '../../../engine/pipeline.ts'
import {each, type Stage} from '../../../engine/stage.ts'
import {draftPipelines} from '../../../pipelines/commands/drafts.ts'
import {checkTeachers, lookAt, teachersAsked} from '../../../pipelines/commands/teachers.ts'
import {Config} from '../../../pipelines/workspace/config.ts'
import {recipe, type Recipe, type Workspace} from '../../../pipelines/workspace/workspace.ts'
import {chatServer, profileFor, type ProfileFields} from '../../helpers/teacher.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'

/** An address at which nobody listens. */
async function nobody(): Promise<string> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const {port} = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return `http://127.0.0.1:${port}/v1`
}

interface Given {
  names?: string[]
  env?: Record<string, string>
  kept?: boolean
  signal?: AbortSignal
}

async function checked(url: string, fields: ProfileFields, {names = ['one'], env, kept, signal}: Given = {}) {
  const cache = await temporaryFolder()
  if (kept) await mkdir(cache, {recursive: true}).then(() => writeFile(join(cache, 'replies.db'), ''))
  const config = {...Config.parse({cache}), teachers: {one: profileFor(url, fields)}}
  const world = {...recordedWorld(env), ...(signal && {signal})}
  await checkTeachers(names, config, world)
  return world.said
}

describe('a look at the teachers', () => {
  test('says nothing of one that answers and lists its model', async () => {
    const server = await chatServer()
    expect(await checked(server.url, {})).toEqual([])
  })

  test('says what is amiss with one that answers, and stops nothing', async () => {
    const server = await chatServer([], {models: ['one', 'two']})
    expect(await checked(server.url, {model: 'another'})).toEqual([
      expect.stringMatching(
        `^note: teacher one at ${server.url}: it does not list the model another. Use one of one, two.$`,
      ),
    ])
  })

  test('is taken only at those that are asked', async () => {
    expect(await checked(await nobody(), {}, {names: ['two']})).toEqual([])
  })

  test('stops for a key that is not there', async () => {
    await expect(checked(await nobody(), {apiKeyEnv: 'THE_KEY'})).rejects.toMatchObject({code: 'key-missing'})
  })

  test('stops where nobody listens, after a while', async () => {
    const url = await nobody()
    const error: unknown = await checked(url, {outageSeconds: 0.02}).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'endpoint-unreachable',
      message: expect.stringMatching(
        `^The teacher "one" at ${url} cannot be reached: it does not answer \\(.*\\)\\.$`,
      ) as string,
      fix:
        'Start the server, or check baseUrl and the network connection. ' +
        'To use the offline teacher, remove teachers.one from the configuration.',
      evidence: {profile: 'one', url, what: expect.any(String) as string},
    })
  })

  test('goes on where replies are kept: they may be all that is needed', async () => {
    const url = await nobody()
    const said = await checked(url, {}, {kept: true})
    expect(said).toEqual([
      expect.stringMatching(
        `^note: teacher one at ${url}: it does not answer \\(.*\\)\\. ` +
          'Start the server, or check baseUrl and the network connection\\.$',
      ),
    ])
  })

  test('ends when nobody wants it any more', async () => {
    const signal = AbortSignal.abort()
    await expect(checked(await nobody(), {}, {signal})).rejects.toMatchObject({code: 'interrupted'})
  })
})

describe('an endpoint that nobody answers at', () => {
  const url = 'http://127.0.0.1:9/v1'
  const refused = () => Promise.reject(new Error('refused'))
  const models = (...ids: string[]) => Promise.resolve(Response.json({data: ids.map((id) => ({id}))}))

  /** Looks of which so many fail before the last one answers. */
  async function looked(failing: number, {patient = true, outageSeconds = 60, answer = () => models()} = {}) {
    const [slept, world] = [[] as number[], recordedWorld()]
    let looks = 0
    const fetch = () => ((looks += 1) <= failing ? refused() : answer())
    const sleep = async (milliseconds: number) => void slept.push(milliseconds / 1000)
    const profile = profileFor(url, {outageSeconds})
    const problem = await lookAt('one', profile, {...world, fetch} as never, {patient, sleep})
    return {slept, looks, said: world.said, kind: problem?.kind}
  }

  const trying = (seconds: number) => `teacher one at ${url}: it does not answer (refused); retrying for ${seconds} s`

  test.each<[number, number, number[], number]>([
    [99, 60, [1, 2, 4, 8], 15],
    [99, 16, [1, 2, 4, 8], 15],
    [99, 15, [1, 2, 4, 8], 15],
    [99, 14, [1, 2, 4, 7], 14],
    [99, 8, [1, 2, 4, 1], 8],
    [99, 7, [1, 2, 4], 7],
    [99, 1, [1], 1],
    [99, 0.5, [0.5], 0.5],
  ])(
    'is looked at %d times at most, within %d s, after pauses of %j s',
    async (failing, outageSeconds, pauses, limit) => {
      expect(await looked(failing, {outageSeconds})).toEqual({
        slept: pauses,
        looks: pauses.length + 1,
        said: [trying(limit)],
        kind: 'unreachable',
      })
    },
  )

  test.each<[number, number[]]>([
    [0, []],
    [1, [1]],
    [4, [1, 2, 4, 8]],
  ])('may answer after %d looks', async (failing, slept) => {
    expect(await looked(failing)).toEqual({
      slept,
      looks: failing + 1,
      said: failing > 0 ? [trying(15)] : [],
      kind: undefined,
    })
  })

  test('is looked at once where nobody waits for it', async () => {
    expect(await looked(99, {patient: false})).toEqual({slept: [], looks: 1, said: [], kind: 'unreachable'})
  })

  test('is not waited for any more once it answers, whatever it says', async () => {
    const answer = () => models('another')
    expect(await looked(0, {answer})).toEqual({slept: [], looks: 1, said: [], kind: 'model-unknown'})
    expect(await looked(1, {answer})).toEqual({slept: [1], looks: 2, said: [trying(15)], kind: 'model-unknown'})
  })
})

describe('the teachers that recipes ask', () => {
  const stage = (teacher?: string): Stage<string, string> => ({
    name: 'step',
    version: 1,
    input: z.string(),
    output: z.string(),
    run: each((record) => [record]),
    ...(teacher !== undefined && {teacher}),
  })
  const asking =
    (...teachers: (string | undefined)[]) =>
    async ({executor}: Pick<Workspace, 'executor'>) => {
      expect((await executor()).identity.name).toBe('unprepared')
      return Pipeline.of('recipe', [], teachers.map(stage))
    }
  const workspace = (...names: string[]) =>
    ({
      config: {...Config.parse({}), teachers: Object.fromEntries(names.map((name) => [name, profileFor('http://x')]))},
      executor: () => Promise.reject(new Error('nothing is prepared')),
      finished: (name: string) => Promise.resolve({directory: name}),
      found: () => Promise.resolve([]),
    }) as unknown as Workspace
  const named = (recipes: Recipe[]) =>
    recipes.map((one, at) => ({name: `recipe-${at}`, make: async (given: Workspace) => one(given)}))
  const askedBy = async (recipes: Recipe[], given: Workspace) =>
    teachersAsked(await draftPipelines(named(recipes), given), given.config)

  test('are those that are configured, in that order', async () => {
    const recipes = [asking('three', undefined), asking('one', 'unknown')]
    expect(await askedBy(recipes, workspace('one', 'two', 'three'))).toEqual(['one', 'three'])
    expect(await askedBy([], workspace('one'))).toEqual([])
  })

  test('are none of recipes that cannot be put together yet, and none where none is configured', async () => {
    const broken: Recipe = () => Promise.reject(new Error('not yet'))
    expect(await askedBy([broken, asking('one')], workspace('one'))).toEqual(['one'])
    let asked = 0
    const counted: Recipe = (given) => {
      asked += 1
      return asking('one')(given)
    }
    expect(await askedBy([counted], workspace())).toEqual([])
    expect(asked).toBe(0)
    expect(await askedBy([counted], workspace('one'))).toEqual(['one'])
    expect(asked).toBe(1)
  })

  test('are known of a recipe whose run an earlier one of the command has yet to make', async () => {
    const reader = (...reads: string[]) => recipe({reads}, asking('one'))
    expect(await askedBy([asking(), reader('recipe-0')], workspace('one'))).toEqual(['one'])
    expect(await askedBy([asking(), reader('elsewhere', 'recipe-0')], workspace('one'))).toEqual(['one'])
    expect(await askedBy([asking(), reader('elsewhere')], workspace('one'))).toEqual([])
  })

  test('are asked for with an executor that can be named and do nothing', async () => {
    let seen: unknown
    const works: unknown[] = []
    const curious: Recipe = async (given) => {
      const executor = await given.executor()
      seen = {identity: executor.identity, covers: executor.covers}
      const attempts = [
        executor.build({} as never),
        executor.compile({} as never),
        executor.execute({} as never, {} as never),
      ]
      for (const attempt of attempts) works.push(await attempt.catch((error: unknown) => error))
      return asking('one')(given)
    }
    expect(await askedBy([curious], workspace('one'))).toEqual(['one'])
    const [name, soc] = ['unprepared', 'Ascend910_9392']
    expect(seen).toEqual({identity: {name, fingerprint: name, compiler: 'none', soc}, covers: 'nothing'})
    const unable = new TypeError('this executor only serves to build a recipe')
    expect(works).toEqual([unable, unable, unable])
  })
})
