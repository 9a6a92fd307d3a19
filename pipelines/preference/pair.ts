import {LabelledCandidate, verdictsOf} from '../../datasets/schema/candidate.ts'
import {best, isBetter, labelOf, type Label} from '../../datasets/schema/label.ts'
import {PreferencePair, type PairStrategy, type PreferenceSide} from '../../datasets/schema/sample.ts'
import {byRequest} from '../../datasets/task-groups.ts'
import {writtenFiles} from '../../datasets/written-answer.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {bothReason, partnerFor, Side, type PartnerLimits} from './pairing/partners.ts'

export interface PairOptions {
  /** What sets the sides apart. Default what the paper calls both: `execution-fail` and `compile-fail`. */
  strategies?: readonly PairStrategy[]
  /** Default 8: a task that is easy to get wrong must not fill the data set. */
  maxPairsPerTask?: number
  /** Pairs that share one better side. Default 2. */
  maxPairsPerChosen?: number
  /**
   * Least share of lines in which two sides differ, names and layout aside. Default 0.1: training on sides that are
   * nearly equal lowers the likelihood of both (Razin et al., arXiv:2410.08847).
   */
  minChangedShare?: number
  /** How many times as long as the other a side may be, in tokens. Default 1.5. */
  maxLengthRatio?: number
  /** Pairs whose sides differ in little but the fault, whatever `minChangedShare` says. Default false. */
  near?: boolean
}

const strategyLabels: Readonly<Record<PairStrategy, readonly [better: Label, worse: Label]>> = {
  'execution-fail': ['green', 'orange'],
  'compile-fail': ['green', 'purple'],
  'orange-over-purple': ['orange', 'purple'],
}

/**
 * Labelled candidates → pairs within a task by observed label; equals are never paired. Reads one task at a time:
 * candidates of a task must arrive together, as earlier stages emit them. Drops: `equivalent-mutant`, `same-code`,
 * `rewound` (correct, but deliberately slow), `reply-without-code`, `no-green`, `no-negative`, `other-strategy`,
 * `other-executor`, `over-limit`, and of worse sides `near-equal`, `length-ratio` and `used-up` if no better one was
 * left for them.
 */
export default function pair({
  strategies = ['execution-fail', 'compile-fail'],
  maxPairsPerTask = 8,
  maxPairsPerChosen = 2,
  minChangedShare = 0.1,
  maxLengthRatio = 1.5,
  near = false,
}: PairOptions = {}): Stage<LabelledCandidate, PreferencePair> {
  const rules = {strategies, maxPairsPerTask, maxPairsPerChosen, minChangedShare, maxLengthRatio, near}
  return {
    name: 'pair',
    version: 4,
    options: {...rules, strategies: [...strategies]},
    input: LabelledCandidate,
    output: PreferencePair,
    async *run(items, context) {
      for await (const group of byRequest(items)) yield* pairTask(group, rules, context)
    },
  }
}

type Rules = Required<PairOptions> & PartnerLimits

function* pairTask(group: readonly LabelledCandidate[], rules: Rules, context: Context): Generator<PreferencePair> {
  const sides = distinct(
    group.filter((candidate) => isFit(candidate, true, context)).map((one) => new Side(one)),
    context,
  )
  const byStrategy = rules.strategies.map((strategy) => meetingsOf(strategy, sides))
  const meetings = byStrategy.flat()
  dropAlone(sides, meetings, context)
  let [made, balance] = [0, 0]
  const refused = new Map<string, number>()
  for (const {strategy, worse, better} of evenly(byStrategy, refused)) {
    const {name} = worse.candidate.task
    if (made >= rules.maxPairsPerTask) {
      const why = `${name} has ${meetings.length} candidates to refuse, at most ${rules.maxPairsPerTask} are paired`
      context.drop(worse.candidate, 'over-limit', why)
      continue
    }
    const partner = partnerFor(worse, better, balance, rules)
    if (typeof partner === 'string') {
      context.drop(worse.candidate, partner, `${name}: ${better.length} better candidates, none for this one`)
      continue
    }
    made += 1
    balance += partner.longer
    partner.side.uses += 1
    tally(refused, worse, 1)
    tally(refused, partner.side, -1)
    yield {...sidesOf(partner.side, worse, context.stages), strategy, changed: partner.changed}
  }
}

/**
 * Strategies in turns, each in its order, but first those whose text, names and layout, was refused least and chosen
 * most: else the text of the right answer, which is far from every other, would be on the better side more often.
 */
function* evenly(lists: readonly (readonly Meeting[])[], refused: ReadonlyMap<string, number>): Generator<Meeting> {
  const left = lists.map((one) => [...one])
  const timesRefused = ({worse}: Meeting) => refused.get(textOf(worse)) ?? 0
  while (left.some(({length}) => length > 0)) {
    for (const list of left.filter(({length}) => length > 0)) {
      const least = Math.min(...list.map(timesRefused))
      yield* list.splice(
        list.findIndex((one) => timesRefused(one) === least),
        1,
      )
    }
  }
}

/** What a candidate was written as, apart from its fault; all replies of a model count as one. */
function textOf({candidate: {sampler}}: Side): string {
  return 'rewrites' in sampler && sampler.rewrites ? sampler.rewrites.join() : ''
}

function tally(refused: Map<string, number>, side: Side, by: number): void {
  refused.set(textOf(side), (refused.get(textOf(side)) ?? 0) + by)
}

/** What may be taught at all. @param isRewoundTaught unless it is right: a right one is deliberately slow */
export function isFit(candidate: LabelledCandidate, isRewoundTaught: boolean, context: Context): boolean {
  const {label, sampler, unreadable} = candidate
  if (unreadable !== undefined) context.drop(candidate, 'reply-without-code', unreadable)
  // A fault was planted but no check saw it: it is either harmless or undetected. Neither should be taught.
  else if (label === best && sampler.kind === 'mutation')
    context.drop(candidate, 'equivalent-mutant', `${sampler.mutation}, ${sampler.detail}`)
  else if (sampler.kind === 'rewound' && (label === best || !isRewoundTaught))
    context.drop(candidate, 'rewound', `${candidate.task.name}: ${sampler.steps.join(', ')}`)
  else return true
  return false
}

/** The first of those with the same code. */
export function distinct<T extends {candidate: LabelledCandidate; answer: string}>(
  sides: readonly T[],
  context: Context,
): T[] {
  const seen = new Set<string>()
  return sides.filter(({answer, candidate}) => {
    if (!seen.has(answer)) return seen.add(answer)
    context.drop(candidate, 'same-code', `${candidate.task.name}: another candidate has the same code`)
    return false
  })
}

/** A worse side, and all possible better ones. */
interface Meeting {
  strategy: PairStrategy
  worse: Side
  better: readonly Side[]
}

function meetingsOf(strategy: PairStrategy, sides: readonly Side[]): Meeting[] {
  const [better, worse] = strategyLabels[strategy].map((label) =>
    sides.filter((side) => side.candidate.label === label),
  )
  if (!better || !worse || better.length === 0) return []
  return byKind(worse).flatMap((side) => {
    const fit = better.filter((one) => oneFinds(one, side))
    return fit.length === 0 ? [] : [{strategy, worse: side, better: fit}]
  })
}

/**
 * Whether one executor, whoever had the last word, found the one better than the other: else the pair would compare
 * two executors, not two codes.
 */
function oneFinds(better: Side, worse: Side): boolean {
  const others = labelsBy(worse.candidate)
  return [...labelsBy(better.candidate)].some(([executor, label]) => {
    const other = others.get(executor)
    return other !== undefined && isBetter(label, other)
  })
}

/** The label that each executor gives it. One that only compiled it has nothing against the one that it got. */
function labelsBy({verdict, confirmation, label}: LabelledCandidate): Map<string, Label> {
  const all = confirmation ? [confirmation.first, confirmation.second] : [verdict]
  return new Map(all.map((one) => [one.executor.fingerprint, labelOf(one) ?? label]))
}

/** Kinds of failure take turns, so that the limit cuts repetition first. */
function byKind(sides: readonly Side[]): Side[] {
  const kinds = new Map<string, Side[]>()
  for (const side of sides) {
    const kind = failureKind(side.candidate)
    kinds.set(kind, [...(kinds.get(kind) ?? []), side])
  }
  return inTurns([...kinds.values()])
}

/** By what was observed, not by what was planted. */
function failureKind({verdict}: LabelledCandidate): string {
  return verdict.outcome === 'violated' ? `violated ${verdict.violation.rule}` : verdict.outcome
}

function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const turns = Math.max(0, ...lists.map(({length}) => length))
  return Array.from({length: turns}, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat()
}

/** Candidates without a partner, because there is no counterpart or no matching strategy. */
function dropAlone(sides: readonly Side[], meetings: readonly Meeting[], context: Context): void {
  const met = new Set(meetings.flatMap(({worse, better}) => [worse, ...better]))
  for (const side of sides.filter((one) => !met.has(one))) {
    const {candidate} = side
    const {label, task} = candidate
    const isBest = label === best
    const opposite = sides.filter((other) => (other.candidate.label === best) !== isBest)
    if (opposite.length > 0 && !opposite.some((other) => (isBest ? oneFinds(side, other) : oneFinds(other, side))))
      context.drop(candidate, 'other-executor', `${task.name}: no executor tells it from one to pair it with`)
    else if (opposite.length > 0)
      context.drop(candidate, 'other-strategy', `${task.name}: no strategy asks for ${label}`)
    else if (isBest) context.drop(candidate, 'no-negative', `${task.name}: every candidate is correct`)
    else context.drop(candidate, 'no-green', `${task.name}: no candidate is correct`)
  }
}

function sidesOf(better: Side, worse: Side, stages: PreferencePair['stages']) {
  const {task, prompt} = better.candidate
  const reasoned = bothReason(better.candidate, worse.candidate)
  return {
    task: task.name,
    prompt,
    origin: task.origin,
    stages,
    chosen: sideOf(better, reasoned),
    rejected: sideOf(worse, reasoned),
  }
}

function sideOf({candidate, answer}: Side, reasoned: boolean): PreferenceSide {
  const {label, sampler} = candidate
  const reasoning = reasoned ? candidate.reasoning : ''
  return {reasoning, answer, files: writtenFiles(candidate), label, sampler, ...verdictsOf(candidate)}
}
