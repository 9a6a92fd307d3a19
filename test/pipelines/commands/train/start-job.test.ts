import {existsSync} from 'node:fs'
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {JobRecord} from '../../../../datasets/schema/job.ts'
import {sweepJobs} from '../../../../pipelines/commands/sweep/sweep-jobs.ts'
import {startJob, type StartRequest} from '../../../../pipelines/commands/train/start-job.ts'
import type {CheckedPlan, TrainRooms} from '../../../../pipelines/commands/train/train-rooms.ts'
import {PipelineError} from '../../../../engine/errors.ts'
import {findJobs} from '../../../../trainers/job-folder.ts'
import {planOf, specOf} from '../../../helpers/job-attempt.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'
import {attempt, leftCheckpoint, leftJob, scriptedRooms, worldAfter, type JobAttempt} from './scripted-jobs.ts'

const id = 'tiny-0123abcd'
const error = {code: 'rows-cut', severity: 'error' as const, message: '3 rows are cut', fix: 'raise it'}
const note = {...error, code: 'lengths', severity: 'note' as const}

type Findings = CheckedPlan['findings']

/** Rooms that plan the one job, whatever is asked for. */
function roomsFor(out: string, findings: Findings = [], states: JobAttempt['state'][] = ['running']) {
  const {rooms, done} = scriptedRooms(out, {states: states.map((state) => ({state, detail: ''}))})
  const own: TrainRooms = {
    ...rooms,
    readSpec: async () => specOf(),
    check: async () => ({
      plan: planOf(join(out, 'jobs', id)),
      parent: 'an-earlier-job',
      findings,
      cost: {tokens: 1234, memoryBytes: 3 * 2 ** 30, hours: 0.5},
      page: (width) => `checked at ${width}`,
      writeRows: async () => void done.push('rows'),
    }),
  }
  return {rooms: own, done}
}

interface Given {
  request?: Partial<StartRequest>
  findings?: Findings
  left?: Partial<JobRecord>
  checkpoint?: number
  states?: JobAttempt['state'][]
}

async function started({request = {}, findings = [], left, checkpoint, states}: Given = {}) {
  const out = await temporaryFolder()
  if (left) await leftJob(out, left)
  if (left && checkpoint !== undefined) await leftCheckpoint(await leftJob(out, left), checkpoint)
  const {rooms, done} = roomsFor(out, findings, states)
  const world = worldAfter(5)
  const asked = {spec: 'tiny', set: {}, dryRun: false, detach: true, json: false, ...request}
  const code = await startJob(asked, rooms, world)
  const folder = join(out, 'jobs', id)
  return {code, done, out, folder, printed: world.printed, said: world.said, jobs: await findJobs(out)}
}

describe('train <spec>', () => {
  test('shows what it comes to, writes the rows, and submits', async () => {
    const {code, done, folder, printed, said, jobs} = await started({findings: [note]})
    expect(code).toBe(0)
    expect(done).toEqual(['rows', 'submit 1'])
    expect(printed).toHaveLength(2)
    expect(printed[0]).toMatch(
      /^costs +about 1,234 tokens; about 3\.0 GiB per device; about 0\.5 device hours at 120 TFLOP\/s$/m,
    )
    expect(printed[1]).toBe('\nchecked at 100')
    expect(said).toEqual([
      `${id}, attempt 1: submitted, ${folder}`,
      `  → Watch it with \`ascend-cot train logs ${id} --follow\`.`,
    ])
    expect(jobs).toMatchObject([{id, base: {job: 'an-earlier-job'}}])
    expect(jobs[0]?.attempts).toEqual([attempt(1, {submitted: '2026-01-01T00:00:05.000Z', state: 'queued'})])
  })

  test('prints the record alone as JSON', async () => {
    const {printed, jobs} = await started({request: {json: true}})
    expect(printed.map((line) => JSON.parse(line) as unknown)).toEqual(jobs)
  })

  test('starts nothing where the check finds an error', async () => {
    const {code, done, printed, said, folder} = await started({findings: [note, error]})
    expect(code).toBe(2)
    expect(done).toEqual([])
    expect(printed[1]).toBe('\nchecked at 100')
    expect(said).toEqual(['Nothing was started. Fix the errors above, or allow their codes with --set allow=[…].'])
    expect(existsSync(folder)).toBe(false)
    const json = await started({findings: [error], request: {json: true}})
    expect(json.code).toBe(2)
    expect(json.said).toEqual([])
    expect(JSON.parse(json.printed.join(''))).toMatchObject({plan: {id}, findings: [error], scripts: []})
  })

  test('starts nothing where it is only to be shown', async () => {
    const {code, done, printed, said} = await started({request: {dryRun: true}})
    expect([code, done, said]).toEqual([0, [], ['Dry run: nothing was written or started.']])
    expect(printed).toHaveLength(2)
    const json = await started({request: {dryRun: true, json: true}})
    expect(Object.keys(JSON.parse(json.printed.join('')) as object)).toEqual([
      ...['plan', 'findings', 'rendering', 'scripts'],
    ])
    expect([json.code, json.printed.length]).toEqual([0, 1])
  })

  test('shows the cost of a job that has already run, and that it would not be started', async () => {
    const given = {left: {attempts: [attempt(1)]}, states: ['succeeded' as const], request: {dryRun: true}}
    const {code, done, printed, said} = await started(given)
    expect([code, done.filter((what) => !what.startsWith('state'))]).toEqual([2, []])
    expect(printed).toHaveLength(2)
    expect(said.at(-1)).toBe(
      `It would not be started: The job ${id} has already run: it succeeded.\n  → Start it under another name (--set name=tiny-2).`,
    )
    const json = await started({...given, request: {dryRun: true, json: true}})
    expect(JSON.parse(json.printed.join(''))).toMatchObject({plan: {id}})
  })

  test('watches it to its end unless it is told not to', async () => {
    const {code, printed} = await started({request: {detach: false}, states: ['succeeded']})
    expect(code).toBe(0)
    expect(printed.at(-1)).toBe(`${id} succeeded: 0 steps, no checkpoint`)
  })

  test('tries a job again that left nothing', async () => {
    const left = {attempts: [attempt(1, {state: 'failed'})]}
    const {done, jobs} = await started({left})
    expect(done).toEqual(['rows', 'submit 2'])
    expect(jobs[0]?.attempts.map(({number, state}) => [number, state])).toEqual([
      [1, 'failed'],
      [2, 'queued'],
    ])
    expect((await started({left: {attempts: []}})).done).toEqual(['rows', 'submit 1'])
  })

  test('does not start what runs, has ended well, or can go on', async () => {
    const logs = `Watch it with \`ascend-cot train logs ${id} --follow\`, or stop it with \`ascend-cot train cancel ${id}\`.`
    await expect(started({left: {attempts: [attempt(1)]}})).rejects.toMatchObject({
      code: 'run-locked',
      message: `The job ${id} is running already.`,
      fix: logs,
      evidence: {id, state: 'running'},
    })
    await expect(started({left: {attempts: [attempt(1)]}, states: ['succeeded']})).rejects.toMatchObject({
      message: `The job ${id} has already run: it succeeded.`,
      fix: 'Start it under another name (--set name=tiny-2).',
    })
    const out = await temporaryFolder()
    await leftJob(out)
    await writeFile(join(out, 'jobs', id, 'job.json'), '{}')
    const asked = {spec: 'tiny', set: {}, dryRun: false, detach: true, json: false}
    await expect(startJob(asked, roomsFor(out).rooms, worldAfter(5))).rejects.toMatchObject({code: 'record-invalid'})
    const failed = {left: {attempts: [attempt(1)]}, states: ['failed' as const], checkpoint: 4}
    await expect(started(failed)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The job \S+ has already run: it failed, and left \/.*\/checkpoint-4\.$/,
      ) as string,
      fix: `Start it under another name (--set name=tiny-2), or resume it: \`ascend-cot train resume ${id}\`.`,
    })
  })
})

describe('a job of a sweep', () => {
  const job = {row: 'one', seed: 7, spec: 'tiny', set: {}} as never

  async function swept(given: Given & {dryRun?: boolean; check?: () => Promise<never>; aborted?: boolean} = {}) {
    const out = await temporaryFolder()
    if (given.left) await leftJob(out, given.left)
    const {rooms, done} = roomsFor(out, given.findings, given.states)
    const world = {...worldAfter(5), ...(given.aborted && {signal: AbortSignal.abort()})}
    const own = given.check ? {...rooms, check: given.check} : rooms
    const found = await sweepJobs([job], {rooms: own, world, dryRun: given.dryRun ?? false})
    return {found: found.map(({plan, cost: _, ...one}) => ({...one, planned: plan !== null})), done}
  }
  const now = (state: string, detail = '', ...hindrance: string[]) => [
    {row: 'one', seed: 7, id, state, detail, planned: true, hindrance},
  ]

  test('is started and watched where it is new', async () => {
    const {found, done} = await swept({states: ['succeeded']})
    expect(found).toEqual(now('succeeded'))
    expect(done).toContain('submit 1')
  })

  test('is planned, and refused, without being started', async () => {
    expect(await swept({dryRun: true})).toEqual({found: now('planned'), done: []})
    const twice = [error, note, {...error, code: 'lengths-short'}]
    const said = '3 rows are cut raise it'
    const found = now('refused', 'rows-cut, lengths-short', said, said)
    expect(await swept({findings: twice})).toEqual({found, done: []})
  })

  test('is told of as it is where it was started before', async () => {
    const left = {attempts: [attempt(1)]}
    expect((await swept({left})).found).toEqual(now('running'))
    expect((await swept({left, states: ['succeeded']})).found).toEqual(now('succeeded'))
    const shows = `; \`ascend-cot train status ${id}\` shows it`
    expect((await swept({left, states: ['failed']})).found).toEqual(now('failed', shows))
    expect(await swept({left: {attempts: []}})).toEqual({found: now('planned'), done: []})
  })

  test('waits for what is missing, and is refused for what is wrong', async () => {
    const without = {row: 'one', seed: 7, id: null, detail: '', planned: false}
    const missing = new PipelineError('input-missing', 'There is no model.', {fix: 'Make it.'})
    expect((await swept({check: () => Promise.reject(missing)})).found).toEqual([
      {...without, state: 'waiting', hindrance: ['There is no model. Make it.']},
    ])
    const wrong = new PipelineError('config-invalid', 'No.', {fix: ''})
    expect((await swept({check: () => Promise.reject(wrong)})).found).toEqual([
      {...without, state: 'refused', hindrance: ['No.']},
    ])
    const broken = new TypeError('a fault of ours')
    await expect(swept({check: () => Promise.reject(broken)})).rejects.toBe(broken)
  })

  test('is left alone once nobody wants it', async () => {
    expect(await swept({aborted: true})).toEqual({found: [], done: []})
  })
})
