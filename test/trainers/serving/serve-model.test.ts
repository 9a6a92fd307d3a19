import {readFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {expect, test} from 'vitest'
import {freePort} from '../../../engine/free-port.ts'
import {httpGet} from '../../../engine/http.ts'
import {isAlive} from '../../../engine/process-table.ts'
import {serveModel} from '../../../trainers/serving/serve-model.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const limits = {firstSeconds: 5, idleSeconds: 5, wholeSeconds: 5, bytes: 1000}

async function options(mood: string, startSeconds: number) {
  const folder = await temporaryFolder()
  return {
    pidFile: join(folder, 'pid'),
    server: 'vllm' as const,
    python: resolve('test/fixtures/serving/server.mjs'),
    serving: {
      model: '/a/model',
      adapter: null,
      name: 'tiny',
      host: '127.0.0.1',
      port: await freePort(),
      tensorParallel: 1,
      maxLength: null,
      thinking: true,
      seed: 0,
    },
    env: {PATH: process.env['PATH'] ?? '', MOOD: mood, PID_FILE: join(folder, 'pid')},
    log: join(folder, 'log.txt'),
    startSeconds,
    signal: new AbortController().signal,
  }
}

test.each(['ready', 'slow'])('a server that is %s is waited for, and is gone after its close', async (mood) => {
  const given = await options(mood, 60)
  const served = await serveModel(given)
  expect(served).toMatchObject({baseUrl: `http://127.0.0.1:${given.serving.port}/v1`, model: 'tiny'})
  const url = `http://127.0.0.1:${given.serving.port}/health`
  expect(await httpGet({url, headers: {}, limits})).toMatchObject({status: 200})
  await served.close()
  expect(await httpGet({url, headers: {}, limits})).toMatchObject({kind: 'silent'})
})

test('a server that ends says why in its own words', async () => {
  await expect(serveModel(await options('ends', 60))).rejects.toThrow(/vllm has ended\.\nImportError: no module/)
})

test('one that stays silent is given up, and ended', async () => {
  const given = await options('silent', 5)
  await expect(serveModel(given)).rejects.toThrow(/does not answer after 5 s/)
  expect(isAlive(Number(readFileSync(given.pidFile, 'utf8')))).toBe(false)
})

test('an interpreter that is not there is named', async () => {
  const given = {...(await options('ready', 1)), python: '/no/python'}
  await expect(serveModel(given)).rejects.toMatchObject({code: 'toolchain-missing'})
})

test('whoever is interrupted leaves no server behind', async () => {
  const controller = new AbortController()
  const waiting = serveModel({...(await options('silent', 60)), signal: controller.signal})
  controller.abort()
  await expect(waiting).rejects.toMatchObject({code: 'interrupted'})
})
