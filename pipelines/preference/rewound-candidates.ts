import {operatorRequest, requestFor, wholeOperator} from '../../datasets/operator-request.ts'
import {Candidate} from '../../datasets/schema/candidate.ts'
import {OperatorTask} from '../../datasets/schema/task.ts'
import {randomFrom} from '../../engine/random.ts'
import {each, type Stage} from '../../engine/stage.ts'
import {rewindsOf} from './rewinds.ts'

interface RewoundCandidatesOptions {
  /** Slower versions per task. Default 12: as many as bring every kind of step first once. */
  count?: number
}

/** Task → its own answer and slower versions of it, step by step. */
export default function rewoundCandidates({count = 12}: RewoundCandidatesOptions = {}): Stage<OperatorTask, Candidate> {
  return {
    name: 'rewound-candidates',
    version: 5,
    options: {count, prompt: operatorRequest},
    input: OperatorTask,
    output: Candidate,
    run: each((task, context): readonly Candidate[] => {
      if (task.answer.length === 0)
        return context.drop(task, 'no-answer', `${task.name} has no verified answer to make slower`)
      const prompt = requestFor(task)
      const rewinds = rewindsOf(task.answer, count, randomFrom(context.seed, 'rewinds', task.origin.path))
      const shared = {task, prompt, reasoning: ''}
      return [
        {...shared, sampler: {kind: 'answer'}, ...wholeOperator(task, task.answer)},
        ...rewinds.map(
          ({files, steps}): Candidate => ({
            ...shared,
            sampler: {kind: 'rewound', steps},
            ...wholeOperator(task, files),
          }),
        ),
      ]
    }),
  }
}
