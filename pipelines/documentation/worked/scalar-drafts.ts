import {dtypeBytes} from '../../../datasets/schema/tensor.ts'
import {begins, cleaned, coreLine, indented} from './core-drafts.ts'
import {wholeForm} from './resource-drafts.ts'
import {type Form, typeOf} from './small-kernel.ts'
import {floats, type Drafting, perBlock, perRepeat, scalarOf, smallValues} from './worked-draft.ts'

/** Mask and repeats out of the size of a block. */
const blockSize: Drafting = ({name}, random) => {
  if (name !== 'GetDataBlockSizeInBytes') return undefined
  const dtype = random.pick(floats)
  const [type, size, per] = [typeOf(dtype), dtypeBytes[dtype], perRepeat(dtype)]
  const times = random.integer(2, 8)
  const n = per * times
  const x = smallValues(n, dtype, random)
  const by = (blocks: number): Form => ({
    inputs: [{name: 'x', dtype, count: n}],
    outputs: [{name: 'z', dtype, count: n}],
    compute: [
      `const uint64_t mask = ${blocks} * GetDataBlockSizeInBytes() / sizeof(${type});`,
      `const uint8_t repeatTime = ${n} / mask;`,
      `Adds(zLocal, xLocal, ${scalarOf('2', dtype)}, mask, repeatTime, {1, 1, 8, 8});`,
    ],
  })
  return {
    situation: 'block-size',
    values: {
      ...{type, size, n, per, times, short: per / 2, more: times * 2, end: (2 * times - 1) * per + per / 2},
      call: 'mask = 8 * GetDataBlockSizeInBytes() / sizeof(T)',
      data: [begins('x', x), 'z = x + 2'],
      steps: [`mask = 8 × 32 / ${size} = ${per}`, `repeatTime = ${n} / ${per} = ${times}`],
    },
    form: by(8),
    other: {form: by(4), shows: {refused: 'out-of-buffer'}},
    given: {x},
    expected: {z: x.map((value) => value + 2)},
  }
}

/** A wait of some microseconds. */
const cycles: Drafting = ({name}, random) => {
  if (name !== 'GetSystemCycle') return undefined
  const micros = random.integer(2, 40)
  const n = 8 * random.integer(1, 8)
  const x = smallValues(n, 'float32', random)
  return {
    situation: 'cycles',
    values: {
      ...{n, micros, cycles: micros * 50, call: `GetSystemCycle() - begin < ${micros * 50}`},
      data: [begins('x', x), 'z = x + 1'],
      steps: ['1 cycle = 1 / 50 MHz = 0.02 µs', `${micros} / 0.02 = ${micros} × 50 = ${micros * 50} (cycles)`],
    },
    form: {
      inputs: [{name: 'x', dtype: 'float32', count: n}],
      outputs: [{name: 'z', dtype: 'float32', count: n}],
      compute: [
        'const int64_t begin = GetSystemCycle();',
        `while (GetSystemCycle() - begin < ${micros * 50}) {`,
        '}',
        `Adds(zLocal, xLocal, 1.0f, ${n});`,
      ],
    },
    given: {x},
    expected: {z: x.map((value) => value + 1)},
  }
}

/** What an earlier kernel may have left: a mask that counts elements of the whole call. */
const initialState: Drafting = ({name}, random) => {
  if (name !== 'InitSocState') return undefined
  const dtype = random.pick(floats)
  const [type, per] = [typeOf(dtype), perRepeat(dtype)]
  const left = random.integer(3, per - 3)
  const times = random.integer(2, 4)
  const n = per * times
  const x = smallValues(n, dtype, random)
  const by = (begin: readonly string[]) =>
    wholeForm(
      dtype,
      n,
      [
        'SetMaskCount();',
        `SetVectorMask<${type}, MaskMode::COUNTER>(0, ${left});`,
        ...begin,
        'LocalMemAllocator<Hardware::UB> allocator;',
        `LocalTensor<${type}> xLocal = allocator.Alloc<${type}>(${n});`,
        `LocalTensor<${type}> zLocal = allocator.Alloc<${type}>(${n});`,
        `DataCopy(xLocal, xGm, ${n});`,
        'SetFlag<HardEvent::MTE2_V>(EVENT_ID0);',
        'WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);',
        `Adds<${type}, false>(zLocal, xLocal, ${scalarOf('1', dtype)}, MASK_PLACEHOLDER, ${times}, {1, 1, 8, 8});`,
        'SetFlag<HardEvent::V_MTE3>(EVENT_ID0);',
        'WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);',
        `DataCopy(zGm, zLocal, ${n});`,
      ],
      {withoutPipe: true},
    )
  return {
    situation: 'initial-state',
    values: {
      ...{type, n, per, left, times, rest: n - left, call: 'InitSocState()'},
      data: [begins('x', x), 'z = x + 1'],
      steps: [`Normal: ${times} × ${per} = ${n}`, `Counter: ${left}`, `Normal − Counter: ${n} − ${left} = ${n - left}`],
    },
    form: by(['InitSocState();']),
    other: {form: by([]), shows: {refused: 'mask-mode-left'}},
    given: {x},
    expected: {z: x.map((value) => value + 1)},
  }
}

/** What the scalar unit writes, before a copy reads it. */
const cacheLines: Drafting = ({name}, random) => {
  if (!/^(?:DataCacheCleanAndInvalid|WriteGmByPassDCache)$/.test(name)) return undefined
  const n = 8 * random.integer(3, 8)
  const [first, step] = [random.integer(1, 9), random.integer(2, 7)]
  const lines = Math.ceil((n * 4) / 64)
  const isPast = name === 'WriteGmByPassDCache'
  const clean = cleaned('int32_t', 'wGm[line * 16]')
  const loop = (write: string) => [`for (int32_t at = 0; at < ${n}; ++at) {`, `    ${write}`, '}']
  const set = `wGm.SetValue(at, ${first} + at * ${step});`
  const past = `WriteGmByPassDCache<int32_t>((__gm__ int32_t*)w + at, ${first} + at * ${step});`
  const by = (written: readonly string[], count: number): Form => ({
    inputs: [],
    outputs: [
      {name: 'w', dtype: 'int32', count: n},
      {name: 'z', dtype: 'int32', count: n},
    ],
    isWhole: true,
    compute: [
      ...written,
      ...(count > 0 ? [`for (int32_t line = 0; line < ${count}; ++line) {`, `    ${clean}`, '}'] : []),
      ...(isPast ? ['DataSyncBarrier<MemDsbT::DDR>();'] : []),
      'PipeBarrier<PIPE_ALL>();',
      'TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;',
      `pipe.InitBuffer(queue, 1, ${n * 4});`,
      'LocalTensor<int32_t> row = queue.AllocTensor<int32_t>();',
      `DataCopy(row, wGm, ${n});`,
      'queue.EnQue(row);',
      'row = queue.DeQue<int32_t>();',
      `DataCopy(zGm, row, ${n});`,
      'queue.FreeTensor(row);',
    ],
  })
  const all = Array.from({length: n}, (_, at) => first + at * step)
  const rest = (n * 4) % 64
  return {
    situation: 'cache-lines',
    values: {
      ...{api: name, n, lines, bytes: n * 4, first, step, at: n - 1, last: all[n - 1] ?? 0},
      ...{slip: isPast ? 'dirty' : 'short', data: ['z = w']},
      left: n - 16 * (lines - 1),
      call: isPast ? past.slice(0, -1) : clean.slice(0, -1),
      steps: [
        ...(isPast
          ? []
          : [
              'int32_t / line: 64 / 4 = 16',
              `w: ${n} × 4 = ${n * 4} = ${Math.floor((n * 4) / 64)} × 64${rest === 0 ? '' : ` + ${rest}`}`,
              `lines: ${lines}, last line: ${n} − ${lines - 1} × 16 = ${n - 16 * (lines - 1)} (int32_t)`,
            ]),
        `w[1] = ${first} + ${step} = ${first + step}`,
        `w[${n - 1}] = ${first} + ${n - 1} × ${step} = ${all[n - 1]}`,
      ],
    },
    form: isPast ? by(loop(past), 0) : by(loop(set), lines),
    other: {form: by(loop(set), isPast ? 0 : lines - 1), shows: {refused: 'gm-cache-dirty'}},
    expected: {z: all},
  }
}

/** A core that looks for a mark that another one sets. */
const polling: Drafting = ({name}, random) => {
  if (!/^(?:ReadGmByPassDCache|DataSyncBarrier)$/.test(name)) return undefined
  const [value, factor] = [random.integer(3, 99), random.integer(2, 9)]
  const mark = random.integer(2, 9)
  const place = '(__gm__ int32_t*)w'
  const by = (read: string): Form => ({
    inputs: [],
    outputs: [
      {name: 'z', dtype: 'int32', count: 1},
      {name: 'w', dtype: 'int32', count: 2},
    ],
    isWhole: true,
    cores: 'MIX_AIV_1_0',
    launch: {blocks: 2, workspace: 0},
    compute: [
      coreLine,
      'if (core == 0) {',
      `    WriteGmByPassDCache<int32_t>(${place}, 0);`,
      '    DataSyncBarrier<MemDsbT::DDR>();',
      '}',
      'SyncAll();',
      'if (core == 0) {',
      ...indented([
        `WriteGmByPassDCache<int32_t>(${place} + 1, ${value});`,
        'DataSyncBarrier<MemDsbT::DDR>();',
        `WriteGmByPassDCache<int32_t>(${place}, ${mark});`,
      ]),
      '} else {',
      ...indented([
        `while (${read} != ${mark}) {`,
        '}',
        `const int32_t found = ReadGmByPassDCache<int32_t>(${place} + 1);`,
        `WriteGmByPassDCache<int32_t>((__gm__ int32_t*)z, ${factor} * found);`,
      ]),
      '}',
    ],
  })
  return {
    situation: 'polling',
    values: {
      ...{api: name, value, factor, mark, result: value * factor},
      call: name === 'DataSyncBarrier' ? 'DataSyncBarrier<MemDsbT::DDR>()' : `ReadGmByPassDCache<int32_t>(${place})`,
      steps: [`w[1] = ${value}`, `w[0] = ${mark}`, `z[0] = ${factor} × ${value} = ${factor * value}`],
    },
    form: by(`ReadGmByPassDCache<int32_t>(${place})`),
    ...(name === 'ReadGmByPassDCache' && {
      other: {form: by('wGm.GetValue(0)'), shows: {refused: 'gm-race' as const}},
    }),
    expected: {z: [value * factor]},
  }
}

/** Places in memory of coordinates. */
const coordinate: Drafting = ({name}, random) => {
  if (!/^(?:Crd2Idx|MakeLayout|MakeStride|Layout)$/.test(name)) return undefined
  const shape = [random.integer(2, 4), random.integer(3, 6), random.integer(2, 8)] as const
  const pad = random.integer(1, 8)
  const strides = [shape[1] * (shape[2] + pad), shape[2] + pad, 1] as const
  const total = shape[0] * strides[0]
  const at = shape.map((axis) => random.integer(1, axis - 1)) as unknown as [number, number, number]
  const dense = [shape[1] * shape[2], shape[2], 1]
  const indexBy = (steps: readonly number[]) => at.reduce((sum, one, axis) => sum + one * (steps[axis] ?? 0), 0)
  const [index, wrong] = [indexBy(strides), indexBy(dense)]
  const ints = (all: readonly number[]) => all.map((one) => `Std::Int<${one}>{}`).join(', ')
  const x = Array.from({length: total}, (_, place) => (place * 7 + 3) % 101)
  const isMember = name === 'Layout'
  const by = (steps: readonly number[]): Form => ({
    inputs: [{name: 'x', dtype: 'int32', count: total}],
    outputs: [{name: 'z', dtype: 'int32', count: 2}],
    isWhole: true,
    compute: [
      `const auto layout = MakeLayout(MakeShape(${ints(shape)}), MakeStride(${ints(steps)}));`,
      `const auto coord = MakeCoord(${ints(at)});`,
      `const int32_t place = static_cast<int32_t>(${isMember ? 'layout(coord)' : 'Crd2Idx(coord, layout)'});`,
      'const int32_t value = xGm.GetValue(place);',
      'zGm.SetValue(0, place);',
      'zGm.SetValue(1, value);',
      cleaned('int32_t', 'zGm'),
    ],
  })
  const call = {
    MakeStride: `MakeStride(${ints(strides)})`,
    Crd2Idx: 'Crd2Idx(coord, layout)',
    MakeLayout: 'MakeLayout(MakeShape(…), MakeStride(…))',
    Layout: 'layout(coord)',
  }[name]
  return {
    situation: 'coordinate',
    values: {
      ...{api: name, total, pad, row: shape[2], width: shape[2] + pad, index, wrong, value: x[index] ?? 0},
      data: ['x[i] = (7 × i + 3) % 101', 'z = [index, x[index]]'],
      ...{strides: `(${strides.join(', ')})`, sum: at.map((one, axis) => `${one} × ${strides[axis]}`).join(' + ')},
      ...{shape: `(${shape.join(', ')})`, coord: `(${at.join(', ')})`, call: call ?? `MakeStride(${ints(strides)})`},
      steps: [
        `s2 = 1`,
        `s1 = ${shape[2]} + ${pad} = ${shape[2] + pad}`,
        `s0 = ${shape[1]} × ${shape[2] + pad} = ${strides[0]}`,
        `index = ${at.map((one, axis) => `${one} × ${strides[axis]}`).join(' + ')} = ${index}`,
      ],
    },
    form: by(strides),
    other: {form: by(dense), shows: 'wrong'},
    given: {x},
    expected: {z: [index, x[index] ?? 0]},
  }
}

/** Two tensors of one rank, as the device requires of a list, in global memory: only their shapes, without the data. */
const descriptor: Drafting = ({name}, random) => {
  if (!/^(?:ListTensorDesc|TensorDesc)$/.test(name)) return undefined
  const dim = random.integer(2, 3)
  const shapes = Array.from({length: 2}, () => Array.from({length: dim}, () => random.integer(2, 9)))
  const [first = [], second = []] = shapes
  const words = [0, first.length, ...first, second.length + 2 ** 32, ...second]
  words[0] = words.length * 8
  const all = [...words, 2 ** 20, 2 ** 20 + 2 ** 12]
  const [other, volume] = shapes.map((shape) => shape.reduce((product, axis) => product * axis, 1))
  const by = (index: number): Form => ({
    inputs: [{name: 'x', dtype: 'int64', count: all.length}],
    outputs: [{name: 'z', dtype: 'int32', count: 3}],
    isWhole: true,
    headers: ['kernel_operator_list_tensor_intf.h'],
    compute: [
      'ListTensorDesc list(reinterpret_cast<__gm__ void*>(x));',
      'uint64_t shape[8] = {0};',
      'TensorDesc<float> desc;',
      'desc.SetShapeAddr(shape);',
      `list.GetDesc(desc, ${index});`,
      'int32_t volume = 1;',
      'for (uint32_t axis = 0; axis < desc.GetDim(); ++axis) {',
      '    volume *= static_cast<int32_t>(desc.GetShape(axis));',
      '}',
      'zGm.SetValue(0, static_cast<int32_t>(list.GetSize()));',
      'zGm.SetValue(1, static_cast<int32_t>(desc.GetDim()));',
      'zGm.SetValue(2, volume);',
      cleaned('int32_t', 'zGm'),
    ],
  })
  if (volume === undefined || volume === other) return undefined
  return {
    situation: 'descriptor',
    values: {
      ...{
        api: name,
        dim,
        volume,
        offset: words.length * 8,
        count: words.length,
        place: dim + 2,
      },
      axes: `(${second.join(', ')})`,
      ...{words: all.map((one) => (one >= 2 ** 32 ? `2^32 + ${dim}` : String(one))), first: `(${first.join(', ')})`},
      call: 'list.GetDesc(desc, 1)',
      data: ['z = [GetSize(), GetDim(), volume]'],
      steps: [
        `words[0] = ${words.length} × 8 = ${words.length * 8}`,
        `header of tensor 1: words[1 + (1 + ${dim})] = words[${dim + 2}] = 2^32 + ${dim}`,
        `volume = ${second.join(' × ')} = ${volume}`,
      ],
    },
    form: by(1),
    other: {form: by(0), shows: 'wrong'},
    given: {x: all},
    expected: {z: [2, dim, volume]},
  }
}

/** A kernel that stops where a count is not what it can take. */
const guard: Drafting = ({name}, random) => {
  if (name !== 'Trap') return undefined
  const dtype = random.pick(floats)
  const [type, size, block] = [typeOf(dtype), dtypeBytes[dtype], perBlock(dtype)]
  const n = block * random.integer(2, 12)
  const wrong = n - random.integer(1, block - 1)
  const x = smallValues(n, dtype, random)
  const by = (count: number): Form => ({
    inputs: [{name: 'x', dtype, count: n}],
    outputs: [{name: 'z', dtype, count: n}],
    compute: [
      `constexpr uint32_t count = ${count};`,
      `if (count * sizeof(${type}) % 32 != 0) {`,
      '    Trap();',
      '}',
      `Adds(zLocal, xLocal, ${scalarOf('1', dtype)}, count);`,
    ],
  })
  return {
    situation: 'guard',
    values: {
      ...{type, size, n, wrong, rest: (wrong * size) % 32, call: 'Trap()', bytes: n * size, wrongBytes: wrong * size},
      blocks: (n * size) / 32,
      data: [begins('x', x), 'z = x + 1'],
      steps: [
        `count = ${n}: ${n} × ${size} % 32 = 0`,
        `count = ${wrong}: ${wrong} × ${size} % 32 = ${(wrong * size) % 32}`,
      ],
    },
    form: by(n),
    other: {form: by(wrong), shows: {refused: 'assert-failed'}},
    given: {x},
    expected: {z: x.map((value) => value + 1)},
  }
}

export const scalarDrafts: readonly Drafting[] = [
  ...[blockSize, cycles, initialState, cacheLines, polling, coordinate, descriptor, guard],
]
