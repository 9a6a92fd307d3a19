import {existsSync} from 'node:fs'
import {basename, join, resolve} from 'node:path'
import {timelinePicture, type ShownTimeline} from '../../datasets/card/timeline-picture.ts'
import {requestFor, wholeOperator} from '../../datasets/operator-request.ts'
import {Candidate, JudgedCandidate} from '../../datasets/schema/candidate.ts'
import type {Executor} from '../../datasets/schema/executor.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import {CostedCandidate, Optimisation} from '../../datasets/schema/optimisation.ts'
import type {OperatorTask} from '../../datasets/schema/task.ts'
import {PipelineError} from '../../engine/errors.ts'
import {writeWhole} from '../../engine/files.ts'
import {canonicalJson} from '../../engine/ids.ts'
import type {OpenRun} from '../../engine/run.ts'
import type {OpenCases} from '../../eval/cases.ts'
import {modelledTimeline} from '../../eval/modelled-cost.ts'
import {answerCases} from '../../eval/reference/answer-cases.ts'
import {openTypescriptCases} from '../../eval/reference/typescript-cases.ts'
import {loadTasks, readOperator} from '../../eval/tasks/operator-tasks.ts'
import type {Config} from '../workspace/config.ts'
import {openRuns} from '../workspace/runs.ts'
import {trainingTasks} from '../workspace/workspace.ts'
import {makeTwin} from './executor.ts'
import {sightings, wholeId} from './inspect.ts'
import type {World} from './world.ts'

interface TimelineRequest {
  /** Name of a training task, or the first digits of a record's id. */
  of: string
  /** Folders with `op_host/` and `op_kernel/` that are drawn instead of the task's answer. */
  projects: readonly string[]
  /** From 1. */
  core: number | undefined
  svg: string
  width: number | undefined
  json: boolean
}

interface Shown {
  title: string
  candidate: Candidate
}

/** `ascend-cot timeline <task or record>`: when the pipes of a kernel work and wait, modelled, as a picture. */
export async function timeline(request: TimelineRequest, config: Config, world: World): Promise<number> {
  const {terminal, signal} = world
  const {core, json} = request
  const wanted = await wantedOf(request, config)
  const {executor} = await makeTwin(config, world)
  const drawn: ShownTimeline[] = []
  for (const {title, candidate} of wanted) {
    const open = opener(candidate.task, executor)
    const {timeline, sizes} = await modelledTimeline(candidate, {executor, open, seed: [config.seed], signal})
    if (core !== undefined && core > timeline.cores.length) throw noCore(core, timeline.cores.length)
    drawn.push({title, sizes, timeline, ...(core !== undefined && {core: core - 1})})
  }
  const file = resolve(request.svg)
  await writeWhole(file, timelinePicture(drawn, {pixels: request.width}))
  if (json) terminal.print(JSON.stringify({file, timelines: drawn}))
  else for (const line of [...drawn.map(told), `picture in ${file}`]) terminal.print(line)
  return 0
}

function told({title, sizes, timeline: {cores, slowest}, core = slowest}: ShownTimeline): string {
  const {cycles, overlap} = cores[core] ?? {cycles: 0, overlap: 0}
  const share = `${Math.round(overlap * 100)} %`
  return `${title}, ${sizes}: ${Math.round(cycles)} modelled cycles, overlap of MTE2 and V ${share}`
}

function opener({name, reference}: OperatorTask, executor: Executor): OpenCases {
  if (reference.kind === 'answer') return answerCases(executor)
  if (reference.kind === 'typescript') return openTypescriptCases
  throw new PipelineError('input-invalid', `${name} takes its inputs from a PyTorch module, which is not run here.`, {
    fix: 'Take a task with validation/reference.ts.',
    scope: 'run',
  })
}

async function wantedOf({of, projects}: TimelineRequest, config: Config): Promise<Shown[]> {
  const tasks: OperatorTask[] = []
  for (const folder of await trainingTasks(config)) tasks.push(...(await loadTasks(folder, () => [])))
  const task = tasks.find(({name}) => name === of)
  if (!task) return recordsOf(of, tasks, config)
  if (projects.length === 0) return [{title: of, candidate: candidateOf(task, task.answer)}]
  return Promise.all(
    projects.map(async (project) => ({
      title: basename(resolve(project)),
      // Of another folder not everything below it is read.
      candidate: candidateOf(task, existsSync(join(project, 'op_kernel')) ? await readOperator(project) : []),
    })),
  )
}

function candidateOf(task: OperatorTask, files: readonly SourceFile[]): Candidate {
  if (files.length > 0)
    return {task, sampler: {kind: 'answer'}, prompt: requestFor(task), reasoning: '', ...wholeOperator(task, files)}
  throw new PipelineError('input-missing', `There is no code for ${task.name}.`, {
    fix: 'Give --project a folder with op_host/ and op_kernel/.',
    scope: 'run',
  })
}

/** A candidate; or of a step of optimisation, the slower and the faster one. */
async function recordsOf(id: string, tasks: readonly OperatorTask[], {out}: Config): Promise<Shown[]> {
  const runs = await openRuns(out)
  try {
    const steps = sightings(runs, id)
    const step = optimisations(runs).find((one) => one.id.startsWith(id))
    if (step) return stepOf(step.record, runs, tasks)
    const whole = wholeId(id, steps)
    const json = steps.flatMap(({outputs}) => outputs).find((output) => output.id === whole)?.json ?? 'null'
    const record: unknown = JSON.parse(json)
    for (const schema of [CostedCandidate, JudgedCandidate, Candidate]) {
      const {data} = schema.safeParse(record)
      if (data) return [{title: data.task.name, candidate: data}]
    }
    throw new PipelineError('input-invalid', `${id} is no candidate and no step of optimisation.`, {
      fix: 'Take an id of a record of the runs `candidates` or `optimisation`, or the name of a task.',
      scope: 'run',
    })
  } finally {
    for (const run of runs) run.close()
  }
}

function optimisations(runs: readonly OpenRun[]): {id: string; record: Optimisation}[] {
  const found = runs.filter(({record}) => record.stages.at(-1)?.name === 'rewound-pairs')
  return found.flatMap((run) =>
    [...run.emitted()].map(({id, json}) => ({id, record: Optimisation.parse(JSON.parse(json))})),
  )
}

/** A sample has the faster code alone; the pair of the same step has both. */
function stepOf(given: Optimisation, runs: readonly OpenRun[], tasks: readonly OperatorTask[]): Shown[] {
  const task = tasks.find(({name, origin}) => name === given.task && origin.path === given.origin.path)
  const costs = given.kind === 'pair' ? [given.rejected.cost, given.chosen.cost] : [given.before, given.after]
  const key = canonicalJson([given.task, given.step, ...costs])
  const pair = optimisations(runs).find(
    ({record: one}) =>
      one.kind === 'pair' && canonicalJson([one.task, one.step, one.rejected.cost, one.chosen.cost]) === key,
  )?.record
  if (!task || pair?.kind !== 'pair') {
    throw new PipelineError('input-missing', `The task ${given.task} of this record was not found.`, {
      fix: 'Give --tasks the folders that the run had.',
      scope: 'run',
    })
  }
  return [
    {title: `${task.name} without ${pair.step}`, candidate: candidateOf(task, pair.rejected.files)},
    {title: `${task.name} with it`, candidate: candidateOf(task, pair.chosen.files)},
  ]
}

const noCore = (core: number, cores: number) =>
  new PipelineError('config-invalid', `--core ${core}: the kernel works on ${cores} cores.`, {
    fix: `Give a number from 1 to ${cores}.`,
    scope: 'run',
  })
