import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import {readRunRecord} from '../../../engine/run.ts'
import {ascendCot, command} from '../../helpers/command.ts'
import {halved, keptIn} from '../../helpers/halved.ts'
import {startRedis, type RedisServer} from '../../helpers/redis.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {until} from '../../helpers/until.ts'

// Whole commands with a real Redis: a run, and workers in processes of their own.

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis('--requirepass', 'secret')
})
afterAll(() => redis.close())

/** Its records are another's after twelve seconds, not after 45. */
const env = {QUEUE_PASSWORD: 'secret', ASCEND_COT_WORKERS__SILENCE_SECONDS: '8'}

function worker(folder: string, more: Record<string, string> = {}) {
  const child = spawn(process.execPath, [command, 'worker', '--queue', redis.url], {
    cwd: folder,
    env: {...process.env, ...env, ...more},
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  onTestFinished(() => void child.kill('SIGKILL'))
  return {child, ended, said: () => said}
}

test('a run on workers of which one is killed and one is unfit gives the bytes of one in this process', async () => {
  const folder = await temporaryFolder()
  writeFileSync(join(folder, 'halved.mjs'), halved)
  const [one, other, unfit] = [worker(folder), worker(folder), worker(folder, {TEST_COMPILER: 'g++'})]
  const args = ['run', './halved.mjs', '--out', 'far', '--workers', redis.url, '--set', 'workers.recordsPerBatch=10']
  const run = spawn(process.execPath, [command, ...args], {cwd: folder, env: {...process.env, ...env}, stdio: 'ignore'})
  const ended = once(run, 'exit')
  const said = /halved\.mjs, halves: This machine would not give .*options\.compiler is "g\+\+" here and "clang"/
  const busy = async () => {
    const record = await readRunRecord(join(folder, 'far/halved'))
    return record?.counts[1]?.workforce?.workers.find(({records}) => records > 0)?.by
  }
  await until(async () => said.test(unfit.said()) && (await busy()) !== undefined, 150)
  const [killed, kept] = (await busy())?.endsWith(` ${one.child.pid}`) ? [one, other] : [other, one]
  killed.child.kill('SIGKILL')
  expect(await ended).toEqual([0, null])
  expect(ascendCot(folder, ['run', './halved.mjs', '--out', 'near']).code).toBe(0)
  expect(await keptIn(join(folder, 'far/halved'))).toEqual(await keptIn(join(folder, 'near/halved')))

  const metrics = ascendCot(folder, ['status', '--out', 'far', '--metrics']).printed
  expect(metrics).toMatch(/^ascend_cot_worker_records\{recipe="halved",stage="halves",worker=".*process \d+".*\} \d+$/m)
  expect(ascendCot(folder, ['status', '--out', 'far']).printed).toMatch(/workers of halves +has +records/)
  expect(readFileSync(join(folder, 'far/halved/run.json'), 'utf8')).not.toContain('secret')

  kept.child.kill('SIGTERM')
  expect(await kept.ended).toEqual([0, null])
})
