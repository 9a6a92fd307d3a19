import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import {openRun, readRunRecord} from '../../../engine/run.ts'
import {ascendCot, command} from '../../helpers/command.ts'
import {startRedis, type RedisServer} from '../../helpers/redis.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {until} from '../../helpers/until.ts'

// Whole commands with a real Redis: a run, and workers in processes of their own.

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis('--requirepass', 'secret')
})
afterAll(() => redis.close())

/** 300 records of which each holds up its worker's process, as a parser does. */
const recipe = `
import {Pipeline} from '${process.cwd()}/dist/engine/pipeline.js'
import {each} from '${process.cwd()}/dist/engine/stage.js'
import {z} from '${process.cwd()}/node_modules/zod/index.js'

const numbers = {
  name: 'numbers', version: 1, input: z.int(), output: z.int(),
  async *run(totals) { for await (const total of totals) for (let at = 0; at < total; at += 1) yield at },
}
const halves = {
  name: 'halves', version: 1, options: {compiler: process.env.TEST_COMPILER ?? 'clang'},
  input: z.int(), output: z.strictObject({half: z.number()}),
  run: each((value, {drop}) => {
    for (const end = performance.now() + 20; performance.now() < end; );
    return value % 7 === 0 ? drop(value, 'by-seven', '') : [{half: value / 2}]
  }, {concurrency: 2}),
}
export default () => Pipeline.from('halved', [300], numbers).via(halves)
`

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

async function keptIn(directory: string) {
  const run = (await openRun(directory))!
  const kept = [...run.emitted()].map(({id, json}) => `${id} ${json}`)
  const drops = [...run.stage('halves')!.dropped()].map((one) => JSON.stringify(one)).sort()
  run.close()
  return {kept, drops}
}

test('a run on workers of which one is killed and one is unfit gives the bytes of one in this process', async () => {
  const folder = await temporaryFolder()
  writeFileSync(join(folder, 'halved.mjs'), recipe)
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
