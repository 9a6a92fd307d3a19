import type {InferredShape, ShapeSource} from '../../datasets/schema/code-facts.ts'
import {checkOf, isSilent} from './checks.ts'
import type {FunctionFlow, Statement} from '../../cpp/syntax.ts'

type Constants = ReadonlyMap<string, number>
type Writing = Statement & {call: NonNullable<Statement['call']>}

/** The outputs whose shapes a function writes, as far as one rule gives them. */
export function inferredShapes(flow: FunctionFlow, constants: Constants): InferredShape[] {
  const reader = new ShapeReader(flow, constants)
  return flow.statements.flatMap(({target, call}) => {
    if (call?.name !== 'GetOutputShape' || target === '') return []
    const output = reader.number(call.args[0] ?? '')
    const rule = output === undefined ? undefined : reader.ruleOf(target)
    return rule && output !== undefined
      ? [{method: flow.name, output, variable: target, rule, hasCases: reader.hasCases(target)}]
      : []
  })
}

const inputShape = /^Get(?:Optional|Required)?InputShape$/
const attributeValue = /^Get(?:AttrPointer|Int|Float|Bool|Str)$/

class ShapeReader {
  private readonly statements: readonly Statement[]
  private readonly constants: Constants

  constructor({statements}: FunctionFlow, constants: Constants) {
    this.statements = statements
    this.constants = constants
  }

  number(text: string): string | undefined {
    const plain = bare(text)
    if (/^\d+$/.test(plain)) return plain
    const known = this.constants.get(plain)
    return known === undefined ? undefined : String(known)
  }

  hasCases(variable: string): boolean {
    const writes = this.writesOf(variable)
    const first = writes.map((one) => this.statements.indexOf(one))[0] ?? 0
    const early = this.statements
      .slice(0, first)
      .some(({kind, text, branches}) => kind === 'return' && branches.length > 0 && /SUCCESS/.test(text))
    return early || writes.some((one) => one.branches.length > 0 && !this.isRefused(one))
  }

  /** Whether the function fails in the same branch. */
  private isRefused({branches}: Statement): boolean {
    const place = JSON.stringify(branches)
    return this.statements.some(
      (one) => one.kind === 'return' && /FAILED/.test(one.text) && JSON.stringify(one.branches) === place,
    )
  }

  /** The result of unconditional writes; undefined if there are none, or no single rule. */
  ruleOf(variable: string): InferredShape['rule'] | undefined {
    const writes = this.writesOf(variable).filter(({branches}) => branches.length === 0)
    const whole = writes.filter(({target}) => target === `*${variable}`)
    const calls = writes.flatMap((one) =>
      one.kind === 'call' && one.call ? [{...one, call: one.call} satisfies Writing] : [],
    )
    // What is assigned last counts, whatever was set before.
    const last = writes.at(-1)
    if (last && whole.at(-1) === last) return this.copyRule(last)
    if (whole.length > 0 || calls.length === 0) return undefined
    if (calls.length === 1 && calls[0]!.call.name === 'SetScalar') return {kind: 'scalar'}
    return this.loopRule(calls) ?? this.dimensionRule(calls)
  }

  private writesOf(variable: string): Statement[] {
    return this.statements.filter((one) => {
      const {target, call} = one
      if (target === `*${variable}`) return true
      if (!call || checkOf(one, {isApi: false}) || isSilent(one)) return false
      return call.receiver === variable ? /^(?:Set|Append)/.test(call.name) : mentions(call.args, variable)
    })
  }

  private copyRule({text}: Statement): InferredShape['rule'] | undefined {
    const name = /^\*(\w+)$/.exec(text)?.[1] ?? ''
    const input = this.inputOf(name)
    if (input !== undefined) return {kind: 'same', of: 'input', index: input, isLooped: false}
    const value = this.onlyValue(name)
    const output = value?.call?.name === 'GetOutputShape' ? this.number(value.call.args[0] ?? '') : undefined
    return output === undefined ? undefined : {kind: 'same', of: 'output', index: output, isLooped: false}
  }

  /** `for (i …) y->SetDim(i, x->GetDim(i))` over the whole rank of one input. */
  private loopRule(calls: readonly Writing[]) {
    const [count, each] = [calls.find(({call}) => call.name === 'SetDimNum'), calls.find(({loops}) => loops.length > 0)]
    if (calls.length !== 2 || !count || !each || each.call.name !== 'SetDim' || each.loops.length !== 1)
      return undefined
    const [counter = '', value = ''] = each.call.args
    const [counted, without] = this.lessened(count.call.args[0] ?? '')
    const rank = this.sourceOf(counted)
    const read = /^(\w+)->GetDim\((\w+)\)$/.exec(this.lastValue(value) ?? value)
    const input = read?.[2] === counter ? this.inputOf(read[1]!) : undefined
    const [ended, left] = this.boundOf(counter, each.loops[0]!)
    const end = left === without ? this.sourceOf(ended) : undefined
    const isWhole = rank?.kind === 'rank' && end?.kind === 'rank' && rank.of === input && end.of === input
    return input !== undefined && isWhole
      ? {kind: 'same' as const, of: 'input' as const, index: input, isLooped: true, ...(without > 0 && {without})}
      : undefined
  }

  /** Of a loop from 0 to `rank - 1`, or while `i + 1 < rank`: the rank, and how much less. */
  private boundOf(counter: string, loop: string): [string, number] {
    const head = new RegExp(String.raw`\b${counter} = 0\w*; ${counter}(?: \+ (\w+))? < ([^;]+);`)
    const [, early = '0', bound = ''] = head.exec(loop) ?? []
    const [ended, left] = this.lessened(bound)
    return [ended, left + Number(this.number(early) ?? NaN)]
  }

  /** `rank - 1`: the count, and how much less. */
  private lessened(text: string): [string, number] {
    const [, count, less] = /^\(?(\w+|\w+->GetDimNum\(\)) - (\w+)\)?$/.exec(text.trim()) ?? []
    const value = less === undefined ? undefined : this.number(less)
    return count === undefined || value === undefined ? [text, 0] : [count, Number(value)]
  }

  /** `SetDimNum(2)`, then `SetDim(0, …)` and `SetDim(1, …)`; or `AppendDim` one after the other. */
  private dimensionRule(calls: readonly Writing[]) {
    if (calls.some(({loops, call}) => loops.length > 0 || !/^(?:SetDimNum|SetDim|AppendDim)$/.test(call.name)))
      return undefined
    const counts = calls.filter(({call}) => call.name === 'SetDimNum')
    const count = counts.length === 1 ? this.number(counts[0]!.call.args[0] ?? '') : undefined
    const appended = calls.filter(({call}) => call.name === 'AppendDim').map(({call}) => call.args[0] ?? '')
    const set = calls.filter(({call}) => call.name === 'SetDim')
    if (appended.length > 0)
      return set.length === 0 && (count === undefined || count === '0') ? this.dimensions(appended) : undefined
    const isInOrder = set.every(({call}, index) => this.number(call.args[0] ?? '') === String(index))
    return isInOrder && count === String(set.length) && set.length > 0
      ? this.dimensions(set.map(({call}) => call.args[1] ?? ''))
      : undefined
  }

  private dimensions(texts: readonly string[]): InferredShape['rule'] {
    return {kind: 'dimensions', values: texts.map((text) => ({text, source: this.sourceOf(text)}))}
  }

  private inputOf(name: string): string | undefined {
    const value = this.onlyValue(name)
    if (value?.call && inputShape.test(value.call.name)) return this.number(value.call.args[0] ?? '')
    const alias = /^[*&](\w+)$/.exec(value?.text ?? '')?.[1]
    return alias === undefined || alias === name ? undefined : this.inputOf(alias)
  }

  private sourceOf(text: string, depth = 0): ShapeSource | undefined {
    const plain = bare(text)
    const value = this.number(plain)
    if (value !== undefined) return {kind: 'number', value}
    const dimension = /^(\w+)->GetDim\((\w+)\)$/.exec(plain)
    const index = dimension ? this.number(dimension[2]!) : undefined
    const of = dimension ? this.inputOf(dimension[1]!) : undefined
    if (index !== undefined && of !== undefined) return {kind: 'dimension', of, index}
    const counted = /^(\w+)->GetDimNum\(\)$/.exec(plain)?.[1]
    const rankOf = counted === undefined ? undefined : this.inputOf(counted)
    if (rankOf !== undefined) return {kind: 'rank', of: rankOf}
    const pointer = /^\*(\w+)$/.exec(plain)?.[1]
    const read = pointer === undefined ? undefined : this.onlyValue(pointer)
    const attribute =
      read?.call && attributeValue.test(read.call.name) ? this.number(read.call.args[0] ?? '') : undefined
    if (attribute !== undefined) return {kind: 'attribute', index: attribute}
    const isOwn = /^\w+$/.test(plain) && depth < 4 && !this.isHanded(plain)
    const known = isOwn ? this.onlyValue(plain) : undefined
    return known && known.operator === '=' ? this.sourceOf(known.text, depth + 1) : undefined
  }

  /** Whether a function gets the variable, and may change it through a reference. */
  private isHanded(name: string): boolean {
    const handed = new RegExp(String.raw`[(,]\s*&?${name}\s*[,)]`)
    const plain = /^(?:SetDim|SetDimNum|AppendDim|GetDim)$/
    return this.statements.some((one) => handed.test(one.text) && !plain.test(one.call?.name ?? '') && !isSilent(one))
  }

  /** The one statement that gives a variable its value, outside of branches and loops. */
  private onlyValue(name: string): Statement | undefined {
    const all = this.statements.filter(({target}) => target === name)
    const [only] = all
    return all.length === 1 && only && only.branches.length === 0 && only.loops.length === 0 ? only : undefined
  }

  /** The value of a variable that is set once, in a loop too. */
  private lastValue(name: string): string | undefined {
    const all = this.statements.filter(({target}) => target === name)
    return all.length === 1 ? all[0]!.text : undefined
  }
}

/** Without casts to integers. */
function bare(text: string): string {
  return text
    .replace(/^static_cast<[\w: ]+>\((.*)\)$/, '$1')
    .replace(/^\((.*)\)$/, '$1')
    .replace(/(?<=^\d+)(?:[uUlL]+)$/, '')
}

function mentions(args: readonly string[], name: string): boolean {
  const word = new RegExp(String.raw`(?:^|[^\w>.])\*?${name}(?![\w>.-])`)
  return args.some((one) => word.test(one))
}
