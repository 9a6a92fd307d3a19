import {readFileSync} from 'node:fs'
import {ngrams} from './ngrams.ts'
import {cppTokens, splitCode, words} from './normalize.ts'

export interface Reference {
  name: string
  /** The operator's type; a sample about the same operator is contaminated whatever it says. */
  operator?: string | undefined
  texts: readonly string[]
}

export interface Leak {
  reference: string
  /** Distinct runs found, of `length` words or tokens each. */
  runs: number
  length: number
  unit: 'words' | 'tokens'
}

export interface ContaminationIndex {
  /** `code` for a source file; `text` for anything else, where code is found by its fences. Default `text`. */
  leak(text: string, as?: 'text' | 'code'): Leak | undefined
  /** The reference that is about this operator, whatever the spelling. */
  operator(name: string): string | undefined
}

// Prose: one shared run of 13 words is a leak, of 8 for texts too short for many runs of 13. GPT-3 chose 8 to 13 by text length
// (Brown et al. 2020, arXiv:2005.14165, appendix C); Open-R1 and s1 use 8.
const longRun = 13
const shortRun = 8
const shortText = 26

// Code: names of the author's are folded, so that renaming does not hide a copy; then kernels of one style share much. Different
// elementwise operators of NPUKernelBench share up to 30 % of their runs of 20 tokens, Icamax and Icamin 72 %. The line is half of
// the shorter text's own runs, and at least 60: with it, 138 of the benchmark's 153 kernels are found (the rest differ from a
// sister in a call or two, and are known by name), and of 905 files of other operators in ops-math six: one operator under two names.
const codeRun = 20
const codeShare = 0.5
const codeRuns = 60

/** A run that so many references share is idiom. */
const idiomReferences = 3

const ownBoilerplate = new URL('boilerplate.md', import.meta.url)

type Unit = 'long' | 'short' | 'code'
const lengths: Record<Unit, number> = {long: longRun, short: shortRun, code: codeRun}

interface Part {
  reference: number
  unit: Unit
  runs: Set<number>
}

export function contaminationIndex(references: readonly Reference[], boilerplate: readonly string[]): ContaminationIndex {
  const innocent: Record<Unit, Set<number>> = {long: new Set(), short: new Set(), code: new Set()}
  for (const text of [readFileSync(ownBoilerplate, 'utf8'), ...boilerplate]) {
    const {prose, code} = tokensOf(text)
    for (const unit of ['long', 'short'] as const) for (const run of ngrams(prose, lengths[unit])) innocent[unit].add(run)
    for (const tokens of code) for (const run of ngrams(tokens, codeRun)) innocent.code.add(run)
  }
  const parts = references.flatMap((reference, number) => reference.texts.flatMap((text) => partsOf(text, number)))
  for (const unit of ['long', 'short', 'code'] as const) addShared(parts.filter((part) => part.unit === unit), innocent[unit])
  const holders: Record<Unit, Map<number, number[]>> = {long: new Map(), short: new Map(), code: new Map()}
  for (const [number, part] of parts.entries()) {
    for (const run of part.runs) {
      if (innocent[part.unit].has(run)) part.runs.delete(run)
      else holders[part.unit].set(run, [...(holders[part.unit].get(run) ?? []), number])
    }
  }
  const operators = new Map(references.flatMap(({name, operator}) => (operator === undefined ? [] : [[operatorKey(operator), name] as const])))

  /** Per part of the references, how many distinct runs of `runs` it holds. */
  function hits(runs: ReadonlySet<number>, unit: Unit): [part: Part, count: number][] {
    const counts = new Map<number, number>()
    for (const run of runs) for (const number of holders[unit].get(run) ?? []) counts.set(number, (counts.get(number) ?? 0) + 1)
    return [...counts].flatMap(([number, count]) => (parts[number] ? [[parts[number], count] as [Part, number]] : []))
  }

  function leakOf(tokens: readonly string[], unit: Unit): Leak | undefined {
    if (tokens.length < lengths[unit]) return undefined
    const runs = new Set(ngrams(tokens, lengths[unit]).filter((run) => !innocent[unit].has(run)))
    const found = hits(runs, unit).filter(([part, count]) => unit !== 'code' || (count >= codeRuns && count >= codeShare * Math.min(part.runs.size, runs.size)))
    const [worst] = found.sort(([a, m], [b, n]) => n - m || a.reference - b.reference)
    const reference = worst && references[worst[0].reference]
    return worst && reference && {reference: reference.name, runs: worst[1], length: lengths[unit], unit: unit === 'code' ? 'tokens' : 'words'}
  }

  return {
    leak(text, as = 'text') {
      const {prose, code} = as === 'code' ? {prose: [], code: [cppTokens(text, {identifiers: 'renamed'})]} : tokensOf(text)
      for (const tokens of code) {
        const leak = leakOf(tokens, 'code')
        if (leak) return leak
      }
      return leakOf(prose, 'long') ?? leakOf(prose, 'short')
    },
    operator: (name) => operators.get(operatorKey(name)),
  }
}

/** `ScaleCustom`, `scale_custom` and `Scale` are one operator: tutorials append `custom` to names of their own operators. */
function operatorKey(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '')
  return plain.replace(/(.)custom$/, '$1')
}

function tokensOf(text: string): {prose: string[]; code: string[][]} {
  const {prose, code} = splitCode(text)
  return {prose: words(prose), code: code.map((part) => cppTokens(part, {identifiers: 'renamed'}))}
}

function partsOf(text: string, reference: number): Part[] {
  const {prose, code} = tokensOf(text)
  const unit = prose.length < shortText ? 'short' : 'long'
  const parts = prose.length < shortRun ? [] : [{reference, unit, runs: new Set(ngrams(prose, lengths[unit]))} satisfies Part]
  const codes = code.filter((tokens) => tokens.length >= codeRun)
  return [...parts, ...codes.map((tokens): Part => ({reference, unit: 'code', runs: new Set(ngrams(tokens, codeRun))}))]
}

/** Adds the runs that several references hold. */
function addShared(parts: readonly Part[], innocent: Set<number>): void {
  const holders = new Map<number, Set<number>>()
  for (const {reference, runs} of parts) {
    for (const run of runs) holders.set(run, (holders.get(run) ?? new Set()).add(reference))
  }
  for (const [run, references] of holders) if (references.size >= idiomReferences) innocent.add(run)
}
