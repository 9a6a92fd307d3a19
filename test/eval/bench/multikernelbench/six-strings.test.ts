import {mkdtempSync, realpathSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {runCommand} from '../../../../engine/subprocess.ts'
import type {ModelRun, OpenSubmission, Submission} from '../../../../eval/bench/multikernelbench/submission.ts'
import {submissions} from '../../../../eval/bench/multikernelbench/submission/open-submission.ts'
import {findTorch} from '../../../../eval/bench/multikernelbench/submission/python.ts'
import {twinTools} from '../../../../eval/executors/twin.ts'
import {craftSolutions} from '../../../../pipelines/workspace/craft-solutions.ts'
import {realExecutor, testCompiler} from '../../../helpers/real-executor.ts'
import {testCache, twinCache} from '../../../helpers/test-cache.ts'

const command = process.env['ASCEND_COT_TEST_PYTHON'] ?? 'python3'
const python = await findTorch(command).catch(() => undefined)
const asked = 'EXEC_NPU_CMD(aclnnReluCustom, x, y);'

/** By the number of rows that the binding is called with; none of these names what it uses. */
const otherWays = `switch (x.size(0)) {
        case 2: return threshold(x, 0, 0);
        case 3: return x * (x > 0);
        case 4: return x.hardshrink(0);
        case 5: EXEC_NPU_CMD(aclnnRelu, x, y); return y;
        case 6: throw std::runtime_error("thrown");
        case 7: return y;
        case 8:
            try {
                EXEC_NPU_CMD(aclnnReluCustom, x, at::empty({1}, x.options()));
            } catch (...) {
            }
            EXEC_NPU_CMD(aclnnReluCustom, x, y);
            return y;
        case 9:
            if (!kept.defined()) {
                EXEC_NPU_CMD(aclnnReluCustom, x, y);
                kept = y;
            }
            return kept;
        case 10: std::terminate();
        default: ${asked} return y;
    }`

// Needs a Python with torch.
describe.skipIf(!python)('a binding in six strings', () => {
  let workDirectory: string
  let open: OpenSubmission
  let submission: Submission

  beforeAll(async () => {
    workDirectory = realpathSync(mkdtempSync(join(tmpdir(), 'six-strings-')))
    const twin = await twinTools({cacheDirectory: twinCache, workDirectory, ...testCompiler})
    const cacheDirectory = join(testCache, 'bindings')
    open = await submissions({executor: await realExecutor(), twin, python: command, cacheDirectory, workDirectory})
    const end = await open(task, await replyWith(asked, otherWays, 'at::Tensor kept;\n'))
    if (!end.ok) throw new Error(`${end.kind}: ${end.why}\n${end.log}`)
    submission = end.submission
  })
  afterAll(async () => {
    await submission?.dispose()
    rmSync(workDirectory, {recursive: true, force: true})
  })

  const task = {name: 'relu', stem: 'relu'}
  const replyWith = async (from: string, to: string, before = '') => {
    const [reply] = await (await craftSolutions()).repliesTo(['activation/relu'])
    const text = reply?.reply.replace('at::Tensor reluCustom(', () => `${before}at::Tensor reluCustom(`)
    if (!text?.includes(from)) throw new TypeError(`the reply does not hold ${from}`)
    return text.replace(from, () => to)
  }
  const runsOf = async (...rows: number[]): Promise<ModelRun[]> => {
    const paths = rows.map((count, at) => join(workDirectory, `call-${at}-${count}.pt`))
    const program = `import json, sys, torch
for path, rows in json.loads(sys.argv[1]): torch.save({"init": [], "inputs": [torch.rand(rows, 100) - 0.5]}, path)`
    await runCommand(command, ['-c', program, JSON.stringify(paths.map((path, at) => [path, rows[at]]))])
    return submission.run(paths.map((call) => ({call, seed: 1, poison: 'nan', order: 'forward'})))
  }
  const failing = (kind: string, why: string) => ({
    outcome: 'failed',
    kind,
    why: expect.stringContaining(why) as string,
  })
  const launching = (launches: number) => ({
    outcome: 'ran',
    outputs: expect.any(String) as string,
    traces: {length: launches},
  })

  test('that does the work elsewhere than in the kernel is told by what it uses', async () => {
    const runs = await runsOf(1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 10, 1)
    expect(runs).toMatchObject([
      launching(1),
      failing('cheated', 'uses-a-finished-operator: the model calls aten::threshold'),
      failing('cheated', 'uses-a-finished-operator: the model calls aten::gt'),
      failing('cheated', 'uses-a-finished-operator: the model calls aten::hardshrink'),
      failing('launch-failed', "aclnnRelu is not the submission's operator"),
      failing('model-error', 'thrown'),
      launching(0),
      failing('violated', 'gm-out-of-range'),
      launching(1),
      launching(0),
      failing('crashed', 'terminate called'),
      failing('crashed', 'terminate called'),
    ])
  })

  test.each([
    ['reads its tensors', '*static_cast<float*>(x.data_ptr()) = 1;', 'reads-tensors-on-the-host'],
    ['names an operator', 'return at::relu(x);', 'calls-a-finished-operator'],
    ['goes to Python', 'PySys_GetObject("modules");', 'reaches-into-python'],
  ])('that %s is refused before it is compiled', async (_, code, rule) => {
    const end = await open(task, await replyWith(asked, `${code} ${asked}`))
    expect(end).toMatchObject({ok: false, kind: 'refused-source', why: expect.stringContaining(rule) as string})
  })
})
