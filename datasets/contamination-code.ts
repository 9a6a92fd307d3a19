import type {CodeBlock} from './code-forms.ts'
import {ngrams} from './ngrams.ts'
import type {CodeForm} from './normalize-statements.ts'

/** How much of a file or function of a reference a text holds. */
export interface CodeMatch {
  /** Index of the reference. */
  reference: number
  of: 'file' | 'function' | 'part' | 'flow'
  /** Distinct statements that both have, and those of the reference that are no idiom; of `flow`, its links. */
  found: number
  statements: number
  /** Weighted share of the reference's, or of the text's where `of` is `part`. */
  share: number
  /** Sum of the weights of what both have: 1 for a statement that only one reference has. */
  weight: number
}

/** What makes a match a leak, by what it is a match of. */
const codeRules = {
  /** A file of C++, told by what only it and few others have. */
  file: {weight: 8, share: 0.65},
  smallFile: {weight: 6, share: 0.75},
  /** The same by number alone: what a whole family of references shares is in none of them by chance. */
  wholeFile: {statements: 20, share: 0.8},
  wholeSmallFile: {statements: 9, share: 0.9},
  function: {weight: 8, share: 0.8},
  wholeFunction: {statements: 12, share: 0.9},
  /** A text of which most stands in one file of a reference: an excerpt. */
  part: {weight: 10, share: 0.7},
  /** A text that is one function: hardly anything is called that it does not call, and hardly anything is missing. */
  alone: {statements: 5, weight: 2, share: 0.9},
  /** A module of Python, which is short, and whose frame all of a benchmark's share. */
  python: {weight: 2, share: 0.75},
} as const

interface CodeUnit {
  reference: number
  kind: 'file' | 'function' | 'python'
  features: Features
  weight: number
}

/** What code says, as hashes; true for what calls the API, which nothing does idly. */
export type Features = Map<number, boolean>

interface CodeIndex {
  /** The worst leak, and the best match below the line of a leak in `near`: what other thresholds would find. */
  match(features: Features): {leak?: CodeMatch; near: number}
}

/**
 * Finds references' code by its statements: each is folded (names of the author's, qualifiers, layout and comments do
 * not count), so a copy is found whatever was inserted into it, moved, renamed or put into functions of its own; and by
 * calls that follow each other, whatever stands between them. A statement weighs less the more references have it.
 * @param references how many there are
 */
export function codeIndex(units: readonly CodeUnit[], references: number): CodeIndex {
  const weigh = weightsOf(units, references)
  const holders = new Map<number, number[]>()
  for (const [number, unit] of units.entries()) {
    for (const feature of unit.features.keys()) {
      unit.weight += weigh(feature)
      const known = holders.get(feature)
      if (known) known.push(number)
      else holders.set(feature, [number])
    }
  }
  return {
    match(features) {
      const tally = new Map<number, Shared>()
      const own = {all: 0, calling: 0}
      for (const [feature, isCalling] of features) {
        const weight = weigh(feature)
        own.all += weight
        if (isCalling) own.calling += weight
        for (const number of holders.get(feature) ?? []) {
          const known = tally.get(number) ?? {weight: 0, calling: 0, found: 0}
          const calling = known.calling + (isCalling ? weight : 0)
          tally.set(number, {weight: known.weight + weight, calling, found: known.found + 1})
        }
      }
      return worstOf([...tally].map(([number, shared]) => judged(units[number] as CodeUnit, shared, own)))
    },
  }
}

interface Judged {
  match: CodeMatch
  isLeak: boolean
  /** Whether it weighs enough to be one at another share. */
  isNear: boolean
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
  const isAlone =
    found >= alone.statements && reaches(alone, weight, Math.min(share, own.calling === 0 ? 0 : calling / own.calling))
  const isSmall = kind === 'file' && reaches(codeRules.smallFile, weight, share)
  const isLeak = isWhole || isAlone || isSmall || reaches(weighed, weight, share)
  const ofUnit = asJudged({...said, of: kind, share}, weighed, isLeak)
  if (isLeak || kind === 'function' || !reaches(codeRules.part, weight, weight / own.all)) return ofUnit
  return asJudged({...said, of: 'part', share: weight / own.all}, codeRules.part, true)
}

const asJudged = (match: CodeMatch, line: {weight: number}, isLeak: boolean): Judged => ({
  match,
  isLeak,
  isNear: match.weight >= line.weight,
})

const reaches = (line: {weight: number; share: number}, weight: number, share: number) =>
  weight >= line.weight && share >= line.share

function worstOf(all: readonly Judged[]): {leak?: CodeMatch; near: number} {
  const [leak] = all
    .filter(({isLeak}) => isLeak)
    .map(({match}) => match)
    .sort((a, b) => b.weight - a.weight || a.reference - b.reference)
  const near = all
    .filter(({isNear, isLeak}) => isNear && !isLeak)
    .reduce((most, {match}) => Math.max(most, match.share), 0)
  return {...(leak && {leak}), near}
}

/** 1 for what one reference has, less for what more have, down to nearly 0 for what all have. */
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

/** The files and functions of a reference, without what innocent texts say as well. */
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

/** Shorter statements are everybody's. */
const leastTokens = 4

/** Calls that any code may put between two others. */
const between = new Set(['PipeBarrier', 'SyncAll'])

export function codeFeatures(forms: readonly Said[]): Features {
  const features: Features = new Map()
  for (const {form} of forms) {
    for (const statement of form.statements) {
      if (statement.split(' ', leastTokens).length === leastTokens)
        features.set(hashOf(statement), /(?:^| )[A-Z]\w*[a-z]\w* [(<]/.test(statement))
    }
    const calls = form.calls.filter((call) => !between.has(call))
    for (const [index, call] of calls.slice(1).entries()) features.set(hashOf(`${calls[index]} then ${call}`), true)
  }
  return features
}

const hashOf = (text: string) => ngrams([text], 1)[0] as number
