import {spawn, spawnSync} from 'node:child_process'
import {existsSync, mkdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {writeWhole} from '../../../engine/files.ts'
import {kubernetesBackend, jobStatusOf, waitingPods} from '../../../trainers/backends/kubernetes.ts'
import {golden} from '../../helpers/golden.ts'
import {attemptOf, stepOf, submitted, wholeLog} from '../../helpers/job-attempt.ts'
import {kubernetesServer} from '../../helpers/kubernetes-server.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {until} from '../../helpers/until.ts'

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0

function specOn(mount: string, more: Record<string, unknown> = {}, hardware: Record<string, unknown> = {}) {
  return {
    backend: {kind: 'kubernetes', form: 'volcano', image: 'registry/trainer:1', volumes: {[mount]: 'claim'}, ...more},
    hardware: {accelerator: 'cpu', ...hardware},
  }
}

describe.each([
  ['volcano', 'ascend', 'huawei.com/Ascend910'],
  ['ascend-job', 'ascend', 'huawei.com/Ascend910'],
  ['pytorch-job', 'nvidia', 'nvidia.com/gpu'],
])('a manifest of the form %s', (form, accelerator, resource) => {
  test.each([1, 4])('for %i nodes is the one that was looked at', (nodes) => {
    const hardware = {accelerator, nodes, devicesPerNode: 8}
    const spec = specOn('/shared', {form, resource, nodeSelector: {pool: 'training'}}, hardware)
    const files = kubernetesBackend({}).render(attemptOf('/shared/jobs/tiny', {spec}))
    golden(
      `test/fixtures/trainers/manifests/${form}-${nodes}.yaml`,
      files.find(({path}) => path === 'manifest.yaml')!.text,
    )
  })
})

describe('a job that Kubernetes cannot take', () => {
  test('has its folder on no volume of the pods', () => {
    const attempt = attemptOf('/home/me/jobs/tiny', {spec: specOn('/home/m')})
    expect(() => kubernetesBackend({}).render(attempt)).toThrow(
      "The pods mount no volume with the job's folder /home/me",
    )
  })

  test('has too long a name', () => {
    const attempt = attemptOf('/shared/jobs/x', {spec: specOn('/shared')})
    const plan = {...attempt.plan, id: 'x'.repeat(49)}
    expect(() => kubernetesBackend({}).render({...attempt, plan})).toThrow('at most 50 characters')
  })
})

describe.runIf(hasKubectl)('kubectl before a server on loopback', () => {
  async function onServer() {
    const folder = await temporaryFolder()
    const server = await kubernetesServer(folder)
    const backend = kubernetesBackend(server.env)
    const attempt = attemptOf(join(folder, 'jobs'), {spec: specOn(folder, {namespace: 'lab'})})
    const object = () => server.objects.get('jobs/lab/tiny-0123abcd-1')
    return {server, backend, attempt, object, folder: attempt.folder}
  }

  test('creates the job as it was rendered; its state is the operator’s', async () => {
    const {backend, attempt, object, folder, server} = await onServer()
    const handle = await submitted(backend, attempt)
    expect(handle).toBe('volcano/lab/tiny-0123abcd-1')
    expect(object()).toMatchObject({kind: 'Job', spec: {minAvailable: 1}})
    server.pods.push({
      metadata: {name: 'tiny-0123abcd-1-master-0'},
      status: {containerStatuses: [{state: {waiting: {reason: 'ImagePullBackOff', message: 'not found'}}}]},
    })
    expect(await backend.state(handle, folder)).toEqual({
      state: 'queued',
      detail: 'tiny-0123abcd-1-master-0: ImagePullBackOff: not found',
    })
    expect(server.requests.at(-1)).toContain('labelSelector=ascend-cot%2Fattempt%3Dtiny-0123abcd-1')
    object()!['status'] = {state: {phase: 'Running'}}
    expect(await backend.state(handle, folder)).toEqual({state: 'running', detail: ''})
    object()!['status'] = {state: {phase: 'Terminated', reason: 'PodFailed'}}
    await writeWhole(join(folder, 'exit-code'), '1\n')
    expect(await backend.state(handle, folder)).toEqual({state: 'failed', detail: 'PodFailed, exit code 1'})
  })

  test('a second one of the same name is refused', async () => {
    const {backend, attempt} = await onServer()
    await submitted(backend, attempt)
    await expect(backend.submit(attempt)).rejects.toMatchObject({
      code: 'executor-failed',
      message: expect.stringContaining('already exists'),
    })
  })

  test('cancels by deleting, also twice', async () => {
    const {backend, attempt, object, folder} = await onServer()
    const handle = await submitted(backend, attempt)
    await backend.cancel(handle, folder)
    expect(object()).toBeUndefined()
    expect(await backend.state(handle, folder)).toEqual({state: 'cancelled', detail: ''})
    await backend.cancel(handle, folder)
  })

  test('a job that others deleted is known by its own word, or lost', async () => {
    const {backend, attempt, server, folder} = await onServer()
    const handle = await submitted(backend, attempt)
    server.objects.clear()
    expect(await backend.state(handle, folder)).toMatchObject({state: 'lost'})
    await writeWhole(join(folder, 'exit-code'), '0\n')
    expect(await backend.state(handle, folder)).toEqual({state: 'succeeded', detail: ''})
  })

  test('an operator that is not installed is named as such', async () => {
    const {backend, folder} = await onServer()
    const attempt = attemptOf(join(folder, 'other'), {spec: specOn(folder, {form: 'ascend-job'})})
    await expect(submitted(backend, attempt)).rejects.toMatchObject({
      fix: expect.stringContaining('Install that operator'),
    })
  })

  test('a cluster that does not answer is no state', async () => {
    const {attempt, server, folder} = await onServer()
    const config = readFileSync(server.env['KUBECONFIG']!, 'utf8').replace(/127\.0\.0\.1:\d+/, '127.0.0.1:9')
    await writeWhole(server.env['KUBECONFIG']!, config)
    await expect(kubernetesBackend(server.env).state('volcano/lab/x', folder)).rejects.toMatchObject({
      code: 'executor-failed',
      fix: expect.stringContaining('kubectl cluster-info'),
    })
    await expect(kubernetesBackend({PATH: '/nonexistent'}).submit(attempt)).rejects.toMatchObject({
      code: 'toolchain-missing',
      message: expect.stringContaining('kubectl'),
    })
  })
})

describe('what a pod runs', () => {
  const backend = kubernetesBackend({})

  async function rendered(wanted: Parameters<typeof attemptOf>[1] = {}) {
    const folder = await temporaryFolder()
    const attempt = attemptOf(join(folder, 'jobs'), {spec: specOn(folder), ...wanted})
    const once = stepOf(['sh', '-c', `echo prepared >> ${folder}/once`], {name: 'prepare', everyNode: false})
    const both = {...attempt, rendering: {...attempt.rendering, steps: [once, ...attempt.rendering.steps]}}
    const restart = {...both.restart!, steps: [once, ...both.restart!.steps]}
    mkdirSync(attempt.plan.output, {recursive: true})
    for (const {path, text} of backend.render({...both, restart})) await writeWhole(join(attempt.folder, path), text)
    const pod = (rank: number) => {
      const env = {...process.env, RANK: String(rank), WORLD_SIZE: '2'}
      return spawn('bash', [join(attempt.folder, 'job.sh')], {env, stdio: 'ignore'})
    }
    const ended = (child: ReturnType<typeof pod>) => new Promise((done) => child.once('exit', done))
    return {folder, attempt, pod, ended}
  }
  const starts = (output: string) => (existsSync(`${output}-starts`) ? readFileSync(`${output}-starts`, 'utf8') : '')
  const count = (text: string) => text.split('\n').length - 1

  test('is done once by the first, and by all of them where it is for all; the first notes the end', async () => {
    const {folder, attempt, pod, ended} = await rendered({steps: 2})
    const second = pod(1)
    const first = pod(0)
    expect(await Promise.all([ended(first), ended(second)])).toEqual([0, 0])
    expect(readFileSync(join(folder, 'once'), 'utf8')).toBe('prepared\n')
    expect(starts(attempt.plan.output)).toMatch(/^0 [01] \d+\n0 [01] \d+\n$/)
    const log = await wholeLog(backend, '', attempt)
    expect(log.filter((line) => line.startsWith("{'loss'"))).toHaveLength(2)
    expect(readFileSync(join(attempt.folder, 'exit-code'), 'utf8')).toBe('0\n')
  })

  test('ends when its pod is to go, and goes on from its checkpoint when it is started again', async () => {
    const {folder, attempt, pod, ended} = await rendered({steps: 12, every: 4, milliseconds: 200})
    const {output} = attempt.plan
    const first = pod(0)
    await until(() => existsSync(join(output, 'checkpoint-4/trainer_state.json')))
    first.kill('SIGTERM')
    expect(await ended(first)).toBe(143)
    expect(await ended(pod(0))).toBe(0)
    expect(starts(output)).toMatch(/^0 0 \d+\n4 0 \d+\n$/)
    expect(count(readFileSync(join(folder, 'once'), 'utf8'))).toBe(1)
    expect((await wholeLog(backend, '', attempt)).join('\n')).toContain('going on from step 4')
    expect(readFileSync(join(attempt.folder, 'exit-code'), 'utf8')).toBe('0\n')
  })
})

describe('what operators say', () => {
  test.each([
    [{}, 'queued', ''],
    [{status: {state: {phase: 'Pending'}}}, 'queued', ''],
    [{status: {state: {phase: 'Restarting'}, retryCount: 2}}, 'queued', 'restarted 2 times'],
    [{status: {state: {phase: 'Running', message: 'x'}}}, 'running', ''],
    [{status: {state: {phase: 'Completed'}}}, 'succeeded', ''],
    [{status: {state: {phase: 'Aborted', reason: 'PodFailed', message: 'bad'}}}, 'failed', 'PodFailed: bad'],
    [{status: {conditions: null}}, 'queued', ''],
    [
      {
        status: {
          conditions: [
            {type: 'Created', status: 'True'},
            {type: 'Running', status: 'False'},
            {type: 'Failed', status: 'True', reason: 'JobFailed', message: 'a pod failed'},
          ],
        },
      },
      'failed',
      'JobFailed: a pod failed',
    ],
    [
      {
        status: {
          conditions: [
            {type: 'Created', status: 'True', reason: 'PodGroupPending', message: 'no room'},
            {type: 'Running', status: 'False'},
          ],
        },
      },
      'queued',
      'PodGroupPending: no room',
    ],
  ])('%j is %s', (object, state, detail) => {
    expect(jobStatusOf(object)).toEqual({state, detail})
  })

  test('a pod that no node takes says why, one that is being made says nothing', () => {
    const unscheduled = {type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes'}
    const items = [
      {metadata: {name: 'a'}, status: {conditions: [unscheduled]}},
      {metadata: {name: 'b'}, status: {containerStatuses: [{state: {waiting: {reason: 'ContainerCreating'}}}]}},
    ]
    expect(waitingPods({items})).toEqual(['a: Unschedulable: 0/3 nodes'])
  })
})
