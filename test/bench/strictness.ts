import {mkdtemp, rm} from 'node:fs/promises'
import {availableParallelism, tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import pLimit from 'p-limit'
import type {OperatorTask} from '../../datasets/schema/task.ts'
import {adaptations} from '../../eval/bench/npukernelbench/benchmark.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import twin from '../../eval/executors/twin.ts'
import pytorch, {type PytorchReferences} from '../../eval/reference/pytorch.ts'
import {openTypescriptCases} from '../../eval/reference/typescript-cases.ts'
import {byCodeUnit} from '../../engine/code-unit-order.ts'
import {randomFrom} from '../../engine/random.ts'
import {plant, type Tried} from './strictness/plant.ts'
import {inputLimits, prepareSubject, type Bench} from './strictness/subject.ts'
import {printTable, survived} from './strictness/table.ts'
import {twinCache} from '../helpers/test-cache.ts'

interface Request {
  /** A checkout of NPUKernelBench; without it the bundled tasks. */
  root?: string
  python: string
  /** How many correct answers get mutants. */
  answers: number
  /** Mutants of each answer. */
  mutants: number
}

function parseRequest(args: readonly string[]): Request {
  const {values} = parseArgs({
    args: [...args],
    options: {
      root: {type: 'string'},
      python: {type: 'string', default: 'python3'},
      answers: {type: 'string'},
      mutants: {type: 'string'},
    },
  })
  const number = (text: string | undefined, otherwise: number) => (text === undefined ? otherwise : Number(text))
  return {
    ...(values.root === undefined ? {} : {root: values.root}),
    python: values.python,
    answers: number(values.answers, values.root === undefined ? Infinity : 40),
    mutants: number(values.mutants, values.root === undefined ? Infinity : 12),
  }
}

/**
 * Plants faults in answers that the judge calls correct, in code that their cases run, and has the mutants judged.
 * Prints the share that is noticed, by kind of fault, and each survivor with its place.
 */
export async function benchStrictness(args: readonly string[]): Promise<void> {
  const request = parseRequest(args)
  const workDirectory = await mkdtemp(join(tmpdir(), 'ascend-cot-strictness-'))
  const started = performance.now()
  const start = (maxInputBytes: number) => pytorch({python: request.python, workDirectory, maxInputBytes, adaptations})
  const references =
    request.root === undefined
      ? undefined
      : {first: await start(inputLimits.first), wider: await start(inputLimits.wider)}
  try {
    const executor = await twin({
      cacheDirectory: twinCache,
      workDirectory,
      limits: {run: {cpuSeconds: 10, wallSeconds: 60}},
    })
    const judgedBy = (pytorch?: PytorchReferences) =>
      pytorch ? {open: pytorch.open, pytorch} : {open: openTypescriptCases}
    const bench: Bench = {executor, ...judgedBy(references?.first), wider: judgedBy(references?.wider)}
    const outcome = await plantAll(await tasksOf(request), request, bench)
    console.log(
      `${outcome.answers} answers, ${((performance.now() - started) / 1000).toFixed(0)} s, ${executor.identity.compiler}, ${executor.identity.fingerprint}; ` +
        `${outcome.uncompiled} mutants did not compile and were replaced`,
    )
    for (const note of outcome.notes) console.log(note)
    printTable(outcome.tried)
  } finally {
    references?.first.close()
    references?.wider.close()
    await rm(workDirectory, {recursive: true, force: true})
  }
}

async function tasksOf({root}: Request): Promise<OperatorTask[]> {
  const refuse = (_: unknown, reason: string) => {
    throw new Error(reason)
  }
  if (root !== undefined)
    return randomFrom('strictness').shuffle((await loadTasks({root}, () => [])).filter(({answer}) => answer.length > 0))
  return [
    ...(await loadTasks({root: 'sources/starter/tasks', operators: 'sources/starter/operators'}, refuse)),
    ...(await loadTasks({root: 'sources/starter/heldout'}, refuse)),
  ]
}

interface Outcome {
  tried: Tried[]
  answers: number
  uncompiled: number
  notes: string[]
}

async function plantAll(tasks: readonly OperatorTask[], {answers, mutants}: Request, bench: Bench): Promise<Outcome> {
  const outcome: Outcome = {tried: [], answers: 0, uncompiled: 0, notes: []}
  const limit = pLimit(availableParallelism())
  let begun = 0
  await Promise.all(
    tasks.map((task) =>
      limit(async () => {
        if (begun >= answers) return
        begun += 1
        const random = randomFrom('strictness', task.origin.path)
        const subject = await prepareSubject(task, bench, random)
        if (typeof subject === 'string') {
          begun -= 1
          outcome.notes.push(`left out: ${task.name}, ${subject}`)
          return
        }
        if (!subject.measured) outcome.notes.push(`${task.name}: which code its cases run could not be measured`)
        const planted = await plant(subject, mutants, bench, random)
        outcome.answers += 1
        outcome.uncompiled += planted.uncompiled
        outcome.tried.push(...planted.tried)
        const survivors = planted.tried.filter(survived)
        process.stderr.write(
          `${task.name}: ${planted.tried.length} mutants, ${survivors.length} survive${survivors.map(({mutant}) => `\n  ${mutant.mutation}, ${mutant.detail}`).join('')}\n`,
        )
      }),
    ),
  )
  outcome.tried.sort((a, b) => byCodeUnit(a.task, b.task))
  return outcome
}
