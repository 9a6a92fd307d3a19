import {withoutComments} from '../../cpp/code-pieces.ts'
import {dtypeOfType} from '../../cpp/types.ts'
import {DescribedSource, type SourceRun} from '../../datasets/schema/code-facts.ts'
import type {Decision} from '../../datasets/schema/decision.ts'
import type {Origin} from '../../datasets/schema/origin.ts'
import type {Side} from '../../datasets/schema/operator.ts'
import type {HostKernelPair} from '../../datasets/schema/scenario.ts'
import {contentId} from '../../engine/ids.ts'
import {each, type Stage} from '../../engine/stage.ts'

/** A call of an operator, with what was observed in it of lines of one side. */
interface SeenCall {
  side: Side
  /** Lines of what ran, by path. */
  lines: Readonly<Record<string, readonly string[]>>
  run: SourceRun
}

/** What runs showed, by operator. */
type SeenCalls = ReadonlyMap<string, readonly SeenCall[]>

const operatorOf = ({origin, operator}: {origin: Origin; operator: string}) => `${origin.repository} ${operator}`

/** What pairs say of the files that they were reduced from. */
export async function seenCalls(pairs: AsyncIterable<HostKernelPair>): Promise<SeenCalls> {
  const found = new Map<string, SeenCall[]>()
  for await (const pair of pairs) {
    const key = operatorOf(pair)
    found.set(key, [...(found.get(key) ?? []), seenOf(pair, 'kernel'), seenOf(pair, 'host')])
  }
  return found
}

function seenOf({scenario, host, kernel, decisions = []}: HostKernelPair, side: Side): SeenCall {
  const {attributes, trace} = scenario
  const {blockDim, tilingKey, tiling} = trace
  const inputs = scenario.inputs.map(({name, dtype, shape}) => ({name, dtype, shape}))
  const files = side === 'kernel' ? [kernel] : host
  const lines = Object.fromEntries(files.map(({path, text}) => [path, linesOf(text)]))
  return {side, lines, run: {inputs, attributes, blockDim, tilingKey, tiling, decisions}}
}

/** Lines of code, however they are laid out. */
const linesOf = (text: string) =>
  withoutComments(text)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ''))

/**
 * A file of an operator that ran → the same with a call, and with what was observed when a decision in one of the
 * file's own lines was changed. Files without a known run pass unchanged.
 * @param seen of what operators were reduced to: its lines are found again in the files that they come from
 */
export default function sourceRuns({seen}: {seen: SeenCalls}): Stage<DescribedSource, DescribedSource> {
  return {
    name: 'source-runs',
    version: 6,
    options: {seen: contentId([...seen])},
    input: DescribedSource,
    output: DescribedSource,
    run: each((source) => {
      const ran = runOf(source, seen.get(operatorOf(source)) ?? [])
      return Promise.resolve([ran ? {...source, ran} : source])
    }),
  }
}

/**
 * The call that shows most of a file; the first of those that show as much. What another call with the same types and
 * attributes shows of values alone is as true of it.
 */
function runOf({side, target, part}: DescribedSource, calls: readonly SeenCall[]): SourceRun | undefined {
  const lines = linesOf(target.text)
  const [best, ...others] = calls
    .filter((call) => call.side === side)
    .map(({run, lines: ran}) => {
      // A function of a file that ran may not have been called.
      const isWhole = part === undefined && target.path in ran
      const file = {path: target.path, lines, isDerived: isWhole && side === 'host', isPart: part !== undefined}
      return {isWhole, run: {...run, decisions: run.decisions.flatMap((one) => ofFile(one, ran, file))}}
    })
    .filter(({isWhole, run}) => isWhole || run.decisions.length > 0)
    .sort((one, other) => observedIn(other.run) - observedIn(one.run))
    .map(({run}) => run)
  if (!best) return undefined
  const more = others.filter((one) => kindOf(one) === kindOf(best)).flatMap(({decisions}) => decisions)
  return {...best, decisions: more.flatMap(ofValues).reduce(withTopic, best.decisions)}
}

const kindOf = ({inputs, attributes}: SourceRun) =>
  JSON.stringify([inputs.map(({name, dtype}) => [name, dtype]), attributes])

/** Alternatives that change what is computed, whatever the sizes of the call. */
const changesValues = new Set(['truncated', 'computed-in-half', 'no-bound', 'farther-bound'])

/** A decision with its observed values of which the inputs are known; none without. */
function ofValues(decision: Decision): Decision[] {
  const because = decision.because.filter(
    (one) =>
      one.kind === 'counterfactual' &&
      changesValues.has(one.change) &&
      'at' in one.observed &&
      one.observed.at.length > 0,
  )
  return because.length > 0 ? [{...decision, because}] : []
}

const withTopic = (all: readonly Decision[], one: Decision): Decision[] =>
  all.some(({topic}) => topic === one.topic) ? [...all] : [...all, one]

const observedIn = ({decisions}: SourceRun) =>
  decisions.flatMap(({because}) => because).filter(({kind}) => kind === 'counterfactual').length

interface FileLines {
  path: string
  lines: readonly string[]
  /** Whether the file computes what the call's numbers are. */
  isDerived: boolean
  /** Whether it is one function: what applies to all copies of a kernel need not apply to each. */
  isPart: boolean
}

/** A decision with what speaks of a file: values that it computes, and lines that it has once; none without. */
function ofFile(decision: Decision, ran: SeenCall['lines'], {path, lines, isDerived, isPart}: FileLines): Decision[] {
  if (isPart && decision.topic === 'copy') return []
  // A type's description is the reason for its cast.
  if (decision.topic === 'element-type' && !lines.some((one) => one.includes('Cast('))) return []
  const because = decision.because.flatMap((one): Decision['because'] => {
    if (one.kind === 'arithmetic') return isDerived ? [one] : []
    if (one.kind !== 'counterfactual') return []
    const line = ran[one.path]?.[one.line - 1]
    const at = line ? placeOf(line, lines) : undefined
    return at === undefined ? [] : [{...one, path, line: at + 1}]
  })
  if (because.length === 0) return []
  // What a file does not name, its reasoning does not either.
  const {queues, holders} = decision.values
  const values = {...decision.values, ...(!isNamed(holders, lines) && {holders: []})}
  const isShown = isNamed(queues, lines) && (!ofScalars.has(decision.situation) || isNamed(['GetValue'], lines))
  return [{...decision, values, because, ...(!isShown && {situation: 'observed'})}]
}

/** What waits for values that the scalar unit reads. */
const ofScalars = new Set(['queues-and-scalar', 'queues-and-copied', 'queues-and-awaited'])

const isNamed = (names: unknown, lines: readonly string[]) =>
  !Array.isArray(names) || names.every((name) => lines.some((one) => one.includes(String(name))))

/** Where a file has a line that ran, once: as it is, or with a template's parameter in place of a type. */
function placeOf(line: string, lines: readonly string[]): number | undefined {
  for (const fits of [(one: string) => one === line, (one: string) => isInstance(line, one)]) {
    const [at, ...more] = lines.flatMap((one, place) => (fits(one) ? [place] : []))
    if (at !== undefined) return more.length === 0 ? at : undefined
  }
  return undefined
}

function isInstance(line: string, template: string): boolean {
  const [words, others] = [line, template].map((text) => text.split(/\b/)) as [string[], string[]]
  const types = new Map<string, string>()
  const isSame = (word: string, at: number) => {
    const other = others[at]!
    if (word === other) return true
    if (dtypeOfType(word) === undefined || dtypeOfType(other) !== undefined || !/^[A-Z]\w*$/.test(other)) return false
    const known = types.get(other) ?? word
    types.set(other, known)
    return known === word
  }
  return words.length === others.length && words.every(isSame)
}
