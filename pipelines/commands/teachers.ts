import {join, resolve} from 'node:path'
import type {Config} from '../core/config.ts'
import {connect, type Teachers} from '../core/llm/connect.ts'
import {randomFrom} from '../core/random.ts'
import {terminalLog} from './terminal.ts'
import type {World} from './world.ts'

/** The configured teachers. The budget counts what was spent on this output folder, by earlier processes too. */
export function connectTeachers(config: Config, {env, now, signal, terminal}: World): Teachers {
  const spread = randomFrom('retry', process.pid)
  return connect(config.teachers, {
    budget: config.budget, cacheFile: join(resolve(config.cache), 'replies.db'), account: resolve(config.out),
    env, now, random: () => spread.unit(), log: terminalLog(terminal), signal,
  })
}
