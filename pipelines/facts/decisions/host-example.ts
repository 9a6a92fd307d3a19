import {typeBytes} from '../../../cpp/types.ts'
import type {HostFacts} from '../../../datasets/schema/code-facts.ts'
import type {Arithmetic, Decision} from '../../../datasets/schema/decision.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {Dtype, type TensorSpec} from '../../../datasets/schema/tensor.ts'
import {answeredValue, namesIn, readable} from '../call-of-host.ts'
import {hardware} from '../call-answers.ts'
import {aliases} from '../derivations.ts'
import {settledValues, type Settled} from '../settled-values.ts'
import {decided, type HostView, type Size} from './host-view.ts'
import {formsInside, written} from './size-forms.ts'
import {workedOut} from './worked-out.ts'

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
  const dtype = Object.values(source.dtypes).flatMap((one) => Dtype.safeParse(one).data ?? [])[0]
  if (dtype === undefined) return []
  const calls = shapesOf(view.facts, source.operator).map((shape) => ({
    shape,
    settled: settledCall(view, {name: 'x', dtype, shape: [...shape]}),
  }))
  const call = calls.find(({settled}) => allows(view, settled))
  const steps = call ? worked(view, call.settled) : []
  if (!call || steps.length < 3) return []
  const [rows, cols] = call.shape
  const situation = cols === undefined ? 'elements' : 'rows'
  const values = {n: rows ?? 0, rows: rows ?? 0, cols: cols ?? 0, dtype, cores: hardware.vectorCores}
  return [decided('host-share', `example-${situation}`, '', values, steps)]
}

/** Shapes that the file's questions allow: only elements in all, or also the last axis. */
function shapesOf({flows}: HostFacts, operator: string): readonly (readonly number[])[] {
  const texts = flows.flatMap(({statements}) => statements.map(({text}) => text))
  const asked = texts.flatMap((text) =>
    [...text.matchAll(/\bGetDim\(((?:[^()]|\(\))*)\)/g)].map(([, axis = '']) => axis),
  )
  if (!texts.some((text) => text.includes('GetShapeSize()'))) return []
  const seed = [...operator].reduce((sum, one) => sum + one.charCodeAt(0), 0)
  const from = <T>(all: readonly T[]) => all.map((_, at) => all[(seed + at) % all.length] as T)
  if (asked.length === 0) return from(lengths).map((length) => [length])
  return asked.every((axis) => /GetDimNum\(\) - 1$/.test(axis)) ? from(rowShapes) : []
}

/** Whether the host takes the call, and no size of a tensor has a rest that the host would lose. */
function allows(view: HostView, settled: Settled): boolean {
  if (view.facts.refusals.some(({condition}) => Number(settled.value(condition)))) return false
  const forms = view.sizes.flatMap(({expression}) => formsInside(expression))
  const isAsked = (text: string) => /\bGet(?:Dim|ShapeSize)\(/.test(text)
  return forms.every(({kind, of, by}) => {
    const [size, unit] = [written(of), written(by)]
    if (kind !== 'divide' || view.number(unit) === undefined) return true
    if (!isAsked(view.only(size)?.text ?? size)) return true
    const isKept = forms.some((one) => one.kind === 'rest' && written(one.of) === size && written(one.by) === unit)
    return isKept || !settled.value(`${size} % ${unit}`)
  })
}

function settledCall(view: HostView, tensor: TensorSpec): Settled {
  const {facts} = view
  const inputs = Array.from({length: 12}, () => tensor)
  const answers = {inputs, outputs: inputs, attributes: [], aliases: aliases(facts)}
  const given = new Map<string, number>(facts.constants)
  for (const {name, args} of facts.functions.flatMap(({calls}) => calls))
    if (name === 'GetCoreMemSize' && /\bUB$/.test(args[0] ?? '') && args[1]) given.set(args[1], hardware.ubBytes)
  return settledValues(facts.functions, given, (text, values) => answeredValue(text, answers, values))
}

function worked(view: HostView, settled: Settled): Arithmetic[] {
  const steps = view.sizes.flatMap((size) => stepOf(size, view, settled.values))
  const fields = new Set(
    view.sizes.filter(({isField}) => isField).map(({name, text}) => (/^\w+$/.test(text) ? text : name)),
  )
  return leading(steps, [...fields, ...view.facts.blockDim]).slice(0, mostSteps)
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
