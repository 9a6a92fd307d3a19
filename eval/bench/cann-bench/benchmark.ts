import {Pipeline} from '../../../engine/pipeline.ts'
import type {ModelBenchmark} from '../benchmark.ts'
import {findTorch, submissionRules, type TorchPython} from '../submission/python.ts'
import type {ModelsAsked, CasesSetting, ModelCases} from '../whole-model.ts'
import judgePackage from './judge-package.ts'
import {oracleRules, openOperatorOracle} from './operator-oracle.ts'
import {packages} from './open-package.ts'
import packageCandidates, {requests} from './package-candidates.ts'
import {readTasks, referenceTexts, type CheckoutTask, inputBytes, readOperator} from './checkout-operators.ts'
import {sizeNames} from './sizes.ts'
import {JudgedOperator, type CaseVerdict, type OperatorVerdict} from './operator-verdict.ts'
import {join, resolve} from 'node:path'
import {readCases, withOracle, type SavedCase} from '../oracle/saved-case.ts'
import {behaviours, type Behaviour} from '../../behaviours.ts'
import {percent, type ScoreTable} from '../../scores/table.ts'

async function judging({source, pattern, ...asked}: ModelsAsked<TorchPython>): Promise<Pipeline<JudgedOperator>> {
  const {name, folder, tiers, trials, largestInput, python, executor, tools, cacheDirectory, concurrency} = asked
  const {sandbox, workDirectory} = tools
  const judge = judgePackage({
    identity: {...executor.identity, torch: python.torch, replies: submissionRules},
    open: await packages({twin: tools, python, cacheDirectory, workDirectory}),
    python,
    sandbox,
    workDirectory,
    sizes: sizeNames.filter((one) => tiers.includes(one)),
    largestInput,
    trials,
    concurrency,
  })
  return Pipeline.from(name, [folder], packageCandidates({source, pattern})).via(judge)
}

const benchmark: ModelBenchmark<CheckoutTask, TorchPython, JudgedOperator> = {
  title: 'cann-bench',
  checkout: ['tasks/level1', 'tasks/metadata'],
  texts: referenceTexts,
  part: 'the four levels',
  tasks: readTasks,
  requests: Object.keys(requests),
  tiers: sizeNames,
  trials: 2,
  notes: [
    'Sizes are its own cases by their input: small up to 4 MiB, medium up to 16 MiB, large the rest.',
    'The size sample is the smallest case alone.',
    'Copies on the device that no kernel makes are refused, and outputs must be contiguous, as its rules say.',
  ],
  findPython: findTorch,
  judging,
  verdicts: JudgedOperator,
  tables: operatorTables,
  cases: {identity: oracleRules, of: operatorCases},
}
export default benchmark

/** Cases enough for a feedback loop. */
const mostCases = 3

/** The smallest cases of an operator, for testing a program while it is written. */
async function operatorCases(
  {root, path}: CheckoutTask,
  {python, sandbox, workDirectory, signal}: CasesSetting<TorchPython>,
): Promise<ModelCases> {
  const home = resolve(root, path)
  const {facts, cases} = await readOperator(home)
  const setting = {python, sandbox, module: join(home, 'golden.py'), seconds: 300, ...(signal && {signal})}
  const open = (folder: string) => openOperatorOracle({...setting, folder}, facts)
  return withOracle(workDirectory, open, async (oracle) => {
    const smallest = cases.toSorted((a, b) => inputBytes(a) - inputBytes(b)).slice(0, mostCases)
    const saved: SavedCase[] = []
    for (const one of smallest) saved.push(await oracle.saved({case: one, seed: 1, family: 'own'}))
    const read = await readCases(saved, (at) => facts.outputs[at]?.name ?? `y${at}`)
    const shapes = read.flatMap(({operatorCase: {inputs, outputs}}) =>
      [...inputs, ...outputs].map(({name, dtype, shape}) => `${name}: ${dtype}[${shape.join(', ')}]`),
    )
    return {shapes: [...new Set(shapes)].join('\n'), made: [], called: saved[0]?.called ?? [], cases: read}
  })
}

type Task = Pick<CheckoutTask, 'name' | 'category' | 'path'>
type Judged = Pick<JudgedOperator, 'task' | 'sampler' | 'verdict'>

/** Parts of an operator's score for compilation and for right cases; the rest is for time, which nothing measures. */
const [forCompiling, forCases] = [20, 30]

/** Verdicts → tables by level, operator and forbidden behaviour. A task without a verdict counts as one that failed. */
export function operatorTables(tasks: readonly Task[], judged: readonly Judged[]): ScoreTable[] {
  const all = [levelTable(tasks, judged), operatorTable(judged), behaviourTable(judged), leftOutTable(judged)]
  return all.filter(({rows}) => rows.length > 0)
}

const isRight = (one: CaseVerdict, hardened: boolean) =>
  one.literal === undefined && !(hardened && one.hardened !== undefined)

/** Share of the cases that were run and are right. */
function share(verdict: OperatorVerdict, hardened: boolean): number {
  if (!verdict.opened || verdict.cases.length === 0) return 0
  return verdict.cases.filter((one) => isRight(one, hardened)).length / verdict.cases.length
}

function levelTable(tasks: readonly Task[], judged: readonly Judged[]): ScoreTable {
  const line = (name: string, members: readonly Task[]) => {
    const own = members.map((task) => judged.filter((one) => one.task.path === task.path))
    const mean = (of: (verdict: OperatorVerdict) => number) => {
      const each = own.map((rows) => rows.reduce((sum, {verdict}) => sum + of(verdict), 0) / Math.max(1, rows.length))
      return each.reduce((sum, one) => sum + one, 0)
    }
    const score = (hardened: boolean) =>
      mean((verdict) => Number(verdict.opened) * forCompiling + share(verdict, hardened) * forCases).toFixed(1)
    const part = (of: (verdict: OperatorVerdict) => number) => percent(mean(of) / Math.max(1, members.length))
    return [
      name,
      String(members.length),
      String(own.filter((rows) => rows.length > 0).length),
      part(({opened}) => Number(opened)),
      ...[false, true].map((hardened) => part((verdict) => Number(share(verdict, hardened) === 1))),
      score(false),
      score(true),
    ]
  }
  const levels = [...new Set(tasks.map(({category}) => category))].sort()
  const rows = levels.map((level) =>
    line(
      level,
      tasks.filter(({category}) => category === level),
    ),
  )
  return {
    title: 'By level',
    note:
      "Shares of all operators. Passed: every case that was run is right, literally by the benchmark's own " +
      'comparison, hardened also by the stricter one. Points: the sum over operators, each with 20 for compiling and ' +
      '30 for right cases; the 50 for time are not given, since nothing here was timed on an NPU.',
    columns: [
      ...['Level', 'Operators', 'Judged', 'Compiled (%)', 'Passed literally (%)', 'Passed hardened (%)'],
      ...['Points literally', 'Points hardened'],
    ],
    names: 1,
    rows: tasks.length === 0 ? [] : [...rows, line('all', tasks)],
  }
}

function operatorTable(judged: readonly Judged[]): ScoreTable {
  return {
    title: 'By operator',
    note: 'Cases that are right, of those that were run, and the first fault.',
    columns: ['Operator', 'Sample', 'Literal', 'Hardened', 'Left out', 'Behaviour', 'First fault'],
    names: 7,
    rows: judged.map(({task, sampler, verdict}) => {
      const count = (hardened: boolean) =>
        verdict.opened ? `${verdict.cases.filter((one) => isRight(one, hardened)).length}/${verdict.cases.length}` : '–'
      const left = verdict.opened ? String(verdict.leftOut.length) : '–'
      const name = `${task.category}/${task.name}`
      return [name, String(sampler.sample), count(false), count(true), left, labelOf(verdict) ?? '', faultOf(verdict)]
    }),
  }
}

function labelOf(verdict: OperatorVerdict): Behaviour | undefined {
  return verdict.opened ? verdict.cases.find(({behaviour}) => behaviour)?.behaviour : verdict.behaviour
}

function faultOf(verdict: OperatorVerdict): string {
  if (!verdict.opened) return `${verdict.kind}: ${verdict.why}`.slice(0, 240)
  const fault = verdict.cases.find((one) => !isRight(one, true))
  return fault ? `case ${fault.case}: ${fault.literal ?? fault.hardened}`.slice(0, 240) : ''
}

function behaviourTable(judged: readonly Judged[]): ScoreTable {
  const rows = Object.entries(behaviours).flatMap(([name, what]) => {
    const own = judged.filter(({verdict}) => labelOf(verdict) === name)
    return own.length > 0 ? [[name, what, String(own.length), own.map(({task}) => task.name).join(', ')]] : []
  })
  return {
    title: 'Forbidden behaviours',
    note: 'Replies that are refused for one, by its number.',
    columns: ['Number', 'Behaviour', 'Replies', 'Operators'],
    names: 2,
    rows,
  }
}

function leftOutTable(judged: readonly Judged[]): ScoreTable {
  return {
    title: 'Not run',
    note: 'Cases with more input than --max-input-mib, with their number and input.',
    columns: ['Operator', 'Cases'],
    names: 2,
    rows: judged.flatMap(({task, sampler, verdict}) =>
      verdict.opened && sampler.sample === 0 && verdict.leftOut.length > 0
        ? [[`${task.category}/${task.name}`, verdict.leftOut.join(', ')]]
        : [],
    ),
  }
}
