import {spawnSync} from 'node:child_process'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'

export const command = resolve('pipelines/ascend-cot.mjs')

/** Shared by every test that compiles: the twin is built once per machine. */
export const cache = join(tmpdir(), 'ascend-cot-test-cache')

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
