import {mkdtemp, readdir, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {describe, expect, onTestFinished, test} from 'vitest'
import {interpretRun} from '../../../eval/executors/run-report.ts'
import {probe} from '../../../eval/executors/probe.ts'
import {chooseCompiler} from '../../../eval/executors/toolchain.ts'
import {chooseSandbox} from '../../../eval/executors/sandbox.ts'
import type {Confined} from '../../../eval/executors/sandbox.ts'
import {readOutputs, writeCase} from '../../../eval/executors/case-files.ts'

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'probe-test-'))
  onTestFinished(() => rm(path, {recursive: true, force: true}))
  return path
}

test('the probe names what there is, what is chosen and what would be better', async () => {
  const work = await folder()
  const found = await probe(work)
  expect(found.chosenCompiler).toEqual(found.compilers[0])
  expect(found.sandboxes.map(({name}) => name)).toEqual(['bwrap', 'unshare'])
  const {compiler, sandbox} = found.shortfalls
  expect([compiler.cost === '', compiler.fix === '']).toEqual(Array(2).fill(found.chosenCompiler?.cost === ''))
  expect([sandbox.cost === '', sandbox.fix === '']).toEqual(Array(2).fill(found.chosenSandbox === 'bwrap'))
  expect(await readdir(work)).toEqual([])
})

test('a compiler that is not there is a missing toolchain that names what was looked for', async () => {
  await expect(chooseCompiler('clang++-no-such')).rejects.toMatchObject({
    code: 'toolchain-missing',
    evidence: {searched: ['clang++-no-such']},
  })
})

test('no walls are taken only when asked for in words', async () => {
  expect(await chooseSandbox(await folder(), 'plain')).toBe('plain')
})

test('a case is written line by line with escaped names, and outputs of a wrong size count as missing', async () => {
  const directory = await folder()
  const outputs = [{name: 'z', dtype: 'float16' as const, shape: [3]}]
  await writeCase(
    directory,
    {
      id: '0',
      inputs: [{name: 'a b', dtype: 'int64', shape: [], data: new Uint8Array(8)}],
      outputs,
      attributes: {eps: 1e-5, axes: [0, 1], mode: 'x y', flag: true},
    },
    {operator: 'Demo', soc: 'S', library: '/w/o p.so', order: 'reverse'},
  )
  const {readFile} = await import('node:fs/promises')
  expect((await readFile(join(directory, 'case.txt'), 'utf8')).split('\n')).toEqual([
    'operator Demo',
    'soc S',
    'library %2Fw%2Fo%20p.so',
    'order reverse',
    'poison nan',
    'rules strict',
    'input a%20b int64 - input-0.bin',
    'output z float16 3 output-0.bin',
    'attribute eps number 0.00001',
    'attribute axes list 0,1',
    'attribute mode string x%20y',
    'attribute flag bool 1',
    '',
  ])
  await writeFile(join(directory, 'output-0.bin'), new Uint8Array(5))
  expect(await readOutputs(directory, outputs)).toBeUndefined()
  await writeFile(join(directory, 'output-0.bin'), new Uint8Array(6))
  expect(await readOutputs(directory, outputs)).toEqual([new Uint8Array(6)])
})

describe('the end of a run', () => {
  const limits = {cpuSeconds: 1, wallSeconds: 1, memoryBytes: 1, fileBytes: 1, outputBytes: 1}
  const started = '{"nonce":"secret","status":"started"}\n'
  const calm = {timedOut: false, truncated: false, killedBy: undefined, overtime: false}
  const quiet = {code: 0, signal: null, stderr: '', ...calm}
  const end = (stdout: string, how: Partial<Confined> = {}) =>
    interpretRun({
      result: {...quiet, stdout, ...how},
      nonce: 'secret',
      outputs: [],
      limits,
      sources: [],
      log: how.stderr ?? '',
    })
  const failed = expect.objectContaining({code: 'executor-failed', scope: 'record'}) as Error

  test('is told by a report only with the nonce that the runner was given', () => {
    expect(end(`${started}{"nonce":"secret","status":"launch-failed","message":"m"}\n`).outcome).toBe('launch-failed')
    expect(end(`${started}{"nonce":"guess","status":"launch-failed","message":"secret"}\n`).outcome).toBe('crashed')
    expect(end(`${started}not JSON secret\n`).outcome).toBe('crashed')
  })

  test('before the candidate began is no verdict on it', () => {
    expect(() => end('', {code: 127, stderr: 'sh: exec: twin-run: not found\n'})).toThrow(/twin-run: not found/)
    expect(() => end('', {code: 1, stderr: "bwrap: Can't find source path /x\n"})).toThrow(/loaded, status 1: bwrap/)
    expect(() => end('', {code: null, killedBy: 'SIGKILL', overtime: true})).toThrow(failed)
    const early = '{"nonce":"secret","status":"launch-failed","message":"unknown SoC X"}\n'
    expect(() => end(early)).toThrow(/unknown SoC X/)
    expect(() => end('{"nonce":"guess","status":"started"}\n', {code: 1})).toThrow(failed)
  })

  test('from outside is no verdict either, while a signal of its own is', () => {
    expect(() => end(started, {code: null, killedBy: 'SIGKILL'})).toThrow(/SIGKILL/)
    expect(end(started, {code: null, killedBy: 'SIGKILL', overtime: true}).outcome).toBe('timed-out')
    expect(end(started, {code: null, killedBy: 'SIGSEGV'}).outcome).toBe('crashed')
  })

  test('for want of room on the disk stops the run', () => {
    const line = '{"nonce":"secret","status":"not-judged","message":"No space left on device"}\n'
    expect(() => end(started + line)).toThrow(expect.objectContaining({code: 'disk-full', scope: 'run'}))
  })
})
