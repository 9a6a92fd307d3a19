import {join} from 'node:path'
import type {Executor} from '../../datasets/schema/executor.ts'
import type {Drawing} from '../view/timelines.ts'
import type {Config} from '../workspace/config.ts'
import {makeTwin} from './executor.ts'
import {tasksOf} from './kernels-of.ts'
import type {World} from './world.ts'

/** Timelines by the twin, which is made ready when the first is asked for; it works in the cache, not in the data. */
export function drawingWith(config: Config, world: World): Drawing {
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
