import type {ModelledCost} from '../../../datasets/schema/optimisation.ts'
import type {Voice} from '../../../datasets/voice.ts'
import {bytes} from './figures.ts'

/** What a step took from an operator, told of the operator that lacks it. */
interface Cause {
  /** What in the code costs time, by the counts of a run, and what mends it. */
  tells(cost: ModelledCost, voice: Voice): string
  /** What was changed, in a sentence. */
  mends(voice: Voice): string
  /** No faster than this can what mends it be, by the same run's modelled times; undefined where they do not tell. */
  atLeast(cost: ModelledCost): number | undefined
}

/** Cores of the chip that the model is of. */
const chipCores = 48

const perCopy = ({readBytes, work}: ModelledCost) => bytes(Math.round(readBytes / Math.max(work.copiesIn, 1)))

/** With tiles that overlap, the busiest pipe decides. */
const busiest = ({pipes}: ModelledCost) => Math.max(pipes.MTE2, pipes.V + pipes.S, pipes.MTE3)

export const causes: Readonly<Record<string, Cause>> = {
  'single-buffer-in': {
    tells: (_, {say}) =>
      say(
        'The queues from GM have one block each, so the next tile can be copied in only when this one is computed: ' +
          'copy and computation take turns. With two blocks (double buffering) the copy of a tile runs beside the ' +
          'computation of the one before.',
        '从 GM 搬入的队列只有一块内存，当前 tile 算完之前下一个 tile 无法搬入，搬运与计算只能交替进行。' +
          '给队列两块内存（double buffer），下一个 tile 的搬入就能与当前 tile 的计算并行。',
      ),
    mends: ({say}) => say('Each queue from GM has two blocks.', '搬入队列改为两块内存。'),
    atLeast: busiest,
  },
  'single-buffer-out': {
    tells: (_, {say}) =>
      say(
        'The queue to GM has one block, so computing the next tile waits until this one is copied out. With two ' +
          'blocks (double buffering) the copy out runs beside the next computation.',
        '搬出到 GM 的队列只有一块内存，当前 tile 搬出之前无法计算下一个 tile。' +
          '给队列两块内存（double buffer），搬出就能与下一个 tile 的计算并行。',
      ),
    mends: ({say}) => say('The queue to GM has two blocks.', '搬出队列改为两块内存。'),
    atLeast: busiest,
  },
  'barrier-in-loop': {
    tells: ({work}, {say}) =>
      say(
        '`PipeBarrier<PIPE_ALL>()` makes all pipes wait for each other in every pass, so that tiles do not overlap; ' +
          `the profile counts ${work.drains} waits. EnQue and DeQue already order what fills a tensor before what ` +
          'uses it, so the barrier can go.',
        '`PipeBarrier<PIPE_ALL>()` 让所有流水在每次循环中互相等待，tile 之间无法重叠；' +
          `统计到的等待共 ${work.drains} 次。EnQue 与 DeQue 已经保证了写入先于使用，这个屏障可以去掉。`,
      ),
    mends: ({say}) => say('The barrier is gone; the queues keep the order.', '去掉了屏障，先后顺序由队列保证。'),
    atLeast: busiest,
  },
  'split-copies': {
    tells: (cost, {say}) =>
      say(
        `A tile is moved by a loop of short copies: ${cost.work.copiesIn} copies from GM of ${perCopy(cost)} on ` +
          'average. Each copy costs its start however short it is; one copy can move the whole tile.',
        `一个 tile 由循环里的多次短搬运完成：共 ${cost.work.copiesIn} 次搬入，平均每次 ${perCopy(cost)}。` +
          '每次搬运无论多短都有启动开销，一次搬运就能搬完整个 tile。',
      ),
    mends: ({say}) => say('One copy moves a whole tile.', '一次搬运搬完整个 tile。'),
    atLeast: () => undefined,
  },
  'copies-row-by-row': {
    tells: (cost, {say}) =>
      say(
        `Each row is copied by an instruction of its own: ${cost.work.copiesIn} copies from GM of ${perCopy(cost)} ` +
          'on average. DataCopyExtParams has a block count: one instruction moves all rows of a tile.',
        `每一行都用单独的指令搬运：共 ${cost.work.copiesIn} 次搬入，平均每次 ${perCopy(cost)}。` +
          'DataCopyExtParams 的 blockCount 可以让一条指令搬完一个 tile 的所有行。',
      ),
    mends: ({say}) => say('One copy moves all rows of a tile.', '一条搬运指令搬完一个 tile 的所有行。'),
    atLeast: () => undefined,
  },
  'copied-in-twice': {
    tells: ({readBytes}, {say}) =>
      say(
        `The same tile is copied from GM twice, with a barrier between; in all ${bytes(readBytes)} are read. ` +
          'The second copy brings what is there already, so it and the barrier can go.',
        `同一个 tile 从 GM 搬入了两次，中间还有一个屏障；总共读入 ${bytes(readBytes)}。` +
          '第二次搬入的是已有的数据，可以和屏障一起去掉。',
      ),
    mends: ({say}) => say('Each tile is copied in once.', '每个 tile 只搬入一次。'),
    atLeast: ({pipes}) => Math.max(pipes.MTE2 / 2, pipes.V + pipes.S, pipes.MTE3),
  },
  'smaller-tiles': {
    tells: (cost, {say}) =>
      say(
        `The host keeps tiles small: up to ${cost.work.tiles} tiles in a block, copies from GM of ${perCopy(cost)} ` +
          'on average. Every copy and every vector instruction costs its start, so larger tiles, as far as UB has ' +
          'room, take less.',
        `Host 侧把 tile 限制得很小：单核多达 ${cost.work.tiles} 个 tile，平均每次搬入 ${perCopy(cost)}。` +
          '每次搬运和每条向量指令都有启动开销，在 UB 容得下的范围内 tile 越大，开销越小。',
      ),
    mends: ({say}) => say('Tiles are as large as the tiling makes them for UB.', 'tile 取 tiling 按 UB 算出的大小。'),
    atLeast: () => undefined,
  },
  'fewer-cores': {tells: fewCores, mends: allCores, atLeast: spread},
  'one-core': {tells: fewCores, mends: allCores, atLeast: spread},
  'scalar-loop': {
    tells: ({work}, {say}) =>
      say(
        'A loop of GetValue and SetValue computes one element after the other on the scalar unit; the profile ' +
          `counts ${work.scalarAccesses} scalar accesses. One vector instruction does the same, 256 bytes a repeat.`,
        '用 GetValue 和 SetValue 的循环在标量单元上逐个元素计算；' +
          `统计到的标量访问共 ${work.scalarAccesses} 次。一条向量指令就能完成同样的计算，每次迭代处理 256 字节。`,
      ),
    mends: ({say}) => say('A vector instruction takes the place of the loop.', '用一条向量指令代替了逐元素的循环。'),
    atLeast: ({pipes}) => Math.max(pipes.MTE2, pipes.V, pipes.MTE3),
  },
}

function fewCores({cores}: ModelledCost, {say}: Voice): string {
  const [are, have] = cores === 1 ? ['core has', '1'] : ['cores have', `${cores}`]
  return say(
    `The work is split over few cores: ${have} ${are} something to do, and the chip has ${chipCores} vector cores. ` +
      'The host should ask the platform for their number and split the work over all of them.',
    `任务只分给了很少的核：有任务的核数为 ${cores}，而芯片有 ${chipCores} 个向量核。` +
      'Host 侧应当向平台查询核数，把任务分到所有核上。',
  )
}

function allCores({say}: Voice): string {
  return say('The work is split by the number of cores that the platform gives.', '按平台给出的核数划分任务。')
}

function spread({microseconds, cores}: ModelledCost): number | undefined {
  return cores < chipCores ? (microseconds * cores) / chipCores : undefined
}
