import {roundTo} from '../../../datasets/dtype.ts'
import {dtypeBytes, type Dtype} from '../../../datasets/schema/tensor.ts'
import type {Shown} from '../../../datasets/schema/worked.ts'
import type {Random} from '../../../engine/random.ts'
import {wholeBlocks} from '../../facts/memory-plan.ts'
import type {Form} from './small-kernel.ts'
import type {Documented, Drafting} from './worked-draft.ts'

type Numbers = readonly number[]

/** A call with its numbers, as equations, which are the same in every language. */
export interface Derived {
  /** Inputs by name, with their values, and outputs with what they are by the formula. */
  ins?: Readonly<Record<string, readonly [Dtype, Numbers]>>
  outs: Readonly<Record<string, readonly [Dtype, Numbers, bytes?: number]>>
  /** Buffers of the kernel's own, in bytes. */
  rooms?: Readonly<Record<string, readonly [Dtype, bytes: number]>>
  lines: readonly string[]
  form?: Pick<Form, 'copies' | 'isWhole' | 'tiling'>
  /** Elements of a row, where inputs are matrices. */
  cols?: number
  /** What is given besides the inputs. */
  facts?: readonly string[]
  law: string
  /** From what is given to the result, two at least. */
  steps: readonly string[]
  /** Elements beyond the first eight that tell right from wrong, as equations. */
  beyond?: readonly string[]
  /** Bytes of tensors whose sizes the interface rules, by name. */
  sizes?: readonly string[]
  /** What else has to hold. */
  limits?: readonly string[]
  /** What one could write in place of a line, or as the size of a buffer, and what it would give. */
  wrong?: {
    line?: readonly [from: string, to: string]
    room?: readonly [name: string, bytes: number]
    slip: readonly string[]
    shows?: Shown
  }
}

/** By name of the interface. */
export type DerivedCalls = Readonly<Record<string, (random: Random, documented: Documented) => Derived | undefined>>

/** Drafts of a table: what a call gives is derived by numbers. */
export const derivedFrom = (calls: DerivedCalls): Drafting => {
  const derived: Drafting = (documented, random) => {
    const {name} = documented
    const call = Object.hasOwn(calls, name) ? calls[name]?.(random, documented) : undefined
    // If the first results are equal by chance, there is no visible difference.
    if (!call || call.wrong?.slip.some((one) => call.steps.includes(one))) return undefined
    const {ins = {}, outs, wrong} = call
    const form = formOf(call)
    const sizes = [...sizesOf(form, call.sizes), ...(call.sizes ?? [])]
    return {
      situation: wrong ? 'derived-or' : 'derived',
      values: {
        ...{
          api: name,
          law: call.law,
          call: callIn(form, name),
          steps: [...new Set(call.steps)],
        },
        result: [...resultsOf(call), ...(call.beyond ?? [])],
        ...{
          data: dataOf(call),
          sizes,
          // An arrow leads from the bytes of a tensor to those of its buffer.
          rounded: sizes.some((one) => one.includes('->')) ? 'yes' : 'no',
          limits: [...(call.limits ?? [])],
          slip: [...(wrong?.slip ?? [])],
        },
        ...(wrong && {right: plain(lineOf(wrong, form)), wrong: plain(otherLineOf(wrong))}),
        host: /AscendC::(\w+)\(/.exec(form.tiling?.fill.join(' ') ?? '')?.[1] ?? 'none',
        shows: shownBy(wrong?.shows),
      },
      form,
      given: Object.fromEntries(Object.entries(ins).map(([one, [, values]]) => [one, values])),
      expected: Object.fromEntries(Object.entries(outs).map(([one, [, values]]) => [one, values])),
      ...(wrong && {other: {form: changed(form, wrong), shows: wrong.shows ?? 'wrong'}}),
    }
  }
  return derived
}

/** Wrong values, values that nothing computed, or a kernel that is not valid. */
function shownBy(shows: Shown = 'wrong'): 'wrong' | 'unset' | 'invalid' {
  if (typeof shows === 'string') return 'wrong'
  return shows.refused === 'read-unwritten' ? 'unset' : 'invalid'
}

function formOf({ins = {}, outs, rooms = {}, lines, form}: Derived): Form {
  return {
    inputs: Object.entries(ins).map(([name, [dtype, values]]) => ({name, dtype, count: values.length})),
    outputs: Object.entries(outs).map(([name, [dtype, values, bytes]]) => ({
      ...{name, dtype, count: values.length},
      ...(bytes !== undefined && {bytes}),
    })),
    scratch: Object.entries(rooms).map(([name, [dtype, bytes]]) => ({name, dtype, bytes})),
    compute: lines,
    ...form,
  }
}

type Wrong = NonNullable<Derived['wrong']>

const roomLine = (name = '', bytes = 0) => `pipe.InitBuffer(${name}Buffer, ${bytes});`
const lineOf = ({line, room}: Wrong, {scratch = []}: Form) =>
  line?.[0] ?? roomLine(room?.[0], scratch.find(({name}) => name === room?.[0])?.bytes)
const otherLineOf = ({line, room}: Wrong) => line?.[1] ?? roomLine(room?.[0], room?.[1])

/** A statement as a sentence has it. */
const plain = (line: string) => line.trim().replace(/;$/, '')

function changed(form: Form, {line, room}: Wrong): Form {
  const other = (lines: readonly string[]) => lines.map((one) => (one === line?.[0] ? line[1] : one))
  return {
    ...form,
    compute: other(form.compute),
    copies: Object.fromEntries(Object.entries(form.copies ?? {}).map(([name, lines]) => [name, other(lines)])),
    scratch: (form.scratch ?? []).map((one) => (one.name === room?.[0] ? {...one, bytes: room[1]} : one)),
  }
}

/** The line of a kernel that calls an interface, or names it. */
function callIn({compute, copies = {}}: Form, name: string): string {
  const lines = [...compute, ...Object.values(copies).flat()].map((line) => line.trim())
  const named = lines.find((line) => new RegExp(`\\b${name}\\b`).test(line)) ?? name
  return plain(named)
}

/** Values of inputs, of matrices their first row; and the other given values. */
function dataOf({ins = {}, cols = 0, facts = []}: Derived): string[] {
  const told = Object.entries(ins).flatMap(([name, [, values]]) => {
    const rows = cols > 0 ? values.length / cols : 1
    if (rows <= 1 || !Number.isInteger(rows)) return [`${name} = ${list(values)}`]
    return [`${name}: [${rows}, ${cols}]`, `${name}[0] = ${list(values.slice(0, cols))}`]
  })
  return [...told, ...facts]
}

/** The first values of outputs, of matrices those of their first row; rounded ones are said to be near. */
function resultsOf({outs, cols = 0}: Derived): string[] {
  return Object.entries(outs).map(([name, [dtype, values]]) => {
    const first = values.slice(0, 8)
    const kept = roundTo(first, dtype)
    const isExact = first.every((value, at) => Object.is(value + 0, kept[at]! + 0) && Number(num(value)) === value)
    const isMatrix = cols > 0 && values.length > cols && values.length % cols === 0
    const [named, shown] = isMatrix ? [`${name}[0]`, values.slice(0, cols)] : [name, values]
    return `${named} ${isExact ? '=' : '≈'} ${list(shown)}`
  })
}

/** Bytes of tensors, and after an arrow those of their buffers; tensors of one size together. */
function sizesOf({inputs, outputs, scratch = [], isWhole}: Form, ruled: readonly string[] = []): string[] {
  const sizes = new Map<string, string[]>()
  const isTold = new Set(ruled.flatMap((one) => one.split(': ')[0]?.split(', ') ?? []))
  const add = (name: string, told: string) => {
    if (!isTold.has(name)) sizes.set(told, [...(sizes.get(told) ?? []), name])
  }
  for (const {name, dtype, count} of [...inputs, ...outputs]) {
    const bytes = count * dtypeBytes[dtype]
    const whole = isWhole ? bytes : wholeBlocks(bytes)
    const told = `${count} * ${dtypeBytes[dtype]} = ${bytes}${whole === bytes ? '' : ` -> ${whole}`}`
    add(isWhole ? `${name}Gm` : name, told)
  }
  for (const {name, bytes} of scratch) add(name, String(bytes))
  return [...sizes].map(([told, names]) => `${names.join(', ')}: ${told}`)
}

/** Six significant digits. */
export const num = (value: number): string => String(Number(value.toPrecision(6)) + 0)

/** `= 4`, or `≈ 0.333333` of a number that six digits do not hold. */
export function is(value: number): string {
  const told = num(value)
  return `${Math.abs(Number(told) - value) <= 1e-12 * Math.abs(value) ? '=' : '≈'} ${told}`
}

/** A number inside of an equation. */
export const term = (value = 0): string => (value < 0 ? `(${num(value)})` : num(value))

/** The first of a row, with a mark where more follow. */
export const list = (values: Numbers, most = 8): string =>
  `[${values.slice(0, most).map(num).join(', ')}${values.length > most ? ', ...' : ''}]`

export const total = (values: Numbers): number => values.reduce((sum, one) => sum + one, 0)

/** The terms of a sum, of which at most eight are written. */
export const summed = (values: Numbers): string =>
  values.length > 8
    ? `${values.slice(0, 4).map(term).join(' + ')} + ... + ${term(values.at(-1))}`
    : values.map(term).join(' + ')

export const rowsOf = (values: Numbers, cols: number): number[][] =>
  Array.from({length: values.length / cols}, (_, row) => values.slice(row * cols, (row + 1) * cols))

/** Numbers by position. */
export const places = <T>(n: number, of: (at: number) => T): T[] => Array.from({length: n}, (_, at) => of(at))

/** A row of elements of four bytes takes whole blocks; its length has this name. */
export const wholeRow = (name: string, cols = 8): string => `${name} * 4 % 32 = ${cols} * 4 % 32 = 0`

/** Lines after which the scalar unit reads what the vector unit has left in a register. */
export const vectorDone: readonly string[] = [
  'event_t vectorDone = static_cast<event_t>(pipe.FetchEventID(HardEvent::V_S));',
  'SetFlag<HardEvent::V_S>(vectorDone);',
  'WaitFlag<HardEvent::V_S>(vectorDone);',
]

/** A line with two of its arguments in each other's place. */
export const swapped = (line: string, [from, to]: readonly [string, string], slip: readonly string[]) => ({
  wrong: {line: [line, line.replace(from, to)] as const, slip},
})
