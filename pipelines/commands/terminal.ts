import {PipelineError, type ErrorCode} from '../../engine/errors.ts'
import type {Log} from '../../engine/log.ts'
import {redraws} from '../redraws.ts'
import {openDisplay, type Display} from './display.ts'
import {wrapped} from './text-table.ts'

/** What a command writes to; stdout is for results, stderr for everything else. */
export interface Terminal {
  /** Where progress is drawn; undefined when stderr is not a terminal, and then plain lines are printed. */
  readonly display: Display | undefined
  /** Cells per line of stdout; undefined for a file or a pipe. */
  readonly width: number | undefined
  print(text: string): void
  say(text: string): void
}

/** Some terminals, and those of many build servers, report a width of 0. */
const usualWidth = 80

export function processTerminal(env: Readonly<Record<string, string | undefined>>): Terminal {
  const {stdout, stderr} = process
  const display = redraws(stderr, env) ? openDisplay(stderr) : undefined
  const write = (stream: NodeJS.WriteStream, text: string) => {
    const line = () => void stream.write(`${text}\n`)
    if (display) display.above(line)
    else line()
  }
  return {
    display,
    get width() {
      return stdout.isTTY ? stdout.columns || usualWidth : undefined
    },
    print: (text) => write(stdout, text),
    say: (text) => write(stderr, stderr.isTTY ? fitted(text, stderr.columns || usualWidth) : text),
  }
}

/** A message wrapped at words; continuation lines are indented. */
function fitted(text: string, width: number): string {
  const fit = (line: string) => wrapped(line, line.search(/\S|$/) + 2, width)
  return text.split('\n').map(fit).join('\n')
}

/** Waits longer than this are announced. */
const unsaid = 1000

/** Waits for `work`, and announces what it is waiting for if that takes more than a moment. */
export async function explained<T>(terminal: Pick<Terminal, 'say'>, what: string, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => terminal.say(what), unsaid)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}

/** Shows warnings at once, each only once; the rest is in events.jsonl. */
export function terminalLog(terminal: Terminal): Log {
  const said = new Set<string>()
  return {
    debug() {},
    info() {},
    warn(message) {
      if (said.has(message)) return
      said.add(message)
      terminal.say(`warning: ${message}`)
    },
  }
}

/** As for an invalid command line; all others end with 1. */
const exitCodes: Partial<Record<ErrorCode, number>> = {interrupted: 130, 'config-invalid': 2}

/**
 * Prints an error the way its kind deserves: expected ones without a stack, faults of ours with one. Returns the exit
 * code.
 */
export function reportError(error: unknown, terminal: Terminal, {json = false} = {}): number {
  if (error instanceof PipelineError) {
    const {code, message, fix, evidence} = error
    if (json) terminal.print(JSON.stringify({error: {code, message, fix, evidence}}))
    else terminal.say(`error: ${message}\n  → ${fix}`)
    return exitCodes[code] ?? 1
  }
  terminal.say(
    `This is a bug in ascend-cot. Please report it:\n${error instanceof Error ? error.stack : String(error)}`,
  )
  return 70
}
