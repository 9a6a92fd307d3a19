import {dtypeBytes} from '../../../datasets/schema/tensor.ts'
import {allocated, begins, queueOf, tileIn, tileOut} from './core-drafts.ts'
import {wholeForm} from './resource-drafts.ts'
import {typeOf} from './small-kernel.ts'
import {floats, type Drafting, perBlock, scalarOf, smallValues, usableUb} from './worked-draft.ts'

/** Tensors at addresses that follow each other, without a TPipe. */
const addresses: Drafting = ({name}, random) => {
  if (name !== 'LocalMemAllocator') return undefined
  const dtype = random.pick(floats)
  const [type, size, block] = [typeOf(dtype), dtypeBytes[dtype], perBlock(dtype)]
  const n = block * random.integer(3, 20) - random.integer(1, block - 1)
  const padded = Math.ceil(n / block) * block
  const x = smallValues(padded, dtype, random)
  const by = (count: number) =>
    wholeForm(
      dtype,
      padded,
      [
        'InitSocState();',
        'LocalMemAllocator<Hardware::UB> allocator;',
        `LocalTensor<${type}> factor = allocator.Alloc<${type}>(${count});`,
        `LocalTensor<${type}> xLocal = allocator.Alloc<${type}>(${padded});`,
        `LocalTensor<${type}> zLocal = allocator.Alloc<${type}>(${padded});`,
        `DataCopy(xLocal, xGm, ${padded});`,
        'SetFlag<HardEvent::MTE2_V>(EVENT_ID0);',
        'WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);',
        `Duplicate(factor, ${scalarOf('3', dtype)}, ${n});`,
        `Adds(zLocal, xLocal, ${scalarOf('1', dtype)}, ${padded});`,
        `Mul(zLocal, zLocal, factor, ${n});`,
        'SetFlag<HardEvent::V_MTE3>(EVENT_ID0);',
        'WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);',
        `DataCopy(zGm, zLocal, ${padded});`,
        'PipeBarrier<PIPE_ALL>();',
      ],
      {withoutPipe: true},
    )
  const [start, aligned] = [n * size, padded * size]
  return {
    situation: 'addresses',
    values: {
      ...{type, n, padded, start, aligned, rest: start % 32, call: `allocator.Alloc<${type}>(${padded})`},
      behind: 2 * aligned,
      data: [begins('x', x), `z = (x + 1) × 3 (i < ${n}), z = x + 1 (i ≥ ${n})`],
      steps: [
        'factor: address 0',
        `xLocal: address ${padded} × ${size} = ${aligned} = ${aligned / 32} × 32`,
        `zLocal: address ${aligned} + ${aligned} = ${2 * aligned}`,
        `Alloc(${n}): ${n} × ${size} = ${start} = ${Math.floor(start / 32)} × 32 + ${start % 32}`,
        `z[0] = (${x[0]} + 1) × 3 = ${((x[0] ?? 0) + 1) * 3}`,
      ],
    },
    form: by(padded),
    other: {form: by(n), shows: {refused: 'unaligned-ub'}},
    given: {x},
    expected: {z: x.map((value, at) => (at < n ? (value + 1) * 3 : value + 1))},
  }
}

/** Queues and buffers of all three logical positions are in one memory. */
const positions: Drafting = ({name}, random) => {
  if (name !== 'TPosition') return undefined
  const blocks = random.pick([1, 2])
  const n = 16 * random.integer(2, 10)
  const unit = blocks * 2 * 2 + 4
  const most = Math.floor(usableUb / unit / 128) * 128
  const alone = Math.floor(usableUb / (blocks * 2) / 128) * 128
  const x = smallValues(n, 'float16', random)
  const by = (count: number) =>
    wholeForm('float16', n, [
      ...queueOf('x', 'VECIN', count * 2, blocks),
      ...queueOf('z', 'VECOUT', count * 2, blocks),
      'TBuf<TPosition::VECCALC> wideBuffer;',
      `pipe.InitBuffer(wideBuffer, ${count * 4});`,
      ...tileIn('x', 'float16', 'xGm', n),
      allocated('z', 'float16'),
      'LocalTensor<float> wide = wideBuffer.Get<float>();',
      `Cast(wide, xLocal, RoundMode::CAST_NONE, ${n});`,
      `Muls(wide, wide, 2.0f, ${n});`,
      `Cast(zLocal, wide, RoundMode::CAST_RINT, ${n});`,
      'xQueue.FreeTensor(xLocal);',
      ...tileOut('z', 'float16', 'zGm', n),
    ])
  return {
    situation: 'positions',
    values: {
      ...{n, blocks, unit, most, alone, total: usableUb, needed: alone * unit, data: [begins('x', x), 'z = 2 × x']},
      ...{queue: blocks * 2, used: most * unit},
      call: `pipe.InitBuffer(xQueue, ${blocks}, ${most * 2})`,
      steps: [
        `VECIN + VECOUT + VECCALC: ${blocks} × 2 + ${blocks} × 2 + 4 = ${unit}`,
        `tile: ${usableUb} / ${unit} = ${Number((usableUb / unit).toFixed(2))} → ${most / 128} × 128 = ${most}`,
        `UB: ${most} × ${unit} = ${most * unit} ≤ ${usableUb}`,
      ],
    },
    form: by(most),
    other: {form: by(alone), shows: {refused: 'ub-overflow'}},
    given: {x},
    expected: {z: x.map((value) => value * 2)},
  }
}

export const ubDrafts: readonly Drafting[] = [addresses, positions]
