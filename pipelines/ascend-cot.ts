#!/usr/bin/env node
import {readCommandLine} from './command-line/read-command-line.ts'
import {redraws} from './redraws.ts'

// A reader such as `head` that closes the pipe early is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
})
process.exitCode = await readCommandLine(
  process.argv.slice(2),
  async (asked) => {
    tellLoading(asked.command)
    return (await import('./cli.ts')).perform(asked)
  },
  {
    print: (text) => process.stdout.write(`${text}\n`),
    say: (text) => process.stderr.write(`${text}\n`),
  },
)

/**
 * Shows a line until the command prints something, if the terminal can erase it. Whatever writes first, a library or
 * Node.js itself, finds the line empty.
 */
function tellLoading(command: string): void {
  if (!redraws(process.stderr, process.env)) return
  const streams = [process.stdout, process.stderr]
  const writes = streams.map((stream) => stream.write)
  const clear = () => {
    for (const [at, stream] of streams.entries()) stream.write = writes[at]!
    process.off('exit', clear)
    process.stderr.write('\r\u001b[K')
  }
  process.stderr.write(`${command}: loading`)
  process.once('exit', clear)
  for (const stream of streams)
    stream.write = ((...given: Parameters<typeof stream.write>) => {
      clear()
      return stream.write(...given)
    }) as typeof stream.write
}
