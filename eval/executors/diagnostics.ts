import type {Diagnostic} from '../../datasets/schema/verdict.ts'
import {vendorWords} from './vendor-words.ts'

const message =
  /^(?<file>[^\s:][^:\n]*):(?<line>\d+):(?:(?<column>\d+):)? (?<severity>fatal error|error|warning|note): (?<text>.*)$/

/**
 * Compiler messages of clang and gcc, in order; lines that belong to none (source quotes, include stacks) are left out.
 * Messages without a place, such as `error: no such file or directory`, get line 0.
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

/** What a compiler or linker said as the device's would say it: no folder of this machine, no name of the twin. */
export function outwardLog(log: string, folders: readonly string[]): string {
  return vendorWords(withoutPaths(log, folders))
}

/** The log with every folder of this machine taken out, so that the same candidate gives the same text everywhere. */
function withoutPaths(log: string, folders: readonly string[]): string {
  const bare = folders.reduce((text, folder) => text.replaceAll(`${folder.replace(/\/$/, '')}/`, ''), log)
  return bare.replace(/(^|[\s'"(])\.\//gm, '$1')
}
