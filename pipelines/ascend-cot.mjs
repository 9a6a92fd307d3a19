#!/usr/bin/env node
import {readCommandLine} from './command-line.mjs'
import {loadCli} from './load-cli.mjs'

// It is no error when a reader such as `head` has seen enough.
process.stdout.on('error', (error) => {
  if (error.code === 'EPIPE') process.exit(0)
})
process.exitCode = await readCommandLine(
  process.argv.slice(2),
  async (...asked) => (await loadCli()).perform(...asked),
  {
    print: (text) => process.stdout.write(`${text}\n`),
    say: (text) => process.stderr.write(`${text}\n`),
  },
)
