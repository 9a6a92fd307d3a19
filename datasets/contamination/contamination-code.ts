import type {CodeBlock} from './code-forms.ts'
import {emptyHash, hashOn, runOf} from './ngrams.ts'
import type {CodeForm} from './normalize-statements.ts'

/** How much of a reference's file or function a text contains. */
export interface CodeMatch {
  /** Index of the reference. */
  reference: number
  of: 'file' | 'function' | 'part' | 'flow'
  /** Distinct statements in both, and those of the reference that are not idiom; for `flow`, links. */
  found: number
  statements: number
  /** Weighted share of the reference's statements, or of the text's if `of` is `part`. */
  share: number
  /** Sum of the weights of shared statements: 1 for a statement in only one reference. */
  weight: number
}

/** When a match is a leak, by the unit that it matches. */
const codeRules = {
  /** A C++ file, identified by what only it and few others have. */
  file: {weight: 8, share: 0.65},
  smallFile: {weight: 6, share: 0.75},
  /** The same by count alone: what a whole family of references shares is not in them by chance. */
  wholeFile: {statements: 20, share: 0.8},
  wholeSmallFile: {statements: 9, share: 0.9},
  function: {weight: 8, share: 0.8},
  wholeFunction: {statements: 12, share: 0.9},
  /** A text that is mostly contained in one file of a reference: an excerpt. */
  part: {weight: 10, share: 0.7},
  /** A text that is one function: it calls hardly anything else, and hardly anything is missing. */
  alone: {statements: 5, weight: 2, share: 0.9},
  /** A Python module: short, with a frame that a whole benchmark shares. */
  python: {weight: 2, share: 0.75},
} as const

/** The minimum of both over all rules. */
const lines: readonly {weight?: number; statements?: number}[] = Object.values(codeRules)
const leastWeight = Math.min(...lines.map(({weight = Infinity}) => weight))
const leastFound = Math.min(...lines.map(({statements = Infinity}) => statements))

interface CodeUnit {
  reference: number
  kind: 'file' | 'function' | 'python'
  features: Features
  weight: number
}

/** Hashes of statements; true for those that call the API, which are never incidental. */
export type Features = Map<number, boolean>

/**
 * The worst leak, and in `near` the best match below the threshold, for a sweep of thresholds. A text that `holds`
 * nearly all of a function may contain it among other code.
 */
export interface Matched {
  leak?: CodeMatch
  near: number
  holds: boolean
}

interface CodeIndex {
  match(features: Features): Matched
}

/**
 * Finds references' code by its statements: each is folded (the author's names, qualifiers, layout and comments do not
 * count), so a copy is found despite insertions, moves, renames or extracted functions; and by consecutive calls,
 * whatever is between them. A statement weighs less the more references contain it.
 * @param references their number
 */
export function codeIndex(units: readonly CodeUnit[], references: number): CodeIndex {
  const weigh = weightsOf(units, references)
  const known = new Map<number, {weight: number; units: number[]}>()
  for (const [number, unit] of units.entries()) {
    for (const feature of unit.features.keys()) {
      const weight = weigh(feature)
      unit.weight += weight
      const has = known.get(feature)
      if (has) has.units.push(number)
      else known.set(feature, {weight, units: [number]})
    }
  }
  const tally = new Tally(units.length)
  return {
    match(features) {
      const own = {all: 0, calling: 0}
      for (const [feature, isCalling] of features) {
        const has = known.get(feature)
        // A statement in no reference weighs as much as one in a single reference.
        const weight = has?.weight ?? 1
        own.all += weight
        if (isCalling) own.calling += weight
        for (const number of has?.units ?? []) tally.add(number, weight, isCalling)
      }
      return worstOf(tally.taken().map(([number, shared]) => judged(units[number] as CodeUnit, shared, own)))
    },
  }
}

/** Sums by unit, reused from text to text: a text shares a statement or two with hundreds of units. */
class Tally {
  readonly #weight: Float64Array
  readonly #calling: Float64Array
  readonly #found: Int32Array
  #touched: number[] = []

  constructor(units: number) {
    this.#weight = new Float64Array(units)
    this.#calling = new Float64Array(units)
    this.#found = new Int32Array(units)
  }

  add(unit: number, weight: number, isCalling: boolean): void {
    if (this.#found[unit] === 0) this.#touched.push(unit)
    this.#weight[unit] = (this.#weight[unit] as number) + weight
    if (isCalling) this.#calling[unit] = (this.#calling[unit] as number) + weight
    this.#found[unit] = (this.#found[unit] as number) + 1
  }

  /** The units that could satisfy any rule; resets all sums to 0. */
  taken(): [number, Shared][] {
    const taken: [number, Shared][] = []
    for (const unit of this.#touched) {
      const weight = this.#weight[unit] as number
      const found = this.#found[unit] as number
      const shared = {weight, calling: this.#calling[unit] as number, found}
      if (weight >= leastWeight || found >= leastFound) taken.push([unit, shared])
      this.#weight[unit] = 0
      this.#calling[unit] = 0
      this.#found[unit] = 0
    }
    this.#touched = []
    return taken
  }
}

interface Judged {
  match: CodeMatch
  isLeak: boolean
  /** Whether it weighs enough to be a leak at another share. */
  isNear: boolean
  /** Whether nearly all of a function is present, whatever else is. */
  isHeld: boolean
}

/** Weights and number of the features that a text and a unit share. */
interface Shared {
  weight: number
  calling: number
  found: number
}

function judged(unit: CodeUnit, {weight, calling, found}: Shared, own: {all: number; calling: number}): Judged {
  const {reference, kind, features} = unit
  const statements = features.size
  const share = unit.weight === 0 ? 0 : weight / unit.weight
  const said = {reference, found, statements, weight}
  if (kind === 'python')
    return asJudged({...said, of: 'file', share}, codeRules.python, reaches(codeRules.python, weight, share))
  const [weighed, counted] =
    kind === 'file' ? [codeRules.file, codeRules.wholeFile] : [codeRules.function, codeRules.wholeFunction]
  const isWhole = [counted, ...(kind === 'file' ? [codeRules.wholeSmallFile] : [])].some(
    (line) => found >= line.statements && found >= line.share * statements,
  )
  const {alone} = codeRules
  const isHeld = found >= alone.statements && reaches(alone, weight, share)
  const isAlone = isHeld && own.calling > 0 && calling / own.calling >= alone.share
  const isSmall = kind === 'file' && reaches(codeRules.smallFile, weight, share)
  const isLeak = isWhole || isAlone || isSmall || reaches(weighed, weight, share)
  const ofUnit = {...asJudged({...said, of: kind, share}, weighed, isLeak), isHeld: isHeld && kind === 'function'}
  if (isLeak || kind === 'function' || !reaches(codeRules.part, weight, weight / own.all)) return ofUnit
  return asJudged({...said, of: 'part', share: weight / own.all}, codeRules.part, true)
}

const asJudged = (match: CodeMatch, line: {weight: number}, isLeak: boolean): Judged => ({
  match,
  isLeak,
  isNear: match.weight >= line.weight,
  isHeld: false,
})

const reaches = (line: {weight: number; share: number}, weight: number, share: number) =>
  weight >= line.weight && share >= line.share

function worstOf(all: readonly Judged[]): Matched {
  const [leak] = all
    .filter(({isLeak}) => isLeak)
    .map(({match}) => match)
    .sort((a, b) => b.weight - a.weight || a.reference - b.reference)
  const near = all
    .filter(({isNear, isLeak}) => isNear && !isLeak)
    .reduce((most, {match}) => Math.max(most, match.share), 0)
  return {...(leak && {leak}), near, holds: all.some(({isHeld}) => isHeld)}
}

/** 1 for a feature of one reference, less for one of several, nearly 0 for one of all. */
export function weightsOf(
  units: readonly {reference: number; features: {keys(): Iterable<number>}}[],
  references: number,
): (feature: number) => number {
  const having = new Map<number, Set<number>>()
  for (const {reference, features} of units) {
    for (const feature of features.keys()) having.set(feature, (having.get(feature) ?? new Set()).add(reference))
  }
  const all = Math.log(references + 1)
  const weights = new Map([...having].map(([feature, {size}]) => [feature, 1 - Math.log(size) / all]))
  return (feature) => weights.get(feature) ?? 1
}

/** The files and functions of a reference, without what unrelated texts also contain. */
export function codeUnits(
  blocks: readonly CodeBlock[],
  reference: number,
  innocent: Pick<ReadonlySet<number>, 'has'>,
): CodeUnit[] {
  const unit = (kind: CodeUnit['kind'], said: Said): CodeUnit => {
    const features = [...codeFeatures([said])].filter(([one]) => !innocent.has(one))
    return {reference, kind, features: new Map(features), weight: 0}
  }
  return blocks
    .flatMap(({form, isPython}) => [
      unit(isPython ? 'python' : 'file', {form}),
      ...form.functions.map((one) => unit('function', {form: one})),
    ])
    .filter(({features}) => features.size > 0)
}

interface Said {
  form: Pick<CodeForm, 'statements' | 'calls'>
}

/** Shorter statements are too common. */
const leastTokens = 4

/** Calls that any code may insert between two others. */
const between = new Set(['PipeBarrier', 'SyncAll'])

export function codeFeatures(forms: readonly Said[]): Features {
  const features: Features = new Map()
  for (const {form} of forms) {
    for (const {hash, tokens, isCalling} of form.statements)
      if (tokens >= leastTokens) features.set(runOf(hash), isCalling)
    let before: string | undefined
    for (const call of form.calls) {
      if (between.has(call)) continue
      if (before !== undefined) features.set(runOf(hashOn(emptyHash, `${before} then ${call}`)), true)
      before = call
    }
  }
  return features
}
