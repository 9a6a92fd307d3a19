import {PipelineError} from '../../engine/errors.ts'
import type {Backend} from './backend.ts'
import {kubernetesBackend} from './kubernetes.ts'
import {localBackend} from './local.ts'
import {slurmBackend} from './slurm.ts'

/** @param env for the scheduler's commands, and for a job on this machine */
export function backendByKind(kind: string, env: Readonly<Record<string, string | undefined>>): Backend {
  if (kind === 'local') return localBackend(env)
  if (kind === 'slurm') return slurmBackend(env)
  if (kind === 'kubernetes') return kubernetesBackend(env)
  throw new PipelineError('config-invalid', `There is no backend ${kind}.`, {
    fix: 'Use local, slurm or kubernetes.',
  })
}
