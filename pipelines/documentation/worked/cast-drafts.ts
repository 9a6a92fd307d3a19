import {valueRange} from '../../../datasets/dtype.ts'
import {dtypeBytes, type Dtype} from '../../../datasets/schema/tensor.ts'
import type {Draft, Drafting} from './worked-draft.ts'
import {roundings} from './real-value.ts'
import {wholeBlocks} from '../../facts/memory-plan.ts'
import {type Form, typeOf} from './small-kernel.ts'

/** Conversions to integers that Atlas A2 has as one instruction. Source: the page of Cast. */
const toIntegers: readonly (readonly [from: Dtype, to: Dtype])[] = [
  ['float32', 'int32'],
  ['float32', 'int16'],
  ['float16', 'int32'],
  ['float16', 'int16'],
  ['float16', 'int8'],
  ['float16', 'uint8'],
]

const halves = [2.5, -2.5, 3.5, 0.5, -0.5, 1.25, -1.75, 2.75, -3.5, 4.5, -1.5, 0.75]

const modes = Object.keys(roundings) as (keyof typeof roundings)[]

function castForm(from: Dtype, to: Dtype, mode: string, n: number): Form {
  return {
    inputs: [{name: 'x', dtype: from, count: n}],
    outputs: [{name: 'z', dtype: to, count: n}],
    compute: [`Cast(zLocal, xLocal, RoundMode::${mode}, ${n});`],
  }
}

function held(values: readonly number[], dtype: Dtype, mode: keyof typeof roundings): number[] {
  const [least, most] = valueRange(dtype)
  return values.map((value) => Math.min(Math.max(roundings[mode](value), least), most) + 0)
}

/** Where the modes differ: halves, and both signs. */
const rounding: Drafting = ({name}, random) => {
  if (name !== 'Cast') return undefined
  const [from, to] = random.pick(toIntegers)
  const mode = random.pick(modes)
  const other = random.pick(modes.filter((one) => one !== mode))
  const isUnsigned = to.startsWith('u')
  const x = random.shuffle(halves.map((value) => (isUnsigned ? Math.abs(value) : value))).slice(0, 8)
  const [right, wrong] = [held(x, to, mode), held(x, to, other)]
  const at = right.findIndex((value, index) => value !== wrong[index])
  if (at < 0) return undefined
  return {
    situation: 'rounding',
    values: {
      ...{from: typeOf(from), to: typeOf(to), mode, other, n: 8},
      ...{at, value: x[at] ?? 0, right: right[at] ?? 0, wrong: wrong[at] ?? 0},
      changes: x.flatMap((value, index) =>
        right[index] === wrong[index] ? [] : [`${value}: ${right[index]} → ${wrong[index]}`],
      ),
    },
    form: castForm(from, to, mode, 8),
    other: {form: castForm(from, to, other, 8), shows: 'wrong'},
    given: {x},
    expected: {z: right},
  }
}

/** Values beyond the range of the type. */
const saturation: Drafting = ({name}, random) => {
  if (name !== 'Cast') return undefined
  const [from, to] = random.pick(toIntegers.filter(([, one]) => dtypeBytes[one] < 4))
  const [least, most] = valueRange(to)
  const far = to === 'int16' ? [40_000, -49_152, 33_024] : [300, -200, 1000]
  const x = random.shuffle([...far, 5, -7, 100, 12, 0.5])
  const expected = held(x, to, 'CAST_RINT')
  return {
    situation: 'saturation',
    values: {
      ...{from: typeOf(from), to: typeOf(to), n: 8, least, most},
      beyond: x.filter((one) => one > most || one < least).map(String),
    },
    form: castForm(from, to, 'CAST_RINT', 8),
    given: {x},
    expected: {z: expected},
  }
}

/** Pairs without an instruction, and the type that the way leads over. Source: the page of Cast. */
const detours: readonly (readonly [from: Dtype, over: Dtype, to: Dtype, first: string, second: string])[] = [
  ['float32', 'float16', 'int8', 'CAST_RINT', 'CAST_RINT'],
  ['float32', 'float16', 'uint8', 'CAST_RINT', 'CAST_RINT'],
  ['bfloat16', 'float32', 'float16', 'CAST_NONE', 'CAST_RINT'],
  ['float16', 'float32', 'bfloat16', 'CAST_NONE', 'CAST_RINT'],
  ['int8', 'float16', 'float32', 'CAST_NONE', 'CAST_NONE'],
  ['uint8', 'float16', 'float32', 'CAST_NONE', 'CAST_NONE'],
  ['int8', 'float16', 'int32', 'CAST_NONE', 'CAST_RINT'],
]

const detour: Drafting = ({name}, random): Draft | undefined => {
  if (name !== 'Cast') return undefined
  const [from, over, to, first, second] = random.pick(detours)
  const n = random.pick([40, 77, 100, 200, 333])
  const form: Form = {
    ...castForm(from, to, second, n),
    scratch: [{name: 'between', dtype: over, bytes: wholeBlocks(n * dtypeBytes[over])}],
    compute: [
      `Cast(between, xLocal, RoundMode::${first}, ${n});`,
      `Cast(zLocal, between, RoundMode::${second}, ${n});`,
    ],
  }
  return {
    situation: 'detour',
    values: {
      ...{from: typeOf(from), over: typeOf(over), to: typeOf(to), first, second, n},
      bytes: wholeBlocks(n * dtypeBytes[over]),
    },
    form,
    other: {form: castForm(from, to, second, n), shows: 'not-built'},
  }
}

export const castDrafts: readonly Drafting[] = [rounding, saturation, detour]
