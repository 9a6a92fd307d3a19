import {existsSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {gunzip, gzip} from 'node:zlib'
import pLimit from 'p-limit'
import {z} from 'zod'
import {timelinePicture, windowOf, type ShownTimeline} from '../../datasets/card/timeline-picture.ts'
import type {Executor} from '../../datasets/schema/executor.ts'
import type {OperatorTask} from '../../datasets/schema/task.ts'
import {Timeline} from '../../datasets/schema/timeline.ts'
import {PipelineError} from '../../engine/errors.ts'
import {writeWhole} from '../../engine/files.ts'
import {contentId} from '../../engine/ids.ts'
import {modelledTimeline} from '../../eval/modelled-cost.ts'
import type {Kernel} from '../commands/kernels-of.ts'
import type {Timelines} from './protocol.ts'

export interface Drawing {
  /** Timelines are kept below it. */
  cache: string
  seed: string
  signal: AbortSignal
  /** Ready, which may take a minute the first time. */
  executor(): Promise<Executor>
  /** Those that rows without their runs may be of. */
  tasks(): Promise<readonly OperatorTask[]>
}

const Kept = z.strictObject({sizes: z.string(), timeline: Timeline})

/** Raised when other figures come out of the same code. */
const format = 2

/** Each runs on every core. */
const oneAtATime = pLimit(1)

/**
 * Modelled timelines of kernels, on the same cycles, or why one has none. Each is computed once for the same code,
 * call and executor.
 * @param asked the core, from 1; else the slowest
 */
export async function drawTimelines(
  kernels: readonly Kernel[],
  asked: number | undefined,
  drawing: Drawing,
): Promise<Timelines> {
  const drawn = await Promise.all(
    kernels.map(({title, candidate}) =>
      oneAtATime(() => keptTimeline(candidate, drawing)).then(
        ({sizes, timeline}): ShownTimeline => {
          const core = asked !== undefined && asked <= timeline.cores.length ? asked - 1 : timeline.slowest
          return {title, sizes, timeline, core}
        },
        (error: unknown) => {
          if (error instanceof PipelineError && error.code !== 'interrupted') return {title, why: error.message}
          throw error
        },
      ),
    ),
  )
  const window = windowOf(drawn.flatMap((one) => ('why' in one ? [] : [one])))
  return {
    kernels: drawn.map((one) => {
      if ('why' in one) return one
      const {core = 0, timeline, title} = one
      return {title, svg: timelinePicture([one], {window}), core: core + 1, cores: timeline.cores.length}
    }),
  }
}

async function keptTimeline(candidate: Kernel['candidate'], {cache, seed, signal, executor: ready}: Drawing) {
  const executor = await ready()
  const {task, files} = candidate
  const {name, reference, cases} = task
  const key = contentId([format, executor.identity, seed, name, reference, cases, files])
  const file = join(cache, 'timelines', `${key}.json.gz`)
  if (existsSync(file)) return Kept.parse(JSON.parse((await promisify(gunzip)(await readFile(file))).toString()))
  const made = await modelledTimeline(candidate, {executor, seed: [seed], signal})
  await writeWhole(file, await promisify(gzip)(JSON.stringify(made)))
  return made
}
