import type {KnownSize} from '../../datasets/schema/code-facts.ts'
import {evaluate, type Scope} from '../../cpp/expressions.ts'
import type {FunctionFlow, Statement} from '../../cpp/syntax.ts'

const arithmetic =
  /\s(?:[-+*/%]|<<|>>)\s|\b(?:min|max|Ceil\w*|Align\w*|Floor\w*|RoundUp|Round\w*|Div\w*)\s*(?:<[^<>]*>)?\(/
const choice = /\s\?\s.*\s:\s/
/** A choice between pointers, flags or types. */
const chosenOtherwise = /\b(?:nullptr|true|false|DT_\w+)\b|\w*[pP]tr\s\?|->Get\w*Type/
/** `isWide ? 3 : 2`, whatever it is that decides. */
const chosenNumber = /\s\?\s(?:\d\w*|(?!DT_)[A-Z][A-Z\d_]+)\s:\s(?:\d\w*|(?!DT_)[A-Z][A-Z\d_]+)$/
const truth = /&&|\|\||[=!<>]=|\s[<>]\s/

/** Whether a statement computes a size: arithmetic, rounding, a bound, or a choice between numbers. */
export function isSize({kind, target, operator, text}: Statement): boolean {
  if (kind === 'call' || text.length > 160 || /["{;]/.test(text) || /key|workspace/i.test(target)) return false
  if (kind === 'value' && operator !== '=') return !/^\d+\w*$/.test(text)
  if (chosenNumber.test(text)) return !/dtype|shape/i.test(target)
  if (choice.test(text)) return !chosenOtherwise.test(text) && !/dtype|shape/i.test(target)
  return arithmetic.test(text) && !truth.test(text)
}

/**
 * What follows from the size of the unified buffer without knowing a shape. Only what runs in any case and is given a
 * value once; a buffer size that the code changes on the way has no value.
 * @param buffer variables that hold the bytes of the unified buffer
 */
export function knownSizes(
  flows: readonly FunctionFlow[],
  buffer: readonly string[],
  bytes: number,
  {constants, types}: Scope,
): KnownSize[] {
  const all = flows.flatMap(({statements}) => statements).filter(({kind}) => kind === 'value')
  const given = (name: string) => all.filter(({target}) => target === name)
  const steady = buffer.filter((name) => given(name).every(({text}) => /^0\w*$/.test(text)))
  const values = new Map([...constants, ...steady.map((name) => [name, bytes] as const)])
  const names = new Set(steady)
  const found: KnownSize[] = []
  for (const statement of all) {
    const {target, operator, text, branches, loops} = statement
    const isCertain = operator === '=' && branches.length === 0 && loops.length === 0 && given(target).length === 1
    const isFromBuffer = [...names].some((name) => new RegExp(`\\b${name}\\b`).test(text))
    const value = isCertain && isFromBuffer ? evaluate(text, {constants: values, types}) : undefined
    if (value === undefined || value < 0) continue
    values.set(target, value)
    names.add(target)
    if (isSize(statement)) found.push({statement, value})
  }
  return found
}
