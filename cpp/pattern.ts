import {isClosing, isOpening, type Stretch, type TokenStream} from './brackets.ts'
import {tokenize, type Token} from './tokens.ts'

/** A hole's restriction besides its form: one of some words, or what a test says. */
type Takes = ReadonlySet<string> | ((text: string) => boolean)

/** A piece of C++ with holes; layout and comments do not count. */
export interface Pattern {
  steps: readonly Step[]
  /** Tokens at fixed distances after the first: those before which each hole takes one token. */
  fixed: readonly {text: string; ahead: number}[]
  takes: Readonly<Record<string, Takes>>
}

interface Step {
  text: string
  /** The name of a hole; '' for a literal token. */
  hole: string
  /** `one` word or number, `some` tokens of one statement with whole brackets, `any` number of tokens. */
  size: 'one' | 'some' | 'any'
}

export interface Match extends Stretch {
  /** The one of the patterns that fits. */
  pattern: Pattern
  holes: Readonly<Record<string, Stretch>>
}

/**
 * `for ($type $i = 0; $i < $$bound; ++$i) { $$$body }`: `$i` takes one word or number, the same at each place;
 * `$$bound` takes the fewest tokens, at least one, of a statement, with whole brackets; `$$$body` may be empty and
 * spans semicolons. `$_`, `$$_` and `$$$_` take something else at each place.
 */
export function pattern(text: string, takes: Pattern['takes'] = {}): Pattern {
  const form = known.get(text) ?? formOf(text)
  known.set(text, form)
  return {...form, takes}
}

/** Patterns are few and are looked for in many files. */
const known = new Map<string, Omit<Pattern, 'takes'>>()

function formOf(text: string): Omit<Pattern, 'takes'> {
  const steps = stepsOf(text)
  const wide = steps.findIndex(({size}) => size !== 'one')
  const near = steps.slice(0, wide < 0 ? steps.length : wide)
  return {steps, fixed: near.flatMap(({hole, text}, ahead) => (hole === '' ? [{text, ahead}] : []))}
}

function stepsOf(text: string): Step[] {
  return tokenize(text, 'operators').map(({text: one}): Step => {
    const [, marks, hole] = /^(\${1,3})(\w+)$/.exec(one) ?? []
    const size = (['one', 'some', 'any'] as const)[(marks?.length ?? 1) - 1] ?? 'one'
    return {text: one, hole: hole ?? '', size}
  })
}

/** For a hole: takes words, numbers and some marks alone. */
export function madeOf(marks: string): (text: string) => boolean {
  const known = new Set(marks.split(' '))
  return (text) => text.split(' ').every((one) => /^[\w.]+$/.test(one) || known.has(one))
}

/** The matches of any of some patterns in order; where one ends the next begins at the earliest. */
export function* matchesOf(stream: TokenStream, patterns: readonly Pattern[]): Generator<Match> {
  for (let from = 0; from < stream.tokens.length; from += 1) {
    const match = matchAt(stream, patterns, from)
    if (!match) continue
    yield match
    from = Math.max(from, match.to - 1)
  }
}

/** Most patterns fit at few tokens: so the cheapest exclusion is tested first. */
function mayBegin({tokens}: TokenStream, {fixed, steps, takes}: Pattern, from: number): boolean {
  for (const {text, ahead} of fixed) if (tokens[from + ahead]?.text !== text) return false
  const {hole, size} = steps[0] as Step
  const words = takes[hole]
  return size !== 'one' || !(words instanceof Set) || words.has(tokens[from]?.text ?? '')
}

/** The match of the first pattern that fits from a token on. */
function matchAt(stream: TokenStream, patterns: readonly Pattern[], from: number): Match | undefined {
  for (const one of patterns) {
    if (!mayBegin(stream, one, from)) continue
    const holes: Record<string, Stretch> = {}
    const to = fit(stream, one, {step: 0, at: from}, holes)
    if (to !== undefined) return {from, to, pattern: one, holes}
  }
  return undefined
}

/** One past the last token that the rest of a pattern takes; undefined where it does not fit. */
function fit(
  stream: TokenStream,
  one: Pattern,
  {step, at}: {step: number; at: number},
  holes: Record<string, Stretch>,
): number | undefined {
  const here = one.steps[step]
  if (!here) return at
  const token = stream.tokens[at]
  const rest = (to: number) => fit(stream, one, {step: step + 1, at: to}, holes)
  if (here.hole === '') return token?.text === here.text ? rest(at + 1) : undefined
  for (const to of endsOf(stream, here, at)) {
    if (!mayTake(stream, here, {from: at, to}, {holes, takes: one.takes[here.hole]})) continue
    const known = holes[here.hole]
    holes[here.hole] = known ?? {from: at, to}
    const end = fit(stream, one, {step: step + 1, at: to}, holes)
    if (end !== undefined) return end
    if (!known) delete holes[here.hole]
  }
  return undefined
}

/** Where a hole that begins at a token may end, the nearest first. */
function* endsOf({tokens, partners}: TokenStream, {size}: Step, from: number): Generator<number> {
  const first = tokens[from]
  if (size === 'one') {
    if (first?.kind === 'word' || first?.kind === 'number') yield from + 1
    return
  }
  if (size === 'any') yield from
  for (let at = from; at < tokens.length; ) {
    const token = tokens[at] as Token
    if (isClosing(token) || (token.text === ';' && size === 'some')) return
    const partner = partners[at] as number
    if (isOpening(token) && partner < 0) return
    at = Math.max(at, partner) + 1
    yield at
  }
}

function mayTake(
  {tokens}: TokenStream,
  {hole}: Step,
  {from, to}: Stretch,
  {holes, takes}: {holes: Readonly<Record<string, Stretch>>; takes: Takes | undefined},
): boolean {
  const known = hole === '_' ? undefined : holes[hole]
  if (!known && !takes) return true
  const text = textsOf(tokens, {from, to})
  if (known && textsOf(tokens, known) !== text) return false
  if (!takes) return true
  return typeof takes === 'function' ? takes(text) : takes.has(text)
}

function textsOf(tokens: readonly Token[], {from, to}: Stretch): string {
  return to === from + 1
    ? (tokens[from] as Token).text
    : tokens
        .slice(from, to)
        .map(({text}) => text)
        .join(' ')
}
