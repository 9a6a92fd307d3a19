import {loadPrompt, renderPrompt} from '../engine/prompt.ts'
import type {Candidate} from './schema/candidate.ts'
import type {SourceFile} from './schema/operator.ts'
import type {OperatorTask} from './schema/task.ts'
import {languageOf} from './voice.ts'

/** Asks for a whole operator; `requestValues` fills it, and `extractFiles` reads a reply to it. */
export const operatorRequest = {
  en: loadPrompt(new URL('operator-request.md', import.meta.url)),
  zh: loadPrompt(new URL('operator-request.zh.md', import.meta.url)),
}

/** What a request tells of a task. */
export type RequestedTask = Pick<
  OperatorTask,
  'name' | 'description' | 'hostTemplate' | 'kernelTemplate' | 'cases' | 'columns'
>

/** The request for the whole operator of a task, in the language that the task is described in. */
export function requestFor(task: RequestedTask): string {
  return renderPrompt(operatorRequest[languageOf(task.description)], requestValues(task))
}

/** What a task puts into the placeholders of a request. */
export function requestValues(task: RequestedTask) {
  const {name, description, hostTemplate, kernelTemplate, cases} = task
  const columns = task.columns ?? Object.keys(cases[0] ?? {})
  const rows = cases.map((row) => columns.map((column) => row[column] ?? '').join(';'))
  return {
    operator: name,
    snake: kernelTemplate.path.replace(/^.*\//, '').replace(/\.cpp$/, ''),
    description: description.trim(),
    hostTemplate: hostTemplate.text.trim(),
    kernelTemplate: kernelTemplate.text.trim(),
    cases: [columns.join(';'), ...rows].join('\n'),
  }
}

/** The files that the request asks for, in its order: tiling data, host, kernel. */
export function operatorPaths({hostTemplate, kernelTemplate}: OperatorTask): string[] {
  return [hostTemplate.path.replace(/\.cpp$/, '_tiling.h'), hostTemplate.path, kernelTemplate.path]
}

/** The templates, with the written files in place of those that they replace. */
export function wholeOperator(
  {hostTemplate, kernelTemplate}: OperatorTask,
  written: readonly SourceFile[],
): Pick<Candidate, 'files' | 'written'> {
  const paths = written.map(({path}) => path)
  return {
    files: [...[hostTemplate, kernelTemplate].filter(({path}) => !paths.includes(path)), ...written],
    written: paths,
  }
}
