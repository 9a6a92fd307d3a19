import {existsSync} from 'node:fs'
import {join, resolve} from 'node:path'
import type {Executor} from '../../datasets/schema/executor.ts'
import type {Config} from '../workspace/config.ts'
import {interrupted, PipelineError} from '../../engine/errors.ts'
import {realSleep, type Clock} from '../../engine/llm/clock.ts'
import {connect, keyOf, type Teachers} from '../../engine/llm/connect.ts'
import {probeEndpoint, type EndpointProblem} from '../../engine/llm/probe-endpoint.ts'
import {endpointOf, type TeacherProfile} from '../../engine/llm/profile.ts'
import type {AnyStage} from '../../engine/pipeline.ts'
import {randomFrom} from '../../engine/random.ts'
import type {Recipe, Workspace} from '../workspace/workspace.ts'
import {terminalLog} from './terminal.ts'
import type {World} from './world.ts'

const repliesOf = ({cache}: Config) => join(resolve(cache), 'replies.db')

/** The configured teachers. The budget counts everything spent on this output folder, also by earlier processes. */
export function connectTeachers(config: Config, {env, now, signal, terminal}: World): Teachers {
  const spread = randomFrom('retry', process.pid)
  return connect(config.teachers, {
    budget: config.budget,
    cacheFile: repliesOf(config),
    account: resolve(config.out),
    env,
    now,
    random: () => spread.unit(),
    log: terminalLog(terminal),
    signal,
  })
}

/** The configured profiles that the stages of these recipes ask, found without preparing an executor. */
export async function teachersAsked(recipes: readonly Recipe[], workspace: Workspace): Promise<string[]> {
  const configured = Object.keys(workspace.config.teachers)
  if (configured.length === 0) return []
  const draft = draftOf(workspace)
  const pipelines = await Promise.all(
    recipes.map(async (recipe) => {
      try {
        return (await recipe(draft)).stages
      } catch {
        return [] // It reports the error when its turn comes: it may read what an earlier recipe has yet to make.
      }
    }),
  )
  const asked = new Set(pipelines.flat().map(({teacher}) => teacher))
  return configured.filter((name) => asked.has(name))
}

/** Puts recipes together without an executor, whose twin may take a minute to compile. */
export const draftOf = (workspace: Workspace): Workspace => ({
  ...workspace,
  executor: () => Promise.resolve(unprepared),
})

/** Whether a stage of a draft judges code: its options name the executor. */
export const needsExecutor = ({options}: AnyStage) => JSON.stringify(options ?? null).includes(unprepared.identity.name)

const unable = () => Promise.reject(new TypeError('this executor is only there to put a recipe together'))
const unprepared: Executor = {
  identity: {name: 'unprepared', fingerprint: 'unprepared', compiler: 'none', soc: 'none'},
  covers: 'nothing',
  compile: unable,
  build: unable,
  execute: unable,
}

/** The endpoint may be starting up in another terminal. */
const startingSeconds = 15

/**
 * Looks at the teachers before anything is prepared for them: is the key there, does anybody listen? An endpoint of
 * which a look cannot tell stops nothing, nor does a dead one when replies are kept: they may be all that is needed.
 * @throws PipelineError `key-missing`, or `endpoint-unreachable` when nobody listened for 15 s
 */
export async function checkTeachers(names: readonly string[], config: Config, world: World): Promise<void> {
  const profiles = names.flatMap((name): [string, TeacherProfile][] => {
    const profile = config.teachers[name]
    return profile ? [[name, profile]] : []
  })
  for (const [name, profile] of profiles) keyOf(name, profile, world.env)
  const repliesAreKept = existsSync(repliesOf(config))
  await Promise.all(
    profiles.map(async ([name, profile]) => {
      const problem = await lookAt(name, profile, world, {patient: !repliesAreKept})
      if (!problem) return
      if (problem.kind === 'unreachable' && !repliesAreKept) throw unreachable(name, profile, problem)
      world.terminal.say(`note: teacher ${name} at ${endpointOf(profile)}: ${problem.what}. ${problem.fix}`)
    }),
  )
}

export async function lookAt(
  name: string,
  profile: TeacherProfile,
  world: World,
  {patient, sleep = realSleep}: {patient: boolean; sleep?: Clock['sleep']},
): Promise<EndpointProblem | undefined> {
  const limit = Math.min(startingSeconds, profile.outageSeconds)
  let waited = 0
  for (let pause = 1; ; pause *= 2) {
    const problem = await probeEndpoint(profile, world)
    if (world.signal.aborted) throw interrupted()
    if (problem?.kind !== 'unreachable' || !patient || waited >= limit) return problem
    if (waited === 0) {
      world.terminal.say(`teacher ${name} at ${endpointOf(profile)}: ${problem.what}; trying again for ${limit} s`)
    }
    const seconds = Math.min(pause, limit - waited)
    await sleep(seconds * 1000, world.signal)
    waited += seconds
  }
}

function unreachable(name: string, profile: TeacherProfile, {what, fix}: EndpointProblem): PipelineError {
  const url = endpointOf(profile)
  const message = `The teacher "${name}" at ${url} cannot be reached: ${what}.`
  return new PipelineError('endpoint-unreachable', message, {
    fix: `${fix} To write offline, remove teachers.${name} from the configuration.`,
    scope: 'run',
    evidence: {profile: name, url, what},
  })
}
