import type {ObservedRun} from '../observed-run.ts'
import {code, paragraph, some, type Voice} from '../../../datasets/voice.ts'

/**
 * The case that was run, for the request: its shapes, and what the host hands over for them. A kernel's author cannot
 * work these out, so they are given.
 */
export function caseSentence({inputs, trace: {blockDim, tilingKey, tiling}}: ObservedRun, voice: Voice): string {
  const tensors = voice.list(inputs.map(({name, dtype, shape}) => `${code(name)} ${dtype} [${shape.join(', ')}]`))
  const numbers = Object.entries(tiling).filter(([, value]) => typeof value === 'number')
  const held = code(
    some(numbers, 8)
      .shown.map((field) => field.join(' = '))
      .join(', '),
  )
  const key = tilingKey > 0 ? voice.say(` with tiling key ${tilingKey}`, `,tiling key 为 ${tilingKey}`) : ''
  const fields = numbers.length > 0 ? voice.say(`; the tiling then holds ${held}`, `,tiling 数据为 ${held}`) : ''
  return voice.say(
    `One case to plan for: ${tensors}, launched on ${blockDim} blocks${key}${fields}.`,
    `以如下用例为准:${tensors},启动 ${blockDim} 个核${key}${fields}。`,
  )
}

/** What a run of the case was observed to do: bytes in the unified buffer, and bytes per block. */
export function traceParagraph({trace}: ObservedRun, voice: Voice): string {
  const {ubPeakBytes, blocks} = trace
  if (ubPeakBytes === 0 && blocks.length === 0) return ''
  return paragraph(voice, [
    voice.say('Now the case that was given.', '再看给定的用例。'),
    ubPeakBytes > 0 ? peakSentence(ubPeakBytes, voice) : '',
    blocks.length > 0 ? readSentence(blocks, voice) : '',
  ])
}

function peakSentence(bytes: number, voice: Voice): string {
  return voice.say(`Its buffers take ${bytes} bytes of the unified buffer.`, `缓冲区共占 UB ${bytes} 字节。`)
}

function readSentence(blocks: ObservedRun['trace']['blocks'], voice: Voice): string {
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
