import {Command, CommanderError, Help, Option as Flag} from 'commander'
import {ownVersion} from '../../engine/own-package.ts'
import type {World} from '../commands/world.ts'
import {commands} from './commands.ts'
import type {Declared} from './declared.ts'
import {dashed, type Option} from './option.ts'

/** A parsed command line. */
export interface Asked extends Pick<Declared, 'inOrder'> {
  /** Name of the command. */
  command: string
  operands: readonly string[]
  /** Whether results, and errors, are printed as JSON. */
  json: boolean
  run(world: World): Promise<number>
}

/** Runs a parsed command line, and returns the process's exit code. */
type Perform = (asked: Asked) => Promise<number>

interface Output {
  print(text: string): void
  say(text: string): void
}

/** Exit code for an invalid command line. */
const unreadable = 2

/** Shown at the end of `ascend-cot --help`, and in the reference. */
export const exitCodes: Readonly<Record<number, string>> = {
  0: 'success; a service stopped by SIGTERM has finished its requests',
  1: 'a record failed, nothing was made, or the command failed',
  [unreadable]: 'a flag or the configuration is invalid, or the check of a training job found an error',
  70: 'a bug in ascend-cot',
  130: 'stopped by Ctrl-C; `ascend-cot resume` continues',
  143: 'stopped by SIGTERM; `ascend-cot resume` continues',
}

/**
 * Parses one command line and runs it; reports faults in it.
 * @returns the process's exit code
 */
export async function readCommandLine(args: readonly string[], perform: Perform, output: Output): Promise<number> {
  let code = 0
  const program = commandLine(output)
  for (const declared of commands)
    add(declared, program, async (asked) => {
      code = await perform(asked)
    })
  try {
    await program.parseAsync(args, {from: 'user'})
    return code
  } catch (error) {
    // Commander has already printed its own errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : unreadable
    throw error
  }
}

function commandLine({print, say}: Output): Command {
  const exits = Object.entries(exitCodes).map(([code, meaning]) => `  ${code.padEnd(4)} ${meaning}`)
  return (
    new Command('ascend-cot')
      .description(
        'Regenerates Ascend-CoT: chain-of-thought training data for Ascend C kernels, ' +
          'every code sample compiled and run.',
      )
      .configureOutput({writeOut: (text) => print(text.trimEnd()), writeErr: (text) => say(text.trimEnd())})
      .version(ownVersion(), '-V, --version')
      .configureHelp({optionDescription: withoutEmptyDefault})
      // An option after `train status` belongs to `status`, even if `train` has it too.
      .enablePositionalOptions()
      .exitOverride()
      .addHelpText('after', ['\nExit codes:', ...exits].join('\n'))
  )
}

function add(declared: Declared, program: Command, perform: (asked: Asked) => Promise<void>): void {
  const {name, operands, about, help, more, options, examples} = declared
  const [last = '', ...above] = name.split(' ').reverse()
  const parent = above.length === 0 ? program : program.commands.find((one) => one.name() === above[0])
  const command = (parent ?? program).command(last).description(help).enablePositionalOptions()
  for (const operand of operands) command.argument(operand, about?.[operand] ?? '')
  for (const [key, option] of Object.entries(options)) command.addOption(flagOf(key, option))
  if (more !== undefined) command.addHelpText('after', more)
  command.addHelpText('after', ['\nExamples:', ...examples.map((one) => `  ascend-cot ${one}`)].join('\n'))
  command.action(async () => {
    const [given, values] = [command.processedArgs, command.opts()]
    const fault = declared.fault(given, values)
    if (fault !== undefined) command.error(`error: ${fault}`)
    await perform({
      command: name,
      operands: command.args,
      json: values['json'] === true,
      run: (world) => declared.run(given, values, world),
      ...(declared.inOrder && {inOrder: true}),
    })
  })
}

function flagOf(key: string, {takes, help, parse, initial, mandatory}: Option<unknown>): Flag {
  const name = dashed(key)
  const flag = new Flag(takes === undefined ? `--${name}` : `--${name} ${takes}`, help)
  if (initial !== undefined) flag.default(initial)
  if (parse) flag.argParser(parse)
  return flag.makeOptionMandatory(mandatory === true)
}

/** Commander would add `(default: [])` and `(default: false)`, which is noise. */
function withoutEmptyDefault(option: Flag): string {
  const empty = ['false', '[]', '{}', '"{}"'].includes(JSON.stringify(option.defaultValue))
  const shown = empty ? Object.assign(Object.create(option), {defaultValue: undefined}) : option
  return new Help().optionDescription(shown)
}
