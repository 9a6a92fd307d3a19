import {dtypeBytes} from '../../../datasets/schema/tensor.ts'
import {type Form, typeOf} from './small-kernel.ts'
import {floats, callOf, type Drafting, perBlock, perRepeat, scalarOf, smallValues, typesOf} from './worked-draft.ts'

/** Bits of a mask of 64 elements, the first in the lowest place, as C++ writes the number. */
const maskText = (bits: readonly boolean[]) =>
  `0x${bits.reduce((sum, bit, at) => sum | (BigInt(bit ? 1 : 0) << BigInt(at)), 0n).toString(16)}`

/** Results of the interfaces that a mask is for. */
const meanings: Readonly<Record<string, string>> = {
  ...{Adds: 'z = x + 2', Muls: 'z = 2 × x', Abs: 'z = |x|', Relu: 'z = max(x, 0)', Maxs: 'z = max(x, 2)'},
  Mins: 'z = min(x, 2)',
}

/** Elements of one repeat that take part, by a mask of bits. */
const bitMask: Drafting = (documented, random) => {
  const {name, api} = documented
  if (!/^(?:Adds|Muls|Abs|Relu|Maxs|Mins)$/.test(name) || api.family !== 'elementwise') return undefined
  const dtype = random.pick(typesOf(documented).filter((one) => one === 'float32' || one === 'float16'))
  const call = dtype && callOf(documented, dtype)
  if (!call) return undefined
  const [n, size] = [perRepeat(dtype), dtypeBytes[dtype]]
  const step = random.pick([2, 3, 4, 5])
  const first = random.integer(0, step - 1)
  const isSet = Array.from({length: n}, (_, at) => at % step === first)
  const words = Array.from({length: n / 64}, (_, at) => maskText(isSet.slice(at * 64, at * 64 + 64)))
  const x = smallValues(n, dtype, random)
  const with_ = (mask: readonly string[]): Form => ({
    inputs: [{name: 'x', dtype, count: n}],
    outputs: [{name: 'z', dtype, count: n}],
    compute: [
      ...mask,
      `Duplicate(zLocal, ${scalarOf('7', dtype)}, ${n});`,
      call.text({count: `${mask.length > 0 ? 'mask' : n}, 1, {1, 1, 8, 8}`, scalar: '2'}),
    ],
  })
  const value = (one: number) =>
    ({Adds: one + 2, Muls: one * 2, Abs: Math.abs(one), Relu: Math.max(one, 0), Maxs: Math.max(one, 2)})[name] ??
    Math.min(one, 2)
  const set = isSet.flatMap((bit, at) => (bit ? [String(at)] : []))
  return {
    situation: 'bit-mask',
    values: {
      ...{
        api: name,
        type: typeOf(dtype),
        n,
        size,
        step,
        first,
        words: words.map((word, at) => `mask[${at}] = ${word}`),
        number: set.length,
        places: set.slice(0, 5),
      },
      data: [`${name}: ${meanings[name]}`, 'zLocal[i] = 7'],
    },
    form: with_([`uint64_t mask[2] = {${words[0]}, ${words[1] ?? '0x0'}};`]),
    other: {form: with_([]), shows: 'wrong'},
    given: {x},
    expected: {z: x.map((one, at) => (isSet[at] ? value(one) : 7))},
  }
}

/** Elements from anywhere, by offsets in bytes. */
const gathered: Drafting = ({name}, random) => {
  if (name !== 'Gather') return undefined
  const dtype = random.pick(floats)
  const size = dtypeBytes[dtype]
  const n = 64
  const x = Array.from({length: n}, (_, at) => ((3 * at) % 11) - 5)
  const places = random.shuffle(Array.from({length: n}, (_, at) => at))
  const form: Form = {
    inputs: [
      {name: 'x', dtype, count: n},
      {name: 'o', dtype: 'uint32', count: n},
    ],
    outputs: [{name: 'z', dtype, count: n}],
    compute: [`Gather(zLocal, xLocal, oLocal, static_cast<uint32_t>(0), ${n});`],
  }
  return {
    situation: 'gathered',
    values: {
      ...{type: typeOf(dtype), size, n, places: places.slice(0, 6).map(String)},
      offsets: places.slice(0, 6).map((at) => String(at * size)),
      out: places.slice(0, 6).map((at) => String(x[at])),
      start: x.slice(0, 6).map(String),
      data: ['x[i] = (3 × i) % 11 − 5'],
    },
    form,
    given: {x, o: places.map((at) => at * size)},
    expected: {z: places.map((at) => x[at] ?? 0)},
  }
}

/** One element for each block. */
const spread: Drafting = ({name}, random) => {
  if (name !== 'Brcb') return undefined
  const dtype = random.pick(floats)
  const per = perBlock(dtype)
  const times = random.integer(1, 3)
  const n = 8 * times
  const held = Math.max(n, per)
  const x = smallValues(held, dtype, random)
  const row = random.integer(1, n - 1)
  return {
    situation: 'spread',
    values: {
      ...{type: typeOf(dtype), per, times, n, total: n * per, row, at: row * per, value: x[row] ?? 0},
      bytes: n * 32,
      data: [`x[${row}] = ${x[row]}`],
    },
    form: {
      inputs: [{name: 'x', dtype, count: held}],
      outputs: [{name: 'z', dtype, count: n * per}],
      compute: [`Brcb(zLocal, xLocal, ${times}, {1, 8});`],
    },
    given: {x},
    expected: {z: Array.from({length: n * per}, (_, at) => x[Math.floor(at / per)] ?? 0)},
  }
}

/** A square of 16 by 16. */
const transposed: Drafting = ({name}, random) => {
  if (name !== 'Transpose') return undefined
  const side = 16
  const x = smallValues(side * side, 'float16', random)
  const [row, column] = [random.integer(1, 15), random.integer(1, 15)]
  if (row === column) return undefined
  return {
    situation: 'transposed',
    values: {
      ...{row, column, from: row * side + column, to: column * side + row, value: x[row * side + column] ?? 0},
      bytes: side * side * 2,
      data: [`x[${row * side + column}] = ${x[row * side + column] ?? 0}`],
    },
    form: {
      inputs: [{name: 'x', dtype: 'float16', count: side * side}],
      outputs: [{name: 'z', dtype: 'float16', count: side * side}],
      compute: ['Transpose(zLocal, xLocal);'],
    },
    given: {x},
    expected: {z: x.map((_, at) => x[(at % side) * side + Math.floor(at / side)] ?? 0)},
  }
}

/** Sums of neighbours. */
const neighbours: Drafting = ({name}, random) => {
  if (name !== 'PairReduceSum') return undefined
  const dtype = random.pick(floats)
  const per = perRepeat(dtype)
  const times = random.integer(1, 4)
  const n = per * times
  const x = smallValues(n, dtype, random).map(Math.trunc)
  return {
    situation: 'neighbours',
    values: {
      ...{api: name, type: typeOf(dtype), per, times, n, half: n / 2, start: x.slice(0, 6).map(String)},
      out: [0, 1, 2].map((at) => String((x[2 * at] ?? 0) + (x[2 * at + 1] ?? 0))),
    },
    form: {
      inputs: [{name: 'x', dtype, count: n}],
      outputs: [{name: 'z', dtype, count: n / 2}],
      compute: [`${name}(zLocal, xLocal, ${times}, ${per}, 1, 1, 8);`],
    },
    given: {x},
    expected: {z: Array.from({length: n / 2}, (_, at) => (x[2 * at] ?? 0) + (x[2 * at + 1] ?? 0))},
  }
}

/** One value, or values that grow by one, in every element. */
const filled: Drafting = ({name}, random) => {
  if (!/^(?:Duplicate|CreateVecIndex)$/.test(name)) return undefined
  const dtype = random.pick(['float32', 'float16', 'int32'] as const)
  const size = dtypeBytes[dtype]
  // More than a block in any type, so that a block less is still a buffer.
  const n = random.integer(17, 80)
  const first = random.integer(2, 9)
  const isIndex = name === 'CreateVecIndex'
  const by = (bytes: number): Form => ({
    inputs: [],
    outputs: [{name: 'z', dtype, count: n, bytes}],
    compute: [`${name}(zLocal, ${scalarOf(String(first), dtype)}, ${n});`],
  })
  const needed = Math.ceil((n * size) / 32) * 32
  return {
    situation: isIndex ? 'progression' : 'filled',
    values: {
      ...{
        api: name,
        type: typeOf(dtype),
        n,
        size,
        first,
        bytes: n * size,
        needed,
        last: isIndex ? first + n - 1 : first,
      },
      short: needed - 32,
    },
    form: by(needed),
    other: {form: by(needed - 32), shows: {refused: 'out-of-buffer'}},
    expected: {z: Array.from({length: n}, (_, at) => (isIndex ? first + at : first))},
  }
}

/** A count in the mask register, which stays until it is set back. */
const counterMode: Drafting = ({name}, random) => {
  if (!/^(?:SetMaskCount|SetMaskNorm|SetVectorMask|ResetMask)$/.test(name)) return undefined
  const dtype = random.pick(floats)
  const type = typeOf(dtype)
  const n = random.integer(3, 9) * 30 + random.integer(1, 29)
  if (n < perRepeat(dtype) || n % perRepeat(dtype) === 0) return undefined
  const x = smallValues(n, dtype, random)
  const by = (after: readonly string[]): Form => ({
    inputs: [{name: 'x', dtype, count: n}],
    outputs: [{name: 'z', dtype, count: n}],
    compute: [
      'SetMaskCount();',
      `SetVectorMask<${type}, MaskMode::COUNTER>(0, ${n});`,
      `Adds<${type}, false>(zLocal, xLocal, ${scalarOf('1', dtype)}, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});`,
      ...after,
    ],
  })
  return {
    situation: 'counter-mode',
    values: {
      api: name,
      type,
      n,
      per: perRepeat(dtype),
      full: Math.floor(n / perRepeat(dtype)),
      rest: n % perRepeat(dtype),
    },
    form: by(['SetMaskNorm();', 'ResetMask();']),
    other: {form: by([]), shows: {refused: 'mask-mode-left'}},
    given: {x},
    expected: {z: x.map((one) => one + 1)},
  }
}

export const placingDrafts: readonly Drafting[] = [
  ...[bitMask, gathered, spread, transposed, neighbours, filled, counterMode],
]
