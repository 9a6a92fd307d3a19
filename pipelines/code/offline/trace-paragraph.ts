import type {RunTrace} from '../../../datasets/schema/executor.ts'
import {code, paragraph, some, type Voice} from './say.ts'

/** What a run was observed to do: cores, tiling values, bytes, calls. */
export function traceParagraph(trace: RunTrace, voice: Voice): string {
  return paragraph(voice, [
    launchSentence(trace, voice),
    trace.ubPeakBytes > 0 ? peakSentence(trace.ubPeakBytes, voice) : '',
    trace.blocks.length > 0 ? readSentence(trace, voice) : '',
    callsSentence(trace, voice),
  ])
}

function launchSentence({blockDim, tilingKey, tiling}: RunTrace, voice: Voice): string {
  const numbers = Object.entries(tiling).filter(([, value]) => typeof value === 'number')
  const values = some(numbers, 8).shown.map(([name, value]) => `${name} = ${value}`)
  const held = code(values.join(', '))
  return voice.say(
    [
      `To make sure, one concrete case: ${blockDim} blocks are launched`,
      tilingKey > 0 ? ` with tiling key ${tilingKey}` : '',
      values.length > 0 ? `, and the tiling holds ${held}` : '',
      '.',
    ].join(''),
    [
      `用一个具体用例核对:启动 ${blockDim} 个核`,
      tilingKey > 0 ? `,tiling key 为 ${tilingKey}` : '',
      values.length > 0 ? `,tiling 数据为 ${held}` : '',
      '。',
    ].join(''),
  )
}

function peakSentence(bytes: number, voice: Voice): string {
  return voice.say(`The unified buffer reaches ${bytes} bytes.`, `UB 峰值占用 ${bytes} 字节。`)
}

function readSentence({blocks}: RunTrace, voice: Voice): string {
  const reads = blocks.map(({readBytes}) => readBytes)
  const least = Math.min(...reads)
  const most = Math.max(...reads)
  return least === most
    ? voice.say(`Every block reads ${most} bytes of global memory.`, `每个核从 GM 读取 ${most} 字节。`)
    : voice.say(
        `Blocks read between ${least} and ${most} bytes of global memory.`,
        `各核从 GM 读取的数据量在 ${least} 到 ${most} 字节之间。`,
      )
}

function callsSentence({calls}: RunTrace, voice: Voice): string {
  const byCount = Object.entries(calls).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  if (byCount.length === 0) return ''
  const list = voice.list(some(byCount, 5).shown.map(([name, count]) => `${code(name)} ${count}`))
  return voice.say(`Calls in total: ${list}.`, `接口调用次数合计:${list}。`)
}
