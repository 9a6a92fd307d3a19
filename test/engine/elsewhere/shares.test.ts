import {createHash} from 'node:crypto'
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {fingerprintOf} from '../../../engine/elsewhere/fingerprint.ts'
import {shareHands} from '../../../engine/elsewhere/share-hands.ts'
import {endOfResults, shareFolder} from '../../../engine/elsewhere/share-folder.ts'
import {runShare} from '../../../engine/elsewhere/share-task.ts'
import type {FindHands} from '../../../engine/elsewhere/hands.ts'
import {interrupted, PipelineError} from '../../../engine/errors.ts'
import {envelopeOf} from '../../../engine/ids.ts'
import {silentLog, type Log} from '../../../engine/log.ts'
import {Pipeline, type AnyStage} from '../../../engine/pipeline.ts'
import {openRun} from '../../../engine/run.ts'
import {runPipeline} from '../../../engine/runner.ts'
import {stageKey} from '../../../engine/stage-key.ts'
import {recordingContext} from '../../datasets/rows.ts'
import {numbers, words} from '../../helpers/number-stages.ts'
import {arrayOf, type Task} from '../../helpers/task-array.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

interface Told {
  message: string
  fields: unknown
}

const well: Task = (_share, _attempt, run) => run()

interface Asked {
  task?: Task
  stage?: AnyStage
  total?: number
  recordsPerShare?: number
  directory?: string
  stop?: AbortController
}

async function ranWith({task, stage = words(), total = 100, ...asked}: Asked = {}) {
  const {directory = await temporaryFolder(), recordsPerShare = 8, stop = new AbortController()} = asked
  const told: Told[] = []
  const log: Log = {...silentLog, warn: (message, fields) => void told.push({message, fields})}
  let array: ReturnType<typeof arrayOf> | undefined
  const hands: FindHands = (wanted) => {
    array = arrayOf(wanted.folder, task!, words)
    const made = array
    return {
      async *work(records) {
        const fingerprint = await fingerprintOf(wanted.stage, wanted.key)
        const order = {format: 1 as const, recipe: 'x', config: {}, answers: {}, seed: 's', index: 1, fingerprint}
        yield* shareHands({wanted, order, array: made, recordsPerShare, now: () => 0, poll: 5}).work(records)
      },
    }
  }
  const record = await runPipeline({
    pipeline: Pipeline.from('test', [total], numbers).via(stage),
    directory,
    model: () => undefined,
    seed: 's',
    ...(task && {hands}),
    now: () => 0,
    signal: stop.signal,
    log,
  })
  return {directory, told, array, counts: record.counts[1]!, ...(await keptIn(directory))}
}

async function keptIn(directory: string) {
  const run = (await openRun(directory))!
  const emitted = [...run.emitted()].map(({id, json}) => `${id} ${json}`)
  const dropped = [...run.stage('words')!.dropped()]
  const failures = run.failures().map(({input}) => input)
  run.close()
  return {emitted, dropped, failures}
}

const inProcess = async (asked: Asked = {}) => {
  const {emitted, dropped, failures, counts} = await ranWith(asked)
  const {read, written, accepted, failed, reasons} = counts
  return {emitted, dropped, failures, read, written, accepted, failed, reasons}
}

describe('shares give what this process gives', () => {
  test.each<[string, number, Task]>([
    ['tasks that do well', 1, well],
    [
      'tasks that are killed once',
      2,
      (share, attempt, run) => (attempt === 1 && share % 2 === 0 ? Promise.reject(new Error('killed')) : run()),
    ],
    [
      'a result that is cut off',
      2,
      async (_, attempt, run, done) => {
        await run()
        if (attempt === 1) writeFileSync(done, readFileSync(done, 'utf8').slice(0, -40))
      },
    ],
    [
      'a result whose bytes were changed',
      2,
      async (_, attempt, run, done) => {
        await run()
        if (attempt === 1) writeFileSync(done, readFileSync(done, 'utf8').replace('aaa', 'aab'))
      },
    ],
    [
      'a result of another fingerprint',
      2,
      async (share, attempt, run, done) => {
        if (attempt > 1) return run()
        const by = {host: 'h', process: 1, user: 'u'}
        await run()
        const [, ...rest] = readFileSync(done, 'utf8').split('\n')
        writeFileSync(done, [JSON.stringify({fingerprint: 'another', share, by}), ...rest].join('\n'))
      },
    ],
    [
      'a result without one of its records',
      2,
      async (_, attempt, run, done) => {
        await run()
        if (attempt > 1) return
        const [header = '', ...lines] = readFileSync(done, 'utf8').split('\n').slice(0, -3)
        const hash = createHash('sha256').update(lines.map((line) => `${line}\n`).join(''))
        writeFileSync(done, [header, ...lines, endOfResults(lines.length, hash)].join('\n'))
      },
    ],
    ['two tasks for a share', 1, (_, __, run) => Promise.all([run(), run()]).then(() => undefined)],
  ])('%s', async (_, rounds, task) => {
    const {counts, emitted, dropped, failures, array, directory} = await ranWith({task})
    const {read, written, accepted, failed, reasons} = counts
    expect({emitted, dropped, failures, read, written, accepted, failed, reasons}).toEqual({
      ...(await inProcess()),
      // A record that came before is not tried again when it failed.
      failures: expect.anything(),
    })
    expect(array!.submitted[0]).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(array!.submitted).toHaveLength(rounds)
    expect(readdirSync(join(directory, 'shares'))).toEqual([])
  })
})

describe('what cannot be used is named', () => {
  test('a changed result, by whom it was written', async () => {
    const task: Task = async (share, attempt, run, done) => {
      await run()
      if (share === 1 && attempt === 1) writeFileSync(done, readFileSync(done, 'utf8').replace('aaa', 'aab'))
    }
    const {told, array} = await ranWith({task})
    expect(array!.submitted.slice(1)).toEqual([[1]])
    expect(told[0]).toEqual({
      message: 'the results of a share were refused',
      fields: {
        share: '00001',
        why: 'it is cut off, or its bytes were changed',
        by: expect.stringMatching(/@.*, process \d+$/),
      },
    })
  })

  test('a second task with other results; those of the first are used', async () => {
    const task: Task = async (_, __, run) => void (await Promise.all([run(words({letter: 'b'})), run()]))
    const {emitted, told} = await ranWith({task, total: 16})
    const letters = new Set(emitted.flatMap((line) => /"text":"([ab])/.exec(line)?.[1] ?? []))
    expect(letters.size).toBe(1)
    expect(told.map(({message}) => message)).toEqual([
      'a second task had other results for a share; those of the first are used',
    ])
  })

  test('a machine that would give other results stops the run', async () => {
    const task: Task = (_, __, run) => run(words({options: {compiler: 'g++'}}))
    const stage = words({options: {compiler: 'clang'}})
    await expect(ranWith({task, stage})).rejects.toThrow(
      /Share \d was refused by .*: .*options\.compiler is "g\+\+" here and "clang" in the run/,
    )
  })

  test('records of a share that no task finishes fail, and the others do not', async () => {
    const task: Task = (share, _, run) => (share === 2 ? Promise.reject(new Error('killed')) : run())
    const {counts, array} = await ranWith({task})
    expect(array!.submitted).toEqual([[0, 1, 2, 3, 4, 5, 6], [2], [2]])
    expect(counts.failures).toEqual({'executor-failed': 8 * 2 + 2 * 4})
  })
})

describe('a run that is stopped while its tasks work', () => {
  test('collects their results when it is started again', async () => {
    const directory = await temporaryFolder()
    const stop = new AbortController()
    let finished = 0
    const first: Task = async (share, __, run) => {
      if (share > 0) await run()
      if (share > 0) finished += 1
      if (finished === 6) stop.abort(new PipelineError('interrupted', 'stopped', {fix: ''}))
    }
    await expect(ranWith({task: first, directory, stop})).rejects.toThrow()
    const again = await ranWith({task: well, directory})
    const whole = await ranWith()
    expect(again.emitted).toEqual(whole.emitted)
    // The share that had not been finished, then the records that failed.
    expect(again.array!.submitted).toEqual([[0], [0]])
  })

  test('throws away what another version of the stage left', async () => {
    const directory = await temporaryFolder()
    const stop = new AbortController()
    const stopping: Task = async () => stop.abort(new PipelineError('interrupted', 'x', {fix: ''}))
    await expect(ranWith({task: stopping, directory, stop})).rejects.toThrow()
    const stage = words({options: {factor: 2}})
    const later = await ranWith({task: (_, __, run) => run(stage), stage, directory})
    expect(later.array!.cancelled).toEqual(['1'])
    expect(later.emitted).toEqual((await ranWith()).emitted)
  })
})

async function ordered() {
  const folder = shareFolder(join(await temporaryFolder(), 'words'))
  const fingerprint = await fingerprintOf(words(), stageKey(words(), 's'))
  return {folder, order: {format: 1 as const, recipe: 'x', config: {}, answers: {}, seed: 's', index: 1, fingerprint}}
}

interface Looked {
  folder: ReturnType<typeof shareFolder>
  /** Has the tasks of these shares work now. */
  finish(...shares: number[]): Promise<unknown>
  set(clock: number): void
}

/** One record a share; `look` is the scheduler's answer to the n-th question, counted from 1. */
async function watched(total: number, look: (n: number, at: Looked) => Promise<number[] | undefined>) {
  const {folder, order} = await ordered()
  const begin = new Map<number, () => Promise<void>>()
  const array = arrayOf(folder.root, async (share, _, run) => void begin.set(share, run), words)
  const asked: (readonly string[])[] = []
  const told: [string, number][] = []
  let clock = 0
  const at: Looked = {
    folder,
    finish: (...shares) => Promise.all(shares.map((share) => begin.get(share)!())),
    set: (to) => (clock = to),
  }
  const live = async (handles: readonly string[]) => {
    const known = await look(asked.push([...handles]), at)
    return known && new Set(known)
  }
  const warn = (message: string) => void told.push([message, clock])
  async function* records() {
    for (let value = 1; value <= total; value += 1) yield envelopeOf(value)
  }
  const {signal} = new AbortController()
  const log = {...silentLog, warn}
  const wanted = {stage: words(), index: 1, key: 'key', folder: folder.root, log, signal, seen: () => undefined}
  const shares = {wanted, order, array: {...array, live}, recordsPerShare: 1, now: () => clock, poll: 1}
  for await (const _ of shareHands(shares).work(records()));
  return {submitted: array.submitted, asked, told}
}

describe('the scheduler', () => {
  test('and has to answer thrice in a row without a share before it counts as lost', async () => {
    const answers = [[], undefined, [], [0], [], []]
    const {submitted} = await watched(1, async (n, {finish}) => {
      if (n === 6) await finish(0)
      return answers[n - 1]
    })
    expect(submitted).toEqual([[0]])
  })

  test('is asked for all arrays, which a run that is stopped finds in the folder', async () => {
    let written: unknown
    const {submitted, asked} = await watched(2, async (n, {folder, finish}) => {
      if (n < 4) return [0]
      written = JSON.parse(readFileSync(folder.wave, 'utf8'))
      await finish(0, 1)
      return [0, 1]
    })
    expect(submitted).toEqual([[0, 1], [1]])
    expect(asked.at(-1)).toEqual(['1', '2'])
    expect(written).toMatchObject({arrays: ['1', '2']})
  })
})

test('a share that takes four times as long as the others is told once', async () => {
  const {told} = await watched(4, async (n, {folder, finish, set}) => {
    const by = {host: 'h', process: 1, user: 'u'}
    const state = (share: number) => ({
      by,
      capability: 'twin',
      share,
      records: 1,
      done: 0,
      startedAt: 0,
      seenAt: 20_000,
    })
    if (n === 1) {
      await finish(0, 1, 2)
      for (const share of [0, 1, 2, 3]) writeFileSync(folder.state(share), JSON.stringify(state(share)))
    }
    if (n === 4) await finish(3)
    set([79_999, 80_000, 80_001, 80_002][n - 1]!)
    return [0, 1, 2, 3]
  })
  expect(told).toEqual([['a share takes much longer than the others', 80_000]])
})

describe('a task', () => {
  async function tasked({ready = () => Promise.resolve(), share = 0} = {}) {
    const {folder, order} = await ordered()
    for (const path of [folder.in(0), folder.done(0), folder.refused, folder.state(0)])
      mkdirSync(path.endsWith('refused') ? path : dirname(path), {recursive: true})
    writeFileSync(folder.order, JSON.stringify(order))
    writeFileSync(folder.in(0), '1\n2\n')
    const said: string[] = []
    let opened = 0
    const run = () =>
      runShare({
        root: folder.root,
        share,
        open: async () => ({stage: (opened += 1) > 0 ? words() : undefined, capability: 'twin', ready}),
        context: () => ({...recordingContext(), seed: 's'}),
        now: () => 0,
        say: (text) => void said.push(text),
      })
    const refused = () => folder.refusals(0)
    return {folder, run, refused, said, opened: () => opened}
  }

  test('works once on a share, and leaves one file', async () => {
    const {run, folder, said, opened} = await tasked()
    await run()
    await run()
    expect(said).toEqual(['share 0 is finished', 'share 0 is finished already'])
    expect(opened()).toBe(1)
    expect(readdirSync(dirname(folder.done(0)))).toEqual(['00000.jsonl'])
  })

  test('whose results another one had keeps none of its own', async () => {
    const {run, refused, said} = await tasked()
    await Promise.all([run(), run()])
    expect(said.sort()).toEqual(['share 0 is finished', 'share 0 was finished by another task with the same results'])
    expect(refused()).toEqual([])
  })

  test('of a share that there is not says so', async () => {
    await expect((await tasked({share: 1})).run()).rejects.toThrow('has no share 1')
  })

  const fix = 'Free some space.'
  test.each<[string, PipelineError, string, number]>([
    ['is interrupted leaves its share to others', interrupted(), 'interrupted', 0],
    [
      'cannot write on its own disk says so',
      new PipelineError('output-unwritable', 'Cannot write /own/disk', {fix, evidence: {path: '/own/disk'}}),
      'Cannot write /own/disk',
      1,
    ],
  ])('that %s', async (_, error, message, refusals) => {
    const {run, refused} = await tasked({ready: () => Promise.reject(error)})
    await expect(run()).rejects.toThrow(message)
    expect(refused()).toHaveLength(refusals)
  })
})
