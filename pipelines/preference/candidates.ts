import {Candidate} from '../../datasets/schema/candidate.ts'
import {KernelTask} from '../../datasets/schema/task.ts'
import type {LanguageModel} from '../../engine/llm/model.ts'
import {loadPrompt, renderPrompt} from '../../engine/prompt.ts'
import {randomFrom} from '../../engine/random.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import {askedPaths, evaluatedTasks, scoredFiles, wholeOperator, type Evaluation} from './attempt.ts'
import {cutAfterWorkspace, type Mode} from './benchmark-reply.ts'
import {extractFiles} from './extract.ts'
import {mutate} from './mutations.ts'

const promptText = loadPrompt(new URL('candidate.md', import.meta.url))
const kernelPromptText = loadPrompt(new URL('candidate-kernel.md', import.meta.url))

export interface CandidatesOptions {
  /** Attempts per task: samples of the model, or the answer and its faulty variants. Default 8. */
  count?: number
  /** Set to score a model as the benchmark does. Absent: whole operators for training, read strictly, unreadable replies dropped. */
  evaluation?: Evaluation
}

/**
 * Task → attempts at it. With a teacher, n samples; without one, the task's own answer and mutants of it. Who wrote an attempt
 * says nothing about its label: that is observed.
 */
export default function candidates({count = 8, evaluation}: CandidatesOptions = {}): Stage<KernelTask, Candidate> {
  const prompt = evaluation?.mode === 'kernel-only' ? kernelPromptText : promptText
  return {
    name: 'candidates',
    version: 1,
    options: {count, prompt, ...(evaluation ? {evaluation: {...evaluation}} : {})},
    teacher: 'candidates',
    input: KernelTask,
    output: Candidate,
    run: each(
      async (task, context) => {
        const {llm} = context
        if (!llm) return vary(task, count, context)
        const tasks = evaluation ? evaluatedTasks(task, evaluation) : [task]
        return (await Promise.all(tasks.map((one) => sample(one, {count, evaluation, llm, context})))).flat()
      },
      {concurrency: 4},
    ),
  }
}

interface Asking {
  count: number
  evaluation: Evaluation | undefined
  llm: LanguageModel
  context: Context
}

/** No request waits for the reply to another, so that the forecast counts them all. */
async function sample(task: KernelTask, {count, evaluation, llm, context}: Asking): Promise<Candidate[]> {
  const prompt = candidatePrompt(task, evaluation?.mode ?? 'full')
  const attempts = Array.from({length: count}, async (_, index): Promise<Candidate | undefined> => {
    const reply = await llm.complete({messages: [{role: 'user', content: prompt}], sample: index}, context.signal)
    const shared = {
      task,
      prompt,
      reasoning: reply.reasoning,
      sampler: {kind: 'model' as const, model: llm.model, sample: index},
    }
    if (evaluation) return {...shared, ...scoredFiles(task, reply, evaluation.mode)}
    const extracted = extractFiles(reply.text, askedPaths(task, 'full'))
    if (extracted.ok) return {...shared, ...wholeOperator(task, extracted.files)}
    context.drop(
      {task: task.name, sample: index},
      'reply-without-code',
      `${task.name}, sample ${index} (${reply.finishReason}): ${extracted.problem}`,
    )
    return undefined
  })
  return (await Promise.all(attempts)).filter((candidate) => candidate !== undefined)
}

/**
 * Offline, nobody reasons: an answer and its mutants differ in one place, and a text composed about either would only say what
 * its code says. So `reasoning` is empty on both sides, and the pairs teach code alone.
 */
function vary(task: KernelTask, count: number, context: Context): readonly Candidate[] {
  if (task.answer.length === 0)
    return context.drop(
      task,
      'no-answer',
      `${task.name} has no verified answer to vary, and no model is configured for "candidates"`,
    )
  const prompt = candidatePrompt(task)
  const mutants = mutate(task.answer, count - 1, randomFrom(context.seed, 'candidates', task.origin.path))
  return [
    {task, sampler: {kind: 'answer'}, prompt, reasoning: '', ...wholeOperator(task, task.answer)},
    ...mutants.map(
      ({files, mutation, detail}): Candidate => ({
        task,
        sampler: {kind: 'mutation', mutation, detail},
        prompt,
        reasoning: '',
        ...wholeOperator(task, files),
      }),
    ),
  ]
}

function candidatePrompt(task: KernelTask, mode: Mode = 'full'): string {
  const columns = Object.keys(task.cases[0] ?? {})
  const rows = task.cases.map((row) => columns.map((column) => row[column] ?? '').join(';'))
  return renderPrompt(mode === 'full' ? promptText : kernelPromptText, {
    operator: task.name,
    snake: task.kernelTemplate.path.replace(/^.*\//, '').replace(/\.cpp$/, ''),
    description: task.description.trim(),
    hostTemplate: task.hostTemplate.text.trim(),
    kernelTemplate: (mode === 'full' ? task.kernelTemplate.text : cutAfterWorkspace(task.kernelTemplate.text)).trim(),
    cases: [columns.join(';'), ...rows].join('\n'),
  })
}
