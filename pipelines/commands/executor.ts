import {mkdirSync, readdirSync, realpathSync, rmSync} from 'node:fs'
import {join, resolve} from 'node:path'
import type {Executor} from '../../datasets/schema/executor.ts'
import twin from '../../eval/executors/twin.ts'
import {probe} from '../../eval/executors/probe.ts'
import {findCompilers} from '../../eval/executors/toolchain.ts'
import type {Config} from '../core/config.ts'
import {isAlive} from '../core/lock.ts'
import type {Terminal} from './terminal.ts'

/**
 * The executor that the configuration asks for. The first call on a machine precompiles the twin (some seconds). Says what it costs
 * that this machine has not the compiler or the sandbox of choice.
 * @throws PipelineError `toolchain-missing` without any compiler, `sandbox-missing` when candidates could not be contained
 */
export async function makeExecutor({cache, out, executor}: Config, terminal: Terminal): Promise<Executor> {
  const work = join(resolve(out), 'work')
  sweep(work)
  const workDirectory = join(work, String(process.pid))
  // Precompiled headers hold the paths at which they were built, and the sandbox shows no others: not those through a link.
  mkdirSync(resolve(cache, 'twin'), {recursive: true})
  const made = await twin({
    cacheDirectory: realpathSync(resolve(cache, 'twin')),
    workDirectory,
    soc: executor.soc,
    sandbox: executor.sandbox === 'none-and-i-accept-the-risk' ? 'plain' : executor.sandbox,
    ...(executor.compiler === undefined ? {} : {compiler: executor.compiler}),
  })
  const [used] = await findCompilers(executor.compiler)
  if (used && used.cost !== '') terminal.say(`note: code is judged with ${used.version}: ${used.cost}`)
  const {chosenSandbox, costs} = await probe(workDirectory)
  if (chosenSandbox !== 'bwrap') for (const cost of costs.filter((one) => /sandbox|unshare/.test(one))) terminal.say(`note: ${cost}`)
  return made
}

/** Builds of processes that were killed; each process works in a folder named after itself. */
function sweep(work: string): void {
  let names: string[]
  try {
    names = readdirSync(work)
  } catch {
    return
  }
  for (const name of names) if (!isAlive(Number(name))) rmSync(join(work, name), {recursive: true, force: true})
}
