import {execFileSync} from 'node:child_process'
import {appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {remainsOf} from '../../../engine/detached.ts'
import {localBackend} from '../../../trainers/backends/local.ts'
import {linesOf} from '../../../trainers/backends/log-file.ts'
import {quoted} from '../../../trainers/backends/shell.ts'
import {attemptOf, stepOf, submitted, wholeLog} from '../../helpers/job-attempt.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {until} from '../../helpers/until.ts'

const backend = localBackend(process.env, 3000)

async function ended(handle: string, folder: string) {
  await until(async () => (await backend.state(handle, folder)).state !== 'running')
  return backend.state(handle, folder)
}

describe('a job on this machine', () => {
  test('runs, is seen running, and its end is known by its exit code', async () => {
    const attempt = attemptOf(await temporaryFolder(), {steps: 4, milliseconds: 50})
    const handle = await submitted(backend, attempt)
    expect(await backend.state(handle, attempt.folder)).toEqual({
      state: 'running',
      detail: `process ${handle.split(':')[0]}`,
    })
    expect(await ended(handle, attempt.folder)).toEqual({state: 'succeeded', detail: ''})
    const lines = await wholeLog(backend, handle, attempt)
    expect(lines.filter((line) => line.startsWith("{'loss'"))).toHaveLength(4)
    expect(lines.filter((line) => line !== '').slice(-2)).toEqual(['saved', '[ascend-cot] ended with exit code 0'])
  })

  test('fails with the code of the step that failed, and no later step runs', async () => {
    const attempt = attemptOf(await temporaryFolder(), {fault: 'exit-at-2'})
    const later = stepOf(['touch', join(attempt.folder, 'later')])
    const both = {...attempt, rendering: {files: [], steps: [...attempt.rendering.steps, later]}}
    const handle = await submitted(backend, both)
    expect(await ended(handle, attempt.folder)).toEqual({state: 'failed', detail: 'exit code 3'})
    expect(existsSync(join(attempt.folder, 'later'))).toBe(false)
  })

  test('whose trainer was killed says by which signal', async () => {
    const attempt = attemptOf(await temporaryFolder(), {milliseconds: 500})
    const handle = await submitted(backend, attempt)
    await until(() => existsSync(`${attempt.plan.output}-starts`))
    const trainer = Number(readFileSync(`${attempt.plan.output}-starts`, 'utf8').split(' ')[2])
    process.kill(trainer, 'SIGKILL')
    expect(await ended(handle, attempt.folder)).toEqual({
      state: 'failed',
      detail: 'exit code 137: ended by SIGKILL, typical of a machine out of memory',
    })
  })

  test('is cancelled with all that it started, and then says so', async () => {
    const attempt = attemptOf(await temporaryFolder(), {milliseconds: 500})
    const handle = await submitted(backend, attempt)
    await until(() => existsSync(`${attempt.plan.output}-starts`))
    await backend.cancel(handle, attempt.folder)
    expect(remainsOf(handle).members).toEqual([])
    expect(await backend.state(handle, attempt.folder)).toEqual({state: 'cancelled', detail: ''})
  })

  test('that had succeeded before it was cancelled has succeeded', async () => {
    const attempt = attemptOf(await temporaryFolder(), {steps: 1})
    const handle = await submitted(backend, attempt)
    await ended(handle, attempt.folder)
    await backend.cancel(handle, attempt.folder)
    expect((await backend.state(handle, attempt.folder)).state).toBe('succeeded')
  })

  test('which was killed as a whole is lost; with others left, they are named and can be ended', async () => {
    const attempt = attemptOf(await temporaryFolder(), {milliseconds: 500})
    const handle = await submitted(backend, attempt)
    await until(() => existsSync(`${attempt.plan.output}-starts`))
    const leader = Number(handle.split(':')[0])
    process.kill(leader, 'SIGKILL')
    await until(() => !remainsOf(handle).alive)
    const others = await backend.state(handle, attempt.folder)
    expect(others.state).toBe('lost')
    expect(others.detail).toContain('1 other still runs')
    process.kill(-leader, 'SIGKILL')
    await until(() => remainsOf(handle).members.length === 0)
    expect(await backend.state(handle, attempt.folder)).toMatchObject({
      state: 'lost',
      detail: expect.stringContaining('its process ended without an exit code'),
    })
  })

  test('goes on where it was told to, with the numbers of one that was never stopped', async () => {
    const losses = async (resume: string | null, steps: number, number: number, folder: string) => {
      const attempt = attemptOf(folder, {resume, steps, number})
      const handle = await submitted(backend, attempt)
      await ended(handle, attempt.folder)
      return (await wholeLog(backend, handle, attempt)).flatMap((line) => /'loss': '([\d.]+)'/.exec(line)?.[1] ?? [])
    }
    const [whole, halves] = [await temporaryFolder(), await temporaryFolder()]
    const straight = await losses(null, 8, 1, whole)
    const first = await losses(null, 4, 1, halves)
    const second = await losses(join(halves, 'output/checkpoint-4'), 8, 2, halves)
    expect([...first, ...second]).toEqual(straight)
  })

  test('cannot take several nodes', async () => {
    const attempt = attemptOf(await temporaryFolder(), {spec: {hardware: {accelerator: 'cpu', nodes: 2}}})
    expect(() => backend.render(attempt)).toThrow('This machine is one node, but tiny requires 2.')
  })
})

describe('what a script hands to a program', () => {
  const nasty = [
    'a b',
    "it's",
    '$HOME',
    '`id`',
    '"q"',
    '\\',
    '',
    '*',
    'a\nb',
    '中文',
    '!x',
    '-e',
    '~',
    '$(touch x)',
    ';',
  ]

  test('is exactly what the step says, whatever it holds', async () => {
    const folder = join(await temporaryFolder(), "it's a $folder")
    const attempt = attemptOf(folder, {spec: {environment: {variables: {FROM_SPEC: "a 'b' $c"}}}})
    mkdirSync(join(folder, 'work dir'), {recursive: true})
    const printing = 'process.stdout.write(JSON.stringify([process.argv.slice(1), process.env, process.cwd()]))'
    const words = [...nasty, {rendezvous: 'node-rank'} as const, {rendezvous: 'master-address'} as const]
    const step = stepOf([process.execPath, '-e', printing, '--', ...words], {
      environment: {FROM_STEP: '$x', RANK_WORD: {rendezvous: 'node-rank'}},
      directory: join(folder, 'work dir'),
    })
    const handle = await submitted(backend, {...attempt, rendering: {files: [], steps: [step]}})
    await ended(handle, attempt.folder)
    const [line = ''] = await wholeLog(backend, handle, attempt)
    const [argv, env, cwd] = JSON.parse(line) as [string[], Record<string, string>, string]
    expect(argv.slice(-words.length)).toEqual([...nasty, '0', '127.0.0.1'])
    expect(env).toMatchObject({
      FROM_SPEC: "a 'b' $c",
      FROM_STEP: '$x',
      RANK_WORD: '0',
      PYTHONUNBUFFERED: '1',
      MASTER_PORT: expect.stringMatching(/^2\d{4}$/),
    })
    expect(cwd).toBe(join(folder, 'work dir'))
  })

  test('is one word to bash', () => {
    for (const word of nasty) {
      expect(execFileSync('bash', ['-c', `printf '%s|' ${quoted(word)}`], {encoding: 'utf8'})).toBe(`${word}|`)
    }
    expect(() => quoted('a\0b')).toThrow('NUL')
  })

  test('a setup script that is missing ends the job before its trainer starts', async () => {
    const spec = {environment: {setup: ['/nonexistent/set_env.sh']}}
    const attempt = attemptOf(await temporaryFolder(), {spec})
    const handle = await submitted(backend, attempt)
    expect((await ended(handle, attempt.folder)).state).toBe('failed')
    expect((await wholeLog(backend, handle, attempt)).join('\n')).toContain('/nonexistent/set_env.sh')
    expect(existsSync(`${attempt.plan.output}-starts`)).toBe(false)
  })
})

describe('a log that is being written', () => {
  test('is read in whole lines, each with the byte behind it', async () => {
    const file = join(await temporaryFolder(), 'log')
    expect(await linesOf(file, 0)).toEqual([])
    writeFileSync(file, '一\n 10%|#\r 20%|##\r          \rloss 1\nhalf')
    const lines = await linesOf(file, 0)
    expect(lines.map(({text}) => text)).toEqual(['一', 'loss 1'])
    expect(lines[0]?.end).toBe(4)
    expect(await linesOf(file, lines[1]?.end ?? 0)).toEqual([])
    appendFileSync(file, ' a line\n')
    expect((await linesOf(file, lines[1]?.end ?? 0)).map(({text}) => text)).toEqual(['half a line'])
  })

  test('without an end of line is taken by the megabyte', async () => {
    const file = join(await temporaryFolder(), 'log')
    writeFileSync(file, `${'x'.repeat(3 << 20)}\nend\n`)
    const ends: number[] = []
    for (let from = 0; ; ) {
      const lines = await linesOf(file, from)
      if (lines.length === 0) break
      from = lines.at(-1)?.end ?? 0
      ends.push(from)
    }
    expect(ends).toEqual([1 << 20, 2 << 20, 3 << 20, (3 << 20) + 5])
  })
})
