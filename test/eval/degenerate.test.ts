import {describe, expect, test} from 'vitest'
import type {Candidate, JudgedCandidate} from '../../datasets/schema/candidate.ts'
import type {OperatorCase, TaskCase} from '../../datasets/schema/task.ts'
import {elementCount, type TensorSpec} from '../../datasets/schema/tensor.ts'
import {decode, encode} from '../../datasets/dtype.ts'
import type {CaseSource} from '../../eval/cases.ts'
import {separate} from '../../eval/degenerate.ts'
import judge from '../../eval/judge.ts'
import {compareOutputs} from '../../eval/reference/compare-outputs.ts'
import {expectedOutputs, prepareCase} from '../../eval/reference/typescript.ts'
import type {TaskReference} from '../../datasets/schema/task.ts'
import type {Trial} from '../../eval/run-case.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import {runStage} from '../helpers/run-stage.ts'
import {scriptedExecutor, type Script} from '../helpers/scripted-executor.ts'

const row: TaskCase = {case_id: '0', shape: '[4, 3]'}
const tensor = (name: string, shape: number[], dtype: TensorSpec['dtype'] = 'float16'): TensorSpec => ({
  name,
  dtype,
  shape,
})

/** A task of one row; `compute` gives all outputs in their order. */
interface Asked {
  inputs: TensorSpec[]
  outputs: TensorSpec[]
  compute(inputs: Float64Array[]): (Float64Array | number[])[]
  domain?: TaskReference['domain']
  /** How many outputs the task's check looks at. Default all. */
  compared?: number
}

function sourceOf({inputs, outputs, compute, domain, compared = outputs.length}: Asked): CaseSource {
  const reference: TaskReference = {
    describe: () => ({inputs, outputs}),
    ...(domain && {domain}),
    compute: (given) => {
      const made = compute(inputs.map(({name}) => given[name] as Float64Array))
      return Object.fromEntries(outputs.map(({name}, at) => [name, made[at] as Float64Array]))
    },
  }
  return {
    rows: [row],
    dtypes: () => ({}),
    fresh: () => Promise.resolve(undefined),
    prepare: (one, family, seed) => {
      const operatorCase = prepareCase(reference, one, family, seed)
      return Promise.resolve({
        operatorCase,
        compare: (seen, {literal}) => {
          const specs = outputs.slice(0, compared)
          const expected = expectedOutputs(reference, one, operatorCase).slice(0, compared)
          const found = compareOutputs({specs, seen, expected}, {literal})
          return Promise.resolve({...found, right: outputs.map((_, at) => found.expected[at])})
        },
        discard: () => Promise.resolve(),
      })
    },
  }
}

const planned = new Map<string, Trial[]>([['0', [{family: 'uniform', row}]]])
const everywhere = () => Promise.resolve(true)

async function told(
  asked: Asked,
  {serves = everywhere}: {serves?: (row: TaskCase, trial: Trial) => Promise<boolean>} = {},
) {
  const {more, spared, alone} = await separate(planned, {source: sourceOf(asked), seed: ['s'], pinned: true, serves})
  return {spared, alone, families: (more.get('0') ?? []).map(({family}) => family)}
}

const [x, y] = [tensor('x', [4, 3]), tensor('y', [4, 3])]
const equal: Asked = {
  inputs: [x, y],
  outputs: [tensor('z', [4, 3], 'bool')],
  compute: ([a = new Float64Array(), b = new Float64Array()]) => [a.map((value, at) => Number(value === b[at]))],
}
const scaled: Asked = {
  inputs: [tensor('x', [1]), tensor('scale', [1])],
  outputs: [tensor('z', [1])],
  compute: ([a = new Float64Array(), by = new Float64Array()]) => [[(a[0] ?? 0) * (by[0] ?? 0)]],
  domain: {scale: [1, 1]},
}
const notFinite: Asked = {
  inputs: [x],
  outputs: [tensor('z', [1], 'float32')],
  compute: ([a = new Float64Array()]) => [[Number(!a.every(Number.isFinite))]],
}
const sum: Asked = {
  inputs: [x, y],
  outputs: [tensor('z', [4, 3])],
  compute: ([a = new Float64Array(), b = new Float64Array()]) => [a.map((value, at) => value + (b[at] ?? 0))],
}

describe('answers for which no work is done', () => {
  test('a comparison meets equal pairs', async () => {
    expect(await told(equal)).toEqual({
      alone: ['the answer before', 'the mean', 'zeros'],
      spared: [],
      families: ['alike'],
    })
  })

  test('what nobody compares hides nothing: the answer before is known all the same', async () => {
    const outputs = [...sum.outputs, tensor('extra', [1])]
    const twice: Asked = {...sum, outputs, compute: (given) => [...sum.compute(given), [1]], compared: 1}
    expect(await told(twice)).toEqual({alone: [], spared: [], families: []})
  })

  test('a check of finiteness meets values that are none', async () => {
    expect(await told(notFinite)).toEqual({
      alone: ['the answer before', 'zeros'],
      spared: [],
      families: [expect.stringMatching(/^(?:pierced|infinite|nan)$/) as string],
    })
  })

  test('a factor is unlike 0 and 1, where the domain has others', async () => {
    expect(await told({...scaled, domain: {scale: [1, 4]}})).toMatchObject({spared: []})
    const fixed = await told(scaled)
    expect(fixed.spared).toEqual(['a copy of x'])
    expect(fixed.families).toEqual([])
  })

  test('what every run refuses by itself asks for nothing more', async () => {
    expect(await told(sum)).toEqual({alone: [], spared: [], families: []})
  })

  test('a run that the own answer does not pass is not asked for', async () => {
    const {spared, families} = await told(equal, {serves: (_, {family}) => Promise.resolve(family !== 'alike')})
    expect(families).not.toContain('alike')
    expect(spared).toEqual([])
    expect(await told(equal, {serves: () => Promise.resolve(false)})).toEqual({
      alone: ['the answer before', 'the mean', 'zeros'],
      spared: ['the answer before', 'the mean', 'zeros'],
      families: [],
    })
  })

  test('an answer that hangs on a scalar alone is one for ever where scalars may stand in a kernel', async () => {
    const counted: Asked = {
      inputs: [tensor('step', [1])],
      outputs: [tensor('z', [5])],
      compute: ([step = new Float64Array()]) => [[0, 1, 2, 3, 4].map((at) => at * (step[0] ?? 0) + 9)],
    }
    const source = sourceOf(counted)
    const prepare: CaseSource['prepare'] = (one, family) =>
      source.prepare(one, family === 'scalars' ? family : 'ones', ['s'])
    const found = (pinned: boolean) =>
      separate(planned, {source: {...source, prepare}, seed: ['s'], pinned, serves: everywhere})
    expect(await found(true)).toMatchObject({spared: ['the answer before'], more: new Map()})
    expect(await found(false)).toMatchObject({spared: []})
  })

  test.each<[string, Asked, string[]]>([
    [
      'zeros',
      {...sum, compute: ([a = new Float64Array()]) => [a.map(() => 0)]},
      ['the answer before', 'the mean', 'zeros'],
    ],
    [
      'ones',
      {...sum, compute: ([a = new Float64Array()]) => [a.map(() => 1)]},
      ['ones', 'the answer before', 'the mean'],
    ],
    ['a copy', {...sum, compute: ([, b = new Float64Array()]) => [b]}, ['a copy of y']],
    [
      'one output of two',
      {
        ...sum,
        outputs: [tensor('z', [4, 3]), tensor('w', [4, 3])],
        compute: ([a = new Float64Array(), b = new Float64Array()]) => [
          b.map((value, at) => value + (a[at] ?? 0)),
          b.map(() => 0),
        ],
      },
      ['zeros in w'],
    ],
    [
      'outputs that stay',
      {...sum, outputs: [x], compute: ([a = new Float64Array()]) => [a]},
      ['a copy of x', 'outputs left as they were'],
    ],
  ])('are told where they are right by definition: %s', async (_, asked, spared) => {
    expect(await told(asked)).toMatchObject({spared})
  })

  test('attributes that may stand in a kernel are kept', async () => {
    const source = sourceOf(equal)
    const prepare: CaseSource['prepare'] = async (one, family, seed) => {
      const prepared = await source.prepare(one, family, seed)
      const attributes = {chosen: family === 'alike' ? 2 : 1}
      return {...prepared, operatorCase: {...prepared.operatorCase, attributes}}
    }
    const found = async (pinned: boolean) =>
      (await separate(planned, {source: {...source, prepare}, seed: ['s'], pinned, serves: everywhere})).more
    expect([...(await found(false)).values()].flat().map(({family}) => family)).toEqual(['alike'])
    expect([...(await found(true)).values()].flat().map(({family}) => family)).not.toContain('alike')
  })
})

test('a run in which the right answer is refused tells nothing', async () => {
  const source = sourceOf(equal)
  const prepare: CaseSource['prepare'] = async (one, family, seed) => {
    const prepared = await source.prepare(one, family, seed)
    const compare: typeof prepared.compare = async (...given) => {
      const found = await prepared.compare(...given)
      return family === 'alike' ? {...found, hardened: {...found.hardened, ok: false}} : found
    }
    return {...prepared, compare}
  }
  const {more} = await separate(planned, {source: {...source, prepare}, seed: ['s'], pinned: true, serves: everywhere})
  const families = [...more.values()].flat().map(({family}) => family)
  expect(families).not.toContain('alike')
  expect(families).not.toEqual([])
})

/** x → scale · x + shift with scale 1 and shift 0 in its first row, which a copy serves. */
test('the judge refuses such an answer where only the added runs tell, and names what none tells', async () => {
  const [task] = await loadTasks({root: 'test/fixtures/tasks'}, () => [])
  if (!task) throw new Error('the fixture task is gone')
  const cases = [{case_id: '0', shape: '[6, 40]', dtype: 'float32', scale: '1', shift: '0'}]
  const files = [{path: 'op_kernel/scale_shift.cpp', text: 'copy'}]
  const candidate: Candidate = {
    task: {...task, cases, answer: []},
    sampler: {kind: 'answer'},
    prompt: 'p',
    reasoning: '',
    files,
    written: ['op_kernel/scale_shift.cpp'],
  }
  const copy: Script['run'] = ({inputs: [input]}: OperatorCase) => [
    encode(decode(input?.data ?? new Uint8Array(), 'float32'), 'float32'),
  ]
  const {outputs} = await runStage(judge({executor: scriptedExecutor({run: copy}), sizes: 'pinned'}), [candidate])
  const {verdict, canary} = outputs[0] as JudgedCandidate
  expect(verdict.outcome).toBe('correct')
  expect(canary).toMatchObject({spared: ['a copy of x']})
  expect(elementCount([6, 40])).toBe(240)
})
