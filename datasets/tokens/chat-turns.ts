import type {ColumnType} from '../parquet/column-types.ts'

/** `list<struct<role, content>>`, with a single turn: what trainers accept as a prompt or a reply. */
export const messages: ColumnType = {list: {struct: {role: 'string', content: 'string'}}}

export const user = (content: string) => [{role: 'user', content}]
export const assistant = (content: string) => [{role: 'assistant', content}]

/**
 * The assistant's turn for trainers: one balanced `<think>` block, then the answer; the bare answer when there is no
 * reasoning. These line breaks are the ones that Qwen3's template writes, so rendering and parsing restore the same
 * text.
 */
export function completion(reasoning: string, answer: string): string {
  return reasoning === '' ? answer : `<think>\n${reasoning}\n</think>\n\n${answer}`
}

type ReplySide = Readonly<{reasoning: string; answer: string}>

/** Both sides of a pair with reasoning or both without, otherwise the block's presence would mark the better side. */
export function preferenceCompletions(pair: Readonly<{chosen: ReplySide; rejected: ReplySide}>) {
  const both = pair.chosen.reasoning !== '' && pair.rejected.reasoning !== ''
  const view = ({reasoning, answer}: ReplySide) => completion(both ? reasoning : '', answer)
  return {chosen: view(pair.chosen), rejected: view(pair.rejected)}
}
