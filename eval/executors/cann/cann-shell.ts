import {join} from 'node:path'
import {removeFolder} from '../../../engine/files.ts'
import {runCommand, type CommandResult} from '../../../engine/subprocess.ts'

export interface ShellCommand {
  /** Working directory, relative to the shell's root. Default: the root. */
  cwd?: string
  /** The whole environment. Default: that of the account, as far as `runCommand` and sshd hand it on. */
  env?: Readonly<Record<string, string>> | undefined
  /** After which the program and all that it started are killed. */
  seconds: number
  /** Of each stream; default 1 MiB. */
  outputBytes?: number
  signal?: AbortSignal | undefined
}

/** Where the tools of CANN are started: this machine, or a host with the toolkit or the board. */
export interface Shell {
  /** For messages and lock files. */
  readonly place: string
  /** Absolute path, there, of what is in the work folder here. */
  readonly root: string
  /** @throws PipelineError `interrupted`; `toolchain-missing` or `executor-failed` when the host cannot be reached */
  run(command: readonly string[], how: ShellCommand): Promise<CommandResult>
  /** Copies a folder of the work folder there, or back from there, by its path below the root. */
  put(folder: string): Promise<void>
  get(folder: string): Promise<void>
  remove(folder: string): Promise<void>
}

/** This machine: nothing is copied, as both sides are one. */
export function localShell(root: string): Shell {
  return {
    place: 'this machine',
    root,
    run: ([program = '', ...args], {cwd = '.', env, seconds, outputBytes, signal}) =>
      runCommand(program, args, {
        cwd: join(root, cwd),
        timeoutSeconds: seconds,
        ...(env && {env}),
        ...(outputBytes !== undefined && {maxOutputBytes: outputBytes}),
        ...(signal && {signal}),
      }),
    put: () => Promise.resolve(),
    get: () => Promise.resolve(),
    remove: (folder) => removeFolder(join(root, folder)),
  }
}
