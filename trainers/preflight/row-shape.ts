import {createHash} from 'node:crypto'
import type {Turn} from '../data-form.ts'
import type {CheckedJob} from './checked-job.ts'
import {Tally, type RowCheck, type RowView} from './row-view.ts'

/** Turns and their order, and rows that say nothing or say it twice. */
export function rowShape({plan: {spec}}: CheckedJob): RowCheck {
  const [malformed, lost, blank, silent, repeated] = [new Tally(), new Tally(), new Tally(), new Tally(), new Tally()]
  const seen = new Set<string>()
  return {
    look(row) {
      if (!isWellFormed(row)) return malformed.add(row)
      if (spec.engine === 'mindspeed-llm' && row.prompt?.length !== 1) lost.add(row)
      if (row.question.trim() === '') blank.add(row)
      if (row.replies.some(({text}) => withoutThought(text).trim() === '')) silent.add(row)
      const digest = digestOf([row.question, ...row.replies.map(({text}) => text), String(row.cells['label'])])
      if (seen.has(digest)) repeated.add(row)
      seen.add(digest)
    },
    findings: () => [
      ...malformed.found((rows) => ({
        code: 'turns-malformed',
        severity: 'error',
        message:
          `${rows} are no conversation: expected a prompt of turns {role, content}, a system turn first at most, ` +
          'then user and assistant in turn up to a user, and one assistant turn for each reply.',
        fix: 'Correct the data set; a plain text has no chat template put around it.',
      })),
      ...lost.found((rows) => ({
        code: 'turns-lost',
        severity: 'error',
        message: `${rows} have a prompt of several turns, of which the form of ${spec.engine} holds the first alone.`,
        fix: 'Put the conversation into one turn of the user, or set `engine: trl`.',
      })),
      ...blank.found((rows) => ({
        code: 'prompt-empty',
        severity: 'error',
        message: `${rows} have an empty prompt.`,
        fix: 'Take them out of the data set.',
      })),
      ...silent.found((rows) => ({
        code: 'reply-empty',
        severity: 'error',
        message: `${rows} have a reply without an answer: nothing, or a think block alone.`,
        fix: 'Take them out of the data set.',
      })),
      ...repeated.found((rows) => ({
        code: 'rows-repeated',
        severity: 'warning',
        message: `${rows} are the same as an earlier one, so it counts several times.`,
        fix: 'Export the data set again: its stage `dedup` removes them.',
      })),
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

function digestOf(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64').slice(0, 22)
}
