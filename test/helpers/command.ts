import {fork, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {resolve} from 'node:path'
import {fileURLToPath} from 'node:url'

export const command = resolve('dist/pipelines/ascend-cot.js')

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

export interface Commands {
  /** Like `ascendCot`, in the process of those before. A file of the user is not read again when it changes. */
  run(folder: string, args: readonly string[]): Promise<CommandResult>
  close(): void
}

/** The real command line, one command after another in one process: most of a short command is its start. */
export async function commandAfterCommand(): Promise<Commands> {
  const child = fork(fileURLToPath(new URL('./command-after-command.mjs', import.meta.url)), {execArgv: []})
  await once(child, 'message')
  // One listener for all commands.
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the commands ended with ${code}`)))
  ended.catch(() => undefined)
  let turn: Promise<unknown> = Promise.resolve()
  const answerTo = async (folder: string, args: readonly string[]) => {
    const answer = once(child, 'message')
    child.send({folder, args})
    const [result] = (await Promise.race([answer, ended])) as [CommandResult]
    return result
  }
  return {
    run(folder, args) {
      const answer = turn.then(() => answerTo(folder, args))
      turn = answer.catch(() => undefined)
      return answer
    },
    close: () => void child.kill(),
  }
}

/** The stages of the recipe `kernels`, in order. */
export const kernelStages = [
  'operator-projects',
  'side-check',
  'flatten',
  'compile-check',
  'parts',
  'source-facts',
  'source-runs',
  'kernel-cot',
  'alike-functions',
  'device-share',
]
