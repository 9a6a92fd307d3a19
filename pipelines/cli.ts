import {readCommandLine, type Asked} from './command-line/read-command-line.ts'
import {reportError} from './commands/terminal.ts'
import {endInOrder, interruptedCode, realWorld, type World} from './commands/world.ts'
import {asInterrupted} from '../engine/errors.ts'
import {asFileError} from '../engine/files.ts'

/** Runs one command line and returns the process's exit code. */
export async function main(args: readonly string[], world: World = realWorld()): Promise<number> {
  return readCommandLine(args, (asked) => perform(asked, world), world.terminal)
}

/** Runs the command that a command line names. Returns the exit code. */
export async function perform({run, inOrder, json}: Asked, world: World = realWorld()): Promise<number> {
  try {
    const code = await run(inOrder ? endInOrder(world) : world)
    // Work cancelled by the signal may have been reported as a failure.
    return code !== 0 && world.signal.aborted ? interruptedCode(world.interrupted) : code
  } catch (error) {
    const told = asInterrupted(asFileError(error), world.signal)
    const code = reportError(told, world.terminal, {json})
    return code === 130 ? interruptedCode(world.interrupted) : code
  }
}
