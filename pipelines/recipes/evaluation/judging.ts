import type {Candidate} from '../../../datasets/schema/candidate.ts'
import type {OperatorTask} from '../../../datasets/schema/task.ts'
import type {OperatorBenchmark} from '../../../eval/bench/benchmark.ts'
import {modeOf} from '../../../eval/bench/load-benchmark.ts'
import answers from '../../../eval/candidates/answers.ts'
import replies from '../../../eval/candidates/replies.ts'
import samples from '../../../eval/candidates/samples.ts'
import {confirmedBy} from '../../../eval/confirm.ts'
import judge, {type JudgeOptions} from '../../../eval/judge.ts'
import type {TaskFolder} from '../../../datasets/schema/source-folder.ts'
import operatorTasks from '../../../eval/tasks/operator-tasks.ts'
import selectTasks from '../../../eval/tasks/select-tasks.ts'
import {Pipeline} from '../../../engine/pipeline.ts'
import type {Stage} from '../../../engine/stage.ts'
import type {Workspace} from '../../workspace/workspace.ts'
import type {Sampling} from './sampling.ts'

interface Judging {
  /** Name of the run. */
  name: string
  benchmark: OperatorBenchmark
  folder: TaskFolder
  /** Glob over task paths and names. */
  tasks: string
  sampling: Sampling
  /** At most this many cases of each answer; a model's tasks carry theirs already. */
  cases: number | undefined
  references: JudgeOptions['pytorch']
  /** Tasks whose answers cannot serve as a reference for a model's candidates, and why. */
  faulty: Readonly<Record<string, string>>
}

/** Tasks of a benchmark → candidates → verdicts, confirmed where that is asked for. */
export default async ({config, executor, confirming}: Workspace, asked: Judging) => {
  const how = {
    tolerant: true,
    concurrency: config.executor.concurrency,
    ...(asked.references && {pytorch: asked.references}),
    ...put(asked),
  }
  return Pipeline.from(asked.name, [asked.folder], operatorTasks({load: asked.benchmark.load}))
    .via(selectTasks({pattern: asked.tasks}))
    .via(sampled(asked))
    .via(judge({executor: await executor(), ...how}))
    .through(confirmedBy(await confirming(), how))
}

/** Answers are judged unchanged, on every row; a model's candidate only on the requested rows. */
function put({sampling, benchmark, cases, faulty}: Judging): Pick<JudgeOptions, 'cases' | 'exempt' | 'sizes'> {
  if (sampling.kind === 'answers')
    return {exempt: {'*': 'the answers are the candidates'}, ...(cases !== undefined && {cases})}
  const {shape, mode} = sampling.evaluation
  const pinned = shape === 'static' || modeOf(benchmark, mode).servesCasesOnly === true
  return {exempt: faulty, sizes: pinned ? 'pinned' : 'fresh'}
}

function sampled({sampling, benchmark}: Judging): Stage<OperatorTask, Candidate> {
  if (sampling.kind === 'answers') return answers()
  const {evaluation} = sampling
  const mode = modeOf(benchmark, evaluation.mode)
  return sampling.kind === 'model'
    ? samples({profile: sampling.profile, count: sampling.samples, evaluation, mode})
    : replies({file: sampling.path, evaluation, mode})
}
