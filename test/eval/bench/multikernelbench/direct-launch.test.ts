import {cpSync, mkdtempSync, realpathSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {Executor} from '../../../../datasets/schema/executor.ts'
import {judgeTiers} from '../../../../eval/bench/multikernelbench/judge-tiers.ts'
import {openOracle, type Oracle} from '../../../../eval/bench/multikernelbench/oracle/oracle.ts'
import type {ModelRun, OpenSubmission, Submission} from '../../../../eval/bench/submission/submission.ts'
import {submissions} from '../../../../eval/bench/submission/open-submission.ts'
import {findTorch} from '../../../../eval/bench/submission/python.ts'
import {atlasA2} from '../../../../eval/cost.ts'
import type {Tools} from '../../../../eval/executors/tools.ts'
import {twinTools} from '../../../../eval/executors/twin.ts'
import {craftSolutions} from '../../../../pipelines/workspace/craft-solutions.ts'
import {directReference, doublingReply, ways} from '../../../helpers/direct-reply.ts'
import {drawnCall} from '../../../helpers/model-call.ts'
import {testCompiler} from '../../../helpers/real-executor.ts'
import {testCache, twinCache} from '../../../helpers/test-cache.ts'

const command = process.env['ASCEND_COT_TEST_PYTHON'] ?? 'python3'
const python = await findTorch(command).catch(() => undefined)
const nobody: Executor = {
  identity: {name: 'nobody', fingerprint: '', compiler: '', soc: ''},
  covers: 'nothing',
  compile: () => Promise.reject(new TypeError('no operator is compiled')),
  build: () => Promise.reject(new TypeError('no operator is built')),
  execute: () => Promise.reject(new TypeError('no operator is run')),
}

// Needs a Python with torch.
describe.skipIf(!python)('a reply whose module launches its kernels itself', () => {
  let tools: Tools
  let workDirectory: string
  let open: OpenSubmission

  beforeAll(async () => {
    workDirectory = realpathSync(mkdtempSync(join(tmpdir(), 'direct-replies-')))
    const limits = {run: {cpuSeconds: 2}}
    tools = await twinTools({cacheDirectory: twinCache, workDirectory, limits, ...testCompiler})
    const cacheDirectory = join(testCache, 'bindings')
    open = await submissions({
      executor: nobody,
      twin: tools,
      python: python!,
      cacheDirectory,
      workDirectory,
      seconds: 30,
    })
  })
  afterAll(() => rmSync(workDirectory, {recursive: true, force: true}))

  const opened = async (reply: string): Promise<Submission> => {
    const end = await open({name: 'double', stem: 'double'}, reply)
    if (!end.ok) throw new Error(`${end.kind}: ${end.why}\n${end.log}`)
    return end.submission
  }
  test('is compiled again by a second executor, and refused by what that one says', async () => {
    const executor = {name: 'cann-compile', fingerprint: 'c', compiler: 'bisheng', soc: 'Ascend910B1'}
    const units: string[][] = []
    const second = async (log: string) => {
      const verdict = log === '' ? {outcome: 'compiled' as const, executor} : undefined
      const refusal = {outcome: 'compile-failed' as const, diagnostics: [], log, executor}
      const checkDirect = (program: {units: readonly string[]}) => {
        units.push([...program.units])
        return Promise.resolve(verdict ?? refusal)
      }
      const confirming = {...nobody, identity: executor, checkDirect}
      const where = {cacheDirectory: join(testCache, 'bindings'), workDirectory, seconds: 30}
      const again = await submissions({executor: nobody, twin: tools, python: python!, ...where, confirming})
      const end = await again({name: 'double', stem: 'double'}, doublingReply())
      if (end.ok) await end.submission.dispose()
      return end
    }
    expect(await second('')).toMatchObject({ok: true})
    const why = 'cann-compile: error: unknown word'
    expect(await second('error: unknown word\n')).toMatchObject({ok: false, kind: 'compile-failed', why})
    expect(units).toEqual([[expect.stringMatching(/\.cpp$/)], [expect.stringMatching(/\.cpp$/)]])
  })

  const oracleOf = (name: string): Promise<Oracle> => {
    const folder = mkdtempSync(join(workDirectory, 'oracle-'))
    const {sandbox} = tools
    return openOracle({python: python!, sandbox, folder, module: directReference(name), seconds: 120})
  }
  const judged = async (oracle: Oracle, submission: Submission) => {
    const {tiers, faults} = await judgeTiers(
      {task: 'double', oracle, submission},
      {tiers: ['head'], largestInput: 1 << 24, trials: 2, rates: atlasA2},
    )
    return {...tiers[0], faults}
  }

  describe('and doubles a tensor', () => {
    let submission: Submission
    let oracle: Oracle

    beforeAll(async () => {
      ;[submission, oracle] = await Promise.all([opened(doublingReply()), oracleOf('double')])
    })
    afterAll(() => Promise.all([submission?.dispose(), oracle?.close()]))

    const settingOf = (way: string) => ({constants: {way: ways.indexOf(way)}})
    /** The oracle and the model are asked for the way as one of the module's constants. */
    const going = (way: string): Oracle => ({
      ...oracle,
      describe: () => oracle.describe(settingOf(way)),
      draw: (drawing) => oracle.draw({...drawing, setting: settingOf(way)}),
      compare: (comparing) => oracle.compare({...comparing, setting: settingOf(way), mutants: false}),
    })
    const drawnFor = (way: string) =>
      oracle.draw({setting: settingOf(way), family: 'own', trial: 0, seed: 1, roles: []})
    const runsOf = async (...wanted: string[]): Promise<ModelRun[]> => {
      const calls: string[] = []
      for (const way of wanted) calls.push(await drawnFor(way))
      return submission.run(calls.map((call) => ({call, seed: 1, poison: 'nan', order: 'forward'})))
    }
    const failing = (kind: string, why: string, behaviour?: number) => ({
      outcome: 'failed',
      kind,
      why: expect.stringContaining(why) as string,
      ...(behaviour !== undefined && {behaviour: `SUB-BEH-00${behaviour}`}),
    })

    test('is right by both comparisons', async () => {
      expect(await judged(going('right'), submission)).toMatchObject({literal: true, hardened: true, faults: []})
    })

    test.each([
      ['in-place', {literal: true, hardened: false}, 'an input was changed', undefined],
      ['half', {literal: false, hardened: false}, 'NaN or infinity where a number is right', undefined],
      ['cached', {literal: false, hardened: false}, 'keeps-an-output', 'SUB-BEH-005'],
    ])('%s is wrong', async (way, verdict, why, behaviour) => {
      const found = await judged(going(way), submission)
      expect(found).toMatchObject(verdict)
      expect(found.faults.map(({hardened}) => hardened).join()).toContain(why)
      expect(found.faults.find((one) => one.behaviour)?.behaviour).toBe(behaviour)
    })

    test('whatever goes wrong in one call is told of that call, and so is every launch', async () => {
      const runs = await runsOf(
        ...['right', 'beyond', 'shifted', 'other-operator', 'other-method', 'operator-sign', 'copies-back', 'refuses'],
        ...['throws', 'catches', 'endless-kernel', 'no-kernel', 'right'],
      )
      expect(runs).toEqual([
        expect.objectContaining({outcome: 'ran'}),
        failing('violated', 'gm-out-of-range'),
        failing('violated', 'gm-race'),
        failing('cheated', 'uses-a-finished-operator: the model calls aten::threshold', 1),
        failing('cheated', 'uses-a-finished-operator: the model calls aten::hardshrink', 1),
        failing('cheated', 'uses-a-finished-operator: the model calls aten::add', 1),
        failing('cheated', 'reads-tensors-on-the-host: values are taken from the device with aclrtMemcpy', 4),
        failing('model-error', 'this way is refused'),
        failing('model-error', 'thrown'),
        failing('violated', 'gm-out-of-range'),
        failing('timed-out', 'the kernel ran on'),
        expect.objectContaining({outcome: 'ran', traces: []}),
        expect.objectContaining({outcome: 'ran'}),
      ])
      const last = runs.at(-1)
      const [trace, ...others] = last?.outcome === 'ran' ? last.traces : []
      expect(others).toEqual([])
      expect(trace?.blocks).toHaveLength(48)
      expect(trace?.blocks.reduce((sum, {readBytes}) => sum + readBytes, 0)).toBe(96 * 1031 * 4)
    })

    test('the order of blocks is the one that is asked for', async () => {
      const [setting, call] = [settingOf('adds'), await drawnFor('adds')]
      const orders = ['forward', 'forward', 'reverse'] as const
      const runs = await submission.run(orders.map((order) => ({call, seed: 1, poison: 'nan', order})))
      const digests: string[] = []
      for (const run of runs) {
        if (run.outcome !== 'ran') throw new Error(JSON.stringify(run))
        const outputs = join(oracle.folder, 'outputs')
        cpSync(run.outputs, outputs, {recursive: true})
        digests.push((await oracle.compare({setting, seed: 1, call, outputs, mutants: false})).digest)
      }
      expect(digests[1]).toBe(digests[0])
      expect(digests[2]).not.toBe(digests[0])
    })

    test.each([
      ['host-reads', 'violated', 'host-access: the host accessed byte 0 of allocation'],
      ['aborts', 'crashed', 'terminate called'],
    ])('%s ends the process, and all that comes after', async (way, kind, why) => {
      const [first, second, third] = await runsOf('right', way, 'right')
      expect(first).toMatchObject({outcome: 'ran'})
      expect([second, third]).toEqual([failing(kind, why), failing(kind, why)])
    })
  })

  test('is judged like any other when a program is lowered to it', async () => {
    const [reply] = await (await craftSolutions('direct-solutions')).repliesTo(['loss/mse_loss'])
    const [submission, oracle] = await Promise.all([opened(reply?.reply ?? ''), oracleOf('mean_square')])
    expect(await judged(oracle, submission)).toMatchObject({literal: true, hardened: true, faults: []})
    await Promise.all([submission.dispose(), oracle.close()])
  })

  test.each([
    [
      'a kernel',
      'kernel/double_kernel.cpp',
      'AscendC::Add(',
      'AscendC::Ad(',
      /double_kernel\.cpp:\d+:.* no member named 'Ad'/,
    ],
    [
      'a binding',
      'kernel/pybind11.cpp',
      'CoresFor(total)',
      'CoresOf(total)',
      /pybind11\.cpp:.* undeclared identifier 'CoresOf'/,
    ],
    ['a kernel that calls the host', 'kernel/double_kernel.cpp', 'int64_t begin = 0;', 'CoresFor(total);', /CoresFor/],
  ])('%s that does not compile is told with its place', async (_, path, from, to, why) => {
    const end = await open({name: 'double', stem: 'double'}, doublingReply({edits: {[path]: [from, to]}}))
    expect(end).toMatchObject({ok: false, kind: 'compile-failed', why: expect.stringMatching(why) as string})
  })

  test('a model without work of its own is told by what it does instead, by the numbers', async () => {
    // Each row of the table is asked for by the number of rows.
    const hacks = [
      ['torch.add(x, x)', 1, 'aten::add'],
      ['torch.cat([x, x])', 2, 'aten::cat'],
      ['__import__("torch_npu").npu_scale(x)', 3, 'torch_npu.npu_scale'],
      ['(x.cpu() * 2).npu()', 4, 'reads-tensors-on-the-host'],
      ['torch.zeros(2, 8)', 4, 'memory of the host'],
      ['setattr(torch.npu, "synchronize", print) or _ops.run(x, 0)', 6, 'torch.npu.synchronize'],
      ['object()', 7, 'an output is a object'],
    ] as const
    const code = `[${hacks.map(([one]) => `lambda: ${one}`).join(', ')}][x.shape[0] - 1]()`
    const submission = await opened(doublingReply({edits: {'ModelNew.py': ['_ops.run(x, self.way)', code]}}))
    const calls = hacks.map((_, at) => ({call: drawnCall(workDirectory, [at + 1, 8]), seed: 1}))
    const runs = await submission.run(calls.map((one) => ({...one, poison: 'nan', order: 'forward'})))
    for (const [at, [one, number, why]] of hacks.entries())
      expect(runs[at], one).toMatchObject({
        behaviour: `SUB-BEH-00${number}`,
        why: expect.stringContaining(why) as string,
      })
    await submission.dispose()
  })

  test('inputs lie elsewhere in each call, or where they were if that is asked for', async () => {
    const code = '(_ for _ in ()).throw(RuntimeError(f"at {x.data_ptr()}"))'
    const submission = await opened(doublingReply({edits: {'ModelNew.py': ['_ops.run(x, self.way)', code]}}))
    const call = {call: drawnCall(workDirectory, [8, 8]), seed: 1, poison: 'nan', order: 'forward'} as const
    const runs = await submission.run([false, true, false].map((again) => ({...call, again})))
    const places = runs.map((run) => /at (\d+)/.exec(run.outcome === 'failed' ? run.why : '')?.[1])
    expect(places).toEqual([expect.any(String), places[0], expect.any(String)])
    expect(places[2]).not.toBe(places[0])
    await submission.dispose()
  })

  test('a reply that the benchmark would not build is unreadable', async () => {
    const end = await open({name: 'double', stem: 'double'}, doublingReply({said: {entry: {model: 'a.py'}}}))
    expect(end).toMatchObject({ok: false, kind: 'unreadable'})
  })
})
