import {mkdtemp, realpath, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {openOracle, type Oracle} from '../../../../eval/bench/multikernelbench/oracle/oracle.ts'
import {modelCases} from '../../../../eval/bench/multikernelbench/model-calls.ts'
import {findTorch} from '../../../../eval/bench/submission/python.ts'
import {chooseSandbox, type SandboxName} from '../../../../eval/executors/sandbox.ts'
import {decode} from '../../../../datasets/dtype.ts'
import {runCommand} from '../../../../engine/subprocess.ts'

const runtime = resolve('eval/bench/oracle/runtime')
/** What a call leaves: `outputs` and `after` as files in the folder that is named behind the call. */
const leaving = `import json, os, sys, torch
sys.path.insert(0, ${JSON.stringify(runtime)})
import files
def leave(outputs, after, held, folder):
    os.makedirs(folder, exist_ok=True)
    count = 0
    def told(value):
        nonlocal count
        if isinstance(value, (tuple, list)):
            return [told(one) for one in value]
        if not isinstance(value, torch.Tensor):
            return {'value': value}
        count += 1
        files.write_elements(value, os.path.join(folder, f'{count}.bin'))
        return {'dtype': str(value.dtype).removeprefix('torch.'), 'shape': list(value.shape), 'file': f'{count}.bin',
                'contiguous': value.is_contiguous(), 'ofInput': value.untyped_storage().data_ptr() == held}
    said = {'outputs': told(outputs), 'inputsAfter': [told(one) for one in after]}
    with open(os.path.join(folder, 'outputs.json'), 'w') as file:
        json.dump(said, file)
`

const command = process.env['ASCEND_COT_TEST_PYTHON'] ?? 'python3'
const python = await findTorch(command).catch(() => undefined)
const families = ['normal', 'large', 'tiny', 'constant', 'sparse', 'negative', 'ramp']
const setting = {constants: {rows: 3, columns: 13}}

// Needs a Python with torch; what becomes of its answers is in judge-tiers.test.ts.
describe.skipIf(!python)('the oracle', () => {
  let oracle: Oracle
  let folder: string
  let sandbox: SandboxName

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'oracle-test-')))
    sandbox = await chooseSandbox(folder)
    oracle = await openOracle({
      python: python!,
      sandbox,
      folder,
      module: resolve('test/fixtures/multikernelbench/reference/activation/tame.py'),
      seconds: 120,
    })
  })
  afterAll(async () => {
    await oracle.close()
    await rm(folder, {recursive: true, force: true})
  })

  const drawing = {setting, trial: 0, seed: 1024, roles: []}
  const compare = async (family: string, outputs: string, inputsAfter = '[x]') => {
    const call = await oracle.draw({...drawing, family})
    const path = join(folder, 'outputs')
    const program = `${leaving}
x = files.read_inputs(${JSON.stringify(call)})[0]
limited = torch.clamp(x.double(), -2.5, 2.5)
right = (limited + torch.log1p(torch.abs(x - limited)) * torch.sign(x)).float()
leave(${outputs}, ${inputsAfter}, x.untyped_storage().data_ptr(), ${JSON.stringify(path)})`
    const {stderr} = await runCommand(command, ['-c', program])
    expect(stderr).toBe('')
    return oracle.compare({setting, seed: 1024, call, outputs: path, mutants: true})
  }

  test('sizes are told without making the inputs', async () => {
    expect(await oracle.describe(setting)).toEqual([{shape: [3, 13], dtype: 'float32', bytes: 156}])
    const huge = {constants: {rows: 1 << 20, columns: 1 << 20}}
    expect((await oracle.describe(huge))[0]?.bytes).toBe(2 ** 42)
    expect((await oracle.describe({cut: [2, 5]}))[0]?.shape).toEqual([2, 5])
  })

  test('a constant that the module does not have is refused', async () => {
    await expect(oracle.describe({constants: {lines: 3}})).rejects.toThrow('the module has no constant lines')
  })

  test('trials are one stream of the harness, whatever is compared between them', async () => {
    const trial = (at: number) => oracle.draw({...drawing, family: 'own', trial: at})
    const stream = [await trial(0)]
    await compare('own', 'right')
    stream.push(await trial(1))
    const again = [await trial(0)]
    await compare('normal', 'right')
    const program = `${leaving}
one, two, three = [files.read_inputs(p)[0] for p in sys.argv[1:]]
torch.manual_seed(1024)
print(torch.equal(one, torch.randn(3, 13)), torch.equal(two, torch.randn(3, 13)), torch.equal(one, three))`
    const {stdout} = await runCommand(command, ['-c', program, ...stream, ...again])
    expect(stdout.trim()).toBe('True True True')
  })

  test('values are what an input means: squares, distributions, factors whose product is a number', async () => {
    const drawnAs = async (role: string) =>
      Promise.all(families.map((family) => oracle.draw({...drawing, family, roles: [role]})))
    const [squares, rows, factors] = [await drawnAs('positive'), await drawnAs('distribution'), await drawnAs('factor')]
    const program = `${leaving}
read = lambda paths: [files.read_inputs(p)[0] for p in paths]
paths = sys.argv[1:]
squares, rows, factors = read(paths[:7]), read(paths[7:14]), read(paths[14:])
print(all(bool((one >= 0).all()) for one in squares))
print(all(bool((one > 0).all()) and torch.allclose(one.sum(-1), torch.ones(3)) for one in rows))
print(all(bool(one.prod(1).isfinite().all()) for one in factors), any(bool((one < 0).any()) for one in factors))`
    const {stdout} = await runCommand(command, ['-c', program, ...squares, ...rows, ...factors])
    expect(stdout.trim().split('\n')).toEqual(['True', 'True', 'True True'])
  })

  test.each(['own', ...families, 'infinite'])('what is right is right with %s values', async (family) => {
    const found = await compare(family, 'right')
    expect(found).toMatchObject({outputBytes: 156, spoilt: []})
    expect([found.literal, found.hardened]).toEqual([undefined, undefined])
  })

  test.each([
    ['just beyond the tolerance', 'right + 3e-4 * (1 + right.abs())', 'values differ by more', 'is right'],
    ['NaN', 'right.fill_(float("nan"))', 'values differ by more', 'NaN or infinity'],
    ['another shape', 'right[:2]', 'the shape is', 'was expected'],
    ['another type', 'right.double()', 'the type is', 'was expected'],
    ['two outputs', '(right, right)', 'another kind', '2 tensors'],
    ['no tensor', '1.0', 'another kind', '0 tensors'],
  ])('%s is refused by both', async (_, outputs, literal, hardened) => {
    const found = await compare('normal', outputs)
    expect(found.literal).toContain(literal)
    expect(found.hardened).toContain(hardened)
  })

  test('one element that is off is refused, although the others make up for it', async () => {
    const found = await compare('constant', 'right + 2e-4 * (torch.arange(39).reshape(3, 13) == 5)')
    expect(found.hardened).toContain('an element is 0.0002 off')
  })

  test.each([
    ['infinite', 'right.clamp(-100, 100)'],
    ['nan', 'right.nan_to_num(0)'],
  ])('numbers in the place of %s are refused, and so is a single one that is none', async (family, outputs) => {
    const told = 'where PyTorch gives NaN or infinity, it gives something else'
    expect((await compare(family, 'right')).hardened).toBeUndefined()
    expect((await compare(family, outputs)).hardened).toBe(told)
    const spoilt = 'torch.where(right.isfinite() & (right == right[right.isfinite()][0]), float("inf"), right)'
    expect((await compare(family, spoilt)).hardened).toBe('NaN or infinity where a number is right')
  })

  test('where the precisions of PyTorch differ in what is no number, either is right', async () => {
    const program = `import sys, torch
sys.path.insert(0, ${JSON.stringify(runtime)})
from measure import hardened
inf, nan = float('inf'), float('nan')
for golden, expected in (inf, nan), (nan, inf), (1.0, nan):
    print([hardened(torch.tensor([golden]).double(), torch.tensor([expected]), torch.tensor([seen]))[0] is None
           for seen in (inf, -inf, nan, 1.0)])`
    const {stdout} = await runCommand(command, ['-c', program])
    expect(stdout.trim().split('\n')).toEqual([
      '[True, False, True, False]',
      '[True, False, True, False]',
      '[False, False, True, False]',
    ])
  })

  test('float32 that was rounded to float16 on the way is told from what was not', async () => {
    const program = `import sys, torch
sys.path.insert(0, ${JSON.stringify(runtime)})
from measure import hardened
source = torch.Generator().manual_seed(1)
for size in 1e-2, 1.0, 100.0:
    x = torch.randn(1000, generator=source) * size
    print([hardened(x.double(), x, one)[0] is None for one in (x, x.half().float())])`
    const {stdout} = await runCommand(command, ['-c', program])
    expect(stdout.trim().split('\n')).toEqual(Array(3).fill('[True, False]'))
  })

  test('tiny values that are all wrong pass the literal comparison alone', async () => {
    const found = await compare('tiny', 'torch.zeros_like(right)')
    expect(found.literal).toBeUndefined()
    expect(found.hardened).toContain('mere')
  })

  test.each([
    ['right', '[x + 1]', 'changes-an-input'],
    ['x.copy_(right)', '[x]', 'changes-an-input'],
    ['right.t().contiguous().t()', '[x]', 'not-contiguous'],
  ])('%s with inputs %s afterwards is told', async (outputs, after, expected) => {
    expect((await compare('own', outputs, after)).spoilt.map(({rule}) => rule)).toEqual([expected])
  })

  test('an output in the memory of an input is told even where its values are right', async () => {
    const found = await compare('sparse', 'x[:0].new_tensor([]).set_(x.untyped_storage(), 0, x.shape, x.stride())')
    expect(found.spoilt.map(({rule}) => rule)).toEqual(['returns-an-input'])
  })

  test('outputs of kernels that do no work differ from what is right, and are refused when they show', async () => {
    await compare('negative', 'right')
    const {mutants} = await compare('normal', 'right')
    expect(mutants.map(({name}) => name)).toEqual([
      'zeros',
      'mean',
      'identity',
      'last tile missing',
      'axis turned',
      'tail missing',
      'output before',
    ])
    expect(mutants.every(({literal, hardened}) => literal && hardened)).toBe(true)
    const tiny = await compare('tiny', 'right')
    const zeros = tiny.mutants.find(({name}) => name === 'zeros')
    expect(zeros).toEqual({name: 'zeros', literal: false, hardened: true})
  })

  test('an answer that takes no work is refused by the hardened comparison wherever it is wrong', async () => {
    const passing: string[] = []
    for (const family of ['own', ...families]) {
      const {mutants} = await compare(family, 'right')
      passing.push(...mutants.filter(({hardened}) => !hardened).map(({name}) => `${name}, ${family}`))
    }
    expect(passing).toEqual([])
  })

  test('a task is an operator with names, sizes and calls whose outputs are known', async () => {
    const task = {name: 'tame', category: 'activation', path: 'reference/activation/tame.py', module: ''}
    const setting = {python: python!, sandbox, workDirectory: folder}
    const found = await modelCases({...task, root: 'test/fixtures/multikernelbench'}, setting)
    expect(found.shapes.split('\n')).toEqual([
      'x: float32[96, 1031], also called with [96, 1031]',
      'y: float32[96, 1031] where inputs have the second sizes; an output',
      'attributes that may be declared, with their values: bound = 2.5',
    ])
    expect([found.made, found.called]).toEqual([['bound=2.5'], ['x']])
    expect(found.cases).toHaveLength(2)
    for (const {operatorCase, expected} of found.cases) {
      const {inputs, attributes, outputs} = operatorCase
      expect([attributes, outputs]).toEqual([{bound: 2.5}, [{name: 'y', dtype: 'float32', shape: [96, 1031]}]])
      const right = decode(inputs[0]!.data, 'float32').map((x) => {
        const limited = Math.min(Math.max(x, -2.5), 2.5)
        return limited + Math.log1p(Math.abs(x - limited)) * Math.sign(x)
      })
      expect(Math.max(...right.map((value, at) => Math.abs(value - expected[0]![at]!)))).toBeLessThan(1e-12)
    }
  })
})
