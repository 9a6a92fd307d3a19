import {typeBytes} from '../../../cpp/types.ts'
import type {HostFacts} from '../../../datasets/schema/code-facts.ts'
import type {Arithmetic, Decision} from '../../../datasets/schema/decision.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {Dtype, type TensorSpec} from '../../../datasets/schema/tensor.ts'
import {answeredValue, namesIn, readable} from '../call-of-host.ts'
import {hardware} from '../call-answers.ts'
import {aliases} from '../derivations.ts'
import {settledValues} from '../settled-values.ts'
import {decided, type HostView, type Size} from './host-view.ts'
import {workedOut} from './static-decisions.ts'

/** Lengths of calls that sizes are worked out for; a file takes one by its name. */
const lengths = [20_000, 100_003, 48_000, 1_000_000, 262_144, 5_000, 300_007, 77_777]
const rowShapes = [
  [1_000, 100],
  [4_096, 1_024],
  [50, 3_000],
  [10_000, 72],
  [200, 777],
] as const

/** Most steps that one example takes. */
const mostSteps = 9

/** The sizes of a host file on a call of one shape, where every size follows from the elements or the rows of it. */
export function exampleDecision(view: HostView, source: OperatorSource): Decision[] {
  const {facts} = view
  const shape = shapeOf(facts, source.operator)
  const dtype = Object.values(source.dtypes).flatMap((one) => Dtype.safeParse(one).data ?? [])[0]
  if (!shape || dtype === undefined) return []
  const steps = worked(view, {name: 'x', dtype, shape: [...shape]})
  if (steps.length < 3) return []
  const [rows, cols] = shape
  const situation = cols === undefined ? 'elements' : 'rows'
  const values = {n: rows ?? 0, rows: rows ?? 0, cols: cols ?? 0, dtype, cores: hardware.vectorCores}
  return [decided('host-share', `example-${situation}`, '', values, steps)]
}

/** A shape that the file's questions allow: only elements in all, or also the last axis. */
function shapeOf({flows}: HostFacts, operator: string): readonly number[] | undefined {
  const texts = flows.flatMap(({statements}) => statements.map(({text}) => text))
  const asked = texts.flatMap((text) =>
    [...text.matchAll(/\bGetDim\(((?:[^()]|\(\))*)\)/g)].map(([, axis = '']) => axis),
  )
  if (!texts.some((text) => text.includes('GetShapeSize()'))) return undefined
  const seed = [...operator].reduce((sum, one) => sum + one.charCodeAt(0), 0)
  if (asked.length === 0) return [lengths[seed % lengths.length] as number]
  const isLast = asked.every((axis) => /GetDimNum\(\) - 1$/.test(axis))
  return isLast ? rowShapes[seed % rowShapes.length] : undefined
}

function worked(view: HostView, tensor: TensorSpec): Arithmetic[] {
  const {facts} = view
  const inputs = Array.from({length: 12}, () => tensor)
  const answers = {inputs, outputs: inputs, attributes: [], aliases: aliases(facts)}
  const given = new Map<string, number>(facts.constants)
  for (const {name, args} of facts.functions.flatMap(({calls}) => calls))
    if (name === 'GetCoreMemSize' && /\bUB$/.test(args[0] ?? '') && args[1]) given.set(args[1], hardware.ubBytes)
  const settled = settledValues(facts.functions, given, (text, values) => answeredValue(text, answers, values))
  const steps = view.sizes.flatMap((size) => stepOf(size, view, settled.values))
  const fields = new Set(
    view.sizes.filter(({isField}) => isField).map(({name, text}) => (/^\w+$/.test(text) ? text : name)),
  )
  return leading(steps, [...fields, ...facts.blockDim]).slice(0, mostSteps)
}

function stepOf(
  {name, text, statement}: Size,
  view: HostView,
  values: ReadonlyMap<string, number | string>,
): Arithmetic[] {
  const said = readable(statement.kind === 'call' ? (statement.call?.args[0] ?? '') : statement.text)
  const result = values.get(name) ?? undefined
  if (said === undefined || !/[-+*/%(]/.test(text) || statement.loops.length + statement.branches.length > 0) return []
  const known = namesIn(said).flatMap((one): [string, number][] => {
    const value = values.get(one)
    return typeof value === 'number' ? [[one, value]] : []
  })
  const names = namesIn(said).filter((one) => typeBytes[one] === undefined)
  const isWhole = known.length === names.length && known.length > 0
  if (typeof result !== 'number' || !isWhole || view.of(name).length > 1) return []
  const numbers = workedOut(said, new Map(known))
  if (numbers === undefined) return []
  return [{kind: 'arithmetic', name, expression: said, values: known, worked: numbers, result}]
}

/** Steps that lead to what is handed over or launched. */
function leading(steps: readonly Arithmetic[], names: readonly string[]): Arithmetic[] {
  const needed = new Set(names)
  for (const one of [...steps].reverse()) if (needed.has(one.name)) for (const [name] of one.values) needed.add(name)
  return steps.filter(({name}) => needed.has(name))
}
