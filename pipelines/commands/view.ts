import {join} from 'node:path'
import type {Executor} from '../../datasets/schema/executor.ts'
import type {Config} from '../workspace/config.ts'
import {whatIsIn} from '../view/open-folder.ts'
import {startViewer} from '../view/viewer.ts'
import {makeTwin} from './executor.ts'
import {tasksOf} from './kernels-of.ts'
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

/** Timelines by the twin, which is made ready when the first is asked for; it works in the cache, not in the data. */
function drawingWith(config: Config, world: World) {
  const own = {...config, out: join(config.cache, 'view')}
  let made: Promise<Executor> | undefined
  const executor = () => {
    made ??= makeTwin(own, world).then(
      (twin) => twin.executor,
      (error: unknown) => {
        // What is missing may be there when it is asked for again.
        made = undefined
        throw error
      },
    )
    return made
  }
  return {cache: config.cache, seed: config.seed, signal: world.signal, executor, tasks: () => tasksOf(config)}
}
