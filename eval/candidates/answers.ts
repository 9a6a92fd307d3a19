import {Candidate} from '../../datasets/schema/candidate.ts'
import {OperatorTask} from '../../datasets/schema/task.ts'
import {each, type Stage} from '../../engine/stage.ts'

/** A task's verified answer as a candidate. */
export function ownAnswer(task: OperatorTask): Candidate {
  return {
    task,
    sampler: {kind: 'answer'},
    prompt: `The verified answer of ${task.name}.`,
    reasoning: '',
    files: task.answer,
    written: task.answer.map(({path}) => path),
  }
}

/**
 * Task → its own verified answer as a candidate. An answer is a whole operator, often with other file names than the
 * templates: merging them would link the templates' empty tiling function as well.
 */
export default function answers(): Stage<OperatorTask, Candidate> {
  return {
    name: 'answers',
    version: 1,
    input: OperatorTask,
    output: Candidate,
    run: each((task, context): readonly Candidate[] => {
      if (task.answer.length === 0)
        return context.drop(task, 'no-answer', `${task.name} comes without a verified answer`)
      return [ownAnswer(task)]
    }),
  }
}
