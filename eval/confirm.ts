import {JudgedCandidate} from '../datasets/schema/candidate.ts'
import {best, labelOf} from '../datasets/schema/label.ts'
import type {Verdict} from '../datasets/schema/verdict.ts'
import {each, type Context, type Stage} from '../engine/stage.ts'
import judge, {type JudgeOptions} from './judge.ts'

/**
 * Judged candidate → the same, with the word of a second executor on those that the first found correct. What the
 * second refutes, or cannot judge, is not correct.
 * @param options.executor the second one
 */
export default function confirm(options: JudgeOptions): Stage<JudgedCandidate, JudgedCandidate> {
  const second = judge(options)
  return {
    name: 'confirm',
    version: 1,
    options: {judge: second.version, by: second.options ?? null},
    tally: ({confirmation}) => confirmation?.second.outcome,
    input: JudgedCandidate,
    output: JudgedCandidate,
    run: each(
      async (judged, context) => {
        const {verdict: first, canary: _, confirmation: __, ...candidate} = judged
        if (labelOf(first) !== best) return [judged]
        for await (const {verdict} of second.run(only(candidate), dropping(judged, candidate, context)))
          return [{...judged, verdict: lastWord(first, verdict), confirmation: {first, second: verdict}}]
        return []
      },
      {concurrency: options.concurrency ?? 1},
    ),
  }
}

/** The stage where there is a second executor, for `Pipeline.through`. */
export function confirmedBy(
  executor: JudgeOptions['executor'] | undefined,
  how: Omit<JudgeOptions, 'executor'>,
): Stage<JudgedCandidate, JudgedCandidate>[] {
  return executor ? [confirm({...how, executor})] : []
}

/** One that only compiles says nothing of numbers. */
function lastWord(first: Verdict, second: Verdict): Verdict {
  return second.outcome === 'compiled' ? first : second
}

/** A record that the second executor cannot be asked about is dropped as it came in. */
function dropping(judged: JudgedCandidate, candidate: object, context: Context): Context {
  return {
    ...context,
    drop: (item, ...why) => context.drop(item === candidate ? judged : item, ...why),
  }
}

async function* only<T>(item: T): AsyncIterable<T> {
  yield item
}
