import {distinct} from '../../datasets/distinct.ts'
import type {Turn} from '../data-form.ts'
import type {CheckedJob} from './checked-job.ts'
import {Tally, type RowCheck, type RowView} from './row-view.ts'

/** Checks turns and their order, and finds empty and duplicate rows. */
export function rowShape({plan: {spec}}: CheckedJob): RowCheck {
  const [malformed, lost, blank, silent, repeated] = [new Tally(), new Tally(), new Tally(), new Tally(), new Tally()]
  const isNew = distinct()
  return {
    look(row) {
      if (!isWellFormed(row)) return malformed.add(row)
      if (spec.engine === 'mindspeed-llm' && row.prompt?.length !== 1) lost.add(row)
      if (row.question.trim() === '') blank.add(row)
      if (row.replies.some(({text}) => withoutThought(text).trim() === '')) silent.add(row)
      const told = [row.question, ...row.replies.map(({text}) => text), String(row.cells['label'])]
      if (!isNew(JSON.stringify(told))) repeated.add(row)
    },
    findings: () => [
      ...malformed.found(
        'turns-malformed',
        (rows) =>
          `${rows} are not conversations: expected a prompt of turns {role, content}, a system turn first if any, ` +
          'then user and assistant alternating and ending with user, and one assistant turn per reply.',
        'Correct the data set; plain text is not wrapped in a chat template.',
      ),
      ...lost.found(
        'turns-lost',
        (rows) => `${rows} have a prompt of several turns, but the form of ${spec.engine} only keeps the first.`,
        'Put the conversation into one user turn, or set `engine: trl`.',
      ),
      ...blank.found('prompt-empty', (rows) => `${rows} have an empty prompt.`, 'Remove them from the data set.'),
      ...silent.found(
        'reply-empty',
        (rows) => `${rows} have a reply without an answer: empty, or only a think block.`,
        'Remove them from the data set.',
      ),
      ...repeated.found(
        'rows-repeated',
        (rows) => `${rows} duplicate an earlier row, which then counts several times.`,
        'Export the data set again: its stage `dedup` removes them.',
      ),
    ],
  }
}

const withoutThought = (text: string) => text.replace(/^[\s\S]*<\/think>/, '')

function isWellFormed({prompt, replies}: RowView): boolean {
  if (!prompt || prompt.length === 0) return false
  return inTurn(prompt) && replies.every(({turns}) => turns?.length === 1 && turns[0]?.role === 'assistant')
}

function inTurn(prompt: readonly Turn[]): boolean {
  const turns = prompt[0]?.role === 'system' ? prompt.slice(1) : prompt
  const expected = (at: number) => (at % 2 === 0 ? 'user' : 'assistant')
  return turns.length % 2 === 1 && turns.every(({role}, at) => role === expected(at))
}
