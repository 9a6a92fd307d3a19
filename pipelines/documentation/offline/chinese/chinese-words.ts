import {trimStop} from '../text.ts'

export const directions = {input: '输入', output: '输出', both: '既是输入又是输出', '': ''}

/** Sentences without their stops, ready to follow a colon. */
export function clauses(sentences: readonly string[]): string {
  return sentences.map(trimStop).join('；')
}

export function list(names: readonly string[]): string {
  return names.join('、')
}

/** With "and" before the last. */
export function listAnd(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join('、')}和${names.at(-1)}`
}
