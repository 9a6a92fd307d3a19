import {PipelineError} from '../core/errors.ts'
import type {Log} from '../core/log.ts'

/** What a command writes to; stdout is for results, stderr for everything that is said on the way. */
export interface Terminal {
  /** Whether a person watches: progress bars then, plain lines otherwise. */
  readonly interactive: boolean
  print(text: string): void
  say(text: string): void
}

export function processTerminal(): Terminal {
  return {
    interactive: process.stderr.isTTY === true,
    print: (text) => process.stdout.write(`${text}\n`),
    say: (text) => process.stderr.write(`${text}\n`),
  }
}

/** Warnings reach the person at once; the rest is in events.jsonl. The same warning is said once. */
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

/** Prints an error the way its kind deserves: expected ones without a stack, faults of ours with one. Returns the exit code. */
export function reportError(error: unknown, terminal: Terminal, {json = false} = {}): number {
  if (error instanceof PipelineError) {
    if (json) terminal.print(JSON.stringify({error: {code: error.code, message: error.message, fix: error.fix, evidence: error.evidence}}))
    else terminal.say(`error: ${error.message}\n  → ${error.fix}`)
    return error.code === 'interrupted' ? 130 : 1
  }
  terminal.say(`This is a fault of ascend-cot, please report it:\n${error instanceof Error ? error.stack : String(error)}`)
  return 70
}

/** Columns padded to their widest cell; numbers right, text left. */
export function table(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const text = [header, ...rows].map((row) => row.map(String))
  const widths = header.map((_, column) => Math.max(...text.map((row) => displayWidth(row[column] ?? ''))))
  return text.map((row, index) => row.map((cell, column) => {
    const padding = ' '.repeat((widths[column] ?? 0) - displayWidth(cell))
    return index > 0 && typeof rows[index - 1]?.[column] === 'number' ? padding + cell : cell + padding
  }).join('  ').trimEnd()).join('\n')
}

/** Terminal cells: characters of East Asian scripts take two. */
function displayWidth(text: string): number {
  let width = 0
  for (const character of text) width += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u.test(character) ? 2 : 1
  return width
}
