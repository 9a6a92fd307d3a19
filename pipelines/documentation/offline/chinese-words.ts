import {trimStop} from './text.ts'

export const directions = {input: '输入', output: '输出', both: '既是输入又是输出', '': ''}

/** Sentences without their stops, ready to follow a colon. */
export function clauses(sentences: readonly string[]): string {
  return sentences.map(trimStop).join('；')
}

export function list(names: readonly string[]): string {
  return names.join('、')
}

export function recall(purpose: string, api: string): string {
  return purpose === '' ? '' : `先回忆${api}的作用：${trimStop(purpose)}。`
}
