import {statfs, stat} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {probe, type Shortfall} from '../../eval/executors/probe.ts'
import type {Config} from '../workspace/config.ts'
import {PipelineError} from '../../engine/errors.ts'
import {makeFolder, walk} from '../../engine/files.ts'
import {probeEndpoint} from '../../engine/llm/probe-endpoint.ts'
import {runCommand} from '../../engine/subprocess.ts'
import {openTwin} from './executor.ts'
import type {Finding} from './machine-finding.ts'
import {trainingTools} from './train/training-tools.ts'
import type {World} from './world.ts'
import {foundCann} from './open-cann.ts'
import {existsSync} from 'node:fs'
import {size} from '../../datasets/card/card-sections.ts'

/** `ascend-cot doctor`. Exit code 1 if the main job cannot run here. */
export async function doctor(
  config: Config,
  world: World,
  {json, python: interpreter}: {json: boolean; python: string},
): Promise<number> {
  const tools = await judging(config)
  const own = await ownTest(config, world, tools)
  const machine = [own, await python(), await disk(config.out), await cacheFinding(config.cache)]
  machine.push(await cannFinding(config, world))
  const training = await trainingTools(interpreter, world.env)
  const findings = [...tools, ...machine, ...(await endpoints(config, world)), ...training]
  if (json) world.terminal.print(JSON.stringify(findings))
  else for (const finding of findings) world.terminal.print(describe(finding))
  return exitCode(findings)
}

const needed = ['compiler', 'sandbox', 'twin', 'disk']

export function exitCode(findings: readonly Pick<Finding, 'what' | 'state'>[]): number {
  return findings.some(({what, state}) => state === 'missing' && needed.includes(what)) ? 1 : 0
}

async function judging({out}: Config): Promise<Finding[]> {
  const seen = await probe(join(resolve(out), 'work'))
  const {compilers, sandboxes, chosenCompiler, chosenSandbox, chosenLinker} = seen
  const {compiler, sandbox, linker} = seen.shortfalls
  return [
    {
      what: 'compiler',
      state: stateOf(chosenCompiler !== undefined, compiler),
      detail: chosenCompiler ? `${chosenCompiler.version} (of ${compilers.length} found)` : 'none found',
      ...compiler,
    },
    {
      what: 'sandbox',
      state: stateOf(chosenSandbox !== undefined, sandbox),
      detail: sandboxes.map(({name, works}) => `${name}: ${works ? 'works' : 'does not work here'}`).join(', '),
      ...sandbox,
    },
    {
      what: 'linker',
      state: stateOf(true, linker),
      detail: chosenLinker === '' ? "the compiler's own" : chosenLinker,
      ...linker,
    },
  ]
}

export function stateOf(found: boolean, {cost}: Pick<Shortfall, 'cost'>): Finding['state'] {
  if (!found) return 'missing'
  return cost === '' ? 'good' : 'limited'
}

/**
 * A compiler and a sandbox that start may still give wrong results: only a known operator with the right results proves
 * that they work.
 */
async function ownTest(config: Config, world: World, tools: readonly Finding[]): Promise<Finding> {
  const untried = notTried(tools)
  if (untried) return untried
  try {
    await openTwin(config, world)
    const detail = 'a known operator compiles, runs and gives the right results'
    return {what: 'twin', state: 'good', detail, cost: '', fix: ''}
  } catch (error) {
    if (!(error instanceof PipelineError) || error.code === 'interrupted') throw error
    return {what: 'twin', state: 'missing', detail: error.message, cost: nothingJudged, fix: error.fix}
  }
}

const nothingJudged = 'no code can be judged'

export function notTried(tools: readonly Pick<Finding, 'what' | 'state'>[]): Finding | undefined {
  const lacking = tools.filter(({state}) => state === 'missing').map(({what}) => what)
  if (lacking.length === 0) return undefined
  const detail = `not tested: no ${lacking.join(', no ')}`
  return {what: 'twin', state: 'missing', detail, cost: nothingJudged, fix: 'Fix the problems above first.'}
}

async function python(): Promise<Finding> {
  const version = await runCommand('python3', ['--version'], {timeoutSeconds: 10}).then(
    ({stdout}) => stdout.trim(),
    () => '',
  )
  if (version !== '') return {what: 'python', state: 'good', detail: version, cost: '', fix: ''}
  const cost = 'none for the data set; references in PyTorch and trainers need Python'
  const fix = 'Install Python 3.11 if you need either of them.'
  return {what: 'python', state: 'limited', detail: 'python3 not found', cost, fix}
}

const enoughBytes = 1e9

async function disk(out: string): Promise<Finding> {
  makeFolder(resolve(out))
  const {bavail, bsize} = await statfs(resolve(out))
  return diskOf(resolve(out), Number(bavail) * Number(bsize))
}

export function diskOf(folder: string, free: number): Finding {
  const detail = `${(free / 1e9).toFixed(1)} GB free for ${folder}`
  return free > enoughBytes
    ? {what: 'disk', state: 'good', detail, cost: '', fix: ''}
    : {
        what: 'disk',
        state: 'limited',
        detail,
        cost: 'a run may fill the disk and stop (`ascend-cot resume` continues it)',
        fix: 'Free some space, or choose another folder with --out.',
      }
}

async function endpoints(config: Config, {env, signal}: World): Promise<Finding[]> {
  const profiles = Object.entries(config.teachers)
  if (profiles.length === 0) {
    return [
      {
        what: 'teachers',
        state: 'limited',
        detail: 'none configured',
        cost: 'questions and reasoning are composed offline from computed facts',
        fix: 'Configure `teachers` in ascend-cot.yaml to let a model write them.',
      },
    ]
  }
  return Promise.all(
    profiles.map(async ([name, profile]): Promise<Finding> => {
      const problem = await probeEndpoint(profile, {env, signal})
      const detail = `${profile.model} at ${profile.baseUrl}`
      return problem === undefined
        ? {what: `teacher ${name}`, state: 'good', detail, cost: '', fix: ''}
        : {
            what: `teacher ${name}`,
            state: 'missing',
            detail: `${detail}: ${problem.what}`,
            cost: 'runs that need it will stop',
            fix: problem.fix,
          }
    }),
  )
}

export function describe({what, state, detail, cost, fix}: Finding): string {
  const sign = {good: '✓', limited: '!', missing: '✗'}[state]
  const below = (name: string, text: string) => (text === '' ? [] : [`${' '.repeat(15)}${name} ${text}`])
  return [`${sign} ${what.padEnd(12)} ${detail}`, ...below('cost:', cost), ...below('fix: ', fix)].join('\n')
}

const without = 'none while the twin judges; `--executor cann` is refused'

/** Which levels of CANN can be used. */
async function cannFinding(config: Config, world: World): Promise<Finding> {
  try {
    const {shell, install} = await foundCann(config, world, join(resolve(config.out), 'work'))
    const {levels, version, home, devices} = install
    const boards = devices.length === 0 ? '' : `, boards ${devices.join(', ')}`
    const detail = `${levels.join(', ')} (${version} in ${home} on ${shell.place}${boards})`
    return {what: 'cann', state: 'good', detail, cost: '', fix: ''}
  } catch (error) {
    if (!(error instanceof PipelineError) || error.code !== 'toolchain-missing') throw error
    return {what: 'cann', state: 'limited', detail: error.message, cost: without, fix: error.fix}
  }
}

/** Where replies and compiled files are kept, how large they are, and how to empty the folder. */
export async function cacheFinding(cache: string): Promise<Finding> {
  const folder = resolve(cache)
  const [twin, all] = [await bytesIn(join(folder, 'twin')), await bytesIn(folder)]
  const parts = `compiled ${size(twin)}, safe to delete (${join(folder, 'twin')}); replies ${size(all - twin)}`
  const detail = all === 0 ? `${folder}: nothing yet` : `${folder}: ${parts}`
  return {what: 'cache', state: 'good', detail, cost: '', fix: ''}
}

async function bytesIn(folder: string): Promise<number> {
  if (!existsSync(folder)) return 0
  let bytes = 0
  // Another process may delete a file meanwhile.
  for await (const path of walk(folder))
    bytes += await stat(join(folder, path)).then(
      ({size: one}) => one,
      () => 0,
    )
  return bytes
}
