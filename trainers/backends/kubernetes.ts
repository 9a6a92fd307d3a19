import {join} from 'node:path'
import {z} from 'zod'
import {PipelineError} from '../../engine/errors.ts'
import {runCommand, type CommandResult} from '../../engine/subprocess.ts'
import {logName, type Backend, type JobStatus} from './backend.ts'
import {markCancelled, recordedEnd, wasCancelled} from './exit-code.ts'
import {isForm, jobLabel, manifestName, manifestOf, nameOf, podScriptName, resourceOf} from './kubernetes-manifest.ts'
import {jobStatusOf, waitingPods} from './kubernetes-states.ts'
import {linesOf} from './log-file.ts'
import {podScript} from './pod-script.ts'
import {stepScripts} from './step-script.ts'

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
