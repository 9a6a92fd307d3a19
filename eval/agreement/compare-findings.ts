import {byCodeUnit} from '../../engine/code-unit-order.ts'
import {wilsonInterval} from '../metrics.ts'
import {failedStep, steps, type Finding, type Step} from './verdict-finding.ts'

/** How two verdicts differ, what matters most first. */
export const differences = ['right-and-wrong', 'step', 'class'] as const
export type Difference = (typeof differences)[number]

/** Two verdicts on the same sources. `untold`: there is no step of which both say something. */
export interface Pairing {
  a: Finding
  b: Finding
  kind: Difference | 'agrees' | 'untold'
}

/** `low` and `high`: Wilson's interval at 95 %. */
export interface Share {
  part: number
  of: number
  low: number
  high: number
}

/** Of the candidates of whose step both say something: how often it holds for whom. */
interface Confusion {
  step: Step
  both: number
  onlyA: number
  onlyB: number
  neither: number
  untold: number
  /** Undefined where both never speak of it. */
  agree: Share | undefined
}

/** Disagreements of one kind between the same two outcomes. */
export interface DifferenceGroup {
  kind: Difference
  pairs: Pairing[]
}

export interface Compared {
  pairs: Pairing[]
  onlyA: number
  onlyB: number
  /** Verdicts of B that name a task by a name that several tasks of A with these sources have. */
  ambiguous: number
  confusions: Confusion[]
  /** Of candidates that compile for neither: the first errors are word for word the same; file and line are. */
  firstErrors: {words: Share | undefined; places: Share | undefined}
  outcomes: {a: string; b: string; count: number}[]
  /** Ranked. */
  groups: DifferenceGroup[]
}

/** Verdicts of two executors on the same task and sources, wherever they stand. */
export function compareFindings(a: readonly Finding[], b: readonly Finding[]): Compared {
  const {pairs, ambiguous} = matched(a, b)
  const failed = pairs.filter((pair) => pair.a.firstError !== '' && pair.b.firstError !== '')
  const placed = failed.filter((pair) => pair.a.place !== '' && pair.b.place !== '')
  return {
    pairs,
    onlyA: a.length - pairs.length,
    onlyB: b.length - pairs.length - ambiguous,
    ambiguous,
    confusions: steps.map((step) => confusionOf(step, pairs)),
    firstErrors: {
      words: shareOf(failed, (pair) => pair.a.firstError === pair.b.firstError),
      places: shareOf(placed, (pair) => pair.a.place === pair.b.place),
    },
    outcomes: outcomesOf(pairs),
    groups: ranked(pairs),
  }
}

function matched(a: readonly Finding[], b: readonly Finding[]): {pairs: Pairing[]; ambiguous: number} {
  const bySources = new Map<string, Finding[]>()
  for (const one of a) bySources.set(one.sources, [...(bySources.get(one.sources) ?? []), one])
  const taken = new Set<Finding>()
  const pairs: Pairing[] = []
  let ambiguous = 0
  for (const other of b) {
    const fitting = (bySources.get(other.sources) ?? []).filter((one) => sameTask(one, other) && !taken.has(one))
    const [only] = fitting
    if (fitting.length > 1) ambiguous += 1
    else if (only) {
      taken.add(only)
      pairs.push({a: only, b: other, kind: kindOf(only, other)})
    }
  }
  return {pairs, ambiguous}
}

/** By what is asked; by the name where one of them says no more. */
function sameTask(a: Finding, b: Finding): boolean {
  return a.taskId !== '' && b.taskId !== '' ? a.taskId === b.taskId : a.task === b.task
}

function kindOf(a: Finding, b: Finding): Pairing['kind'] {
  const [failedA, failedB] = [failedStep(a), failedStep(b)]
  if (steps.every((step) => a.tells[step] === undefined || b.tells[step] === undefined)) return 'untold'
  if (failedA && failedB) {
    if (failedA !== failedB) return 'step'
    // No rule knows the words of one of them: that says nothing of the executors.
    if (a.class === 'unclassified' || b.class === 'unclassified') return 'agrees'
    return a.class === b.class && a.rule === b.rule ? 'agrees' : 'class'
  }
  const refuted = (failed: Step | undefined, by: Finding) => failed !== undefined && by.tells[failed] === true
  return refuted(failedA, b) || refuted(failedB, a) ? 'right-and-wrong' : 'agrees'
}

function confusionOf(step: Step, pairs: readonly Pairing[]): Confusion {
  const count = (a?: boolean, b?: boolean) =>
    pairs.filter((pair) => pair.a.tells[step] === a && pair.b.tells[step] === b).length
  const [both, onlyA, onlyB, neither] = [count(true, true), count(true, false), count(false, true), count(false, false)]
  const told = both + onlyA + onlyB + neither
  return {step, both, onlyA, onlyB, neither, untold: pairs.length - told, agree: share(both + neither, told)}
}

function share(part: number, of: number): Share | undefined {
  return of === 0 ? undefined : {part, of, ...wilsonInterval(part / of, of)}
}

function shareOf(pairs: readonly Pairing[], holds: (pair: Pairing) => boolean): Share | undefined {
  return share(pairs.filter(holds).length, pairs.length)
}

function outcomesOf(pairs: readonly Pairing[]): Compared['outcomes'] {
  const counts = new Map<string, Compared['outcomes'][number]>()
  for (const {a, b} of pairs) {
    const key = `${a.outcome} ${b.outcome}`
    const known = counts.get(key) ?? {a: a.outcome, b: b.outcome, count: 0}
    counts.set(key, {...known, count: known.count + 1})
  }
  return [...counts.values()].sort((one, other) => other.count - one.count || byCodeUnit(one.a, other.a))
}

/** By kind; what A holds for right and B refutes first; then the more frequent. */
function ranked(pairs: readonly Pairing[]): DifferenceGroup[] {
  const groups = new Map<string, DifferenceGroup>()
  for (const pair of pairs) {
    const {a, b, kind} = pair
    if (kind === 'agrees' || kind === 'untold') continue
    const key = [kind, ...[a, b].flatMap((one) => [one.outcome, one.class, one.rule])].join(' ')
    const group = groups.get(key) ?? {kind, pairs: []}
    groups.set(key, group)
    group.pairs.push(pair)
  }
  const refuted = ({pairs: [first]}: DifferenceGroup) => (first && failedStep(first.a) === undefined ? 0 : 1)
  const depth = ({pairs: [first]}: DifferenceGroup) =>
    Math.min(...[first?.a, first?.b].flatMap((one) => stepNumber(one)))
  for (const group of groups.values()) group.pairs.sort((x, y) => byCodeUnit(keyOf(x), keyOf(y)))
  return [...groups]
    .sort(
      ([keyX, x], [keyY, y]) =>
        differences.indexOf(x.kind) - differences.indexOf(y.kind) ||
        refuted(x) - refuted(y) ||
        depth(x) - depth(y) ||
        y.pairs.length - x.pairs.length ||
        byCodeUnit(keyX, keyY),
    )
    .map(([, group]) => group)
}

const keyOf = ({a, b}: Pairing) => `${a.task || b.task} ${a.sources}`

function stepNumber(one: Finding | undefined): number[] {
  const failed = one && failedStep(one)
  return failed === undefined ? [] : [steps.indexOf(failed)]
}
