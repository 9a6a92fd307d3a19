import {join, resolve} from 'node:path'
import type {Executor} from '../../datasets/schema/executor.ts'
import twin from '../../eval/executors/twin.ts'
import type {Config} from '../core/config.ts'

/**
 * The executor that the configuration asks for. The first call on a machine precompiles the twin (some seconds).
 * @throws PipelineError `toolchain-missing` without any compiler, `sandbox-missing` when candidates could not be contained
 */
export function makeExecutor({cache, out, executor}: Config): Promise<Executor> {
  return twin({
    cacheDirectory: resolve(cache, 'twin'),
    workDirectory: join(resolve(out), 'work'),
    soc: executor.soc,
    sandbox: executor.sandbox === 'none-and-i-accept-the-risk' ? 'plain' : executor.sandbox,
    ...(executor.compiler === undefined ? {} : {compiler: executor.compiler}),
  })
}
