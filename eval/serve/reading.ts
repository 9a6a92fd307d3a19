import {extractFiles} from '../../datasets/operator-reply.ts'
import {requestedPaths, requestFor, wholeOperator} from '../../datasets/operator-request.ts'
import type {Candidate} from '../../datasets/schema/candidate.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import type {OperatorTask} from '../../datasets/schema/task.ts'
import {partReasoning} from '../../engine/llm/think.ts'
import {renderPrompt} from '../../engine/prompt.ts'
import type {Mode} from '../bench/benchmark.ts'

/** How a task is presented to a model, and how its reply is parsed. */
export interface Form {
  prompt(task: OperatorTask): string
  read(task: OperatorTask, reply: {text: string; reasoning: string}): ReturnType<typeof extractFiles>
}

/** Tiling data, host and kernel after banners: the form of this project's own preference pairs. */
export const operatorForm: Form = {
  prompt: requestFor,
  read: (task, {text}) => extractFiles(text, requestedPaths(task)),
}

/** The form of a benchmark's requests. */
export function benchmarkForm(mode: Mode): Form {
  return {
    prompt: (task) => renderPrompt(mode.prompt, mode.values(task)),
    read: (task, reply) => mode.read(reply, mode.paths(task)),
  }
}

export type Read = {ok: true; candidate: Candidate} | {ok: false; problem: string}

/** A completion as a candidate; reasoning in `<think>` tags is separated, so that code quoted in it does not count. */
export function readCompletion(task: OperatorTask, form: Form, completion: string): Read {
  const reply = partReasoning(completion, '')
  const found = form.read(task, reply)
  return found.ok ? {ok: true, candidate: candidateOf(task, found.files, reply.reasoning)} : found
}

/** Files that were sent directly. Only those that the task requires are accepted, because their names become paths. */
export function readFiles(task: OperatorTask, files: readonly SourceFile[]): Read {
  const asked = requestedPaths(task)
  const stranger = files.find(({path}) => !asked.includes(path))
  if (stranger) return {ok: false, problem: `unexpected file ${stranger.path}; expected only ${asked.join(', ')}`}
  if (new Set(files.map(({path}) => path)).size < files.length) return {ok: false, problem: 'a file is given twice'}
  const empty = files.find(({text}) => text.trim() === '')
  if (empty) return {ok: false, problem: `${empty.path} is empty`}
  return {ok: true, candidate: candidateOf(task, files, '')}
}

function candidateOf(task: OperatorTask, files: readonly SourceFile[], reasoning: string): Candidate {
  return {
    task,
    sampler: {kind: 'model', model: 'client', sample: 0},
    prompt: task.description,
    reasoning,
    ...wholeOperator(task, files),
  }
}
