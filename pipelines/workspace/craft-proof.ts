import type {CraftTask} from '../../datasets/schema/crafted.ts'
import type {Build, Execution, Executor} from '../../datasets/schema/executor.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import type {OperatorCase} from '../../datasets/schema/task.ts'
import type {Dtype} from '../../datasets/schema/tensor.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {contentId} from '../../engine/ids.ts'
import {compareHardened} from '../../eval/compare.ts'
import {interpret} from '../ascendcraft/interpret/interpret.ts'
import type {Proof} from '../ascendcraft/generate/proof.ts'
import type {CheckedModule} from '../ascendcraft/language/checked.ts'

/** One call of a task's operator, with what its reference gives for each output. */
interface CraftCase {
  operatorCase: OperatorCase
  expected: readonly Float64Array[]
  tolerance?: {absolute: number; relative: number}
}

interface Cases {
  /** By what inputs and expected outputs are made. */
  identity: string
  of(task: CraftTask, signal: AbortSignal): Promise<readonly CraftCase[]>
}

/** Checks a model's output: programs on the interpreter, operators on an executor, both against the same cases. */
export function proofBy(executor: Executor, cases: Cases): Proof {
  return {
    identity: contentId([1, {...executor.identity}, cases.identity]),
    async interpret(task, checked, signal) {
      return firstTrouble(await cases.of(task, signal), async (one) => interpreted(checked, one))
    },
    async compile(task, files, signal) {
      const built = await buildOf(executor, task, {files, cases: await cases.of(task, signal)}, signal)
      if (!built.ok) return verdictText(built.verdict)
      await built.build.dispose()
      return undefined
    },
    async judge(task, files, signal) {
      const all = await cases.of(task, signal)
      const built = await buildOf(executor, task, {files, cases: all}, signal)
      if (!built.ok) return verdictText(built.verdict)
      try {
        return await firstTrouble(all, (one) => executed(executor, built.build, one, signal))
      } finally {
        await built.build.dispose()
      }
    },
  }
}

async function firstTrouble(
  cases: readonly CraftCase[],
  look: (one: CraftCase) => Promise<string | undefined>,
): Promise<string | undefined> {
  for (const one of cases) {
    const trouble = await look(one)
    if (trouble !== undefined) return `With ${inWords(one.operatorCase)}: ${trouble}`
  }
  return undefined
}

/** Sizes of the inputs, without their values. */
function inWords({inputs}: OperatorCase): string {
  return inputs.map(({name, dtype, shape}) => `${name}: ${dtype}[${shape.join(', ')}]`).join(', ')
}

function interpreted(checked: CheckedModule, one: CraftCase): string | undefined {
  const run = interpretedCall(checked, one.operatorCase)
  if ('trouble' in run) return `${run.trouble}.`
  if ('fault' in run) {
    const {line, rule, message, mend, core} = run.fault
    return `line ${line}${core === undefined ? '' : ` on core ${core}`}, ${rule}: ${message}. Mend: ${mend}.`
  }
  return compared(one, run.outputs)
}

type Interpreted =
  | {outputs: Uint8Array[]}
  | Pick<Extract<ReturnType<typeof interpret>, {ok: false}>, 'fault'>
  | {trouble: string}

/** A call of a task, interpreted; `trouble` where the program's tensors are not the task's. */
export function interpretedCall(checked: CheckedModule, operatorCase: OperatorCase): Interpreted {
  const {inputs, attributes, outputs} = operatorCase
  const trouble = interfaceTrouble(checked, operatorCase)
  if (trouble !== undefined) return {trouble}
  const run = interpret(checked, {inputs, attributes: ofProgram(checked, attributes)})
  if (!run.ok) return {fault: run.fault}
  const at = outputs.findIndex(({shape}, index) => shape.join() !== run.outputs[index]!.shape.join())
  if (at < 0) return {outputs: run.outputs.map(({data}) => data)}
  const [seen, wanted] = [run.outputs[at]!.shape, outputs[at]!.shape].map((shape) => `[${shape.join(', ')}]`)
  return {trouble: `the output ${outputs[at]!.name} has the shape ${seen}, not ${wanted}`}
}

/** Whether a program's inputs and outputs match the task's in names and types. */
function interfaceTrouble({module}: CheckedModule, {inputs, outputs}: OperatorCase): string | undefined {
  const tensors = module.host.parameters.filter(({kind}) => kind !== 'attribute')
  const seen = tensors.map(
    (one) => `${one.name}: ${'type' in one && typeof one.type === 'object' ? typeText(one.type) : ''}`,
  )
  const wanted = [...inputs, ...outputs].map(({name, dtype}) => `${name}: ${dtype}`)
  const inputsSeen = tensors.filter(({kind}) => kind === 'tensor').length
  if (seen.join() === wanted.join() && inputsSeen === inputs.length) return undefined
  return (
    `the host function has the tensors ${seen.join(', ')}; the task has ${wanted.join(', ')}, ` +
    `of which the first ${inputs.length} are inputs.`
  )
}

function typeText(type: {kind: 'type'; type: string} | {kind: 'parameter'; name: string}): string {
  return type.kind === 'type' ? type.type : type.name
}

/** Numbers among a case's attributes that the program declares. */
function ofProgram({module}: CheckedModule, given: OperatorCase['attributes']): Record<string, number | boolean> {
  const names = module.host.parameters.flatMap((one) => (one.kind === 'attribute' ? one.name : []))
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      names.includes(name) && (typeof value === 'number' || typeof value === 'boolean') ? [[name, value]] : [],
    ),
  )
}

function compared({operatorCase, expected, tolerance}: CraftCase, outputs: readonly Uint8Array[]): string | undefined {
  for (const [at, output] of operatorCase.outputs.entries()) {
    const {ok, reason, worst} = compareHardened(output, expected[at]!, outputs[at]!, tolerance)
    if (ok) continue
    const where = worst ? `; worst at element ${worst.index}: ${worst.seen}, where ${worst.expected} is right` : ''
    return `the output ${output.name} is wrong: ${reason}${where}.`
  }
  return undefined
}

function buildOf(
  executor: Executor,
  {operator}: CraftTask,
  {files, cases}: {files: readonly SourceFile[]; cases: readonly CraftCase[]},
  signal: AbortSignal,
): ReturnType<Executor['build']> {
  const tensors = cases.flatMap(({operatorCase: {inputs, outputs}}) => [...inputs, ...outputs])
  const dtypes: Record<string, Dtype> = Object.fromEntries(tensors.map(({name, dtype}) => [name, dtype]))
  return executor.build({operator, files, dtypes}, signal)
}

async function executed(
  executor: Executor,
  build: Build,
  one: CraftCase,
  signal: AbortSignal,
): Promise<string | undefined> {
  const run = await executor.execute(build, one.operatorCase, {}, signal)
  return run.outcome === 'ran' ? compared(one, run.outputs) : executionText(run)
}

function executionText(run: Exclude<Execution, {outcome: 'ran'}>): string {
  switch (run.outcome) {
    case 'launch-failed':
      return `the launch failed: ${run.message}`
    case 'violated':
      return (
        `${run.violation.api} on core ${run.violation.block} broke the rule ${run.violation.rule}: ` +
        `${run.violation.message}. ${run.violation.fix}`
      )
    case 'crashed':
      return `it crashed: ${run.cause}\n${run.log}`
    case 'timed-out':
      return `it did not end within ${run.limitSeconds} s`
  }
}

/** Messages of a compiler that a model is shown. */
const shownDiagnostics = 8

export function verdictText(verdict: Verdict): string {
  if (verdict.outcome === 'not-covered') return `These names are not known: ${verdict.missing.join(', ')}.`
  if (verdict.outcome === 'compile-failed') {
    const errors = verdict.diagnostics.filter(({severity}) => severity === 'error').slice(0, shownDiagnostics)
    const lines = errors.map(({file, line, column, message}) => `${file}:${line}:${column}: ${message}`)
    return ['It does not compile:', ...(lines.length > 0 ? lines : [verdict.log.slice(-2000)])].join('\n')
  }
  return verdict.outcome === 'link-failed' ? `It does not link:\n${verdict.log.slice(-2000)}` : verdict.outcome
}
