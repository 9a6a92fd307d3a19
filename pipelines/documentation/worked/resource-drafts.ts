import {dtypeBytes, type Dtype} from '../../../datasets/schema/tensor.ts'
import {ubBytes} from '../../facts/memory-plan.ts'
import {begins, term, indented, queueOf, tileIn, tileOut, allocated} from './core-drafts.ts'
import {type Form, typeOf} from './small-kernel.ts'
import {floats, type Drafting, perBlock, scalarOf, smallValues, usableUb} from './worked-draft.ts'

/** A kernel that sets up its memory by itself: x in, z out, of the same length. */
export const wholeForm = (dtype: Dtype, n: number, compute: readonly string[], more: Partial<Form> = {}): Form => ({
  inputs: [{name: 'x', dtype, count: n}],
  outputs: [{name: 'z', dtype, count: n}],
  isWhole: true,
  compute,
  ...more,
})

/** One tile that comes in, is added to and goes out through existing queues. */
const plusOneTile = (dtype: Dtype, n: number, from = ''): string[] => [
  ...tileIn('x', dtype, `xGm${from}`, n),
  allocated('z', dtype),
  `Adds(zLocal, xLocal, ${scalarOf('1', dtype)}, ${n});`,
  'xQueue.FreeTensor(xLocal);',
  ...tileOut('z', dtype, `zGm${from}`, n),
]

const plusOne = (values: readonly number[]) => values.map((value) => value + 1)

/** Tiles that come in ahead of the one that is computed on. */
const queueDepth: Drafting = ({name}, random) => {
  if (name !== 'TQue') return undefined
  const dtype = random.pick(floats)
  const [type, size] = [typeOf(dtype), dtypeBytes[dtype]]
  const n = perBlock(dtype) * random.integer(2, 16)
  const ahead = random.integer(2, 4)
  const x = smallValues(ahead * n, dtype, random)
  const by = (depth: number) =>
    wholeForm(dtype, ahead * n, [
      `TQue<TPosition::VECIN, ${depth}> xQueue;`,
      `pipe.InitBuffer(xQueue, ${ahead}, ${n * size});`,
      ...queueOf('z', 'VECOUT', n * size),
      `LocalTensor<${type}> xLocal;`,
      `for (int32_t tile = 0; tile < ${ahead}; ++tile) {`,
      ...indented([
        `xLocal = xQueue.AllocTensor<${type}>();`,
        `DataCopy(xLocal, xGm[tile * ${n}], ${n});`,
        'xQueue.EnQue(xLocal);',
      ]),
      '}',
      `for (int32_t tile = 0; tile < ${ahead}; ++tile) {`,
      ...indented([
        `xLocal = xQueue.DeQue<${type}>();`,
        allocated('z', dtype),
        `Adds(zLocal, xLocal, ${scalarOf('1', dtype)}, ${n});`,
        'xQueue.FreeTensor(xLocal);',
        ...tileOut('z', dtype, `zGm[tile * ${n}]`, n),
      ]),
      '}',
    ])
  return {
    situation: 'queue-depth',
    values: {
      ...{type, n, ahead, bytes: n * size, call: `TQue<TPosition::VECIN, ${ahead}>`, all: (ahead + 1) * n * size},
      ...{xBytes: ahead * n * size, init: `pipe.InitBuffer(xQueue, ${ahead}, ${n * size})`},
      data: [begins('x', x), 'z = x + 1'],
      steps: [
        `depth: ${ahead}`,
        `tile: ${n} × ${size} = ${n * size}`,
        `xQueue: ${ahead} × ${n * size} = ${ahead * n * size}`,
        `xQueue + zQueue: ${ahead * n * size} + ${n * size} = ${(ahead + 1) * n * size}`,
      ],
    },
    form: by(ahead),
    other: {form: by(1), shows: {refused: 'queue-depth'}},
    given: {x},
    expected: {z: plusOne(x)},
  }
}

/** A copy without arithmetic takes one queue. */
const boundQueue: Drafting = ({name}, random) => {
  if (name !== 'TQueBind') return undefined
  const dtype = random.pick(floats)
  const [type, size] = [typeOf(dtype), dtypeBytes[dtype]]
  const blocks = random.pick([2, 4])
  const n = perBlock(dtype) * random.integer(4, 40)
  const bytes = Math.floor(usableUb / blocks / 32) * 32 - 32 * random.integer(0, 30)
  const x = smallValues(n, dtype, random)
  const row = (name: string) => `LocalTensor<${type}> ${name}Local = ${name}Queue.AllocTensor<${type}>();`
  const right = [
    'TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> xQueue;',
    `pipe.InitBuffer(xQueue, ${blocks}, ${bytes});`,
    row('x'),
    `DataCopy(xLocal, xGm, ${n});`,
    ...tileOut('x', dtype, 'zGm', n),
  ]
  const wrong = [
    ...queueOf('x', 'VECIN', bytes, blocks),
    ...queueOf('z', 'VECOUT', bytes, blocks),
    ...tileIn('x', dtype, 'xGm', n),
    row('z'),
    `Adds(zLocal, xLocal, ${scalarOf('0', dtype)}, ${n});`,
    'xQueue.FreeTensor(xLocal);',
    ...tileOut('z', dtype, 'zGm', n),
  ]
  return {
    situation: 'bound-queue',
    values: {
      ...{type, n, blocks, bytes, total: usableUb, elements: bytes / size, needed: 2 * blocks * bytes},
      ...{used: blocks * bytes, most: Math.floor(usableUb / blocks / 32) * 32},
      ...{call: 'TQueBind<TPosition::VECIN, TPosition::VECOUT, 1>', data: [begins('x', x), 'z = x']},
      steps: [
        `TQueBind: ${blocks} × ${bytes} = ${blocks * bytes} ≤ ${usableUb}`,
        `2 TQue: 2 × ${blocks} × ${bytes} = ${2 * blocks * bytes} > ${usableUb}`,
        `buffer: ${bytes} / ${size} = ${bytes / size} (${type})`,
      ],
    },
    form: wholeForm(dtype, n, right),
    other: {form: wholeForm(dtype, n, wrong), shows: {refused: 'ub-overflow'}},
    given: {x},
    expected: {z: x},
  }
}

/** Two tensors in one buffer, one behind the other. */
const views: Drafting = ({name}, random) => {
  if (!/^(?:TBuf|Get|LocalTensor)$/.test(name)) return undefined
  const dtype = random.pick(floats)
  const [type, size] = [typeOf(dtype), dtypeBytes[dtype]]
  const n = perBlock(dtype) * random.integer(1, 12)
  const x = smallValues(n, dtype, random)
  const by = (bytes: number, second: string): Form => ({
    inputs: [{name: 'x', dtype, count: n}],
    outputs: [{name: 'z', dtype, count: n}],
    compute: [
      'TBuf<TPosition::VECCALC> parts;',
      `pipe.InitBuffer(parts, ${bytes});`,
      `LocalTensor<${type}> doubled = parts.Get<${type}>(${n});`,
      `LocalTensor<${type}> raised = ${second};`,
      `Muls(doubled, xLocal, ${scalarOf('2', dtype)}, ${n});`,
      `Adds(raised, xLocal, ${scalarOf('3', dtype)}, ${n});`,
      `Add(zLocal, doubled, raised, ${n});`,
    ],
  })
  const apart =
    name === 'LocalTensor' ? `parts.Get<${type}>()[${n}]` : `parts.GetWithOffset<${type}>(${n}, ${n * size})`
  const value = x[0] ?? 0
  if (value * 3 + 3 === 2 * (value + 3)) return undefined
  const isRoom = name === 'TBuf'
  return {
    situation: 'views',
    values: {
      ...{api: name, type, n, bytes: 2 * n * size, offset: n * size, slip: isRoom ? 'room' : 'same'},
      ...{seen: 2 * (value + 3), due: value * 3 + 3, call: isRoom ? `pipe.InitBuffer(parts, ${2 * n * size})` : apart},
      ...{apart, until: n * size - 1},
      data: [begins('x', x), 'z = 2 × x + (x + 3)'],
      steps: [
        `second tensor: ${n} × ${size} = ${n * size}`,
        `buffer: 2 × ${n * size} = ${2 * n * size}`,
        `z[0] = 2 × ${term(value)} + (${value} + 3) = ${value * 3 + 3}`,
      ],
    },
    form: by(2 * n * size, apart),
    other: isRoom
      ? {form: by(n * size, apart), shows: {refused: 'out-of-buffer'}}
      : {form: by(2 * n * size, `parts.Get<${type}>(${n})`), shows: 'wrong'},
    given: {x},
    expected: {z: x.map((one) => one * 3 + 3)},
  }
}

/** Two stages that take turns in the same memory: by a pool, or by one TPipe after the other. */
const stages: Drafting = ({name}, random) => {
  if (!/^(?:TBufPool|TPipe)$/.test(name)) return undefined
  const dtype = random.pick(floats)
  const n = perBlock(dtype) * random.integer(4, 20)
  const [first, second] = [random.integer(50, 91) * 1024, random.integer(50, 91) * 1024].sort((a, b) => b - a) as [
    number,
    number,
  ]
  if (first + second <= ubBytes / 2) return undefined
  const x = smallValues(2 * n, dtype, random)
  const stage = (owner: string, bytes: number, at: number) => [
    '{',
    ...indented([
      'TQue<TPosition::VECIN, 1> xQueue;',
      'TQue<TPosition::VECOUT, 1> zQueue;',
      `${owner}.InitBuffer(xQueue, 1, ${bytes});`,
      `${owner}.InitBuffer(zQueue, 1, ${bytes});`,
      ...plusOneTile(dtype, n, at === 0 ? '' : `[${at}]`),
    ]),
    '}',
  ]
  const byPools = (shared: string) => [
    'TBufPool<TPosition::VECCALC> firstPool;',
    'TBufPool<TPosition::VECCALC> secondPool;',
    `pipe.InitBufPool(firstPool, ${2 * first});`,
    `pipe.InitBufPool(secondPool, ${2 * second}${shared});`,
    ...stage('firstPool', first, 0),
    'firstPool.Reset();',
    ...stage('secondPool', second, n),
    'secondPool.Reset();',
  ]
  const byPipes = (destroyed: readonly string[]) => [
    ...stage('pipe', first, 0),
    ...destroyed,
    'TPipe nextPipe;',
    ...stage('nextPipe', second, n),
  ]
  const isPool = name === 'TBufPool'
  const [right, wrong] = isPool ? [byPools(', firstPool'), byPools('')] : [byPipes(['pipe.Destroy();']), byPipes([])]
  return {
    situation: 'stages',
    values: {
      ...{api: name, type: typeOf(dtype), n, first, second, total: usableUb, both: 2 * first + 2 * second},
      ...{pair: 2 * first, next: 2 * second},
      call: isPool ? `pipe.InitBufPool(secondPool, ${2 * second}, firstPool)` : 'pipe.Destroy()',
      data: [begins('x', x), 'z = x + 1'],
      steps: [
        `stage 1: 2 × ${first} = ${2 * first} ≤ ${usableUb}`,
        `stage 2: 2 × ${second} = ${2 * second} ≤ ${usableUb}`,
        `both: ${2 * first} + ${2 * second} = ${2 * first + 2 * second} > ${usableUb}`,
      ],
    },
    form: wholeForm(dtype, 2 * n, right),
    other: {form: wholeForm(dtype, 2 * n, wrong), shows: {refused: isPool ? 'ub-overflow' : 'second-tpipe'}},
    given: {x},
    expected: {z: plusOne(x)},
  }
}

/** A function that gives memory to queues without being handed the TPipe. */
const pipePointer: Drafting = ({name}, random) => {
  if (name !== 'GetTPipePtr') return undefined
  const dtype = random.pick(floats)
  const [type, size, blocks] = [typeOf(dtype), dtypeBytes[dtype], random.pick([1, 2])]
  const n = perBlock(dtype) * random.integer(4, 80)
  const x = smallValues(n, dtype, random)
  const by = (given: readonly string[]) =>
    wholeForm(
      dtype,
      n,
      [
        'TQue<TPosition::VECIN, 1> xQueue;',
        'TQue<TPosition::VECOUT, 1> zQueue;',
        'InitQueues(xQueue, zQueue);',
        ...plusOneTile(dtype, n),
      ],
      {
        before: [
          '__aicore__ inline void InitQueues(TQue<TPosition::VECIN, 1>& xQueue, TQue<TPosition::VECOUT, 1>& zQueue)',
          '{',
          ...indented(given),
          '}',
          '',
        ],
      },
    )
  const lines = (owner: string) => [
    `${owner}InitBuffer(xQueue, ${blocks}, ${n * size});`,
    `${owner}InitBuffer(zQueue, ${blocks}, ${n * size});`,
  ]
  return {
    situation: 'pipe-pointer',
    values: {
      ...{type, n, blocks, bytes: n * size, all: 2 * blocks * n * size, left: usableUb - 2 * blocks * n * size},
      total: usableUb,
      ...{call: `GetTPipePtr()->InitBuffer(xQueue, ${blocks}, ${n * size})`, data: [begins('x', x), 'z = x + 1']},
      steps: [
        `buffer: ${n} × ${size} = ${n * size}`,
        `xQueue + zQueue: 2 × ${blocks} × ${n * size} = ${2 * blocks * n * size}`,
        `left: ${usableUb} − ${2 * blocks * n * size} = ${usableUb - 2 * blocks * n * size}`,
      ],
    },
    form: by(lines('GetTPipePtr()->')),
    other: {form: by(['TPipe own;', ...lines('own.')]), shows: {refused: 'second-tpipe'}},
    given: {x},
    expected: {z: plusOne(x)},
  }
}

export const resourceDrafts: readonly Drafting[] = [queueDepth, boundQueue, views, stages, pipePointer]
