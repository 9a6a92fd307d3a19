import {dtypeBytes, type Dtype} from '../../../datasets/schema/tensor.ts'
import {begins, indented} from './core-drafts.ts'
import {type Form, typeOf} from './small-kernel.ts'
import {floats, type Drafting, perBlock, scalarOf, smallValues} from './worked-draft.ts'

const events = /^(?:TQueSync|AllocEventID|ReleaseEventID|FetchEventID)$/

/** Copies in flight at the same time, each with an event of its own. FetchEventID does not reserve what it returns. */
const inFlight: Drafting = ({name}, random) => {
  if (!events.test(name)) return undefined
  const dtype = random.pick(floats)
  const [type, size] = [typeOf(dtype), dtypeBytes[dtype]]
  const tiles = random.integer(2, 4)
  const n = perBlock(dtype) * random.integer(1, 8)
  const x = smallValues(tiles * n, dtype, random)
  const tile = random.integer(1, tiles - 1)
  const call = 'GetTPipePtr()->AllocEventID<HardEvent::MTE2_V>()'
  const by = (fetched: string, released: readonly string[]): Form => ({
    inputs: [{name: 'x', dtype, count: tiles * n}],
    outputs: [{name: 'z', dtype, count: tiles * n}],
    isWhole: true,
    compute: [
      'TBuf<TPosition::VECIN> tilesBuffer;',
      'TBuf<TPosition::VECOUT> sumsBuffer;',
      `pipe.InitBuffer(tilesBuffer, ${tiles * n * size});`,
      `pipe.InitBuffer(sumsBuffer, ${tiles * n * size});`,
      `LocalTensor<${type}> held = tilesBuffer.Get<${type}>();`,
      `LocalTensor<${type}> sums = sumsBuffer.Get<${type}>();`,
      'TQueSync<PIPE_MTE2, PIPE_V> arrived;',
      'TQueSync<PIPE_V, PIPE_MTE3> computed;',
      `TEventID ids[${tiles}];`,
      `for (int32_t tile = 0; tile < ${tiles}; ++tile) {`,
      ...indented([
        `DataCopy(held[tile * ${n}], xGm[tile * ${n}], ${n});`,
        `ids[tile] = ${fetched};`,
        'arrived.SetFlag(ids[tile]);',
      ]),
      '}',
      `for (int32_t tile = 0; tile < ${tiles}; ++tile) {`,
      ...indented([
        'arrived.WaitFlag(ids[tile]);',
        ...released,
        `Adds(sums[tile * ${n}], held[tile * ${n}], ${scalarOf('1', dtype)}, ${n});`,
        'TEventID done = GetTPipePtr()->FetchEventID(HardEvent::V_MTE3);',
        'computed.SetFlag(done);',
        'computed.WaitFlag(done);',
        `DataCopy(zGm[tile * ${n}], sums[tile * ${n}], ${n});`,
      ]),
      '}',
    ],
  })
  return {
    situation: 'events',
    values: {
      ...{api: name, type, tiles, n, tile, bytes: tiles * n * size, call, data: [begins('x', x), 'z = x + 1']},
      steps: [
        `held: ${tiles} × ${n} × ${size} = ${tiles * n * size}`,
        `tile ${tile}: held[${tile} × ${n}] = held[${tile * n}], ids[${tile}]`,
        `pending: ${tiles} ≤ 8`,
      ],
    },
    form: by(call, ['GetTPipePtr()->ReleaseEventID<HardEvent::MTE2_V>(ids[tile]);']),
    other: {form: by('GetTPipePtr()->FetchEventID(HardEvent::MTE2_V)', []), shows: {refused: 'flag-set-twice'}},
    given: {x},
    expected: {z: x.map((value) => value + 1)},
  }
}

/** Copies in whose places overlap. */
const overlapping: Drafting = ({name}, random) => {
  if (name !== 'PipeBarrier') return undefined
  const dtype: Dtype = random.pick(floats)
  const [type, size, block] = [typeOf(dtype), dtypeBytes[dtype], perBlock(dtype)]
  const n = block * random.integer(3, 10)
  const from = block * random.integer(1, n / block - 1)
  const x = smallValues(2 * n, dtype, random)
  if (x[from] === x[n]) return undefined
  const form: Form = {
    inputs: [{name: 'x', dtype, count: 2 * n}],
    outputs: [{name: 'z', dtype, count: from + n}],
    isWhole: true,
    compute: [
      'TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> rowsQueue;',
      `pipe.InitBuffer(rowsQueue, 1, ${2 * n * size});`,
      `LocalTensor<${type}> rows = rowsQueue.AllocTensor<${type}>();`,
      `DataCopy(rows, xGm, ${n});`,
      'PipeBarrier<PIPE_MTE2>();',
      `DataCopy(rows[${from}], xGm[${n}], ${n});`,
      'rowsQueue.EnQue(rows);',
      `rows = rowsQueue.DeQue<${type}>();`,
      `DataCopy(zGm, rows, ${from + n});`,
      'rowsQueue.FreeTensor(rows);',
    ],
  }
  return {
    situation: 'overlapping',
    values: {
      ...{type, n, from, size, both: n - from, last: n - 1, call: 'PipeBarrier<PIPE_MTE2>()'},
      ...{value: x[n] ?? 0, first: x[from] ?? 0},
      data: [begins('x', x), `x[${from}] = ${x[from]}`, `x[${n}] = ${x[n]}`, 'z = rows'],
      steps: [
        `overlap: ${n} − ${from} = ${n - from} (${(n - from) * size} bytes)`,
        `copy 1: rows[${from}] = x[${from}] = ${x[from]}`,
        `copy 2: rows[${from}] = x[${n}] = ${x[n]}`,
      ],
    },
    form,
    given: {x},
    expected: {z: [...x.slice(0, from), ...x.slice(n)]},
  }
}

export const barrierDrafts: readonly Drafting[] = [inFlight, overlapping]
