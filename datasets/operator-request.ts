import {loadPrompt, renderPrompt} from '../engine/prompt.ts'
import {formatFiles} from './operator-reply.ts'
import type {Candidate} from './schema/candidate.ts'
import type {SourceFile} from './schema/operator.ts'
import type {OperatorTask} from './schema/task.ts'
import {languageOf} from './voice.ts'

const templates = {
  en: loadPrompt(new URL('operator-request.md', import.meta.url)),
  zh: loadPrompt(new URL('operator-request.zh.md', import.meta.url)),
}

/**
 * Template of a request for a whole operator in three files; `requestValues` fills it, and `extractFiles` reads the
 * reply.
 */
export const operatorRequest = {
  en: templates.en.replace('{{further}}', ''),
  zh: templates.zh.replace('{{further}}', ''),
}

/** What a request says about a task. */
export type RequestedTask = Pick<
  OperatorTask,
  'name' | 'description' | 'hostTemplate' | 'kernelTemplate' | 'cases' | 'columns'
>

const headerWords = {en: 'a header that the kernel includes', zh: '核函数包含的头文件'}

/**
 * The request for the whole operator of a task, in the language of the task's description. It asks for the kernel
 * headers of the task's answer, so that the answer matches the request.
 */
export function requestFor(task: OperatorTask): string {
  const language = languageOf(task.description)
  const headers = headersOf(task).map((path) => ({path, text: headerWords[language]}))
  const further = headers.length === 0 ? '' : `\n${formatFiles(headers)}`
  return renderPrompt(templates[language], {...requestValues(task), further})
}

/** The files that `requestFor` asks for. */
export function requestedPaths(task: OperatorTask): string[] {
  return [...operatorPaths(task), ...headersOf(task)]
}

function headersOf(task: OperatorTask): string[] {
  const asked = operatorPaths(task)
  return task.answer.map(({path}) => path).filter((path) => !asked.includes(path))
}

/** A task's values for the placeholders of a request. */
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

/** The files of every request, in its order: tiling data, host, kernel. */
export function operatorPaths({hostTemplate, kernelTemplate}: OperatorTask): string[] {
  return [hostTemplate.path.replace(/\.cpp$/, '_tiling.h'), hostTemplate.path, kernelTemplate.path]
}

/** The templates, with written files replacing theirs. */
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
