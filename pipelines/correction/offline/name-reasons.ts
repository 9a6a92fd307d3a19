import type {Message} from '../../telling/tell-message.ts'
import {isOperation} from './operations.ts'
import {changedWord, declarationOf, type Reason, type Replaced, reasons, type Scene, stretchOf} from './reason.ts'

const because = reasons('name-reasons')

/** A missing name instead of an existing one; `.` for `->`; a name without the type or namespace that contains it. */
export function nameReason(edit: Replaced, scene: Scene): Reason | undefined {
  return memberMark(edit) ?? unqualified(edit) ?? accessor(edit) ?? digitFirst(edit) ?? unknown(edit, scene)
}

/** `2M_count`, which is not a name. */
function digitFirst(edit: Replaced): Reason | undefined {
  const {wrong, right} = stretchOf(edit)
  const isDigit = /^\d\w*[A-Za-z]\w*$/.test(wrong) && /^[A-Za-z_]\w*$/.test(right)
  return isDigit ? because('digit', {wrong, right}) : undefined
}

function memberMark(edit: Replaced): Reason | undefined {
  const {wrong, right} = stretchOf(edit)
  if (!['.', '->'].includes(wrong) || !['.', '->'].includes(right)) return undefined
  const parts = /(\w+)(?:->|\.)(?:template )?(\w+)/g
  const [was, is] = [edit.before, edit.after].map(({text}) => [...text.matchAll(parts)])
  const at = is!.findIndex(([text], index) => text !== was![index]?.[0])
  const [owner, member] = is![at]?.slice(1) ?? []
  if (owner === undefined || member === undefined) return undefined
  return because('mark', {owner, member, wrong, right, kind: right === '->' ? 'pointer' : 'object'})
}

/** `S_V` for `HardEvent::S_V`. */
function unqualified({before, after}: Replaced): Reason | undefined {
  const qualified = [...after.text.matchAll(/\b(\w+)::(\w+)\b/g)]
  const one = qualified.find(([whole, , name]) => after.text.replace(whole, name!) === before.text)
  return one && because('unqualified', {whole: one[0], owner: one[1]!, name: one[2]!})
}

/** `tiling.get_length()` in the kernel. */
function accessor({before, after}: Replaced): Reason | undefined {
  const [whole, owner, field] = /\b(\w+)\.get_(\w+)\(\)/.exec(before.text) ?? []
  if (field === undefined || before.text.replace(whole!, `${owner}.${field}`) !== after.text) return undefined
  return because('accessor', {whole: whole!, field})
}

/** Only a name that the compiler says is not there. */
function unknown(edit: Replaced, scene: Scene): Reason | undefined {
  const word = changedWord(edit)
  if (!word || !isMissing(word.wrong, scene) || isOperation(word.right)) return undefined
  const {wrong, right} = word
  const [, of = 'none', mark] = new RegExp(`\\b([\\w:]+)(::|\\.|->)${right}\\b`).exec(edit.after.text) ?? []
  const inside = mark === '::' ? of : 'none'
  const where = whereIs(right, inside, scene)
  if (!where && !/^[a-z]\w*_t$|^[A-Z]\w*$|^(?:float|half|int|double|bool)$/.test(right)) return undefined
  if (!where && /^[TU]$/.test(right)) return because('no-type', word)
  const known = mark === undefined ? declarationOf(wrong, scene.failed) : undefined
  if (known && where) return because('elsewhere', {wrong, path: known.path, line: known.one.line}, {why: where})
  if (/^DTYPE_\w+$/.test(right)) return because('macro', word)
  const type = ownerIn(wrong, scene.errors)
  if (type !== undefined && mark !== '::') return because('no-member', {...word, type})
  return because('unknown', {wrong, of: inside}, {why: where ?? because.says('called', {right})})
}

/** Where a name stands: a line of the failed files, or the namespace or class that it is written with. */
function whereIs(right: string, owner: string, scene: Scene): Message | undefined {
  const declared = declarationOf(right, scene.failed)
  if (declared) return because.says('declared', {right, line: declared.one.line, path: declared.path})
  return owner === 'none' ? undefined : because.says('called-in', {right, owner})
}

/** The type that lacks a member of the name, as the compiler calls it. */
function ownerIn(name: string, errors: readonly string[]): string | undefined {
  const pattern = new RegExp(`^no member named '${name}' in '([^']+)'`)
  return errors.flatMap((message) => pattern.exec(message)?.[1] ?? [])[0]
}

/** Whether one of the compiler's messages misses the name. */
export function isMissing(name: string, {errors}: Pick<Scene, 'errors'>): boolean {
  const pattern = new RegExp(`(?:undeclared identifier|unknown type name|no (?:member|type|template) named) '${name}'`)
  return errors.some((message) => pattern.test(message))
}
