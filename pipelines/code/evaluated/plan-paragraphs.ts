import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {RunTrace} from '../../../datasets/schema/executor.ts'
import type {Scenario} from '../../../datasets/schema/scenario.ts'
import {dtypeBytes, elementCount} from '../../../datasets/schema/tensor.ts'
import {corePlaces} from '../../facts/core-places.ts'
import {ubBytes} from '../../facts/memory-plan.ts'
import {code, codeList, paragraph, some, type Voice} from '../../../datasets/voice.ts'
import {namedBuffers} from '../project/kernel-plan.ts'
import {roundsOf} from '../../facts/rounds.ts'
import {plainNumber} from '../../facts/call-of-host.ts'
import {vectorCores} from '../specialise/alone.ts'
import {splitFacts} from '../../facts/split-facts.ts'

/** How the case is cut over the cores, with its numbers. */
export function sharesParagraph(scenario: Scenario, facts: KernelFacts, text: string, voice: Voice): string {
  const {blocks, blockDim} = scenario.trace
  return paragraph(voice, [
    coresSentence(blockDim, voice),
    sharesSentence(blocks, voice),
    shareSentence(scenario, facts, text, voice),
    constantsSentence(scenario.trace, text, voice),
    placesSentence(facts, voice),
  ])
}

/** The statements by which a core finds its share. */
export function placesSentence(facts: KernelFacts, voice: Voice): string {
  const split = splitFacts(facts.methods.map(({syntax}) => syntax)).map(({statement}) => statement)
  const holder = split.find((one) => /= GetBlockIdx\(\)$/.test(one))?.split(' = ')[0]
  const tensors = split.filter((one) => /\.SetGlobalBuffer\(/.test(one))
  const {shown} = some(
    [...corePlaces(facts), ...tensors].filter((one) => one.length <= 140),
    4,
  )
  if (shown.length === 0) return ''
  const list = codeList(shown, voice)
  const from =
    holder === undefined
      ? ''
      : voice.say(
          `with ${code(holder)} from ${code('GetBlockIdx()')} `,
          `由 ${code('GetBlockIdx()')} 得到 ${code(holder)},`,
        )
  return voice.say(`A core finds its place ${from}by ${list}.`, `${from}每个核通过 ${list} 找到自己的数据。`)
}

function coresSentence(used: number, {say}: Voice): string {
  const launched = say(
    [
      `The host launches all ${vectorCores} vector cores and hands no tiling data over,`,
      'so the split is settled here, in constants.',
    ].join(' '),
    `Host 侧会启动全部 ${vectorCores} 个矢量核,且不下发 tiling 数据,因此切分方案要在这里以常量确定。`,
  )
  if (used === vectorCores) return launched + say(' All of them get work.', '所有核都有任务。')
  const last = vectorCores - 1
  const idle =
    used === last
      ? say(`core ${last} returns`, `${last} 号核`)
      : say(`cores ${used} to ${last} return`, `${used} 到 ${last} 号核`)
  const working =
    used === 1
      ? say('Core 0 alone gets work', '只有 0 号核有任务')
      : say(`Cores 0 to ${used - 1} get work`, `0 到 ${used - 1} 号核有任务`)
  return launched + say(` ${working}; ${idle} at once.`, `${working},${idle}直接返回。`)
}

/** What was read and written by the cores of this case, runs of equal ones together. */
export function sharesSentence(blocks: RunTrace['blocks'], {say}: Voice): string {
  const groups: {from: number; to: number; readBytes: number; writtenBytes: number}[] = []
  for (const {index, readBytes, writtenBytes} of blocks) {
    const last = groups.at(-1)
    if (last && last.readBytes === readBytes && last.writtenBytes === writtenBytes) last.to = index
    else groups.push({from: index, to: index, readBytes, writtenBytes})
  }
  if (groups.length === 0) return ''
  if (groups.length > 3) return rangeSentence(blocks, say)
  const texts = groups.map(({from, to, readBytes, writtenBytes}) =>
    from === to
      ? say(
          `core ${from} reads ${readBytes} bytes and writes ${writtenBytes}`,
          `${from} 号核读 ${readBytes} 字节、写 ${writtenBytes} 字节`,
        )
      : say(
          `cores ${from} to ${to} read ${readBytes} bytes each and write ${writtenBytes}`,
          `${from} 到 ${to} 号核各读 ${readBytes} 字节、写 ${writtenBytes} 字节`,
        ),
  )
  return say(`Of the global memory ${texts.join(', ')}.`, `全局内存上,${texts.join(',')}。`)
}

function rangeSentence(blocks: RunTrace['blocks'], say: Voice['say']): string {
  const [reads, writes] = [blocks.map((one) => one.readBytes), blocks.map((one) => one.writtenBytes)]
  const range = (list: readonly number[], word: string) => [Math.min(...list), word, Math.max(...list)].join(' ')
  return say(
    `A core reads ${range(reads, 'to')} bytes of global memory and writes ${range(writes, 'to')}.`,
    `每个核从全局内存读 ${range(reads, '到')} 字节,写 ${range(writes, '到')} 字节。`,
  )
}

/** The constant that is a core's share of the output, where one is. */
function shareSentence(
  {outputs, trace: {tiling, blocks, blockDim}}: Scenario,
  {split}: KernelFacts,
  text: string,
  {say}: Voice,
): string {
  const [output, ...others] = outputs
  if (!output || others.length > 0 || blockDim < 2) return ''
  const total = elementCount(output.shape)
  const largest = Math.max(...blocks.map(({writtenBytes}) => writtenBytes)) / dtypeBytes[output.dtype]
  const field = numbers(tiling, text).find(
    ([name, value]) =>
      value === largest && value * blockDim >= total && value * (blockDim - 1) < total && placesBlocks(name, split),
  )
  if (!field) return ''
  const [name, value] = field
  const [fewer, whose] = [`${blockDim - 1} × ${value} = ${(blockDim - 1) * value}`, code(output.name)]
  const [en, zh] = /rows/i.test(name)
    ? [`rows, each of one element of ${whose}`, `行数,每行对应 ${whose} 的一个元素`]
    : ['elements', '元素数']
  return say(
    [
      `${code(name)} is a core's share in ${en}:`,
      `${blockDim} × ${value} covers the ${total} of ${whose}, ${fewer} would not.`,
    ].join(' '),
    [`${code(name)} 是每核的${zh}:`, `${blockDim} × ${value} 覆盖 ${whose} 的 ${total} 个元素,而 ${fewer} 不够。`].join(
      '',
    ),
  )
}

/** Whether cores stand so many elements apart: another field may have the same value by chance. */
function placesBlocks(name: string, split: KernelFacts['split']): boolean {
  const field = String.raw`(?:\w+(?:::|\.|->))*${name}_?\b`
  const times = new RegExp(String.raw`\b(?:GetBlockIdx\(\)|\w*[bB]lock\w*|\w*[cC]ore\w*)\s*\*\s*${field}(?!\s*\*)`)
  return split.some(({statement}) => times.test(statement))
}

/** Plain tiling values that the kernel asks for. */
function numbers(tiling: RunTrace['tiling'], text: string): [string, number][] {
  return Object.entries(tiling).flatMap(([path, value]): [string, number][] => {
    const name = path.replace(/^.*\./, '')
    return typeof value === 'number' && new RegExp(String.raw`\b${name}\b`).test(text) ? [[name, value]] : []
  })
}

function constantsSentence({tiling}: RunTrace, text: string, {say, list}: Voice): string {
  const {shown, more} = some(numbers(tiling, text), 14)
  if (shown.length === 0) return ''
  const texts = list(shown.map(([name, value]) => `${code(name)} = ${plainNumber(value)}`))
  return say(
    `The constants of the structure are ${texts}${more > 0 ? `, and ${more} more` : ''}.`,
    `结构体中的常量为 ${texts}${more > 0 ? `,另有 ${more} 个` : ''}。`,
  )
}

/** Buffers in bytes against the unified buffer, and how many rounds that makes. */
export function buffersParagraph({trace, outputs}: Scenario, facts: KernelFacts, voice: Voice): string {
  const {say, list} = voice
  const buffers = named(trace, facts, voice)
  const sum = trace.buffers.reduce((total, {count, bytes}) => total + count * bytes, 0)
  if (buffers.length === 0 || sum !== trace.ubPeakBytes || sum > ubBytes) return ''
  const {shown, more} = some(buffers, 10)
  const texts = list(shown.map(({label, count, bytes}) => `${label} ${count > 1 ? `${count} × ` : ''}${bytes}`))
  return paragraph(voice, [
    say(
      [
        `Memory next: a vector core has ${ubBytes} bytes of unified buffer.`,
        `In bytes: ${texts}${more > 0 ? `, and ${more} more` : ''};`,
        `together ${sum}, so ${ubBytes - sum} stay free.`,
      ].join(' '),
      [
        `接着规划内存:每个矢量核的 UB 为 ${ubBytes} 字节。`,
        `各缓冲区的字节数:${texts}${more > 0 ? `,另有 ${more} 个` : ''};合计 ${sum},还剩 ${ubBytes - sum}。`,
      ].join(''),
    ),
    tileSentence({trace, outputs}, voice),
    roundsSentence(trace, roundsOf(trace, facts), voice),
    doubleSentence(trace, roundsOf(trace, facts), voice),
  ])
}

/** The kernel's own names, where they are sure. */
function named(trace: RunTrace, facts: KernelFacts, {say}: Voice): {label: string; count: number; bytes: number}[] {
  return namedBuffers(trace, facts).map(({name, position, kind, count, bytes}) => {
    const label = say(`${position} ${kind}`, `${position} ${kind === 'queue' ? '队列' : '缓冲区'}`)
    return {label: name.startsWith('`') ? name : label, count, bytes}
  })
}

function doubleSentence({buffers, blocks}: RunTrace, rounds: number | undefined, {say}: Voice): string {
  const queues = buffers.filter(({kind}) => kind === 'queue')
  if (queues.length === 0 || !queues.every(({count}) => count === 2)) return ''
  if (rounds === blocks.length)
    return say(
      'Every queue has two blocks; with a single round the second is spare, and there is room for it.',
      '每个队列有两块内存;只循环一次时第二块用不上,但空间足够。',
    )
  const largest = Math.max(0, ...blocks.map((block) => Math.max(block.readBytes, block.writtenBytes)))
  // A share that fits into each block may be done in one round, of which nothing was seen.
  if (rounds === undefined && queues.every(({bytes}) => largest <= bytes)) return ''
  return say(
    'Two blocks a queue let the copy of the next tile run beside the arithmetic of this one.',
    '每个队列两块内存,下一块数据的搬运可以与当前块的计算重叠。',
  )
}

/** What the output's queue holds at once, against the largest share. */
function tileSentence({trace, outputs}: Pick<Scenario, 'trace' | 'outputs'>, {say}: Voice): string {
  const {buffers, blocks} = trace
  const [out, ...more] = buffers.filter(({position, kind}) => position === 'VECOUT' && kind === 'queue')
  const [output, ...others] = outputs
  if (!out || !output || more.length > 0 || others.length > 0 || blocks.length === 0) return ''
  const size = dtypeBytes[output.dtype]
  const largest = Math.max(...blocks.map(({writtenBytes}) => writtenBytes))
  const holds = Math.floor(out.bytes / size)
  if (largest <= out.bytes)
    return say(
      [
        `A block of the output queue holds ${holds} elements of ${output.dtype};`,
        `the largest share, ${largest / size}, fits into one.`,
      ].join(' '),
      `输出队列的一块可放 ${holds} 个 ${output.dtype} 元素,最大的一份有 ${largest / size} 个,一块就够。`,
    )
  return say(
    [
      `A block of the output queue holds ${holds} elements of ${output.dtype},`,
      `so the largest share, ${largest / size}, takes at least ${Math.ceil(largest / out.bytes)} tiles.`,
    ].join(' '),
    `输出队列的一块可放 ${holds} 个 ${output.dtype} 元素,最大的一份有 ${largest / size} 个,至少分 ${Math.ceil(largest / out.bytes)} 块处理。`,
  )
}

function roundsSentence({blocks}: RunTrace, rounds: number | undefined, {say}: Voice): string {
  if (rounds === undefined) return ''
  if (rounds === blocks.length) return say('One round does for each core.', '每个核处理一轮即可。')
  return say(`Over all cores that makes ${rounds} rounds.`, `所有核合计 ${rounds} 轮。`)
}
