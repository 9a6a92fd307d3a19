import {code, type Voice} from '../../../datasets/voice.ts'
import type {Change} from '../code-changes.ts'
import {meaningOf} from './change-meaning.ts'

const mostShown = 4

/** What has to be written instead, place by place; of a run with what each place does in the operator. */
export function changesText(changes: readonly Change[], {ofRun, voice}: {ofRun: boolean; voice: Voice}): string {
  const moved = movedLines(changes)
  const told = (change: Change) => {
    if (change.removed.length === 0 && isMoved(change.added, moved)) return arrived(change, voice)
    const meaning = ofRun ? (meaningOf(change) ?? '') : ''
    return [changeText(change, voice), meaning].filter(Boolean).join(' ')
  }
  const shown = changes.slice(0, mostShown).map(told)
  const more = changes.length - shown.length
  const rest = voice.say(`${more} more places change with them.`, `另外还有${more}处要跟着改。`)
  return [...shown, ...(more > 0 ? [rest] : [])].join('\n')
}

/** Lines that one place loses and another gets. */
function movedLines(changes: readonly Change[]): Set<string> {
  const lost = changes.map(({removed}) => removed.join('\n')).join('\n')
  const got = changes.flatMap(({added}) => added.map((line) => line.trim()))
  return new Set(got.filter((line) => line.length > 3 && lost.includes(line)))
}

function isMoved(lines: readonly string[], moved: ReadonlySet<string>): boolean {
  return lines.every((line) => line.trim() === '' || moved.has(line.trim()))
}

function arrived({path, line, added}: Change, {say}: Voice): string {
  const what = quoted(added)
  return say(`${path}, line ${line}: ${what} belongs here.`, `${path}第${line}行：${what}应该放在这里。`)
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
