import type {JudgedCandidate, LabelledCandidate, Sampler} from '../../../datasets/schema/candidate.ts'
import type {Label} from '../../../datasets/schema/label.ts'
import type {OperatorTask} from '../../../datasets/schema/task.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import {textId} from '../../../engine/ids.ts'
import {scriptedIdentity as executor} from '../../helpers/scripted-executor.ts'

export {executor}

/** The fixture task, whole. */
export async function fixtureTask(): Promise<OperatorTask> {
  const [task] = await loadTasks(
    {root: 'test/fixtures/tasks', repository: 'ascend-cot/fixtures', licence: 'Apache-2.0'},
    () => [],
  )
  if (!task) throw new Error('the fixture task is gone')
  return task
}

const task = await fixtureTask()

export function judged(over: Partial<JudgedCandidate> = {}): JudgedCandidate {
  const file = {path: 'op_kernel/scale_shift.cpp', text: 'void scale_shift() {}\n'}
  return {
    task,
    sampler: {kind: 'answer'},
    prompt: 'Write ScaleShift.',
    reasoning: '',
    files: [file],
    written: [file.path],
    verdict: {outcome: 'correct', cases: [], executor},
    ...over,
  }
}

const verdicts: Record<Label, Verdict> = {
  green: {
    outcome: 'correct',
    cases: [{case: '0', literal: true, hardened: true, worstAbsolute: 0, worstRelative: 0, reason: ''}],
    executor,
  },
  orange: {
    outcome: 'mismatched',
    cases: [{case: '0', literal: false, hardened: false, worstAbsolute: 1, worstRelative: 1, reason: 'y'}],
    executor,
  },
  purple: {outcome: 'compile-failed', diagnostics: [], log: 'error', executor},
}

/** Code of its own for each name: eight statements, none of which another name has. */
export function codeNamed(name: string): string {
  const digits = textId(name)
  const statements = Array.from({length: 8}, (_, at) => `  value = 0x${digits.slice(4 * at, 4 * at + 4)};`)
  return [`// ${name}`, 'void scale_shift() {', ...statements, '}', ''].join('\n')
}

/** A labelled candidate whose code is told from all others by `code`. */
export function labelled(
  label: Label,
  code: string,
  sampler: Sampler = {kind: 'mutation', mutation: code, detail: code},
  over: Partial<LabelledCandidate> = {},
): LabelledCandidate {
  return {
    ...judged({
      sampler,
      verdict: verdicts[label],
      files: [{path: 'op_kernel/scale_shift.cpp', text: codeNamed(code)}],
    }),
    label,
    ...over,
  }
}
