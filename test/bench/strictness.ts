import {mkdtemp, rm} from 'node:fs/promises'
import {availableParallelism, tmpdir} from 'node:os'
import {join} from 'node:path'
import pLimit from 'p-limit'
import type {Candidate} from '../../datasets/schema/candidate.ts'
import type {KernelTask} from '../../datasets/schema/task.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {loadTasks} from '../../eval/bench/npukernelbench.ts'
import twin from '../../eval/executors/twin.ts'
import judge from '../../eval/judge.ts'
import {randomFrom} from '../../pipelines/core/random.ts'
import {mutate, type NamedMutant} from '../../pipelines/preference/mutations.ts'
import {cacheDirectory} from '../helpers/operators.ts'
import {runStage} from '../helpers/run-stage.ts'

interface Tried {
  task: string
  mutant: NamedMutant
  verdict: Verdict
}

/**
 * Plants every mutation of the engine into every verified answer of the bundled corpus and has the mutants judged by the twin.
 * Prints the share that is noticed, by mutation, and each survivor with its place. `most` limits the tasks, for a quick look.
 */
export async function benchStrictness(most = Infinity): Promise<void> {
  const refuse = (_: unknown, reason: string) => { throw new Error(reason) }
  const tasks = [
    ...(await loadTasks({root: 'sources/starter/tasks', operators: 'sources/starter/operators'}, refuse)),
    ...(await loadTasks({root: 'sources/starter/heldout'}, refuse)),
  ].slice(0, most)
  const workDirectory = await mkdtemp(join(tmpdir(), 'ascend-cot-strictness-'))
  const started = performance.now()
  try {
    const executor = await twin({cacheDirectory, workDirectory})
    const limit = pLimit(availableParallelism())
    const planted = tasks.flatMap((task) => mutate(task.answer, Infinity, randomFrom('strictness', task.origin.path)).map((mutant) => ({task, mutant})))
    const tried = await Promise.all(planted.map(({task, mutant}) => limit(async (): Promise<Tried> => {
      const {outputs} = await runStage(judge({executor, cases: 4, concurrency: 1}), [asCandidate(task, mutant)], {seed: 'strictness'})
      const verdict = outputs[0]?.verdict
      if (!verdict) throw new Error(`${task.name}: ${mutant.mutation} was dropped`)
      return {task: task.name, mutant, verdict}
    })))
    print(tried, tasks.length, (performance.now() - started) / 1000, `${executor.identity.compiler}, ${executor.identity.fingerprint}`)
  } finally {
    await rm(workDirectory, {recursive: true, force: true})
  }
}

function asCandidate(task: KernelTask, {files, mutation, detail}: NamedMutant): Candidate {
  return {task, sampler: {kind: 'mutation', mutation, detail}, prompt: 'p', reasoning: '', files, written: task.answer.map(({path}) => path)}
}

const unnoticed = ({verdict}: Tried) => verdict.outcome === 'correct' || verdict.outcome === 'not-covered'

function print(tried: readonly Tried[], tasks: number, seconds: number, executor: string): void {
  const names = [...new Set(tried.map(({mutant}) => mutant.mutation))].sort()
  console.log('| mutation | planted | noticed | how |\n|---|---:|---:|---|')
  for (const name of names) {
    const own = tried.filter(({mutant}) => mutant.mutation === name)
    console.log(`| ${name} | ${own.length} | ${own.filter((one) => !unnoticed(one)).length} | ${outcomes(own)} |`)
  }
  const survivors = tried.filter(unnoticed)
  const noticed = tried.length - survivors.length
  console.log(`| all | ${tried.length} | ${noticed} (${((100 * noticed) / tried.length).toFixed(1)} %) | ${outcomes(tried)} |`)
  console.log(`\n${tasks} answers, ${names.length} mutations, ${seconds.toFixed(0)} s, ${executor}`)
  for (const {task, mutant, verdict} of survivors) console.log(`survives (${verdict.outcome}): ${task}, ${mutant.mutation}, ${mutant.detail}`)
}

function outcomes(tried: readonly Tried[]): string {
  const counts = new Map<string, number>()
  for (const {verdict} of tried) counts.set(verdict.outcome, (counts.get(verdict.outcome) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${name} ${count}`).join(', ')
}
