import {counted} from '../../engine/counted.ts'
import type {Finding} from './finding.ts'

/** Findings as one page of text, most severe first. */
export function findingsPage(
  {findings, allowed}: {findings: readonly Finding[]; allowed: readonly Finding[]},
  width = 100,
): string {
  const marks = {error: '✗', warning: '!', note: '·'}
  const paragraphs = findings.map(({code, severity, message, fix}) =>
    [
      `${marks[severity]} ${code}`,
      ...wrapped(message, width - 2).map((line) => `  ${line}`),
      ...(fix === '' ? [] : wrapped(fix, width - 4).map((line, at) => `  ${at === 0 ? '→' : ' '} ${line}`)),
    ].join('\n'),
  )
  const number = (severity: Finding['severity']) => findings.filter((one) => one.severity === severity).length
  const [errors, warnings] = [number('error'), number('warning')]
  const silenced = allowed.length === 0 ? '' : `; allowed: ${allowed.map(({code}) => code).join(', ')}`
  return [...paragraphs, `${counted(errors, 'error')}, ${counted(warnings, 'warning')}${silenced}`].join('\n\n')
}

function wrapped(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}
