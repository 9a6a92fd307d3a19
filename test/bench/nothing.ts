import {existsSync} from 'node:fs'
import {appendFile, mkdtemp, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {z} from 'zod'
import {PipelineError} from '../../engine/errors.ts'
import {openOperatorOracle} from '../../eval/bench/cann-bench/operator-oracle.ts'
import {inputBytes, readOperator, readTasks} from '../../eval/bench/cann-bench/checkout-operators.ts'
import {readMultiKernelBench} from '../../eval/bench/multikernelbench/read-checkout.ts'
import {categories, rolesOf, settingsOf, sizesOf, type Setting} from '../../eval/bench/multikernelbench/tiers.ts'
import {dtypeBytes, elementCount} from '../../datasets/schema/tensor.ts'
import {openOracleProcess} from '../../eval/bench/oracle/oracle-process.ts'
import {adaptations} from '../../eval/bench/npukernelbench/benchmark.ts'
import {findTorch} from '../../eval/bench/submission/python.ts'
import {planRows} from '../../eval/canary.ts'
import {answersWithoutWork, separate} from '../../eval/degenerate.ts'
import {chooseSandbox} from '../../eval/executors/sandbox.ts'
import pytorch from '../../eval/reference/pytorch.ts'
import {seedOf} from '../../eval/run-case.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import {asCandidate} from './strictness/subject.ts'

interface Asked {
  python: string
  /** Part of a task's path. */
  tasks: string
  /** A call with more input than this is not made, in bytes. */
  largest: number
  /** Whether a task was looked at in an earlier run. */
  isKnown(task: string): boolean
  workDirectory: string
}

/** Whether an answer passes every call that it was given to. */
type Passing = Map<string, {literal: boolean; hardened: boolean}>
/** A task, with what passes or why that is not known. */
interface Looked {
  task: string
  passing: Passing
  fault?: string
  /** Sizes that it was called with. */
  settings?: unknown
}
interface Found extends Omit<Looked, 'passing'> {
  benchmark: string
  passing: [string, {literal: boolean; hardened: boolean}][]
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
      results: {type: 'string', default: 'nothing.jsonl'},
    },
  })
  const workDirectory = await mkdtemp(join(tmpdir(), 'ascend-cot-nothing-'))
  const {python, tasks, results} = values
  const known = existsSync(results) ? (await readFile(results, 'utf8')).split('\n').filter(Boolean) : []
  const found = known.map((line) => JSON.parse(line) as Found)
  const asked = [
    ['NPUKernelBench', values['npu-kernel-bench'], operators],
    ['MultiKernelBench', values['multi-kernel-bench'], models],
    ['cann-bench', values['cann-bench'], goldens],
  ] as const
  try {
    for (const [benchmark, root, of] of asked) {
      const own = () => found.filter((one) => one.benchmark === benchmark)
      if (root !== undefined) {
        const isKnown = (task: string) => own().some((one) => one.task === task)
        const setting = {python, tasks, largest: Number(values['max-input-mib']) * 2 ** 20, workDirectory, isKnown}
        for await (const {passing, ...one} of of(root, setting)) {
          found.push({benchmark, ...one, passing: [...passing]})
          await appendFile(results, `${JSON.stringify(found.at(-1))}\n`)
          console.log(`${one.task}: ${one.fault ?? wordsOf(passing)}`)
        }
      }
      if (own().length > 0) summarize(benchmark, own())
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

function summarize(title: string, all: readonly Found[]): void {
  const found = all.filter(({fault}) => fault === undefined).map((one) => ({...one, passing: new Map(one.passing)}))
  const kinds = new Map<string, {literal: string[]; hardened: string[]}>()
  for (const {task, passing} of found)
    for (const kind of new Set([...passing.keys()].map(kindOf))) {
      const known = kinds.get(kind) ?? {literal: [], hardened: []}
      kinds.set(kind, known)
      const own = [...passing].filter(([name]) => kindOf(name) === kind).map(([, one]) => one)
      if (own.some(({literal}) => literal)) known.literal.push(task)
      if (own.some(({hardened}) => hardened)) known.hardened.push(task)
    }
  console.log(`\n${title}: ${found.length} of ${all.length} tasks\n| answer | literally | hardened |\n|---|---|---|`)
  for (const [kind, {literal, hardened}] of kinds)
    console.log(`| ${kind} | ${literal.length} (${literal.join(', ')}) | ${hardened.length} (${hardened.join(', ')}) |`)
}

const kindOf = (name: string) => (/^(?:a copy of|input \d)/.test(name) ? 'a copy of an input' : name)

/** Joins what one call says to what others said. */
function add(passing: Passing, name: string, one: {literal: boolean | undefined; hardened: boolean}): void {
  const known = passing.get(name) ?? {literal: true, hardened: true}
  passing.set(name, {literal: known.literal && one.literal !== false, hardened: known.hardened && one.hardened})
}

/** What no comparison lets pass any more. */
function refusedBy(passing: Passing): string[] {
  return [...passing].flatMap(([name, {literal, hardened}]) => (literal || hardened ? [] : [name]))
}

/** Whether nothing is left that may pass; what was right in the first call is an answer from the second on. */
const isSettled = (passing: Passing) => passing.has('first output') && refusedBy(passing).length === passing.size

type Looking = AsyncGenerator<Looked>

const without = (task: string, fault: string): Looked => ({task, passing: new Map(), fault})

/** An error of one task; others go on. */
function failed(task: string, error: unknown): Looked {
  if (!(error instanceof PipelineError)) throw error
  return without(task, error.message.slice(0, 300))
}

const draws = [
  [1, 'own'],
  [2, 'own'],
  [1, 'normal'],
] as const

async function* goldens(root: string, {python, tasks, workDirectory, isKnown}: Asked): Looking {
  const found = await findTorch(python)
  const sandbox = await chooseSandbox(workDirectory)
  for (const task of await readTasks(root)) {
    const label = `${task.category}/${task.name}`
    if (!task.path.includes(tasks) || isKnown(label)) continue
    const home = resolve(root, task.path)
    const {facts, cases} = await readOperator(home)
    const ordered = cases.toSorted((a, b) => inputBytes(a) - inputBytes(b))
    // Of zeros and of NaN alone, what is right takes no work; those with other values come first.
    const isNumber = (one: unknown) => Number(one) !== 0 && Number.isFinite(Number(one))
    const ordinary = ordered.filter(({ranges}) => ranges.length === 0 || ranges.flat(2).some(isNumber))
    const chosen = new Set([...ordinary.slice(0, 2), ...ordered.slice(0, 2)])
    const folder = await mkdtemp(join(workDirectory, 'golden-'))
    const setting = {python: found, sandbox, folder, module: join(home, 'golden.py'), seconds: 900}
    const oracle = await openOperatorOracle(setting, facts)
    const passing: Passing = new Map()
    try {
      for (const [one, [seed, family]] of [...chosen].flatMap((each) => draws.map((draw) => [each, draw] as const))) {
        if (isSettled(passing)) break
        const answers = await oracle.nothing({case: one, seed, family}, refusedBy(passing))
        for (const [name, {literal, hardened}] of Object.entries(answers))
          add(passing, name, {literal: family === 'own' ? literal : undefined, hardened})
      }
      yield {task: label, passing}
    } catch (error) {
      yield failed(label, error)
    } finally {
      await oracle.close()
    }
  }
}

/** Where sizes depend on each other, or on numbers in the code. */
const sizesOfOthers: Readonly<Record<string, readonly Setting[]>> = {
  // Halved alone, groups of two would be left, of which the smaller one is -1 whatever they are.
  gemm_group_norm_min_bias_add: [
    {constants: {batch_size: 8, in_features: 512, out_features: 512, num_groups: 32, bias_shape: [1, 512, 1, 1]}},
  ],
  ...Object.fromEntries(
    ['vgg16', 'vgg19', 'swin_mlp', 'swintransformer_v2'].map((name) => [name, [{constants: {batch_size: 1}}]]),
  ),
}

const runtime = fileURLToPath(new URL('../../eval/bench/multikernelbench/oracle/runtime', import.meta.url))

const LookedAt = z.object({
  passing: z.array(z.tuple([z.string(), z.object({literal: z.boolean(), hardened: z.boolean()})])),
  settings: z.array(z.unknown()),
  fault: z.string().optional(),
})

/** Of tasks with sizes of ours, those; of others, their own, made smaller. One process looks at many tasks. */
async function* models(root: string, {python, tasks, largest, workDirectory, isKnown}: Asked): Looking {
  const setting = {python: await findTorch(python), sandbox: await chooseSandbox(workDirectory), seconds: 600}
  const program = fileURLToPath(new URL('nothing-models.py', import.meta.url))
  const folder = await mkdtemp(join(workDirectory, 'model-'))
  const place = {...setting, folder, module: resolve(root)}
  const start = () => openOracleProcess(place, program, [program, runtime, place.module])
  // Work in floating-point operations.
  const most = {input: largest, state: largest * 16, output: largest, work: largest * 512}
  let oracle = await start()
  try {
    for (const {path, name, category} of (await readMultiKernelBench(root)).tasks) {
      const label = path.slice('reference/'.length)
      if (!path.includes(tasks) || isKnown(label)) continue
      const isSized = name in sizesOf && categories.some((one) => one === category)
      const settings = isSized ? settingsOf(name, 'odd').slice(0, 2) : (sizesOfOthers[name] ?? [])
      const module = resolve(root, `${path}.py`)
      try {
        const asked = {ask: 'look', module, settings, roles: rolesOf[name] ?? [], most}
        const {passing, fault, settings: sizes} = await oracle.ask(LookedAt, asked)
        yield {task: label, passing: new Map(passing), ...(fault !== undefined && {fault}), settings: sizes}
      } catch (error) {
        yield failed(label, error)
        await oracle.close()
        oracle = await start()
      }
    }
  } finally {
    await oracle.close()
  }
}

/** As its tasks are asked by default: the first case, at other sizes too; `hardened` with the runs of the search. */
async function* operators(root: string, {python, tasks, largest, workDirectory, isKnown}: Asked): Looking {
  const references = await pytorch({python, workDirectory, adaptations, maxInputBytes: largest})
  try {
    for (const task of await loadTasks({root}, () => [])) {
      if (!task.origin.path.includes(tasks) || isKnown(task.name)) continue
      try {
        let why = 'no reference'
        const source = await references.open(
          asCandidate(task, task.answer),
          task.cases.slice(0, 1),
          (_, reason, detail) => (why = `${reason}: ${detail}`),
        )
        if (source.rows.length === 0) {
          yield without(task.name, why)
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
        // What was right before cannot be given where it is not known, or of another size each time.
        const tried = all.spared.filter((name) => name !== 'the answer before' || passing.has(name))
        for (const name of tried) passing.set(name, {literal: passing.get(name)?.literal ?? true, hardened: true})
        yield {task: task.name, passing}
      } catch (error) {
        yield failed(task.name, error)
      }
    }
  } finally {
    references.close()
  }
}
