import {extractFiles} from '../../datasets/operator-reply.ts'
import {operatorPaths, operatorRequest, requestValues, wholeOperator} from '../../datasets/operator-request.ts'
import {Candidate} from '../../datasets/schema/candidate.ts'
import {OperatorTask} from '../../datasets/schema/task.ts'
import type {LanguageModel} from '../../engine/llm/model.ts'
import {renderPrompt} from '../../engine/prompt.ts'
import {randomFrom} from '../../engine/random.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import {defaultMix, mutate, type Mix} from './mutations.ts'

interface CandidatesOptions extends Partial<Mix> {
  /** Attempts per task: samples of the model, or the answer and its faulty variants. Default 8. */
  count?: number
}

/**
 * Task → attempts at the whole operator, for training. With a model, n samples, of which unreadable ones are dropped;
 * without one, the task's own answer and mutants of it. Who wrote an attempt says nothing about its label: that is
 * observed.
 */
export default function candidates({count = 8, ...shares}: CandidatesOptions = {}): Stage<OperatorTask, Candidate> {
  const mix = {...defaultMix, ...shares}
  return {
    name: 'candidates',
    version: 2,
    options: {count, ...mix, prompt: operatorRequest},
    teacher: 'candidates',
    input: OperatorTask,
    output: Candidate,
    run: each(
      async (task, context) => {
        const {llm} = context
        return llm ? sample(task, {count, llm, context}) : vary(task, {count, mix}, context)
      },
      {concurrency: 4},
    ),
  }
}

interface Asking {
  count: number
  llm: LanguageModel
  context: Context
}

/**
 * No request waits for the reply to another, so that the forecast counts them all. The teacher's `concurrency` says how
 * many are sent at once.
 */
async function sample(task: OperatorTask, {count, llm, context}: Asking): Promise<Candidate[]> {
  const prompt = renderPrompt(operatorRequest, requestValues(task))
  const attempts = Array.from({length: count}, async (_, index): Promise<Candidate | undefined> => {
    const reply = await llm.complete({messages: [{role: 'user', content: prompt}], sample: index}, context.signal)
    const extracted = extractFiles(reply.text, operatorPaths(task))
    if (extracted.ok) {
      const sampler = {kind: 'model' as const, model: llm.model, sample: index}
      return {task, prompt, reasoning: reply.reasoning, sampler, ...wholeOperator(task, extracted.files)}
    }
    context.drop(
      {task: task.name, sample: index},
      'reply-without-code',
      `${task.name}, sample ${index} (${reply.finishReason}): ${extracted.problem}`,
    )
    return undefined
  })
  return (await Promise.all(attempts)).filter((candidate) => candidate !== undefined)
}

interface Varying {
  count: number
  mix: Mix
}

/**
 * Offline, nobody reasons: an answer and its mutants differ in few places, and a text composed about either would only
 * say what its code says. So `reasoning` is empty on both sides, and the pairs teach code alone.
 */
function vary(task: OperatorTask, {count, mix}: Varying, context: Context): readonly Candidate[] {
  if (task.answer.length === 0)
    return context.drop(
      task,
      'no-answer',
      `${task.name} has no verified answer to vary, and no model is configured for "candidates"`,
    )
  const prompt = renderPrompt(operatorRequest, requestValues(task))
  const written = (sampler: Candidate['sampler'], files: Candidate['files']): Candidate => ({
    task,
    sampler,
    prompt,
    reasoning: '',
    ...wholeOperator(task, files),
  })
  const mutants = mutate(task.answer, count - 1, randomFrom(context.seed, 'candidates', task.origin.path), mix)
  return [
    written({kind: 'answer'}, task.answer),
    ...mutants.map(({files, ...fault}) => written({kind: 'mutation', ...fault}, files)),
  ]
}
