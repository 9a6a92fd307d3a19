import {join, resolve} from 'node:path'
import {writeWhole} from '../../engine/files.ts'
import {exportPage} from '../view/export-page.ts'
import type {Drawing} from '../view/timelines.ts'
import type {Config} from '../workspace/config.ts'
import {drawingWith} from './drawing.ts'
import {explained} from './terminal.ts'
import type {World} from './world.ts'

/** `ascend-cot report`: what the runs of an output folder made, as one HTML file. */
export async function report(
  {json, timelines}: {json: boolean; timelines: boolean},
  config: Config,
  world: World,
): Promise<number> {
  const {terminal} = world
  const drawing = timelines ? drawingWith(config, world) : undefined
  const file = await explained(
    terminal,
    timelines ? `${writing}, and a few for each timeline` : writing,
    writeReport(config.out, drawing),
  )
  terminal.print(json ? JSON.stringify({report: file}) : file)
  return 0
}

/** Printed while the report is written: a few seconds for thousands of rows. */
export const writing = 'writing the report from every row and run, usually 2 to 10 s'

/** Writes `<out>/report.html` and returns its path. */
export async function writeReport(out: string, drawing?: Drawing): Promise<string> {
  const file = join(resolve(out), 'report.html')
  await writeWhole(file, await exportPage(resolve(out), drawing))
  return file
}
