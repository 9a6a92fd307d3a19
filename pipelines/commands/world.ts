import {constants} from 'node:os'
import {interrupted as interruption} from '../../engine/errors.ts'
import {hubAccess} from '../workspace/hub-access.ts'
import type {WorkspaceWorld} from '../workspace/workspace.ts'
import {processTerminal, type Terminal} from './terminal.ts'

/** What commands see of the machine; apart from the engine, only this file names the clock and the environment. */
export interface World {
  readonly terminal: Terminal
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  readonly interrupted: Interruption
  now(): number
}

interface Interruption {
  /** What is printed on Ctrl-C or SIGTERM. */
  says: string
  /** Whether the work in progress is waited for; otherwise it is interrupted. */
  inOrder: boolean
  by?: 'SIGINT' | 'SIGTERM'
}

/** Time for listeners of the signal to clean up. */
const patience = 1000

/** 128 plus the signal's number, as in shells. */
export function interruptedCode({by = 'SIGINT'}: Interruption): number {
  return 128 + constants.signals[by]
}

/** From here on, work in progress is finished. */
export function endInOrder(world: World): World {
  Object.assign(world.interrupted, {says: 'finishing the work in progress, then stopping', inOrder: true})
  return world
}

/** A service stopped by SIGTERM has done its job; one interrupted by hand has not. */
export function endOfService({interrupted}: World): number {
  return interrupted.by === 'SIGINT' ? interruptedCode(interrupted) : 0
}

/** Waits until a service is to end. */
export async function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise((done) => signal.addEventListener('abort', done, {once: true}))
}

/** The real world. The first Ctrl-C stops the run cleanly, the second one kills the process. */
export function realWorld(): World {
  const controller = new AbortController()
  const terminal = processTerminal(process.env)
  const interrupted: Interruption = {says: 'stopping', inOrder: false}
  const stop = (by: 'SIGINT' | 'SIGTERM') => {
    const end = () => process.exit(interruptedCode(interrupted))
    if (controller.signal.aborted) {
      // A second SIGTERM means the same as the first.
      if (by === 'SIGINT') end()
      return
    }
    interrupted.by = by
    const again = by === 'SIGINT' && interrupted.inOrder ? '; press Ctrl-C again to stop now' : ''
    terminal.say(`${interrupted.says}${again}`)
    controller.abort(interruption())
    if (!interrupted.inOrder) setTimeout(end, patience).unref()
  }
  // A reader such as `head` that closes the pipe early is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
  })
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return {terminal, env: process.env, signal: controller.signal, interrupted, now: () => Date.now()}
}

/** The part of the world that recipes see. */
export function workspaceWorld({env, now, signal, terminal}: World): WorkspaceWorld {
  const onPause = (why: string, seconds: number) => terminal.say(`${why}; retrying in ${seconds} s`)
  return {hub: () => hubAccess(env, {now, signal, onPause}), say: terminal.say}
}
