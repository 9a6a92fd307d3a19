import {existsSync} from 'node:fs'
import {join, resolve} from 'node:path'
import type {Config} from '../workspace/config.ts'
import {interrupted, PipelineError} from '../../engine/errors.ts'
import {realSleep, type Clock} from '../../engine/llm/clock.ts'
import {connect, keyOf, requirePrices, type Teachers} from '../../engine/llm/connect.ts'
import {probeEndpoint, type EndpointProblem} from '../../engine/llm/probe-endpoint.ts'
import {endpointOf, type TeacherProfile} from '../../engine/llm/profile.ts'
import type {Pipeline} from '../../engine/pipeline.ts'
import {randomFrom} from '../../engine/random.ts'
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

/** The configured profiles that stages of these pipelines use. */
export function teachersAsked(pipelines: readonly Pipeline<unknown>[], {teachers}: Pick<Config, 'teachers'>): string[] {
  const asked = new Set(pipelines.flatMap(({stages}) => stages.map(({teacher}) => teacher)))
  return Object.keys(teachers).filter((name) => asked.has(name))
}

/** The endpoint may be starting up in another terminal. */
const startingSeconds = 15

/**
 * Checks the teachers before any work for them: is the key set, does the endpoint answer? An inconclusive check stops
 * nothing, nor does a dead endpoint when replies are cached: they may be all that is needed.
 * @throws PipelineError `key-missing`, `config-invalid` without a price, or `endpoint-unreachable` when an endpoint did
 *   not answer within 15 s
 */
export async function checkTeachers(names: readonly string[], config: Config, world: World): Promise<void> {
  const profiles = names.flatMap((name): [string, TeacherProfile][] => {
    const profile = config.teachers[name]
    return profile ? [[name, profile]] : []
  })
  for (const [name, profile] of profiles) keyOf(name, profile, world.env)
  requirePrices(names, config.teachers, config.budget)
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
      world.terminal.say(`teacher ${name} at ${endpointOf(profile)}: ${problem.what}; retrying for ${limit} s`)
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
    fix: `${fix} To use the offline teacher, remove teachers.${name} from the configuration.`,
    evidence: {profile: name, url, what},
  })
}
