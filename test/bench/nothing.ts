import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {parseArgs} from 'node:util'
import {PipelineError} from '../../engine/errors.ts'
import {openOperatorOracle} from '../../eval/bench/cann-bench/operator-oracle.ts'
import {inputBytes, readOperator, readTasks} from '../../eval/bench/cann-bench/checkout-operators.ts'
import {openOracle} from '../../eval/bench/multikernelbench/oracle/oracle.ts'
import {readMultiKernelBench} from '../../eval/bench/multikernelbench/read-checkout.ts'
import {categories, rolesOf, settingsOf, sizesOf} from '../../eval/bench/multikernelbench/tiers.ts'
import {dtypeBytes, elementCount} from '../../datasets/schema/tensor.ts'
import {adaptations} from '../../eval/bench/npukernelbench/adaptations.ts'
import {findTorch} from '../../eval/bench/submission/python.ts'
import {planRows} from '../../eval/canary.ts'
import {answersWithoutWork, separate} from '../../eval/degenerate.ts'
import {chooseSandbox} from '../../eval/executors/sandbox.ts'
import {caseId} from '../../eval/reference/typescript.ts'
import pytorch from '../../eval/reference/pytorch.ts'
import {seedOf} from '../../eval/run-case.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import {asCandidate} from './strictness/subject.ts'

interface Setting {
  python: string
  /** Part of a task's path. */
  tasks: string
  /** A call with more input than this is not made, in bytes. */
  largest: number
  workDirectory: string
}

/** Whether an answer passes every call that it was given to. */
type Passing = Map<string, {literal: boolean; hardened: boolean}>
interface Looked {
  task: string
  passing: Passing
}

/**
 * Which answers that take no work pass the tasks of benchmarks: zeros, ones, NaN, the mean of what is right, copies of
 * inputs, and what is right for the first call given to every call. Outputs are compared, nothing is compiled.
 */
export async function benchNothing(args: readonly string[]): Promise<void> {
  const {values} = parseArgs({
    args: [...args],
    options: {
      'npu-kernel-bench': {type: 'string'},
      'multi-kernel-bench': {type: 'string'},
      'cann-bench': {type: 'string'},
      python: {type: 'string', default: 'python3'},
      tasks: {type: 'string', default: ''},
      'max-input-mib': {type: 'string', default: '4'},
    },
  })
  const workDirectory = await mkdtemp(join(tmpdir(), 'ascend-cot-nothing-'))
  const {python, tasks} = values
  const setting = {python, tasks, largest: Number(values['max-input-mib']) * 2 ** 20, workDirectory}
  const asked = [
    ['NPUKernelBench', values['npu-kernel-bench'], operators],
    ['MultiKernelBench', values['multi-kernel-bench'], models],
    ['cann-bench', values['cann-bench'], goldens],
  ] as const
  try {
    for (const [title, root, of] of asked) {
      if (root === undefined) continue
      const found: Looked[] = []
      for await (const one of of(root, setting)) {
        if (one instanceof Error) console.log(`  ${one.message}`)
        else {
          found.push(one)
          console.log(`${one.task}: ${wordsOf(one.passing)}`)
        }
      }
      summarize(title, found)
    }
  } finally {
    await rm(workDirectory, {recursive: true, force: true})
  }
}

function wordsOf(passing: Passing): string {
  const named = (hardened: boolean) =>
    [...passing].flatMap(([name, one]) => ((hardened ? one.hardened : one.literal) ? [name] : [])).join(', ')
  return `${named(false) || 'nothing'} → ${named(true) || 'nothing'}`
}

function summarize(title: string, found: readonly Looked[]): void {
  const kinds = new Map<string, {literal: string[]; hardened: string[]}>()
  for (const {task, passing} of found)
    for (const kind of new Set([...passing.keys()].map(kindOf))) {
      const known = kinds.get(kind) ?? {literal: [], hardened: []}
      kinds.set(kind, known)
      const own = [...passing].filter(([name]) => kindOf(name) === kind).map(([, one]) => one)
      if (own.some(({literal}) => literal)) known.literal.push(task)
      if (own.some(({hardened}) => hardened)) known.hardened.push(task)
    }
  console.log(`\n${title}: ${found.length} tasks\n| answer | literally | hardened |\n|---|---|---|`)
  for (const [kind, {literal, hardened}] of kinds)
    console.log(`| ${kind} | ${literal.length} (${literal.join(', ')}) | ${hardened.length} (${hardened.join(', ')}) |`)
}

const kindOf = (name: string) => (/^(?:a copy of|input \d)/.test(name) ? 'a copy of an input' : name)

/** Joins what one call says to what others said. */
function add(passing: Passing, name: string, one: {literal: boolean | undefined; hardened: boolean}): void {
  const known = passing.get(name) ?? {literal: true, hardened: true}
  passing.set(name, {literal: known.literal && one.literal !== false, hardened: known.hardened && one.hardened})
}

type Looking = AsyncGenerator<Looked | Error>

/** An error of one task; others go on. */
function failed(task: string, error: unknown): Error {
  if (!(error instanceof PipelineError)) throw error
  return new Error(`${task}: not looked at: ${error.message.slice(0, 200)}`)
}

async function* goldens(root: string, {python, tasks, largest, workDirectory}: Setting): Looking {
  const found = await findTorch(python)
  const sandbox = await chooseSandbox(workDirectory)
  for (const task of await readTasks(root)) {
    if (!task.path.includes(tasks)) continue
    const home = resolve(root, task.path)
    const {facts, cases} = await readOperator(home)
    const ordered = cases.toSorted((a, b) => inputBytes(a) - inputBytes(b))
    // Some cases have a right answer that takes no work: factors of zero, inputs of zeros.
    const chosen = [...ordered.filter((one) => inputBytes(one) <= largest).slice(2, 4), ...ordered.slice(0, 2)]
    const folder = await mkdtemp(join(workDirectory, 'golden-'))
    const setting = {python: found, sandbox, folder, module: join(home, 'golden.py'), seconds: 900}
    const oracle = await openOperatorOracle(setting, facts)
    const passing: Passing = new Map()
    try {
      for (const one of chosen)
        for (const [seed, family] of [
          [1, 'own'],
          [2, 'own'],
          [1, 'normal'],
        ] as const)
          for (const [name, {literal, hardened}] of Object.entries(await oracle.nothing({case: one, seed, family})))
            add(passing, name, {literal: family === 'own' ? literal : undefined, hardened})
      yield {task: `${task.category}/${task.name}`, passing}
    } catch (error) {
      yield failed(task.path, error)
    } finally {
      await oracle.close()
    }
  }
}

/** Of tasks with sizes of ours, those; of others, their own, if a CPU can hold them. */
async function* models(root: string, {python, tasks, largest, workDirectory}: Setting): Looking {
  const found = await findTorch(python)
  const sandbox = await chooseSandbox(workDirectory)
  const all = (await readMultiKernelBench(root)).tasks.filter(({path}) => path.includes(tasks))
  const isSized = ({name, category}: Pick<(typeof all)[number], 'name' | 'category'>) =>
    name in sizesOf && categories.some((one) => one === category)
  for (const {path, name, category} of [...all.filter(isSized), ...all.filter((one) => !isSized(one))]) {
    const folder = await mkdtemp(join(workDirectory, 'model-'))
    const module = resolve(root, `${path}.py`)
    const oracle = await openOracle({python: found, sandbox, folder, module, seconds: 300})
    const passing: Passing = new Map()
    let calls = 0
    try {
      for (const setting of settingsOf(name, isSized({name, category}) ? 'odd' : 'head').slice(0, 2)) {
        const bytes = (await oracle.describe(setting)).reduce((sum, one) => sum + one.bytes, 0)
        if (bytes > largest) continue
        calls += 1
        const drawing = {setting, seed: 1024, roles: rolesOf[name] ?? []}
        for (const [family, trial] of [
          ['own', 0],
          ['own', 1],
          ['normal', 0],
          ['large', 0],
        ] as const) {
          const call = await oracle.draw({...drawing, family, trial})
          for (const [answer, one] of Object.entries(await oracle.nothing({setting, seed: 1024, call})))
            add(passing, answer, {literal: family === 'own' ? one.literal : undefined, hardened: one.hardened})
        }
      }
      yield calls > 0 ? {task: path.slice('reference/'.length), passing} : new Error(`${path}: too much input`)
    } catch (error) {
      yield failed(path, error)
    } finally {
      await oracle.close()
    }
  }
}

/** As its tasks are asked by default: the first case, at other sizes too; `hardened` with the runs of the judge's search. */
async function* operators(root: string, {python, tasks, largest, workDirectory}: Setting): Looking {
  const references = await pytorch({python, workDirectory, adaptations, maxInputBytes: largest})
  try {
    for (const task of await loadTasks({root}, () => [])) {
      if (!task.origin.path.includes(tasks)) continue
      try {
        const source = await references.open(asCandidate(task, task.answer), task.cases.slice(0, 1), () => {})
        if (source.rows.length === 0) {
          yield new Error(`${task.name}: its first case is not judged`)
          continue
        }
        const seed = ['1', task.name]
        const passing: Passing = new Map()
        let before: readonly Uint8Array[] | undefined
        for (const [row, draw] of source.rows.flatMap((one) => [1, 2].map((at) => [one, at] as const))) {
          const trial = {family: 'uniform', row, draw} as const
          const prepared = await source.prepare(row, 'uniform', seedOf(seed, trial))
          const {answers, known} = await answersWithoutWork(prepared, before)
          before ??= known
          // Bytes that are NaN in every type of floats.
          const {outputs: specs} = prepared.operatorCase
          const blank = specs.map(({dtype, shape}) => new Uint8Array(elementCount(shape) * dtypeBytes[dtype]).fill(255))
          const {literal, hardened} = await prepared.compare(blank, {literal: true})
          if (specs.some(({dtype}) => /float/.test(dtype)))
            add(passing, 'NaN', {literal: literal?.ok, hardened: hardened.ok})
          for (const [name, outputs] of answers) {
            if (name.startsWith('zeros in ')) continue
            add(passing, name, {
              literal: (await prepared.compare(outputs, {literal: true})).literal?.ok,
              hardened: false,
            })
          }
          await prepared.discard()
        }
        const rows = await planRows({source, families: ['uniform', 'boundary'], sizes: 'fresh', seed})
        const planned = new Map([...rows].map(([id, {trials}]) => [id, trials]))
        const all = await separate(planned, {source, seed, pinned: false, serves: () => Promise.resolve(true)})
        for (const name of all.spared) passing.set(name, {literal: passing.get(name)?.literal ?? true, hardened: true})
        yield {task: `${task.name} (${caseId(source.rows[0]!)})`, passing}
      } catch (error) {
        yield failed(task.name, error)
      }
    }
  } finally {
    references.close()
  }
}
