import {z} from 'zod'
import {byCodeUnit} from '../../engine/code-unit-order.ts'
import {contentId} from '../../engine/ids.ts'
import {SourceFile} from './operator.ts'
import type {OperatorTask} from './task.ts'
import {ExecutorIdentity, Verdict} from './verdict.ts'

/** What a judge of elsewhere need not say, by outcome. Which rule was broken has to be said: nothing means it. */
const unsaid: Readonly<Record<string, object>> = {
  'not-covered': {missing: []},
  'compile-failed': {diagnostics: [], log: ''},
  'link-failed': {log: ''},
  'launch-failed': {case: '', message: ''},
  crashed: {case: '', cause: '', log: ''},
  'timed-out': {case: '', limitSeconds: 0},
  violated: {case: ''},
  mismatched: {cases: []},
  cheated: {detail: '', literal: false},
  correct: {cases: []},
}

const Judge = ExecutorIdentity.partial().required({name: true})

/** A verdict whose evidence may be missing; an executor needs a name alone. What is there is that of `Verdict`. */
const LooseVerdict = z.preprocess((given) => {
  if (typeof given !== 'object' || given === null || !('outcome' in given)) return given
  const executor = Judge.safeParse('executor' in given ? given.executor : undefined)
  const identity = executor.success && {executor: {fingerprint: '', compiler: '', soc: '', ...executor.data}}
  return {...unsaid[String(given.outcome)], ...given, ...identity}
}, Verdict)

const id = /^[0-9a-f]{32}$/
const expectedSources = 'expected 32 hexadecimal digits of the sources, or a list of {path, text}'

/** One line of a file of verdicts that anybody may write. */
export const PublicVerdict = z.strictObject({
  /** `taskId` of the task, or the operator's type. */
  task: z.string().min(1),
  /** `sourcesId` of the files that were judged, or the files themselves. */
  sources: z.union([z.string().regex(id, expectedSources), z.array(SourceFile).min(1, expectedSources)], {
    error: expectedSources,
  }),
  verdict: LooseVerdict,
  /** The operator's type, where `task` is an id. */
  operator: z.string().optional(),
  /** Who wrote the candidate, where that is known. */
  author: z.string().optional(),
})
export type PublicVerdict = z.infer<typeof PublicVerdict>

/** Whether what means a task is its id. */
export const isTaskId = (task: string) => id.test(task)

/** What is asked of a candidate, wherever its files lie. @returns 32 hexadecimal digits */
export function taskId({name, description, hostTemplate, kernelTemplate, cases}: OperatorTask): string {
  return contentId({name, description, hostTemplate, kernelTemplate, cases})
}

/** Files in whatever order. @returns 32 hexadecimal digits */
export function sourcesId(files: readonly SourceFile[]): string {
  return contentId([...files].sort((a, b) => byCodeUnit(a.path, b.path)))
}
