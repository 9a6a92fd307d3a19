import {mkdtempSync, readFileSync, realpathSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {ModelRun, OpenSubmission, Submission} from '../../../../eval/bench/submission/submission.ts'
import {submissions} from '../../../../eval/bench/submission/open-submission.ts'
import {readReply} from '../../../../eval/bench/submission/read-reply.ts'
import {findTorch} from '../../../../eval/bench/submission/python.ts'
import {twinTools} from '../../../../eval/executors/twin.ts'
import {craftSolutions} from '../../../../pipelines/workspace/craft-solutions.ts'
import {drawnCall} from '../../../helpers/model-call.ts'
import {modelForms, modelOfForms, type ModelForm} from '../../../helpers/model-forms.ts'
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
        case 11: return at::full_like(x, *static_cast<float*>(x.data_ptr()));
        case 12: {
            float first;
            std::memcpy(&first, x.const_data_ptr(), sizeof first);
            return at::full_like(x, first);
        }
        case 13: {
            void* (at::Tensor::*address)() const = &at::Tensor::mutable_data_ptr;
            auto* values = static_cast<float*>((y.*address)());
            for (int64_t i = 0; i < y.numel(); ++i) values[i] = 0;
            return y;
        }
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
    open = await submissions({executor: await realExecutor(), twin, python: python!, cacheDirectory, workDirectory})
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
    const calls = rows.map((count) => drawnCall(workDirectory, [count, 100]))
    return submission.run(calls.map((call) => ({call, seed: 1, poison: 'nan', order: 'forward'})))
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
      failing('cheated', 'keeps-an-output'),
      failing('crashed', 'terminate called'),
      failing('crashed', 'terminate called'),
    ])
  })

  test.each([
    ['a loop', 11],
    ['the system', 12],
    ['a pointer to a method', 13],
  ])('that reads its tensors with %s crashes as on a board', async (_, way) => {
    const [read, after] = await runsOf(way, 1)
    expect([read, after]).toEqual([failing('violated', 'host-access: the host '), failing('violated', 'host-access')])
  })
})

// Needs a Python with torch.
describe.skipIf(!python)('a model', () => {
  let workDirectory: string
  let submission: Submission
  const forms = [...modelForms('honest'), ...modelForms('cheating')]
  const ending = forms.filter(({ends}) => ['crashed', 'violated'].includes(ends))

  beforeAll(async () => {
    workDirectory = realpathSync(mkdtempSync(join(tmpdir(), 'model-forms-')))
    const twin = await twinTools({cacheDirectory: twinCache, workDirectory, ...testCompiler})
    const cacheDirectory = join(testCache, 'bindings')
    const open = await submissions({
      executor: await realExecutor(),
      twin,
      python: python!,
      cacheDirectory,
      workDirectory,
    })
    const end = await open({name: 'relu', stem: 'relu'}, await replyOf(modelOfForms(forms)))
    if (!end.ok) throw new Error(`${end.kind}: ${end.why}\n${end.log}`)
    submission = end.submission
  })
  afterAll(async () => {
    await submission?.dispose()
    rmSync(workDirectory, {recursive: true, force: true})
  })

  /** The operator keeps the shape of its input, whatever it is. */
  const replyOf = async (model: string) => {
    const [reply] = await (await craftSolutions()).repliesTo(['activation/relu'])
    const reading = await readReply({python: python!, sandbox: 'plain', folder: workDirectory}, reply?.reply ?? '')
    if ('unreadable' in reading) throw new TypeError(reading.unreadable)
    const {strings} = reading
    const binding = strings.python_bind_src.replace(/at::empty\(\{.*?\}, .*?\);/, 'at::empty_like(x);')
    const written = {...strings, python_bind_src: binding, model_src: model}
    return Object.entries(written)
      .map(([name, text]) => `${name} = ${JSON.stringify(text)}`)
      .join('\n')
  }
  const endsOf = async (asked: readonly ModelForm[]) => {
    const calls = asked.map(({name}) => drawnCall(workDirectory, [3, 100], [name]))
    const runs = await submission.run(calls.map((call) => ({call, seed: 1, poison: 'nan', order: 'forward'})))
    return asked.map(({name}, at) => `${name}: ${endOf(runs[at] as ModelRun)}`)
  }
  const expected = (asked: readonly ModelForm[]) => asked.map(({name, ends}) => `${name}: ${ends}`)

  test('may be written in any way of Python that leaves the values to the kernel', async () => {
    const asked = forms.filter(({ends}) => ends === 'right')
    expect(asked.length).toBeGreaterThanOrEqual(100)
    expect(await endsOf(asked)).toEqual(expected(asked))
  })

  test('has no values to compute with, however it asks', async () => {
    const asked = forms.filter((one) => one.ends !== 'right' && !ending.includes(one))
    expect(await endsOf(asked)).toEqual(expected(asked))
  })

  test.each(ending)('with $name ends its process', async (form) => {
    expect(await endsOf([form])).toEqual(expected([form]))
  })
})

/** `right`, `wrong`, or how it failed. */
function endOf(run: ModelRun): string {
  if (run.outcome === 'failed') return run.kind
  const read = (name: string) => readFileSync(join(run.outputs, name))
  const {outputs, inputsAfter} = JSON.parse(read('outputs.json').toString()) as Record<string, unknown>
  const floats = (said: unknown) => new Float32Array(new Uint8Array(read((said as {file: string}).file)).buffer)
  const [x, y] = [floats((inputsAfter as unknown[])[0]), floats(outputs)]
  return x.length === y.length && x.every((value, at) => Math.max(value, 0) === y[at]) ? 'right' : 'wrong'
}
