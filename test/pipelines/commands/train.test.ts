import {appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {cancelJob, resumeJob} from '../../../pipelines/commands/train/change-job.ts'
import {jobLogs, jobStatus} from '../../../pipelines/commands/train/look-at-jobs.ts'
import {startJob} from '../../../pipelines/commands/train/start-job.ts'
import type {JobRecord} from '../../../datasets/schema/job.ts'
import {remainsOf} from '../../../engine/detached.ts'
import {findJobs} from '../../../trainers/job-folder.ts'
import {readMetrics} from '../../../trainers/job-metrics.ts'
import {standInRooms} from '../../helpers/stand-in-rooms.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {until} from '../../helpers/until.ts'
import {recordedWorld} from '../../helpers/world.ts'

const request = {spec: '{}', set: {}, dryRun: false, detach: false, json: false}
const watching = {follow: false, attempt: undefined}

async function rooms(wanted: Omit<Parameters<typeof standInRooms>[0], 'out'> = {}) {
  const out = await temporaryFolder()
  return {out, rooms: standInRooms({out, ...wanted})}
}

function worldNow(abort?: AbortSignal) {
  const world = {...recordedWorld(), now: () => Date.now(), ...(abort ? {signal: abort} : {})}
  return {...world, all: () => [...world.printed, ...world.said].join('\n')}
}

async function onlyJob(out: string): Promise<JobRecord> {
  const [job, ...others] = await findJobs(out)
  expect(others).toEqual([])
  return job as JobRecord
}

const folderIn = (out: string, {id}: JobRecord) => join(out, 'jobs', id)

describe('train <spec>', () => {
  test('starts a job, watches it to its end and leaves all there is to know in its folder', async () => {
    const {out, rooms: all} = await rooms()
    const world = worldNow()
    expect(await startJob(request, all, world)).toBe(0)
    expect(world.printed.join('\n')).toMatch(/hyperparameters\.learningRate +0\.00001 +ours/)
    expect(world.printed.at(-1)).toMatch(/^tiny-[0-9a-f]{8} succeeded: 10 steps, last checkpoint .*checkpoint-10$/)
    const job = await onlyJob(out)
    expect(job.attempts).toMatchObject([{number: 1, state: 'succeeded', resumedFrom: null}])
    const folder = folderIn(out, job)
    expect(readdirSync(folder).sort()).toEqual([
      'attempts',
      'data',
      'job.json',
      'metrics.jsonl',
      'output',
      'output-starts',
      'spec.yaml',
    ])
    expect(readMetrics(folder).map(({step}) => step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('--dry-run shows it and writes nothing', async () => {
    const {out, rooms: all} = await rooms()
    const world = worldNow()
    expect(await startJob({...request, dryRun: true}, all, world)).toBe(0)
    expect(world.printed.join('\n')).toContain('1 = 1 × 1 × 1 (micro-batch × accumulation × data-parallel)')
    expect(readdirSync(out)).toEqual([])
    const asJson = worldNow()
    await startJob({...request, dryRun: true, json: true}, all, asJson)
    expect(Object.keys(JSON.parse(asJson.printed.join('')) as object)).toEqual([
      'plan',
      'findings',
      'rendering',
      'scripts',
    ])
  })

  test('starts nothing where the check finds an error, and says so by its exit code', async () => {
    const findings = [{code: 'lengths', severity: 'error' as const, message: '3 rows are cut', fix: 'raise it'}]
    const {out, rooms: all} = await rooms({findings})
    const world = worldNow()
    expect(await startJob(request, all, world)).toBe(2)
    expect(world.all()).toContain('lengths: 3 rows are cut')
    expect(world.said.join('\n')).toContain('Nothing was started.')
    expect(readdirSync(out)).toEqual([])
  })

  test('--detach returns at once, and the job goes on', async () => {
    const {out, rooms: all} = await rooms({milliseconds: 60})
    const world = worldNow()
    expect(await startJob({...request, detach: true}, all, world)).toBe(0)
    const job = await onlyJob(out)
    expect(remainsOf(job.attempts[0]?.handle ?? '').alive).toBe(true)
    expect(world.said.join('\n')).toContain(`train logs ${job.id} --follow`)
    const follower = worldNow()
    expect(await jobLogs({id: 'tiny', out, ...watching, follow: true}, all, follower)).toBe(0)
    expect(follower.printed.filter((line) => line.startsWith("{'loss'"))).toHaveLength(10)
  })

  test('Ctrl-C stops the watching, not the job', async () => {
    const {out, rooms: all} = await rooms({milliseconds: 80})
    const abort = new AbortController()
    const world = worldNow(abort.signal)
    const watched = startJob(request, all, world)
    await until(async () => (await findJobs(out))[0]?.attempts[0]?.state === 'running')
    abort.abort()
    expect(await watched).toBe(130)
    const job = await onlyJob(out)
    expect(world.interrupted.says).toBe(
      `detached; the job keeps running. Watch it with \`ascend-cot train logs ${job.id} --follow\``,
    )
    expect(remainsOf(job.attempts[0]?.handle ?? '').alive).toBe(true)
    await jobLogs({id: job.id, out, ...watching, follow: true}, all, worldNow())
    expect((await onlyJob(out)).attempts[0]?.state).toBe('succeeded')
  })

  test('says what a job that fails wrote last, and can be started again when it left nothing', async () => {
    const {out, rooms: all} = await rooms({fault: 'exit-at-1'})
    const world = worldNow()
    expect(await startJob(request, all, world)).toBe(1)
    expect(world.printed.at(-1)).toMatch(/failed \(exit code 3\): 1 step, no checkpoint$/)
    expect(world.said.join('\n')).toContain("  │ {'loss'")
    expect(await startJob(request, standInRooms({out}), worldNow())).toBe(0)
    expect((await onlyJob(out)).attempts.map(({state}) => state)).toEqual(['failed', 'succeeded'])
  })

  test('the same job is not started twice', async () => {
    const {out, rooms: all} = await rooms({milliseconds: 100})
    await startJob({...request, detach: true}, all, worldNow())
    await expect(startJob(request, all, worldNow())).rejects.toMatchObject({
      code: 'run-locked',
      message: expect.stringMatching(/is running already/),
    })
    await jobLogs({id: 'tiny', out, ...watching, follow: true}, all, worldNow())
    await expect(startJob(request, all, worldNow())).rejects.toMatchObject({
      message: expect.stringMatching(/it succeeded, and left .*checkpoint-10/),
      fix: expect.stringContaining('--set name=tiny-2'),
    })
  })

  test('what cannot be submitted has failed, and says so', async () => {
    const {out, rooms: all} = await rooms()
    const broken = {...all, backend: () => ({...all.backend('local'), submit: () => Promise.reject(new Error('no'))})}
    await expect(startJob(request, broken, worldNow())).rejects.toThrow('no')
    expect((await onlyJob(out)).attempts).toMatchObject([
      {state: 'failed', handle: null, detail: 'it could not be submitted'},
    ])
  })
})

describe('train resume', () => {
  async function killed(milliseconds = 60) {
    const made = await rooms({milliseconds, every: 2})
    await startJob({...request, detach: true}, made.rooms, worldNow())
    const job = await onlyJob(made.out)
    const checkpoint = join(job.output, 'checkpoint-4/trainer_state.json')
    await until(() => existsSync(checkpoint))
    process.kill(-Number(job.attempts[0]?.handle?.split(':')[0]), 'SIGKILL')
    await until(() => remainsOf(job.attempts[0]?.handle ?? '').members.length === 0)
    return {...made, job, folder: folderIn(made.out, job)}
  }
  const asked = {set: {}, dryRun: false, detach: false, json: false}

  test('continues from the last checkpoint, and the losses are those of a job that was never stopped', async () => {
    const {out, rooms: all, job, folder} = await killed()
    expect(await resumeJob({id: job.id, out, ...asked}, all, worldNow())).toBe(0)
    const after = await onlyJob(out)
    expect(after.attempts.map(({state}) => state)).toEqual(['lost', 'succeeded'])
    expect(after.attempts[1]?.resumedFrom).toMatch(/checkpoint-\d+$/)
    const straight = await rooms()
    await startJob(request, straight.rooms, worldNow())
    const whole = readMetrics(folderIn(straight.out, await onlyJob(straight.out)))
    const second = readMetrics(folder).filter(({attempt}) => attempt === 2)
    expect(second[0]?.step).toBeGreaterThan(4)
    expect(second.map(({loss}) => loss)).toEqual(whole.slice(-second.length).map(({loss}) => loss))
  })

  test('needs a whole checkpoint, and something that has ended', async () => {
    const {out, rooms: all, job} = await killed()
    rmSync(job.output, {recursive: true})
    await expect(resumeJob({id: job.id, out, ...asked}, all, worldNow())).rejects.toMatchObject({
      code: 'input-missing',
      fix: expect.stringContaining(`${join(out, 'jobs', job.id, 'spec.yaml')} --out ${out}`.replace(/^.*jobs/, 'jobs')),
    })
    const running = await rooms({milliseconds: 200})
    await startJob({...request, detach: true}, running.rooms, worldNow())
    const resumed = resumeJob({id: 'tiny', out: running.out, ...asked}, running.rooms, worldNow())
    await expect(resumed).rejects.toMatchObject({code: 'run-locked'})
    expect(await cancelJob({id: 'tiny', out: running.out}, running.rooms, worldNow())).toBe(0)
  })

  test('starts nothing where the check says that the job is not what it was', async () => {
    const {out, job} = await killed()
    const findings = [{code: 'resume-differs', severity: 'error' as const, message: 'steps 12, was 10', fix: ''}]
    expect(await resumeJob({id: job.id, out, ...asked}, roomsOf(out, job, findings), worldNow())).toBe(2)
    expect((await onlyJob(out)).attempts).toHaveLength(1)
  })

  function roomsOf(out: string, job: JobRecord, findings: Parameters<typeof standInRooms>[0]['findings'] & object) {
    const all = standInRooms({out, findings})
    return {...all, readSpec: () => all.readSpec(JSON.stringify({name: job.name}), {})}
  }
})

describe('train cancel, status, logs', () => {
  test('cancel ends it; a second time there is nothing to end', async () => {
    const {out, rooms: all} = await rooms({milliseconds: 200})
    await startJob({...request, detach: true}, all, worldNow())
    const world = worldNow()
    expect(await cancelJob({id: 'tiny', out}, all, world)).toBe(0)
    expect(world.printed[0]).toMatch(/^tiny-\w+ cancelled$/)
    expect(await cancelJob({id: 'tiny', out}, all, world)).toBe(1)
    expect(world.said.at(-1)).toMatch(/is not running: cancelled\.$/)
  })

  test('status shows all jobs, and one with its curve, attempts and lineage', async () => {
    const {out, rooms: all} = await rooms()
    await startJob(request, all, worldNow())
    const list = worldNow()
    await jobStatus({id: '', out, json: false}, all, list)
    expect(list.printed.join('\n')).toMatch(/tiny-\w{8} +succeeded +10\/10 +1\.4\d+ +1/)
    const one = worldNow()
    await jobStatus({id: 'tiny', out, json: false}, all, one)
    const page = one.printed.join('\n')
    expect(page).toMatch(/^✓ tiny-\w{8} {2}succeeded/)
    expect(page).toMatch(/[⠁-⣿]/)
    expect(page).toContain('on 10 rows of runs/dataset sft/train')
    expect(page).toContain('from /models/tiny')
    const json = worldNow()
    await jobStatus({id: 'tiny', out, json: true}, all, json)
    expect(JSON.parse(json.printed[0] ?? '')).toMatchObject({last: {step: 10}, alarms: [], lineage: {method: 'sft'}})
  })

  test('a job that is none is named, with those there are', async () => {
    const {out, rooms: all} = await rooms()
    await expect(jobStatus({id: 'x', out, json: false}, all, worldNow())).rejects.toMatchObject({
      code: 'job-missing',
      fix: expect.stringContaining('ascend-cot train <spec>'),
    })
    await startJob(request, all, worldNow())
    const {id} = await onlyJob(out)
    await expect(jobStatus({id: 'nobody', out, json: false}, all, worldNow())).rejects.toMatchObject({
      fix: expect.stringContaining(id),
    })
    const typo = `${id.slice(0, -1)}x`
    await expect(jobStatus({id: typo, out, json: false}, all, worldNow())).rejects.toMatchObject({
      fix: `Did you mean ${id}?`,
    })
    await expect(jobLogs({id, out, ...watching, attempt: 7}, all, worldNow())).rejects.toMatchObject({
      message: `The job ${id} has no attempt 7.`,
      fix: 'Its attempts: 1.',
    })
  })

  test('a record that was spoilt is named by its path', async () => {
    const {out, rooms: all} = await rooms()
    await startJob(request, all, worldNow())
    const path = join(folderIn(out, await onlyJob(out)), 'job.json')
    writeFileSync(path, '{}')
    await expect(jobStatus({id: '', out, json: false}, all, worldNow())).rejects.toMatchObject({
      code: 'record-invalid',
      message: `${path} is not a job record.`,
    })
  })

  test('an attempt whose submitter was killed before it knew its name is lost, and says where to look', async () => {
    const {out, rooms: all} = await rooms()
    await startJob(request, all, worldNow())
    const job = await onlyJob(out)
    const attempts = [{...job.attempts[0], state: 'queued', handle: null}]
    writeFileSync(join(folderIn(out, job), 'job.json'), JSON.stringify({...job, attempts}))
    await jobStatus({id: '', out, json: false}, all, worldNow())
    expect((await onlyJob(out)).attempts[0]).toMatchObject({state: 'lost', detail: expect.stringContaining('ps -ef')})
  })
})

describe('metrics', () => {
  test('are the same when the log is read again, also after a torn line', async () => {
    const {out, rooms: all} = await rooms()
    await startJob(request, all, worldNow())
    const job = await onlyJob(out)
    const file = join(folderIn(out, job), 'metrics.jsonl')
    const before = readFileSync(file, 'utf8')
    await jobStatus({id: '', out, json: false}, all, worldNow())
    expect(readFileSync(file, 'utf8')).toBe(before)
    rmSync(file)
    await jobStatus({id: '', out, json: false}, all, worldNow())
    expect(readFileSync(file, 'utf8')).toBe(before)
    const lines = before.split('\n')
    writeFileSync(file, `${lines.slice(0, 4).join('\n')}\n${lines[4]?.slice(0, 20)}`)
    await jobStatus({id: '', out, json: false}, all, worldNow())
    expect(readFileSync(file, 'utf8')).toBe(before)
    appendFileSync(join(folderIn(out, job), 'attempts/1/log.txt'), "{'loss': 'nan', 'epoch': '11'}\n")
    await jobStatus({id: '', out, json: false}, all, worldNow())
    expect(readMetrics(folderIn(out, job)).at(-1)).toMatchObject({step: 11, loss: null})
  })
})
