import type {Config} from '../workspace/config.ts'
import {whatIsIn} from '../view/open-folder.ts'
import {startViewer} from '../view/viewer.ts'
import {drawingWith} from './drawing.ts'
import {endOfService, stopped, type World} from './world.ts'

/** `ascend-cot view`: a page about runs, a data set or scores, until it is stopped. */
export async function view(
  {folder, port, json}: {folder: string; port: number; json: boolean},
  config: Config,
  world: World,
): Promise<number> {
  const reader = world.env['USER'] || 'reader'
  const {address, close} = await startViewer({
    ...{seen: whatIsIn(folder), port, reader, now: world.now, drawing: drawingWith(config, world)},
  })
  world.terminal.print(
    json ? JSON.stringify({address}) : `${address}\nOpen it in a browser of this machine; Ctrl-C ends.`,
  )
  await stopped(world.signal)
  await close()
  return endOfService(world)
}
