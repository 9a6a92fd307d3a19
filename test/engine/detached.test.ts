import {spawn} from 'node:child_process'
import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {endDetached, remainsOf, startDetached} from '../../engine/detached.ts'
import {temporaryFolder} from '../helpers/temporary.ts'
import {until} from '../helpers/until.ts'

const env = {PATH: process.env['PATH']}

async function started(script: string) {
  const folder = await temporaryFolder()
  const handle = await startDetached('sh', ['-c', script], {cwd: folder, env, log: join(folder, 'log')})
  return {folder, handle, log: () => readFileSync(join(folder, 'log'), 'utf8')}
}

describe('a detached program', () => {
  test('writes behind what its log holds, and leaves nothing', async () => {
    const folder = await temporaryFolder()
    writeFileSync(join(folder, 'log'), 'before\n')
    const log = join(folder, 'log')
    const handle = await startDetached('sh', ['-c', 'echo said; echo warned >&2'], {cwd: folder, env, log})
    await until(() => !remainsOf(handle).alive)
    expect(readFileSync(log, 'utf8')).toBe('before\nsaid\nwarned\n')
    expect(remainsOf(handle)).toEqual({alive: false, members: []})
  })

  test('outlives who started it', async () => {
    const folder = await temporaryFolder()
    const program = `
      import {startDetached} from '${process.cwd()}/dist/engine/detached.js'
      const log = '${folder}/log'
      process.stdout.write(await startDetached('sh', ['-c', 'sleep 0.3; echo on'], {cwd: '${folder}', env: {}, log}))
      process.kill(process.pid, 'SIGKILL')`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program])
    const handle = await new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text))))
    await until(() => existsSync(join(folder, 'log')) && readFileSync(join(folder, 'log'), 'utf8') === 'on\n')
    expect(handle).toMatch(/^\d+:\d+:[0-9a-f-]{36}$/)
  })

  test('is not mistaken for a later process with its id, nor for one of before a restart', async () => {
    const {handle} = await started('sleep 30')
    const [id, start, boot] = handle.split(':')
    expect(remainsOf(handle).alive).toBe(true)
    for (const other of [`${id}:${Number(start) - 1}:${boot}`, `${id}:${start}:other-boot`]) {
      expect(remainsOf(other)).toEqual({alive: false, members: []})
      expect(await endDetached(other, 100)).toEqual([])
    }
    expect(remainsOf(handle).alive).toBe(true)
    expect(await endDetached(handle, 5000)).toEqual([])
    expect(remainsOf(handle).alive).toBe(false)
  })

  test('is ended with what it started, also where that does not want to', async () => {
    const {handle, log} = await started(
      `sh -c "trap 'echo asked' TERM; echo ready; while :; do sleep 0.1; done" & wait`,
    )
    await until(() => log().includes('ready'))
    expect(remainsOf(handle).members.length).toBeGreaterThan(1)
    expect(await endDetached(handle, 1000)).toEqual([])
    expect(log()).toContain('asked')
    expect(remainsOf(handle).members).toEqual([])
  })

  test('whose first process was killed still has the others, and they can be ended', async () => {
    const {handle} = await started('sleep 60 & sleep 60')
    await until(() => remainsOf(handle).members.length >= 3)
    process.kill(Number(handle.split(':')[0]), 'SIGKILL')
    await until(() => !remainsOf(handle).alive)
    expect(remainsOf(handle).members).toHaveLength(2)
    expect(await endDetached(handle, 5000)).toEqual([])
  })

  test('that does not exist is a missing tool, and a folder that does not is said', async () => {
    const folder = await temporaryFolder()
    const log = join(folder, 'log')
    await expect(startDetached('no-such-program', [], {cwd: folder, env, log})).rejects.toMatchObject({
      code: 'toolchain-missing',
    })
  })

  test('handles that are none name nobody', () => {
    for (const handle of ['', '0:1:2', '1:0:', '-1:0:', 'x:y:z']) expect(remainsOf(handle).members).toEqual([])
  })
})
