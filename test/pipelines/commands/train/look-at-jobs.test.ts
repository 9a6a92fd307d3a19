import {createHash} from 'node:crypto'
import {mkdir, readFile, utimes, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {createParquetFile} from '../../../../datasets/parquet/parquet-file.ts'
import {folderOf, jobLogs, jobStatus, storedSpec} from '../../../../pipelines/commands/train/look-at-jobs.ts'
import {specOf} from '../../../helpers/job-attempt.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'
import {recordedWorld} from '../../../helpers/world.ts'
import {attempt, leftCheckpoint, leftJob, scriptedRooms, stepLine, worldAfter} from './scripted-jobs.ts'

const running = {state: 'running', detail: 'on node 1'} as const
const id = 'tiny-0123abcd'

describe('the specification of a job', () => {
  test('is what it was started with', async () => {
    const out = await temporaryFolder()
    const record = await leftJob(out)
    expect(folderOf(out, record)).toBe(join(out, 'jobs', id))
    expect(storedSpec(folderOf(out, record))).toEqual(specOf())
  })

  test('that was changed says where', async () => {
    const out = await temporaryFolder()
    const folder = folderOf(out, await leftJob(out))
    const path = join(folder, 'spec.yaml')
    await writeFile(path, (await readFile(path, 'utf8')).replace('name: tiny', 'name: Tiny'))
    expect(() => storedSpec(folder)).toThrow(
      expect.objectContaining({
        code: 'record-invalid',
        message: `${path}: name: lower-case letters, digits and single dashes`,
        scope: 'run',
      }) as Error,
    )
  })
})

describe('train status', () => {
  async function shown(request: {id?: string; json?: boolean}, out: string, script = {}) {
    const world = worldAfter(65)
    const all = {id: '', out, json: false, ...request}
    expect(await jobStatus(all, scriptedRooms(out, script).rooms, world)).toBe(0)
    return world
  }

  test('says where no job is, and how to start one', async () => {
    const out = await temporaryFolder()
    expect((await shown({}, out)).said).toEqual([
      `There is no job in ${join(out, 'jobs')}. Start one: \`ascend-cot train <spec>\`.`,
    ])
    expect((await shown({json: true}, out)).printed).toEqual(['[]'])
  })

  test('of all jobs is a line each, by when they were submitted last', async () => {
    const out = await temporaryFolder()
    await leftJob(out, {id: 'a', attempts: [attempt(1)]})
    await leftJob(out, {id: 'b'})
    const {printed} = await shown({}, out, {states: [running], log: [stepLine(2, '0.75'), stepLine(3, '0.5')]})
    expect(printed).toEqual([
      [
        'job  state    step  loss  attempts',
        `b    queued   0/10  ${' '.repeat(4)}  ${' '.repeat(7)}0`,
        `a    running  3/10  0.5   ${' '.repeat(7)}1  on node 1`,
      ].join('\n'),
    ])
    const {printed: json} = await shown({json: true}, out, {states: [running]})
    expect(JSON.parse(json[0] ?? '')).toMatchObject([
      {id: 'b', attempts: [], last: null},
      {id: 'a', attempts: [{state: 'running', detail: 'on node 1'}], last: {step: 3, loss: 0.5}},
    ])
  })

  test('has no loss where the trainer had none', async () => {
    const out = await temporaryFolder()
    await leftJob(out, {id: 'a', attempts: [attempt(1)]})
    const {printed} = await shown({}, out, {log: [stepLine(1, 'nan')]})
    expect(printed[0]?.split('\n')[1]).toBe(`a    running  1/10  ${' '.repeat(4)}  ${' '.repeat(7)}1`)
  })

  test('of one job takes 100 columns where there is no terminal', async () => {
    const out = await temporaryFolder()
    const detail = 'x'.repeat(150)
    await leftJob(out, {attempts: [attempt(1)]})
    const {printed} = await shown({id}, out, {states: [{state: 'running', detail}], log: [stepLine(1, '1')]})
    expect(printed[0]?.split('\n')[0]).toHaveLength(100)
  })

  test('of one job shows its curve, alarms, attempts, checkpoint and lineage', async () => {
    const out = await temporaryFolder()
    const failed = attempt(1, {state: 'failed', detail: 'exit code 1', submitted: '2025-12-31T23:00:01.000Z'})
    const again = attempt(2, {handle: '17:4', resumedFrom: '/c/checkpoint-2', detail: 'on node 1'})
    await leftJob(out, {attempts: [failed, again]})
    const {printed} = await shown({id}, out, {states: [running], log: [stepLine(3, 'nan')]})
    expect(printed).toEqual([
      [
        `● ${id}  running  1:05  on node 1\n  step 3/10  loss no number  lr 1.00e-5  grad 1.5`,
        '! The loss is not finite since step 3.\n' +
          '  → Cancel the job; lower the learning rate, clip gradients more, or use bf16 instead of fp16.',
        [
          'attempt  state    submitted            called',
          '      1  failed   2025-12-31 23:00:01  job     exit code 1',
          '      2  running  2026-01-01 00:00:00  17      on node 1; from /c/checkpoint-2',
        ].join('\n'),
        `checkpoint  none yet\nfolder      ${join(out, 'jobs', id)}`,
        `made by ${id} (sft)\n  on 10 rows of runs/dataset sft/train, ${'a'.repeat(12)}…\n  from /models/tiny`,
      ].join('\n\n'),
    ])
  })

  test('of one job counts up to its end, by its last word or by its log', async () => {
    const out = await temporaryFolder()
    const folder = folderOf(out, await leftJob(out, {attempts: [attempt(1, {state: 'succeeded'})]}))
    const head = async () => (await shown({id}, out)).printed[0]?.split('\n')[0]
    expect(await head()).toBe(`✓ ${id}  succeeded  0:00`)
    const submitted = Date.parse(attempt(1).submitted) / 1000
    const written = async (name: string, seconds: number) => {
      await mkdir(join(folder, 'attempts/1'), {recursive: true})
      await writeFile(join(folder, 'attempts/1', name), '')
      await utimes(join(folder, 'attempts/1', name), submitted, submitted + seconds)
    }
    await written('log.txt', 20)
    expect(await head()).toBe(`✓ ${id}  succeeded  0:20`)
    await written('exit-code', 40)
    expect(await head()).toBe(`✓ ${id}  succeeded  0:40`)
  })

  test('of one job that was never submitted counts no time', async () => {
    const out = await temporaryFolder()
    const job = await leftJob(out)
    const checkpoint = await leftCheckpoint(job, 4)
    const {printed} = await shown({id}, out)
    expect(printed[0]?.split('\n\n').slice(0, 3)).toEqual([
      `○ ${id}  queued  0:00`,
      'attempt  state  submitted  called',
      `checkpoint  ${checkpoint}\nfolder      ${join(out, 'jobs', id)}`,
    ])
    const {printed: json} = await shown({id, json: true}, out)
    expect(JSON.parse(json[0] ?? '')).toMatchObject({id, last: null, checkpoint, alarms: [], lineage: {job: id}})
    expect(json).toHaveLength(1)
  })

  test('stays within the width of the terminal', async () => {
    const out = await temporaryFolder()
    await leftJob(out, {attempts: [attempt(1, {detail: 'waiting for a node that is free of faults'})]})
    const world = worldAfter(65)
    const narrow = {...world, terminal: {...world.terminal, width: 50}}
    await jobStatus({id, out, json: false}, scriptedRooms(out, {states: [attempt(1)]}).rooms, narrow)
    await jobStatus({id: '', out, json: false}, scriptedRooms(out, {states: [attempt(1)]}).rooms, narrow)
    const [one = '', all = ''] = world.printed
    const lines = [...(one.split('\n\n')[0] ?? '').split('\n'), ...all.split('\n')]
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(50)
  })

  async function data(sources: number): Promise<string> {
    const root = await temporaryFolder()
    const columns = ['repository', 'revision', 'licence'].map((name) => ({name, type: 'string' as const}))
    await mkdir(join(root, 'data/sft'), {recursive: true})
    const path = join(root, 'data/sft/train-0.parquet')
    const file = await createParquetFile(path, columns, {codec: 'snappy', rowGroupBytes: 1e6, rowGroupRows: 100})
    for (let at = 1; at <= sources; at += 1)
      await file.write({repository: `r${at}`, revision: 'v1', licence: 'MIT'}, `${at}`)
    await file.finish()
    await file.publish(path)
    await writeFile(join(root, 'manifest.json'), '{}')
    return root
  }

  test('tells eight sources of a data set, and how many more', async () => {
    const out = await temporaryFolder()
    const manifest = createHash('sha256').update('{}').digest('hex')
    const linesOf = async (sources: number, seen = manifest) => {
      const source = await data(sources)
      const dataset = {source, config: 'sft', split: 'train', rows: sources, sha256: 'b'.repeat(64), manifest: seen}
      await leftJob(out, {data: dataset})
      const lines = (await shown({id}, out)).printed[0]?.split('\n\n').at(-1)?.split('\n') ?? []
      return lines.slice(1).map((line) => line.replace(source, 'S'))
    }
    const rows = (at: number) => `    1 row of r${at}@v1 (MIT)`
    const eight = [1, 2, 3, 4, 5, 6, 7, 8].map(rows)
    const on = (count: number) => `  on ${count} rows of S sft/train, ${'b'.repeat(12)}…`
    expect(await linesOf(8)).toEqual([on(8), ...eight, '  from /models/tiny'])
    expect(await linesOf(9)).toEqual([on(9), ...eight, '    and 1 more source', '  from /models/tiny'])
    const another = 'c'.repeat(64)
    expect(await linesOf(9, another)).toEqual([`${on(9)}, which has changed since`, '  from /models/tiny'])
  })

  test('goes back over the jobs before it to the model of the first', async () => {
    const out = await temporaryFolder()
    const base = {name: '/models/tiny', revision: null, job: null, path: '/models/tiny', adapter: null}
    await leftJob(out, {id: 'first', base: {...base, revision: 'main'}})
    await leftJob(out, {base: {...base, job: 'first'}, method: 'dpo'})
    const on = `on 10 rows of runs/dataset sft/train, ${'a'.repeat(12)}…`
    expect((await shown({id}, out)).printed[0]?.split('\n\n').at(-1)?.split('\n')).toEqual([
      `made by ${id} (dpo)`,
      `  ${on}`,
      '  from',
      '    made by first (sft)',
      `      ${on}`,
      '      from /models/tiny@main',
    ])
  })
})

describe('train logs', () => {
  const log = ['one', 'two', 'three', 'four', 'five']

  async function job(attempts = [attempt(1, {state: 'failed'}), attempt(2, {state: 'succeeded'})]) {
    const out = await temporaryFolder()
    return {out, record: await leftJob(out, {attempts})}
  }

  test('prints all that an attempt wrote, and how to go on', async () => {
    const {out} = await job()
    const world = recordedWorld()
    const request = {id, out, follow: false, attempt: undefined}
    const {rooms, done} = scriptedRooms(out, {log})
    expect(await jobLogs(request, rooms, world)).toBe(0)
    expect(world.printed).toEqual(log)
    expect(done).toEqual([])
    expect(world.interrupted.says).toBe(
      `detached; the job keeps running. Watch it with \`ascend-cot train logs ${id} --follow\``,
    )
    expect(await jobLogs({...request, attempt: 1}, rooms, world)).toBe(0)
    const values = recordedWorld()
    await jobLogs({...request, json: true}, rooms, values)
    expect(values.printed.map((line) => JSON.parse(line) as object).slice(0, 2)).toEqual([
      {attempt: 2, text: 'one', end: 1},
      {attempt: 2, text: 'two', end: 2},
    ])
  })

  test('knows the attempts that there are', async () => {
    const {out} = await job()
    const asked = (number: number | undefined) =>
      jobLogs({id, out, follow: false, attempt: number}, scriptedRooms(out).rooms, recordedWorld())
    await expect(asked(3)).rejects.toMatchObject({
      code: 'job-missing',
      message: `The job ${id} has no attempt 3.`,
      fix: 'Its attempts: 1, 2.',
    })
    await leftJob(out)
    await expect(asked(undefined)).rejects.toMatchObject({
      message: `The job ${id} has no attempt 1.`,
      fix: 'Its attempts: none.',
    })
  })

  test('that follow an attempt end with it', async () => {
    const {out} = await job([attempt(1)])
    const wanted = new AbortController()
    const world = {...recordedWorld(), signal: wanted.signal}
    // What was begun is looked at once more before the command says that it goes on.
    const print = (text: string) => {
      world.printed.push(text)
      setImmediate(() => wanted.abort())
    }
    const states = [
      {state: 'queued', detail: ''},
      {state: 'lost', detail: ''},
    ] as const
    const {rooms, done} = scriptedRooms(out, {log, states})
    const watching = {...world, terminal: {...world.terminal, print}}
    expect(await jobLogs({id, out, follow: true, attempt: undefined}, rooms, watching)).toBe(0)
    expect(world.printed).toEqual(log)
    expect(done).toEqual(['state job:1', 'state job:1'])
  })

  test('that follow an older attempt end at once, unwanted ones by a code of their own', async () => {
    const {out} = await job([attempt(1, {state: 'failed'}), attempt(2)])
    const asked = (number: number) => {
      const world = {...recordedWorld(), signal: AbortSignal.abort()}
      return jobLogs({id, out, follow: true, attempt: number}, scriptedRooms(out, {log}).rooms, world)
    }
    expect(await asked(1)).toBe(0)
    expect(await asked(2)).toBe(130)
  })
})
