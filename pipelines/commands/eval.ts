import {join, resolve} from 'node:path'
import kernelTasks from '../../eval/bench/npukernelbench.ts'
import selectTasks from '../../eval/bench/select-tasks.ts'
import answers from '../../eval/answers.ts'
import judge from '../../eval/judge.ts'
import pytorch from '../../eval/reference/pytorch.ts'
import {JudgedCandidate} from '../../datasets/schema/candidate.ts'
import type {Config} from '../core/config.ts'
import {PipelineError} from '../core/errors.ts'
import type {Spending} from '../core/llm/connect.ts'
import {Pipeline} from '../core/pipeline.ts'
import {runPipeline} from '../core/run.ts'
import {makeExecutor} from './executor.ts'
import {progressView} from './progress-view.ts'
import {emittedBy} from './runs.ts'
import {reasons} from './status.ts'
import {table, terminalLog} from './terminal.ts'
import type {World} from './world.ts'

export interface EvalRequest {
  benchmark: string
  /** A checkout of the benchmark. */
  root: string
  /** Whose code is judged; `answers` are the benchmark's own. */
  candidates: string
  /** Glob over task paths and names. */
  tasks: string
  /** No limit on the size of inputs. */
  allCases: boolean
  maxInputMib: number
  /** Only the first rows of each task. */
  cases: number | undefined
  python: string
  json: boolean
}

/** No model is asked. */
const nothingSpent: Spending = {requests: 0, retries: 0, cachedReplies: 0, promptTokens: 0, completionTokens: 0, tokens: 0, estimated: 0, cost: 0, currency: ''}

const recipe = 'evaluate-npukernelbench'

/** `ascend-cot eval npukernelbench`: judges candidates by the benchmark's own references. Exit code 1 when a candidate could not be judged. */
export async function evaluate(request: EvalRequest, config: Config, world: World): Promise<number> {
  checkNames(request)
  const {root, tasks, allCases, maxInputMib, cases, python} = request
  const references = await pytorch({python, workDirectory: join(resolve(config.out), 'work'), maxInputBytes: allCases ? Infinity : maxInputMib * 2 ** 20})
  const view = progressView(world.terminal, world.now, () => nothingSpent)
  let failed = true
  try {
    const pipeline = Pipeline.from(recipe, [{root}], kernelTasks())
      .via(selectTasks({pattern: tasks}))
      .via(answers())
      .via(judge({executor: await makeExecutor(config, world.terminal), pytorch: references, tolerant: true, ...(cases === undefined ? {} : {cases}), concurrency: config.executor.concurrency}))
    const record = await runPipeline({
      pipeline, directory: join(resolve(config.out), recipe), model: () => undefined, seed: config.seed, config,
      now: world.now, signal: world.signal, log: terminalLog(world.terminal), onStart: (counts) => view.start(recipe, counts),
    })
    failed = false
    await view.stop({failed})
    const results = []
    for await (const candidate of emittedBy(config.out, recipe, JudgedCandidate)) results.push(resultOf(candidate))
    printResults(results, record.counts.map((count) => `${count.stage}: ${count.dropped} dropped, ${count.failed} failed (${reasons(count)})`), world, request.json)
    return record.counts.some((count) => count.failed > 0) ? 1 : 0
  } finally {
    if (failed) await view.stop({failed})
    references.close()
  }
}

function checkNames({benchmark, candidates: whose}: EvalRequest): void {
  if (benchmark !== 'npukernelbench') throw new PipelineError('config-invalid', `There is no benchmark ${benchmark}.`, {fix: 'Use npukernelbench.', scope: 'run'})
  if (whose !== 'answers') throw new PipelineError('config-invalid', `Candidates ${whose} are not known.`, {fix: 'Use --candidates answers: the benchmark\'s own.', scope: 'run'})
}

export interface Result {
  task: string
  level: number
  category: string
  outcome: JudgedCandidate['verdict']['outcome']
  compiled: boolean
  /** All judged cases pass by this rule. */
  literal: boolean
  hardened: boolean
  cases: number
  /** What was seen when it is not correct; '' when it is. */
  why: string
}

function resultOf({task, verdict}: JudgedCandidate): Result {
  const cases = 'cases' in verdict ? verdict.cases ?? [] : []
  return {
    task: task.name, level: task.level, category: task.category, outcome: verdict.outcome,
    compiled: !['not-covered', 'compile-failed', 'link-failed'].includes(verdict.outcome),
    literal: cases.length > 0 && cases.every(({literal}) => literal),
    hardened: verdict.outcome === 'correct',
    cases: cases.length,
    why: whyNot(verdict),
  }
}

/** One line; the verdict itself is in the run. */
function whyNot(verdict: JudgedCandidate['verdict']): string {
  switch (verdict.outcome) {
    case 'correct':
    case 'compiled': return ''
    case 'not-covered': return verdict.missing.join(', ')
    case 'compile-failed': return verdict.diagnostics.filter(({severity}) => severity === 'error').slice(0, 2).map(({file, line, message}) => `${file}:${line} ${message}`).join(' · ') || verdict.log.slice(0, 200)
    case 'link-failed': return verdict.log.split('\n')[0] ?? ''
    case 'launch-failed': return `case ${verdict.case}: ${verdict.message.replaceAll('\n', ' · ')}`
    case 'crashed': return `case ${verdict.case}: ${verdict.cause}`
    case 'timed-out': return `case ${verdict.case}: not done after ${verdict.limitSeconds} s`
    case 'violated': return `case ${verdict.case}, ${verdict.violation.rule} in ${verdict.violation.api}: ${verdict.violation.message}`
    case 'cheated': return verdict.how
    case 'mismatched': {
      const wrong = verdict.cases.filter(({hardened}) => !hardened)
      const literal = verdict.cases.filter((one) => !one.literal).length
      return `${wrong.length} of ${verdict.cases.length} cases (${literal} by the literal rule); case ${wrong[0]?.case}: ${wrong[0]?.reason}`
    }
  }
}

function printResults(results: readonly Result[], notes: readonly string[], {terminal}: World, json: boolean): void {
  if (json) {
    terminal.print(JSON.stringify({results}))
    return
  }
  const groups = new Map<string, Result[]>()
  for (const result of results) {
    const key = `${result.level} ${result.category}`
    groups.set(key, [...groups.get(key) ?? [], result])
  }
  const counts = (members: readonly Result[]) => [members.length, ...(['compiled', 'literal', 'hardened'] as const).map((field) => members.filter((one) => one[field]).length)]
  const rows = [...groups].map(([key, members]) => [...key.split(' '), ...counts(members)])
  terminal.print(`\n${table(['level', 'category', 'judged', 'compiled', 'literal', 'hardened'], [...rows, ['', 'all', ...counts(results)]])}`)
  const exceptions = results.filter(({outcome}) => outcome !== 'correct')
  if (exceptions.length > 0) terminal.print(`\nNot correct:\n${table(['task', 'outcome', 'why'], exceptions.map(({task, outcome, why}) => [task, outcome, why.slice(0, 240)]))}`)
  for (const note of notes) terminal.say(note)
}
