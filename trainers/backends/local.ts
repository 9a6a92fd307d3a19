import {join} from 'node:path'
import {endDetached, remainsOf, startDetached} from '../../engine/detached.ts'
import {PipelineError} from '../../engine/errors.ts'
import type {RenderedFile} from '../engines/engine.ts'
import {logName, type Attempt, type Backend, type JobStatus} from './backend.ts'
import {leaveExitCode, markCancelled, recordedEnd, wasCancelled} from './exit-code.ts'
import {linesOf} from './log-file.ts'
import {quoted} from './shell.ts'
import {portOf, stepFile, stepScripts} from './step-script.ts'

const scriptName = 'job.sh'
/** A trainer that is stopped may save its state first; torchrun gives its workers 30 s. */
const usualPatience = 35_000

/**
 * This machine: the job is a separate process group, which keeps running after the command ends.
 * @param env the job's environment variables, in addition to those of its specification
 */
export function localBackend(env: Readonly<Record<string, string | undefined>>, patience = usualPatience): Backend {
  return {
    name: 'local',
    render: (attempt) => [...stepScripts(attempt), jobScript(attempt)],
    async submit({folder}) {
      return startDetached('bash', [join(folder, scriptName)], {cwd: folder, env, log: join(folder, logName)})
    },
    state: async (handle, folder) => stateOf(handle, folder),
    log: (_, folder, from) => linesOf(join(folder, logName), from),
    async cancel(handle, folder) {
      await markCancelled(folder)
      const left = await endDetached(handle, patience)
      if (left.length > 0) throw unending(left)
    },
  }
}

function stateOf(handle: string, folder: string): JobStatus {
  // Checked in this order: a job that ends in between has left its exit code.
  const {alive, members} = remainsOf(handle)
  if (alive) return {state: 'running', detail: `process ${handle.split(':')[0]}`}
  const end = recordedEnd(folder)
  if (end) return end
  if (members.length > 0) {
    const others = members.length === 1 ? '1 other still runs' : `${members.length} others still run`
    const detail = `its first process was killed, but ${others}; cancel the job to end the rest`
    return {state: 'lost', detail}
  }
  if (wasCancelled(folder)) return {state: 'cancelled', detail: ''}
  return {state: 'lost', detail: 'its process ended without an exit code: it was killed, or this machine was restarted'}
}

function jobScript(attempt: Attempt): RenderedFile {
  const {plan, rendering, number, folder} = attempt
  const {nodes} = plan.spec.hardware
  if (nodes > 1) {
    throw new PipelineError('config-invalid', `This machine is one node, but ${plan.spec.name} requires ${nodes}.`, {
      fix: 'Set hardware.nodes=1, or choose a scheduler: backend.kind=slurm or backend.kind=kubernetes.',
    })
  }
  const steps = rendering.steps.map((_, at) => quoted(join(folder, stepFile(at))))
  const text = `#!/bin/bash
# ${plan.id}, attempt ${number}. A signal to the whole group asks its steps to end; this script stays to note it.
ended=
trap 'ended=143' HUP INT TERM
export NODE_RANK=0 MASTER_ADDR=127.0.0.1 MASTER_PORT=${portOf(attempt)}
code=0
for step in ${steps.join(' ')}; do
  bash "$step"
  code=$?
  [ "$code" = 0 ] && [ -n "$ended" ] && code=$ended
  [ "$code" = 0 ] || break
done
${leaveExitCode(folder)}
exit "$code"
`
  return {path: scriptName, text}
}

function unending(left: readonly number[]): PipelineError {
  const which = `process${left.length > 1 ? 'es' : ''} ${left.join(', ')}`
  return new PipelineError('executor-failed', `The job was cancelled, but the system still holds its ${which}.`, {
    fix: 'A process inside a device call ends when the call returns; if it never returns, reset the device.',
    scope: 'run',
    evidence: {processes: left},
  })
}
