import {describe, expect, test} from 'vitest'
import {cancelJob, resumeJob} from '../../../../pipelines/commands/train/change-job.ts'
import type {Resumed, TrainRooms} from '../../../../pipelines/commands/train/train-rooms.ts'
import {findJob} from '../../../../trainers/job-folder.ts'
import {specOf} from '../../../helpers/job-attempt.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'
import {recordedWorld} from '../../../helpers/world.ts'
import {attempt, leftCheckpoint, leftJob, scriptedRooms, type JobAttempt} from './scripted-jobs.ts'

const id = 'tiny-0123abcd'
const status = (state: JobAttempt['state'], detail = '') => ({state, detail})

describe('train cancel', () => {
  async function cancelled(attempts: JobAttempt[], states = [status('cancelled')], checkpoint?: number) {
    const out = await temporaryFolder()
    const record = await leftJob(out, {attempts})
    const folder = checkpoint === undefined ? '' : await leftCheckpoint(record, checkpoint)
    const world = recordedWorld()
    const {rooms, done} = scriptedRooms(out, {states})
    const code = await cancelJob({id, out}, rooms, world)
    return {code, done, printed: world.printed, said: world.said, folder, after: await findJob(out, id)}
  }

  test('ends what runs, and says how it can go on', async () => {
    const states = [status('running'), status('cancelled', 'by hand')]
    const {code, done, printed, said, folder, after} = await cancelled([attempt(1)], states, 4)
    expect(code).toBe(0)
    expect(done).toEqual(['state job:1', 'cancel job:1', 'state job:1'])
    expect(printed).toEqual([`${id} cancelled`])
    expect(said).toEqual([`  → \`ascend-cot train resume ${id}\` continues from ${folder}.`])
    expect(after.attempts[0]).toMatchObject({state: 'cancelled', detail: 'by hand'})
    expect((await cancelled([attempt(1)], states)).said).toEqual([])
  })

  test('ends what waits, and what is lost: something of it may still be there', async () => {
    for (const state of ['queued', 'lost'] as const)
      expect((await cancelled([attempt(1)], [status(state), status('cancelled')])).done).toContain('cancel job:1')
  })

  test.each<[string, JobAttempt[], string]>([
    ['ended', [attempt(1, {state: 'failed'})], 'failed'],
    ['succeeded', [attempt(1, {state: 'succeeded'})], 'succeeded'],
    ['never began', [], 'it was never started'],
    ['never had a name', [attempt(1, {handle: null})], 'lost'],
  ])('says of a job that %s that it is not running', async (_what, attempts, state) => {
    const {code, done, said} = await cancelled(attempts)
    expect(code).toBe(1)
    expect(done.filter((what) => what.startsWith('cancel'))).toEqual([])
    expect(said).toEqual([`${id} is not running: ${state}.`])
  })
})

describe('train resume', () => {
  async function resumed(attempts: JobAttempt[], {checkpoint = 0, states = [status('failed')]} = {}) {
    const out = await temporaryFolder()
    const record = await leftJob(out, {attempts})
    const folder = checkpoint === 0 ? '' : await leftCheckpoint(record, checkpoint)
    const world = recordedWorld()
    const {rooms, done} = scriptedRooms(out, {states})
    const asked: {path: string; set: object; from: Resumed | null}[] = []
    const own: TrainRooms = {
      ...rooms,
      readSpec: async (path, set) => {
        asked.push({path, set, from: null})
        return specOf()
      },
      check: (spec, from) => {
        asked[0] = {...(asked[0] as (typeof asked)[number]), from}
        return rooms.check(spec, from)
      },
    }
    const request = {id, out, set: {'environment.python': 'py'}, dryRun: false, detach: true, json: false}
    const code = await resumeJob(request, own, world)
    return {code, done, asked, said: world.said, record, folder, after: await findJob(out, id)}
  }

  test('continues from the last checkpoint as a further attempt', async () => {
    const {code, done, asked, said, record, folder, after} = await resumed([attempt(3)], {checkpoint: 4})
    expect(code).toBe(0)
    expect(done).toEqual(['state job:1', 'submit 4'])
    const job = `${record.output}/..`.replace('/output/..', '')
    expect(asked).toEqual([
      {
        path: `${job}/spec.yaml`,
        set: {'environment.python': 'py'},
        from: {
          ...{id, folder: job, output: record.output, checkpoint: folder},
          base: {path: '/models/tiny', adapter: null},
          before: {spec: specOf(), data: {...record.data, files: []}, arithmetic: record.arithmetic},
        },
      },
    ])
    expect(after.attempts.map(({number, state, resumedFrom}) => [number, state, resumedFrom])).toEqual([
      [3, 'failed', null],
      [4, 'queued', folder],
    ])
    expect(said).toEqual([
      `${id}, attempt 4: submitted, ${job}`,
      `  → Watch it with \`ascend-cot train logs ${id} --follow\`.`,
    ])
  })

  test.each(['cancelled', 'lost'] as const)('goes on with a job that was %s', async (state) => {
    expect((await resumed([attempt(1)], {checkpoint: 2, states: [status(state)]})).code).toBe(0)
  })

  test('is refused where the job goes on, has ended well, or left nothing', async () => {
    const logs = `Watch it with \`ascend-cot train logs ${id} --follow\`, or stop it with \`ascend-cot train cancel ${id}\`.`
    for (const state of ['running', 'queued'] as const)
      await expect(resumed([attempt(1)], {checkpoint: 2, states: [status(state)]})).rejects.toMatchObject({
        code: 'run-locked',
        message: `There is nothing to resume: the job ${id} is ${state}.`,
        fix: logs,
      })
    await expect(resumed([attempt(1)], {checkpoint: 2, states: [status('succeeded')]})).rejects.toMatchObject({
      message: `There is nothing to resume: the job ${id} is succeeded.`,
      fix: `To train it further, start a job from it: --set model.name=job:${id}.`,
    })
    await expect(resumed([attempt(1)])).rejects.toMatchObject({
      code: 'input-missing',
      message: expect.stringMatching(/^The job tiny-0123abcd left no complete checkpoint in .*\/output\.$/) as string,
      fix: expect.stringMatching(
        /with the original command: `ascend-cot train (\S+)\/jobs\/tiny-0123abcd\/spec\.yaml --out \S*\/\S+`\.$/,
      ) as string,
    })
  })
})
