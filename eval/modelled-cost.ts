import {availableParallelism} from 'node:os'
import {JudgedCandidate, type Candidate} from '../datasets/schema/candidate.ts'
import type {ExecuteOptions, Execution, Executor} from '../datasets/schema/executor.ts'
import {CostedCandidate} from '../datasets/schema/optimisation.ts'
import type {OperatorTask, TaskCase} from '../datasets/schema/task.ts'
import type {Timeline} from '../datasets/schema/timeline.ts'
import {PipelineError} from '../engine/errors.ts'
import {each, type Stage} from '../engine/stage.ts'
import type {CaseSource, OpenCases} from './cases.ts'
import {modelCost, ratesOf} from './cost.ts'
import {markedLines} from './executors/marked-lines.ts'
import {answerCases} from './reference/answer-cases.ts'
import {openTypescriptCases} from './reference/typescript-cases.ts'
import {describeStop} from './run-case.ts'
import {elementCount} from '../datasets/schema/tensor.ts'
import {timelineOf} from './pipe-timeline.ts'

interface ModelledCostOptions {
  executor: Executor
  /** Opens tasks whose reference is a PyTorch module; without it they are dropped. */
  pytorch?: {identity: string; open: OpenCases}
  /** The task's largest row is made larger until its largest tensor has about this many elements. Default 1 Mi. */
  elements?: number
  /** Candidates in progress at once; default one per core. */
  concurrency?: number
}

/**
 * Judged candidate → the same with its modelled time on the chip, if it is correct. It runs once, on one large row of
 * its task, and the cost model uses the counts of that run; its outputs were judged before.
 */
export default function modelledCost(options: ModelledCostOptions): Stage<JudgedCandidate, CostedCandidate> {
  const {executor, pytorch, elements = 1 << 20, concurrency = availableParallelism()} = options
  const rates = ratesOf(executor.identity.soc)
  const openers: Record<JudgedCandidate['task']['reference']['kind'], OpenCases | undefined> = {
    typescript: openTypescriptCases,
    pytorch: pytorch?.open,
    answer: answerCases(executor),
  }
  return {
    name: 'modelled-cost',
    version: 3,
    options: {executor: executor.identity, pytorch: pytorch?.identity, elements, rates: {...rates}},
    input: JudgedCandidate,
    output: CostedCandidate,
    run: each(
      async (candidate, context) => {
        if (candidate.verdict.outcome !== 'correct') return [candidate]
        const {name, reference, cases} = candidate.task
        const open = openers[reference.kind]
        if (!open) return context.drop(candidate, 'reference-needs-python', `${name} has a PyTorch module`)
        // Calls of tasks without a reference cannot be changed.
        const large = largeRow(cases, reference.kind === 'answer' ? 0 : elements)
        const source = await open(candidate, large ? [large] : [], () => undefined)
        const [row] = source.rows
        if (!row) return context.drop(candidate, 'no-usable-case', `${name} has no row that can be run here`)
        const execution = await runRow(
          {executor, source, row, seed: [context.seed, name], signal: context.signal},
          {
            operator: name,
            files: candidate.files,
          },
        )
        if (execution.outcome !== 'ran') {
          const why = execution.outcome === 'not-built' ? execution.outcome : describeStop(execution)
          return context.drop(candidate, 'not-run-at-size', `${name}, ${rowText(row)}: ${why}`)
        }
        const cost = modelCost(execution.trace, rates)
        if (!cost) return context.drop(candidate, 'not-modelled', `${name} uses what the cost model lacks`)
        return [{...candidate, cost, sizes: rowText(row)}]
      },
      {concurrency},
    ),
  }
}

interface Drawn {
  executor: Executor
  /** Opens tasks whose reference is a PyTorch module. */
  openModule?: OpenCases | undefined
  elements?: number
  seed: readonly string[]
  signal: AbortSignal
}

/**
 * The timeline of a candidate on a large row of its task, as `modelledCost` runs it, with that row as text.
 * @throws PipelineError `executor-failed` when it does not build or run, or the model has no figure for it;
 *   `input-invalid` when its task takes inputs from PyTorch
 */
export async function modelledTimeline(
  candidate: Candidate,
  {executor, openModule, elements = 1 << 20, seed, signal}: Drawn,
): Promise<{timeline: Timeline; sizes: string}> {
  const {name, reference, cases} = candidate.task
  const open = opener(candidate.task, executor, openModule)
  const large = largeRow(cases, reference.kind === 'answer' ? 0 : elements)
  const marked = await markedLines(candidate.files)
  const told = `${name}${large ? `, ${rowText(large)}` : ''}`
  // A mark in a function that must be constant does not compile: then no line is known.
  for (const files of [marked.files, candidate.files]) {
    const source = await open(candidate, large ? [large] : [], () => undefined)
    const [first] = source.rows
    if (!first) throw noTimeline(`${told}: this row cannot be run here`)
    // Cells of a module may be bare sizes, which only its calls tell from other numbers.
    const row = (openModule && (await source.grown?.(first, elements * 4))) ?? first
    const given = {executor, source, row, seed: [...seed, name], signal, how: {traced: true}}
    const execution = await runRow(given, {operator: name, files})
    if (execution.outcome === 'not-built') continue
    if (execution.outcome !== 'ran') throw noTimeline(`${told}: ${describeStop(execution)}`)
    const {trace, steps = []} = execution
    const timeline = timelineOf({trace, steps}, ratesOf(executor.identity.soc), marked)
    if (!timeline) throw noTimeline(`${told}: the cost model lacks what it uses, such as the cube core`)
    // The row is not the one that tests use: they are small, and a device is built for more.
    const isLonger = row !== first || (large && !cases.includes(large))
    const grown = isLonger ? ': the largest call of its tests, made longer' : ''
    return {timeline, sizes: `${rowText(row)}${grown}`}
  }
  throw noTimeline(`${told}: it does not build`)
}

function opener({name, reference}: OperatorTask, executor: Executor, openModule?: OpenCases): OpenCases {
  if (reference.kind === 'answer') return answerCases(executor)
  if (reference.kind === 'typescript') return openTypescriptCases
  if (openModule) return openModule
  throw new PipelineError('input-invalid', `${name} takes its inputs from a PyTorch module, which is not run here.`, {
    fix: 'Take a task with validation/reference.ts.',
  })
}

const noTimeline = (why: string) =>
  new PipelineError('executor-failed', `There is no timeline of ${why}.`, {
    fix: 'Take an operator that the twin judges correct and that runs on vector cores.',
    scope: 'run',
  })

interface RowRun {
  how?: ExecuteOptions
  executor: Executor
  source: CaseSource
  row: TaskCase
  seed: readonly string[]
  signal: AbortSignal
}

/** A row that the reference does not describe is not the candidate's fault: the record fails. */
async function runRow(
  {executor, source, row, seed, signal, how = {}}: RowRun,
  program: {operator: string; files: JudgedCandidate['files']},
): Promise<Execution | {outcome: 'not-built'}> {
  const built = await executor.build({...program, dtypes: source.dtypes(row)}, signal)
  if (!built.ok) return {outcome: 'not-built'}
  try {
    const prepared = await source.prepare(row, 'normal', seed)
    try {
      return await executor.execute(built.build, prepared.operatorCase, how, signal)
    } finally {
      await prepared.discard()
    }
  } finally {
    await built.build.dispose()
    await source.close?.()
  }
}

/** A cell with a shape: `[20, 1024]`. */
const shape = /^\s*[[(]\s*(\d+(?:\s*,\s*\d+)*)\s*,?\s*[\])]\s*$/

function sizesIn(cell: string): number[] | undefined {
  return shape.exec(cell)?.[1]?.split(',').map(Number)
}

/** Elements of the largest shape in a row's cells; 1 without any. */
function elementsOf(row: TaskCase): number {
  return Math.max(1, ...Object.values(row).map((cell) => elementCount(sizesIn(cell) ?? [1])))
}

/**
 * The row of a table whose shapes are largest, with the first size of all shapes that start alike multiplied until
 * there are about this many elements: the size a device is built for, while rows for correctness are small.
 */
export function largeRow(rows: readonly TaskCase[], elements: number): TaskCase | undefined {
  const [first] = rows
  if (!first) return undefined
  const largest = rows.reduce((one, other) => (elementsOf(other) > elementsOf(one) ? other : one), first)
  const shapes = Object.values(largest).flatMap((cell) => sizesIn(cell) ?? [])
  const factor = Math.floor(elements / elementsOf(largest))
  const widest = Object.values(largest)
    .flatMap((cell) => [sizesIn(cell) ?? []])
    .reduce((one, other) => (elementCount(other) > elementCount(one) ? other : one), [])
  const [size] = widest
  if (shapes.length === 0 || size === undefined || factor < 2) return largest
  const grown = Object.entries(largest).map(([column, cell]): [string, string] => {
    const sizes = sizesIn(cell)
    if (!sizes || sizes[0] !== size || sizes.length !== widest.length) return [column, cell]
    return [column, cell.replace(/\d+/, String(size * factor))]
  })
  return Object.fromEntries(grown)
}

/** `shape [20, 1024], dtype float32`: a row as text. */
export function rowText(row: TaskCase): string {
  return Object.entries(row)
    .filter(([column]) => column !== 'case_id')
    .map(([column, cell]) => `${column} ${cell}`)
    .join(', ')
}
