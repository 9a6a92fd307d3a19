import type {CostPipe, ModelledCost} from '../../datasets/schema/optimisation.ts'
import type {Voice} from '../../datasets/voice.ts'

/** Three digits: `12.3 µs`. */
export function micros(value: number): string {
  return `${Number(value.toPrecision(3))} µs`
}

export function bytes(count: number): string {
  if (count < 4096) return `${count} B`
  const [size, unit] = count < 1 << 20 ? [count / 1024, 'KiB'] : [count / (1 << 20), 'MiB']
  return `${Number(size.toPrecision(4))} ${unit}`
}

export const pipeNames: Readonly<Record<CostPipe, {en: string; zh: string}>> = {
  MTE2: {en: 'MTE2 (copies from GM)', zh: '从 GM 搬入（MTE2）'},
  V: {en: 'the vector unit', zh: '向量单元'},
  S: {en: 'the scalar unit', zh: '标量单元'},
  MTE3: {en: 'MTE3 (copies to GM)', zh: '向 GM 搬出（MTE3）'},
}

/** Pipes that have something to do, the busiest first. */
export function busyPipes({pipes}: ModelledCost): [CostPipe, number][] {
  const entries = Object.entries(pipes) as [CostPipe, number][]
  return entries.filter(([, time]) => time > 0).sort(([, one], [, other]) => other - one)
}

/** The profile that a question shows: what a run counted, and the modelled times of its busiest block. */
export function profileTable(cost: ModelledCost, {say}: Voice): string {
  const {work} = cost
  const counted: [string, string][] = [
    [say('cores with work, of blocks launched', '有任务的核数 / 启动的核数'), `${cost.cores} / ${cost.blockDim}`],
    [say('bytes read from GM', '从 GM 读入的字节'), bytes(cost.readBytes)],
    [say('copies from GM', '搬入指令数'), `${work.copiesIn}`],
    [say('bytes written to GM', '写回 GM 的字节'), bytes(cost.writtenBytes)],
    [say('copies to GM', '搬出指令数'), `${work.copiesOut}`],
    [say('vector instructions', '向量指令数'), `${work.vectorInstructions}`],
    [say('their repeats of 256 bytes', '向量指令的 256 字节迭代数'), `${work.vectorRepeats}`],
    [say('scalar accesses (GetValue, SetValue)', '标量访问数（GetValue、SetValue）'), `${work.scalarAccesses}`],
    [say('loads of a tile by the block with most', '单核最多的 tile 装入次数'), `${work.tiles}`],
    [say('waits of the scalar unit for another pipe', '标量单元等待其他流水的次数'), `${work.drains}`],
  ]
  const modelled = busyPipes(cost).map(([pipe, time]): [string, string] => [
    say(`modelled: ${pipeNames[pipe].en} busy`, `模型估算：${pipeNames[pipe].zh}忙碌`),
    micros(time),
  ])
  const total: [string, string] = [say('modelled: in all', '模型估算：总计'), micros(cost.microseconds)]
  const rows = [...counted, ...modelled, total].map(([what, value]) => `| ${what} | ${value} |`)
  return [say('| Counted | Value |', '| 统计项 | 数值 |'), '|---|---|', ...rows].join('\n')
}
