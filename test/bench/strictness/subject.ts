import type {Candidate} from '../../../datasets/schema/candidate.ts'
import type {Execution, Executor, Program} from '../../../datasets/schema/executor.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {OperatorTask, OperatorCase, TaskCase} from '../../../datasets/schema/task.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import type {CaseSource, OpenCases} from '../../../eval/cases.ts'
import judge, {type JudgeOptions} from '../../../eval/judge.ts'
import type {InputFamily} from '../../../eval/reference/inputs.ts'
import {canonicalJson} from '../../../engine/ids.ts'
import type {Random} from '../../../engine/random.ts'
import type {Fits} from '../../../pipelines/preference/mutations/mutation.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {instrument} from './reach.ts'

export interface Bench {
  executor: Executor
  pytorch?: JudgeOptions['pytorch']
  open: OpenCases
  /** Judges rows with more input too, for mutants that the first rows do not tell. */
  wider: Pick<Bench, 'open' | 'pytorch'>
}

/** An answer that its judge calls correct, with the rows that its mutants meet. */
export interface Subject {
  task: OperatorTask
  /**
   * The task with other rows, the same dtypes and most input first; undefined when it has none, or the answer fails
   * there.
   */
  wider(): Promise<OperatorTask | undefined>
  source: CaseSource
  dtypes: Record<string, Dtype>
  /** How the answer itself ran each row. */
  runs: Extract<Execution, {outcome: 'ran'}>[]
  /** Which code the rows run. */
  fits: Fits
  /** Whether `fits` was measured; else it takes everything. */
  measured: boolean
}

/** In bytes: what every mutant meets, and what those meet that survive it. */
export const inputLimits = {first: 2 ** 18, wider: 2 ** 22}
const rowsLooked = 24
const widerRows = 4

/** @returns why the answer cannot be a subject, in a few words, when it cannot */
export async function prepareSubject(task: OperatorTask, bench: Bench, random: Random): Promise<Subject | string> {
  const source = await bench.open(asCandidate(task, task.answer), task.cases.slice(0, rowsLooked), () => undefined)
  const rows = await chooseRows(source, random)
  if (rows.length === 0) return 'no row is small enough'
  const subject = {...task, cases: rows}
  const verdict = await verdictOf(subject, task.answer, bench)
  if (verdict.outcome !== 'correct') return `the answer is ${verdict.outcome}`
  const dtypes = source.dtypes(rows[0] as TaskCase)
  const chosen = {...source, rows}
  const ends = await runEach(bench.executor, {operator: task.name, files: task.answer, dtypes}, chosen, ['normal'])
  const runs = ends.filter((end) => end.outcome === 'ran')
  const marked = instrument(task.answer)
  const marks = await runEach(bench.executor, {operator: task.name, files: marked.files, dtypes}, chosen, ['normal'])
  let wider: Promise<OperatorTask | undefined> | undefined
  return {
    task: subject,
    wider: () => (wider ??= findWider(task, {rows, dtypes}, bench)),
    source: chosen,
    dtypes,
    runs,
    fits: marked.reached(marks),
    measured: marked.measured(marks),
  }
}

/** Two rows that agree on every dtype: the file's first, and the one with most input. One build serves both. */
async function chooseRows(source: CaseSource, random: Random): Promise<TaskCase[]> {
  const groups = new Map<string, TaskCase[]>()
  for (const row of source.rows) {
    const key = canonicalJson(source.dtypes(row))
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  if (groups.size === 0) return []
  const group = random.pick([...groups.values()]).slice(0, 8)
  const sizes = await Promise.all(group.map((row) => inputBytes(source, row)))
  const small = group.filter((_, index) => (sizes[index] ?? 0) <= inputLimits.first)
  const most = Math.max(...sizes.filter((size) => size <= inputLimits.first))
  const largest = group.find((_, index) => sizes[index] === most)
  return small.filter((row, index) => index === 0 || row === largest)
}

async function inputBytes(source: CaseSource, row: TaskCase): Promise<number> {
  const prepared = await source.prepare(row, 'normal', ['strictness'])
  await prepared.discard()
  return prepared.operatorCase.inputs.reduce((sum, {data}) => sum + data.length, 0)
}

async function findWider(
  task: OperatorTask,
  {rows: met, dtypes}: {rows: readonly TaskCase[]; dtypes: Subject['dtypes']},
  {executor, wider}: Bench,
): Promise<OperatorTask | undefined> {
  const source = await wider.open(asCandidate(task, task.answer), task.cases.slice(0, rowsLooked), () => undefined)
  const sized: {row: TaskCase; alike: number; bytes: number}[] = []
  for (const row of source.rows.filter((one) => !met.includes(one))) {
    sized.push({
      row,
      alike: Number(canonicalJson(source.dtypes(row)) === canonicalJson(dtypes)),
      bytes: await inputBytes(source, row),
    })
  }
  const rows = sized
    .sort((a, b) => b.alike - a.alike || b.bytes - a.bytes)
    .slice(0, widerRows)
    .map(({row}) => row)
  const subject = {...task, cases: rows}
  return rows.length > 0 && (await verdictOf(subject, task.answer, {...wider, executor})).outcome === 'correct'
    ? subject
    : undefined
}

export function asCandidate(task: OperatorTask, files: readonly SourceFile[]): Candidate {
  return {
    task,
    sampler: {kind: 'answer'},
    prompt: 'p',
    reasoning: '',
    files: [...files],
    written: files.map(({path}) => path),
  }
}

type Judge = ReturnType<typeof judge>
const stages = new WeakMap<object, Judge>()

/** One stage for all candidates: it asks a task's own answer once. */
function stageOf({executor, pytorch}: {executor: Executor; pytorch: Bench['pytorch']}): Judge {
  const key = pytorch ?? executor
  const stage = stages.get(key) ?? judge({executor, ...(pytorch && {pytorch}), concurrency: 1})
  stages.set(key, stage)
  return stage
}

export async function verdictOf(
  task: OperatorTask,
  files: readonly SourceFile[],
  {executor, pytorch}: Pick<Bench, 'executor' | 'pytorch'>,
): Promise<Verdict> {
  const {outputs, dropped} = await runStage(stageOf({executor, pytorch}), [asCandidate(task, files)], {
    seed: 'strictness',
  })
  const verdict = outputs[0]?.verdict
  if (!verdict) throw new Error(`${task.name} was dropped: ${dropped.map(({detail}) => detail).join('; ')}`)
  return verdict
}

/** Every row under every family, with the inputs that the judge draws. Empty when the program does not build. */
export async function runEach(
  executor: Executor,
  program: Program,
  source: CaseSource,
  families: readonly InputFamily[],
): Promise<Execution[]> {
  const built = await executor.build(program)
  if (!built.ok) return []
  try {
    const ends: Execution[] = []
    for (const row of source.rows) {
      for (const family of families)
        ends.push(await executor.execute(built.build, await inputsOf(source, row, family, program.operator)))
    }
    return ends
  } finally {
    await built.build.dispose()
  }
}

async function inputsOf(source: CaseSource, row: TaskCase, family: InputFamily, task: string): Promise<OperatorCase> {
  const prepared = await source.prepare(row, family, ['strictness', task])
  await prepared.discard()
  return prepared.operatorCase
}
