import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import type {KernelFacts} from '../kernel-facts.ts'
import {type MemoryPlan, memoryPlans, ubBytes} from '../memory-plan.ts'
import {code, codeList, paragraph, some, type Voice} from './say.ts'

/** Classes whose memory is told one by one. */
const mostClasses = 3

/** Buffers with their bytes, the sum, and how long a tile may get: class by class. */
export function memoryParagraph(source: OperatorSource, facts: KernelFacts, voice: Voice): string {
  const plans = memoryPlans(facts).filter(({parts, unread}) => parts.length + unread.length > 0)
  if (plans.length === 0) return ''
  const elsewhere = source.dependencies.filter(({text}) => /\bInitBuffer\s*\(/.test(text)).map(({path}) => path)
  const {shown} = some(plans, mostClasses)
  return paragraph(voice, [
    budgetSentence(voice),
    ...shown.flatMap((plan) => [
      partsSentence(plan, plans.length > 1, voice),
      unreadSentence(plan, voice),
      elsewhere.length > 0 ? '' : sumSentence(source, facts, plan, voice),
    ]),
    elsewhere.length > 0 ? elsewhereSentence(elsewhere, voice) : '',
    queuesSentence(plans, voice),
  ])
}

function budgetSentence(voice: Voice): string {
  return voice.say(
    [
      [
        `Then the unified buffer: a vector core of Atlas A2 has ${ubBytes} bytes of it,`,
        'shared by all queues and temporary buffers.',
      ].join(' '),
      [
        `Now the memory plan. One vector core has ${ubBytes} bytes (192 KB) of unified buffer,`,
        'and everything must fit at once.',
      ].join(' '),
    ],
    [
      `然后规划 UB:Atlas A2 的每个矢量核有 ${ubBytes} 字节,由所有队列和临时缓冲区共享。`,
      `接下来做内存规划。单个矢量核的 UB 为 ${ubBytes} 字节(192 KB),所有缓冲区要同时放得下。`,
    ],
  )
}

/** Classes of other files allocate too, so the sum of what stands here would be no bound. */
function elsewhereSentence(paths: readonly string[], voice: Voice): string {
  const names = codeList(some(paths, 3).shown, voice)
  return voice.say(
    `To these come the buffers that ${names} sets up for itself; only together they have to fit.`,
    `此外 ${names} 会自行申请缓冲区,须与这里的合计后一起放得下。`,
  )
}

function partsSentence({owner, parts}: MemoryPlan, isOneOfSeveral: boolean, voice: Voice): string {
  if (parts.length === 0) return ''
  const {shown, more} = some(parts, 8)
  const list = voice.list(shown.map((part) => partText(part, voice)))
  const where = isOneOfSeveral && owner !== '' ? code(owner) : ''
  return voice.say(
    `The buffers set up ${where === '' ? 'here' : `by ${where}`} are ${list}${more > 0 ? `, and ${more} more` : ''}.`,
    `${where === '' ? '这里' : `${where} `}申请的缓冲区为 ${list}${more > 0 ? `,另有 ${more} 个` : ''}。`,
  )
}

/** `inQueueX (VECIN) 2 × (4 × tileLength bytes)`. */
function partText({buffer, count, factor, lengths}: MemoryPlan['parts'][number], voice: Voice): string {
  const amount = lengths.length === 0 ? String(factor) : times(factor, lengths)
  const size = voice.say(`${amount} bytes`, `${amount} 字节`)
  const blocks = count > 1 ? `${count} × ` : ''
  return `${code(buffer.name)} (${buffer.position}) ${blocks}${lengths.length > 0 && count > 1 ? `(${size})` : size}`
}

function unreadSentence({unread}: MemoryPlan, voice: Voice): string {
  const sized = unread.filter(({bytes}) => bytes !== '' && bytes.length <= 90)
  if (sized.length === 0) return ''
  const texts = some(sized, 5).shown.map(({name, bytes}) =>
    voice.say(`${code(name)} takes ${code(bytes)} bytes`, `${code(name)} 占 ${code(bytes)} 字节`),
  )
  return voice.say(`${voice.list(texts)}.`, `${voice.list(texts)}。`)
}

function sumSentence(source: OperatorSource, {scope}: KernelFacts, plan: MemoryPlan, voice: Voice): string {
  const {certain, fixed, most, parts, unread} = plan
  if (!certain) return byCaseSentence(voice)
  if (most !== undefined) {
    const [dtype] = scope.types.has('T') ? Object.values(source.dtypes) : []
    return boundSentence(plan, most, dtype, voice)
  }
  const isConstant = unread.length === 0 && parts.length > 0 && parts.every(({lengths}) => lengths.length === 0)
  if (isConstant) return fixed <= ubBytes ? constantSentence(fixed, voice) : ''
  const names = [...new Set(parts.flatMap(({lengths}) => lengths))]
  return names.length === 0 ? '' : dependsSentence(names, voice)
}

function boundSentence(
  {perUnit, fixed, lengths}: MemoryPlan,
  most: number,
  dtype: string | undefined,
  voice: Voice,
): string {
  const unit = lengths.join(' × ')
  const sum = `${fixed > 0 ? `${fixed} + ` : ''}${round(perUnit)} × ${unit}`
  const generic = dtype === undefined ? '' : voice.say(` for ${dtype} elements`, `(按 ${dtype} 计)`)
  return voice.say(
    [
      `Together that is ${sum} bytes${generic}, so ${unit} must not exceed ${most} to stay within ${ubBytes} bytes;`,
      'in practice less, as the host keeps a reserve.',
    ].join(' '),
    `合计 ${sum} 字节${generic},要不超过 ${ubBytes} 字节,${unit} 最多为 ${most};实际取值还要留出余量。`,
  )
}

function constantSentence(fixed: number, voice: Voice): string {
  return voice.say(
    `All sizes are constants; the sum is ${fixed} bytes, which fits.`,
    `大小均为常量,合计 ${fixed} 字节,可以放下。`,
  )
}

function dependsSentence(names: readonly string[], voice: Voice): string {
  const list = codeList(names, voice)
  return voice.say(
    `The sum depends on ${list}, which therefore have to be chosen by the host with this budget in mind.`,
    `总量取决于 ${list},因此需要由 Host 侧按该预算确定。`,
  )
}

function byCaseSentence(voice: Voice): string {
  return voice.say(
    'Which of them are set up, or how long they are, depends on the case, so each case has to fit by itself.',
    '其中申请哪些、各占多大因情况而异,每种情况都要分别放得下。',
  )
}

function queuesSentence(plans: readonly MemoryPlan[], voice: Voice): string {
  const queues = plans.flatMap(({parts}) => parts).filter(({buffer}) => buffer.kind === 'queue')
  const queuesOf = (blocks: number) => [
    ...new Set(queues.filter(({count}) => count === blocks).map(({buffer}) => buffer.name)),
  ]
  const doubled = queuesOf(2)
  if (doubled.length > 0) return doubleSentence(doubled, voice)
  return queues.length > 0 && queuesOf(1).length > 0 ? singleSentence(voice) : ''
}

function doubleSentence(queues: readonly string[], voice: Voice): string {
  const list = codeList(some(queues, 4).shown, voice)
  return voice.say(
    [
      [
        `Two blocks per queue (${list}) give double buffering:`,
        'while one tile is computed, the next one is already on its way.',
      ].join(' '),
      [
        `${list} ${queues.length > 1 ? 'have' : 'has'} two blocks,`,
        'so that copying a tile overlaps with computing another.',
      ].join(' '),
    ],
    [
      `${list} 各有两块内存,即 double buffer:计算当前块的同时搬运下一块。`,
      `队列 ${list} 开启双缓冲,使搬运与计算重叠。`,
    ],
  )
}

function singleSentence(voice: Voice): string {
  return voice.say(
    [
      'Each queue holds one block, so copying and computing of a tile take turns,',
      'and the memory goes into longer tiles.',
    ].join(' '),
    '队列各用一块内存,搬运与计算依次进行,省下的空间留给更长的 tile。',
  )
}

function times(factor: number, lengths: readonly string[]): string {
  return [...(factor === 1 ? [] : [String(round(factor))]), ...lengths].join(' × ')
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
