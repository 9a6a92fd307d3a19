import {completion} from './columns.ts'
import {best} from './schema/label.ts'
import type {LabelledCandidate} from './schema/candidate.ts'
import {writtenAnswer} from './written-answer.ts'

type Turn = {role: 'user' | 'assistant'; content: string}

/** A row as trainers of unpaired preferences read it (TRL: KTO, BCO). */
interface UnpairedRow {
  prompt: [Turn]
  completion: [Turn]
  /** Whether the reply is one to prefer. */
  label: boolean
}

/**
 * Labelled candidates → unpaired rows, each reply to a prompt once. A mutant that was judged correct is left out: its
 * fault is either harmless or undetected. Replies to one prompt come with reasoning only where all of them have it:
 * else its mere presence would tell the label.
 */
export function unpairedRows(candidates: readonly LabelledCandidate[]): UnpairedRow[] {
  const known = candidates.filter(({label, sampler}) => label !== best || sampler.kind !== 'mutation')
  const bare = new Set(known.filter(({reasoning}) => reasoning === '').map(({prompt}) => prompt))
  const rows = known.map(({prompt, reasoning, label, ...code}): UnpairedRow => {
    const reply = completion(bare.has(prompt) ? '' : reasoning, writtenAnswer(code))
    return {
      prompt: [{role: 'user', content: prompt}],
      completion: [{role: 'assistant', content: reply}],
      label: label === best,
    }
  })
  return [...new Map(rows.map((row) => [JSON.stringify([row.prompt, row.completion]), row])).values()]
}
