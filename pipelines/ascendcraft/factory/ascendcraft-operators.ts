import {join} from 'node:path'
import type {Content} from '../../../datasets/content.ts'
import type {Candidate, JudgedCandidate} from '../../../datasets/schema/candidate.ts'
import {CraftedOperator, DrawnDesign} from '../../../datasets/schema/crafted-operator.ts'
import {labelOf} from '../../../datasets/schema/label.ts'
import type {OperatorTask} from '../../../datasets/schema/task.ts'
import {catalogueDigest} from '../../telling/catalogue.ts'
import {removeFolder, writeWhole} from '../../../engine/files.ts'
import {each, type Context, type Stage} from '../../../engine/stage.ts'
import {readProgram} from '../language/check.ts'
import {taskOf} from './craft-task.ts'
import {designDecisions} from './design-decisions.ts'
import {difficultyOf} from './difficulty.ts'
import {tileUnit} from './frame.ts'
import {programOf} from './tile-program.ts'

interface OperatorsOptions {
  /** Judges an operator against its task. */
  judge: Stage<Candidate, JudgedCandidate>
  /** The benchmark's operator that a content is about, if any. */
  known?: (content: Content) => string | undefined
  /** What `known` knows. */
  knownBy?: string
  /** Operators in progress at once. */
  concurrency?: number
}

/**
 * Design → its operator, if the judge finds it correct: program, project, task with reference and cases, decisions. The
 * stage's folder then holds it in `operators/` and `tasks/`, which recipes read as sources. Drops `tile-too-short`,
 * `benchmark-operator`, and `not-green` with what was observed.
 */
export default function ascendcraftOperators(options: OperatorsOptions): Stage<DrawnDesign, CraftedOperator> {
  const {judge, knownBy = '', concurrency = 2} = options
  return {
    name: 'ascendcraft-operators',
    version: 2,
    options: {judge: [judge.version, judge.options ?? null], knownBy, catalogue: catalogueDigest()},
    tally: ({design}) => design.category,
    input: DrawnDesign,
    output: CraftedOperator,
    run: each((drawn, context) => operatorOf(drawn, options, context), {concurrency}),
  }
}

async function operatorOf(
  drawn: DrawnDesign,
  {judge, known}: OperatorsOptions,
  context: Context,
): Promise<readonly CraftedOperator[]> {
  const {design} = drawn
  const crafted = programOf(design)
  const {tile} = crafted.plan
  if (tile < tileUnit) return context.drop(drawn, 'tile-too-short', `${tile} elements`)
  const read = readProgram(crafted.text)
  // The factory and the checker are both ours: a refusal is a fault in one of them.
  if (!read.ok) throw new TypeError(`${design.name}: ${read.faults[0]?.message}\n${crafted.text}`)
  const {task, files, folders} = taskOf(design, crafted, read.checked, context.seed)
  const same = known?.({prompt: task.description, replies: [], files: task.answer, operator: design.name})
  if (same !== undefined) return context.drop(drawn, 'benchmark-operator', same)
  for (const {path, text} of files) await writeWhole(join(context.directory, path), text)
  const here = placed(task, context.directory)
  const judged = await verdictOf(here, judge, context)
  if (judged && labelOf(judged.verdict) === 'green')
    return [
      {
        ...drawn,
        difficulty: difficultyOf(design),
        program: crafted.text,
        tile,
        task: here,
        decisions: designDecisions(design, crafted),
        verdict: judged.verdict,
      },
    ]
  for (const folder of folders) await removeFolder(join(context.directory, folder))
  return judged ? context.drop(drawn, 'not-green', seenIn(judged)) : []
}

const placed = (task: OperatorTask, directory: string): OperatorTask =>
  task.reference.kind === 'typescript'
    ? {...task, reference: {...task.reference, path: join(directory, task.reference.path)}}
    : task

/** What the judge found; undefined if it refused the task, with a reason of its own. */
async function verdictOf(
  task: OperatorTask,
  judge: OperatorsOptions['judge'],
  context: Context,
): Promise<JudgedCandidate | undefined> {
  // Its answer is what is in question: as the task's own one it would have to be right before anything is judged.
  const candidate: Candidate = {
    task: {...task, answer: []},
    sampler: {kind: 'answer'},
    prompt: task.description,
    reasoning: '',
    files: task.answer,
    written: task.answer.map(({path}) => path),
  }
  for await (const judged of judge.run(one(candidate), context)) return judged
  return undefined
}

async function* one<T>(value: T): AsyncIterable<T> {
  yield value
}

function seenIn({verdict, task}: JudgedCandidate): string {
  const said = 'cases' in verdict ? verdict.cases?.find(({literal, hardened}) => !literal || !hardened) : undefined
  const violation = verdict.outcome === 'violated' ? `: ${verdict.violation.rule} ${verdict.violation.message}` : ''
  return `${task.name}: ${verdict.outcome}${said ? `, case ${said.case}: ${said.reason}` : violation}`
}
