import {spawnSync} from 'node:child_process'
import {resolve} from 'node:path'

export const command = resolve('pipelines/ascend-cot.mjs')

export interface CommandResult {
  code: number | null
  printed: string
  said: string
}

/** The real command line in a process of its own, started in `folder`, as a person would. */
export function ascendCot(folder: string, args: readonly string[], env: Record<string, string> = {}): CommandResult {
  const {status, stdout, stderr} = spawnSync(process.execPath, [command, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: {...process.env, ...env},
  })
  return {code: status, printed: stdout, said: stderr}
}
