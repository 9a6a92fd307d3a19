import {extractFiles} from '../../datasets/operator-reply.ts'
import {operatorRequest, requestedPaths, requestFor, wholeOperator} from '../../datasets/operator-request.ts'
import {Candidate} from '../../datasets/schema/candidate.ts'
import {OperatorTask} from '../../datasets/schema/task.ts'
import type {LanguageModel} from '../../engine/llm/model.ts'
import {randomFrom} from '../../engine/random.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import {defaultMix, mutate, type Mix} from './mutations.ts'
import {variantsOf} from './variants.ts'

interface CandidatesOptions extends Partial<Mix> {
  /** Attempts per task: samples of the model, or right and faulty texts: a quarter and the rest. Default 12. */
  count?: number
}

/**
 * Task → attempts at the whole operator, for training. With a model: n samples, without the unreadable ones. Without a
 * model: the task's own answer, variants of it and mutants of these. The author of an attempt does not decide its
 * label, which is observed.
 */
export default function candidates({count = 12, ...shares}: CandidatesOptions = {}): Stage<OperatorTask, Candidate> {
  const mix = {...defaultMix, ...shares}
  return {
    name: 'candidates',
    version: 11,
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
  const prompt = requestFor(task)
  const attempts = Array.from({length: count}, async (_, index): Promise<Candidate | undefined> => {
    const reply = await llm.complete({messages: [{role: 'user', content: prompt}], sample: index}, context.signal)
    const extracted = extractFiles(reply.text, requestedPaths(task))
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

/** One text in this many is correct: the answer, or the answer written otherwise. */
const oneRightIn = 4

/**
 * The answer, variants of it, and mutants of all of these in turn: so a style of writing is as often on the wrong side
 * of a pair as on the right one. No reasoning here: it is added when labels are known.
 */
function vary(task: OperatorTask, {count, mix}: Varying, context: Context): readonly Candidate[] {
  if (task.answer.length === 0)
    return context.drop(
      task,
      'no-answer',
      `${task.name} has no verified answer to vary, and no model is configured for "candidates"`,
    )
  const prompt = requestFor(task)
  const random = (of: string) => randomFrom(context.seed, 'candidates', task.origin.path, prompt, of)
  const variants = variantsOf(task.answer, rightTexts(count) - 1, random('variants'))
  const written = (sampler: Candidate['sampler'], files: Candidate['files']): Candidate => ({
    task,
    sampler,
    prompt,
    reasoning: '',
    ...wholeOperator(task, files),
  })
  const texts = [...variants, {files: task.answer, rewrites: undefined}]
  const mutants = texts.flatMap(({files, rewrites}, index) =>
    mutate(files, shareOf(count - texts.length, texts.length, index), random(`mutants ${index}`), mix).map(
      ({files: wrong, ...fault}) => written({kind: 'mutation', ...fault, ...(rewrites && {rewrites})}, wrong),
    ),
  )
  return [
    written({kind: 'answer'}, task.answer),
    ...variants.map(({files, rewrites}) => written({kind: 'variant', rewrites: [...rewrites]}, files)),
    ...mutants,
  ]
}

/** A fault in the only right text is too near to it for a pair: from three candidates on there are two. */
function rightTexts(count: number): number {
  return count < 3 ? 1 : Math.max(2, Math.floor(count / oneRightIn))
}

/** The share of one place when items are distributed: the first places get the remainder. */
function shareOf(all: number, places: number, index: number): number {
  return Math.floor(all / places) + (index < all % places ? 1 : 0)
}
