import {existsSync} from 'node:fs'
import {basename, join, resolve} from 'node:path'
import {timelinePicture, type ShownTimeline} from '../../datasets/card/timeline-picture.ts'
import {PipelineError} from '../../engine/errors.ts'
import {writeWhole} from '../../engine/files.ts'
import {modelledTimeline} from '../../eval/modelled-cost.ts'
import {readOperator} from '../../eval/tasks/operator-tasks.ts'
import type {Config} from '../workspace/config.ts'
import {openRuns} from '../workspace/runs.ts'
import {makeTwin} from './executor.ts'
import {candidateOf, kernelsOfRecord, tasksOf, type Kernel} from './kernels-of.ts'
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

/** `ascend-cot timeline <task or record>`: when the pipes of a kernel work and wait, modelled, as a picture. */
export async function timeline(request: TimelineRequest, config: Config, world: World): Promise<number> {
  const {terminal, signal} = world
  const {core, json} = request
  const wanted = await wantedOf(request, config)
  const {executor} = await makeTwin(config, world)
  const drawn: ShownTimeline[] = []
  for (const {title, candidate} of wanted) {
    const {timeline, sizes} = await modelledTimeline(candidate, {executor, seed: [config.seed], signal})
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

async function wantedOf({of, projects}: TimelineRequest, config: Config): Promise<Kernel[]> {
  const tasks = await tasksOf(config)
  const task = tasks.find(({name}) => name === of)
  if (task && projects.length > 0)
    return Promise.all(
      projects.map(async (project) => ({
        title: basename(resolve(project)),
        // Of another folder not everything below it is read.
        candidate: candidateOf(task, existsSync(join(project, 'op_kernel')) ? await readOperator(project) : []),
      })),
    )
  if (task) return [{title: of, candidate: candidateOf(task, task.answer)}]
  const runs = await openRuns(config.out)
  try {
    return kernelsOfRecord(of, runs, tasks)
  } finally {
    for (const run of runs) run.close()
  }
}

const noCore = (core: number, cores: number) =>
  new PipelineError('config-invalid', `--core ${core}: the kernel works on ${cores} cores.`, {
    fix: `Give a number from 1 to ${cores}.`,
  })
