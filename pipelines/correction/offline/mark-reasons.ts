import type {Edit} from '../../../datasets/schema/edit-facts.ts'
import {type Reason, reasons} from './reason.ts'

const because = reasons('mark-reasons')

const rules = new Map([
  [';', 'semicolon'],
  [')', 'bracket'],
  ['(', 'opening'],
  ['}', 'brace'],
  ['{', 'opening-brace'],
  [',', 'comma'],
])

/** A semicolon, bracket or comma that is missing. */
export function markReason({
  missing,
  surplus,
  before: place,
  opener,
}: Extract<Edit, {kind: 'marks'}>): Reason | undefined {
  const rule = rules.get(missing)
  if (surplus !== '' || rule === undefined) return undefined
  const mark = opener === '' ? missing : '}'
  return because('missing', {mark, place}, {why: because.says(opener === '' ? rule : 'closes', {opener})})
}
