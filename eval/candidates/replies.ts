import {Candidate} from '../../datasets/schema/candidate.ts'
import {OperatorTask} from '../../datasets/schema/task.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import type {Mode} from '../bench/benchmark.ts'
import {wholeOperator} from '../bench/whole-operator.ts'
import {evaluatedTasks, scoredFiles, type Evaluation} from './attempt.ts'
import {openReplies, type ReplyFile, type ReplyRow} from './reply-file.ts'

interface RepliesOptions {
  /** JSON lines `{task, reply}`, with `sample`, `case`, `reasoning`, `model` and `prompt` if known. */
  file: string
  evaluation: Evaluation
  /** The benchmark's mode of that name; default: whole operators. */
  mode?: Mode
}

/** Task → the replies of a file to it, read as the benchmark reads them. For models that were run elsewhere. */
export default function replies({
  file,
  evaluation,
  mode = wholeOperator,
}: RepliesOptions): Stage<OperatorTask, Candidate> {
  const opened = openReplies(file)
  return {
    name: 'replies',
    version: 2,
    options: {file: opened.id, prompt: mode.prompt, evaluation: {...evaluation}},
    input: OperatorTask,
    output: Candidate,
    run: each(async (task, context): Promise<readonly Candidate[]> => {
      const rows = await opened.rowsOf(namesOf(task))
      for (const {line, problem, task: near} of opened.bad) {
        if (!namesOf(task).includes(near)) continue
        context.drop({file: opened.name, line}, 'reply-malformed', `${opened.name} line ${line}: ${problem}`)
      }
      if (rows.length === 0) return context.drop(task, 'no-reply', `${opened.name} holds no reply to ${task.name}`)
      return candidatesOf(task, rows, {opened, evaluation, mode, context})
    }),
  }
}

/** Names of a task in rows: name, path, or path without `tasks/`. */
export function namesOf({name, origin: {path}}: Pick<OperatorTask, 'name' | 'origin'>): string[] {
  return [...new Set([name, path, path.replace(/^tasks\//, '')])]
}

interface Reading {
  opened: ReplyFile
  evaluation: Evaluation
  mode: Mode
  context: Pick<Context, 'drop'>
}

function candidatesOf(
  whole: OperatorTask,
  rows: readonly ReplyRow[],
  {opened, evaluation, mode, context}: Reading,
): Candidate[] {
  const tasks = evaluatedTasks(whole, {...evaluation, cases: evaluation.cases ?? whole.cases.length})
  const taken = new Map<OperatorTask, Set<number>>()
  const refuse = (row: ReplyRow, reason: string, detail: string) =>
    void context.drop({task: whole.name, case: row.case, sample: row.sample}, reason, detail)
  const candidates: Candidate[] = []
  for (const row of rows) {
    const task = taskOf(row, tasks, evaluation)
    if (!task) {
      refuse(row, 'case-unknown', `${opened.name}: ${whole.name} has no case ${row.case} among those that are judged`)
      continue
    }
    const before = taken.get(task) ?? new Set<number>()
    taken.set(task, before)
    const sample = row.sample ?? firstFree(before)
    if (before.has(sample)) {
      refuse(row, 'sample-repeated', `${opened.name}: sample ${sample} of ${whole.name} comes twice`)
      continue
    }
    before.add(sample)
    candidates.push({
      task,
      sampler: {kind: 'model', model: row.model ?? opened.name, sample},
      prompt: row.prompt ?? `Not known; the reply stands in ${opened.name}.`,
      reasoning: row.reasoning,
      ...scoredFiles(task, {reasoning: row.reasoning, text: row.reply}, mode),
    })
  }
  return candidates
}

function taskOf({case: id}: ReplyRow, tasks: readonly OperatorTask[], {shape}: Evaluation): OperatorTask | undefined {
  if (shape === 'dynamic' || id === undefined) return tasks[0]
  return tasks.find(({cases: [row]}) => row?.['case_id'] === id)
}

function firstFree(taken: ReadonlySet<number>): number {
  let free = 0
  while (taken.has(free)) free += 1
  return free
}
