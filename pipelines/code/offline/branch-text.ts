import type {Branch} from '../../../cpp/syntax.ts'
import {code, type Voice} from '../../../datasets/voice.ts'

/** `` where `a` holds and `b` does not ``; '' outside of every branch. */
export function branchText(branches: readonly Branch[], voice: Voice): string {
  if (branches.length === 0) return ''
  const conditions = branches.filter((one) => !isImplied(one, branches)).map((branch) => conditionText(branch, voice))
  return voice.say(`where ${conditions.join(' and ')}`, `当${conditions.join('且')}时`)
}

const equality = /^([\w.:>-]+) == -?[\w.:]+$/

/** Where `x == 2` holds, that `x == 1` does not needs no saying. */
function isImplied({condition, arm}: Branch, branches: readonly Branch[]): boolean {
  const subject = equality.exec(condition)?.[1]
  const holds = (one: Branch) => one.arm === 'then' && equality.exec(one.condition)?.[1] === subject
  return arm === 'else' && subject !== undefined && branches.some(holds)
}

function conditionText({condition, arm}: Branch, voice: Voice): string {
  const text = code(condition)
  if (arm === 'then') return voice.say(`${text} holds`, ` ${text} 成立`)
  if (arm === 'else') return voice.say(`${text} does not hold`, ` ${text} 不成立`)
  const named = [...(arm.also ?? []), arm.case].filter((one) => one !== 'default').map(code)
  const isRest = arm.case === 'default' || arm.also?.includes('default')
  const value = [...named, ...(isRest ? [voice.say('any other value', '其余取值')] : [])].join(
    voice.say(' or ', ' 或 '),
  )
  return voice.say(`${text} is ${value}`, ` ${text} 为 ${value} `)
}

export function isSamePlace(a: readonly Branch[], b: readonly Branch[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
