import {z} from 'zod'
import {filesOfTurn, parseFiles} from '../../datasets/quoted-files.ts'
import {requestFor, wholeOperator} from '../../datasets/operator-request.ts'
import {Candidate, JudgedCandidate, LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {SourceFile} from '../../datasets/schema/operator.ts'
import {CostedCandidate, Optimisation} from '../../datasets/schema/optimisation.ts'
import {HostKernelPair} from '../../datasets/schema/scenario.ts'
import type {OperatorTask} from '../../datasets/schema/task.ts'
import {PipelineError} from '../../engine/errors.ts'
import {canonicalJson} from '../../engine/ids.ts'
import type {OpenRun} from '../../engine/run.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import type {Config} from '../workspace/config.ts'
import {trainingTasks} from '../workspace/workspace.ts'
import {sightings, stepsTo, wholeId} from './inspect.ts'
import type {Step} from './pair-way.ts'

/** Code that can be run with a call, and what it is called in a picture. */
export interface Kernel {
  title: string
  candidate: Candidate
}

export async function tasksOf(config: Config): Promise<OperatorTask[]> {
  const tasks: OperatorTask[] = []
  for (const folder of await trainingTasks(config)) tasks.push(...(await loadTasks(folder, () => [])))
  return tasks
}

export function candidateOf(task: OperatorTask, files: readonly SourceFile[]): Candidate {
  if (files.length > 0)
    return {task, sampler: {kind: 'answer'}, prompt: requestFor(task), reasoning: '', ...wholeOperator(task, files)}
  throw new PipelineError('input-missing', `There is no code for ${task.name}.`, {
    fix: 'Give --project a folder with op_host/ and op_kernel/.',
  })
}

/**
 * The code of a record of these runs: a candidate's, both sides of a pair or of a step of optimisation with the slower
 * or worse one first, an answer's, or the operator that a row was written about.
 * @param id its first digits
 * @throws PipelineError `input-missing`, `input-invalid` when there is no such record, or none with code that can run
 */
export function kernelsOfRecord(id: string, runs: readonly OpenRun[], tasks: readonly OperatorTask[]): Kernel[] {
  const {whole, record} = recordNamed(id, runs)
  for (const schema of [CostedCandidate, LabelledCandidate, JudgedCandidate, Candidate]) {
    const {data} = schema.safeParse(record)
    if (data) return [{title: data.task.name, candidate: data}]
  }
  const step = Optimisation.safeParse(record)
  const coded = step.success ? pairOfStep(step.data, runs) : record
  const found = kernelsIn(codeOf(coded), tasks)
  if (found.length > 0) return found
  const before = stepsTo(whole, runs).flatMap(({outputs}) => outputs)
  const [behind] = before.flatMap(({json}) => PairWithin.safeParse(JSON.parse(json)).data ?? [])
  if (behind) return [kernelOfPair(behind)]
  throw new PipelineError('input-invalid', `${whole.slice(0, 12)} has no operator whose call is known.`, {
    fix: 'Take a record with the code of a whole operator; give --tasks the folders that the run had.',
  })
}

/** Stages that read all records at once leave no steps: what they made is among what their run wrote. */
function recordNamed(id: string, runs: readonly OpenRun[]): {whole: string; record: unknown} {
  const steps = sightings(runs, id)
  const written =
    steps.length > 0 ? [] : runs.flatMap((run) => [...run.emitted()].filter((one) => one.id.startsWith(id)))
  const met = written.map((one): Step => ({recipe: '', stage: '', input: one.id, outputs: [one], drops: []}))
  const whole = wholeId(id, [...steps, ...met])
  const json = [...steps, ...met].flatMap(({outputs}) => outputs).find((output) => output.id === whole)?.json ?? 'null'
  return {whole, record: JSON.parse(json)}
}

/** The code of a row of a data set; none if it does not say of which task. */
export const kernelsOfRow = (cells: Cells, tasks: readonly OperatorTask[]): Kernel[] => kernelsIn(codeIn(cells), tasks)

/** What of a record or of a row says which code it has. */
interface Coded {
  task: string
  path: string
  step: string
  before: readonly SourceFile[]
  after: readonly SourceFile[]
  /** Words for the two. */
  names: readonly [before: string, after: string]
}

const sides = ['rejected', 'chosen'] as const

const files = z.array(SourceFile).default([])
const Side = z.object({files})
const CodedRecord = z.object({
  task: z.string().default(''),
  step: z.string().default(''),
  prompt: z.string().default(''),
  origin: z.object({path: z.string()}).default({path: ''}),
  optimised: z.object({step: z.string()}).optional(),
  files,
  ...{chosen: Side.optional(), rejected: Side.optional()},
})

function codeOf(record: unknown): Coded | undefined {
  const {data} = CodedRecord.safeParse(record)
  if (!data) return undefined
  const {task, origin, prompt, optimised, chosen, rejected} = data
  return told({
    ...{task, path: origin.path, step: data.step || (optimised?.step ?? ''), prompt},
    ...{after: chosen?.files ?? data.files, before: rejected?.files ?? []},
  })
}

export type Cells = Readonly<Record<string, unknown>>

function codeIn(cells: Cells): Coded {
  const text = (name: string) => String(cells[name] ?? '')
  const turn = (name: string) => ((cells[name] ?? []) as {content: string}[]).map(({content}) => content).join('\n\n')
  const filesOf = (column: string, located: string) => filesOfTurn(turn(column), cells[located])
  const isPair = cells['chosen'] !== undefined
  const [before, after] = sides.map((side) => filesOf(side, `${side}_files`))
  return told({
    ...{task: text('task'), path: text('path'), step: text('step'), prompt: turn('prompt')},
    ...{after: isPair ? (after ?? []) : filesOf('completion', 'files'), before: isPair ? (before ?? []) : []},
  })
}

/** The question of an optimisation has the slower code. */
function told({prompt, ...code}: Omit<Coded, 'names'> & {prompt: string}): Coded {
  if (code.step === '') return {...code, names: sides}
  const names = [`without ${code.step}`, 'with it'] as const
  return {...code, before: code.before.length > 0 ? code.before : parseFiles(prompt), names}
}

/** Corrections change some files of an operator; the others are as its task's answer has them. */
function kernelsIn(coded: Coded | undefined, tasks: readonly OperatorTask[]): Kernel[] {
  const task = coded && tasks.find(({name, origin}) => (coded.task || name) === name && origin.path === coded.path)
  if (!task || coded.after.length === 0) return []
  const kernel = (name: string, own: readonly SourceFile[]): Kernel => {
    const paths = new Set(own.map(({path}) => path))
    const others = task.answer.filter(({path}) => !paths.has(path))
    return {title: `${task.name} ${name}`.trim(), candidate: candidateOf(task, [...others, ...own])}
  }
  if (coded.before.every(({path}) => !path.startsWith('op_'))) return [kernel('', coded.after)]
  return [kernel(coded.names[0], coded.before), kernel(coded.names[1], coded.after)]
}

/** A sample has the faster code alone; the pair of the same step has both. */
function pairOfStep(given: Optimisation, runs: readonly OpenRun[]): Optimisation {
  if (given.kind === 'pair') return given
  const key = canonicalJson([given.task, given.step, given.before, given.after])
  const steps = runs.filter(({record}) => record.stages.at(-1)?.name === 'rewound-pairs')
  for (const {json} of steps.flatMap((run) => [...run.emitted()])) {
    const one = Optimisation.parse(JSON.parse(json))
    if (one.kind === 'pair' && canonicalJson([one.task, one.step, one.rejected.cost, one.chosen.cost]) === key)
      return one
  }
  return given
}

const PairWithin = z.union([HostKernelPair, z.looseObject({pair: HostKernelPair}).transform(({pair}) => pair)])

/** A reduced operator with the call that it was reduced to. */
function kernelOfPair({origin, operator, host, kernel: {path, text}, scenario}: HostKernelPair): Kernel {
  const {dtypes, inputs, attributes, outputs} = scenario
  const code = [...host, {path, text}]
  const [hostTemplate = {path, text}] = host
  const sizes = inputs.map(({name, shape, dtype}) => [name, `[${shape.join(', ')}] ${dtype}`])
  const task: OperatorTask = {
    ...{origin, name: operator, level: 1, category: 'reduced', description: operator, hostTemplate},
    ...{kernelTemplate: {path, text}, cases: [{case_id: '0', ...Object.fromEntries(sizes)}], answer: code},
    reference: {kind: 'answer', calls: {0: {dtypes, inputs, attributes, outputs}}},
  }
  const candidate: Candidate = {
    ...{task, sampler: {kind: 'answer'}, prompt: operator, reasoning: '', files: code, written: [path]},
  }
  return {title: `${operator}, the operator that this was written about`, candidate}
}
