import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {type MemoryPlan, memoryPlans, scopeOfFacts, ubBytes} from '../../facts/memory-plan.ts'
import {evaluate, type Scope} from '../../../cpp/expressions.ts'
import {dtypeOfParameter, typeParameters} from '../../../cpp/scope.ts'
import {code, codeList, paragraph, some, type Voice} from '../../../datasets/voice.ts'

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
      partsSentence(plan, plans.length > 1, byType(source, facts, plan).dtype, voice),
      unreadSentence(plan, scopeOfFacts(facts), voice),
      caseSentence(plan, voice),
      elsewhere.length > 0 || !plan.certain ? '' : sumSentence(source, facts, plan, voice),
    ]),
    elsewhere.length > 0 ? elsewhereSentence(elsewhere, voice) : '',
    queuesSentence(facts, voice),
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
  const set = paths.length > 1 ? 'set up for themselves' : 'sets up for itself'
  return voice.say(
    `To these come the buffers that ${names} ${set}; only together they have to fit.`,
    `此外 ${names} 会自行申请缓冲区,须与这里的合计后一起放得下。`,
  )
}

function partsSentence(
  {owner, parts}: MemoryPlan,
  isOneOfSeveral: boolean,
  dtype: string | undefined,
  voice: Voice,
): string {
  if (parts.length === 0) return ''
  const {shown, more} = some(parts, 8)
  const list = voice.list(shown.map((part) => partText(part, voice)))
  const counted = dtype ? voice.say(`, counted for ${dtype},`, `(按 ${dtype} 计)`) : ''
  const rest = more > 0 ? voice.say(`, and ${more} more`, `,另有 ${more} 个`) : ''
  const where = isOneOfSeveral && owner !== '' ? code(owner) : ''
  return voice.say(
    `The buffers set up ${where === '' ? 'here' : `by ${where}`}${counted} are ${list}${rest}.`,
    `${where === '' ? '这里' : `${where} `}申请的缓冲区${counted}为 ${list}${rest}。`,
  )
}

/** `inQueueX (VECIN) 2 × (4 × tileLength bytes)`. */
function partText({buffer, count, factor, lengths}: MemoryPlan['parts'][number], voice: Voice): string {
  const amount = lengths.length === 0 ? String(factor) : times(factor, lengths)
  const size = voice.say(`${amount} bytes`, `${amount} 字节`)
  const blocks = count > 1 ? `${count} × ` : ''
  return `${code(buffer.name)} (${buffer.position}) ${blocks}${lengths.length > 0 && count > 1 ? `(${size})` : size}`
}

function unreadSentence({unread}: MemoryPlan, scope: Scope, voice: Voice): string {
  const sized = unread.filter(({bytes}) => bytes !== '' && bytes.length <= 90)
  if (sized.length === 0) return ''
  const texts = some(sized, 5).shown.map(({name, count, bytes}) => {
    const blocks = evaluate(count, scope) ?? code(count)
    const amount = `${blocks === 1 ? '' : `${blocks} × `}${code(bytes)}`
    return voice.say(`${code(name)} takes ${amount} bytes`, `${code(name)} 占 ${amount} 字节`)
  })
  return voice.say(`${voice.list(texts)}.`, `${voice.list(texts)}。`)
}

function sumSentence(source: OperatorSource, facts: KernelFacts, plan: MemoryPlan, voice: Voice): string {
  const {fixed, most, parts, unread, isBase, bases} = plan
  if (isBase) return ''
  if (most !== undefined) {
    return boundSentence(plan, most, byType(source, facts, plan), voice)
  }
  const isConstant =
    unread.length === 0 && parts.length > 0 && parts.every(({lengths}) => lengths.length === 0) && bases.length === 0
  if (isConstant) return fixed <= ubBytes ? constantSentence(fixed, voice) : ''
  const names = [...new Set(parts.flatMap(({lengths}) => lengths))]
  return names.length === 0 || unread.length > 0 ? '' : dependsSentence(names, voice)
}

function boundSentence(
  {perUnit, fixed, lengths, bases}: MemoryPlan,
  most: number,
  byType: ByType,
  voice: Voice,
): string {
  const unit = lengths.join(' × ')
  const sum = `${fixed > 0 ? `${fixed} + ` : ''}${round(perUnit)} × ${unit}`
  const {dtype, others} = byType
  const generic = dtype === undefined ? '' : voice.say(` for ${dtype} elements`, `(按 ${dtype} 计)`)
  const base = bases.length === 0 ? '' : codeList(bases, voice)
  const whole =
    base === ''
      ? voice.say('Together that is', '合计')
      : voice.say(`With what ${base} sets up that is`, `加上 ${base} 申请的,合计`)
  const isRounded = (most + 1) * perUnit + fixed <= ubBytes
  const [en, zh] = isRounded ? [' once each buffer is rounded up to 32 bytes', '每块按 32 字节向上取整后'] : ['', '']
  return `${voice.say(
    `${whole} ${sum} bytes${generic}, so ${unit} must not exceed ${most} to stay within ${ubBytes} bytes${en}.`,
    `${whole} ${sum} 字节${generic},${zh}要不超过 ${ubBytes} 字节,${unit} 最多为 ${most}。`,
  )}${othersSentence(others, unit, voice)}`
}

/** How far a sum depends on the element type. */
interface ByType {
  /** The type that the sum was made for; undefined where it holds for all. */
  dtype: string | undefined
  /** Elements of other widths: bytes per unit and the longest that fits. */
  others: {bytes: number; perUnit: number; most: number}[]
}

const typeParameter = /\bsizeof\(\s*(\w+)\s*\)/g

/** Sums again for elements of other widths, where the sizes name exactly one type parameter. */
function byType({dtypes}: OperatorSource, facts: KernelFacts, plan: MemoryPlan): ByType {
  const named = plan.sizes.flatMap((bytes) => [...bytes.matchAll(typeParameter)].map(([, name = '']) => name))
  const types = new Map(facts.types)
  const variable = [...new Set(named)].filter((name) => types.has(name))
  const [only = ''] = variable
  if (variable.length === 0) return {dtype: undefined, others: []}
  const typeOf = (name: string) => {
    const siblings = facts.classes.map(({templates}) => typeParameters(templates)).filter((one) => one.includes(name))
    return (
      dtypeOfParameter(
        name,
        siblings.some(({length}) => length === 1),
        dtypes,
      ) ?? []
    )
  }
  const dtype = [...new Set(variable.flatMap(typeOf))].join('/')
  if (variable.length > 1 || /^DTYPE_/.test(only)) return {dtype, others: []}
  const others = [2, 4].flatMap((bytes) => {
    if (bytes === types.get(only)) return []
    const same = memoryPlans({...facts, types: [...facts.types, [only, bytes]]}).find(({owner}) => owner === plan.owner)
    return same?.most === undefined ? [] : [{bytes, perUnit: same.perUnit, most: same.most}]
  })
  return {dtype, others}
}

function othersSentence(others: ByType['others'], unit: string, voice: Voice): string {
  if (others.length === 0) return ''
  const texts = others.map(({bytes, perUnit, most}) =>
    voice.say(
      `elements of ${bytes} bytes it would be ${round(perUnit)} × ${unit}, at most ${most}`,
      `元素为 ${bytes} 字节,则为 ${round(perUnit)} × ${unit},最多 ${most}`,
    ),
  )
  return voice.say(` For ${voice.list(texts)}.`, `若${voice.list(texts)}。`)
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
    `The sum depends on ${list} and must stay within the ${ubBytes} bytes.`,
    `总量取决于 ${list},须不超过 ${ubBytes} 字节。`,
  )
}

/** Why what stands here is no sum: buffers of other cases, or of another phase. */
function caseSentence({byCase, isReset, isBase}: MemoryPlan, voice: Voice): string {
  if (isReset) return resetSentence(voice)
  if (byCase.length === 0 || isBase) return ''
  const {shown, more} = some(byCase, 6)
  const list = codeList(shown, voice)
  return voice.say(
    [
      `Whether ${list}${more > 0 ? ` and ${more} more` : ''} ${byCase.length > 1 ? 'are' : 'is'} set up,`,
      `or how large ${byCase.length > 1 ? 'they are' : 'it is'}, depends on the case; each case has to fit by itself.`,
    ].join(' '),
    `${list}${more > 0 ? ` 等 ${byCase.length} 个` : ''}是否申请、占多大因情况而异,每种情况都要分别放得下。`,
  )
}

function resetSentence(voice: Voice): string {
  const reset = code('Reset')
  return voice.say(
    `${reset} gives all memory of the pipe back in between, so the buffers of each phase have to fit by themselves.`,
    `中途用 ${reset} 归还 pipe 的全部内存,因此每个阶段的缓冲区分别放得下即可。`,
  )
}

/** Queues by their number of blocks. */
function queuesSentence({buffers, constants, types}: KernelFacts, voice: Voice): string {
  // A queue that nobody sets up has no block; its depth says nothing of them.
  const queues = buffers.filter(
    ({kind, position, bytes}) => kind === 'queue' && bytes !== '' && /^(?:VECIN|VECOUT|VECCALC)$/.test(position),
  )
  const counts = queues.map(({name, count}) => ({name, count: evaluate(count, scopeOfFacts({constants, types}))}))
  const doubled = [...new Set(counts.filter(({count}) => count === 2).map(({name}) => name))]
  if (doubled.length > 0) return doubleSentence(doubled, voice)
  return counts.length > 0 && counts.every(({count}) => count === 1) ? singleSentence(voice) : ''
}

function doubleSentence(queues: readonly string[], voice: Voice): string {
  const {shown, more} = some(queues, 6)
  const rest = more > 0 ? voice.say(` and ${more} more`, ` 等 ${queues.length} 个队列`) : ''
  const list = `${codeList(shown, voice)}${rest}`
  const have = queues.length > 1 ? 'have' : 'has'
  return voice.say(
    [
      `Two blocks per queue (${list}) give double buffering: the next tile can be copied while one is still in use.`,
      `${list} ${have} two blocks, so that copying a tile overlaps with computing another.`,
    ],
    [
      `${list} 各有两块内存,即 double buffer:一块还在使用时即可搬运下一块。`,
      `队列 ${list} 开启双缓冲,使搬运与计算重叠。`,
    ],
  )
}

function singleSentence(voice: Voice): string {
  return voice.say(
    'Each queue holds one block: the next tile can be copied only when the one before is freed.',
    '队列各用一块内存:前一块释放之后才能搬运下一块。',
  )
}

function times(factor: number, lengths: readonly string[]): string {
  return [...(factor === 1 ? [] : [String(round(factor))]), ...lengths].join(' × ')
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
