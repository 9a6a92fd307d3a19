import {spawnSync} from 'node:child_process'
import {readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {describe, expect, test} from 'vitest'
import {z} from 'zod'
import {status} from '../../pipelines/commands/status.ts'
import {fromRun} from '../../engine/from-run.ts'
import {silentLog} from '../../engine/log.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {readRunRecord} from '../../engine/run.ts'
import {runPipeline} from '../../engine/runner.ts'
import {each, type RecordFunction} from '../../engine/stage.ts'
import {programOf} from '../helpers/program.ts'
import {temporaryFolder} from '../helpers/temporary.ts'
import {recordedWorld} from '../helpers/world.ts'

const base = {model: () => undefined, seed: 's', now: () => 0, signal: new AbortController().signal, log: silentLog}

const endingRun = (directory: string, how: string) =>
  spawnSync(process.execPath, [programOf('test/helpers/ending-run.ts'), directory, how], {encoding: 'utf8'})

const readIt = async (directory: string) =>
  runPipeline({
    pipeline: Pipeline.from('reader', [{directory}], fromRun(z.int())),
    directory: await temporaryFolder(),
    ...base,
  })

const runOf = async (directory: string, fn: RecordFunction<number, number>) =>
  runPipeline({
    pipeline: Pipeline.from('one', [1, 2, 3], {
      name: 'numbers',
      version: 1,
      input: z.int(),
      output: z.int(),
      run: each(fn),
    }),
    directory,
    ...base,
  })

describe('a process that ends in the middle of a run', () => {
  test.each(['throw', 'exit', 'SIGKILL', 'SIGHUP'])(
    'leaves it interrupted, and to be gone on with: %s',
    async (how) => {
      const out = await temporaryFolder()
      const directory = join(out, 'ending')
      const ended = endingRun(directory, how)
      expect(ended.signal ?? ended.status).toBe({throw: 1, exit: 7}[how] ?? how)
      // Only a process that gets the chance can write it; of one that does not, the lock tells.
      const saved = JSON.parse(readFileSync(join(directory, 'run.json'), 'utf8')) as {state: string}
      expect(saved.state).toBe(how.startsWith('SIG') ? 'running' : 'interrupted')
      expect(await readRunRecord(directory)).toMatchObject({state: 'interrupted'})
      await expect(readIt(directory)).rejects.toThrow(`Nothing to read from ${directory}: its run was interrupted.`)
      const world = recordedWorld()
      await status({out, json: false, metrics: false}, world)
      expect(world.printed.join('\n')).toContain('ending: interrupted; continue it with `ascend-cot resume`')
      expect(endingRun(directory, 'peace').status).toBe(0)
      expect(await readRunRecord(directory)).toMatchObject({state: 'finished', counts: [{written: 4}]})
      expect((await readIt(directory)).counts[0]?.written).toBe(4)
    },
  )

  test('does not interrupt a run that another process goes on with', async () => {
    const directory = await temporaryFolder()
    endingRun(directory, 'SIGKILL')
    writeFileSync(join(directory, 'lock'), String(process.ppid))
    expect(await readRunRecord(directory)).toMatchObject({state: 'running'})
    await expect(readIt(directory)).rejects.toThrow('its run is still in progress')
  })
})

describe('a run that cannot write', () => {
  const full = (path: string) => Object.assign(new Error('ENOSPC: no space left on device'), {code: 'ENOSPC', path})

  test('its events stops with what to do', async () => {
    const directory = await temporaryFolder()
    symlinkSync('/dev/full', join(directory, 'events.jsonl'))
    const logging = runOf(directory, (number, {log}) => {
      log.debug('seen', {number})
      return [number]
    })
    await expect(logging).rejects.toMatchObject({
      code: 'disk-full',
      message: `The disk is full: ${directory}/events.jsonl could not be written.`,
    })
    expect(await readRunRecord(directory)).toMatchObject({state: 'stopped', error: {code: 'disk-full'}})
  })

  test('the events of its last record neither is finished', async () => {
    const directory = await temporaryFolder()
    symlinkSync('/dev/full', join(directory, 'events.jsonl'))
    const logging = runOf(directory, (number, {log}) => {
      if (number === 3) log.debug('seen', {number})
      return [number]
    })
    await expect(logging).rejects.toMatchObject({code: 'disk-full'})
  })

  test('its events to a folder says so', async () => {
    const directory = await temporaryFolder()
    symlinkSync(directory, join(directory, 'events.jsonl'))
    await expect(runOf(directory, (number) => [number])).rejects.toMatchObject({code: 'output-unwritable'})
  })

  test('what a stage writes by itself stops with what to do', async () => {
    const directory = await temporaryFolder()
    await expect(
      runOf(directory, () => {
        throw full('/scratch/file')
      }),
    ).rejects.toMatchObject({
      code: 'disk-full',
      message: 'The disk is full: /scratch/file could not be written.',
    })
    expect(await readRunRecord(directory)).toMatchObject({state: 'stopped', error: {code: 'disk-full'}})
  })

  test('passes on what is no matter of the disk', async () => {
    await expect(
      runOf(await temporaryFolder(), () => {
        throw new TypeError('ours')
      }),
    ).rejects.toThrow(TypeError)
  })

  // The code of a test lies outside of the package's folders, as a user's stage does.
  test.each([
    ["a user's stage is the user's to mend", (error: TypeError) => error, 'input-invalid', 'threw: TypeError: x'],
    ['the package is a fault of ours', (error: TypeError) => thrownIn('datasets/split.ts', error), 'internal', 'x'],
  ])('what the code of %s', async (_, thrown, code, said) => {
    const directory = await temporaryFolder()
    const run = runOf(directory, () => {
      throw thrown(new TypeError('x'))
    })
    await expect(run).rejects.toThrow(TypeError)
    const {error} = (await readRunRecord(directory)) ?? {}
    expect(error).toMatchObject({code, message: expect.stringMatching(new RegExp(`${said}$`))})
  })
})

function thrownIn(file: string, error: TypeError): TypeError {
  return Object.assign(error, {stack: `TypeError: x\n    at run (${resolve(file)}:1:1)`})
}

describe('run.json', () => {
  test.each([
    ['torn', '{"recipe": "doc'],
    ['of something else', '{"name": "x"}'],
  ])('that is %s is refused in words', async (_, text) => {
    const directory = await temporaryFolder()
    writeFileSync(join(directory, 'run.json'), text)
    const reading = readRunRecord(directory)
    await expect(reading).rejects.toThrow(`${directory}/run.json is not the record of a run: `)
    await expect(reading).rejects.toMatchObject({code: 'input-invalid'})
  })

  test('that is not there is no run', async () => {
    expect(await readRunRecord(join(await temporaryFolder(), 'none'))).toBeUndefined()
  })
})
