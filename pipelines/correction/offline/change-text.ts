import {code, type Voice} from '../../../datasets/voice.ts'
import type {Change} from '../code-changes.ts'
import {meaningOf} from './change-meaning.ts'

const mostShown = 4

/** What has to be written instead, place by place; of a run with what each place does in the operator. */
export function changesText(changes: readonly Change[], {ofRun, voice}: {ofRun: boolean; voice: Voice}): string {
  const told = (change: Change) =>
    [changeText(change, voice), (ofRun && meaningOf(change)) || ''].filter(Boolean).join(' ')
  const shown = changes.slice(0, mostShown).map(told)
  const more = changes.length - shown.length
  const rest = voice.say(`${more} more places change with them.`, `另外还有${more}处要跟着改。`)
  return [...shown, ...(more > 0 ? [rest] : [])].join('\n')
}

function changeText({path, line, removed, added}: Change, {say}: Voice): string {
  const [before, after] = [quoted(removed), quoted(added)]
  const at = say(`${path}, line ${line}`, `${path}第${line}行`)
  if (removed.every((one) => one.trim() === '')) return say(`${at}: ${after} is missing.`, `${at}：少了${after}。`)
  if (added.every((one) => one.trim() === '')) return say(`${at}: ${before} has to go.`, `${at}：${before}要去掉。`)
  return say(`${at}: ${before} has to be ${after}.`, `${at}：${before}要改成${after}。`)
}

const longestQuoted = 3

/** One to three lines on one; of more the first, and how many there are. */
function quoted(lines: readonly string[]): string {
  const kept = lines.map((line) => line.trim()).filter((line) => line !== '')
  if (kept.length <= longestQuoted) return code(kept.join(' '))
  return `${code(kept[0]!)} … (${kept.length})`
}
