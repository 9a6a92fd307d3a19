import {dtypeBytes} from '../../../datasets/schema/tensor.ts'
import {type Form, typeOf} from './small-kernel.ts'
import {
  allocated,
  coreLine,
  indented,
  queueOf,
  sharedWords,
  syncBuffer,
  begins,
  term,
  tileIn,
  tileOut,
} from './core-drafts.ts'
import {floats, type Drafting, perBlock, scalarOf, smallValues} from './worked-draft.ts'

/**
 * What flags in global memory need before the first of them: zeroes that every core sees. They are written before any
 * InitBuffer, as the page of `Fill` demands of it.
 */
const zeroed = (words: number): string[] => [
  'if (core == 0) {',
  `    InitGlobalMemory(shared, ${words}, static_cast<int32_t>(0));`,
  '}',
  'SyncAll();',
]

/** A core that waits for one other. */
const pair: Drafting = ({name}, random) => {
  if (!/^IB(?:Set|Wait)$/.test(name)) return undefined
  const dtype = random.pick(floats)
  const [type, size, blocks] = [typeOf(dtype), dtypeBytes[dtype], random.integer(3, 8)]
  const n = perBlock(dtype) * random.integer(1, 4)
  const event = random.integer(1, 3)
  const [first, second] = random.shuffle(Array.from({length: blocks}, (_, at) => at)) as [number, number]
  const bytes = blocks * 32 * event + second * 32 + 32
  const x = smallValues(n, dtype, random)
  const words = bytes / 4
  const by = (setFor: number, waited: number): Form => ({
    inputs: [{name: 'x', dtype, count: n}],
    outputs: [{name: 'z', dtype, count: 2 * n}],
    isWhole: true,
    cores: 'MIX_AIV_1_0',
    launch: {blocks, workspace: bytes},
    compute: [
      coreLine,
      ...sharedWords(words),
      ...zeroed(words),
      ...syncBuffer(32),
      ...queueOf('x', 'VECIN', n * size),
      ...queueOf('z', 'VECOUT', n * size),
      `if (core == ${first}) {`,
      ...indented([
        ...tileIn('x', dtype, 'xGm', n),
        allocated('z', dtype),
        `Adds(zLocal, xLocal, ${scalarOf('1', dtype)}, ${n});`,
        'xQueue.FreeTensor(xLocal);',
        ...tileOut('z', dtype, 'zGm', n),
        `IBSet(shared, syncLocal, ${setFor}, ${event});`,
      ]),
      `} else if (core == ${second}) {`,
      ...indented([
        `IBWait(shared, syncLocal, ${second}, ${waited});`,
        ...tileIn('x', dtype, 'zGm', n),
        allocated('z', dtype),
        `Muls(zLocal, xLocal, ${scalarOf('2', dtype)}, ${n});`,
        'xQueue.FreeTensor(xLocal);',
        ...tileOut('z', dtype, `zGm[${n}]`, n),
      ]),
      '}',
    ],
  })
  const value = x[0] ?? 0
  return {
    situation: 'pair',
    values: {
      ...{api: name, type, blocks, n, first, second, event, bytes},
      ...{set: `IBSet(shared, syncLocal, ${second}, ${event})`, wait: `IBWait(shared, syncLocal, ${second}, ${event})`},
      ...{z0: value + 1, zn: (value + 1) * 2},
      data: [begins('x', x), `z[0…${n}) = x + 1`, `z[${n}…${2 * n}) = 2 × (x + 1)`],
      steps: [
        `gmWorkspace: ${blocks} × 32 × ${event} + ${second} × 32 + 32 = ${bytes}`,
        `z[0] = ${term(value)} + 1 = ${value + 1}`,
        `z[${n}] = ${term(value + 1)} × 2 = ${(value + 1) * 2}`,
      ],
    },
    form: by(second, event),
    other: {
      form: name === 'IBSet' ? by(first, event) : by(second, event - 1),
      shows: {refused: 'sync-deadlock'},
    },
    given: {x},
    expected: {z: [...x.map((one) => one + 1), ...x.map((one) => (one + 1) * 2)]},
  }
}

/** A group of cores that continues when all of another group have arrived. */
const groups: Drafting = ({name}, random) => {
  if (name !== 'GroupBarrier') return undefined
  const [dtype, n] = ['float32', 8] as const
  const [arriving, waiting] = [random.integer(2, 4), random.integer(2, 6)]
  const bytes = 512 * Math.max(arriving, waiting)
  const x = smallValues(arriving * n, dtype, random)
  const by = (index: string): Form => ({
    inputs: [{name: 'x', dtype, count: arriving * n}],
    outputs: [
      {name: 'z', dtype, count: waiting * n},
      {name: 'w', dtype, count: arriving * n},
    ],
    isWhole: true,
    cores: 'MIX_AIV_1_0',
    launch: {blocks: arriving + waiting, workspace: bytes},
    compute: [
      coreLine,
      ...sharedWords(bytes / 4),
      ...zeroed(bytes / 4),
      ...queueOf('x', 'VECIN', n * 4),
      ...queueOf('y', 'VECIN', n * 4),
      ...queueOf('z', 'VECOUT', n * 4),
      `GroupBarrier<PipeMode::MTE3_MODE> barrier(GetUserWorkspace(workspace), ${arriving}, ${waiting});`,
      `if (core < ${arriving}) {`,
      ...indented([
        ...tileIn('x', dtype, `xGm[core * ${n}]`, n),
        allocated('z', dtype),
        `Muls(zLocal, xLocal, 2.0f, ${n});`,
        'xQueue.FreeTensor(xLocal);',
        ...tileOut('z', dtype, `wGm[core * ${n}]`, n),
        'barrier.Arrive(static_cast<uint32_t>(core));',
      ]),
      '} else {',
      ...indented([
        `barrier.Wait(static_cast<uint32_t>(${index}));`,
        allocated('z', dtype),
        `Duplicate(zLocal, 0.0f, ${n});`,
        `for (int32_t part = 0; part < ${arriving}; ++part) {`,
        ...indented([
          ...tileIn('y', dtype, `wGm[part * ${n}]`, n),
          `Add(zLocal, zLocal, yLocal, ${n});`,
          'yQueue.FreeTensor(yLocal);',
        ]),
        '}',
        ...tileOut('z', dtype, `zGm[(core - ${arriving}) * ${n}]`, n),
      ]),
      '}',
    ],
  })
  const sum = (at: number) => Array.from({length: arriving}, (_, part) => 2 * (x[part * n + at] ?? 0))
  const total = (at: number) => sum(at).reduce((all, one) => all + one, 0)
  return {
    situation: 'groups',
    values: {
      ...{arriving, waiting, blocks: arriving + waiting, bytes, last: arriving + waiting - 1, index: waiting - 1},
      ...{more: Math.max(arriving, waiting), sum: total(0), before: arriving - 1},
      call: `barrier.Wait(core - ${arriving})`,
      data: [
        ...Array.from({length: arriving}, (_, part) => begins(`x${part}`, x.slice(part * n, part * n + n))),
        `z = 2 × x0 + … + 2 × x${arriving - 1}`,
      ],
      steps: [
        `workspace: max(${arriving}, ${waiting}) × 512 = ${bytes}`,
        `core ${arriving + waiting - 1}: index ${arriving + waiting - 1} − ${arriving} = ${waiting - 1}`,
        `z[0] = ${sum(0).map(term).join(' + ')} = ${total(0)}`,
      ],
    },
    form: by(`core - ${arriving}`),
    other: {form: by('core'), shows: {refused: 'event-id'}},
    given: {x},
    expected: {z: Array.from({length: waiting * n}, (_, at) => total(at % n))},
  }
}

/** Vector cores that outnumber the logical cores by two. */
const subCores: Drafting = ({name}, random) => {
  if (!/^(?:GetTaskRatio|GetSubBlockNum|GetSubBlockIdx)$/.test(name)) return undefined
  const dtype = random.pick(floats)
  const size = dtypeBytes[dtype]
  const blocks = random.integer(2, 6)
  const half = perBlock(dtype) * random.integer(1, 5)
  const total = blocks * 2 * half
  const x = smallValues(total, dtype, random)
  const ratio = name === 'GetTaskRatio' ? 'GetTaskRatio()' : 'GetSubBlockNum()'
  const isIndex = name === 'GetSubBlockIdx'
  const by = (cores: string, at: string): Form => ({
    inputs: [{name: 'x', dtype, count: total}],
    outputs: [{name: 'z', dtype, count: total}],
    isWhole: true,
    cores: 'MIX_AIC_1_2',
    launch: {blocks, workspace: 0},
    compute: [
      'if ASCEND_IS_AIV {',
      ...indented([
        `const int32_t part = ${total} / static_cast<int32_t>(${cores});`,
        `const int32_t at = static_cast<int32_t>(${at}) * part;`,
        ...queueOf('x', 'VECIN', 2 * half * size),
        ...queueOf('z', 'VECOUT', 2 * half * size),
        ...tileIn('x', dtype, 'xGm[at]', 'part'),
        allocated('z', dtype),
        `Adds(zLocal, xLocal, ${scalarOf('1', dtype)}, part);`,
        'xQueue.FreeTensor(xLocal);',
        ...tileOut('z', dtype, 'zGm[at]', 'part'),
      ]),
      '}',
    ],
  })
  const cores = `GetBlockNum() * ${ratio}`
  const place = isIndex ? 'GetBlockIdx() / GetSubBlockNum() * GetSubBlockNum() + GetSubBlockIdx()' : 'GetBlockIdx()'
  const core = random.integer(1, 2 * blocks - 1)
  return {
    situation: 'sub-cores',
    values: {
      ...{api: name, type: typeOf(dtype), blocks, total, half, slip: isIndex ? 'same' : 'past', core},
      ...{block: Math.floor(core / 2), sub: core % 2, call: isIndex ? place : cores, cores: 2 * blocks},
      ...{start: core * half, end: core * half + half, until: core * half + half - 1},
      data: [begins('x', x), 'z = x + 1'],
      steps: [
        `AIV: ${blocks} × 2 = ${blocks * 2}`,
        `part: ${total} / ${blocks * 2} = ${half}`,
        ...(isIndex ? [`AIV ${core}: block ${Math.floor(core / 2)} × 2 + sub-block ${core % 2} = ${core}`] : []),
        `start of AIV ${core}: ${core} × ${half} = ${core * half}`,
      ],
    },
    form: by(cores, place),
    other: isIndex
      ? {form: by(cores, 'GetBlockIdx() / GetSubBlockNum() * GetSubBlockNum()'), shows: 'wrong'}
      : {form: by('GetBlockNum()', place), shows: {refused: 'gm-out-of-range'}},
    given: {x},
    expected: {z: x.map((value) => value + 1)},
  }
}

export const groupDrafts: readonly Drafting[] = [pair, groups, subCores]
