import {trimStop} from './text.ts'

export const directions = {input: 'an input', output: 'an output', both: 'both an input and an output', '': ''}

/** With a small first letter where it begins with an ordinary word. */
export function uncapitalised(text: string): string {
  return /^[A-Z][a-z]+(?:\s|$)/.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text
}

/** A sentence without its stop, ready to follow a colon. */
export function clause(sentence: string): string {
  return uncapitalised(trimStop(sentence))
}

export function clauses(sentences: readonly string[]): string {
  return sentences.map(clause).join('; ')
}

export function list(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** `1 parameter`, `3 parameters`. */
export function counted(count: number | string, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

export function recall(purpose: string, api: string): string {
  return purpose === '' ? '' : `What ${api} does comes first: ${clause(purpose)}.`
}
