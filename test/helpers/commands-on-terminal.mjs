// Performs one command line after another on the terminal that it was started on, as `ascend-cot` would; see pty.ts.
import {execFileSync} from 'node:child_process'
import {once} from 'node:events'
import {createConnection} from 'node:net'
import {createInterface} from 'node:readline'
import {perform} from '../../dist/pipelines/cli.js'
import {readCommandLine} from '../../dist/pipelines/command-line/read-command-line.js'
import {realWorld} from '../../dist/pipelines/commands/world.js'

const {stdout, stderr} = process
const output = {print: (text) => stdout.write(`${text}\n`), say: (text) => stderr.write(`${text}\n`)}

/** A world of its own for each command: with the state of an earlier one, a Ctrl-C would be the second. */
async function inNewWorld(work) {
  const signals = ['SIGINT', 'SIGTERM']
  const before = new Set(signals.flatMap((signal) => process.listeners(signal)))
  const world = realWorld()
  try {
    return await work(world)
  } finally {
    for (const signal of signals)
      for (const listener of process.listeners(signal)) if (!before.has(listener)) process.off(signal, listener)
  }
}

async function setSize(columns, rows) {
  const changed = [stdout, stderr]
    .filter((stream) => stream.columns !== columns || stream.rows !== rows)
    .map((stream) => once(stream, 'resize'))
  execFileSync('stty', ['cols', String(columns), 'rows', String(rows)], {stdio: 'inherit'})
  await Promise.all(changed)
}

for await (const line of createInterface({input: createConnection(process.argv[2])})) {
  const {args, columns, rows} = JSON.parse(line)
  await setSize(columns, rows)
  const code = await inNewWorld((world) => readCommandLine(args, (asked) => perform(asked, world), output))
  stdout.write(`\u001b]7777;${code}\u0007`)
}
