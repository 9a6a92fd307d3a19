import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {fingerprintOf} from '../../../engine/elsewhere/fingerprint.ts'
import {shareHands} from '../../../engine/elsewhere/share-hands.ts'
import type {FindHands} from '../../../engine/elsewhere/hands.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {silentLog, type Log} from '../../../engine/log.ts'
import {Pipeline, type AnyStage} from '../../../engine/pipeline.ts'
import {openRun} from '../../../engine/run.ts'
import {runPipeline} from '../../../engine/runner.ts'
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
  test.each<[string, Task]>([
    ['tasks that do well', well],
    [
      'tasks that are killed once',
      (share, attempt, run) => (attempt === 1 && share % 2 === 0 ? Promise.reject(new Error('killed')) : run()),
    ],
    [
      'a result that is cut off',
      async (_, attempt, run, done) => {
        await run()
        if (attempt === 1) writeFileSync(done, readFileSync(done, 'utf8').slice(0, -40))
      },
    ],
    [
      'a result whose bytes were changed',
      async (_, attempt, run, done) => {
        await run()
        if (attempt === 1) writeFileSync(done, readFileSync(done, 'utf8').replace('aaa', 'aab'))
      },
    ],
    [
      'a result of another fingerprint',
      async (share, attempt, run, done) => {
        if (attempt > 1) return run()
        const by = {host: 'h', process: 1, user: 'u'}
        await run()
        const [, ...rest] = readFileSync(done, 'utf8').split('\n')
        writeFileSync(done, [JSON.stringify({fingerprint: 'another', share, by}), ...rest].join('\n'))
      },
    ],
    ['two tasks for a share', (_, __, run) => Promise.all([run(), run()]).then(() => undefined)],
  ])('%s', async (_, task) => {
    const {counts, emitted, dropped, failures, array, directory} = await ranWith({task})
    const {read, written, accepted, failed, reasons} = counts
    expect({emitted, dropped, failures, read, written, accepted, failed, reasons}).toEqual({
      ...(await inProcess()),
      // A record that came before is not tried again when it failed.
      failures: expect.anything(),
    })
    expect(array!.submitted[0]).toEqual([0, 1, 2, 3, 4, 5, 6])
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
