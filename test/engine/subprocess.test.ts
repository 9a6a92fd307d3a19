import {spawnSync} from 'node:child_process'
import {readdirSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {isAlive} from '../../engine/process-table.ts'
import {runCommand} from '../../engine/subprocess.ts'
import {programOf} from '../helpers/program.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

describe('a subprocess', () => {
  test('gives its exit code and output as values', async () => {
    const result = await runCommand('sh', ['-c', 'cat; echo oops >&2; exit 3'], {stdin: 'hello'})
    expect(result).toEqual({
      code: 3,
      signal: null,
      stdout: 'hello',
      stderr: 'oops\n',
      timedOut: false,
      truncated: false,
    })
  })

  test('is killed with its children when its time is over', async () => {
    const started = performance.now()
    const result = await runCommand('sh', ['-c', 'sleep 30 & wait'], {timeoutSeconds: 0.2})
    expect(result).toMatchObject({code: null, signal: 'SIGKILL', timedOut: true})
    expect(performance.now() - started).toBeLessThan(5000)
  })

  test('cannot fill our memory', async () => {
    const result = await runCommand('sh', ['-c', 'head -c 300000 /dev/zero'], {maxOutputBytes: 1000})
    expect(result.stdout.length).toBe(1000)
    expect(result.truncated).toBe(true)
  })

  test('sees only the environment that it is given', async () => {
    process.env['ASCEND_COT_TEST_SECRET'] = 'x'
    const {stdout} = await runCommand('env', [])
    expect(stdout).not.toContain('ASCEND_COT_TEST_SECRET')
  })

  test('that does not exist is an error with a fix', async () => {
    await expect(runCommand('no-such-program-here', [])).rejects.toMatchObject({code: 'toolchain-missing'})
  })

  test('stops with the run', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 50)
    await expect(runCommand('sleep', ['30'], {signal: controller.signal})).rejects.toMatchObject({
      code: 'interrupted',
      scope: 'run',
    })
  })
})

describe('a process that ends before its work', () => {
  test('takes the programs and the unfinished folders of it along, and leaves finished ones', async () => {
    const folder = await temporaryFolder()
    const ended = spawnSync(process.execPath, [programOf('test/helpers/ending-work.ts'), folder], {
      encoding: 'utf8',
    })
    expect([ended.status, ended.stderr]).toEqual([7, ''])
    expect(readdirSync(folder)).toEqual(['finished'])
    await expect.poll(() => isAlive(Number(ended.stdout))).toBe(false)
  })
})
