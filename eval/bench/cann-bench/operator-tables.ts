import {behaviours, type Behaviour} from '../../behaviours.ts'
import {percent, type ScoreTable} from '../../scores/table.ts'
import type {CheckoutTask} from './checkout-operators.ts'
import type {CaseVerdict, JudgedOperator, OperatorVerdict} from './operator-verdict.ts'

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
