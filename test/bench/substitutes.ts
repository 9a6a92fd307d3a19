import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import type {Build, Executor} from '../../datasets/schema/executor.ts'
import type {OperatorTask, OperatorCase, TaskCase} from '../../datasets/schema/task.ts'
import {dtypeBytes, elementCount, type TensorSpec} from '../../datasets/schema/tensor.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import {adaptations} from '../../eval/bench/npukernelbench/benchmark.ts'
import {taskMatcher} from '../../eval/tasks/select-tasks.ts'
import type {CaseSource} from '../../eval/cases.ts'
import {encode, isInteger} from '../../datasets/dtype.ts'
import pytorch, {type PytorchReferences} from '../../eval/reference/pytorch.ts'
import {caseId} from '../../eval/reference/typescript.ts'
import {runCase} from '../../eval/run-case.ts'
import {PipelineError} from '../../engine/errors.ts'
import {asCandidate} from './strictness/subject.ts'

/** The bytes of an output that nothing computed; undefined where the substitute has none to offer. */
type Substitute = (spec: TensorSpec, operatorCase: OperatorCase) => Uint8Array | undefined

const constant =
  (value: number): Substitute =>
  (spec) =>
    encode(new Float64Array(elementCount(spec.shape) * (spec.dtype === 'complex64' ? 2 : 1)).fill(value), spec.dtype)

const substitutes: Readonly<Record<string, Substitute>> = {
  zeros: constant(0),
  ones: constant(1),
  NaN: (spec, operatorCase) =>
    isInteger(spec.dtype)
      ? new Uint8Array(elementCount(spec.shape) * dtypeBytes[spec.dtype]).fill(0xfe)
      : constant(NaN)(spec, operatorCase),
  'copy of input': ({dtype, shape}, {inputs}) =>
    inputs.find((input) => input.dtype === dtype && String(input.shape) === String(shape))?.data,
}

interface Passed {
  task: string
  case: string
  substitute: string
  literal: boolean
  hardened: boolean
  /** Of a hardened pass: every output that was expected is the substitute, to the value. */
  exact: boolean
}

const mebi = 2 ** 20

/**
 * Gives outputs that no kernel computed to both checks, in every row with at most 1 MiB of input, and prints how many
 * pass. A hardened pass is right only where the substitute is what the reference gives.
 */
export async function benchSubstitutes(args: readonly string[]): Promise<void> {
  const {values} = parseArgs({
    args: [...args],
    options: {
      root: {type: 'string'},
      python: {type: 'string', default: 'python3'},
      tasks: {type: 'string', default: '*'},
    },
  })
  if (values.root === undefined)
    throw new Error('Usage: npm run bench -- substitutes --root <NPUKernelBench checkout> [--python P] [--tasks GLOB]')
  const workDirectory = await mkdtemp(join(tmpdir(), 'ascend-cot-substitutes-'))
  const started = performance.now()
  const references = await pytorch({python: values.python, workDirectory, maxInputBytes: mebi, adaptations})
  try {
    const tasks = (await loadTasks({root: values.root}, () => [])).filter(taskMatcher(values.tasks))
    const tried: Passed[] = []
    for (const task of tasks) {
      tried.push(...(await tryTask(task, references)))
      process.stderr.write(`${task.name}\n`)
    }
    console.log(
      `${tasks.length} tasks, ${new Set(tried.map((one) => `${one.task} ${one.case}`)).size} cases of ${new Set(tried.map(({task}) => task)).size} tasks, ${((performance.now() - started) / 1000).toFixed(0)} s, ${references.identity}`,
    )
    print(tried)
  } finally {
    references.close()
    await rm(workDirectory, {recursive: true, force: true})
  }
}

async function tryTask(task: OperatorTask, references: PytorchReferences): Promise<Passed[]> {
  const files = task.answer.length > 0 ? task.answer : [task.hostTemplate, task.kernelTemplate]
  const source = await references.open(asCandidate(task, files), task.cases, (row, reason, detail) => {
    process.stderr.write(reason === 'too-large' ? '' : `${task.name} case ${caseId(row)}: ${reason}, ${detail}\n`)
  })
  const tried: Passed[] = []
  for (const row of source.rows) {
    for (const [name, substitute] of Object.entries(substitutes)) {
      const one = await tryRow(task, source, row, substitute)
      if (one) tried.push({task: task.name, case: caseId(row), substitute: name, ...one})
    }
  }
  return tried
}

/**
 * The judge's own path, with an executor that runs nothing. Undefined where the substitute does not apply, or the
 * reference fails on other inputs.
 */
async function tryRow(
  task: OperatorTask,
  source: CaseSource,
  row: TaskCase,
  substitute: Substitute,
): Promise<Pick<Passed, 'literal' | 'hardened' | 'exact'> | undefined> {
  try {
    const finding = await runCase({
      executor: writing(substitute),
      build: nothing,
      source,
      row,
      trials: (['uniform', 'boundary'] as const).map((family) => ({family, row})),
      tolerant: false,
      seed: ['substitutes', task.name],
    })
    if (!('result' in finding)) return undefined
    const {
      result: {literal, hardened},
      evidence,
    } = finding
    return {
      literal,
      hardened,
      exact:
        hardened &&
        evidence.every(({outputs, expected}) =>
          outputs.every((bytes, index) => Buffer.compare(bytes, expected[index] ?? new Uint8Array()) === 0),
        ),
    }
  } catch (error) {
    if (error instanceof PipelineError && error.code === 'input-invalid') return undefined
    throw error
  }
}

const nothing: Build = {directory: '', dispose: () => Promise.resolve()}

function writing(substitute: Substitute): Executor {
  const unused = () => Promise.reject(new TypeError('a substitute is not built'))
  return {
    identity: {name: 'substitute', fingerprint: '', compiler: '', soc: ''},
    covers: 'nothing',
    compile: unused,
    build: unused,
    execute(_, operatorCase) {
      const outputs = operatorCase.outputs.map((spec) => substitute(spec, operatorCase))
      const trace = {
        blockDim: 0,
        tilingKey: 0,
        workspaceBytes: 0,
        tiling: {},
        buffers: [],
        ubPeakBytes: 0,
        calls: {},
        blocks: [],
      }
      if (outputs.some((bytes) => bytes === undefined))
        return Promise.resolve({outcome: 'launch-failed', message: 'no input of that shape'})
      return Promise.resolve({outcome: 'ran', outputs: outputs as Uint8Array[], trace, cpuSeconds: 0, log: ''})
    },
  }
}

function print(tried: readonly Passed[]): void {
  console.log(
    '\n| substitute | cases | pass literal | in tasks | every case of | pass hardened | in tasks | every case of | wrongly |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|',
  )
  for (const name of Object.keys(substitutes)) {
    const own = tried.filter(({substitute}) => substitute === name)
    const wrong = own.filter(({hardened, exact}) => hardened && !exact).length
    console.log(`| ${[name, own.length, ...counts(own, 'literal'), ...counts(own, 'hardened'), wrong].join(' | ')} |`)
  }
  const passes = new Map<string, Passed[]>()
  for (const one of tried.filter(({hardened}) => hardened)) {
    const key = `${one.task}, ${one.substitute}`
    passes.set(key, [...(passes.get(key) ?? []), one])
  }
  console.log('\nHardened passes:')
  for (const [key, own] of passes) {
    const all = tried.filter(({task, substitute}) => `${task}, ${substitute}` === key).length
    console.log(
      `${key}: cases ${own.map((one) => `${one.case}${one.exact ? '' : ' (not what the reference gives)'}`).join(', ')}; ${own.length} of ${all}`,
    )
  }
}

function counts(tried: readonly Passed[], rule: 'literal' | 'hardened'): number[] {
  const tasks = [...new Set(tried.map(({task}) => task))]
  const all = tasks.filter((name) => tried.filter(({task}) => task === name).every((one) => one[rule]))
  const passing = tried.filter((one) => one[rule])
  return [passing.length, new Set(passing.map(({task}) => task)).size, all.length]
}
