import {JudgedCandidate, LabelledCandidate, type Label} from '../../datasets/schema/candidate.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {each, type Stage} from '../../engine/stage.ts'

/**
 * Verdict → colour, after §4.2.2 of the AscendKernelGen paper: green is fully correct, orange runs but is wrong, purple does not
 * compile. Cheats compile and are not correct, so they are orange: beside a green one they teach that winning is not enough.
 * Undefined where nothing was observed that a colour could stand for.
 */
export function colourOf(verdict: Verdict): Label | undefined {
  switch (verdict.outcome) {
    case 'correct':
      return 'green'
    case 'mismatched':
    case 'violated':
    case 'crashed':
    case 'timed-out':
    case 'launch-failed':
    case 'cheated':
      return 'orange'
    case 'compile-failed':
    case 'link-failed':
      return 'purple'
    case 'not-covered':
    case 'compiled':
      return undefined
  }
}

/** Judged candidate → labelled one. The only stage that knows colours. */
export default function label(): Stage<JudgedCandidate, LabelledCandidate> {
  return {
    name: 'label',
    version: 1,
    input: JudgedCandidate,
    output: LabelledCandidate,
    run: each((candidate, context): readonly LabelledCandidate[] => {
      const {verdict} = candidate
      const colour = colourOf(verdict)
      if (colour) return [{...candidate, label: colour}]
      if (verdict.outcome === 'not-covered')
        return context.drop(candidate, 'not-covered', `${verdict.executor.name} lacks ${verdict.missing.join(', ')}`)
      return context.drop(candidate, 'not-run', 'the verdict says only that the code compiles')
    }),
  }
}
