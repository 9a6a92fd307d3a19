import {counted} from '../../engine/counted.ts'
import type {JudgedCandidate, Sampler} from '../../datasets/schema/candidate.ts'
import type {ErrorClass} from '../../datasets/schema/error-class.ts'
import {isTaskId, sourcesId, taskId, type PublicVerdict} from '../../datasets/schema/public-verdict.ts'
import type {ExecutorIdentity, Verdict} from '../../datasets/schema/verdict.ts'
import {parseDiagnostics} from '../executors/diagnostics.ts'
import {evidenceOf, type Evidence} from '../serve/evidence.ts'
import {classifyCandidate} from '../taxonomy.ts'

/** How far a program comes, in order. */
export const steps = ['compile', 'run', 'numbers'] as const
export type Step = (typeof steps)[number]

/** What an outcome says of each step: it holds, it fails; absent where it says nothing. */
const tells: {readonly [O in Verdict['outcome']]: Readonly<Partial<Record<Step, boolean>>>} = {
  'not-covered': {},
  'compile-failed': {compile: false},
  'link-failed': {compile: false},
  compiled: {compile: true},
  'launch-failed': {compile: true, run: false},
  crashed: {compile: true, run: false},
  'timed-out': {compile: true, run: false},
  violated: {compile: true, run: false},
  mismatched: {compile: true, run: true, numbers: false},
  // Its sources may have been enough to refuse it.
  cheated: {compile: true, numbers: false},
  correct: {compile: true, run: true, numbers: true},
}

/** What is kept of one verdict: enough to compare it and to show it, without sources and whole logs. */
export interface Finding {
  /** Operator type; '' where only its id was said. */
  task: string
  /** '' where only the name was said. */
  taskId: string
  sources: string
  /** `answer`, `mutation: missing-enqueue`; '' where nobody said. */
  author: string
  outcome: Verdict['outcome']
  tells: (typeof tells)[Verdict['outcome']]
  class: ErrorClass | ''
  rule: string
  /** The first error of a compiler, word for word; '' if there is none. */
  firstError: string
  /** Name of the file, without folders, and line. */
  place: string
  evidence: Evidence
  executor: ExecutorIdentity
}

type Judged = Pick<JudgedCandidate, 'task' | 'sampler' | 'files' | 'verdict' | 'unreadable'>

export function findingOf({task, sampler, files, verdict, unreadable}: Judged): Finding {
  return {
    task: task.name,
    taskId: taskId(task),
    sources: sourcesId(files),
    author: authorOf(sampler),
    ...foundBy(verdict, unreadable),
  }
}

/** A tool's own words are read as those of the executors here are. */
export function publicFinding({task, operator = '', sources, verdict, author = ''}: PublicVerdict): Finding {
  const read =
    verdict.outcome === 'compile-failed' && verdict.diagnostics.length === 0
      ? {...verdict, diagnostics: parseDiagnostics(verdict.log)}
      : verdict
  return {
    ...(isTaskId(task) ? {task: operator, taskId: task} : {task, taskId: ''}),
    sources: typeof sources === 'string' ? sources : sourcesId(sources),
    author,
    ...foundBy(read),
  }
}

function foundBy(verdict: Verdict, unreadable?: string) {
  const failure = classifyCandidate(unreadable === undefined ? {verdict} : {verdict, unreadable})
  const diagnostics = verdict.outcome === 'compile-failed' ? verdict.diagnostics : []
  const first = diagnostics.find(({severity}) => severity === 'error')
  return {
    outcome: verdict.outcome,
    tells: tells[verdict.outcome],
    class: failure?.class ?? ('' as const),
    rule: failure?.rule ?? '',
    firstError: first?.message ?? '',
    place: first && first.file !== '' ? `${first.file.split('/').at(-1)}:${first.line}` : '',
    evidence: evidenceOf(verdict),
    executor: verdict.executor,
  }
}

export function authorOf(sampler: Sampler): string {
  switch (sampler.kind) {
    case 'mutation':
      return `mutation: ${[sampler, ...(sampler.more ?? [])].map(({mutation}) => mutation).join(', ')}`
    case 'variant':
      return `variant: ${sampler.rewrites.join(', ')}`
    case 'rewound':
      return `rewound: ${sampler.steps.join(', ')}`
    case 'searched':
      return `searched: ${sampler.steps.join(', ')}`
    case 'model':
      return `model: ${sampler.model}`
    case 'answer':
      return 'answer'
  }
}

/** The step at which it fails; undefined where nothing that it says is a failure. */
export const failedStep = ({tells}: Finding) => steps.find((step) => tells[step] === false)

/** What the executor says, in a sentence without a subject. */
export function inWords({outcome, class: name, evidence, place, firstError}: Finding): string {
  const {case: at, rule, message = '', wrong, log, cases = 0, passed = 0} = evidence
  const where = at ? ` in case ${at}` : ''
  const because = (text: string | undefined) => (text ? `: ${text.trim()}` : '')
  switch (outcome) {
    case 'correct':
      return cases === 0 ? 'finds it correct' : `finds it correct in ${passed} of ${counted(cases, 'case')}`
    case 'compiled':
      return 'compiles it, and ran nothing'
    case 'not-covered':
      return `cannot tell${because(message)}`
    case 'compile-failed':
      return firstError === ''
        ? 'does not compile it'
        : `does not compile it (${name}): ${place === '' ? '' : `${place}: `}${firstError}`
    case 'link-failed':
      return `does not link it${because(log?.split('\n')[0])}`
    case 'launch-failed':
      return `could not launch it${where}${because(message)}`
    case 'crashed':
      return `sees it crash${where}${because(message)}`
    case 'timed-out':
      return `stopped it${where}${because(message)}`
    case 'violated':
      return `sees the rule ${rule} broken${where}${because(message)}`
    case 'mismatched':
      return `finds wrong numbers${where}${because(wrong)}`
    case 'cheated':
      return `refuses it as ${rule}${because(message)}`
  }
}
