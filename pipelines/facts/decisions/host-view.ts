import {readExpression, type Expression} from '../../../cpp/evaluator.ts'
import {evaluate} from '../../../cpp/expressions.ts'
import type {Statement} from '../../../cpp/syntax.ts'
import type {HostFacts} from '../../../datasets/schema/code-facts.ts'
import type {Decision, DecisionTopic, Fact, Rule} from '../../../datasets/schema/decision.ts'
import {dtypeBytes} from '../../../datasets/schema/tensor.ts'
import {isSilent} from '../checks.ts'
import {lastName, variableIn} from '../settled-values.ts'
import {quoted} from './change.ts'
import {formNames, formOf, written, type Form} from './size-forms.ts'

/** A value that the host computes: of a variable, or of a field of the tiling. */
export interface Size {
  /** The last name of what takes it. */
  name: string
  isField: boolean
  /** As it would be written without casts. */
  text: string
  expression: Expression
  form: Form | undefined
  statement: Statement
  method: string
}

/** Words of a count of cores that are some of those there are. */
const ownCores = /^(?:used?|need\w*|real|act\w*|now|front|former|tail|last|each|per|block|group|cur|in|inner)$/

/** Bytes of an element of the inputs, each once; undefined where no definition is seen. */
export function widthsOf(definitions: HostFacts['definitions']): number[] | undefined {
  const types = definitions.flatMap(({inputs}) => inputs.flatMap(({dtypes}) => dtypes))
  return types.length === 0 ? undefined : [...new Set(types.map((one) => dtypeBytes[one]))].sort((a, b) => a - b)
}

/** Longer expressions are not quoted. */
const longest = 110

/** The meaning of a host file's variables, from their names and values. */
export class HostView {
  readonly facts: HostFacts
  readonly sizes: readonly Size[]
  readonly constants: ReadonlyMap<string, number>
  /** Bytes of the element types that the operator takes; both usual ones where no definition says. */
  readonly widths: readonly number[]
  readonly #byName = new Map<string, Size[]>()
  /** Names behind a `/` or `%`. */
  readonly divisors: ReadonlySet<string>
  readonly #launched: ReadonlySet<string>
  readonly #platform = new Map<string, 'cores' | 'ub'>()

  constructor(facts: HostFacts) {
    const names = formNames(facts.flows)
    this.facts = facts
    this.constants = new Map(facts.constants)
    this.widths = widthsOf(facts.definitions) ?? [2, 4]
    this.sizes = facts.flows.flatMap(({name: method, statements}) =>
      statements.flatMap((statement) => {
        const given = givenTo(statement)
        if (!given || statement.operator.length > 1 || /["{[]/.test(given.text)) return []
        const expression = readExpression(given.text)
        const text = written(expression)
        if (!isRead(expression) || text.length > longest) return []
        const {name, isField} = given
        return [{name, isField, text, expression, form: formOf(expression, names), statement, method}]
      }),
    )
    // A field that takes the variable of its name says nothing new.
    for (const size of this.sizes)
      if (size.text !== size.name) this.#byName.set(size.name, [...this.of(size.name), size])
    this.divisors = new Set(this.sizes.flatMap(({expression}) => divisorsIn(expression)))
    this.#launched = new Set(facts.blockDim.map((one) => launchedName(one)))
    for (const {name, args, result} of facts.functions.flatMap(({calls}) => calls)) {
      if (/^GetCoreNum/.test(name) && result) this.#platform.set(lastName(result), 'cores')
      if (name === 'GetCoreMemSize' && /\bUB$/.test(args[0] ?? '')) this.#platform.set(lastName(args[1] ?? ''), 'ub')
    }
  }

  of(name: string): readonly Size[] {
    return this.#byName.get(name) ?? []
  }

  /** The one value of a name that is given in any case. */
  only(name: string): Size | undefined {
    const [one, ...others] = this.of(name)
    return one && others.length === 0 && one.statement.branches.length + one.statement.loops.length === 0
      ? one
      : undefined
  }

  /** Whether a name is the number of cores that there are. */
  isCores(text: string): boolean {
    const name = lastName(text)
    if (!/^[\w.>-]+$/.test(text)) return /GetCoreNum/.test(text)
    if (this.#platform.get(name) === 'cores') return true
    const parts = wordsOf(name)
    const counts =
      parts.some((one) => /^(?:ai|vector|cube)?cores?$|^ai[cv]$/.test(one)) &&
      parts.some((one) => /^nums?$|^count$/.test(one))
    const isOwn = parts.some((one) => ownCores.test(one))
    return counts && !isOwn && !this.#launched.has(name)
  }

  /** Variables that take the bytes of the unified buffer. */
  get ub(): string[] {
    return [...this.#platform].flatMap(([name, what]) => (what === 'ub' ? [name] : []))
  }

  isLaunched(text: string): boolean {
    return this.#launched.has(lastName(text))
  }

  /** Whether a text speaks of the bytes of the unified buffer. */
  hasUb(text: string): boolean {
    return (text.match(/[A-Za-z_]\w*/g) ?? []).some(
      (name) =>
        this.#platform.get(name) === 'ub' ||
        (wordsOf(name).includes('ub') && /size|bytes?$/i.test(name) && !/block|align|factor/i.test(name)),
    )
  }

  /** Whether a text is the bytes of one element, by the type. */
  isTypeBytes(text: string): boolean {
    if (!/^[\w.>-]+$/.test(text)) return /^(?:GetSizeByDataType|Get\w*[tT]ype_?Size|sizeof)\(/.test(text)
    const name = lastName(text)
    const parts = wordsOf(name)
    const isSize = parts.some((one) => /^(?:size|bytes?|len|length)$/.test(one))
    const isOther = parts.some((one) => /^(?:tiling|total|shape|tensor|max|min)$/.test(one))
    if (!isSize || isOther) return false
    if (parts.some((one) => /^(?:d?type|data)$/.test(one))) return true
    return this.of(name).some((one) => this.isChosenByType(one))
  }

  /** A count of bytes that the type decides: by a choice, or in the branch of one. */
  isChosenByType({text, expression, statement: {branches}}: Size): boolean {
    const numbers = expression.text === '?' ? expression.parts.slice(1) : [expression]
    const isBytes = numbers.every((one) => [1, 2, 4, 8].includes(this.number(written(one)) ?? 0))
    const isAsked = /\bDT_/.test([text, ...branches.map(({condition}) => condition)].join(' '))
    return (isBytes && isAsked) || /^(?:\w+(?:\.|->))?(?:GetSizeByDataType|Get\w*[tT]ype_?Size)\(/.test(text)
  }

  number(text: string): number | undefined {
    return evaluate(text, {constants: this.constants, types: new Map()})
  }
}

const isRead = ({kind, parts}: Expression): boolean => kind !== 'unread' && parts.every(isRead)

/** Words of a name, in lower case. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/_+/)
}

/** `tileLength` of `tiling.get_tileLength()`, and the last name of anything else. */
export function launchedName(text: string): string {
  const bare = written(readExpression(text))
  return /\bget_(\w+)\(\)$/.exec(bare)?.[1] ?? variableIn(bare) ?? bare
}

function givenTo({kind, target, operator, text, call}: Statement) {
  if (kind === 'value' && /^[\w.>:-]+$/.test(target) && operator === '=')
    return {name: lastName(target), isField: /tiling/i.test(target), text}
  const [value] = call?.args ?? []
  return kind === 'call' && call?.name.startsWith('set_') && value !== undefined
    ? {name: call.name.slice(4), isField: true, text: value}
    : undefined
}

function divisorsIn({kind, text, parts}: Expression): string[] {
  const own = kind === 'operation' && (text === '/' || text === '%') && parts[1] ? [lastName(written(parts[1]))] : []
  return [...own, ...parts.flatMap(divisorsIn)]
}

/** Whether a statement counts for decisions: no log, no check of a pointer. */
export const isTelling = (one: Statement) => !isSilent(one) && !/\bnullptr\b/.test(one.text)

export function namesInside({kind, text, parts, texts}: Expression): string[] {
  if (kind === 'name') return [lastName(text)]
  const inner = parts.flatMap(namesInside)
  return kind === 'call' && parts.length === 0 ? [...inner, ...texts.filter((one) => /^\w+$/.test(one))] : inner
}

export const fact = (text: string): Fact => ({kind: 'fact', code: quoted(text)})
export const factOf = ({name, text}: Pick<Size, 'name' | 'text'>): Fact => fact(`${name} = ${text}`)
export const rule = (api: string, name: string): Rule => ({kind: 'rule', api, rule: name})

/** A decision; `subject` is what was decided on. */
export function decided(
  topic: DecisionTopic,
  situation: string,
  subject: string,
  values: Decision['values'],
  because: Decision['because'],
): Decision {
  return {topic, situation, subject, values, because}
}

/** Some of a list, each once and none too long to be quoted. */
export function few(texts: readonly string[], most = 4): string[] {
  return [...new Set(texts.map((one) => one.replace(/\s+/g, ' ').trim()))]
    .filter((one) => one.length <= 80 && one !== '')
    .slice(0, most)
}
