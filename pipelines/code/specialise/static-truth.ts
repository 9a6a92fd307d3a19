import {comparisons} from '../../../cpp/conditions.ts'
import {evaluate, type Scope} from '../../../cpp/expressions.ts'
import {elementTypes} from '../../../cpp/types.ts'

const concrete = new Map<string, string>([
  ...Object.values(elementTypes).map(({type}) => [type, type] as const),
  ['float16_t', 'half'],
  ['int', 'int32_t'],
  ['char', 'char'],
  ['bfloat16_t', 'bfloat16_t'],
])

const sameType =
  /\b(?:std::|AscendC::|Std::)*(?:is_same|IsSameType)(?:_v\s*<([^<>]*)>|\s*<([^<>]*)>\s*(?:::value|\(\)|\{\}))/g

/** What is known of a part of a condition that holds no `&&`, `||`, `!` and outer brackets. */
export type Answer = (atom: string) => boolean | undefined

interface Ground {
  scope: Scope
  answer: Answer
}

/**
 * Whether a condition of C++ holds, as far as `true`, `false`, comparisons of concrete types and of constant numbers
 * tell, and `answer`; undefined when they do not.
 */
export function staticTruth(condition: string, scope: Scope, answer: Answer = () => undefined): boolean | undefined {
  const plain = condition.replace(sameType, (whole, first?: string, second?: string) => {
    return compared(first ?? second ?? '') ?? whole
  })
  return either(plain.replace(/\bstatic_cast\s*<[^<>]*>/g, ''), {scope, answer})
}

function compared(list: string): string | undefined {
  const [first, second, ...more] = list.split(',').map((one) => concrete.get(one.trim()))
  if (first === undefined || second === undefined || more.length > 0) return undefined
  return String(first === second)
}

function either(text: string, ground: Ground): boolean | undefined {
  return joined(text, '||', true, (part) => joined(part, '&&', false, (leaf) => atom(leaf, ground)))
}

/** Of parts joined by an operator, one with the value `decides` decides alone. */
function joined(
  text: string,
  operator: string,
  decides: boolean,
  read: (part: string) => boolean | undefined,
): boolean | undefined {
  const values = splitOutside(text, operator).map(read)
  if (values.includes(decides)) return decides
  return values.includes(undefined) ? undefined : !decides
}

function atom(part: string, ground: Ground): boolean | undefined {
  const text = part.trim()
  if (text === 'true' || text === 'false') return text === 'true'
  if (text.startsWith('!') && !text.startsWith('!=')) {
    const inner = atom(text.slice(1), ground)
    return inner === undefined ? undefined : !inner
  }
  if (isBracketed(text)) return either(text.slice(1, -1), ground)
  const told = ground.answer(text)
  if (told !== undefined) return told
  const {scope} = ground
  const [, left, operator, right] = /^([^=!<>]+?)\s*([=!<>]=|[<>])\s*([^=!<>]+)$/.exec(text) ?? []
  if (left === undefined || operator === undefined || right === undefined) return number(text, scope)
  const [a, b] = [valueOf(left, scope), valueOf(right, scope)]
  return a === undefined || b === undefined ? undefined : comparisons[operator]?.(a, b)
}

/** Constants are known by their own name, whatever space or enumeration they are in. */
function valueOf(text: string, scope: Scope): number | undefined {
  return evaluate(text.replace(/\b[A-Za-z_]\w*::/g, ''), scope)
}

function number(text: string, scope: Scope): boolean | undefined {
  const value = valueOf(text, scope)
  return value === undefined ? undefined : value !== 0
}

/** Whether one pair of brackets holds the whole. */
function isBracketed(text: string): boolean {
  if (!text.startsWith('(') || !text.endsWith(')')) return false
  let depth = 0
  for (const [index, sign] of [...text].entries()) {
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (depth === 0) return index === text.length - 1
  }
  return false
}

/** Split at an operator that no bracket encloses. */
function splitOutside(text: string, operator: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    else if (text[at] === ')') depth -= 1
    else if (depth === 0 && text.startsWith(operator, at)) {
      parts.push(text.slice(from, at))
      from = at + operator.length
    }
  }
  return [...parts, text.slice(from)]
}
