import {stringify} from 'yaml'
import type {Json} from '../../engine/json.ts'
import {join} from 'node:path'
import {PipelineError} from '../../engine/errors.ts'
import type {Attempt} from './backend.ts'
import {portOf} from './step-script.ts'

export const manifestName = 'manifest.yaml'
export const podScriptName = 'job.sh'

/** The label by which an attempt's pods are found. */
export const jobLabel = 'ascend-cot/attempt'

/** How often a pod that was killed or evicted is restarted. */
const mostRestarts = 3

/** The three forms: their kind for `kubectl`, and how each declares replicas and their pods. */
const forms = {
  volcano: {resource: 'jobs.batch.volcano.sh', manifest: volcanoJob},
  'ascend-job': {resource: 'ascendjobs.mindxdl.gitee.com', manifest: ascendJob},
  'pytorch-job': {resource: 'pytorchjobs.kubeflow.org', manifest: pytorchJob},
}

type Form = keyof typeof forms

export const resourceOf = (form: Form) => forms[form].resource

export const isForm = (name: string): name is Form => Object.hasOwn(forms, name)

export const nameOf = ({plan, number}: Pick<Attempt, 'plan' | 'number'>) => `${plan.id}-${number}`

/** @throws PipelineError `config-invalid` */
export function manifestOf(attempt: Attempt): string {
  const {form, volumes} = backendOf(attempt)
  const mounted = Object.keys(volumes).some((path) => join(attempt.folder, '/').startsWith(join(path, '/')))
  if (!mounted) {
    throw invalid(`The pods mount no volume with the job's folder ${attempt.plan.folder}.`, [
      'Mount a claim at the same path as on this machine (backend.volumes: {<path>: <claim>}),',
      'and choose an output folder below it with --out.',
    ])
  }
  // The names of its pods and services are made from it, and have 63 characters at most.
  if (nameOf(attempt).length > 50) {
    const fix = ['Give the job a shorter name.']
    throw invalid(`${nameOf(attempt)} is too long for Kubernetes: at most 50 characters are allowed.`, fix)
  }
  return stringify(forms[form].manifest(attempt), {lineWidth: 0, aliasDuplicateObjects: false})
}

function invalid(message: string, fix: readonly string[]): PipelineError {
  return new PipelineError('config-invalid', message, {fix: fix.join(' ')})
}

function backendOf({plan}: Attempt) {
  const {backend} = plan.spec
  if (backend.kind !== 'kubernetes') throw new TypeError('not a job for Kubernetes')
  return backend
}

type Fields = Record<string, Json>

function metadata(attempt: Attempt, labels: Record<string, string> = {}): Fields {
  const {namespace} = backendOf(attempt)
  return {name: nameOf(attempt), namespace, labels: {[jobLabel]: nameOf(attempt), ...labels}}
}

/** One master, and a worker for every further node. */
function replicas(attempt: Attempt): {name: 'master' | 'worker'; count: number}[] {
  const workers = attempt.plan.spec.hardware.nodes - 1
  return [{name: 'master' as const, count: 1}, ...(workers > 0 ? [{name: 'worker' as const, count: workers}] : [])]
}

function volcanoJob(attempt: Attempt): Fields {
  const restart = (why: Fields) => ({...why, action: 'RestartJob'})
  return {
    apiVersion: 'batch.volcano.sh/v1alpha1',
    kind: 'Job',
    metadata: metadata(attempt),
    spec: {
      schedulerName: 'volcano',
      minAvailable: attempt.plan.spec.hardware.nodes,
      maxRetry: mostRestarts,
      plugins: {
        pytorch: ['--master=master', '--worker=worker', `--port=${portOf(attempt)}`],
        svc: [],
      },
      // The first match applies: a killed pod is retried, one that failed by itself is not.
      policies: [
        restart({event: 'PodEvicted'}),
        restart({exitCode: 137}),
        restart({exitCode: 143}),
        {event: 'PodFailed', action: 'TerminateJob'},
      ],
      tasks: replicas(attempt).map(({name, count}) => ({
        name,
        replicas: count,
        ...(name === 'master' ? {policies: [{event: 'TaskCompleted', action: 'CompleteJob'}]} : {}),
        template: {
          metadata: {labels: {[jobLabel]: nameOf(attempt)}},
          spec: {restartPolicy: 'Never', ...podSpec(attempt, 'trainer')},
        },
      })),
    },
  }
}

/** See the user guide of MindCluster; the container's and the port's names are fixed there. */
function ascendJob(attempt: Attempt): Fields {
  const atlas = {'ring-controller.atlas': 'ascend-910b'}
  const {nodes} = attempt.plan.spec.hardware
  const port = {name: 'ascendjob-port', containerPort: portOf(attempt)}
  const replica = (count: number) => ({
    replicas: count,
    restartPolicy: 'Never',
    template: {
      metadata: {labels: {[jobLabel]: nameOf(attempt), ...atlas}},
      spec: podSpec(attempt, 'ascend', {ports: [port]}),
    },
  })
  const faults = {'fault-scheduling': 'grace', 'fault-retry-times': String(mostRestarts)}
  return {
    apiVersion: 'mindxdl.gitee.com/v1',
    kind: 'AscendJob',
    metadata: metadata(attempt, {framework: 'pytorch', ...atlas, ...faults}),
    spec: {
      schedulerName: 'volcano',
      runPolicy: {
        backoffLimit: mostRestarts,
        cleanPodPolicy: 'None',
        schedulingPolicy: {minAvailable: nodes, queue: 'default'},
      },
      successPolicy: 'AllWorkers',
      replicaSpecs: byRole(attempt, replica),
    },
  }
}

function pytorchJob(attempt: Attempt): Fields {
  const port = {name: 'pytorchjob-port', containerPort: portOf(attempt)}
  const replica = (count: number) => ({
    replicas: count,
    // Codes above 128, left by a kill, are retried; others are final.
    restartPolicy: 'ExitCode',
    template: {
      metadata: {labels: {[jobLabel]: nameOf(attempt)}},
      spec: podSpec(attempt, 'pytorch', {ports: [port]}),
    },
  })
  return {
    apiVersion: 'kubeflow.org/v1',
    kind: 'PyTorchJob',
    metadata: metadata(attempt),
    spec: {
      runPolicy: {
        backoffLimit: mostRestarts,
        cleanPodPolicy: 'None',
        schedulingPolicy: {minAvailable: attempt.plan.spec.hardware.nodes},
      },
      pytorchReplicaSpecs: byRole(attempt, replica),
    },
  }
}

function byRole(attempt: Attempt, replica: (count: number) => Fields): Fields {
  const roles = {master: 'Master', worker: 'Worker'}
  return Object.fromEntries(replicas(attempt).map(({name, count}) => [roles[name], replica(count)]))
}

const driver = '/usr/local/Ascend/driver'

function podSpec(attempt: Attempt, container: string, more: Fields = {}): Fields {
  const {image, resource, nodeSelector, volumes} = backendOf(attempt)
  const {accelerator, devicesPerNode} = attempt.plan.spec.hardware
  const devices = resource === undefined ? {} : {[resource]: devicesPerNode}
  const claims = Object.entries(volumes).map(([path, claim], at) => ({
    mount: {name: `claim-${at + 1}`, mountPath: path},
    volume: {name: `claim-${at + 1}`, persistentVolumeClaim: {claimName: claim}},
  }))
  const own = [
    // Data-loader workers pass rows through it; the 64 MB that containers get fill up quickly.
    {mount: {name: 'shm', mountPath: '/dev/shm'}, volume: {name: 'shm', emptyDir: {medium: 'Memory'}}},
    ...(accelerator === 'ascend'
      ? [
          {
            mount: {name: 'driver', mountPath: driver, readOnly: true},
            volume: {name: 'driver', hostPath: {path: driver}},
          },
        ]
      : []),
  ]
  const all = [...claims, ...own]
  return {
    ...(Object.keys(nodeSelector).length > 0 ? {nodeSelector} : {}),
    ...(attempt.plan.spec.hardware.nodes > 1 ? {affinity: apart(nameOf(attempt))} : {}),
    containers: [
      {
        name: container,
        image,
        command: ['bash', join(attempt.folder, podScriptName)],
        env: accelerator === 'ascend' && resource !== undefined ? visibleDevices(resource) : [],
        resources: {limits: devices, requests: devices},
        volumeMounts: all.map(({mount}) => mount),
        ...more,
      },
    ],
    volumes: all.map(({volume}) => volume),
  }
}

/** Which of the node's devices the scheduler assigned; Ascend's container runtime reads it. */
const visibleDevices = (resource: string) => [
  {
    name: 'ASCEND_VISIBLE_DEVICES',
    valueFrom: {fieldRef: {fieldPath: `metadata.annotations['${resource}']`}},
  },
]

/** A pod on every node: two on one node would each request all its devices. */
const apart = (name: string) => ({
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      {labelSelector: {matchLabels: {[jobLabel]: name}}, topologyKey: 'kubernetes.io/hostname'},
    ],
  },
})
