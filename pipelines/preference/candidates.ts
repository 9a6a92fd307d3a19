import {Candidate} from '../../datasets/schema/candidate.ts'
import type {SourceFile} from '../../datasets/schema/kernel.ts'
import {KernelTask} from '../../datasets/schema/task.ts'
import type {LanguageModel} from '../core/llm/model.ts'
import {loadPrompt, renderPrompt} from '../core/prompt.ts'
import {randomFrom} from '../core/random.ts'
import {each, type Context, type Stage} from '../core/stage.ts'
import {extractFiles} from './extract.ts'
import {mutate} from './mutations.ts'

const promptText = loadPrompt(new URL('candidate.md', import.meta.url))

export interface CandidatesOptions {
  /** Attempts per task: samples of the model, or the answer and its faulty variants. Default 8. */
  count?: number
}

/**
 * Task → attempts at it. With a teacher, n samples; without one, the task's own answer and mutants of it. Who wrote an attempt
 * says nothing about its label: that is observed.
 */
export default function candidates({count = 8}: CandidatesOptions = {}): Stage<KernelTask, Candidate> {
  return {
    name: 'candidates',
    version: 1,
    options: {count, prompt: promptText},
    teacher: 'candidates',
    requestsPerRecord: count,
    input: KernelTask,
    output: Candidate,
    run: each((task, context) => (context.llm ? sample(task, count, context.llm, context) : vary(task, count, context)), {concurrency: 4}),
  }
}

async function sample(task: KernelTask, count: number, llm: LanguageModel, context: Context): Promise<Candidate[]> {
  const prompt = candidatePrompt(task)
  const attempts = Array.from({length: count}, async (_, index): Promise<Candidate | undefined> => {
    const reply = await llm.complete({messages: [{role: 'user', content: prompt}], sample: index}, context.signal)
    const extracted = extractFiles(reply.text, writtenPaths(task))
    if (!extracted.ok) {
      context.drop({task: task.name, sample: index}, 'reply-without-code', `${task.name}, sample ${index} (${reply.finishReason}): ${extracted.problem}`)
      return undefined
    }
    return {
      task, prompt, reasoning: reply.reasoning, sampler: {kind: 'model', model: llm.model, sample: index},
      files: overlay(task, extracted.files), written: extracted.files.map(({path}) => path),
    }
  })
  return (await Promise.all(attempts)).filter((candidate) => candidate !== undefined)
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

function candidatePrompt(task: KernelTask): string {
  const columns = Object.keys(task.cases[0] ?? {})
  const rows = task.cases.map((row) => columns.map((column) => row[column] ?? '').join(';'))
  return renderPrompt(promptText, {
    operator: task.name,
    snake: task.kernelTemplate.path.replace(/^.*\//, '').replace(/\.cpp$/, ''),
    description: task.description.trim(),
    hostTemplate: task.hostTemplate.text.trim(),
    kernelTemplate: task.kernelTemplate.text.trim(),
    cases: [columns.join(';'), ...rows].join('\n'),
  })
}
