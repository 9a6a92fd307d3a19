import {test} from 'vitest'
import type {RunTrace} from '../../../../datasets/schema/executor.ts'
import type {HostKernelPair} from '../../../../datasets/schema/scenario.ts'
import {kernelPlan} from '../../../../pipelines/code/project/kernel-plan.ts'
import {both, kernelOf, toldCases} from '../../../helpers/told-parts.ts'

interface Given {
  init?: string
  members?: string
  process?: string
  /** Buffers of the run as `VECIN queue 2 256`. */
  buffers?: string
  peak?: number
  tiling?: Record<string, number>
  blocks?: number
  calls?: Record<string, number>
}

async function told({
  init = '',
  members = '',
  process = '',
  buffers = '',
  peak,
  tiling = {},
  blocks = 1,
  calls = {},
}: Given) {
  const text = `constexpr int DEPTH = 2;
class K { public:
  void Init(const FoldTiling* tiling) { tile = tiling->tile; ${init} }
  void Process() { ${process} }
  void Copy(int i) { DataCopy(yGm[i], a, 8); }
  ${members} GlobalTensor<half> yGm; };
extern "C" __global__ __aicore__ void fold(GM_ADDR x, GM_ADDR y, GM_ADDR w, GM_ADDR t) {
  K op; op.Init(&tiling); op.Process(); op.Copy(0); }`
  const seen = buffers === '' ? [] : buffers.split('; ')
  const list = seen.map((words, index): RunTrace['buffers'][number] => {
    const [position = '', kind = '', count = '', bytes = ''] = words.split(' ')
    return {
      name: `${position} ${kind} ${index}`,
      position,
      kind: kind as 'queue' | 'buffer',
      count: Number(count),
      bytes: Number(bytes),
    }
  })
  const sum = list.reduce((total, {count, bytes}) => total + count * bytes, 0)
  const trace = {
    blockDim: blocks,
    tiling,
    calls,
    buffers: list,
    ubPeakBytes: peak ?? sum,
    blocks: Array.from({length: blocks}, (_, index) => ({index, readBytes: 32, writtenBytes: 32})),
  }
  const outputs = [{name: 'y', dtype: 'float16', shape: [16 * blocks]}]
  const pair = {entry: 'fold', kernel: {path: 'k.cpp', text}, scenario: {outputs, trace}} as unknown as HostKernelPair
  const facts = await kernelOf(text)
  return both((speaker) => kernelPlan(pair, facts, speaker))
}

const queues = 'TQue<TPosition::VECIN, 1> in; TQue<TPosition::VECOUT, 1> out; TBuf<> work;'
const set = 'pipe.InitBuffer(in, 2, tile * 2); pipe.InitBuffer(out, DEPTH, tile * 4); pipe.InitBuffer(work, 64);'
const seen = 'VECIN queue 2 256; VECOUT queue 2 512; VECCALC buffer 1 64'
const doubled = {process: 'in.DeQue<half>();', buffers: 'VECIN queue 2 32', blocks: 2}
const loop = (bound: string, what = 'Copy(i);') => `for (int i = 0; i < ${bound}; i++) { ${what} }`
const tile = {tile: 128}

const cases: Readonly<Record<string, Given>> = {
  'no buffers': {},
  'buffers by their names, with the expressions of their bytes': {
    init: set,
    members: queues,
    buffers: seen,
    tiling: tile,
  },
  'an expression that does not give the bytes': {init: set, members: queues, buffers: seen, tiling: {tile: 100}},
  'more buffers than are set up': {init: set, members: queues, buffers: `${seen}; VECCALC buffer 1 32`, tiling: tile},
  'fewer buffers than are set up': {
    init: set,
    members: queues,
    buffers: 'VECIN queue 2 256; VECOUT queue 2 512',
    tiling: tile,
  },
  'buffers of another kind': {
    init: set,
    members: queues,
    buffers: 'VECIN queue 2 256; VECIN queue 2 512; VECCALC buffer 1 64',
    tiling: tile,
  },
  'a set-up in a branch': {
    init: set.replace(';', '; if (wide) {').concat(' }'),
    members: queues,
    buffers: seen,
    tiling: tile,
  },
  'a set-up in a loop': {init: `for (int i = 0; i < 2; i++) { ${set} }`, members: queues, buffers: seen, tiling: tile},
  'a set-up in two functions': {
    init: set.replace('pipe.InitBuffer(work, 64);', ''),
    process: 'pipe.InitBuffer(work, 64);',
    members: queues,
    buffers: seen,
    tiling: tile,
  },
  'a buffer that is not declared': {
    init: `${set} pipe.InitBuffer(other, 32);`,
    members: queues,
    buffers: `${seen}; VECCALC buffer 1 32`,
    tiling: tile,
  },
  'two of one position': {
    init: 'pipe.InitBuffer(a, tile); pipe.InitBuffer(b, tile * 2);',
    members: 'TBuf<> a; TBuf<> b;',
    buffers: 'VECCALC buffer 1 128; VECCALC buffer 1 256',
    tiling: tile,
  },
  'eleven buffers': {buffers: Array(11).fill('VECIN queue 1 32').join('; ')},
  'ten buffers': {buffers: Array(10).fill('VECIN queue 1 32').join('; ')},
  'as much as there is': {buffers: 'VECIN queue 1 196608'},
  'more than there is': {buffers: 'VECIN queue 1 196640'},
  'none at once': {buffers: 'VECIN queue 1 32', peak: 0},
  'one doubled queue': {buffers: 'VECIN queue 2 32; VECOUT queue 1 32; VECCALC buffer 2 32'},
  'a doubled queue with one tile a core': {...doubled, calls: {DataCopy: 2, DeQue: 2}},
  'a doubled queue with three tiles on two cores': {...doubled, calls: {DataCopy: 3, DeQue: 3}},
  'a doubled queue that is emptied in a loop': {
    ...doubled,
    process: loop('n', 'in.DeQue<half>();'),
    calls: {DataCopy: 2, DeQue: 2},
  },
  'buffers of the cube side': {buffers: `A1 queue 2 1024; ${Array(8).fill('CO1 queue 1 512').join('; ')}`, peak: 0},
  'both sides': {buffers: 'VECIN queue 1 32; B1 buffer 1 64', peak: 32},
  'loops by the tiling': {init: 'n = tiling->loops;', process: loop('n'), tiling: {tile: 8, loops: 3}},
  'loops by an expression': {init: 'n = tiling->loops;', process: loop('n * 2'), tiling: {tile: 8, loops: 3}},
  'loops by a constant': {process: `${loop('4')} ${loop('DEPTH')}`},
  'loops that do not go round': {init: 'n = tiling->loops;', process: loop('n'), tiling: {tile: 8, loops: 0}},
  'a loop that goes round once': {init: 'n = tiling->loops;', process: loop('n'), tiling: {tile: 8, loops: 1}},
  'loops that call nothing': {init: 'n = tiling->loops;', process: loop('n', 'b = i;'), tiling: {tile: 8, loops: 3}},
  'five loops': {
    init: Array.from({length: 5}, (_, at) => `n${at} = tiling->l${at};`).join(' '),
    process: Array.from({length: 5}, (_, at) => loop(`n${at}`)).join(' '),
    tiling: Object.fromEntries([['tile', 8], ...Array.from({length: 5}, (_, at) => [`l${at}`, at + 2] as const)]),
  },
  'the same bound twice': {
    init: 'n = tiling->loops;',
    process: `${loop('n')} ${loop('n')}`,
    tiling: {tile: 8, loops: 3},
  },
}

test('a kernel is told by the share of a core, its buffers in bytes and its loops', async () => {
  const pages: Record<string, string> = {}
  for (const [name, given] of Object.entries(cases)) pages[name] = await told(given)
  toldCases('kernel-plans', pages)
})
