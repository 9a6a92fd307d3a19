import {rmSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {askedName, readAsked} from '../../engine/asked-file.ts'
import type {Pipeline} from '../../engine/pipeline.ts'
import {openRun} from '../../engine/run.ts'
import {shownExchange} from './exchanges.ts'
import {asValue, describe, inOrder, stepsFrom} from './inspect.ts'
import {fewRun, type Watched} from './watched-run.ts'

/** The folder for trials in an output folder: not a run, so no release reads it. */
const trials = 'try'

/**
 * `run --try=10`: sends the first records that reach each teacher, takes them through all stages, and shows requests,
 * replies and the outcome of each record. Replies are cached, so that the run does not pay for them again.
 */
export async function tryTeachers(
  pipeline: Pipeline<unknown>,
  watched: Watched,
  {count, json}: {count: number; json: boolean},
): Promise<void> {
  const directory = join(resolve(watched.config.out), trials, pipeline.name)
  rmSync(directory, {recursive: true, force: true})
  try {
    await fewRun(pipeline, watched, {directory, few: count})
  } finally {
    await showTrial(directory, watched, json)
  }
}

/** Each request with its reply, then each record's path to the end. */
async function showTrial(directory: string, {config, world: {terminal}}: Watched, json: boolean): Promise<void> {
  const records = new Set<string>()
  for await (const entry of readAsked(join(directory, askedName))) {
    terminal.print(shownExchange(entry, config, json))
    records.add(entry.input)
  }
  const run = await openRun(directory)
  if (!run) return
  try {
    for (const id of records) {
      const way = inOrder(stepsFrom(id, [run]), [run])
      terminal.print(json ? JSON.stringify({id, way: way.map(asValue)}) : [`● ${id}`, ...way.map(describe)].join('\n'))
    }
  } finally {
    run.close()
  }
}
