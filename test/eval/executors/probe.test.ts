import {mkdtemp, readdir, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {interpretRun} from '../../../eval/executors/run-report.ts'
import {probe} from '../../../eval/executors/probe.ts'
import {chooseCompiler} from '../../../eval/executors/toolchain.ts'
import {chooseSandbox} from '../../../eval/executors/sandbox.ts'
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
  expect(found.fixes.length).toBe((found.chosenCompiler?.cost === '' ? 0 : 1) + (found.chosenSandbox === 'bwrap' ? 0 : 1))
  expect(await readdir(work)).toEqual([])
})

test('a compiler that is not there is a missing toolchain that names what was looked for', async () => {
  await expect(chooseCompiler('clang++-no-such')).rejects.toMatchObject({code: 'toolchain-missing', evidence: {searched: ['clang++-no-such']}})
})

test('no walls are taken only when asked for in words', async () => {
  expect(await chooseSandbox(await folder(), 'plain')).toBe('plain')
})

test('a case is written line by line with escaped names, and outputs of a wrong size count as missing', async () => {
  const directory = await folder()
  const outputs = [{name: 'z', dtype: 'float16' as const, shape: [3]}]
  await writeCase(directory, {id: '0', inputs: [{name: 'a b', dtype: 'int64', shape: [], data: new Uint8Array(8)}], outputs, attributes: {eps: 1e-5, axes: [0, 1], mode: 'x y', flag: true}}, {operator: 'Demo', soc: 'S', library: '/w/o p.so', order: 'reverse'})
  const {readFile} = await import('node:fs/promises')
  expect((await readFile(join(directory, 'case.txt'), 'utf8')).split('\n')).toEqual([
    'operator Demo', 'soc S', 'library %2Fw%2Fo%20p.so', 'order reverse', 'poison nan', 'rules strict', 'input a%20b int64 - input-0.bin', 'output z float16 3 output-0.bin',
    'attribute eps number 0.00001', 'attribute axes list 0,1', 'attribute mode string x%20y', 'attribute flag bool 1', '',
  ])
  await writeFile(join(directory, 'output-0.bin'), new Uint8Array(5))
  expect(await readOutputs(directory, outputs)).toBeUndefined()
  await writeFile(join(directory, 'output-0.bin'), new Uint8Array(6))
  expect(await readOutputs(directory, outputs)).toEqual([new Uint8Array(6)])
})

test('a report counts only with the nonce that the runner was given', () => {
  const limits = {cpuSeconds: 1, wallSeconds: 1, memoryBytes: 1, fileBytes: 1, outputBytes: 1}
  const end = (stdout: string) => interpretRun({
    result: {code: 0, signal: null, stdout, stderr: '', timedOut: false, truncated: false, killedBy: undefined, overtime: false}, nonce: 'secret', outputs: [], limits, sources: [], log: '',
  }).outcome
  expect(end('{"nonce":"secret","status":"launch-failed","message":"m"}\n')).toBe('launch-failed')
  expect(end('{"nonce":"guess","status":"launch-failed","message":"secret"}\n')).toBe('crashed')
  expect(end('not JSON secret\n')).toBe('crashed')
})
