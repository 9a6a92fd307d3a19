import type {Build, Executor, Program} from '../../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../../datasets/schema/task.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'
import {decode, encode, isInteger} from '../../../datasets/dtype.ts'
import type {Example, NamedArray} from './api-page.ts'
import {callsOf} from './page-code.ts'
import type {PageCall} from './page-code.ts'
import {cppType, frameProgram, outputName} from './page-frame.ts'
import type {FrameTensor, FrameText} from './page-frame.ts'
import type {PagePlan} from './page-plan.ts'
import {compareShown, countShown, determinedLength, expand, isAbridged} from './printed-array.ts'
import type {PrintedArray, Tolerance} from './printed-array.ts'

/** What a page's example says and our frame adds, ready to build. */
interface Prepared {
  tensors: FrameTensor[]
  values: Map<string, number[]>
  results: {name: string; array: PrintedArray; length: number}[]
  calls: PageCall[]
  text: FrameText
}

export interface VectorEnd {
  ok: boolean
  /** Calls of the page that were run. */
  calls: number
  shown: number
  near: number
  /** The page itself is at fault where it differs. */
  wrong?: string | undefined
  /** Why the page's arrays cannot be checked at all. */
  lacks?: string | undefined
  reason: string
  /** Names in calls of the page that were left out, as the twin does not cover them. */
  notCovered?: string[]
}

/** What still counts as near; either part suffices. Integers are exact. */
const tolerances: Partial<Record<Dtype, Tolerance>> = {
  float16: {absolute: 1e-4, relative: 2e-3},
  float32: {absolute: 1e-6, relative: 1e-4},
}
const exact: Tolerance = {absolute: 0, relative: 0}

const temporaryNames = ['sharedTmpBuffer', 'tmp', 'tmpBuffer', 'tmpLocal', 'tmplocalTensor']

/** Runs every call of an example on the page's inputs, and compares with what the page prints. */
export async function runExample(
  executor: Executor,
  title: string,
  example: Example,
  plan: PagePlan,
): Promise<VectorEnd> {
  const end: VectorEnd = {
    ok: false,
    calls: 0,
    shown: 0,
    near: 0,
    reason: plan.lacks ?? '',
    wrong: plan.wrong,
    lacks: plan.lacks,
  }
  if (plan.lacks !== undefined) return end
  const prepared = prepare(title, example, plan)
  if (prepared.calls.length === 0) return {...end, reason: `no call of ${title} found in the code`}
  const built = await executor.build(programOf(prepared))
  if (built.ok) return runBuilt(executor, built.build, prepared, {end, plan})
  const missing = built.verdict.outcome === 'not-covered' ? built.verdict.missing : []
  const rest = prepared.calls.filter(({setup, call}) => !missing.some((name) => mentions([...setup, call], name)))
  if (rest.length === 0 || missing.length === 0) return {...end, reason: buildReason(built.verdict)}
  const left = {...prepared, calls: rest}
  const again = await executor.build(programOf(left))
  if (!again.ok) return {...end, reason: buildReason(again.verdict)}
  return {...(await runBuilt(executor, again.build, left, {end, plan})), notCovered: [...missing]}
}

function mentions(statements: readonly string[], name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(statements.join(' '))
}

function programOf({tensors, results, calls, text}: Prepared): Program {
  return frameProgram(
    tensors,
    results.map(({name}) => name),
    calls,
    text,
  )
}

async function runBuilt(
  executor: Executor,
  build: Build,
  prepared: Prepared,
  {end, plan}: {end: VectorEnd; plan: PagePlan},
): Promise<VectorEnd> {
  try {
    const execution = await executor.execute(build, caseOf(prepared))
    if (execution.outcome !== 'ran') return {...end, reason: runReason(execution)}
    return judge(prepared, execution.outputs, plan, {...end, calls: prepared.calls.length})
  } finally {
    await build.dispose()
  }
}

function buildReason(verdict: {outcome: string; missing?: unknown; diagnostics?: unknown; log?: string}): string {
  if (verdict.outcome === 'not-covered') return `not covered: ${JSON.stringify(verdict.missing)}`
  const lines = (verdict.log ?? '').split('\n').filter((line) => /(error|note): /.test(line))
  return `${verdict.outcome}: ${lines.slice(0, 4).join(' | ')}`
}

function runReason(execution: {outcome: string; violation?: {rule: string; message: string}; log?: string}): string {
  if (execution.violation) return `${execution.violation.rule}: ${execution.violation.message}`
  return `${execution.outcome}: ${JSON.stringify({...execution, log: execution.log?.slice(-300)})}`
}

function judge(prepared: Prepared, outputs: readonly Uint8Array[], plan: PagePlan, end: VectorEnd): VectorEnd {
  const {results, tensors} = prepared
  const pairs = prepared.calls.flatMap(({call}, at) =>
    results.map((result, index) => ({...result, call, bytes: outputs[at * results.length + index]!})),
  )
  const picked = picker(plan)
  for (const {name, array, length, call, bytes} of pairs) {
    const dtype = tensors.find((one) => one.name === name)!.dtype
    const values = picked(decode(bytes, dtype).slice(0, length))
    const {shown, near, first} = compareShown(values, picked.array(array), tolerances[dtype] ?? exact)
    end.shown += shown
    end.near += near
    if (first && end.reason === '')
      end.reason = `${name}[${first.index}] is ${first.seen}, the page says ${first.expected} (${call})`
  }
  if (end.shown === 0) end.reason = 'no array that the page prints is compared'
  return {...end, ok: end.reason === ''}
}

/** Leaves out what a page prints of memory that the call does not write. */
function picker({computed, printed}: PagePlan): {
  (values: ArrayLike<number>): number[]
  array(array: PrintedArray): PrintedArray
} {
  const keep = (index: number) => (computed?.(index) ?? true) && (printed?.(index) ?? true)
  const pick = (values: ArrayLike<number>) => Array.from(values).filter((_, index) => keep(index))
  pick.array = ({runs}: PrintedArray) => ({
    runs: computed ? runs.map((run) => run.filter((_, at) => computed(at))) : runs,
  })
  return pick
}

function caseOf({tensors, values, results, calls}: Prepared): OperatorCase {
  return {
    id: 'page',
    attributes: {},
    inputs: tensors.map(({name, dtype, length}) => ({
      name,
      dtype,
      shape: [length],
      data: encode(values.get(name) ?? new Array<number>(length).fill(0), dtype),
    })),
    outputs: calls.flatMap((_, call) =>
      results.map(({name}) => {
        const {dtype, length} = tensors.find((one) => one.name === name)!
        return {name: outputName(call, name), dtype, shape: [length]}
      }),
    ),
  }
}

function prepare(title: string, page: Example, plan: PagePlan): Prepared {
  const example = withNames(page)
  const calls = planCalls(title, example, plan)
  const code = `${example.code.join('\n')} ${calls.map(({call}) => call).join('\n')}`
  const named = (array: NamedArray) => ({...array, name: nameInCode(array.name, code, plan)})
  const keep = ({name}: NamedArray) => name !== '' && !(plan.drop ?? []).includes(name)
  const inputs = [...example.initial, ...numbered(example.inputs)].filter(keep).map(named)
  const outputs = example.outputs.filter(keep).map(named)
  const total = plan.total ?? longest(inputs, plan)
  const lengthOf = ({name, array}: NamedArray) =>
    plan.size?.[name] ??
    (isAbridged(array) ? (plan.total ?? determinedInput(inputs, name) ?? total) : countShown(array))
  const room = plan.room ?? 512
  const tensors: FrameTensor[] = []
  const values = new Map<string, number[]>()
  for (const one of [...inputs, ...outputs]) {
    if (tensors.some(({name}) => name === one.name)) continue
    const length = Math.ceil(Math.max(lengthOf(one), total, room) / 64) * 64
    tensors.push({name: one.name, dtype: plan.types?.[one.name] ?? plan.type ?? 'float16', length})
  }
  for (const {name, array} of inputs) {
    const {length, dtype} = tensors.find((one) => one.name === name)!
    const formula = plan.fill?.[name]
    const own = lengthOf({name, array})
    const full = formula ? Array.from({length: own}, (_, index) => formula(index)) : expand(array, own)
    values.set(name, fitted(spread(full, plan.rows?.[name]), length, dtype))
  }
  const results = outputs.map((one) => ({name: one.name, array: one.array, length: lengthOf(one)}))
  return {tensors, values, results, calls, text: {...textOf(plan, calls), arrays: title.startsWith('asc_')}}
}

/** A page that names none of its results means one source and one destination. */
function withNames(example: Example): Example {
  if (example.outputs.some(({name}) => name !== '')) return example
  const named = (name: string) => (array: NamedArray) => (array.name === '' ? {...array, name} : array)
  return {...example, inputs: example.inputs.map(named('srcLocal')), outputs: example.outputs.map(named('dstLocal'))}
}

/** A page that prints two inputs under one name means the first and the second. */
function numbered(arrays: readonly NamedArray[]): NamedArray[] {
  const isTwice = (name: string) => arrays.filter((one) => one.name === name).length > 1
  return arrays.map((one, at) => (isTwice(one.name) ? {...one, name: one.name.replace('Local', `${at}Local`)} : one))
}

function longest(inputs: readonly NamedArray[], plan: PagePlan): number {
  const lengths = inputs.flatMap(({name, array}) => plan.size?.[name] ?? determinedLength(array) ?? [])
  return lengths.length > 0 ? Math.max(...lengths) : 512
}

function determinedInput(inputs: readonly NamedArray[], name: string): number | undefined {
  const input = inputs.find((one) => one.name === name)
  return input && determinedLength(input.array)
}

/** Rows of `own` elements, each padded with zeros to `pitch`. */
function spread(values: readonly number[], rows: [number, number] | undefined): number[] {
  if (!rows) return [...values]
  const [own, pitch] = rows
  const count = Math.ceil(values.length / own)
  return Array.from({length: count * pitch}, (_, index) =>
    index % pitch < own ? (values[Math.floor(index / pitch) * own + (index % pitch)] ?? 0) : 0,
  )
}

/** What stands behind a page's values in a longer buffer repeats them: calls of whole tensors meet no stray value. */
function fitted(values: readonly number[], length: number, dtype: Dtype): number[] {
  const clean = (value: number) => (isInteger(dtype) ? Math.trunc(value) : value)
  return Array.from({length}, (_, index) => clean(values[index % values.length] ?? 0))
}

function planCalls(title: string, example: Example, plan: PagePlan): PageCall[] {
  const replaced = (text: string) => (plan.replace ?? []).reduce((sum, [from, to]) => sum.replace(from, to), text)
  const fences = (plan.lastFence ? example.code.slice(-1) : example.code).map(replaced)
  if (plan.explicit) return plan.explicit.map((call) => ({setup: [], call}))
  const names = plan.names ?? title.replace(/[^\w].*$/, '')
  return callsOf(fences, names)
    .filter(({setup, call}) => plan.calls?.test([...setup, call].join(' ')) ?? true)
    .map((one) => (plan.after === undefined ? one : {setup: [...one.setup, one.call], call: plan.after}))
}

/** Labels differ from the code: `src_gm`, `srcGm` and `src` stand for `srcLocal`. */
function nameInCode(name: string, code: string, plan: PagePlan): string {
  const renamed = plan.rename?.[name]
  if (renamed !== undefined) return renamed
  const has = (one: string) => new RegExp(`\\b${one}\\b`).test(code)
  const swapped = name.replace(/^src(?:Local|Tensor)(\d)$/, 'src$1Local')
  const candidates = [name, `${name}Local`, swapped, name.replace(/_?[gG]m$/, 'Local'), name.replace(/\d/, '')]
  return candidates.find(has) ?? name
}

function textOf(plan: PagePlan, calls: readonly PageCall[]): Omit<FrameText, 'arrays'> {
  const used = calls.map(({setup, call}) => [...setup, call].join(' ')).join(' ')
  const all = [...temporaryNames, ...(plan.temporary?.names ?? [])]
  const names = all.filter((name) => new RegExp(`\\b${name}\\b`).test(used))
  const type = cppType(plan.type ?? 'float16')
  const flags = 'constexpr bool isReuseSource = false, isReuseSrc = false, isBasicBlock = false;'
  const aliases = ['T', 'U', 'srcType', 'dataType'].map((name) => `using ${name} = ${type};`)
  return {
    globals: `${aliases.join(' ')} ${flags}\n${plan.globals ?? ''}`,
    declare: plan.declare ?? '',
    tilingFields: plan.fields ?? '',
    tilingHost: plan.host ?? '',
    blocks: plan.blocks ?? 1,
    temporary: {names, type: plan.temporary?.type ?? 'uint8_t', bytes: plan.temporary?.bytes ?? 32768},
  }
}
