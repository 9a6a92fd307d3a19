import {readExpression, type Expression} from '../../../cpp/evaluator.ts'
import {evaluate} from '../../../cpp/expressions.ts'
import type {Branch, FunctionFlow, Statement} from '../../../cpp/syntax.ts'
import type {ApiFacts} from '../../../datasets/schema/code-facts.ts'
import {checkOf, type Check} from '../checks.ts'
import {few} from './host-view.ts'
import {written} from './size-forms.ts'

/** A statement with its function. */
export interface PlacedStatement extends Statement {
  method: string
}

/** A call of the layer below the interface, `l0op::Cast(x, type, executor)`. */
export interface LowCall {
  name: string
  args: readonly string[]
  /** The variable that takes the result, '' without one. */
  target: string
  statement: PlacedStatement
}

/** A condition on which a call is refused, or which it has to meet. */
export interface Refused {
  condition: string
  /** Whether the condition must hold. */
  isDemand: boolean
  expression: Expression
  statement: PlacedStatement
}

/** Limits of the vendor's headers that interfaces name. Source: `op_api_def.h`. */
const limits: Readonly<Record<string, number>> = {MAX_SUPPORT_DIMS_NUMS: 8}

export class ApiView {
  readonly facts: ApiFacts
  readonly statements: readonly PlacedStatement[]
  readonly checks: readonly (Check & {method: string})[]
  readonly calls: readonly LowCall[]
  readonly refused: readonly Refused[]
  readonly #constants: ReadonlyMap<string, number>

  constructor(facts: ApiFacts) {
    this.facts = facts
    this.#constants = new Map([...Object.entries(limits), ...facts.constants])
    this.statements = facts.functions.flatMap(({name: method, statements}) =>
      statements.map((one) => ({...one, method})),
    )
    this.checks = this.statements.flatMap((one) => {
      const check = checkOf(one, {isApi: true})
      return check ? [{...check, method: one.method}] : []
    })
    this.calls = this.statements.flatMap((one) => lowCallsIn(one))
    this.refused = this.statements.flatMap((one) => refusedIn(one))
  }

  /** Subjects of the checks of a kind, each once. */
  checked(kind: Check['kind']): string[][] {
    const found = new Map(
      this.checks.filter((one) => one.kind === kind).map(({subjects}) => [subjects.join(), subjects]),
    )
    return [...found.values()]
  }

  /** The meaning of a constant or a number. */
  number(text: string): number | undefined {
    return evaluate(text.replace(/\bstatic_cast<\w+>/g, ''), {constants: this.#constants, types: new Map()})
  }

  named(pattern: RegExp): LowCall[] {
    return this.calls.filter(({name}) => pattern.test(name))
  }
}

function lowCallsIn(statement: PlacedStatement): LowCall[] {
  const at = /\bl0op::\w+\(/.exec(statement.text)?.index
  if (at === undefined) return []
  const {target} = statement
  const call = callIn(readExpression(statement.text))
  return call ? [{name: bare(call.text), args: call.texts, target: /^\w+$/.test(target) ? target : '', statement}] : []
}

/** The outermost call of the layer below; casts around it say nothing. */
function callIn(expression: Expression): Expression | undefined {
  if (expression.kind === 'call' && expression.text.startsWith('l0op::')) return expression
  return expression.parts.map(callIn).find((one) => one !== undefined)
}

const refusals = /^(?:false|nullptr|(?:op::)?ACLNN_ERR_\w+)$/

/** Where a question is only answered, `false` refuses nothing. */
const asks = ({method}: PlacedStatement, result: string) =>
  result === 'false' && !/^(?:Check|Valid|Verif)(?!\w*(?:Sup+ort|Platform|Soc|Need|Transpose))/i.test(method)

function refusedIn(statement: PlacedStatement): Refused[] {
  const check = checkOf(statement, {isApi: true})
  if (check) {
    const [condition = ''] = check.subjects
    const isOwn = check.kind === 'holds' || check.kind === 'fails'
    return isOwn && refusals.test(check.result) && !asks(statement, check.result)
      ? [refusal(condition, check.kind === 'holds', statement)]
      : []
  }
  const around = statement.branches.at(-1)
  if (statement.kind !== 'return' || !refusals.test(statement.text) || around?.arm !== 'then') return []
  if (asks(statement, statement.text)) return []
  return [refusal(around.condition, false, statement)]
}

const refusal = (condition: string, isDemand: boolean, statement: PlacedStatement): Refused => ({
  condition: condition.replace(/^\((.*)\)$/, (whole, inner: string) => (/^[^()]*$/.test(inner) ? inner : whole)),
  isDemand,
  expression: readExpression(condition),
  statement,
})

/** Comparisons of a condition, also inside of `&&` and `||`, with their sides as text. */
export function comparisonsIn({kind, text, parts}: Expression): {operator: string; left: string; right: string}[] {
  if (kind !== 'operation') return []
  if (text === '&&' || text === '||') return parts.flatMap(comparisonsIn)
  if (!/^(?:[<>]=?|[=!]=)$/.test(text) || parts[0]?.kind === 'number') return []
  const [left = '', right = ''] = parts.map((one) => written(one))
  return [{operator: text, left, right}]
}

/** Whether only comparisons are tested. */
export function onlyCompares(expression: Expression): boolean {
  const {kind, text, parts} = expression
  if (kind === 'operation' && (text === '&&' || text === '||')) return parts.every(onlyCompares)
  return comparisonsIn(expression).length === 1
}

/** `op::DataType::DT_FLOAT` → `DT_FLOAT`. */
export const bare = (text: string) => text.replace(/^.*::/, '').replace(/^const_cast<[^<>]*>\((.*)\)$/, '$1')

/** A question about the chip: which generation, which architecture. */
export const asksChip = (condition: string) =>
  /Soc(?:Version)?|NpuArch|RegBase|Regbase|DAV_|ASCEND\d|[bB][fF]16/.test(condition)

/** Statements in the two arms of one question. */
export function areAlternatives(one: readonly Branch[], other: readonly Branch[]): boolean {
  return one.some(({line, condition, arm}) =>
    other.some((each) => each.line === line && each.condition === condition && each.arm !== arm),
  )
}

/** Names of the tensors and other parameters of a function that an application sees. */
export const parametersOf = (flows: readonly FunctionFlow[], pattern: RegExp) =>
  flows.flatMap(({parameters}) => parameters.filter(({type}) => pattern.test(type)).map(({name}) => name))

export const mentions = (text: string, name: string) => text.split(/\W+/).includes(name)

/** What calls are given in a place, each name once. */
export const argumentNames = (calls: readonly LowCall[], at: number) =>
  few(
    calls
      .flatMap(({args}) => args[at] ?? [])
      .map(bare)
      .filter((one) => /^\w+$/.test(one)),
    5,
  )

const layouts = /^(?:Contiguous|Cast|ViewCopy|Reshape|Squeeze\w*|Unsqueeze\w*|ReFormat|TransData\w*|Transpose)$/
/** Whether an operator computes: others only rearrange data. */
export const isWork = (name: string) => !layouts.test(name)
