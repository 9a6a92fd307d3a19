import type {Diagnostic} from '../../datasets/schema/verdict.ts'
import {vendorWords} from './vendor-words.ts'

const message =
  /^(?<file>[^\s:][^:\n]*):(?<line>\d+):(?:(?<column>\d+):)? (?<severity>fatal error|error|warning|note): (?<text>.*)$/

/**
 * Compiler messages of clang and gcc, in order; other lines (source quotes, include stacks) are skipped. Messages
 * without a place, such as `error: no such file or directory`, get line 0.
 */
export function parseDiagnostics(log: string): Diagnostic[] {
  return log.split('\n').flatMap((line): Diagnostic[] => {
    const groups = message.exec(line)?.groups
    if (groups) {
      return [
        {
          severity: severityOf(groups['severity'] as string),
          file: groups['file'] as string,
          line: Number(groups['line']),
          column: Number(groups['column'] ?? 0),
          message: (groups['text'] as string).replace(/ \[-W[\w=+-]+\]$/, ''),
        },
      ]
    }
    const bare = /^(?:\S+: )?(fatal error|error): (.*)$/.exec(line)
    return bare ? [{severity: 'error', file: '', line: 0, column: 0, message: bare[2] as string}] : []
  })
}

function severityOf(word: string): Diagnostic['severity'] {
  return word === 'warning' || word === 'note' ? word : 'error'
}

/** Compiler or linker messages as from the device's tools: without local folders or names of the twin. */
export function outwardLog(log: string, folders: readonly string[]): string {
  return vendorWords(withoutPaths(log, folders))
}

/** The log without local folders, so that the same candidate gives the same text everywhere. */
function withoutPaths(log: string, folders: readonly string[]): string {
  const bare = folders.reduce((text, folder) => text.replaceAll(`${folder.replace(/\/$/, '')}/`, ''), log)
  return bare.replace(/(^|[\s'"(])\.\//gm, '$1')
}
