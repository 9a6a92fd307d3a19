// Performs one command line after another as `ascend-cot` would, each in a folder of its own; see command.ts.
import {importOwn} from '../../dist/engine/own-module.js'
import {perform} from '../../dist/pipelines/cli.js'
import {readCommandLine} from '../../dist/pipelines/command-line/read-command-line.js'
import {realWorld} from '../../dist/pipelines/commands/world.js'

// Before Node 22.18 this starts esbuild, which does not outlive the folder that it was started in.
await importOwn('examples/short-answers.ts', {what: 'recipe', fix: ''})
// Each world listens for Ctrl-C.
const world = realWorld()

process.on('message', async ({folder, args}) => {
  process.chdir(folder)
  const [printed, said] = [[], []]
  const [toOut, toErr] = [process.stdout.write, process.stderr.write]
  process.stdout.write = (text) => printed.push(String(text)) > 0
  process.stderr.write = (text) => said.push(String(text)) > 0
  const code = await readCommandLine(args, (asked) => perform(asked, world), {
    print: (text) => process.stdout.write(`${text}\n`),
    say: (text) => process.stderr.write(`${text}\n`),
  })
  process.stdout.write = toOut
  process.stderr.write = toErr
  process.send({code, printed: printed.join(''), said: said.join('')})
})
process.send('ready')
