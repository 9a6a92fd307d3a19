import {Candidate} from '../../datasets/schema/candidate.ts'
import {OperatorTask} from '../../datasets/schema/task.ts'
import {PipelineError} from '../../engine/errors.ts'
import type {LanguageModel} from '../../engine/llm/model.ts'
import {renderPrompt} from '../../engine/prompt.ts'
import {each, type Stage} from '../../engine/stage.ts'
import type {Mode} from '../bench/benchmark.ts'
import {wholeOperator} from '../bench/whole-operator.ts'
import {evaluatedTasks, scoredFiles, type Evaluation} from './attempt.ts'

interface SamplesOptions {
  /** Name of the teacher profile whose model is asked. */
  profile: string
  /** Samples per task. */
  count: number
  evaluation: Evaluation
  /** The benchmark's mode of that name; default: whole operators. */
  mode?: Mode
}

/** Task → a model's samples, requested and parsed as the benchmark does. */
export default function samples({
  profile,
  count,
  evaluation,
  mode = wholeOperator,
}: SamplesOptions): Stage<OperatorTask, Candidate> {
  return {
    name: 'samples',
    version: 2,
    options: {count, prompt: mode.prompt, evaluation: {...evaluation}},
    teacher: profile,
    input: OperatorTask,
    output: Candidate,
    run: each(
      async (task, {llm, signal}) => {
        if (!llm) throw unasked(profile)
        const tasks = evaluatedTasks(task, evaluation)
        return (await Promise.all(tasks.map((one) => sample(one, {count, mode, llm, signal})))).flat()
      },
      {concurrency: 4},
    ),
  }
}

interface Asking {
  count: number
  mode: Mode
  llm: LanguageModel
  signal: AbortSignal
}

/** Requests do not depend on earlier replies, so the forecast counts them all. */
function sample(task: OperatorTask, {count, mode, llm, signal}: Asking): Promise<Candidate[]> {
  const prompt = renderPrompt(mode.prompt, mode.values(task))
  const attempt = async (index: number): Promise<Candidate> => {
    const reply = await llm.complete({messages: [{role: 'user', content: prompt}], sample: index}, signal)
    const sampler = {kind: 'model' as const, model: llm.model, sample: index}
    return {task, prompt, reasoning: reply.reasoning, sampler, ...scoredFiles(task, reply, mode)}
  }
  return Promise.all(Array.from({length: count}, (_, index) => attempt(index)))
}

function unasked(profile: string): PipelineError {
  return new PipelineError('config-invalid', `No model is configured as ${profile}.`, {
    fix: `Add teachers.${profile} to the configuration, with model and baseUrl.`,
  })
}
