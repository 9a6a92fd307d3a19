import type {RunTrace} from '../datasets/schema/executor.ts'
import type {SourceFile} from '../datasets/schema/operator.ts'
import type {Verdict} from '../datasets/schema/verdict.ts'
import {expandSources} from '../cpp/macros.ts'
import type {Expanded} from '../cpp/macros.ts'
import type {Token} from '../cpp/tokens.ts'
import {behaviourOf} from './behaviours.ts'
import {sourceRules} from './source-rules.ts'

/** One sign that a candidate passes without doing the operator's work. */
interface IntegrityFinding {
  /** Kebab-case. */
  rule: string
  path: string
  /** 1-based. */
  line: number
  /** The evidence, for the verdict's `detail`. */
  seen: string
}

/**
 * Searches a candidate's sources, one finding per rule and file. An empty list only means that nothing was found: the
 * runs decide.
 */
export function inspectSources(files: readonly SourceFile[]): IntegrityFinding[] {
  const expanded = expandSources(files.map(({text}) => text))
  const streams = expanded.map(({code}) => code)
  const own = new Set(streams.flatMap(declaredNames))
  const standard = new Set(['std', ...streams.flatMap(namesOfStandard)])
  const texts = files.map((file, index) => {
    const {directives, code} = expanded[index] as Expanded
    return {file, path: file.path, directives, code, words: wordPlaces(code), own, standard}
  })
  const findings = texts.flatMap((text) =>
    sourceRules.flatMap(({rule, find, except}) => {
      const sighting = except?.test(text.path) ? undefined : find(text)
      return sighting ? [finding(rule, text.file, sighting.start, sighting.seen)] : []
    }),
  )
  return [...findings, ...findHostCompute(texts.map(({file, code}) => ({file, code})))]
}

function wordPlaces(code: readonly Token[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [at, {kind, text}] of code.entries()) {
    if (kind !== 'word') continue
    const known = places.get(text)
    if (known) known.push(at)
    else places.set(text, [at])
  }
  return places
}

/** `bool signal = …`: a name after a type, followed by what follows a variable or parameter. */
function declaredNames(code: readonly Token[]): string[] {
  return code.flatMap(({kind, text}, at) => {
    const before = code[at - 1]
    const typed =
      before?.kind === 'word' ? !/^(?:return|case|goto|else|throw|typename)$/.test(before.text) : before?.text === '>'
    return kind === 'word' && typed && /^[;=,){[]$/.test(code[at + 1]?.text ?? '') ? [text] : []
  })
}

/** Aliases of `std`; the empty one if all its names are imported. */
function namesOfStandard(code: readonly Token[]): string[] {
  return code.flatMap(({text}, at) => {
    if (text !== 'namespace') return []
    const [name, sign, ...rest] = code.slice(at + 1, at + 5).map((one) => one.text)
    if (code[at - 1]?.text === 'using') return name === 'std' || (name === '::' && sign === 'std') ? [''] : []
    return sign === '=' && rest.includes('std') && name !== undefined ? [name] : []
  })
}

/**
 * A tiling function may read an input's values only when the definition says that the host sees them (`ValueDepend`,
 * `Scalar`). Otherwise the host computes what the kernel should.
 */
function findHostCompute(texts: readonly {file: SourceFile; code: readonly Token[]}[]): IntegrityFinding[] {
  const host = texts.filter(({file}) => file.path.startsWith('op_host/'))
  const is = (code: readonly Token[], at: number, name: RegExp, next: string) =>
    name.test(code[at]?.text ?? '') && code[at + 1]?.text === next
  const declares = /^(?:ValueDepend|Scalar|ScalarList)$/
  if (host.some(({code}) => code.some((_, at) => code[at - 1]?.text === '.' && is(code, at, declares, '(')))) return []
  const asks = /^Get(?:Optional|Required|Dynamic)?InputTensor$/
  return host.flatMap(({file, code}) => {
    const asked = code.findIndex((_, at) => is(code, at, asks, '(') && readsAtOnce(code, at))
    return asked < 0 ? [] : [finding('host-reads-input-values', file, code[asked]?.start ?? 0, `${code[asked]?.text}(`)]
  })
}

/** In the same statement; a value taken from a variable is refused where it is passed on. */
function readsAtOnce(code: readonly Token[], from: number): boolean {
  for (let at = from; code[at] && code[at]?.text !== ';'; at += 1) {
    const next = code[at + 1]?.text
    if ((code[at]?.text === 'GetData' && next === '<') || (code[at]?.text === 'GetAddr' && next === '(')) return true
  }
  return false
}

function finding(rule: string, file: SourceFile, index: number, seen: string): IntegrityFinding {
  const line = file.text.slice(0, index).split('\n').length
  return {rule, path: file.path, line, seen: seen.trim().replaceAll(/\s+/g, ' ').slice(0, 80)}
}

/** A verdict of cheating in one line, with the number of the behaviour if it has one. */
export function describeCheat({rule, detail, literal}: Extract<Verdict, {outcome: 'cheated'}>): string {
  const number = behaviourOf(rule, detail)
  const said = literal ? `passes the literal check of every case, but ${detail}` : `${rule}: ${detail}`
  return number === undefined ? said : `${number}, ${said}`
}

/** What one run gave: raw bytes by output, with the inputs and the expected values. */
export interface RunEvidence {
  inputs: readonly Uint8Array[]
  outputs: readonly Uint8Array[]
  expected: readonly Uint8Array[]
  /** What the executor observed of the run. */
  trace?: RunTrace
}

/**
 * Whether the outputs of several runs on different data do not depend on it although the expected ones do: the same
 * bytes every time, or an input passed through. Undefined when they look computed.
 */
export function findDegenerate(runs: readonly RunEvidence[]): string | undefined {
  if (runs.length < 2) return undefined
  const [first, ...others] = runs
  if (!first) return undefined
  const varies = others.some((run) => !sameBytes(run.expected, first.expected))
  if (varies && others.every((run) => sameBytes(run.outputs, first.outputs)))
    return 'the output is the same whatever the inputs are'
  const copied = first.inputs.findIndex((_, index) =>
    runs.every((run) => run.outputs.every((output) => same(output, run.inputs[index]))),
  )
  if (copied >= 0 && runs.some((run) => run.expected.some((expected) => !same(expected, run.inputs[copied]))))
    return `the output is a copy of input ${copied}`
  if (
    runs.some((run) => run.expected.some((bytes) => !isUniform(bytes))) &&
    runs.every((run) => run.outputs.every(isUniform))
  ) {
    return 'every element of the output is the same: nothing was written, or a constant'
  }
  return undefined
}

function sameBytes(a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean {
  return a.length === b.length && a.every((bytes, index) => same(bytes, b[index]))
}

function same(a: Uint8Array, b: Uint8Array | undefined): boolean {
  return b !== undefined && Buffer.compare(a, b) === 0
}

/**
 * Every element equals the first. All element sizes divide 8 bytes, so a period of 8 proves it without knowing the
 * dtype.
 */
function isUniform(bytes: Uint8Array): boolean {
  return bytes.length > 8 && bytes.every((byte, index) => index < 8 || byte === bytes[index - 8])
}
