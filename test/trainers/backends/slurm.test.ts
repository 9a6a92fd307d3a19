import {spawnSync} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, describe, expect, test} from 'vitest'
import {slurmBackend, slurmStatus} from '../../../trainers/backends/slurm.ts'
import {writeWhole} from '../../../engine/files.ts'
import {attemptOf, stepOf, submitted, wholeLog} from '../../helpers/job-attempt.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {until} from '../../helpers/until.ts'

const backend = slurmBackend(process.env)
const spec = {backend: {kind: 'slurm', time: '10:00', options: ['--exclusive']}}

function shell(command: string, ...args: string[]): string {
  const {stdout, stderr} = spawnSync(command, args, {encoding: 'utf8'})
  return `${stdout}${stderr}`
}

/** A cluster that takes jobs: `test/trainers/slurm-node.sh` makes one of this machine. */
const cluster = /idle|mix|alloc/.test(shell('sinfo', '--noheader', '--format=%T'))
const unseen: string[] = []
afterAll(() => unseen.forEach((handle) => void shell('scancel', handle)))

async function ended(handle: string, folder: string) {
  await until(async () => !['queued', 'running'].includes((await backend.state(handle, folder)).state), 170)
  return backend.state(handle, folder)
}

async function onCluster(wanted: Parameters<typeof attemptOf>[1]) {
  const attempt = attemptOf(join(await temporaryFolder(), 'with space, 100%'), {spec, ...wanted})
  const handle = await submitted(backend, attempt)
  unseen.push(handle)
  return {attempt, handle, folder: attempt.folder}
}

const starts = (output: string) =>
  existsSync(`${output}-starts`)
    ? readFileSync(`${output}-starts`, 'utf8')
        .split('\n')
        .flatMap((line) => line.match(/^\d+ /)?.map(Number) ?? [])
    : []

const losses = (lines: readonly string[]) => lines.flatMap((line) => /'loss': '([\d.]+)'/.exec(line)?.[1] ?? [])

describe.runIf(cluster)('a job on a real cluster under Slurm', () => {
  test('waits, runs and succeeds; its log is in its folder', async () => {
    const {attempt, handle, folder} = await onCluster({steps: 3})
    expect(handle).toMatch(/^\d+$/)
    expect(await ended(handle, folder)).toEqual({state: 'succeeded', detail: ''})
    expect(losses(await wholeLog(backend, handle, attempt))).toHaveLength(3)
  })

  test('fails with its exit code, and is not started again for an error of its own', async () => {
    const {attempt, handle, folder} = await onCluster({fault: 'exit-at-2'})
    expect(await ended(handle, folder)).toEqual({state: 'failed', detail: 'exit code 3'})
    expect(starts(attempt.plan.output)).toEqual([0])
  })

  test('is cancelled, and stays so', async () => {
    const {attempt, handle, folder} = await onCluster({milliseconds: 1000, steps: 200})
    await until(() => starts(attempt.plan.output).length === 1, 120)
    await backend.cancel(handle, folder)
    expect(await ended(handle, folder)).toEqual({state: 'cancelled', detail: ''})
    expect(starts(attempt.plan.output)).toEqual([0])
  })

  test('that others cancelled stays cancelled too', async () => {
    const {attempt, handle, folder} = await onCluster({milliseconds: 1000, steps: 200})
    await until(() => starts(attempt.plan.output).length === 1, 120)
    shell('scancel', handle)
    expect((await ended(handle, folder)).state).toBe('cancelled')
    await new Promise((resolve) => setTimeout(resolve, 3000))
    expect((await backend.state(handle, folder)).state).toBe('cancelled')
  })

  test('whose step is killed goes back into the queue and on from its checkpoint', async () => {
    const straight = attemptOf(await temporaryFolder(), {spec, steps: 12})
    const first = await submitted(backend, straight)
    unseen.push(first)
    await ended(first, straight.folder)
    const {attempt, handle, folder} = await onCluster({steps: 12, every: 4, milliseconds: 700})
    const {output} = attempt.plan
    await until(() => existsSync(join(output, 'checkpoint-4/trainer_state.json')), 120)
    process.kill(Number(readFileSync(`${output}-starts`, 'utf8').split(' ')[2]), 'SIGKILL')
    await until(async () => (await backend.state(handle, folder)).detail.includes('started again 1 time'), 170)
    expect(await ended(handle, folder)).toMatchObject({state: 'succeeded'})
    expect(starts(output)).toEqual([0, 4])
    expect(readFileSync(join(attempt.plan.folder, 'rendered/a note.txt'), 'utf8')).toBe('from 4')
    const log = await wholeLog(backend, handle, attempt)
    expect(log.join('\n')).toContain('[ascend-cot] going on from step 4')
    expect(losses(log).slice(-8)).toEqual(losses(await wholeLog(backend, first, straight)).slice(-8))
  })

  test('is known by its own word where Slurm has forgotten it', async () => {
    const {attempt, handle} = await onCluster({steps: 1})
    await ended(handle, attempt.folder)
    expect(await backend.state('99999999', attempt.folder)).toEqual({state: 'succeeded', detail: ''})
    const elsewhere = await temporaryFolder()
    expect(await backend.state('99999999', elsewhere)).toMatchObject({state: 'lost'})
    await backend.cancel('99999999', elsewhere)
    expect(await backend.state('99999999', elsewhere)).toMatchObject({state: 'cancelled'})
  })

  test('is refused with what Slurm says of it', async () => {
    const refused = {backend: {kind: 'slurm', time: '10:00', partition: 'no-such-one'}}
    const attempt = attemptOf(await temporaryFolder(), {spec: refused})
    await expect(submitted(backend, attempt)).rejects.toMatchObject({
      code: 'executor-failed',
      message: expect.stringMatching(/^sbatch: .*invalid partition/),
      fix: expect.stringContaining('partition'),
    })
  })
})

describe('a cluster that is not there', () => {
  test('is a missing tool, by its name', async () => {
    const nowhere = slurmBackend({PATH: '/nonexistent'})
    const attempt = attemptOf(await temporaryFolder(), {spec})
    await expect(submitted(nowhere, attempt)).rejects.toMatchObject({
      code: 'toolchain-missing',
      message: expect.stringContaining('sbatch'),
    })
  })

  test('that does not answer is no state of a job', async () => {
    const silent = join(await temporaryFolder(), 'scontrol')
    await writeWhole(
      silent,
      '#!/bin/sh\necho "slurm_load_jobs error: Unable to contact slurm controller" >&2; exit 1\n',
    )
    shell('chmod', '+x', silent)
    const folder = await temporaryFolder()
    const asked = slurmBackend({PATH: `${join(silent, '..')}:/usr/bin:/bin`}).state('7', folder)
    await expect(asked).rejects.toMatchObject({code: 'executor-failed', fix: expect.stringContaining('sinfo')})
  })
})

describe('the batch script', () => {
  const scriptOf = (backendSpec: Record<string, unknown>, more: Record<string, unknown> = {}) => {
    const attempt = attemptOf('/shared/jobs/tiny', {
      spec: {backend: {kind: 'slurm', time: '2:00:00', ...backendSpec}, ...more},
    })
    const prepare = stepOf(['prepare'], {everyNode: false})
    const steps = [prepare, ...attempt.rendering.steps]
    return (
      backend.render({...attempt, rendering: {files: [], steps}}).find(({path}) => path === 'job.sbatch')?.text ?? ''
    )
  }

  test('asks for what the specification says', () => {
    const text = scriptOf(
      {partition: 'npu', account: 'lab', gres: 'npu', options: ['--constraint=a3', '--cpus-per-task=64']},
      {hardware: {accelerator: 'ascend', nodes: 2, devicesPerNode: 8}},
    )
    expect(text.match(/^#SBATCH .*$/gm)).toEqual([
      '#SBATCH --job-name=tiny-0123abcd-1',
      '#SBATCH --nodes=2',
      '#SBATCH --ntasks-per-node=1',
      '#SBATCH --time=2:00:00',
      '#SBATCH --partition=npu',
      '#SBATCH --account=lab',
      '#SBATCH --gres=npu:8',
      '#SBATCH --chdir=/shared/jobs/tiny/attempts/1',
      '#SBATCH --output=/shared/jobs/tiny/attempts/1/log.txt',
      '#SBATCH --open-mode=append',
      '#SBATCH --requeue',
      '#SBATCH --signal=B:USR1@300',
      '#SBATCH --constraint=a3',
      '#SBATCH --cpus-per-task=64',
    ])
  })

  test('asks for whole nodes where nobody says how many cores', () => {
    expect(scriptOf({})).toContain('#SBATCH --exclusive\n')
  })

  test('prepares on one node, and fills in the rank on each', () => {
    const text = scriptOf({})
    expect(text).toContain('run_step step-1.sh once || finish $?\nrun_step step-2.sh || finish $?\nfinish 0')
    expect(text).toContain(`bash -c 'NODE_RANK=$SLURM_NODEID exec bash "$0"'`)
  })

  test('is bash', () => {
    const {status, stderr} = spawnSync('bash', ['-n'], {input: scriptOf({}), encoding: 'utf8'})
    expect([status, stderr]).toEqual([0, ''])
  })

  test('takes no second line from an option', () => {
    expect(() => scriptOf({options: ['--comment=a\nrm -rf /']})).toThrow('several lines')
  })
})

describe("Slurm's states", () => {
  test.each([
    [{JobState: 'PENDING', Reason: 'Resources'}, 'queued', 'waits for Resources'],
    [{JobState: 'PENDING', Reason: 'BeginTime', Restarts: '2'}, 'queued', 'waits for BeginTime, started again 2 times'],
    [
      {JobState: 'PENDING', Reason: 'launch_failed_requeued_held'},
      'queued',
      'held (launch_failed_requeued_held): release it with `scontrol release`',
    ],
    [{JobState: 'RUNNING', Reason: 'None'}, 'running', ''],
    [{JobState: 'CANCELLED by 1000'}, 'cancelled', ''],
    [{JobState: 'OUT_OF_MEMORY', ExitCode: '0:125'}, 'failed', 'out of memory, signal 125'],
    [
      {JobState: 'TIMEOUT', ExitCode: '0:15'},
      'failed',
      'the time limit was reached; raise backend.time, or resume the job, signal 15',
    ],
  ])('%j is %s', (fields, state, detail) => {
    expect(slurmStatus(fields, false)).toEqual({state, detail})
  })

  test('a job that we cancelled has not failed; a word that is unknown says nothing', () => {
    expect(slurmStatus({JobState: 'FAILED', ExitCode: '15:0'}, true)).toEqual({state: 'cancelled', detail: ''})
    expect(slurmStatus({JobState: 'WHATEVER'}, false)).toBeUndefined()
  })
})
