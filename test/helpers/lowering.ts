import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {decode, encode} from '../../datasets/dtype.ts'
import type {Execution} from '../../datasets/schema/executor.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import type {Dtype} from '../../datasets/schema/tensor.ts'
import type {CheckedModule} from '../../pipelines/ascendcraft/language/checked.ts'
import {readProgram} from '../../pipelines/ascendcraft/language/check.ts'
import type {ElementType} from '../../pipelines/ascendcraft/language/dtypes.ts'
import {outputShapes} from './output-shape.ts'
import {realExecutor} from './real-executor.ts'

const root = fileURLToPath(new URL('../fixtures/lowering/', import.meta.url))

export const loweringFixtures = readdirSync(root)
  .filter((name) => name.endsWith('.py'))
  .map((name) => name.slice(0, -3))
  .sort()

export function loweringGolden(name: string, pass: string): string {
  return join(root, `${name}.${pass}.txt`)
}

/** A fixture's program, checked; `edits` plant other text into it: what stands there, what shall stand there. */
export function checkedFixture(
  name: string,
  types: Readonly<Record<string, ElementType>> = {},
  ...edits: [from: string, to: string][]
): CheckedModule {
  let text = readFileSync(join(root, `${name}.py`), 'utf8')
  for (const [from, to] of edits) {
    if (!text.includes(from)) throw new TypeError(`checkedFixture: ${name} has no ${from}`)
    text = text.replace(from, to)
  }
  return checkedText(text, types)
}

export function checkedText(text: string, types: Readonly<Record<string, ElementType>> = {}): CheckedModule {
  const outcome = readProgram(text, types)
  if (!outcome.ok) throw new TypeError(outcome.faults.map(({line, message}) => `line ${line}: ${message}`).join('\n'))
  return outcome.checked
}

/** Element types of inputs and outputs. */
export function dtypesOf({module}: Pick<CheckedModule, 'module'>): Record<string, Dtype> {
  return Object.fromEntries(
    module.host.parameters.flatMap((one): [string, Dtype][] =>
      one.kind !== 'attribute' && one.type.kind === 'type' ? [[one.name, one.type.type]] : [],
    ),
  )
}

export interface Given {
  shape: readonly number[]
  values: ArrayLike<number>
}

export type LoweredRun =
  | {outcome: 'ran'; values: Record<string, Float64Array>; execution: Execution & {outcome: 'ran'}}
  | {outcome: 'stopped'; why: string}

/** Builds a lowered operator on the twin and runs it once, strictly. */
export async function runLowered(
  operator: string,
  {module}: CheckedModule,
  files: readonly SourceFile[],
  inputs: Readonly<Record<string, Given>>,
  attributes: Readonly<Record<string, number | boolean>> = {},
  judge = realExecutor(),
): Promise<LoweredRun> {
  const executor = await judge
  const dtypes = dtypesOf({module})
  const built = await executor.build({operator, files, dtypes})
  if (!built.ok) return {outcome: 'stopped', why: 'log' in built.verdict ? built.verdict.log : built.verdict.outcome}
  try {
    const shapes = Object.fromEntries(Object.entries(inputs).map(([name, {shape}]) => [name, shape]))
    const results = outputShapes(module, {shapes, attributes})
    const outputs = Object.entries(results).map(([name, shape]) => ({name, dtype: dtypes[name] as Dtype, shape}))
    const tensors = Object.entries(inputs).map(([name, {shape, values}]) => {
      const dtype = dtypes[name] as Dtype
      return {name, dtype, shape: [...shape], data: encode(values, dtype)}
    })
    const run = await executor.execute(built.build, {id: operator, inputs: tensors, attributes, outputs})
    if (run.outcome !== 'ran')
      return {outcome: 'stopped', why: run.outcome === 'violated' ? run.violation.rule : JSON.stringify(run)}
    const values = outputs.map(({name, dtype}, at) => [name, decode(run.outputs[at] as Uint8Array, dtype)])
    return {outcome: 'ran', values: Object.fromEntries(values), execution: run}
  } finally {
    await built.build.dispose()
  }
}

/** Values between -2 and 2 that repeat themselves late. */
export function wave(count: number, phase = 0): Float64Array {
  return Float64Array.from({length: count}, (_, at) => Math.fround(2 * Math.sin((at + phase) * 0.7317)))
}
