#!/usr/bin/env node
// The command runs TypeScript directly, so that a stage or recipe of your own is a single file without a build.
import {readCommandLine} from './command-line.mjs'

// It is no error when a reader such as `head` has seen enough.
process.stdout.on('error', (error) => {
  if (error.code === 'EPIPE') process.exit(0)
})
process.exitCode = await readCommandLine(
  process.argv.slice(2),
  async (...asked) => {
    const [{register}, tsx] = await Promise.all([import('node:module'), import('tsx/esm/api')])
    tsx.register()
    register('./own-files.mjs', import.meta.url)
    const {perform} = await import('./cli.ts')
    return perform(...asked)
  },
  {
    print: (text) => process.stdout.write(`${text}\n`),
    say: (text) => process.stderr.write(`${text}\n`),
  },
)
