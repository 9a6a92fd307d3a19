import type {Branch} from '../cpp-syntax.ts'
import {code, type Voice} from './say.ts'

/** `` where `a` holds and `b` does not ``; '' outside of every branch. */
export function branchText(branches: readonly Branch[], voice: Voice): string {
  if (branches.length === 0) return ''
  const conditions = branches.map((branch) => conditionText(branch, voice))
  return voice.say(`where ${conditions.join(' and ')}`, `当${conditions.join('且')}时`)
}

function conditionText({condition, arm}: Branch, voice: Voice): string {
  const text = code(condition)
  if (arm === 'then') return voice.say(`${text} holds`, ` ${text} 成立`)
  if (arm === 'else') return voice.say(`${text} does not hold`, ` ${text} 不成立`)
  const value = code(arm.case)
  return voice.say(`${text} is ${value}`, ` ${text} 为 ${value} `)
}

export function isSamePlace(a: readonly Branch[], b: readonly Branch[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
