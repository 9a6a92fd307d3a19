import {JudgedCandidate, LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {labelOf} from '../../datasets/schema/label.ts'
import {each, type Stage} from '../../engine/stage.ts'

/** Judged candidate → labelled candidate. A candidate whose verdict decides no label is dropped. */
export default function label(): Stage<JudgedCandidate, LabelledCandidate> {
  return {
    name: 'label',
    version: 1,
    input: JudgedCandidate,
    output: LabelledCandidate,
    run: each((candidate, context): readonly LabelledCandidate[] => {
      const {verdict} = candidate
      const observed = labelOf(verdict)
      if (observed) return [{...candidate, label: observed}]
      if (verdict.outcome === 'not-covered')
        return context.drop(candidate, 'not-covered', `${verdict.executor.name} lacks ${verdict.missing.join(', ')}`)
      return context.drop(candidate, 'not-run', 'the verdict says only that the code compiles')
    }),
  }
}
