import {PipelineError} from '../../engine/errors.ts'
import type {Backend} from './backend.ts'
import {kubernetesBackend} from './kubernetes.ts'
import {localBackend} from './local.ts'
import {slurmBackend} from './slurm.ts'

/** @param env of the commands that ask a scheduler, and of a job on this machine */
export function backendByKind(kind: string, env: Readonly<Record<string, string | undefined>>): Backend {
  if (kind === 'local') return localBackend(env)
  if (kind === 'slurm') return slurmBackend(env)
  if (kind === 'kubernetes') return kubernetesBackend(env)
  throw new PipelineError('config-invalid', `There is no backend ${kind}.`, {
    fix: 'There are local, slurm and kubernetes.',
    scope: 'run',
  })
}
