import {join} from 'node:path'
import {z} from 'zod'
import {PipelineError} from '../../engine/errors.ts'
import {runCommand, type CommandResult} from '../../engine/subprocess.ts'
import {logName, type Backend, type JobStatus, type Attempt} from './backend.ts'
import {markCancelled, recordedEnd, wasCancelled, exitCodeName, leaveExitCode} from './exit-code.ts'
import {isForm, jobLabel, manifestName, manifestOf, nameOf, podScriptName, resourceOf} from './kubernetes-manifest.ts'
import {linesOf} from './log-file.ts'
import {stepScripts, chooseScripts, portOf, restartFunctions, stepFile} from './step-script.ts'
import type {JobState} from '../../datasets/schema/job.ts'
import {quoted} from './shell.ts'

const mostSeconds = 60
const mostOutput = 32 << 20

/**
 * A Kubernetes cluster, accessed through `kubectl` in its current context. The job's folder is on a volume that pods
 * and this machine mount at the same path, so its log is read there.
 * @param env of kubectl: KUBECONFIG, PATH, and what its credential plug-ins need
 */
export function kubernetesBackend(env: Readonly<Record<string, string | undefined>>): Backend {
  const given = Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  const ask = (...args: readonly string[]) =>
    runCommand('kubectl', args, {env: given, timeoutSeconds: mostSeconds, maxOutputBytes: mostOutput})
  return {
    name: 'kubernetes',
    render: (attempt) => [
      ...stepScripts(attempt),
      {path: podScriptName, text: podScript(attempt)},
      {path: manifestName, text: manifestOf(attempt)},
    ],
    async submit(attempt) {
      const {backend} = attempt.plan.spec
      if (backend.kind !== 'kubernetes') throw new TypeError('not a job for Kubernetes')
      const answer = await ask('create', '-f', join(attempt.folder, manifestName))
      if (answer.code !== 0) throw refused('create', answer)
      return [backend.form, backend.namespace, nameOf(attempt)].join('/')
    },
    state: (handle, folder) => stateOf(handle, folder, ask),
    log: (_, folder, from) => linesOf(join(folder, logName), from),
    async cancel(handle, folder) {
      await markCancelled(folder)
      const answer = await ask('delete', ...namedBy(handle), '--ignore-not-found', '--wait=false')
      if (answer.code !== 0) throw refused('delete', answer)
    },
  }
}

type Ask = (...args: readonly string[]) => Promise<CommandResult>

async function stateOf(handle: string, folder: string, ask: Ask): Promise<JobStatus> {
  const answer = await ask('get', ...namedBy(handle), '-o', 'json')
  if (answer.code !== 0 && !/\(NotFound\)/.test(answer.stderr)) throw refused('get', answer)
  // A deleted job may remain visible while it terminates.
  if (wasCancelled(folder)) return recordedEnd(folder) ?? {state: 'cancelled', detail: ''}
  if (answer.code !== 0) {
    const detail = 'the cluster no longer has it, and its script left no exit code'
    return recordedEnd(folder) ?? {state: 'lost', detail}
  }
  const status = jobStatusOf(JSON.parse(answer.stdout))
  const end = status.state === 'failed' ? recordedEnd(folder) : undefined
  if (end?.state === 'failed') return {...status, detail: [status.detail, end.detail].filter(Boolean).join(', ')}
  return status.state === 'queued' ? queued(status, handle, ask) : status
}

/** A pod that cannot start reports why; its job does not. */
async function queued(status: JobStatus, handle: string, ask: Ask): Promise<JobStatus> {
  const [, namespace = '', name = ''] = handle.split('/')
  const answer = await ask('get', 'pods', '-n', namespace, '-l', `${jobLabel}=${name}`, '-o', 'json')
  const why = answer.code === 0 ? waitingPods(JSON.parse(answer.stdout)) : []
  return {...status, detail: [status.detail, ...why].filter(Boolean).join(', ')}
}

const Handle = z.tuple([z.string().refine(isForm), z.string().min(1), z.string().min(1)])

function namedBy(handle: string): string[] {
  const [form, namespace, name] = Handle.parse(handle.split('/'))
  return [isForm(form) ? resourceOf(form) : form, name, '-n', namespace]
}

function refused(command: string, {stderr, stdout, code, timedOut}: CommandResult): PipelineError {
  const words = (stderr.trim() || stdout.trim()).split('\n').slice(-3).join(' ')
  const why = timedOut ? `no answer within ${mostSeconds} s` : words || `exit code ${code}`
  return new PipelineError('executor-failed', `kubectl ${command}: ${why}`, {
    fix: fixFor(why),
    scope: 'run',
    evidence: {command, code, stderr: stderr.slice(0, 2000)},
  })
}

function fixFor(why: string): string {
  if (/no matches for kind|doesn't have a resource type|could not find the requested resource/.test(why))
    return 'Install that operator in the cluster, or choose another backend.form.'
  if (/no answer|refused|unable to connect|no such host|i\/o timeout/i.test(why))
    return 'Check with `kubectl cluster-info` that the cluster answers and the context is right; jobs keep running.'
  if (/forbidden|unauthorized/i.test(why)) return 'Request permission to create and read it in this namespace.'
  return 'Change the refused key under `backend` in the specification: form, namespace, image, resource, volumes.'
}

const Condition = z.object({
  type: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  message: z.string().optional(),
})

/** States reported by Volcano (`state`) and by Kubeflow-style operators (`conditions`). */
const Job = z.object({
  status: z
    .object({
      state: z
        .object({phase: z.string().default(''), reason: z.string().default(''), message: z.string().default('')})
        .optional(),
      conditions: z.array(Condition).nullish(),
      retryCount: z.int().default(0),
    })
    .optional(),
})

/** `Aborted` and `Terminated` by a policy: a job cancelled by a person is deleted. */
const phases: Readonly<Record<string, JobState>> = {
  Pending: 'queued',
  Restarting: 'queued',
  Running: 'running',
  Completing: 'running',
  Completed: 'succeeded',
  Aborting: 'running',
  Terminating: 'running',
  Aborted: 'failed',
  Terminated: 'failed',
  Failed: 'failed',
}

const types: Readonly<Record<string, JobState>> = {
  Created: 'queued',
  Queued: 'queued',
  Suspended: 'queued',
  Restarting: 'queued',
  Running: 'running',
  Succeeded: 'succeeded',
  Failed: 'failed',
}

export function jobStatusOf(object: unknown): JobStatus {
  const {status} = Job.parse(object)
  const phase = status?.state?.phase ?? ''
  if (status?.state && phases[phase] !== undefined) {
    const {reason, message} = status.state
    const again = status.retryCount > 0 ? `restarted ${status.retryCount} times` : ''
    return {
      state: phases[phase],
      detail: [phases[phase] === 'running' ? '' : said(reason, message), again].filter(Boolean).join(', '),
    }
  }
  // The newest comes last; outdated ones stay in the list.
  const last = status?.conditions?.findLast((one) => one.status === 'True' && types[one.type] !== undefined)
  if (!last) return {state: 'queued', detail: ''}
  const state = types[last.type] ?? 'queued'
  return {state, detail: state === 'running' || state === 'succeeded' ? '' : said(last.reason, last.message)}
}

function said(reason = '', message = ''): string {
  if (message === '' || message === reason) return reason
  return reason === '' ? message : `${reason}: ${message}`
}

const Pods = z.object({
  items: z.array(
    z.object({
      metadata: z.object({name: z.string()}),
      status: z
        .object({
          conditions: z.array(Condition).nullish(),
          containerStatuses: z
            .array(
              z.object({
                state: z
                  .object({
                    waiting: z.object({reason: z.string().default(''), message: z.string().default('')}).optional(),
                  })
                  .optional(),
              }),
            )
            .nullish(),
        })
        .optional(),
    }),
  ),
})

/** Why pods are not running yet: no node, no image. */
export function waitingPods(list: unknown): string[] {
  return Pods.parse(list).items.flatMap(({metadata, status}) => {
    const unscheduled = status?.conditions?.find((one) => one.type === 'PodScheduled' && one.status === 'False')
    const waiting = status?.containerStatuses?.flatMap(({state}) => state?.waiting ?? []) ?? []
    const why = [
      ...(unscheduled ? [said(unscheduled.reason, unscheduled.message)] : []),
      ...waiting.map((one) => said(one.reason, one.message)),
    ]
    return why.filter((one) => one !== '' && one !== 'ContainerCreating').map((one) => `${metadata.name}: ${one}`)
  })
}

/**
 * The script of every pod of an attempt. The operator numbers the pods by RANK; the first one writes the log, runs the
 * one-time steps, and records the end.
 */
function podScript(attempt: Attempt): string {
  const {plan, rendering, number, folder} = attempt
  const steps = rendering.steps.map((step, at) => {
    const once = step.everyNode ? 'run_step' : 'once'
    return `${once} ${stepFile(at)} || finish $?`
  })
  return `#!/bin/bash
# ${plan.id}, attempt ${number}
set -uo pipefail
folder=${quoted(folder)}
export NODE_RANK=\${RANK:-0} MASTER_ADDR=\${MASTER_ADDR:-127.0.0.1} MASTER_PORT=\${MASTER_PORT:-${portOf(attempt)}}
# Of pods, not of processes: what starts the trainer's processes gives each its own.
unset RANK WORLD_SIZE LOCAL_RANK LOCAL_WORLD_SIZE
if [ "$NODE_RANK" = 0 ]; then
  exec > >(tee -a ${quoted(join(folder, logName))}) 2>&1
  rm -f ${quoted(join(folder, exitCodeName))}
fi
${restartFunctions(attempt)}
${chooseScripts(attempt)}

# A pod is stopped by a signal to its first process only.
child=
trap '[ -z "$child" ] || kill -TERM "$child"' TERM INT
run_step() {
  bash "$scripts/$1" &
  child=$!
  wait "$child"
  code=$?
  if [ "$code" -gt 128 ] && kill -0 "$child" 2> /dev/null; then
    wait "$child"
    code=$?
  fi
  child=
  return "$code"
}
once() {
  if [ "$NODE_RANK" != 0 ]; then
    until [ -e "$folder/$1.done" ]; do sleep 5; done
  elif [ ! -e "$folder/$1.done" ]; then
    run_step "$1" && touch "$folder/$1.done"
  fi
}
finish() {
  code=$1
  if [ "$NODE_RANK" = 0 ]; then
${leaveExitCode(folder).replace(/^/gm, '    ')}
  fi
  exit "$code"
}
${steps.join('\n')}
finish 0
`
}
