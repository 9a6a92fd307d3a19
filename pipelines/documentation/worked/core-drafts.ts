import {dtypeBytes, type Dtype} from '../../../datasets/schema/tensor.ts'
import {type Form, typeOf} from './small-kernel.ts'
import {floats, type Draft, type Drafting, perBlock, scalarOf, smallValues} from './worked-draft.ts'

/** Lines that bring a tile to UB, so that vector instructions may use it. */
export const tileIn = (name: string, dtype: Dtype, from: string, count: string | number): string[] => [
  `LocalTensor<${typeOf(dtype)}> ${name}Local = ${name}Queue.AllocTensor<${typeOf(dtype)}>();`,
  `DataCopy(${name}Local, ${from}, ${count});`,
  `${name}Queue.EnQue(${name}Local);`,
  `${name}Local = ${name}Queue.DeQue<${typeOf(dtype)}>();`,
]

/** Lines that bring a tile back to global memory. */
export const tileOut = (name: string, dtype: Dtype, to: string, count: string | number): string[] => [
  `${name}Queue.EnQue(${name}Local);`,
  `${name}Local = ${name}Queue.DeQue<${typeOf(dtype)}>();`,
  `DataCopy(${to}, ${name}Local, ${count});`,
  `${name}Queue.FreeTensor(${name}Local);`,
]

/** Writes the line of the data cache behind an address to global memory, where `SetValue` alone need not. */
export const cleaned = (type: string, address: string) =>
  `DataCacheCleanAndInvalid<${type}, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(${address});`

export const queueOf = (name: string, position: string, bytes: number, blocks = 1): string[] => [
  `TQue<TPosition::${position}, 1> ${name}Queue;`,
  `pipe.InitBuffer(${name}Queue, ${blocks}, ${bytes});`,
]

export const allocated = (name: string, dtype: Dtype) =>
  `LocalTensor<${typeOf(dtype)}> ${name}Local = ${name}Queue.AllocTensor<${typeOf(dtype)}>();`

export const indented = (lines: readonly string[]) => lines.map((line) => `    ${line}`)

/** How a tensor begins, as a question gives it. */
export const begins = (name: string, values: readonly number[]): string =>
  `${name} = [${values.slice(0, 12).join(', ')}${values.length > 12 ? ', …' : ''}]`

/** A number as a term of a sum. */
export const term = (value: number): string => (value < 0 ? `(${value})` : String(value))

export const coreLine = 'const int32_t core = static_cast<int32_t>(GetBlockIdx());'

/** Elements divided over cores, the last of which has fewer. */
const share: Drafting = ({name}, random) => {
  if (!/^(?:GetBlockIdx|GetBlockNum|GlobalTensor)$/.test(name)) return undefined
  const dtype = random.pick(floats)
  const [type, size, block] = [typeOf(dtype), dtypeBytes[dtype], perBlock(dtype)]
  const blocks = random.integer(3, 8)
  const per = random.integer(3, 12) * block
  const rest = per - random.integer(1, 2) * block
  const total = (blocks - 1) * per + rest
  const x = smallValues(total, dtype, random)
  const scale = random.integer(2, 5)
  const by = (count: string): Form => ({
    inputs: [{name: 'x', dtype, count: total}],
    outputs: [{name: 'z', dtype, count: total}],
    isWhole: true,
    launch: {blocks, workspace: 0},
    compute: [
      coreLine,
      'const int32_t cores = static_cast<int32_t>(GetBlockNum());',
      `const int32_t per = (${total} + cores * ${block} - 1) / (cores * ${block}) * ${block};`,
      `const int32_t count = ${count};`,
      `xGm.SetGlobalBuffer((__gm__ ${type}*)x + core * per, count);`,
      `zGm.SetGlobalBuffer((__gm__ ${type}*)z + core * per, count);`,
      ...queueOf('x', 'VECIN', per * size),
      ...queueOf('z', 'VECOUT', per * size),
      ...tileIn('x', dtype, 'xGm', 'count'),
      allocated('z', dtype),
      `Muls(zLocal, xLocal, ${scalarOf(String(scale), dtype)}, count);`,
      'xQueue.FreeTensor(xLocal);',
      ...tileOut('z', dtype, 'zGm', 'count'),
    ],
  })
  const call = {
    GetBlockIdx: 'core * per',
    GetBlockNum: `count = core == cores - 1 ? ${total} - core * per : per`,
  }[name]
  return {
    situation: 'core-share',
    values: {
      ...{api: name, type, total, blocks, per, rest, block, scale, past: blocks * per - total, final: blocks - 1},
      call: call ?? `xGm.SetGlobalBuffer((__gm__ ${type}*)x + core * per, count)`,
      parts: Array.from({length: blocks}, (_, at) => `core ${at}: [${at * per}, ${Math.min((at + 1) * per, total)})`),
      data: [begins('x', x), `z = ${scale} × x`],
      steps: [
        `${total} / ${blocks} = ${Number((total / blocks).toFixed(2))} → per = ${per / block} × ${block} = ${per}`,
        `start of core ${blocks - 1}: ${blocks - 1} × ${per} = ${(blocks - 1) * per}`,
        `its count: ${total} − ${(blocks - 1) * per} = ${rest}`,
        `z[0] = ${term(x[0] ?? 0)} × ${scale} = ${(x[0] ?? 0) * scale}`,
      ],
    },
    form: by(`core == cores - 1 ? ${total} - core * per : per`),
    other: {form: by('per'), shows: {refused: 'gm-out-of-range'}},
    given: {x},
    expected: {z: x.map((value) => value * scale)},
  }
}

const folds: Readonly<Record<string, {fold(all: readonly number[]): number; text(all: readonly number[]): string}>> = {
  SetAtomicAdd: {fold: (all) => all.reduce((sum, one) => sum + one, 0), text: (all) => all.map(term).join(' + ')},
  SetAtomicMax: {fold: (all) => Math.max(...all), text: (all) => `max(${all.join(', ')})`},
  SetAtomicMin: {fold: (all) => Math.min(...all), text: (all) => `min(${all.join(', ')})`},
}

/** Rows that one queue brings in and out again, each to its place. */
function rowsOut(dtype: Dtype, n: number, rows: readonly (readonly [to: string, before?: string])[]): string[] {
  return [
    'TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> rowQueue;',
    `pipe.InitBuffer(rowQueue, 1, ${n * dtypeBytes[dtype]});`,
    `LocalTensor<${typeOf(dtype)}> row;`,
    ...rows.flatMap(([to, before], at) => [
      ...(before === undefined ? [] : [before]),
      `row = rowQueue.AllocTensor<${typeOf(dtype)}>();`,
      `DataCopy(row, xGm${at === 0 ? '' : `[${at * n}]`}, ${n});`,
      'rowQueue.EnQue(row);',
      `row = rowQueue.DeQue<${typeOf(dtype)}>();`,
      `DataCopy(${to}, row, ${n});`,
      'rowQueue.FreeTensor(row);',
      'PipeBarrier<PIPE_MTE3>();',
    ]),
    'DisableDmaAtomic();',
  ]
}

/** Rows that meet in one place of global memory. */
const atomic: Drafting = ({name}, random): Draft | undefined => {
  const kind = folds[name]
  if (!kind) return undefined
  const dtype = random.pick(['float32', 'float16', 'int32', 'int16'] as const)
  const n = perBlock(dtype)
  const rows = n === 8 ? random.integer(3, 4) : 3
  const x = smallValues(rows * n, dtype, random)
  const column = (at: number) => Array.from({length: rows}, (_, row) => x[row * n + at] ?? 0)
  const call = `${name}<${typeOf(dtype)}>();`
  const z = Array.from({length: n}, (_, at) => kind.fold(column(at)))
  const by = (isOn: boolean): Form => ({
    inputs: [{name: 'x', dtype, count: rows * n}],
    outputs: [{name: 'z', dtype, count: n}],
    isWhole: true,
    compute: rowsOut(
      dtype,
      n,
      Array.from({length: rows}, (_, row) => (row === 1 && isOn ? ['zGm', call] : ['zGm'])),
    ),
  })
  const last = column(0)[rows - 1] ?? 0
  if (last === z[0]) return undefined
  return {
    situation: 'atomic',
    values: {
      ...{api: name, type: typeOf(dtype), n, rows, call: call.slice(0, -1), last, first: z[0] ?? 0},
      firsts: Array.from({length: rows}, (_, row) => `[${x.slice(row * n, row * n + n).join(', ')}]`),
      all: `[${z.join(', ')}]`,
      steps: [0, 1, 2].map((at) => `z[${at}] = ${kind.text(column(at))} = ${z[at]}`),
    },
    form: by(true),
    other: {form: by(false), shows: 'wrong'},
    given: {x},
    expected: {z},
  }
}

/** A copy that is to replace, behind others that add. */
const atomicOff: Drafting = ({name}, random) => {
  if (name !== 'DisableDmaAtomic') return undefined
  const dtype = random.pick(['float32', 'float16', 'int32'] as const)
  const n = perBlock(dtype)
  const x = smallValues(4 * n, dtype, random)
  const [old = 0, first = 0, second = 0, latest = 0] = [0, 1, 2, 3].map((row) => x[row * n])
  if (old === 0) return undefined
  const by = (isOff: boolean): Form => ({
    inputs: [{name: 'x', dtype, count: 4 * n}],
    outputs: [{name: 'z', dtype, count: 2 * n}],
    isWhole: true,
    compute: rowsOut(dtype, n, [
      [`zGm[${n}]`],
      ['zGm'],
      ['zGm', `SetAtomicAdd<${typeOf(dtype)}>();`],
      isOff ? [`zGm[${n}]`, 'DisableDmaAtomic();'] : [`zGm[${n}]`],
    ]),
  })
  const row = (at: number) => x.slice(at * n, at * n + n)
  return {
    situation: 'atomic-off',
    values: {
      ...{type: typeOf(dtype), n, old, latest, added: old + latest, sum: first + second},
      call: 'DisableDmaAtomic()',
      data: [...['old', 'a', 'b', 'new'].map((one, at) => begins(one, row(at))), 'x = [old, a, b, new]'],
      steps: [
        `z[0] = a[0] + b[0] = ${term(first)} + ${term(second)} = ${first + second}`,
        `z[${n}] = new[0] = ${latest}`,
      ],
    },
    form: by(true),
    other: {form: by(false), shows: 'wrong'},
    given: {x},
    expected: {z: [...row(1).map((value, at) => value + (row(2)[at] ?? 0)), ...row(3)]},
  }
}

export const sharedWords = (words: number): string[] => [
  'GlobalTensor<int32_t> shared;',
  `shared.SetGlobalBuffer((__gm__ int32_t*)GetUserWorkspace(workspace), ${words});`,
]

export const syncBuffer = (bytes: number): string[] => [
  'TBuf<TPosition::VECCALC> syncBuffer;',
  `pipe.InitBuffer(syncBuffer, ${bytes});`,
  'LocalTensor<int32_t> syncLocal = syncBuffer.Get<int32_t>();',
]

/** Cores that go on one after the other, each from what the one before left. */
const turns: Drafting = ({name}, random) => {
  if (!/^(?:InitDetermineComputeWorkspace|WaitPreBlock|NotifyNextBlock)$/.test(name)) return undefined
  const [dtype, n] = ['float32', 8] as const
  const blocks = random.integer(3, 5)
  const x = smallValues(blocks * n, dtype, random)
  const lines = {
    InitDetermineComputeWorkspace: 'InitDetermineComputeWorkspace(shared, syncLocal);',
    WaitPreBlock: 'WaitPreBlock(shared, syncLocal);',
    NotifyNextBlock: 'NotifyNextBlock(shared, syncLocal);',
  }
  const by = (ubBytes: number, isEnded = true): Form => ({
    inputs: [{name: 'x', dtype, count: blocks * n}],
    outputs: [{name: 'z', dtype, count: n}],
    isWhole: true,
    launch: {blocks, workspace: blocks * 32},
    compute: [
      coreLine,
      ...sharedWords(blocks * 8),
      ...syncBuffer(ubBytes),
      ...queueOf('x', 'VECIN', n * 4),
      ...queueOf('y', 'VECIN', n * 4),
      ...queueOf('z', 'VECOUT', n * 4),
      lines.InitDetermineComputeWorkspace,
      ...tileIn('x', dtype, `xGm[core * ${n}]`, n),
      lines.WaitPreBlock,
      allocated('z', dtype),
      'if (core == 0) {',
      `    Adds(zLocal, xLocal, 0.0f, ${n});`,
      '} else {',
      ...indented([
        ...tileIn('y', dtype, 'zGm', n),
        `Muls(yLocal, yLocal, 2.0f, ${n});`,
        `Add(zLocal, yLocal, xLocal, ${n});`,
        'yQueue.FreeTensor(yLocal);',
      ]),
      '}',
      'xQueue.FreeTensor(xLocal);',
      ...tileOut('z', dtype, 'zGm', n),
      ...(isEnded ? [lines.NotifyNextBlock] : []),
    ],
  })
  const isRoom = name === 'InitDetermineComputeWorkspace'
  const line = lines[name as keyof typeof lines]
  const column = (at: number) => Array.from({length: blocks}, (_, core) => x[core * n + at] ?? 0)
  const folded = (all: readonly number[]) => all.reduce((sum, one) => sum * 2 + one, 0)
  const firsts = column(0)
  return {
    situation: 'turns',
    values: {
      ...{
        api: name,
        blocks,
        n,
        slip: isRoom ? 'room' : 'wait',
        gmBytes: blocks * 32,
        ubBytes: blocks * 32 + 32,
        end: folded(firsts),
        final: blocks - 1,
        call: line.slice(0, -1),
      },
      x: firsts.map(String),
      steps: [
        `gmWorkspace: ${blocks} × 32 = ${blocks * 32}`,
        `ubWorkspace: ${blocks} × 32 + 32 = ${blocks * 32 + 32}`,
        `core 0: ${firsts[0]}`,
        ...firsts.slice(1).map((one, at) => {
          const before = folded(firsts.slice(0, at + 1))
          return `core ${at + 1}: 2 × ${term(before)} + ${term(one)} = ${folded(firsts.slice(0, at + 2))}`
        }),
      ],
    },
    form: by(blocks * 32 + 32),
    other: isRoom
      ? {form: by(blocks * 32), shows: {refused: 'out-of-buffer'}}
      : {form: by(blocks * 32 + 32, false), shows: {refused: 'sync-deadlock'}},
    given: {x},
    expected: {z: Array.from({length: n}, (_, at) => folded(column(at)))},
  }
}

/**
 * Each core leaves its part doubled in the workspace and adds what its neighbour left.
 * @param between lines between what is left and what is taken
 */
function meetingForm(dtype: Dtype, n: number, blocks: number, between: readonly string[]): Form {
  const [type, size] = [typeOf(dtype), dtypeBytes[dtype]]
  const tensor = (one: string) => ({name: one, dtype, count: blocks * n})
  return {
    inputs: [tensor('x')],
    outputs: [tensor('z')],
    isWhole: true,
    cores: 'MIX_AIV_1_0',
    launch: {blocks, workspace: blocks * n * size},
    compute: [
      coreLine,
      `const int32_t next = (core + 1) % ${blocks};`,
      `GlobalTensor<${type}> parts;`,
      `parts.SetGlobalBuffer((__gm__ ${type}*)GetUserWorkspace(workspace), ${blocks * n});`,
      ...queueOf('x', 'VECIN', n * size),
      ...queueOf('y', 'VECIN', n * size),
      ...queueOf('w', 'VECOUT', n * size),
      ...queueOf('z', 'VECOUT', n * size),
      ...tileIn('x', dtype, `xGm[core * ${n}]`, n),
      allocated('w', dtype),
      `Muls(wLocal, xLocal, ${scalarOf('2', dtype)}, ${n});`,
      ...tileOut('w', dtype, `parts[core * ${n}]`, n),
      ...between,
      ...tileIn('y', dtype, `parts[next * ${n}]`, n),
      allocated('z', dtype),
      `Add(zLocal, xLocal, yLocal, ${n});`,
      'xQueue.FreeTensor(xLocal);',
      'yQueue.FreeTensor(yLocal);',
      ...tileOut('z', dtype, `zGm[core * ${n}]`, n),
    ],
  }
}

const allArrive: Drafting = ({name}, random) => {
  if (!/^(?:SyncAll|CrossCoreSetFlag|CrossCoreWaitFlag|GetUserWorkspace)$/.test(name)) return undefined
  const dtype = random.pick(floats)
  const [size, blocks, flag] = [dtypeBytes[dtype], random.integer(3, 8), random.integer(0, 9)]
  const n = perBlock(dtype) * random.integer(1, 4)
  const x = smallValues(blocks * n, dtype, random)
  const [set, wait] = [`CrossCoreSetFlag<0, PIPE_MTE3>(${flag})`, `CrossCoreWaitFlag(${flag})`]
  const isCross = name.startsWith('CrossCore')
  const between = isCross ? [`${set};`, `${wait};`] : ['SyncAll();']
  const right = meetingForm(dtype, n, blocks, between)
  const other =
    {
      CrossCoreSetFlag: [`${wait};`],
      CrossCoreWaitFlag: [`${set};`, `CrossCoreWaitFlag(${flag + 1});`],
    }[name] ?? []
  const isPlaced = name === 'GetUserWorkspace'
  const unplaced = {...right, compute: right.compute.map((line) => line.replace(`parts[core * ${n}]`, 'parts'))}
  const at = random.integer(0, blocks - 1)
  const next = (at + 1) % blocks
  const [own = 0, others = 0] = [x[at * n], x[next * n]]
  const call = {GetUserWorkspace: `parts[core * ${n}]`, CrossCoreSetFlag: set, CrossCoreWaitFlag: wait}[name]
  return {
    situation: isPlaced ? 'workspace-slices' : 'all-arrive',
    values: {
      ...{api: name, type: typeOf(dtype), blocks, n, size, flag, slip: isCross ? 'wait' : 'race'},
      ...{at, next, bytes: blocks * n * size, slice: n * size, place: at * n * size, from: at * n},
      ...{set, wait, result: own + 2 * others, final: blocks - 1},
      call: call ?? 'SyncAll()',
      data: [
        `x[${at * n}] = ${own} (core ${at})`,
        `x[${next * n}] = ${others} (core ${next})`,
        ...(isPlaced ? ['w = 2 × x', `z = x + w of core (core + 1) % ${blocks}`] : []),
      ],
      steps: [
        `workspace: ${blocks} × ${n} × ${size} = ${blocks * n * size}`,
        ...(isPlaced ? [`offset: ${at} × ${n} × ${size} = ${at * n * size}`] : []),
        `w[${next * n}] = 2 × ${term(others)} = ${2 * others}`,
        `z[${at * n}] = ${term(own)} + ${term(2 * others)} = ${own + 2 * others}`,
      ],
    },
    form: right,
    other: isPlaced
      ? {form: unplaced, shows: {refused: 'gm-overlap'}}
      : {
          form: meetingForm(dtype, n, blocks, other),
          shows: {refused: isCross ? 'sync-deadlock' : 'gm-race'},
        },
    given: {x},
    expected: {
      z: x.map((value, place) => value + 2 * (x[(place + n) % (blocks * n)] ?? 0)),
    },
  }
}

export const coreDrafts: readonly Drafting[] = [share, atomic, atomicOff, turns, allArrive]
