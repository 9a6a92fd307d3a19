import {readFileSync} from 'node:fs'
import {decodeEntities} from './entities.ts'
import {ngrams} from './ngrams.ts'
import {cppTokens, splitCode, words} from './normalize.ts'

export interface Reference {
  name: string
  /** The operator's type. */
  operator?: string | undefined
  texts: readonly string[]
}

interface Leak {
  reference: string
  /** Distinct runs found, of `length` words or tokens each. */
  runs: number
  length: number
  unit: 'words' | 'tokens'
}

interface ContaminationIndex {
  /** `code` for a source file; `text` for anything else, where code is found by its fences. Default `text`. */
  leak(text: string, as?: 'text' | 'code'): Leak | undefined
}

// Prose: one shared run of 13 words is a leak, of 8 for texts too short for many runs of 13. GPT-3 chose 8 to 13 by
// text length (Brown et al. 2020, arXiv:2005.14165, appendix C); Open-R1 and s1 use 8.
const longRun = 13
const shortRun = 8
const shortText = 26

// Code: names of the author's are folded, so that renaming does not hide a copy; then kernels of one style share much.
// Different elementwise operators of NPUKernelBench share up to 30 % of their runs of 20 tokens, Icamax and Icamin 72
// %. The line is half of the shorter text's own runs, and at least 60. Together with the rule for copies below, 146 of
// the benchmark's 153 kernels and 204 of its 212 host files are found under another operator's name (`npm run bench --
// contamination`); of 1,301 files in ops-math six are: three of IsInf and NonFiniteCheck, which the benchmark has too,
// and three of the TopK family beside its TopKV3.
const codeRun = 20
const codeShare = 0.5
const codeRuns = 60

// A copy: of all runs of a reference's file, shared ones included but for the given boilerplate, so many are in the
// text. Sisters reach the share too, and are told apart by their calls. Files that are mostly boilerplate cannot be
// told from it.
const copyShare = 0.8
const copyRuns = 40
const copyOwn = 0.1

/** A run shared by this many references is idiom. */
const idiomReferences = 3

const ownBoilerplate = new URL('boilerplate.md', import.meta.url)

type Unit = 'long' | 'short' | 'code'
const lengths: Record<Unit, number> = {long: longRun, short: shortRun, code: codeRun}

interface Part {
  reference: number
  unit: Unit
  runs: Set<number>
  /** Names of the API that code calls. */
  calls: ReadonlySet<string>
}

/** @param api names in PascalCase that belong to the API; without it, an author's own class names count as such */
export function contaminationIndex(
  references: readonly Reference[],
  boilerplate: readonly string[],
  api?: ReadonlySet<string>,
): ContaminationIndex {
  const innocent: Record<Unit, Set<number>> = {long: new Set(), short: new Set(), code: new Set()}
  for (const text of [readFileSync(ownBoilerplate, 'utf8'), ...boilerplate]) {
    const {prose, code} = tokensOf(text, api)
    for (const unit of ['long', 'short'] as const)
      for (const run of ngrams(prose, lengths[unit])) innocent[unit].add(run)
    for (const tokens of code) for (const run of ngrams(tokens, codeRun)) innocent.code.add(run)
  }
  const parts = references.flatMap((reference, number) => reference.texts.flatMap((text) => partsOf(text, number, api)))
  const copies = copyIndex(parts, innocent.code)
  for (const unit of ['long', 'short', 'code'] as const)
    addShared(
      parts.filter((part) => part.unit === unit),
      innocent[unit],
    )
  const holders: Record<Unit, Map<number, number[]>> = {long: new Map(), short: new Map(), code: new Map()}
  for (const [number, part] of parts.entries()) {
    for (const run of part.runs) {
      if (innocent[part.unit].has(run)) part.runs.delete(run)
      else holders[part.unit].set(run, [...(holders[part.unit].get(run) ?? []), number])
    }
  }

  /** Per part of the references, how many distinct runs of `runs` it holds. */
  function hits(runs: ReadonlySet<number>, unit: Unit): [part: Part, count: number][] {
    const counts = new Map<number, number>()
    for (const run of runs)
      for (const number of holders[unit].get(run) ?? []) counts.set(number, (counts.get(number) ?? 0) + 1)
    return [...counts].flatMap(([number, count]) => (parts[number] ? [[parts[number], count] as [Part, number]] : []))
  }

  function leakOf(tokens: readonly string[], unit: Unit): Leak | undefined {
    if (tokens.length < lengths[unit]) return undefined
    const runs = new Set(ngrams(tokens, lengths[unit]).filter((run) => !innocent[unit].has(run)))
    const found = hits(runs, unit).filter(
      ([part, count]) =>
        unit !== 'code' || (count >= codeRuns && count >= codeShare * Math.min(part.runs.size, runs.size)),
    )
    const [worst] = found.sort(([a, m], [b, n]) => n - m || a.reference - b.reference)
    const reference = worst && references[worst[0].reference]
    return (
      worst &&
      reference && {
        reference: reference.name,
        runs: worst[1],
        length: lengths[unit],
        unit: unit === 'code' ? 'tokens' : 'words',
      }
    )
  }

  return {
    leak(text, as = 'text') {
      const {prose, code} =
        as === 'code' ? {prose: [], code: [cppTokens(text, {identifiers: 'renamed', api})]} : tokensOf(text, api)
      // The whole text as code: prose around a copy does not make it less of one, and code need not be fenced.
      const copy = copies(cppTokens(decodeEntities(text), {identifiers: 'renamed', api}))
      const copied = copy && references[copy.part.reference]
      if (copied) return {reference: copied.name, runs: copy.runs, length: codeRun, unit: 'tokens'}
      for (const tokens of code) {
        const leak = leakOf(tokens, 'code')
        if (leak) return leak
      }
      return leakOf(prose, 'long') ?? leakOf(prose, 'short')
    },
  }
}

/**
 * Finds parts of references that a text holds nearly whole, shared runs included, as long as it calls all that the part
 * calls.
 */
function copyIndex(
  parts: readonly Part[],
  innocent: ReadonlySet<number>,
): (tokens: readonly string[]) => {part: Part; runs: number} | undefined {
  const wanted = parts
    .filter(({unit}) => unit === 'code')
    .map((part) => ({part, runs: new Set([...part.runs].filter((run) => !innocent.has(run)))}))
    .filter(({part, runs}) => runs.size >= copyRuns && runs.size >= copyOwn * part.runs.size)
  const holders = new Map<number, number[]>()
  for (const [number, {runs}] of wanted.entries()) {
    for (const run of runs) {
      const known = holders.get(run)
      if (known) known.push(number)
      else holders.set(run, [number])
    }
  }
  return (tokens) => {
    const counts = new Map<number, number>()
    for (const run of new Set(ngrams(tokens, codeRun)))
      for (const number of holders.get(run) ?? []) counts.set(number, (counts.get(number) ?? 0) + 1)
    const called = new Set(tokens)
    for (const [number, count] of counts) {
      const candidate = wanted[number]
      if (
        candidate &&
        count >= copyShare * candidate.runs.size &&
        [...candidate.part.calls].every((name) => called.has(name))
      )
        return {part: candidate.part, runs: count}
    }
    return undefined
  }
}

function tokensOf(text: string, api?: ReadonlySet<string>): {prose: string[]; code: string[][]} {
  const {prose, code} = splitCode(text)
  return {prose: words(prose), code: code.map((part) => cppTokens(part, {identifiers: 'renamed', api}))}
}

function partsOf(text: string, reference: number, api?: ReadonlySet<string>): Part[] {
  const {prose, code} = tokensOf(text, api)
  const unit = prose.length < shortText ? 'short' : 'long'
  const parts: Part[] =
    prose.length < shortRun ? [] : [{reference, unit, runs: new Set(ngrams(prose, lengths[unit])), calls: new Set()}]
  const codes = code.filter((tokens) => tokens.length >= codeRun)
  return [
    ...parts,
    ...codes.map(
      (tokens): Part => ({reference, unit: 'code', runs: new Set(ngrams(tokens, codeRun)), calls: callsOf(tokens)}),
    ),
  ]
}

const callsOf = (tokens: readonly string[]) => new Set(tokens.filter((token) => /^[A-Z]\w*[a-z]/.test(token)))

/** Adds the runs that several references share. */
function addShared(parts: readonly Part[], innocent: Set<number>): void {
  const holders = new Map<number, Set<number>>()
  for (const {reference, runs} of parts) {
    for (const run of runs) holders.set(run, (holders.get(run) ?? new Set()).add(reference))
  }
  for (const [run, references] of holders) if (references.size >= idiomReferences) innocent.add(run)
}
