import {mkdtemp, readdir, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {describe, expect, onTestFinished, test} from 'vitest'
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
    {
      operator: 'Demo',
      soc: 'S',
      host: '/w/h p.so',
      kernel: '/w/k.so',
      seconds: {cpu: 20, wall: 60},
      hostValues: new Set([0]),
      keepsVariables: true,
      order: 'reverse',
    },
  )
  const {readFile} = await import('node:fs/promises')
  expect((await readFile(join(directory, 'case.txt'), 'utf8')).split('\n')).toEqual([
    'operator Demo',
    'soc S',
    'host %2Fw%2Fh%20p.so',
    'kernel %2Fw%2Fk.so',
    'seconds 20 60',
    'order reverse',
    'poison nan',
    'rules strict',
    'launches 2',
    'steps counted',
    'input a%20b int64 - input-0.bin host',
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
  const limits = {cpuSeconds: 1, wallSeconds: 2, memoryBytes: 1, fileBytes: 1, outputBytes: 1}
  const launch = {ubPeakBytes: 1, buffers: [], blocks: [], calls: {Add: 1}}
  const ran = {
    status: 'ran',
    blockDim: 1,
    tilingKey: 0,
    workspaceBytes: 0,
    tilingClass: '',
    tiling: '',
    launch: JSON.stringify(launch),
  }
  const violation = {rule: 'gm-out-of-range', block: 0, api: '', tensor: 'y', message: 'm', fix: 'f'}
  const end = (answer: object | string, tolerant = false) =>
    interpretRun({
      answer: typeof answer === 'string' ? answer : JSON.stringify({cpuSeconds: 0.5, log: '', ...answer}),
      outputs: () => Promise.resolve([]),
      limits,
      tolerant,
      sources: [],
      plain: (text) => text.replaceAll('/here/', ''),
    })
  const failed = expect.objectContaining({code: 'executor-failed', scope: 'record'}) as Error

  test('is what the runner says of it, free of paths', async () => {
    expect(await end(ran)).toMatchObject({outcome: 'ran', cpuSeconds: 0.5, trace: {calls: {Add: 1}}})
    const refused = {status: 'launch-failed', message: '/here/host.so: m', log: 'a\n[ERROR] /here/why\n'}
    expect(await end(refused)).toEqual({outcome: 'launch-failed', message: 'host.so: m\n[ERROR] why'})
    expect(await end({status: 'timed-out', limit: 'cpu'})).toEqual({outcome: 'timed-out', limitSeconds: 1})
    const byClock = {outcome: 'timed-out', limitSeconds: 2, byClock: true}
    const waited = {status: 'timed-out', limit: 'wall', cpuSeconds: 0.9}
    expect(await end(waited)).toEqual(byClock)
    await expect(end({...waited, cpuSeconds: 1})).rejects.toThrow(failed)
    await expect(end({...waited, cpuSeconds: 1})).rejects.toThrow('got 1.0 s of processor time in 2 s')
    expect(await end({status: 'crashed', exit: 0})).toMatchObject({cause: expect.stringContaining('status 0')})
    const fault = {status: 'crashed', signal: 11, place: '{"block":2,"api":"Add"}'}
    expect(await end(fault)).toMatchObject({cause: expect.stringMatching(/^SIGSEGV .*block 2, last API Add$/)})
  })

  test('with a mark overwritten beside a tensor is a broken rule, and told when rules are tolerated', async () => {
    expect(await end({...ran, overrun: violation})).toEqual({outcome: 'violated', violation})
    expect(await end({...ran, overrun: violation}, true)).toMatchObject({outcome: 'ran', tolerated: violation})
  })

  test('is a crash when the candidate put a word of its own in place of the account', async () => {
    for (const launch of ['', 'not JSON', '{"status":"ran"}', '{"calls":{}}'])
      expect(await end({...ran, launch})).toMatchObject({outcome: 'crashed'})
    expect(await end({status: 'violated', violation: '{"rule":"x"}'})).toMatchObject({outcome: 'crashed'})
  })

  test('that is none of the candidate is no verdict', async () => {
    await expect(end({status: 'not-judged', message: 'SIGKILL'})).rejects.toThrow(/SIGKILL/)
    await expect(end('half a li')).rejects.toThrow(failed)
    await expect(end({...ran, blockDim: 'many'})).rejects.toThrow(failed)
    const full = expect.objectContaining({code: 'disk-full', scope: 'run'}) as Error
    await expect(end({status: 'not-judged', message: 'No space left on device'})).rejects.toThrow(full)
  })
})
