import {trimStop} from '../text.ts'

export const directions = {input: 'an input', output: 'an output', both: 'both an input and an output', '': ''}

/** With a small first letter where it begins with an ordinary word. */
export function uncapitalised(text: string): string {
  return /^[A-Z][a-z]+(?:\s|$)/.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text
}

/** A sentence without its stop, ready to follow a colon. */
export function clause(sentence: string): string {
  return uncapitalised(trimStop(sentence))
}

export function list(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

export function listOr(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

/** `1 parameter`, `3 parameters`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** `is` of one, `are` of several. */
export function be(count: number): string {
  return count === 1 ? 'is' : 'are'
}

/** A sentence with its stop, unless it ends in a formula. */
export function stopped(sentence: string): string {
  const text = trimStop(sentence)
  return text.endsWith('$') ? text : `${text}.`
}

export function capitalised(text: string): string {
  return text === '' ? '' : text[0]!.toUpperCase() + text.slice(1)
}
