import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, describe, expect, test} from 'vitest'
import type {Candidate} from '../../../datasets/schema/candidate.ts'
import type {OperatorCase} from '../../../datasets/schema/task.ts'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import judge, {type JudgeOptions} from '../../../eval/judge.ts'
import {decode, encode} from '../../../datasets/dtype.ts'
import pytorch from '../../../eval/reference/pytorch.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {runCommand} from '../../../engine/subprocess.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {scriptedExecutor, untouchedOutputs, type Script} from '../../helpers/scripted-executor.ts'

const [task] = await loadTasks({root: 'test/fixtures/pytorch-tasks'}, () => [])
const workDirectory = await mkdtemp(join(tmpdir(), 'ascend-cot-pytorch-'))
const references = await pytorch({workDirectory, maxInputBytes: 2 ** 20}).catch((error: unknown) => {
  if (error instanceof PipelineError && error.code === 'toolchain-missing') return undefined
  throw error
})
const cleanUp = () => rm(workDirectory, {recursive: true, force: true})
// Without a test that runs, nothing is called after all of them.
if (!references) await cleanUp()
afterAll(async () => {
  references?.close()
  await cleanUp()
})

/** AddScaled, written a second time: y[i] = x[i] + alpha * weight * z + offset. */
function addScaled(
  {inputs, attributes, outputs}: OperatorCase,
  spoil: (value: number, index: number) => number = (value) => value,
): Uint8Array[] {
  const given = (name: string) =>
    inputs.filter((input) => input.name === name).map(({data, dtype}) => decode(data, dtype))
  const [[z], [weight], [offset]] = [given('z'), given('weight'), given('offset')]
  return given('x').map((x, member) =>
    encode(
      x.map((value, index) =>
        spoil(value + Number(attributes['alpha']) * (weight?.[0] ?? 0) * (z?.[index] ?? 0) + (offset?.[0] ?? 0), index),
      ),
      outputs[member]?.dtype ?? 'float32',
    ),
  )
}

const refused = {outcome: 'launch-failed', message: 'the tiling function returned GRAPH_FAILED'} as const

async function judged(run: Script['run'], options: Partial<JudgeOptions> = {}) {
  if (!task || !references) throw new Error('nothing to judge')
  const file = {path: 'op_kernel/add_scaled.cpp', text: 'void add_scaled() {}'}
  const candidate: Candidate = {
    task,
    sampler: {kind: 'answer'},
    prompt: 'Write it.',
    reasoning: '',
    files: [task.hostTemplate, file],
    written: [file.path],
  }
  const executor = scriptedExecutor({run})
  const {outputs, dropped} = await runStage(judge({executor, pytorch: references, ...options}), [candidate])
  return {verdict: outputs[0]?.verdict, dropped, executor}
}

// Needs `python3` with torch; what does not is in bridge.test.ts and wiring.test.ts.
describe.skipIf(!references)('a task with a PyTorch reference', () => {
  test('outputs that a binding fills with zeros are told apart', async () => {
    const binding =
      'void custom_pybind_api(at::Tensor &x) { at::Tensor a = torch::empty_like(x); at::Tensor b = torch::zeros_like(x); at::Tensor c = torch::empty({2}, x.options()); c.fill_(0.0f); at::Tensor d = torch::empty({2}, x.options()); d.fill_(1.0f); EXEC_NPU_CMD(aclnnCustomOp, a, b, c, d); }'
    const program = [
      'import sys, json, torch',
      "sys.path.insert(0, 'eval/reference/bridge')",
      'from pybind import Binding',
      'seen = lambda name, given: print(json.dumps([getattr(one, "cleared", False) for one in given]))',
      `Binding(${JSON.stringify(binding)} + 'PYBIND11_MODULE(k, m) { m.def("custom_pybind_api", &custom_pybind_api, ""); }', seen).call('custom_pybind_api', [torch.ones(2)], {})`,
    ]
    const {stdout, stderr} = await runCommand('python3', ['-c', program.join('\n')])
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual([false, true, true, false])
  })

  test('complex outputs are compared with real ones as with numbers without an imaginary part', async () => {
    const program = [
      'import sys, json, types, torch',
      "sys.path.insert(0, 'eval/reference/bridge')",
      'from compare import hardened_verdict',
      'accepting = types.SimpleNamespace(custom_check_precision=lambda *_: (1, None, None))',
      'verdict = lambda seen: hardened_verdict(accepting, {}, torch.tensor([1.0, 2.0]), torch.tensor(seen, dtype=torch.complex64), [torch.complex64])',
      'print(json.dumps([[one["ok"], one["absolute"]] for one in (verdict([1, 2]), verdict([1, 2 + 1j]))]))',
    ]
    const {stdout, stderr} = await runCommand('python3', ['-c', program.join('\n')])
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual([
      [true, 0],
      [false, 1],
    ])
  })

  test('integers may be off by a rounding where the task has a checker of its own, and by no more', async () => {
    const program = [
      'import sys, json, types, torch',
      "sys.path.insert(0, 'eval/reference/bridge')",
      'from compare import hardened_verdict',
      'accepting = types.SimpleNamespace(custom_check_precision=lambda *_: (1, None, None))',
      'wanted = torch.arange(100, dtype=torch.int32)',
      'verdict = lambda seen: hardened_verdict(accepting, {}, wanted, seen, [torch.int32])',
      'spoilt = wanted.clone()',
      'spoilt[7] = 9',
      'print(json.dumps([one["reason"] for one in (verdict(wanted + 1), verdict(spoilt), verdict(wanted * 2), verdict(wanted * 0))]))',
    ]
    const {stdout, stderr} = await runCommand('python3', ['-c', program.join('\n')])
    expect(stderr).toBe('')
    const off = 'integers off by more than 0.02 of their size'
    expect(JSON.parse(stdout)).toEqual([
      '',
      '',
      `output 0: element 99 is 198, expected 99 (${off})`,
      `output 0: element 99 is 0, expected 99 (${off})`,
    ])
  })

  test('a number that is one is two at the boundary, among floating tensors', async () => {
    const program = [
      'import sys, json, torch',
      "sys.path.insert(0, 'eval/reference/bridge')",
      'from draw import Draws, reshape_values',
      'one, x, whole = torch.ones(1), torch.full([3], 8.0), torch.ones(1, dtype=torch.int32)',
      'number = lambda family, *others: reshape_values(([one], *others), Draws(family, 1))[0][0].item()',
      "print(json.dumps([number('boundary', x), number('uniform', x), number('boundary'), number('boundary', x, whole)]))",
    ]
    const {stdout, stderr} = await runCommand('python3', ['-c', program.join('\n')])
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual([2, 1, 1, 1])
  })

  test('values of the whole type are drawn where a family asks for them', async () => {
    const program = [
      'import sys, json, torch',
      "sys.path.insert(0, 'eval/reference/bridge')",
      'from draw import Draws',
      'def seen(family, dtype):',
      '    x = Draws(family, 1).move(torch.randn(4000).to(dtype)).double()',
      '    sizes = x[torch.isfinite(x)].abs()',
      '    return [bool(torch.isnan(x).any()), bool(torch.isinf(x).any()), bool((x == 0).any()), sizes.max().item() > 1e4, (sizes < 7e-5).double().mean().item() > 0.9]',
      "print(json.dumps([seen(*one) for one in (('wide', torch.float16), ('infinite', torch.bfloat16), ('nan', torch.float32), ('denormal', torch.float16), ('normal', torch.float32))]))",
    ]
    const {stdout, stderr} = await runCommand('python3', ['-c', program.join('\n')])
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual([
      [false, false, false, true, false],
      [false, true, true, false, false],
      [true, false, true, false, false],
      [false, false, true, false, true],
      [false, false, false, false, false],
    ])
  })

  test('infinite and nearly so, or zero and nearly so, are one at the ends of a type', async () => {
    const program = [
      'import sys, json, types, torch',
      "sys.path.insert(0, 'eval/reference/bridge')",
      'from compare import hardened_verdict',
      'own = types.SimpleNamespace()',
      'import stubs',
      "stubs.install('.')",
      'def ok(dtype, wanted, got):',
      '    return hardened_verdict(own, {}, torch.tensor(wanted, dtype=dtype), torch.tensor(got, dtype=dtype), [dtype])["ok"]',
      'half, single, inf = torch.float16, torch.float32, float("inf")',
      'print(json.dumps([ok(half, [65504., 1], [inf, 1]), ok(half, [inf, 1], [65504., 1]), ok(half, [60000., 1], [inf, 1]), ok(half, [65504., 1], [-inf, 1]), ok(single, [1e-39], [0.]), ok(single, [1e-37], [0.]), ok(half, [4e-5], [0.])]))',
    ]
    const {stdout, stderr} = await runCommand('python3', ['-c', program.join('\n')])
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual([true, true, false, false, true, false, false])
  })

  test("a right candidate is correct by the task's rule and by ours", async () => {
    const {verdict, dropped, executor} = await judged((operatorCase) => addScaled(operatorCase))
    expect(verdict).toMatchObject({
      outcome: 'correct',
      cases: [
        {case: '0', literal: true, hardened: true},
        {case: '1', literal: true, hardened: true},
      ],
    })
    expect(dropped).toEqual([{reason: 'too-large', detail: expect.stringContaining('torch.randn') as string}])
    expect(executor.builds.map(({dtypes}) => dtypes['y'])).toEqual(['float32', 'float16'])
  })

  test('lists, host values, absent inputs and attributes reach the operator by name', async () => {
    const seen: string[] = []
    await judged(
      (operatorCase) => {
        seen.push(
          `${operatorCase.inputs.map(({name, shape}) => `${name}[${shape.join()}]`).join(' ')} alpha=${String(operatorCase.attributes['alpha'])} → ${operatorCase.outputs.map(({shape}) => shape.join('x')).join(' ')}`,
        )
        return addScaled(operatorCase)
      },
      {sizes: 'pinned'},
    )
    expect(new Set(seen)).toEqual(
      new Set(['x[4,8] x[3] z[32] weight[1] offset[1] alpha=2 → 4x8 3', 'x[100] z[100] weight[1] alpha=0.5 → 100']),
    )
  })

  test('a row of other sizes is drawn, called and computed as the task would', async () => {
    const seen = new Set<string>()
    const {verdict} = await judged((operatorCase) => {
      const lengths = operatorCase.inputs.filter(({name}) => name === 'z').map(({shape}) => String(shape[0]))
      const shapes = operatorCase.outputs.map(({shape}) => shape.join('x'))
      seen.add([operatorCase.id, ...shapes, 'with z', ...lengths].join(' '))
      return addScaled(operatorCase)
    })
    expect(verdict).toMatchObject({outcome: 'correct', cases: [{sizes: 'fresh'}, {sizes: 'fresh'}]})
    for (const own of ['0 4x8 3 with z 32', '1 100 with z 100']) expect(seen.delete(own)).toBe(true)
    expect([...seen].map((one) => one.replace(/\d+/g, '#'))).toEqual(['# #x# # with z #', '# # with z #'])
  })

  test('a candidate that refuses every size but those of the table is not correct', async () => {
    const {verdict} = await judged((one) =>
      ['4,8', '100'].includes(String(one.outputs[0]?.shape)) ? addScaled(one) : refused,
    )
    expect(verdict).toMatchObject({
      outcome: 'launch-failed',
      message: expect.stringMatching(/GRAPH_FAILED with inputs of another size \(shapes \[\[.*\]\]\)/) as string,
    })
  })

  test('what a task computes from its draws goes with them in every family', async () => {
    const kept: boolean[] = []
    await judged((operatorCase) => {
      const [x, z] = ['x', 'z']
        .map((name) => operatorCase.inputs.find((input) => input.name === name))
        .map((input) => (input ? [...decode(input.data, input.dtype)] : []))
      kept.push(z?.every((value, index) => value === 2 * (x?.[index] ?? NaN)) ?? false)
      return addScaled(operatorCase)
    })
    expect(kept).toEqual(Array.from({length: 6}, () => true))
  })

  test.each<[string, Script['run']]>([
    ['a wrong last element', (one) => addScaled(one, (value, index) => (index === 2 ? value + 1 : value))],
    ['NaN', (one) => addScaled(one, () => NaN)],
    ['the input', (one) => one.inputs.filter(({name}) => name === 'x').map(({data}) => data)],
    ['what was there', untouchedOutputs],
  ])('%s is refused', async (_, run) => {
    const {verdict} = await judged(run)
    expect(verdict).toMatchObject({
      outcome: 'mismatched',
      cases: [
        {literal: false, hardened: false},
        {literal: false, hardened: false},
      ],
    })
  })

  test("a precision that the task's rule lets pass is refused by ours", async () => {
    const {verdict} = await judged((one) => addScaled(one, (value) => Math.round(value * 1024) / 1024 + 4e-4))
    expect(verdict).toMatchObject({
      outcome: 'mismatched',
      cases: [
        {literal: true, hardened: false, reason: expect.stringMatching(/off by .* of its size/) as string},
        {literal: true},
      ],
    })
  })
})
