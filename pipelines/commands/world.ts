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
  /** What a Ctrl-C or a SIGTERM is answered with. */
  says: string
  /** Whether what is being done has an end of its own that is waited for; else it is left where it is. */
  inOrder: boolean
  by?: 'SIGINT' | 'SIGTERM'
}

/** For what hears the signal to clear up behind itself. */
const patience = 1000

/** 128 and the number of the signal, as shells say it. */
export function interruptedCode({by = 'SIGINT'}: Interruption): number {
  return 128 + constants.signals[by]
}

/** From here on, what is being done comes to its own end. */
export function endInOrder(world: World): World {
  Object.assign(world.interrupted, {says: 'stopping when the work in progress is done', inOrder: true})
  return world
}

/** A service that was told to go has done what it was asked; one that was broken off by hand has not. */
export function endOfService({interrupted}: World): number {
  return interrupted.by === 'SIGINT' ? interruptedCode(interrupted) : 0
}

/** The real world. The first Ctrl-C asks the run to stop in order, the second one ends the process. */
export function realWorld(): World {
  const controller = new AbortController()
  const terminal = processTerminal(process.env)
  const interrupted: Interruption = {says: 'stopping', inOrder: false}
  const stop = (by: 'SIGINT' | 'SIGTERM') => {
    const end = () => process.exit(interruptedCode(interrupted))
    if (controller.signal.aborted) {
      // Whoever sends a second SIGTERM means no more than with the first.
      if (by === 'SIGINT') end()
      return
    }
    interrupted.by = by
    const again = by === 'SIGINT' && interrupted.inOrder ? '; press Ctrl-C again to stop at once' : ''
    terminal.say(`${interrupted.says}${again}`)
    controller.abort(interruption())
    if (!interrupted.inOrder) setTimeout(end, patience).unref()
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
