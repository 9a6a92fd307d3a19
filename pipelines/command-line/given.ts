import {resolve} from 'node:path'
import {sourceKinds} from '../../sources/kinds.ts'
import type {TrainRooms} from '../commands/train/train-rooms.ts'
import type {Trial} from '../commands/run-recipes.ts'
import type {World} from '../commands/world.ts'
import type {Config} from '../workspace/config.ts'

interface Given {
  config?: string | undefined
  out?: string | undefined
  seed?: string | undefined
  set: Readonly<Record<string, string>>
  limit?: number
  executor?: string
  workers?: string
  partition?: string
  tasks?: readonly string[]
  heldOut?: readonly string[]
  benchmark?: readonly string[]
}

/** Keys of `sources` and the flags that set them. */
const sourceFlags = {
  ...Object.fromEntries(sourceKinds.map(({name, flag}) => [name, flag])),
  tasks: 'tasks',
  heldOut: 'heldOut',
}

/** The configuration of a command line: its file, overridden by its flags. */
export async function configOf(options: Given, {env}: World): Promise<Config> {
  const flags: Record<string, string> = {...options.set}
  if (options.out !== undefined) flags['out'] = JSON.stringify(options.out)
  if (options.seed !== undefined) flags['seed'] = JSON.stringify(options.seed)
  if (options.executor !== undefined) flags['executor.kind'] = JSON.stringify(options.executor)
  if (options.workers !== undefined) flags['workers.on'] = JSON.stringify(options.workers)
  if (options.partition !== undefined) flags['workers.partition'] = JSON.stringify(options.partition)
  if (options.limit !== undefined) flags['limit'] = String(options.limit)
  const given: ReadonlyMap<string, string[] | undefined> = new Map(Object.entries(options))
  for (const [key, flag] of Object.entries(sourceFlags)) {
    const roots = given.get(flag) ?? []
    if (roots.length > 0) flags[`sources.${key}`] = JSON.stringify(roots.map((root) => ({root})))
  }
  if (options.benchmark && options.benchmark.length > 0) flags['sources.benchmarks'] = JSON.stringify(options.benchmark)
  const {readConfig} = await import('../workspace/config.ts')
  const config = await readConfig({file: options.config, env, flags})
  if (config.prompts !== undefined) await (await import('../workspace/own-prompts.ts')).useOwnPrompts(config.prompts)
  return config
}

/** Commands that only read need no valid configuration. */
export function outOf(options: {out?: string}, {env}: World): string {
  return options.out ?? env['ASCEND_COT_OUT'] ?? 'runs'
}

/** Only commands that plan a job may fetch data, so only they need its location. */
export async function trainRooms(
  options: {config?: string; out?: string; set?: object},
  world: World,
): Promise<TrainRooms> {
  const [{ownRooms}, {readConfig}] = await Promise.all([
    import('../commands/train/own-rooms.ts'),
    import('../workspace/config.ts'),
  ])
  const cache = options.set ? (await readConfig({file: options.config, env: world.env})).cache : ''
  return ownRooms({out: outOf(options, world), cache: resolve(cache)}, world)
}

/** If both are given, nothing is sent. */
export function trialOf(options: {dryRun?: number | true; try?: number | true}): Trial | undefined {
  const {dryRun, try: ask} = options
  if (dryRun !== undefined) return {show: dryRun === true ? 0 : dryRun}
  return ask === undefined ? undefined : {ask: ask === true ? 10 : ask}
}
