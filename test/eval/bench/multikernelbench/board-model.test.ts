import {cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import judgeModel from '../../../../eval/bench/multikernelbench/judge-model.ts'
import type {ModelVerdict} from '../../../../eval/bench/multikernelbench/verdict.ts'
import type {ModelRun} from '../../../../eval/bench/submission/submission.ts'
import type {Program} from '../../../../datasets/schema/executor.ts'
import {openOnBoard} from '../../../../eval/bench/submission/board-model.ts'
import {submissions} from '../../../../eval/bench/submission/open-submission.ts'
import {findTorch} from '../../../../eval/bench/submission/python.ts'
import cann, {type CannExecutor} from '../../../../eval/executors/cann/cann.ts'
import type {BoardPython, ModuleSource, PythonBuild} from '../../../../eval/executors/cann/board-python.ts'
import {localShell} from '../../../../eval/executors/cann/cann-shell.ts'
import {findCann} from '../../../../eval/executors/cann/find-cann.ts'
import {twinTools} from '../../../../eval/executors/twin.ts'
import {craftSolutions} from '../../../../pipelines/workspace/craft-solutions.ts'
import {drawnCall} from '../../../helpers/model-call.ts'
import {realExecutor, testCompiler} from '../../../helpers/real-executor.ts'
import {runStage} from '../../../helpers/run-stage.ts'
import {workingCann} from '../../../helpers/stand-in-cann.ts'
import {testCache, twinCache} from '../../../helpers/test-cache.ts'

const command = process.env['ASCEND_COT_TEST_PYTHON'] ?? 'python3'
const python = await findTorch(command).catch(() => undefined)
const soc = 'Ascend910B1'

const reference = `import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x)
batch_size = 7
dim = 1021
def get_inputs():
    return [torch.randn(batch_size, dim)]
def get_init_inputs():
    return []
`
const calling = (forward: string, before = '') => `import os, time, torch
${before}
import custom_ops_lib
class ModelNew(torch.nn.Module):
    def forward(self, x):
        ${forward}
`

// Needs a Python with torch. Bindings take a minute: one build serves all of it.
describe.skipIf(!python)('a model that the twin finds correct', () => {
  let place: string
  let root: string
  let home: string
  let board: CannExecutor
  const said: string[] = []
  /** What the first test built. */
  let built: {build: PythonBuild; program: Program; module: ModuleSource}
  const keeping = (build: PythonBuild): PythonBuild => {
    const removed = () => Promise.resolve(rmSync(join(build.directory, 'model'), {recursive: true}))
    return {...build, dispose: removed}
  }

  /** Opens the same build every time, as it then is. */
  const kept = (): BoardPython => ({
    version: '0',
    open: () => Promise.resolve({ok: true, build: keeping(built.build)}),
  })

  const opening = (first: BoardPython): BoardPython => ({
    ...first,
    async open(program, module, signal) {
      const end = await first.open(program, module, signal)
      if (!end.ok) throw new Error(JSON.stringify(end.verdict))
      built = {build: end.build, program, module}
      return {ok: true, build: keeping(end.build)}
    },
  })

  async function ran(model: string, seconds: number, calls = 1): Promise<ModelRun[]> {
    const {program, module} = built
    const opened = await openOnBoard({python: kept(), name: 'cann-board', program, module, model, seconds})
    if (!opened.ok) throw new Error(opened.why)
    const call = {call: drawnCall(place, [3, 5]), seed: 1, poison: 'nan', order: 'forward'} as const
    return opened.submission.run(Array<typeof call>(calls).fill(call)).finally(() => opened.submission.dispose())
  }

  /** With a mark in the kernel that was installed. */
  async function marked<T>(mark: string, work: () => Promise<T>): Promise<T> {
    const folder = join(built.build.directory, 'opp/vendors/customize/op_kernel')
    const path = join(folder, readdirSync(folder).find((name) => name.endsWith('.cpp')) ?? '')
    const before = readFileSync(path, 'utf8')
    writeFileSync(path, `// stand-in: ${mark}\n${before}`)
    return work().finally(() => writeFileSync(path, before))
  }

  beforeAll(async () => {
    await realExecutor()
    place = realpathSync(mkdtempSync(join(tmpdir(), 'board-model-')))
    root = join(place, 'checkout')
    cpSync('test/fixtures/multikernelbench', root, {recursive: true})
    writeFileSync(join(root, 'reference/activation/relu.py'), reference)
    const made = await workingCann({boards: [0, 1], within: place})
    home = made.home
    const {environment, workDirectory} = made
    const shell = localShell(workDirectory)
    const install = await findCann({shell, soc, environment})
    const given = {
      shell,
      install,
      level: 'cann-board',
      soc,
      workDirectory,
      lockDirectory: join(place, 'locks'),
    } as const
    board = await cann({...given, python: python?.command, say: (text) => said.push(text)})
  }, 600_000)
  afterAll(() => rmSync(place, {recursive: true, force: true}))

  async function judged(confirming: CannExecutor): Promise<ModelVerdict | undefined> {
    const twin = await twinTools({cacheDirectory: twinCache, workDirectory: place, ...testCompiler})
    const folders = {workDirectory: join(place, 'models'), cacheDirectory: join(testCache, 'bindings')}
    const bindings = join(root, 'ascend_op_projects/CppExtension')
    const options = {executor: await realExecutor(), twin, python: python!, ...folders, confirming, bindings}
    const identity = {name: 'twin', confirmedBy: 'cann-board 1'}
    const asked = {identity, open: await submissions(options), python: python!, sandbox: twin.sandbox, ...folders}
    const stage = judgeModel({...asked, tiers: ['head'], trials: 1, concurrency: 1})
    const [reply] = await (await craftSolutions()).repliesTo(['activation/relu'])
    const task = {name: 'relu', category: 'activation', path: 'reference/activation/relu.py', root, module: 'm'}
    const sampler = {model: 'm', sample: 0}
    const {outputs} = await runStage(stage, [{task, sampler, reply: reply?.reply ?? ''}])
    return outputs[0]?.verdict
  }

  test('runs again on a board, which has the last word', async () => {
    const before = readdirSync(home, {recursive: true}).sort()
    expect(await judged({...board, python: opening(board.python!)})).toMatchObject({
      opened: true,
      again: 'cann-board 1',
      faults: [],
      tiers: [{tier: 'head', literal: true, hardened: true, calls: 11, modelled: {cores: expect.any(Number)}}],
    })
    expect(readdirSync(home, {recursive: true}).sort()).toEqual(before)
    expect(said).toEqual([])
  }, 900_000)

  test.each([
    ['wrong elsewhere', /^normal at 7×1021: mere is /],
    ['code 507015', /^own at 7×1021: crashed: RuntimeError: .*error code:507015/s],
  ])(
    'is refuted by one that is marked: %s',
    async (mark, expected) => {
      const verdict = await marked(mark, () => judged({...board, python: kept()}))
      if (!verdict?.opened) throw new Error(JSON.stringify(verdict))
      expect(verdict).toMatchObject({again: 'cann-board 1', tiers: [{hardened: false}]})
      const [fault] = verdict.faults
      expect(`${fault?.family} at ${fault?.sizes}: ${fault?.hardened}`).toMatch(expected)
    },
    900_000,
  )

  test('that may not be launched says so, and has no verdict where the board fails', async () => {
    const right = calling('return custom_ops_lib.relu_custom(x)')
    const why = expect.stringMatching(/error code:561002/)
    expect(await marked('refuse tiling', () => ran(right, 60))).toEqual([
      {outcome: 'failed', kind: 'launch-failed', why},
    ])
    const failing = marked('code 507899', () => ran(right, 60))
    await expect(failing).rejects.toMatchObject({code: 'executor-failed', scope: 'record'})
    expect(said).toEqual([])
  }, 900_000)

  test.each([
    ['return custom_ops_lib.nothing(x)', '', 'model-error', /AttributeError/],
    ['return x', 'import nothing_of_the_kind', 'model-error', /ModuleNotFoundError/],
    ['return x', 'raise SystemExit(1)', 'model-error', /SystemExit/],
    ['return "text", object()', '', 'model-error', /an output is a object/],
    ['os.abort()', '', 'crashed', /ended with SIGABRT/],
    ['return x', 'os.kill(os.getpid(), 11)', 'crashed', /ended with SIGSEGV/],
    ['time.sleep(1000)', '', 'timed-out', /no end within 60 s/],
  ])(
    'ends as what it does: %s %s',
    async (forward, before, kind, why) => {
      const runs = await ran(calling(forward, before), 30, 2)
      const failed = {outcome: 'failed', kind, why: expect.stringMatching(why)}
      expect(runs).toEqual([failed, failed])
    },
    600_000,
  )

  test('that writes something else in place of its outputs gave none', async () => {
    const forged = `
        os.mkdir('calls/outputs-0')
        os.symlink('/etc/passwd', 'calls/outputs-0/outputs.json')
        with open('calls/report.jsonl', 'a') as file:
            file.write('{"ran": true}\\n')
        os._exit(0)`
    const runs = await ran(calling(forged.trim()), 30)
    expect(runs).toEqual([{outcome: 'failed', kind: 'model-error', why: 'its outputs were not written whole'}])
  }, 600_000)

  test('whose binding does not compile beside the board is refused by that name', async () => {
    const {program, module} = built
    const broken = {...module, text: `#error "no such thing"\n${module.text}`}
    const asked = {python: board.python!, name: 'cann-board', program, module: broken, model: '', seconds: 30}
    expect(await openOnBoard(asked)).toMatchObject({
      ok: false,
      kind: 'compile-failed',
      why: expect.stringMatching(/^cann-board: csrc\/op\.cpp:1: .*no such thing/),
    })
  }, 600_000)

  test('goes to another board when one is sick', async () => {
    writeFileSync(join(home, 'sick-0'), '')
    const [run] = await ran(calling('return custom_ops_lib.relu_custom(x)'), 200)
    expect(run).toMatchObject({outcome: 'ran', unseen: true})
    expect(said).toEqual([expect.stringMatching(/^board 0 of this machine stays sick/)])
  }, 900_000)
})
