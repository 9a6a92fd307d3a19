import {Candidate} from '../../datasets/schema/candidate.ts'
import type {SourceFile} from '../../datasets/schema/kernel.ts'
import {KernelTask} from '../../datasets/schema/task.ts'
import type {LanguageModel} from '../core/llm/model.ts'
import {loadPrompt, renderPrompt} from '../core/prompt.ts'
import {randomFrom} from '../core/random.ts'
import {each, type Context, type Stage} from '../core/stage.ts'
import {cutAfterWorkspace, readBenchmarkReply, type Mode} from './benchmark-reply.ts'
import {extractFiles, type Extracted} from './extract.ts'
import {mutate} from './mutations.ts'

const promptText = loadPrompt(new URL('candidate.md', import.meta.url))
const kernelPromptText = loadPrompt(new URL('candidate-kernel.md', import.meta.url))

export interface CandidatesOptions {
  /** Attempts per task: samples of the model, or the answer and its faulty variants. Default 8. */
  count?: number
  /** Set to score a model as the benchmark does. Absent: whole operators for training, read strictly, unreadable replies dropped. */
  evaluation?: Evaluation
}

export interface Evaluation {
  mode: Mode
  /** `static`: each row of `test_cases.csv` is a task of its own. `dynamic`: one candidate serves all rows. */
  shape: 'static' | 'dynamic'
  /** At most this many rows, from the first. Default 1 for a static shape, as in the benchmark, and all for a dynamic one. */
  cases?: number
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
    requestsPerRecord: count * (evaluation?.shape === 'static' ? evaluation.cases ?? 1 : 1),
    input: KernelTask,
    output: Candidate,
    run: each(async (task, context) => {
      const {llm} = context
      if (!llm) return vary(task, count, context)
      const tasks = evaluation ? evaluatedTasks(task, evaluation) : [task]
      return (await Promise.all(tasks.map((one) => sample(one, {count, evaluation, llm, context})))).flat()
    }, {concurrency: 4}),
  }
}

function evaluatedTasks(task: KernelTask, {shape, cases}: Evaluation): KernelTask[] {
  if (shape === 'dynamic') return [{...task, cases: task.cases.slice(0, cases)}]
  return task.cases.slice(0, cases ?? 1).map((row) => ({...task, cases: [row]}))
}

interface Asking {
  count: number
  evaluation: Evaluation | undefined
  llm: LanguageModel
  context: Context
}

async function sample(task: KernelTask, {count, evaluation, llm, context}: Asking): Promise<Candidate[]> {
  const prompt = candidatePrompt(task, evaluation?.mode ?? 'full')
  const paths = evaluation?.mode === 'kernel-only' ? [task.kernelTemplate.path] : writtenPaths(task)
  const attempts = Array.from({length: count}, async (_, index): Promise<Candidate | undefined> => {
    const reply = await llm.complete({messages: [{role: 'user', content: prompt}], sample: index}, context.signal)
    const extracted = evaluation ? readBenchmarkReply(reply, evaluation.mode, paths) : extractFiles(reply.text, paths)
    if (!extracted.ok && !evaluation) {
      context.drop({task: task.name, sample: index}, 'reply-without-code', `${task.name}, sample ${index} (${reply.finishReason}): ${extracted.problem}`)
      return undefined
    }
    const files = extracted.ok ? extracted.files : unreadable(extracted, paths)
    return {
      task, prompt, reasoning: reply.reasoning, sampler: {kind: 'model', model: llm.model, sample: index},
      files: overlay(task, files), written: files.map(({path}) => path),
    }
  })
  return (await Promise.all(attempts)).filter((candidate) => candidate !== undefined)
}

/**
 * A reply without code is a failed attempt in every rate, so it becomes a candidate that says so to the compiler. Scores know
 * these words: `no readable answer:`.
 */
function unreadable({problem}: Extract<Extracted, {ok: false}>, paths: readonly string[]): SourceFile[] {
  return paths.slice(-1).map((path) => ({path, text: `#error "no readable answer: ${problem}"\n`}))
}

/**
 * Offline, nobody reasons: an answer and its mutants differ in one place, and a text composed about either would only say what
 * its code says. So `reasoning` is empty on both sides, and the pairs teach code alone.
 */
function vary(task: KernelTask, count: number, context: Context): readonly Candidate[] {
  if (task.answer.length === 0) return context.drop(task, 'no-answer', `${task.name} has no verified answer to vary, and no model is configured for "candidates"`)
  const prompt = candidatePrompt(task)
  const written = task.answer.map(({path}) => path)
  const mutants = mutate(task.answer, count - 1, randomFrom(context.seed, 'candidates', task.origin.path))
  return [
    {task, sampler: {kind: 'answer'}, prompt, reasoning: '', files: overlay(task, task.answer), written},
    ...mutants.map(({files, mutation, detail}): Candidate =>
      ({task, sampler: {kind: 'mutation', mutation, detail}, prompt, reasoning: '', files: overlay(task, files), written})),
  ]
}

/** The templates, with the author's files in place of those they replace. */
function overlay(task: KernelTask, written: readonly SourceFile[]): SourceFile[] {
  const replaced = new Set(written.map(({path}) => path))
  return [...[task.hostTemplate, task.kernelTemplate].filter(({path}) => !replaced.has(path)), ...written]
}

/** What a full reply holds, in the order of the prompt. */
function writtenPaths(task: KernelTask): string[] {
  return [task.hostTemplate.path.replace(/\.cpp$/, '_tiling.h'), task.hostTemplate.path, task.kernelTemplate.path]
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
