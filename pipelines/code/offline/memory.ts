import type {KernelSource} from '../../../datasets/schema/kernel.ts'
import type {KernelFacts} from '../facts.ts'
import {memoryPlan, ubBytes, type MemoryPlan} from '../memory.ts'
import {code, codes, paragraph, some, type Voice} from './say.ts'

/** Buffers with their bytes, the sum, and how long a tile may get. */
export function memoryParagraph(source: KernelSource, facts: KernelFacts, voice: Voice): string {
  const plan = memoryPlan(facts)
  const elsewhere = source.dependencies.filter(({text}) => /\bInitBuffer\s*\(/.test(text)).map(({path}) => path)
  if (plan.parts.length === 0 && plan.unread.length === 0) return ''
  return paragraph(voice, [
    voice.say(
      [
        `Then the unified buffer: a vector core of Atlas A2 has ${ubBytes} bytes of it, shared by all queues and temporary buffers.`,
        `Now the memory plan. One vector core has ${ubBytes} bytes (192 KB) of unified buffer, and everything must fit at once.`,
      ],
      [
        `然后规划 UB:Atlas A2 的每个矢量核有 ${ubBytes} 字节,由所有队列和临时缓冲区共享。`,
        `接下来做内存规划。单个矢量核的 UB 为 ${ubBytes} 字节(192 KB),所有缓冲区要同时放得下。`,
      ],
    ),
    partsSentence(plan, voice),
    unreadSentence(plan, voice),
    elsewhere.length > 0 ? elsewhereSentence(elsewhere, voice) : sumSentence(source, facts, plan, voice),
    doubleSentence(plan, voice),
  ])
}

/** Classes of other files allocate too, so the sum of what stands here would be no bound. */
function elsewhereSentence(paths: readonly string[], voice: Voice): string {
  const names = voice.list(codes(some(paths, 3).shown))
  return voice.say(
    `To these come the buffers that ${names} sets up for itself; only together they have to fit.`,
    `此外 ${names} 会自行申请缓冲区,须与这里的合计后一起放得下。`,
  )
}

function partsSentence({parts}: MemoryPlan, voice: Voice): string {
  if (parts.length === 0) return ''
  const {shown, more} = some(parts, 8)
  const described = shown.map(({buffer, count, factor, lengths}) => {
    const size =
      lengths.length === 0
        ? voice.say(`${factor} bytes`, `${factor} 字节`)
        : voice.say(`${times(factor, lengths)} bytes`, `${times(factor, lengths)} 字节`)
    return `${code(buffer.name)} (${buffer.position}) ${count > 1 ? `${count} × ` : ''}${lengths.length > 0 && count > 1 ? `(${size})` : size}`
  })
  return voice.say(
    `The buffers set up here are ${voice.list(described)}${more > 0 ? `, and ${more} more` : ''}.`,
    `这里申请的缓冲区为 ${voice.list(described)}${more > 0 ? `,另有 ${more} 个` : ''}。`,
  )
}

function unreadSentence({unread}: MemoryPlan, voice: Voice): string {
  const sized = unread.filter(({bytes}) => bytes !== '' && bytes.length <= 90)
  if (sized.length === 0) return ''
  const {shown} = some(sized, 5)
  return voice.say(
    `${voice.list(shown.map(({name, bytes}) => `${code(name)} takes ${code(bytes)} bytes`))}.`,
    `${voice.list(shown.map(({name, bytes}) => `${code(name)} 占 ${code(bytes)} 字节`))}。`,
  )
}

function sumSentence(
  source: KernelSource,
  {scope}: KernelFacts,
  {perUnit, fixed, most, lengths, parts, unread}: MemoryPlan,
  voice: Voice,
): string {
  if (most !== undefined) {
    const unit = lengths.join(' × ')
    const first = Object.entries(source.dtypes)[0]
    const generic =
      first !== undefined && scope.types.has('T') ? voice.say(` for ${first[1]} elements`, `(按 ${first[1]} 计)`) : ''
    return voice.say(
      `Together that is ${fixed > 0 ? `${fixed} + ` : ''}${round(perUnit)} × ${unit} bytes${generic}, so ${unit} must not exceed ${most} to stay within ${ubBytes} bytes; in practice less, as the host keeps a reserve.`,
      `合计 ${fixed > 0 ? `${fixed} + ` : ''}${round(perUnit)} × ${unit} 字节${generic},要不超过 ${ubBytes} 字节,${unit} 最多为 ${most};实际取值还要留出余量。`,
    )
  }
  if (unread.length === 0 && parts.length > 0 && parts.every(({lengths: own}) => own.length === 0)) {
    return fixed <= ubBytes
      ? voice.say(
          `All sizes are constants; the sum is ${fixed} bytes, which fits.`,
          `大小均为常量,合计 ${fixed} 字节,可以放下。`,
        )
      : ''
  }
  const names = [...new Set(parts.flatMap((part) => part.lengths))]
  return names.length === 0
    ? ''
    : voice.say(
        `The sum depends on ${voice.list(codes(names))}, which therefore have to be chosen by the host with this budget in mind.`,
        `总量取决于 ${voice.list(codes(names))},因此需要由 Host 侧按该预算确定。`,
      )
}

function doubleSentence({parts}: MemoryPlan, voice: Voice): string {
  const doubled = parts
    .filter(({buffer, count}) => buffer.kind === 'queue' && count === 2)
    .map(({buffer}) => buffer.name)
  const single = parts
    .filter(({buffer, count}) => buffer.kind === 'queue' && count === 1)
    .map(({buffer}) => buffer.name)
  if (doubled.length > 0)
    return voice.say(
      [
        `Two blocks per queue (${voice.list(codes(some(doubled, 4).shown))}) give double buffering: while one tile is computed, the next one is already on its way.`,
        `${voice.list(codes(some(doubled, 4).shown))} ${doubled.length > 1 ? 'have' : 'has'} two blocks, so that copying a tile overlaps with computing another.`,
      ],
      [
        `${voice.list(codes(some(doubled, 4).shown))} 各有两块内存,即 double buffer:计算当前块的同时搬运下一块。`,
        `队列 ${voice.list(codes(some(doubled, 4).shown))} 开启双缓冲,使搬运与计算重叠。`,
      ],
    )
  return single.length > 0
    ? voice.say(
        `Each queue holds one block, so copying and computing of a tile take turns, and the memory goes into longer tiles.`,
        `队列各用一块内存,搬运与计算依次进行,省下的空间留给更长的 tile。`,
      )
    : ''
}

function times(factor: number, lengths: readonly string[]): string {
  return [...(factor === 1 ? [] : [String(round(factor))]), ...lengths].join(' × ')
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
