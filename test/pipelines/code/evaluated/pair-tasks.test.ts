import {beforeAll, describe, expect, test} from 'vitest'
import type {LabelledCandidate} from '../../../../datasets/schema/candidate.ts'
import type {HostKernelPair} from '../../../../datasets/schema/scenario.ts'
import type {OperatorTask} from '../../../../datasets/schema/task.ts'
import judge from '../../../../eval/judge.ts'
import pairTasks from '../../../../pipelines/code/evaluated/pair-tasks.ts'
import sameCode from '../../../../pipelines/code/evaluated/same-code.ts'
import {inlineIncludes} from '../../../../sources/kernels/inline.ts'
import {realExecutor} from '../../../helpers/real-executor.ts'
import {runStage} from '../../../helpers/run-stage.ts'
import {pairsStage, ranOperator} from '../specialise/ran-operator.ts'

const purpose = {text: 'Negative values are scaled by a slope', formulas: ['y = x']}
let pairs: HostKernelPair[]

beforeAll(async () => {
  const [small, large] = [
    await ranOperator('LeakyRelu', 'float16', [7, 33]),
    await ranOperator('LeakyRelu', 'float16', [40, 700]),
  ]
  const ran = {...small, scenarios: [...small.scenarios, ...large.scenarios]}
  pairs = (await runStage(await pairsStage(), [ran])).outputs.map((pair) => ({...pair, purpose}))
}, 240_000)

const joined = (given: readonly HostKernelPair[], most = 4) => runStage(sameCode({inline: inlineIncludes, most}), given)
const tasksOf = async (given: readonly HostKernelPair[]) =>
  runStage(pairTasks({executor: await realExecutor(), inline: inlineIncludes}), (await joined(given)).outputs)
const first = () => pairs[0] as HostKernelPair

describe('pairs with the same code', () => {
  test('are one, with the calls of all', async () => {
    expect(pairs).toHaveLength(2)
    const {outputs, dropped} = await joined(pairs)
    expect(dropped).toEqual([])
    expect(outputs).toEqual([{pair: pairs[0], more: [pairs[1]?.scenario]}])
  })

  test('are joined though reductions left other lines in what the three files leave out', async () => {
    const [pair] = pairs
    const unread = {path: 'op_host/unread.h', text: '#pragma once\nconstexpr int UNREAD = 1;\n'}
    const {outputs} = await joined([first(), {...first(), host: [...(pair?.host ?? []), unread]}])
    expect(outputs).toMatchObject([{more: [{}]}])
  })

  test.each<[string, (pair: HostKernelPair) => HostKernelPair]>([
    ['code', (pair) => ({...pair, kernel: {...pair.kernel, text: `${pair.kernel.text}// another\n`}})],
    ['types', (pair) => ({...pair, scenario: {...pair.scenario, dtypes: {...pair.scenario.dtypes, z: 'int8'}}})],
    [
      'inputs',
      (pair) => ({...pair, scenario: {...pair.scenario, inputs: [...pair.scenario.inputs, ...pair.scenario.inputs]}}),
    ],
    ['place', (pair) => ({...pair, origin: {...pair.origin, path: 'elsewhere'}})],
  ])('are several when they differ in %s', async (_, change) => {
    expect((await joined([first(), change(first())])).outputs).toHaveLength(2)
  })

  test('are dropped past the limit, and where a run went past a rule', async () => {
    const violation = {rule: 'pipe-hazard', block: 0, api: 'Add', tensor: 'x', message: 'm', fix: 'f'}
    const broken = {...first(), scenario: {...first().scenario, tolerated: violation}}
    const {outputs, dropped} = await joined([broken, first(), first(), first()], 2)
    expect(outputs).toMatchObject([{pair: first(), more: [first().scenario]}])
    expect(dropped.map(({reason}) => reason)).toEqual(['rule-broken', 'over-limit'])
  })
})

describe('a task of a pair', () => {
  let task: OperatorTask

  beforeAll(async () => {
    task = (await tasksOf(pairs)).outputs[0] as OperatorTask
  }, 120_000)

  test('asks for the whole operator, a case for each call', () => {
    expect(task).toMatchObject({
      name: 'LeakyRelu',
      origin: first().origin,
      hostTemplate: {path: 'op_host/leaky_relu.cpp'},
      kernelTemplate: {path: 'op_kernel/leaky_relu.cpp'},
      cases: [
        {case_id: '0', shape: '[7, 33]', dtype: 'float16', negative_slope: '0.01'},
        {case_id: '1', shape: '[40, 700]', dtype: 'float16', negative_slope: '0.01'},
      ],
    })
    expect(task.answer.map(({path}) => path)).toEqual([
      'op_host/leaky_relu_tiling.h',
      'op_host/leaky_relu.cpp',
      'op_kernel/leaky_relu.cpp',
    ])
    expect(task.description).toContain('| x | input | float16 | [7, 33] or [40, 700] |')
    expect(task.description).toContain('Negative values are scaled by a slope')
    expect(task.kernelTemplate.text).not.toContain('DataCopy')
  })

  test('knows of each case how it is called', () => {
    const calls = pairs.map(({scenario: {dtypes, inputs, attributes, outputs}}) => ({
      dtypes,
      inputs,
      attributes,
      outputs,
    }))
    expect(task.reference).toEqual({kind: 'answer', calls: {'0': calls[0], '1': calls[1]}})
  })

  test('has its answer judged correct in every case, and a fault of one case found', async () => {
    const candidate = (from: string, to: string): Omit<LabelledCandidate, 'verdict' | 'label'> => ({
      task,
      sampler: {kind: 'answer'},
      prompt: 'p',
      reasoning: '',
      files: task.answer.map((file) => ({...file, text: file.text.replace(from, to)})),
      written: task.answer.map(({path}) => path),
    })
    const large = task.answer[1]?.text.match(/SetBlockDim\([^;]*\);/)?.[0] ?? ''
    expect(large).not.toBe('')
    const spoilt = [
      candidate('', ''),
      candidate('LeakyRelu(', 'Leaky('),
      candidate(
        large,
        `${large} if (context->GetInputShape(0)->GetOriginShape().GetDim(0) == 40) context->SetBlockDim(1);`,
      ),
    ]
    const {outputs} = await runStage(judge({executor: await realExecutor()}), spoilt)
    expect(outputs.map(({verdict}) => verdict.outcome)).toEqual(['correct', 'compile-failed', 'mismatched'])
    expect(outputs[0]).toMatchObject({canary: {state: 'green'}, verdict: {cases: [{hardened: true}, {hardened: true}]}})
    expect(outputs[2]).toMatchObject({
      verdict: {
        cases: [
          {case: '0', hardened: true},
          {case: '1', hardened: false},
        ],
      },
    })
  }, 120_000)
})

describe('what becomes no task', () => {
  test.each<[string, (pair: HostKernelPair) => HostKernelPair, string]>([
    ['is not what it does', ({purpose: _, ...pair}) => unspoken(pair), 'purpose-unknown'],
    [
      'does not give what was recorded',
      (pair) =>
        recorded(
          pair,
          pair.scenario.digests.map((one) => [...one].reverse().join('')),
        ),
      'whole-not-right',
    ],
    ['is no file that a benchmark asks for', (pair) => ({...pair, entry: 'other'}), 'entry-named-otherwise'],
  ])(
    'what %s',
    async (_, change, reason) => {
      const {outputs, dropped} = await tasksOf([change(first())])
      expect(outputs).toEqual([])
      expect(dropped).toMatchObject([{reason}])
    },
    60_000,
  )

  test('what a further call does not give as recorded', async () => {
    const [one, other] = pairs as [HostKernelPair, HostKernelPair]
    const {dropped} = await tasksOf([one, recorded(other, one.scenario.digests)])
    expect(dropped).toMatchObject([{reason: 'whole-not-right', detail: 'LeakyRelu: other outputs than recorded'}])
  }, 60_000)

  function recorded(pair: HostKernelPair, digests: string[]): HostKernelPair {
    return {...pair, scenario: {...pair.scenario, digests}}
  }

  function unspoken(pair: Omit<HostKernelPair, 'purpose'>): HostKernelPair {
    const text = pair.kernel.text.replace(/^\/\/\/.*$/gm, '').replace('LeakyRelu(y', 'UNKNOWN(y')
    return {...pair, kernel: {...pair.kernel, text: `#define UNKNOWN LeakyRelu\n${text}`}}
  }
})
