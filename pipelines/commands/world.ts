import {hubAccess} from '../workspace/hub-access.ts'
import type {WorkspaceWorld} from '../workspace/workspace.ts'
import {processTerminal, type Terminal} from './terminal.ts'

/** What commands see of the machine; apart from the engine, only this file names the clock and the environment. */
export interface World {
  readonly terminal: Terminal
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  /** What a Ctrl-C is answered with; a command that does not stop its work by it says so. */
  readonly interrupted: {says: string}
  now(): number
}

/** The real world. The first Ctrl-C asks the run to stop in order, the second one ends the process. */
export function realWorld(): World {
  const controller = new AbortController()
  const terminal = processTerminal(process.env)
  const interrupted = {says: 'stopping when the work in progress is done; press Ctrl-C again to stop at once'}
  const stop = () => {
    if (controller.signal.aborted) process.exit(130)
    terminal.say(interrupted.says)
    controller.abort()
  }
  // It is no error when a reader such as `head` has seen enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
  })
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return {terminal, env: process.env, signal: controller.signal, interrupted, now: () => Date.now()}
}

/** What recipes see of the world. */
export function workspaceWorld({env, now, signal, terminal}: World): WorkspaceWorld {
  const onPause = (why: string, seconds: number) => terminal.say(`${why}; trying again in ${seconds} s`)
  return {hub: () => hubAccess(env, {now, signal, onPause}), say: terminal.say}
}
