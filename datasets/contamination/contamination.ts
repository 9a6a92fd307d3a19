import {readFileSync} from 'node:fs'
import {codeForms, type CodeBlock} from './code-forms.ts'
import {
  codeFeatures,
  codeIndex,
  codeUnits,
  type CodeMatch,
  type Features,
  type Matched,
  weightsOf,
} from './contamination-code.ts'
import {LetterSieve} from './letter-sieve.ts'
import {ngrams, runsOf, tokenHashes} from './ngrams.ts'
import {splitCode, words} from './normalize.ts'

export interface Reference {
  name: string
  /** The operator's type. */
  operator?: string | undefined
  texts: readonly string[]
}

/**
 * A text of a record: its place, and `code` for a source file; otherwise code is recognised by fences and appearance.
 */
export interface Place {
  name: string
  text: string
  as: 'text' | 'code'
}

export interface Leak {
  reference: string
  place: string
  measure: {kind: 'words'; runs: number; length: number} | ({kind: 'code'} & Omit<CodeMatch, 'reference'>)
}

interface ContaminationIndex {
  /**
   * What all the texts of a record leak together, so that a file split in two is found as well; and the share of a
   * reference's code found below the thresholds, for a sweep.
   */
  look(places: readonly Place[]): {leak?: Leak; near: number}
}

// Prose: one shared run of 13 words is a leak, of 8 for short texts. GPT-3 chose 8 to 13 by
// text length (Brown et al. 2020, arXiv:2005.14165, appendix C); Open-R1 and s1 use 8.
const lengths = {long: 13, short: 8} as const
type Unit = keyof typeof lengths
const units = Object.keys(lengths) as Unit[]
const shortText = 26

/** A run of words in this many references is idiom. */
const idiomReferences = 3

/** Least mean weight of a function found among other code: there, what a whole family of tasks shares is idiom. */
const rarity = 0.5

const ownBoilerplate = new URL('boilerplate.md', import.meta.url)

/**
 * @param api names in PascalCase that belong to the API; without it, an author's class names are treated as API names
 */
export function contaminationIndex(
  references: readonly Reference[],
  boilerplate: readonly string[],
  api?: ReadonlySet<string>,
): ContaminationIndex {
  const innocents = [readFileSync(ownBoilerplate, 'utf8'), ...boilerplate]
  const prose = proseIndex(references, innocents)
  const code = codeLook(references, innocents, api)
  const nameOf = (number: number) => references[number]?.name ?? ''
  return {
    look(places) {
      const own = places.map(({text, as}) => code.features(text, as))
      const {leak: copy, near} = code.match(own)
      if (copy) {
        const {reference, ...measure} = copy
        const sizes = own.map((one) => code.match([one]).leak?.weight ?? 0)
        const place = places[sizes.indexOf(Math.max(...sizes))]?.name ?? ''
        return {leak: {reference: nameOf(reference), place, measure: {kind: 'code', ...measure}}, near}
      }
      for (const {name: place, text, as} of places) {
        const found = as === 'code' ? undefined : prose(text)
        if (found) {
          const {reference, ...measure} = found
          return {leak: {reference: nameOf(reference), place, measure: {kind: 'words', ...measure}}, near}
        }
      }
      return {near}
    },
  }
}

interface Flowing {
  said: Features
  links: readonly number[]
}

interface CodeFeatures extends Flowing {
  /** For each function with a body. */
  functions(): Flowing[]
}

interface CodeLook {
  features(text: string, as: Place['as']): CodeFeatures
  /** By statements first, otherwise by data flow; for everything together, otherwise for each function. */
  match(of: readonly CodeFeatures[]): Matched
}

function codeLook(references: readonly Reference[], innocents: readonly string[], api?: ReadonlySet<string>): CodeLook {
  const known = {said: new Set<number>(), links: new Set<number>()}
  for (const text of innocents) {
    const blocks = codeForms(text, 'text', api)
    for (const feature of codeFeatures(blocks).keys()) known.said.add(feature)
    for (const link of flowFeatures(blocks)) known.links.add(link)
  }
  const units = references.flatMap(({texts}, number) =>
    texts.map((text) => {
      const blocks = codeForms(text, 'text', api)
      return {said: codeUnits(blocks, number, known.said), flows: flowUnits(blocks, number, known.links)}
    }),
  )
  const said = codeIndex(
    units.flatMap((unit) => unit.said),
    references.length,
  )
  const flows = flowIndex(
    units.flatMap((unit) => unit.flows),
    references.length,
  )
  return {
    features(text, as) {
      const blocks = codeForms(text, as, api)
      const functions = () =>
        blocks.flatMap(({form}) => form.functions.map((one) => featuresOf([{form: {...one, functions: [one]}}])))
      return {...featuresOf(blocks), functions}
    },
    match(of) {
      const whole = matchOf(of)
      if (whole.leak || !whole.holds) return whole
      // A task's function among other code is a small part of the text, but all of one function.
      const leaks = of.flatMap((one) => one.functions()).flatMap((one) => matchOf([one]).leak ?? [])
      const rare = leaks.filter(({weight, found}) => weight >= rarity * found)
      const [leak] = rare.sort((a, b) => b.weight - a.weight || a.reference - b.reference)
      return {...whole, ...(leak && {leak})}
    },
  }

  function featuresOf(blocks: readonly Pick<CodeBlock, 'form'>[]): Flowing {
    const features = codeFeatures(blocks)
    for (const one of features.keys()) if (known.said.has(one)) features.delete(one)
    return {said: features, links: flowFeatures(blocks).filter((link) => !known.links.has(link))}
  }

  function matchOf(of: readonly Flowing[]): Matched {
    const bySaid = said.match(together(of.map((one) => one.said)))
    if (bySaid.leak) return bySaid
    const byFlow = flows(new Set(of.flatMap((one) => one.links)))
    const near = Math.max(bySaid.near, byFlow.near)
    return {...(byFlow.leak && {leak: byFlow.leak}), near, holds: bySaid.holds || byFlow.holds}
  }
}

function together(all: readonly Features[]): Features {
  const [only, ...others] = all.filter(({size}) => size > 0)
  if (only === undefined || others.length === 0) return only ?? new Map()
  const both = new Map(only)
  for (const one of others) for (const [feature, isCalling] of one) both.set(feature, isCalling)
  return both
}

interface SharedRuns {
  reference: number
  runs: number
  length: number
}

function proseIndex(
  references: readonly Reference[],
  innocents: readonly string[],
): (text: string) => SharedRuns | undefined {
  const holders: Record<Unit, Map<number, Set<number>>> = {long: new Map(), short: new Map()}
  const told = references.flatMap(({texts}, number) =>
    texts.flatMap((text) => {
      const tokens = words(splitCode(text).prose)
      if (tokens.length < lengths.short) return []
      return [{number, tokens, unit: tokens.length < shortText ? ('short' as const) : ('long' as const)}]
    }),
  )
  for (const {number, tokens, unit} of told) {
    for (const run of ngrams(tokens, lengths[unit])) {
      const known = holders[unit].get(run)
      if (known) known.add(number)
      else holders[unit].set(run, new Set([number]))
    }
  }
  for (const unit of units)
    for (const [run, having] of holders[unit]) if (having.size >= idiomReferences) holders[unit].delete(run)
  for (const text of innocents) {
    const hashes = tokenHashes(words(splitCode(text).prose))
    for (const unit of units) for (const run of runsOf(hashes, lengths[unit])) holders[unit].delete(run)
  }
  const sieve = new LetterSieve()
  for (const {tokens, unit} of told) {
    const runs = ngrams(tokens, lengths[unit])
    sieve.add(tokens, lengths[unit], (start) => holders[unit].has(runs[start] as number))
  }
  return (text) => {
    const {prose} = splitCode(text)
    if (!sieve.mayHave(prose)) return undefined
    const hashes = tokenHashes(words(prose))
    for (const unit of units) {
      if (hashes.length < lengths[unit]) continue
      // Hardly any run of a text occurs in a reference.
      const shared = runsOf(hashes, lengths[unit]).filter((run) => holders[unit].has(run))
      const counts = new Map<number, number>()
      for (const run of new Set(shared))
        for (const number of holders[unit].get(run) ?? []) counts.set(number, (counts.get(number) ?? 0) + 1)
      const [worst] = [...counts].sort(([a, m], [b, n]) => n - m || a - b)
      if (worst) return {reference: worst[0], runs: worst[1], length: lengths[unit]}
    }
    return undefined
  }
}

/** When a function's data flow is a leak: this much of it, weighted by rarity, and little else. */
const flowRule = {links: 8, weight: 3, share: 0.9, ofText: 0.7} as const

/** One function of a reference: its links. */
interface FlowUnit {
  reference: number
  features: ReadonlySet<number>
}

/** The device functions of a reference that are long enough to be identified by data flow. */
function flowUnits(
  blocks: readonly CodeBlock[],
  reference: number,
  innocent: Pick<ReadonlySet<number>, 'has'>,
): FlowUnit[] {
  return blocks
    .flatMap(({form}) => form.functions.filter(({isDevice}) => isDevice))
    .map(({links}) => ({reference, features: new Set(links.filter((link) => !innocent.has(link)))}))
    .filter(({features}) => features.size >= flowRule.links)
}

const flowFeatures = (blocks: readonly Pick<CodeBlock, 'form'>[]): number[] =>
  blocks.flatMap(({form}) => form.functions.flatMap(({links}) => links))

/**
 * Finds single functions of references by data flow between statements: `y = end - start`, whose `y` is scaled by a
 * weight and added to `start`, is one formula under any names, while its statements are common. @param references their
 * number
 */
export function flowIndex(units: readonly FlowUnit[], references: number): (links: ReadonlySet<number>) => Matched {
  const weigh = weightsOf(units, references)
  const weights = units.map(({features}) => [...features].reduce((sum, link) => sum + weigh(link), 0))
  const holders = new Map<number, number[]>()
  for (const [number, {features}] of units.entries())
    for (const link of features) holders.set(link, [...(holders.get(link) ?? []), number])
  return (links) => {
    const shared = new Map<number, {found: number; weight: number}>()
    let all = 0
    for (const link of links) {
      const weight = weigh(link)
      all += weight
      for (const number of holders.get(link) ?? []) {
        const known = shared.get(number) ?? {found: 0, weight: 0}
        shared.set(number, {found: known.found + 1, weight: known.weight + weight})
      }
    }
    const enough = [...shared].filter(([, {found, weight}]) => found >= flowRule.links && weight >= flowRule.weight)
    const holds = enough.some(([number, {weight}]) => weight >= flowRule.share * (weights[number] ?? weight))
    const matches = enough
      .filter(([, {weight}]) => weight >= flowRule.ofText * all)
      .map(([number, {found, weight}]): CodeMatch => {
        const {reference, features} = units[number] as FlowUnit
        const share = weight / (weights[number] ?? weight)
        return {reference, of: 'flow', found, statements: features.size, share, weight}
      })
    const [leak] = matches
      .filter(({share}) => share >= flowRule.share)
      .sort((a, b) => b.weight - a.weight || a.reference - b.reference)
    const near = matches.reduce((most, {share}) => (share < flowRule.share ? Math.max(most, share) : most), 0)
    return {...(leak && {leak}), near, holds}
  }
}
