import {execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import {freePort} from '../../../engine/free-port.ts'
import {ascendCot, command} from '../../helpers/command.ts'
import {halved, keptIn} from '../../helpers/halved.ts'
import {startRedis, type RedisServer} from '../../helpers/redis.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

// Whole commands with a real Redis that has a port with TLS beside its plain one.

let [folder, secure, redis] = ['', '', undefined as RedisServer | undefined]
const file = (name: string) => join(folder, name)
const authority = (name: string) => ['--set', `workers.authorityFile=${file(name)}`]

function certificate(name: string, ...more: string[]): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', file(`${name}.key`)]
  const args = ['req', '-x509', ...key, '-out', file(`${name}.pem`), '-days', '2', '-subj', `/CN=${name}`, ...more]
  execFileSync('openssl', args, {stdio: 'ignore'})
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ascend-cot-test-'))
  certificate('lab')
  certificate('another')
  const ofLab = ['-CA', file('lab.pem'), '-CAkey', file('lab.key')]
  certificate('queue', '-addext', 'subjectAltName=IP:127.0.0.1', ...ofLab)
  const port = String(await freePort())
  secure = `rediss://127.0.0.1:${port}`
  const files = ['--tls-cert-file', file('queue.pem'), '--tls-key-file', file('queue.key')]
  const clients = ['--tls-ca-cert-file', file('lab.pem'), '--tls-auth-clients', 'no']
  redis = await startRedis('--tls-port', port, ...files, ...clients)
})
afterAll(async () => {
  await redis?.close()
  rmSync(folder, {recursive: true})
})

const worker = (url: string, ...more: string[]) => ascendCot(folder, ['worker', '--queue', url, ...more])

test('a run and a worker that know the authority work over TLS', {timeout: 120_000}, async () => {
  const place = await temporaryFolder()
  writeFileSync(join(place, 'halved.mjs'), halved)
  const started = spawn(process.execPath, [command, 'worker', '--queue', secure, ...authority('lab.pem')], {
    cwd: place,
    stdio: 'ignore',
  })
  onTestFinished(() => void started.kill('SIGKILL'))
  const args = ['run', './halved.mjs', '--out', 'far', '--workers', secure, ...authority('lab.pem')]
  const run = spawn(process.execPath, [command, ...args], {cwd: place, stdio: 'ignore'})
  expect(await once(run, 'exit')).toEqual([0, null])
  expect((await keptIn(join(place, 'far/halved'))).kept).toHaveLength(257)
})

test('an authority that did not sign is named at once, on both sides', {timeout: 180_000}, () => {
  const why = /self.signed certificate in certificate chain.*\n.*workers\.authorityFile/s
  for (const known of [authority('another.pem'), []]) {
    const {code, said} = worker(secure, ...known)
    expect({code, said}).toEqual({code: 1, said: expect.stringMatching(why) as string})
  }
  writeFileSync(file('halved.mjs'), halved)
  const {said} = ascendCot(folder, ['run', './halved.mjs', '--workers', secure, ...authority('another.pem')])
  expect(said).toMatch(why)
})

test('a file without an authority is refused before anything is asked', () => {
  expect(worker(secure, ...authority('nowhere.pem')).said).toMatch(/nowhere\.pem, which cannot be read/)
  expect(worker(secure, ...authority('lab.key')).said).toMatch(/lab\.key, which holds no certificate/)
})

test('TLS at a plain port, and none at one with TLS, are told', {timeout: 180_000}, () => {
  expect(worker(redis!.url.replace('redis:', 'rediss:')).said).toMatch(/(no answer|timed out).*\n.*without TLS/s)
  expect(worker(secure.replace('rediss:', 'redis:')).said).toMatch(/\n.*with TLS answers only to rediss/s)
})
