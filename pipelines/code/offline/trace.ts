import type {RunTrace} from '../../../datasets/schema/executor.ts'
import {code, paragraph, some, type Voice} from './say.ts'

/** What a run was observed to do: cores, tiling values, bytes, calls. */
export function traceParagraph(trace: RunTrace, voice: Voice): string {
  const tiling = some(
    Object.entries(trace.tiling).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    8,
  ).shown.map(([name, value]) => `${name} = ${value}`)
  const calls = some(
    Object.entries(trace.calls).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)),
    5,
  ).shown.map(([name, count]) => `${code(name)} ${count}`)
  const reads = trace.blocks.map(({readBytes}) => readBytes)
  const least = Math.min(...reads)
  const most = Math.max(...reads)
  return paragraph(voice, [
    voice.say(
      `To make sure, one concrete case: ${trace.blockDim} blocks are launched${trace.tilingKey > 0 ? ` with tiling key ${trace.tilingKey}` : ''}${tiling.length > 0 ? `, and the tiling holds ${code(tiling.join(', '))}` : ''}.`,
      `用一个具体用例核对:启动 ${trace.blockDim} 个核${trace.tilingKey > 0 ? `,tiling key 为 ${trace.tilingKey}` : ''}${tiling.length > 0 ? `,tiling 数据为 ${code(tiling.join(', '))}` : ''}。`,
    ),
    trace.ubPeakBytes > 0
      ? voice.say(`The unified buffer reaches ${trace.ubPeakBytes} bytes.`, `UB 峰值占用 ${trace.ubPeakBytes} 字节。`)
      : '',
    reads.length > 0
      ? least === most
        ? voice.say(`Every block reads ${most} bytes of global memory.`, `每个核从 GM 读取 ${most} 字节。`)
        : voice.say(
            `Blocks read between ${least} and ${most} bytes of global memory.`,
            `各核从 GM 读取的数据量在 ${least} 到 ${most} 字节之间。`,
          )
      : '',
    calls.length > 0
      ? voice.say(`Calls in total: ${voice.list(calls)}.`, `接口调用次数合计:${voice.list(calls)}。`)
      : '',
  ])
}
