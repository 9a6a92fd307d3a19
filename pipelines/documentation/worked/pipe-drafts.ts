import {dtypeBytes} from '../../../datasets/schema/tensor.ts'
import {floats, type Drafting, perRepeat, scalarOf, smallValues, usableUb} from './worked-draft.ts'
import {ubBytes, wholeBlocks} from '../../facts/memory-plan.ts'
import {type Form, type SmallTensor, typeOf} from './small-kernel.ts'

/** One input, one output, one instruction between them. */
function added(x: SmallTensor, z: SmallTensor, changes: Partial<Form> = {}): Form {
  const {dtype, count} = z
  return {
    inputs: [x],
    outputs: [z],
    compute: [`Adds(zLocal, xLocal, ${scalarOf('1', dtype)}, ${count});`],
    ...changes,
  }
}

const plusOne = (values: readonly number[]) => values.map((value) => value + 1)

/** What fits into the unified buffer at once. */
const total: Drafting = ({name, entry}, random) => {
  if (name !== 'InitBuffer' || entry.origin.path.includes('TBufPool')) return undefined
  const dtype = random.pick(floats)
  const size = dtypeBytes[dtype]
  const n = random.pick([100, 200, 300])
  const per = perRepeat(dtype)
  const most = Math.floor(usableUb / (2 * size) / per) * per
  const more = Math.ceil(ubBytes / (2 * size) / per) * per + per * random.integer(1, 20)
  const x = smallValues(n, dtype, random)
  const holding = (count: number) => {
    const tensor = (one: string) => ({name: one, dtype, count: n, bytes: count * size})
    return added(tensor('x'), tensor('z'))
  }
  return {
    situation: 'ub-total',
    values: {type: typeOf(dtype), size, n, most, more, needed: 2 * more * size, total: usableUb, unit: 2 * size, per},
    form: holding(most),
    other: {form: holding(more), shows: {refused: 'ub-overflow'}},
    given: {x},
    expected: {z: plusOne(x)},
  }
}

/** A tile that is used before its copy has ended. */
const withoutQueue: Drafting = ({name}, random) => {
  if (!/^(?:EnQue|DeQue)$/.test(name)) return undefined
  const dtype = random.pick(floats)
  const n = random.pick([64, 128, 256, 512])
  const x = smallValues(n, dtype, random)
  const tensor = (one: string) => ({name: one, dtype, count: n})
  return {
    situation: 'without-queue',
    values: {api: name, type: typeOf(dtype), n, bytes: n * dtypeBytes[dtype]},
    form: added(tensor('x'), tensor('z')),
    other: {form: added(tensor('x'), tensor('z'), {withoutQueue: true}), shows: {refused: 'pipe-hazard'}},
    given: {x},
    expected: {z: plusOne(x)},
  }
}

/** A queue of one block out of which two tensors are taken. */
const secondBlock: Drafting = ({name}, random) => {
  if (!/^(?:AllocTensor|FreeTensor)$/.test(name)) return undefined
  const dtype = random.pick(floats)
  const type = typeOf(dtype)
  const n = random.pick([64, 128, 256])
  const x = smallValues(2 * n, dtype, random)
  const each = (free: boolean): Form => ({
    inputs: [{name: 'x', dtype, count: 2 * n}],
    outputs: [{name: 'z', dtype, count: 2 * n}],
    isWhole: true,
    compute: [
      'TQue<TPosition::VECIN, 1> xQueue;',
      `pipe.InitBuffer(xQueue, 1, ${n * dtypeBytes[dtype]});`,
      'TQue<TPosition::VECOUT, 1> zQueue;',
      `pipe.InitBuffer(zQueue, 1, ${n * dtypeBytes[dtype]});`,
      'for (int32_t tile = 0; tile < 2; ++tile) {',
      `    LocalTensor<${type}> xLocal = xQueue.AllocTensor<${type}>();`,
      `    DataCopy(xLocal, xGm[tile * ${n}], ${n});`,
      '    xQueue.EnQue(xLocal);',
      `    xLocal = xQueue.DeQue<${type}>();`,
      `    LocalTensor<${type}> zLocal = zQueue.AllocTensor<${type}>();`,
      `    Adds(zLocal, xLocal, ${scalarOf('1', dtype)}, ${n});`,
      ...(free ? ['    xQueue.FreeTensor(xLocal);'] : []),
      '    zQueue.EnQue(zLocal);',
      `    zLocal = zQueue.DeQue<${type}>();`,
      `    DataCopy(zGm[tile * ${n}], zLocal, ${n});`,
      '    zQueue.FreeTensor(zLocal);',
      '}',
    ],
  })
  return {
    situation: 'second-block',
    values: {api: name, type, n, tiles: 2},
    form: each(true),
    other: {form: each(false), shows: {refused: 'alloc-deadlock'}},
    given: {x},
    expected: {z: plusOne(x)},
  }
}

/** A flag without a wait, or a wait without a flag. */
const lonely =
  (isSet: boolean): Drafting =>
  ({name}, random) => {
    if (!/^(?:WaitFlag|SetFlag)$/.test(name)) return undefined
    const dtype = random.pick(floats)
    const n = random.pick([64, 128, 256])
    const x = smallValues(n, dtype, random)
    const tensor = (one: string) => ({name: one, dtype, count: n})
    const event = 'int32_t arrived = static_cast<int32_t>(GetTPipePtr()->FetchEventID(HardEvent::MTE2_V));'
    const by = (lines: readonly string[]) =>
      added(tensor('x'), tensor('z'), {
        compute: [event, ...lines, `Adds(zLocal, xLocal, ${scalarOf('1', dtype)}, ${n});`],
        withoutQueue: true,
      })
    const [set, wait] = ['SetFlag<HardEvent::MTE2_V>(arrived);', 'WaitFlag<HardEvent::MTE2_V>(arrived);']
    return {
      situation: isSet ? 'set-alone' : 'wait-alone',
      values: {type: typeOf(dtype), n, bytes: wholeBlocks(n * dtypeBytes[dtype])},
      form: by([set, wait]),
      other: {form: by([isSet ? set : wait]), shows: {refused: isSet ? 'pipe-hazard' : 'wait-without-set'}},
      given: {x},
      expected: {z: plusOne(x)},
    }
  }

export const pipeDrafts: readonly Drafting[] = [total, withoutQueue, secondBlock, lonely(true), lonely(false)]
