import {synchronisationApis, vectorApis} from '../../../cpp/interfaces.ts'
import type {Call, FunctionSyntax} from '../../../cpp/syntax.ts'
import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import {tensorOf, variableOf} from '../variable.ts'
import {cleaned} from './cleaned.ts'

/** What instructions that follow each other leave in a tensor, as a formula over its previous content. */
export interface TileValue {
  method: string
  /** The tensor as it is written. */
  target: string
  expression: string
  /** Parts that are read more than once, by their letters; in the order of their dependence. */
  shared: {name: string; expression: string}[]
  /** The instructions that it takes, in order. */
  calls: Call[]
  /** Other tensors that hold intermediate results: temporaries, and inputs no longer needed. */
  scratch: string[]
  overwritten: string[]
  /** What these hold when the last instruction reads them. */
  held: {name: string; expression: string}[]
  /** Whether an instruction takes two tensors that a step before it, or the target, has to hold until then. */
  joins: boolean
  /** Whether the stretch computes a step of it again for something else. */
  repeats: boolean
}

/** Longer formulas say less than the code. */
const longest = 280

/** Instructions with these operands work element by element, so that their formulas can be put into each other. */
const families = new Set(['elementwise', 'conversion', 'fill', 'mathematics'])

interface Held {
  expression: string
  calls: Call[]
  shared: TileValue['shared']
}

/**
 * Formulas of straight stretches: calls in one branch and one loop, with nothing between them that could write the same
 * tensors. A call that no table explains ends a stretch, because a wrong formula is worse than none.
 */
export function tileValues({methods, vectorCalls}: KernelFacts): TileValue[] {
  const isVector = new Set(vectorCalls.map(({call}) => placeOf(call)))
  return methods.flatMap(({syntax}) =>
    stretches(syntax, isVector)
      .map((calls) => calls.map((call) => withoutAliases(call, syntax)))
      .flatMap((calls) => valuesOf(syntax.name, calls))
      .map((one) => withoutResults(one, syntax))
      .filter(isTelling),
  )
}

/** How many elements a call works on, as written; '' if given in another way. */
function countOf({name, args}: Call): string {
  const at = vectorApis.get(name)?.operands.findIndex(({kind}) => kind === 'count') ?? -1
  return at < 0 ? '' : (args[at] ?? '')
}

/** A tensor that the function was given is a result, not scratch. */
function withoutResults(one: TileValue, {parameters}: FunctionSyntax): TileValue {
  const given = new Set(parameters.map(({name}) => name))
  return {...one, scratch: one.scratch.filter((name) => !given.has(name))}
}

/** Two names for one tensor are one: `LocalTensor<float> weight = coordinates`. */
function withoutAliases(call: Call, {assignments}: FunctionSyntax): Call {
  const named = (text: string) => {
    const own = assignments.filter(({name}) => name === text)
    const [only] = own
    const isName = own.length === 1 && only?.operator === '=' && /^[A-Za-z_]\w*$/.test(only.value)
    return isName && assignments.every(({name}) => name !== only.value) ? only.value : text
  }
  return {...call, args: call.args.map((one) => (isTensorName(one) ? named(one) : one))}
}

const isTensorName = (text: string) => /^[A-Za-z_]\w*$/.test(text) && !/^[A-Z\d_]+$/.test(text)

const placeOf = ({name, line, args}: Call) => `${name} ${line} ${args.join()}`

/** Two instructions or more that compute, whose formula can be read at a glance. */
function isTelling({expression, shared, calls}: TileValue): boolean {
  const computing = calls.filter(({name}) => !['fill', 'conversion'].includes(vectorApis.get(name)?.family ?? ''))
  const whole = [expression, ...shared.map((one) => one.expression)].join('')
  return computing.length >= 2 && whole.length <= longest
}

function stretches({calls, assignments}: FunctionSyntax, isVector: ReadonlySet<string>): Call[][] {
  const found: Call[][] = []
  let [open, place] = [[] as Call[], '']
  const close = () => {
    if (open.length > 0) found.push(open)
    open = []
  }
  for (const call of calls) {
    const here = JSON.stringify([call.branches, call.loops])
    // A longer count works on neighbouring slices as well, of which the calls before know nothing.
    const isOther = open.some((one) => countOf(one) !== countOf(call))
    if (here !== place || (isOther && isVector.has(placeOf(call)))) close()
    place = here
    if (isVector.has(placeOf(call)) && isReadable(call)) {
      const [from, to] = [open[0]?.line ?? call.line, call.line]
      const names = new Set(
        open.concat(call).flatMap(({args}) => args.flatMap((one) => one.match(/[A-Za-z_]\w*/g) ?? [])),
      )
      if (assignments.some(({name, line}) => line > from && line <= to && names.has(variableOf(name)))) close()
      open.push(call)
    } else if (!isSilent(call)) close()
  }
  close()
  return found
}

/** Calls that change no tensor, besides those that only order others. */
const silent = new Set(
  (
    'EnQue DeQue AllocTensor FreeTensor Get GetSize ReinterpretCast SetMaskCount ResetMask SetVectorMask SetMaskNorm ' +
    'static_cast float half sizeof'
  )
    .split(' ')
    .concat([...synchronisationApis]),
)

const isSilent = ({name}: Call) => silent.has(name) || /^u?int\d+_t$/.test(name)

function isReadable({name, args}: Call): boolean {
  const api = vectorApis.get(name)
  if (name === 'Cast' && !/\bCAST_\w+$/.test(args[2] ?? '')) return false
  return api?.formula !== undefined && families.has(api.family) && args.length >= 2
}

function valuesOf(method: string, calls: readonly Call[]): TileValue[] {
  const held = new Map<string, Held>()
  const read = new Set<string>()
  // What was only copied there stands where it was computed.
  const copied = new Set<string>()
  const uses = usesOf(calls)
  const names = freeNames(calls)
  for (const call of calls) {
    const [target = ''] = call.args
    const sources = sourcesOf(call)
    const parts = sources.map((one) => held.get(one))
    // A part of what a stretch wrote under another name is not known.
    if (sources.some((one, at) => !parts[at] && overlaps(one, held))) return []
    read.delete(target)
    copied.delete(target)
    const [from] = sources
    if (isCopy(call) && from !== undefined) {
      held.set(target, parts[0] ?? {expression: cleaned(from), calls: [], shared: []})
      copied.add(target)
      continue
    }
    for (const one of sources) if (one !== target) read.add(one)
    const steps = new Set(parts.flatMap((one) => one?.calls ?? []))
    const own = {
      expression: filled(call, held, !uses.has(call)),
      calls: calls.filter((one) => steps.has(one) || one === call),
      shared: unique(parts.flatMap((one) => one?.shared ?? [])),
    }
    held.set(target, (uses.get(call) ?? 0) > 1 && isCompound(own.expression) ? named(own, names) : own)
  }
  return [...held].flatMap(([target, {expression, calls: own, shared}]): TileValue[] => {
    if (read.has(target) || copied.has(target)) return []
    const others = [...new Set(own.map(({args}) => args[0] ?? '').filter((one) => one !== target))]
    const given = others.filter((one) => isReadFirst(one, own))
    return [
      {
        ...{method, target: cleaned(target), ...inlined(expression, shared), calls: own},
        scratch: others.filter((one) => !given.includes(one)).map(cleaned),
        overwritten: given.map(cleaned),
        // Letters of shared parts mean nothing elsewhere.
        held: shared.length > 0 ? [] : others.map((one) => heldBy(one, held)),
        joins: own.some((one, at) => joinsHeld(one, own.slice(0, at), target)),
        repeats: own.some((one) => calls.some((other) => other !== one && sameStep(one, other))),
      },
    ]
  })
}

/** An input in a tensor of its own needs no place: only what was computed, and what the target held before. */
function joinsHeld(call: Call, before: readonly Call[], target: string): boolean {
  const held = new Set([target, ...before.map(({args}) => args[0] ?? '')])
  return sourcesOf(call).filter((one) => held.has(one)).length > 1
}

const sameStep = (one: Call, other: Call) =>
  one.name === other.name && one.args.slice(1).join() === other.args.slice(1).join()

/** A letter used only once is replaced by its meaning. */
function inlined(expression: string, shared: Held['shared']): Pick<TileValue, 'expression' | 'shared'> {
  let [text, rest] = [expression, shared]
  for (const {name, expression: part} of [...shared].reverse()) {
    const places = [text, ...rest.map((one) => one.expression)].flatMap((one) => one.match(letter(name)) ?? [])
    if (places.length > 1) continue
    const put = (one: string) => (one === name ? part : one.replace(letter(name), () => bracketed(part, 3)))
    text = put(text)
    rest = rest.filter((one) => one.name !== name).map((one) => ({...one, expression: put(one.expression)}))
  }
  return {expression: text, shared: rest}
}

const letter = (name: string) => new RegExp(`(?<![\\w.])${name}(?!\\w)`, 'g')

const heldBy = (name: string, held: ReadonlyMap<string, Held>) => ({
  name: cleaned(name),
  expression: held.get(name)?.expression ?? '',
})

/** Whether the calls read a tensor before one of them writes it. */
export function isReadFirst(tensor: string, calls: readonly Call[]): boolean {
  const read = calls.findIndex((one) => sourcesOf(one).includes(tensor))
  const written = calls.findIndex(({args}) => args[0] === tensor)
  return read >= 0 && read <= written
}

/** How often what a call writes is read before it is written again. */
function usesOf(calls: readonly Call[]): Map<Call, number> {
  const uses = new Map<Call, number>()
  const last = new Map<string, Call>()
  for (const call of calls) {
    if (isCopy(call)) {
      const writer = last.get(call.args[1] ?? '')
      if (writer) last.set(call.args[0] ?? '', writer)
      else last.delete(call.args[0] ?? '')
      continue
    }
    for (const one of sourcesOf(call)) {
      const writer = last.get(one)
      if (writer) uses.set(writer, (uses.get(writer) ?? 0) + 1)
    }
    last.set(call.args[0] ?? '', call)
  }
  return uses
}

const isCompound = (text: string) => /[^\w.[\]]/.test(text)

/** `Adds(to, from, 0)` and `Muls(to, from, 1)` compute nothing. */
export function isCopy({name, args: [to, from, scalar = '']}: Call): boolean {
  const neutral: Readonly<Record<string, RegExp>> = {Adds: /^-?0(?:\.0*)?$/, Muls: /^1(?:\.0*)?$/}
  return to !== from && neutral[name]?.test(cleaned(scalar).replace(/f$/i, '')) === true
}

/** Letters that the calls leave free. */
function freeNames(calls: readonly Call[]): string[] {
  const taken = calls.flatMap(({args}) => args.flatMap((one) => one.match(/[A-Za-z_]\w*/g) ?? []))
  // The tensor of an input `w` goes by `wLocal`, `w_` or the like.
  const isOf = (letter: string) => new RegExp(`^${letter}(?![a-z])`)
  return ['u', 'v', 'w', 'p', 'q', 'r'].filter((one) => !taken.some((name) => isOf(one).test(name)))
}

function named(held: Held, names: string[]): Held {
  const name = names.shift()
  if (name === undefined) return held
  return {...held, expression: name, shared: [...held.shared, {name, expression: held.expression}]}
}

function unique(all: Held['shared']): Held['shared'] {
  return [...new Map(all.map((one) => [one.name, one])).values()]
}

const overlaps = (text: string, held: ReadonlyMap<string, Held>) =>
  [...held.keys()].some((one) => one !== text && tensorOf(one) === tensorOf(text))

/** Tensors that a call reads, as they are written. */
function sourcesOf({name, args}: Call): string[] {
  const {operands = [], formula = ''} = vectorApis.get(name) ?? {}
  const used = [...formula.matchAll(/\$(\d)/g)].map((match) => Number(match[1]))
  const tensors = used.filter((at) => operands[at]?.kind !== 'scalar')
  return [...new Set([...(/\bdst\b/.test(formula) ? [0] : []), ...tensors])].flatMap((at) => args[at] ?? [])
}

/** A formula with its operands; brackets only where needed. */
function filled({name, args}: Call, held: ReadonlyMap<string, Held>, isLast: boolean): string {
  const {formula = ''} = vectorApis.get(name) ?? {}
  const value = (at: number) => held.get(args[at] ?? '')?.expression ?? cleaned(args[at] ?? '?')
  const [, left, operator, right] = /^(dst|\$\d) ([-+*/]) (\$\d)$/.exec(formula) ?? []
  // From a tensor into itself no type changes: what is left is the rounding.
  if (name === 'Cast') return rounded(value(1), args[2] ?? '', isLast && args[0] !== args[1])
  const operand = (text = '') => value(text === 'dst' ? 0 : Number(text.slice(1)))
  if (operator !== undefined) return joined(operand(left), operator, operand(right))
  const [dst, first, second] = [value(0), value(1), value(2)]
  if (formula === 'dst + $1 * $2') return joined(dst, '+', joined(first, '*', second))
  if (formula === 'dst * $1 + $2') return joined(joined(dst, '*', first), '+', second)
  const isOne = /^(?:\$1|\|\$1\||\w+\(\$1(?:, \$2)?\))$/.test(formula)
  const put = (text: string) => (isOne ? text : bracketed(text, 3))
  return formula.replace(/\bdst\b/g, () => put(value(0))).replace(/\$(\d)/g, (_, at: string) => put(value(Number(at))))
}

/** A conversion changes a value where it rounds to integers; at the end it rounds to what the result's type holds. */
function rounded(text: string, mode: string, isLast: boolean): string {
  const [, how = ''] = /CAST_(\w+)$/.exec(mode) ?? []
  return how === 'NONE' || (how === 'RINT' && isLast) ? text : `${how.toLowerCase()}(${text})`
}

const ranks: Readonly<Record<string, number>> = {'+': 1, '-': 1, '*': 2, '/': 2}

/** `a + -c` is `a - c`, `-a + c` is `c - a`, and `a * -1` is `-a`. */
function joined(left: string, operator: string, right: string): string {
  if (operator === '*' && /^1 \/ [\w.>-]+$/.test(right)) return joined(left, '/', right.slice(4))
  if (operator === '*' && /^-1(?:\.0?)?$/.test(right)) return `-${bracketed(left, 2)}`
  if (operator === '+' && right.startsWith('-')) return joined(left, '-', right.slice(1))
  if (operator === '+' && left.startsWith('-') && rankOf(left) > 1) return joined(right, '-', left.slice(1))
  const rank = ranks[operator] ?? 0
  const isOrdered = operator === '-' || operator === '/'
  return `${bracketed(left, rank)} ${operator} ${bracketed(right, isOrdered ? rank + 1 : rank)}`
}

const bracketed = (text: string, rank: number) => (rankOf(text) < rank || text.startsWith('-') ? `(${text})` : text)

/** How tightly the loosest operator outside of brackets binds; 3 without any. */
function rankOf(text: string): number {
  if (/^\|[^|]*\|$/.test(text)) return 3
  let [depth, rank] = [0, 3]
  for (const [at, one] of [...text].entries()) {
    if ('([{'.includes(one)) depth += 1
    else if (')]}'.includes(one)) depth -= 1
    else if (depth === 0 && at > 0 && text[at - 1] === ' ')
      rank = Math.min(rank, ranks[one] ?? ('?:&|^<>='.includes(one) ? 0 : 3))
  }
  return rank
}
