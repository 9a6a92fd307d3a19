import {readExpression, type Expression} from '../../../cpp/evaluator.ts'
import type {FunctionFlow} from '../../../cpp/syntax.ts'

type FormKind = 'ceil' | 'round-up' | 'round-down' | 'divide' | 'rest' | 'min' | 'max'

/** What an expression makes of two others: `ceil` is `(of + by - 1) / by`, `round-down` is `of / by * by`. */
export interface Form {
  kind: FormKind
  of: Expression
  by: Expression
}

/** Functions of a file that are such a form of their two parameters, by name. */
type FormNames = ReadonlyMap<string, FormKind>

const lastOf = (path: string) => /\w+$/.exec(path)?.[0] ?? path

/** By the names that such functions have in every operator library. */
const named: readonly [RegExp, FormKind][] = [
  [/^min$/, 'min'],
  [/^max$/, 'max'],
  [/^(?:CeilDiv\w*|DivCeil|CeilDivision)$/i, 'ceil'],
  [/^(?:CeilAlign|RoundUp|AlignUp)$/i, 'round-up'],
  [/^(?:FloorAlign|RoundDown|AlignDown)$/i, 'round-down'],
  [/^FloorDiv$/i, 'divide'],
]

/** Code of an expression, without casts between integers. */
export function written({kind, text, parts, texts}: Expression, level = 0): string {
  if (kind === 'number' || kind === 'name') return text.replace(/^this->/, '')
  if (kind === 'unread') return '?'
  if (kind === 'call') return `${text}(${(parts.length > 0 ? parts.map((one) => written(one)) : texts).join(', ')})`
  const own = levels[text] ?? 1
  const [a, b, c] = parts
  const inner = c
    ? `${written(a as Expression, 1)} ? ${written(b as Expression, 1)} : ${written(c, 1)}`
    : `${written(a as Expression, own)} ${text} ${written(b as Expression, own + 1)}`
  return own < level ? `(${inner})` : inner
}

const levels: Readonly<Record<string, number>> = {
  ...{'?': 0, '||': 1, '&&': 2, '==': 3, '!=': 3, '<': 4, '>': 4, '<=': 4, '>=': 4},
  ...{'<<': 5, '>>': 5, '+': 6, '-': 6, '*': 7, '/': 7, '%': 7},
}

const isSame = (a: Expression | undefined, b: Expression | undefined) =>
  a !== undefined && b !== undefined && written(a) === written(b)
const isOperation = (one: Expression | undefined, operator: string): one is Expression =>
  one?.kind === 'operation' && one.text === operator
const isNumber = (one: Expression | undefined, text: string) => one?.kind === 'number' && one.text === text

/** The form of an expression, behind a guard against division by zero too; undefined where it has none. */
export function formOf(expression: Expression, names: FormNames = new Map()): Form | undefined {
  const {kind, text, parts} = expression
  const [of, by, other] = parts
  if (kind === 'call' && of && by && !other) {
    const known = names.get(lastOf(text)) ?? named.find(([pattern]) => pattern.test(lastOf(text)))?.[1]
    return known && {kind: known, of, by}
  }
  if (kind !== 'operation' || !of || !by) return undefined
  if (text === '?' && other) return chosen(of, by, other, names)
  if (text === '%') return {kind: 'rest', of, by}
  if (text === '/') return ceiling(of, by) ?? {kind: 'divide', of, by}
  return text === '*' ? (multiple(of, by, names) ?? multiple(by, of, names)) : undefined
}

/** The forms of an expression and of its parts, the outermost first. */
export function formsInside(expression: Expression, names: FormNames = new Map()): Form[] {
  const own = formOf(expression, names)
  return [...(own ? [own] : []), ...expression.parts.flatMap((one) => formsInside(one, names))]
}

/** `(of + by - 1) / by`. */
function ceiling(dividend: Expression, by: Expression): Form | undefined {
  if (isOperation(dividend, '-') && isNumber(dividend.parts[1], '1')) {
    const sum = dividend.parts[0]
    if (isOperation(sum, '+') && isSame(sum.parts[1], by)) return {kind: 'ceil', of: sum.parts[0] as Expression, by}
  }
  if (!isOperation(dividend, '+') || !isOperation(dividend.parts[1], '-')) return undefined
  const [unit, one] = dividend.parts[1].parts
  return isSame(unit, by) && isNumber(one, '1') ? {kind: 'ceil', of: dividend.parts[0] as Expression, by} : undefined
}

/** A count of units, times the unit. */
function multiple(count: Expression, unit: Expression, names: FormNames): Form | undefined {
  const form = formOf(count, names)
  if (!form || !isSame(form.by, unit)) return undefined
  if (form.kind === 'ceil') return {...form, kind: 'round-up'}
  return form.kind === 'divide' ? {...form, kind: 'round-down'} : undefined
}

function chosen(condition: Expression, yes: Expression, no: Expression, names: FormNames): Form | undefined {
  const [left, right] = condition.parts
  if (isNumber(right, '0') && isOperation(condition, '==')) return formOf(no, names)
  if (isNumber(right, '0') && isOperation(condition, '!=')) return formOf(yes, names)
  if (!left || !right || !/^[<>]=?$/.test(condition.text)) return undefined
  const [small, large] = condition.text.startsWith('<') ? [left, right] : [right, left]
  if (isSame(small, yes) && isSame(large, no)) return {kind: 'min', of: small, by: large}
  return isSame(small, no) && isSame(large, yes) ? {kind: 'max', of: small, by: large} : undefined
}

/** Functions of two parameters that only round: by what they return. */
export function formNames(flows: readonly FunctionFlow[]): FormNames {
  return new Map(
    flows.flatMap(({name, parameters, statements}) => {
      const [a, b, more] = parameters.map((one) => one.name)
      const found = statements
        .filter(({kind}) => kind === 'return')
        .flatMap(({text}) => {
          const form = formOf(readExpression(text))
          return form && written(form.of) === a && written(form.by) === b ? [form.kind] : []
        })
      return more === undefined && found[0] ? [[name, found[0]] as const] : []
    }),
  )
}
