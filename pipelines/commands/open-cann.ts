import {resolve} from 'node:path'
import cann, {type CannExecutor} from '../../eval/executors/cann/cann.ts'
import {localShell, type Shell} from '../../eval/executors/cann/cann-shell.ts'
import {sshShell} from '../../eval/executors/cann/ssh-shell.ts'
import {findCann, levelOf} from '../../eval/executors/cann/find-cann.ts'
import {makeFolder} from '../../engine/files.ts'
import type {Config} from '../workspace/config.ts'
import type {World} from './world.ts'

interface Opened {
  executor: CannExecutor
  /** What its user has to know, a sentence each. */
  notes: string[]
}

type Machine = Pick<World, 'env' | 'signal'>

/**
 * Where CANN is asked for, and what is installed there.
 * @param workDirectory gone with this process
 * @throws PipelineError `toolchain-missing`
 */
export async function foundCann({executor}: Config, {env, signal}: Machine, workDirectory: string) {
  const {soc, host, sshConfig: configuration} = executor
  makeFolder(workDirectory)
  const remote = host === undefined ? undefined : {host, configuration, workDirectory, environment: env, signal}
  const shell: Shell = remote ? await sshShell(remote) : localShell(workDirectory)
  return {shell, install: await findCann({shell, soc, environment: remote ? undefined : env, signal})}
}

/**
 * CANN at the level that is configured.
 * @throws PipelineError `toolchain-missing`, `sandbox-missing`, `executor-failed`
 */
export async function openCann(
  config: Config,
  world: Machine & Pick<World, 'terminal'>,
  workDirectory: string,
): Promise<Opened> {
  const {soc, level: asked, sandbox, devices, python} = config.executor
  const found = await foundCann(config, world, workDirectory)
  const walls = sandbox === 'none-and-i-accept-the-risk' ? 'plain' : sandbox
  const executor = await cann({
    ...{...found, soc, workDirectory, devices, python, sandbox: walls, signal: world.signal},
    level: levelOf(found.install, asked, found.shell.place),
    lockDirectory: resolve(config.cache, 'cann'),
    say: (text) => world.terminal.say(`note: ${text}`),
  })
  const {name} = executor.identity
  return {executor, notes: [`code is judged by ${name} on ${found.shell.place}: ${executor.covers}`]}
}
