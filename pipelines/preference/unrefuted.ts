import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {best} from '../../datasets/schema/label.ts'
import {sourcesId, taskId} from '../../datasets/schema/public-verdict.ts'
import {contentId} from '../../engine/ids.ts'
import {each, type Stage} from '../../engine/stage.ts'

/**
 * Labelled candidates of several runs → the same, without those found correct of which another run found the opposite:
 * what one executor refutes is right by none. Drops: `refuted-elsewhere`.
 * @param options.refuted as `refutedIn` finds them
 */
export default function unrefuted({
  refuted,
}: {
  refuted: Readonly<Record<string, string>>
}): Stage<LabelledCandidate, LabelledCandidate> {
  return {
    name: 'unrefuted',
    version: 1,
    options: {refuted: contentId(refuted)},
    input: LabelledCandidate,
    output: LabelledCandidate,
    run: each((candidate, context): readonly LabelledCandidate[] => {
      const why = candidate.label === best ? refuted[candidateKey(candidate)] : undefined
      if (why === undefined) return [candidate]
      const {name} = candidate.verdict.executor
      return context.drop(candidate, 'refuted-elsewhere', `${candidate.task.name}: correct by ${name}, ${why}`)
    }),
  }
}

/** What is the same candidate in another run: what is asked, and the files. */
function candidateKey({task, files}: Pick<LabelledCandidate, 'task' | 'files'>): string {
  return `${taskId(task)} ${sourcesId(files)}`
}

/** What is not correct in one of these, by `candidateKey`: what was found of it instead, and by whom. */
export async function refutedIn(runs: readonly AsyncIterable<LabelledCandidate>[]): Promise<Record<string, string>> {
  const refuted: Record<string, string> = {}
  for (const run of runs) {
    for await (const candidate of run) {
      const {label, verdict} = candidate
      if (label !== best) refuted[candidateKey(candidate)] = `${verdict.outcome} by ${verdict.executor.name}`
    }
  }
  return refuted
}
