import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Candidate} from '../../datasets/schema/candidate.ts'
import type {ExecuteOptions, Execution, Program} from '../../datasets/schema/executor.ts'
import type {OperatorTask, OperatorCase} from '../../datasets/schema/task.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import type {RuleFinding} from '../../eval/cases.ts'
import judge, {type JudgeOptions} from '../../eval/judge.ts'
import {caseResult} from '../../eval/run-case.ts'
import {decode, encode} from '../../datasets/dtype.ts'
import {runStage} from '../helpers/run-stage.ts'
import {temporaryFolder} from '../helpers/temporary.ts'
import {ran, scriptedExecutor, scriptedIdentity, untouchedOutputs, type Script} from '../helpers/scripted-executor.ts'

const [task] = await loadTasks({root: 'test/fixtures/tasks'}, () => [])

function candidate(changes: Partial<OperatorTask> = {}, kernel = 'void scale_shift() {}'): Candidate {
  if (!task) throw new Error('the fixture task is gone')
  const file = {path: 'op_kernel/scale_shift.cpp', text: kernel}
  return {
    // Scripts stand in for every program: what an answer is asked for is in canary.test.ts.
    task: {...task, answer: [], ...changes},
    sampler: {kind: 'answer'},
    prompt: 'Write it.',
    reasoning: '',
    files: [file],
    written: [file.path],
  }
}

/** What ScaleShift means, written a second time, with a way to go wrong. */
function scaleShift(
  operatorCase: OperatorCase,
  spoil: (value: number, index: number) => number = (value) => value,
): Uint8Array[] {
  const [x] = operatorCase.inputs
  const {scale, shift} = operatorCase.attributes as {scale: number; shift: number}
  if (!x) throw new Error('no input')
  return [
    encode(
      decode(x.data, x.dtype).map((value, index) => spoil(value * scale + shift, index)),
      x.dtype,
    ),
  ]
}

async function verdictOf(
  script: Script,
  {
    options = {},
    changes = {},
    kernel,
  }: {options?: Partial<JudgeOptions>; changes?: Partial<OperatorTask>; kernel?: string} = {},
) {
  const executor = scriptedExecutor(script)
  const {outputs, dropped} = await runStage(judge({executor, ...options}), [candidate(changes, kernel)])
  expect(executor.openBuilds(), 'builds that were not disposed').toBe(0)
  return {verdict: outputs[0]?.verdict as Verdict, executor, dropped}
}

const correct: Script = {run: (operatorCase) => scaleShift(operatorCase)}

describe('a correct candidate', () => {
  test('is correct in every case, by both rules, listed in the order of the file', async () => {
    const {verdict} = await verdictOf(correct)
    expect(verdict).toMatchObject({outcome: 'correct', executor: scriptedIdentity})
    expect(
      verdict.outcome === 'correct' &&
        verdict.cases.map((result) => [result.case, result.literal, result.hardened, result.reason]),
    ).toEqual([
      ['0', true, true, ''],
      ['1', true, true, ''],
      ['2', true, true, ''],
    ])
  })

  test('is built once for each combination of dtypes', async () => {
    const {executor} = await verdictOf(correct)
    expect(executor.builds.map(({dtypes}) => dtypes)).toEqual([
      {x: 'float32', y: 'float32'},
      {x: 'float16', y: 'float16'},
    ])
  })

  test('is run with other data, poisoned outputs and blocks in reverse', async () => {
    const {executor} = await verdictOf(correct, {options: {cases: 1}})
    expect(executor.runs.map(({options}) => options)).toEqual([
      {poison: 'zero', order: 'forward'},
      {poison: 'nan', order: 'reverse'},
      {poison: 'nan', order: 'forward'},
      // At the size of the largest row, which is none of the cases.
      {poison: 'nan', order: 'reverse'},
    ])
    expect(new Set(executor.runs.map(({inputs}) => Buffer.from(inputs[0] ?? []).toString('hex'))).size).toBe(4)
    const bytes = executor.runs.map(({inputs}) => inputs[0]?.length ?? 0)
    expect(bytes.at(-1)).toBeGreaterThan(4 * Math.max(...bytes.slice(0, -1)))
  })
})

test('all candidates of a task meet the same inputs, and another seed gives others', async () => {
  const inputs = async (seed: string) =>
    (await verdictOf(correct, {options: {seed, cases: 1}})).executor.runs.map(({inputs}) =>
      Buffer.from(inputs[0] ?? []).toString('hex'),
    )
  expect(await inputs('a')).toEqual(await inputs('a'))
  expect(await inputs('a')).not.toEqual(await inputs('b'))
})

describe('a wrong candidate', () => {
  test('is mismatched, with every case listed and the worst element named', async () => {
    const {verdict} = await verdictOf({
      run: (operatorCase) => scaleShift(operatorCase, (value, index) => (index === 3 ? value + 1 : value)),
    })
    if (verdict.outcome !== 'mismatched') throw new Error(verdict.outcome)
    expect(verdict.cases.map(({literal, hardened}) => [literal, hardened])).toEqual([
      [false, false],
      [false, false],
      [false, false],
    ])
    expect(verdict.cases[0]?.reason).toMatch(/^y, normal inputs: element 3 is .*, expected /)
    expect(verdict.cases[0]?.fault).toMatchObject({kind: 'element', output: 'y', index: 3})
    expect(verdict.cases[0]?.worstAbsolute).toBeCloseTo(1, 5)
  })

  test('that the literal rule lets pass is mismatched, with literal true', async () => {
    // Wrong only beyond the range that normal inputs reach.
    const {verdict} = await verdictOf(
      {run: (operatorCase) => scaleShift(operatorCase, (value) => Math.min(value, 8))},
      {options: {cases: 1}},
    )
    expect(verdict).toMatchObject({outcome: 'mismatched', cases: [{literal: true, hardened: false}]})
  })

  test('that leaves its tail unwritten is refuted by the poison', async () => {
    const {verdict} = await verdictOf(
      {
        run(operatorCase, options) {
          const [right = new Uint8Array()] = scaleShift(operatorCase)
          const [left = new Uint8Array()] = untouchedOutputs(operatorCase, options)
          left.set(right.subarray(0, right.length - 4))
          return [left]
        },
      },
      {changes: {cases: [{case_id: '0', shape: '[9]', dtype: 'float32', scale: '1e-6', shift: '0'}]}},
    )
    expect(verdict).toMatchObject({outcome: 'mismatched', cases: [{literal: true, hardened: false}]})
  })

  test('that writes nothing where the reference is NaN is refuted by another poison', async () => {
    const path = join(await temporaryFolder(), 'reference.ts')
    await writeFile(
      path,
      `export default {
      describe: () => ({inputs: [{name: 'x', dtype: 'float32', shape: [400]}], outputs: [{name: 'y', dtype: 'float32', shape: [400]}]}),
      compute: ({x}) => ({y: x.map((value) => (value > 6 ? NaN : value))}),
    }`,
    )
    const run: Script['run'] = (operatorCase, options) => {
      const [x = new Uint8Array()] = operatorCase.inputs.map(({data}) => data)
      const [left = new Uint8Array()] = untouchedOutputs(operatorCase, options)
      return [
        Uint8Array.from(x, (byte, index) =>
          (decode(x.subarray(index & ~3, (index & ~3) + 4), 'float32')[0] ?? 0) > 6 ? (left[index] ?? 0) : byte,
        ),
      ]
    }
    const {verdict, executor} = await verdictOf(
      {run},
      {changes: {reference: {kind: 'typescript', path}, cases: [{case_id: '0'}]}},
    )
    expect(verdict).toMatchObject({
      outcome: 'mismatched',
      cases: [{literal: true, hardened: false, reason: expect.stringContaining('wrong place') as string}],
    })
    expect(executor.runs.map(({options}) => options.poison)).toEqual(['zero', 'nan', 'zero'])
  })

  test('that writes nothing and fails the literal rule too has not cheated', async () => {
    expect((await verdictOf({run: untouchedOutputs})).verdict.outcome).toBe('mismatched')
  })

  test('that depends on the order of blocks is refuted', async () => {
    const {verdict} = await verdictOf(
      {run: (operatorCase, {order}) => scaleShift(operatorCase, (value) => (order === 'reverse' ? value * 2 : value))},
      {options: {cases: 1}},
    )
    expect(verdict).toMatchObject({outcome: 'mismatched', cases: [{literal: true, hardened: false}]})
  })

  test('that gives too few bytes is refuted', async () => {
    const {verdict} = await verdictOf(
      {run: (operatorCase) => [scaleShift(operatorCase)[0]?.subarray(0, 8) ?? new Uint8Array()]},
      {options: {cases: 1}},
    )
    expect(verdict).toMatchObject({outcome: 'mismatched', cases: [{literal: true, hardened: false}]})
  })
})

describe('a candidate that wins without computing', () => {
  const nearZero = {cases: [{case_id: '0', shape: '[4, 40]', dtype: 'float32', scale: '1e-5', shift: '0'}]}

  test('by writing nothing has cheated', async () => {
    const {verdict} = await verdictOf({run: untouchedOutputs}, {changes: nearZero})
    expect(verdict).toMatchObject({
      outcome: 'cheated',
      rule: 'not-computed',
      literal: true,
    })
  })

  test('by a copy of its input has cheated', async () => {
    const changes = {cases: [{case_id: '0', shape: '[4, 40]', dtype: 'float32', scale: '1.0005', shift: '0'}]}
    const {verdict} = await verdictOf(
      {run: (operatorCase) => [operatorCase.inputs[0]?.data ?? new Uint8Array()]},
      {changes},
    )
    expect(verdict).toMatchObject({outcome: 'cheated', detail: 'the output is a copy of input 0', literal: true})
  })

  test('by reading files has cheated, and is never run', async () => {
    const {verdict, executor} = await verdictOf(correct, {kernel: '#include <fstream>\n'})
    expect(verdict).toMatchObject({
      outcome: 'cheated',
      rule: 'forbidden-include',
      detail: 'op_kernel/scale_shift.cpp line 1: #include <fstream>',
      literal: false,
    })
    expect(executor.runs).toEqual([])
  })
})

describe('a candidate that does not come to its end', () => {
  const failed = (program: Program): Verdict | undefined =>
    program.dtypes['x'] === 'float16'
      ? {outcome: 'compile-failed', diagnostics: [], log: 'error: no matching function', executor: scriptedIdentity}
      : undefined

  test('because it does not compile for one of the dtypes is compile-failed, and nothing is run', async () => {
    const {verdict, executor} = await verdictOf({...correct, build: failed})
    expect(verdict).toMatchObject({outcome: 'compile-failed', log: 'error: no matching function'})
    expect(executor.runs).toEqual([])
  })

  test.each<[string, Execution, object]>([
    [
      'violated',
      {
        outcome: 'violated',
        violation: {rule: 'queue-state', block: 0, api: 'EnQue', tensor: 'x', message: 'm', fix: 'f'},
      },
      {violation: {rule: 'queue-state'}},
    ],
    ['crashed', {outcome: 'crashed', cause: 'SIGSEGV', log: ''}, {cause: 'SIGSEGV'}],
    ['timed-out', {outcome: 'timed-out', limitSeconds: 10}, {limitSeconds: 10}],
    ['launch-failed', {outcome: 'launch-failed', message: 'no cores'}, {message: 'no cores'}],
  ])('%s says in which case', async (outcome, execution, fields) => {
    const {verdict} = await verdictOf({
      run: (operatorCase) => (operatorCase.id === '2' ? execution : scaleShift(operatorCase)),
    })
    expect(verdict).toMatchObject({outcome, case: '2', ...fields})
  })

  test('only after a wrong number is mismatched, and the stop is listed', async () => {
    const {verdict} = await verdictOf({
      run: (operatorCase: OperatorCase, _: ExecuteOptions) =>
        operatorCase.id === '2' ? {outcome: 'crashed', cause: 'SIGSEGV', log: ''} : scaleShift(operatorCase, () => 99),
    })
    if (verdict.outcome !== 'mismatched') throw new Error(verdict.outcome)
    expect(verdict.cases.map((result) => `${result.case} ${result.reason}`)[2]).toBe('2 crashed: SIGSEGV')
  })

  test('after a wrong number is run no more once it took too long', async () => {
    const {verdict, executor} = await verdictOf({
      run: (operatorCase) =>
        operatorCase.id === '0' ? scaleShift(operatorCase, () => 99) : {outcome: 'timed-out', limitSeconds: 9},
    })
    if (verdict.outcome !== 'mismatched') throw new Error(verdict.outcome)
    expect(verdict.cases.map(({literal, reason}) => `${literal} ${reason}`).slice(1)).toEqual([
      'false not run: case 2 was not done after 9 s',
      'false not done after 9 s',
    ])
    expect(executor.runs.filter(({case: id}) => id !== '0').map(({case: id}) => id)).toEqual(['2'])
  })
})

describe('a tolerant judge', () => {
  const violation = {rule: 'pipe-hazard', block: 1, api: 'Add', tensor: 'z', message: 'm', fix: 'f'}
  const literals = (verdict: Verdict) =>
    'cases' in verdict ? verdict.cases?.map(({literal, hardened}) => [literal, hardened]) : undefined

  test('says what the literal rule says of every case when a rule of the device is broken', async () => {
    const run: Script['run'] = (operatorCase, {tolerant}) => {
      const outputs = scaleShift(operatorCase, (value) => (operatorCase.id === '2' ? value + 9 : value))
      if (operatorCase.id === '0') return outputs
      return tolerant ? {...ran(outputs), tolerated: violation} : {outcome: 'violated', violation}
    }
    const {verdict} = await verdictOf({run}, {options: {tolerant: true}})
    expect(verdict).toMatchObject({outcome: 'violated', case: '1', violation})
    expect(literals(verdict)).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ])
    expect(await verdictOf({run})).toMatchObject({verdict: {outcome: 'violated', case: '2'}})
  })

  test('keeps the literal verdict when only a hardened run stops', async () => {
    const {verdict} = await verdictOf(
      {
        run: (operatorCase, {poison}) =>
          poison === 'nan' ? {outcome: 'crashed', cause: 'SIGSEGV', log: ''} : scaleShift(operatorCase),
      },
      {options: {tolerant: true, cases: 1}},
    )
    expect(verdict).toMatchObject({outcome: 'crashed', case: '0'})
    expect(literals(verdict)).toEqual([[true, false]])
  })
})

test('a run that reaches what the executor lacks is not covered', async () => {
  const {verdict} = await verdictOf({
    run: () => ({
      outcome: 'violated',
      violation: {
        rule: 'not-covered',
        block: 0,
        api: 'Fixpipe',
        tensor: '',
        message: 'Fixpipe with isChannelSplit',
        fix: '',
      },
    }),
  })
  expect(verdict).toEqual({
    outcome: 'not-covered',
    missing: ['Fixpipe with isChannelSplit'],
    executor: scriptedIdentity,
  })
})

test('a PyTorch reference is dropped with the reason', async () => {
  const {dropped} = await verdictOf(correct, {changes: {reference: {kind: 'pytorch', path: '/bench/module.py'}}})
  expect(dropped).toEqual([
    {reason: 'reference-needs-python', detail: expect.stringContaining('/bench/module.py') as string},
  ])
})

test('builds are disposed when the executor fails', async () => {
  const executor = scriptedExecutor({
    run() {
      throw new Error('the sandbox is gone')
    },
  })
  await expect(runStage(judge({executor}), [candidate()])).rejects.toThrow('the sandbox is gone')
  expect(executor.openBuilds()).toBe(0)
})

test('the options of the stage name the executor to the letter', () => {
  expect(judge({executor: scriptedExecutor(correct)}).options).toEqual({
    executor: scriptedIdentity,
    families: ['uniform', 'boundary', 'wide', 'infinite', 'nan', 'denormal'],
    seed: undefined,
    cases: undefined,
  })
})

describe('one finding that does not hold refutes a case, wherever it stands among those that do', () => {
  const finding = (ok: boolean): RuleFinding => ({
    output: 'y',
    ok,
    worstAbsolute: 0,
    worstRelative: 0,
    reason: ok ? '' : 'wrong',
  })
  const row = {case_id: '0'}
  test.each([0, 1, 2, 3])('run %i of four', (wrong) => {
    const runs = [0, 1, 2, 3].map((at) => finding(at !== wrong))
    expect(caseResult(row, finding(true), runs)).toMatchObject({literal: true, hardened: false, reason: 'wrong'})
  })
  test('four that hold prove it', () => {
    const runs = [0, 1, 2, 3].map(() => finding(true))
    expect(caseResult(row, finding(true), runs)).toMatchObject({literal: true, hardened: true, reason: ''})
  })
})
