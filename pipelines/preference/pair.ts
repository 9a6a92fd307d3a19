import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {best, labels} from '../../datasets/schema/label.ts'
import {PreferencePair, type PreferenceSide} from '../../datasets/schema/sample.ts'
import {byCodeUnit} from '../../engine/code-unit-order.ts'
import {textId} from '../../engine/ids.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {formatFiles} from '../../datasets/operator-reply.ts'

export interface PairOptions {
  /** Default 8: a task that is easy to get wrong must not fill the data set. */
  maxPairsPerTask?: number
}

/**
 * Labelled candidates → pairs within a task: green over orange, green over purple; equals are never paired. Reads one
 * task at a time: candidates of a task must arrive together, as the stages before leave them.
 */
export default function pair({maxPairsPerTask = 8}: PairOptions = {}): Stage<LabelledCandidate, PreferencePair> {
  return {
    name: 'pair',
    version: 1,
    options: {maxPairsPerTask},
    input: LabelledCandidate,
    output: PreferencePair,
    async *run(items, context) {
      let group: LabelledCandidate[] = []
      for await (const item of items) {
        if (group[0] && !sameTask(group[0], item)) {
          yield* pairTask(group, maxPairsPerTask, context)
          group = []
        }
        group.push(item)
      }
      yield* pairTask(group, maxPairsPerTask, context)
    },
  }
}

/**
 * The prompt belongs to the task's identity: preferring one answer to another makes sense only for the same question.
 */
function sameTask(a: LabelledCandidate, b: LabelledCandidate): boolean {
  return (
    a.prompt === b.prompt &&
    a.task.origin.repository === b.task.origin.repository &&
    a.task.origin.path === b.task.origin.path
  )
}

function* pairTask(group: readonly LabelledCandidate[], limit: number, context: Context): Generator<PreferencePair> {
  const chosen = group.filter(({label, sampler}) => label === best && sampler.kind !== 'mutation')
  // A fault was planted but no check saw it: it is either harmless or undetected. Neither should be taught.
  for (const mutant of group.filter(({label, sampler}) => label === best && sampler.kind === 'mutation')) {
    context.drop(
      mutant,
      'equivalent-mutant',
      mutant.sampler.kind === 'mutation' ? `${mutant.sampler.mutation}, ${mutant.sampler.detail}` : '',
    )
  }
  const rejected = distinct(
    group.filter(({label}) => label !== best),
    context,
  )
  if (chosen.length === 0) {
    for (const candidate of rejected)
      context.drop(candidate, 'no-green', `${candidate.task.name}: no candidate is correct`)
    return
  }
  if (rejected.length === 0) {
    for (const candidate of chosen)
      context.drop(candidate, 'no-negative', `${candidate.task.name}: every candidate is correct`)
    return
  }
  const ordered = byWorth(rejected)
  for (const [index, worse] of ordered.entries()) {
    const better = chosen[index % chosen.length]
    if (!better) return
    if (index < limit) yield makePair(better, worse, context.stages)
    else
      context.drop(
        worse,
        'over-limit',
        `${worse.task.name} has ${ordered.length} negatives, at most ${limit} are paired`,
      )
  }
}

function distinct(candidates: readonly LabelledCandidate[], context: Context): LabelledCandidate[] {
  const seen = new Set<string>()
  return candidates.filter((candidate) => {
    const id = textId(answerOf(candidate))
    if (!seen.has(id)) return seen.add(id)
    context.drop(candidate, 'same-code', `${candidate.task.name}: another candidate has the same code`)
    return false
  })
}

/**
 * Orange before purple: negatives that compile but fail teach more (Table 4 of the paper: 8.31 % against 6.10 %
 * execution rate under equal settings). Within a colour, kinds of failure take turns, so that the limit cuts repetition
 * first.
 */
function byWorth(candidates: readonly LabelledCandidate[]): LabelledCandidate[] {
  return labels.flatMap((one) => inTurns(candidates.filter(({label}) => label === one)))
}

function inTurns(candidates: readonly LabelledCandidate[]): LabelledCandidate[] {
  const turns = new Map<string, number>()
  const ranked = candidates.map((candidate) => {
    const kind = failureKind(candidate)
    const turn = turns.get(kind) ?? 0
    turns.set(kind, turn + 1)
    return {candidate, turn}
  })
  return ranked.sort((a, b) => a.turn - b.turn).map(({candidate}) => candidate)
}

/** By what was observed, not by what was planted. */
function failureKind({verdict}: LabelledCandidate): string {
  return verdict.outcome === 'violated' ? `violated ${verdict.violation.rule}` : verdict.outcome
}

function makePair(
  better: LabelledCandidate,
  worse: LabelledCandidate,
  stages: PreferencePair['stages'],
): PreferencePair {
  // With reasoning on one side only, its mere presence would be the difference.
  const both = better.reasoning !== '' && worse.reasoning !== ''
  return {
    task: better.task.name,
    prompt: better.prompt,
    origin: better.task.origin,
    stages,
    chosen: makeSide(better, both ? better.reasoning : ''),
    rejected: makeSide(worse, both ? worse.reasoning : ''),
  }
}

function makeSide(candidate: LabelledCandidate, reasoning: string): PreferenceSide {
  const {label, sampler, verdict} = candidate
  return {reasoning, answer: answerOf(candidate), files: writtenFiles(candidate), label, sampler, verdict}
}

function answerOf(candidate: LabelledCandidate): string {
  return formatFiles(writtenFiles(candidate))
}

/** In the order in which the prompt asks for them: tiling data, host, kernel; further files after. */
function writtenFiles({files, written}: LabelledCandidate): LabelledCandidate['files'] {
  return files
    .filter(({path}) => written.includes(path))
    .sort((a, b) => askedAs(a.path) - askedAs(b.path) || byCodeUnit(a.path, b.path))
}

function askedAs(path: string): number {
  if (!path.startsWith('op_host/')) return 2
  return path.endsWith('_tiling.h') ? 0 : 1
}
