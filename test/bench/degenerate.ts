import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import type {OperatorTask} from '../../datasets/schema/task.ts'
import {adaptations} from '../../eval/bench/npukernelbench/benchmark.ts'
import type {CaseSource} from '../../eval/cases.ts'
import {planRows} from '../../eval/canary.ts'
import {separate} from '../../eval/degenerate.ts'
import pytorch from '../../eval/reference/pytorch.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import {asCandidate} from './strictness/subject.ts'

/**
 * Which answers that take no work pass the tasks of a checkout of NPUKernelBench, as they are asked by default (the
 * first case alone), or with `--cases`, the sizes pinned: by the runs that every task has, and with those that the
 * search adds.
 */
export async function benchDegenerate(args: readonly string[]): Promise<void> {
  const {values} = parseArgs({
    args: [...args],
    options: {
      root: {type: 'string'},
      python: {type: 'string', default: 'python3'},
      cases: {type: 'string', default: '1'},
      tasks: {type: 'string', default: ''},
      'max-input-mib': {type: 'string', default: '16'},
    },
  })
  if (values.root === undefined) throw new TypeError('--root: a checkout of NPUKernelBench')
  const tasks = (await loadTasks({root: values.root}, () => [])).filter(({origin}) =>
    origin.path.includes(values.tasks),
  )
  const workDirectory = await mkdtemp(join(tmpdir(), 'ascend-cot-degenerate-'))
  const references = await pytorch({
    python: values.python,
    workDirectory,
    adaptations,
    maxInputBytes: Number(values['max-input-mib']) * 2 ** 20,
  })
  const before = new Map<string, string[]>()
  const after = new Map<string, string[]>()
  let looked = 0
  try {
    for (const task of tasks) {
      const source = await references.open(
        asCandidate(task, task.answer),
        task.cases.slice(0, Number(values.cases)),
        (_, reason) => console.log(`${task.name}: ${reason}`),
      )
      if (source.rows.length === 0) continue
      looked += 1
      process.stderr.write(`${looked} of ${tasks.length}: ${task.name}\n`)
      const {own, searched, more} = await sparedOf(task, source)
      for (const name of own) before.set(name, [...(before.get(name) ?? []), task.name])
      for (const name of searched) after.set(name, [...(after.get(name) ?? []), task.name])
      if (own.length > 0 || more.length > 0)
        console.log(`${task.name}: ${own.join(', ')} → ${searched.join(', ') || 'none'}; ${more.join(', ')}`)
    }
  } finally {
    references.close()
    await rm(workDirectory, {recursive: true, force: true})
  }
  console.log(`${looked} tasks of ${tasks.length} looked at`)
  for (const [title, found] of [
    ['before', before],
    ['after', after],
  ] as const)
    for (const [name, names] of found) console.log(`${title}: ${name}: ${names.length} (${names.join(', ')})`)
}

async function sparedOf({name}: OperatorTask, source: CaseSource) {
  const seed = ['1', name]
  const planning = {source, families: ['uniform', 'boundary'] as const, sizes: 'pinned' as const, seed}
  const rows = await planRows(planning)
  const planned = new Map([...rows].map(([id, {trials}]) => [id, trials]))
  const all = await separate(planned, {source, seed, pinned: true, serves: () => Promise.resolve(true)})
  const more = [...all.more.values()].flat().map(({family, row, draw}) => {
    const changed = source.rows.includes(row) ? '' : ` of ${JSON.stringify(row)}`
    return `${family} ${draw}${changed}`
  })
  return {own: all.alone, searched: all.spared, more}
}
