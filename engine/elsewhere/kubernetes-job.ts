import {randomBytes} from 'node:crypto'
import {join} from 'node:path'
import {stringify} from 'yaml'
import {PipelineError} from '../errors.ts'
import {writeWhole} from '../files.ts'
import {runCommand} from '../subprocess.ts'
import type {TaskArray} from './task-array.ts'

interface Kubernetes {
  /** On a volume that pods and this machine mount at the same path. */
  folder: string
  /** At most 40 characters. */
  name: string
  namespace: string
  tasks: number
  image: string
  /** Claims by mount path. */
  volumes: Readonly<Record<string, string>>
  /** The shell line of a task; `$INDEX` is its share. */
  line: string
  /** Of kubectl: PATH, KUBECONFIG. */
  env: Readonly<Record<string, string>>
}

/** How often Kubernetes itself restarts a share; needs 1.29 or later, stable since 1.33. */
const restartsPerIndex = 2
const mostSeconds = 60

/** Indexed Jobs: one pod for each share. */
export function kubernetesJob(kubernetes: Kubernetes): TaskArray {
  const {folder, name, namespace, env, volumes} = kubernetes
  if (!Object.keys(volumes).some((path) => join(folder, '/').startsWith(join(path, '/')))) throw notMounted(folder)
  const ask = (...args: string[]) => runCommand('kubectl', args, {env, timeoutSeconds: mostSeconds})
  return {
    async submit(shares) {
      const job = `${name}-${randomBytes(4).toString('hex')}`
      const file = join(folder, `${job}.yaml`)
      await writeWhole(file, stringify(indexedJob(kubernetes, job, shares), {lineWidth: 0}))
      const answer = await ask('create', '-f', file)
      if (answer.code !== 0) throw refused(answer.stderr.trim() || `exit code ${answer.code}`)
      return [job]
    },
    async live(handles) {
      const found = new Set<number>()
      for (const job of handles) {
        const answer = await ask('get', 'job', job, '-n', namespace, '-o', 'json').catch(() => undefined)
        if (answer && answer.code !== 0 && /\(NotFound\)/.test(answer.stderr)) continue
        if (answer?.code !== 0) return undefined
        for (const share of unfinished(JSON.parse(answer.stdout) as JobObject)) found.add(share)
      }
      return found
    },
    async cancel(handles) {
      for (const job of handles) await ask('delete', 'job', job, '-n', namespace, '--ignore-not-found', '--wait=false')
    },
  }
}

interface JobObject {
  metadata?: {annotations?: Record<string, string>}
  status?: {conditions?: {type: string; status: string}[]; completedIndexes?: string; failedIndexes?: string}
}

const sharesAnnotation = 'ascend-cot/shares'

/** The shares that a Job has neither finished nor given up. */
function unfinished({metadata, status = {}}: JobObject): number[] {
  const ended = status.conditions?.some(({type, status: is}) => ['Complete', 'Failed'].includes(type) && is === 'True')
  if (ended) return []
  const shares = (metadata?.annotations?.[sharesAnnotation] ?? '').split(' ').filter(Boolean).map(Number)
  const done = new Set([...indices(status.completedIndexes), ...indices(status.failedIndexes)])
  return shares.filter((_, index) => !done.has(index))
}

/** `1,3-5,7` */
function indices(text = ''): number[] {
  return [...text.matchAll(/(\d+)(?:-(\d+))?/g)].flatMap(([, from, to = from]) =>
    Array.from({length: Number(to) - Number(from) + 1}, (_, at) => Number(from) + at),
  )
}

/** The manifest of an Indexed Job, by `batch/v1`. The index of a pod picks its share from a list. */
export function indexedJob(kubernetes: Omit<Kubernetes, 'env'>, job: string, shares: readonly number[]) {
  const {namespace, tasks, image, volumes, line, folder} = kubernetes
  const claims = Object.entries(volumes).map(([path, claim], at) => ({path, claim, name: `claim-${at + 1}`}))
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: job,
      namespace,
      labels: {'app.kubernetes.io/name': 'ascend-cot'},
      annotations: {[sharesAnnotation]: shares.join(' ')},
    },
    spec: {
      completionMode: 'Indexed',
      completions: shares.length,
      parallelism: Math.min(tasks, shares.length),
      backoffLimitPerIndex: restartsPerIndex,
      // Kept for a day, for whoever looks at the log of a pod.
      ttlSecondsAfterFinished: 86_400,
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [
            {
              name: 'worker',
              image,
              workingDir: folder,
              command: [
                '/bin/sh',
                '-c',
                `set -- ${shares.join(' ')}; shift "$JOB_COMPLETION_INDEX"; INDEX=$1; ${line}`,
              ],
              volumeMounts: claims.map(({path, name}) => ({name, mountPath: path})),
            },
          ],
          volumes: claims.map(({claim, name}) => ({name, persistentVolumeClaim: {claimName: claim}})),
        },
      },
    },
  }
}

function notMounted(folder: string): PipelineError {
  return new PipelineError('config-invalid', `The pods mount no volume with the folder ${folder}.`, {
    fix: 'Name a claim in workers.volumes at the same path as on this machine, and choose --out below it.',
  })
}

function refused(why: string): PipelineError {
  return new PipelineError('executor-failed', `kubectl create: ${why}`, {
    fix: 'Check with `kubectl cluster-info` that the cluster answers, and the keys under `workers`.',
    scope: 'run',
  })
}
