import type {HostFacts} from '../../../datasets/schema/code-facts.ts'
import {isSize} from '../../facts/host-sizes.ts'
import {reportedUbBytes, ubBytes} from '../../facts/memory-plan.ts'
import type {FunctionFlow, Statement} from '../../../cpp/syntax.ts'
import {flowSentence} from './flow-paragraph.ts'
import {code, codeList, paragraph, some, type Voice} from '../../../datasets/voice.ts'

/** What is asked of the platform, how much it is on this chip, and what of it stays in reserve. */
export function platformParagraph({platform, constants, known, flows}: HostFacts, voice: Voice): string {
  if (platform.length === 0) return ''
  const asked = platform.map((one) => askedOfPlatform(one, voice))
  const texts = flows.flatMap(({statements}) => statements.map(({text}) => text))
  const isTaken = (name: string) => texts.some((text) => new RegExp(`\\bub\\w*\\)? - ${name}\\b`, 'i').test(text))
  const reserve = [...constants].find(([name]) => isTaken(name))
  return paragraph(voice, [
    askingSentence(asked, voice),
    platform.includes('ub') ? bufferSentence(voice) : '',
    platform.includes('ub') ? reportedSentence(known, voice) : '',
    reserve ? reserveSentence(reserve, voice) : '',
  ])
}

function askedOfPlatform(what: HostFacts['platform'][number], voice: Voice): string {
  const [memory, workspace] = [code('GetCoreMemSize'), code('GetLibApiWorkSpaceSize')]
  switch (what) {
    case 'ub':
      return voice.say(`the size of the unified buffer (${memory})`, `UB 大小(${memory})`)
    case 'l1':
      return voice.say('the size of L1', 'L1 大小')
    case 'l0':
      return voice.say('the size of L0', 'L0 大小')
    case 'cores':
      return voice.say('the number of cores', '可用核数')
    case 'library-workspace':
      return voice.say(`the workspace of the library (${workspace})`, `库接口所需的 workspace(${workspace})`)
  }
}

function bufferSentence(voice: Voice): string {
  return voice.say(
    [
      `On Atlas A2 a vector core has ${ubBytes} bytes (192 KB) of unified buffer, which all buffers share.`,
      `The unified buffer of Atlas A2 is ${ubBytes} bytes (192 KB) per vector core: every buffer comes out of it.`,
    ],
    [
      `Atlas A2 每个矢量核的 UB 为 ${ubBytes} 字节(192 KB),核函数的所有缓冲区都从中分配。`,
      `在 Atlas A2 上 UB 为 ${ubBytes} 字节(192 KB),各缓冲区之和不能超过它。`,
    ],
  )
}

function reportedSentence(known: HostFacts['known'], voice: Voice): string {
  const texts = some(known, 4).shown.map(({statement: {target, text}, value}) => {
    const formula = code(`${target} = ${text}`)
    return voice.say(`${formula} gives ${value}`, `${formula} 得 ${value}`)
  })
  const [call, reserved] = [code('GetCoreMemSize'), ubBytes - reportedUbBytes]
  const [en, zh] = texts.length === 0 ? ['', ''] : [`; with these, ${voice.list(texts)}`, `,据此${voice.list(texts)}`]
  return voice.say(
    `${call} reports ${reportedUbBytes} of them, as the last ${reserved} are reserved${en}.`,
    `其中末尾 ${reserved} 字节保留,${call} 返回 ${reportedUbBytes} 字节${zh}。`,
  )
}

function askingSentence(asked: readonly string[], voice: Voice): string {
  const list = voice.list(asked)
  const verb = asked.length > 1 ? 'are' : 'is'
  return voice.say(
    [
      `The platform is asked for ${list}, so that the same code fits every chip of the family.`,
      `First ${list} ${verb} read from the platform instead of being written into the code.`,
    ],
    [`先向平台查询:${list},避免把芯片规格写死。`, `通过平台接口获取:${list},同一份代码可适配同系列芯片。`],
  )
}

function reserveSentence([name, value]: readonly [string, number], voice: Voice): string {
  const constant = code(`${name} = ${value}`)
  return voice.say(`Of the buffer, ${constant} stays in reserve.`, `UB 中保留 ${constant}。`)
}

/** Where shapes, types and attributes come from. */
export function inputsParagraph({inputs, attributes}: HostFacts, voice: Voice): string {
  return paragraph(voice, [
    ...inputSentences(inputs, voice),
    attributes.length > 0 ? attributesSentence(attributes, voice) : '',
  ])
}

function inputSentences({shapes, types, presence}: HostFacts['inputs'], voice: Voice): string[] {
  const isBoth = shapes.length > 0 && shapes.join() === types.join()
  return [
    isBoth ? fromInputs(shapes, ['Shape and type come', 'shape 与数据类型'], voice) : '',
    !isBoth && shapes.length > 0 ? fromInputs(shapes, ['The shape comes', 'shape '], voice) : '',
    !isBoth && types.length > 0 ? fromInputs(types, ['The type comes', '数据类型'], voice) : '',
    presence.length > 0 ? presenceSentence(presence, voice) : '',
  ]
}

function fromInputs(numbers: readonly number[], [en, zh]: readonly [string, string], voice: Voice): string {
  const list = voice.list(numbers.map(String))
  const inputs = `input${numbers.length > 1 ? 's' : ''} ${list}`
  return voice.say(`${en} from ${inputs}.`, `${zh}取自第 ${list} 个输入(从 0 计)。`)
}

function presenceSentence(numbers: readonly number[], voice: Voice): string {
  const list = voice.list(numbers.map(String))
  const inputs = `input${numbers.length > 1 ? 's' : ''} ${list}`
  return voice.say(`Of ${inputs} it only asks whether there is one.`, `第 ${list} 个输入(从 0 计)只判断是否存在。`)
}

function attributesSentence(attributes: HostFacts['attributes'], voice: Voice): string {
  const different = [...new Map(attributes.map((one) => [JSON.stringify(one), one])).values()]
  const {shown, more} = some(different, 8)
  const texts = shown.map(({name, index, type}) => {
    const [what, which] = [name === '' ? '' : code(name), type === '' ? '' : ` (${code(type)})`]
    return voice.say(`${index}${which}${what && ` as ${what}`}`, `第 ${index} 个${which}${what && `记作 ${what}`}`)
  })
  return voice.say(
    `Attributes are read by position: ${voice.list(texts)}${more > 0 ? `, and ${more} more` : ''}.`,
    `属性按位置读取(从 0 计):${voice.list(texts)}${more > 0 ? ` 等 ${different.length} 个` : ''}。`,
  )
}

/** Functions whose sizes are told step by step; of the others only that they are there. */
const mostFunctions = 6

/**
 * Statements of a function that are told: sizes, what else the same variables are given, as by the other arm of a
 * branch or the bytes of a memory, and which number a function of sizes gives back.
 */
function sizesOf({statements, returns}: FunctionFlow): (one: Statement) => boolean {
  const sizes = statements.filter(isSize)
  const targets = new Set(sizes.flatMap(({kind, target}) => (kind === 'value' ? [target] : [])))
  const givesNumber = sizes.length > 0 && numberType.test(returns)
  return (one) => {
    if (isSize(one)) return true
    if (one.call?.name === 'GetCoreMemSize') return targets.has(one.call.args[1] ?? '')
    if (/["{;]/.test(one.text) || one.text.length > 160) return false
    return one.kind === 'value' ? targets.has(one.target) && one.text !== '' : one.kind === 'return' && givesNumber
  }
}

const numberType = /^(?:(?:static|inline|const|constexpr)\s+)*(?:u?int\d*(?:_t)?|size_t|long|auto|T)$/

/** A `%` may as well place a group or align a length; the name of what takes the result tells. */
const asksForRest = /tail|remain|rest|last|former/i

/** The arithmetic of the split, function by function, each step with the condition on which it runs. */
export function formulaParagraph({flows, constants, sets}: HostFacts, voice: Voice): string {
  const told = flows.flatMap((flow) => {
    const sentence = flowSentence(flow, voice, {most: 16, keep: sizesOf(flow)})
    return sentence === '' ? [] : [{flow, sentence}]
  })
  const {shown} = some(told, mostFunctions)
  if (shown.length === 0) return ''
  const sizes = shown.flatMap(({flow}) => flow.statements.filter(isSize))
  // The values that fields are set to are told next.
  const texts = [...shown.map(({sentence}) => sentence), ...sets.map(({value}) => value)]
  const isUsed = (name: string) => texts.some((text) => new RegExp(`\\b${name}\\b`).test(text))
  const used = [...constants].filter(([name]) => isUsed(name)).map(([name, value]) => `${name} = ${value}`)
  return paragraph(voice, [
    arithmeticSentence(voice),
    ...shown.map(({sentence}) => sentence),
    furtherSentence(told.slice(mostFunctions), voice),
    used.length > 0 ? constantsSentence(used, voice) : '',
    sizes.some(({target, text}) => /\s%\s/.test(text) && asksForRest.test(target)) ? remainderSentence(voice) : '',
    minimumSentence(sizes, voice),
  ])
}

function arithmeticSentence(voice: Voice): string {
  return voice.say(
    ['The sizes follow step by step.', 'Now the arithmetic.', 'From there the sizes can be computed.'],
    ['各项长度的计算如下。', '据此逐步推出各个长度。', '然后计算各项大小。'],
  )
}

function furtherSentence(rest: readonly {flow: FunctionFlow}[], voice: Voice): string {
  if (rest.length === 0) return ''
  const list = codeList([...new Set(rest.map(({flow}) => flow.name))], voice)
  return voice.say(`Further sizes are computed in ${list}.`, `${list} 中还有其他长度的计算。`)
}

function constantsSentence(constants: readonly string[], voice: Voice): string {
  const {shown, more} = some(constants, 8)
  const list = codeList(shown, voice)
  return voice.say(`Here ${list}${more > 0 ? ', among others' : ''}.`, `其中 ${list}${more > 0 ? ' 等' : ''}。`)
}

function remainderSentence(voice: Voice): string {
  return voice.say(
    'The remainder is kept apart, since shapes need not divide evenly.',
    '余数单独保存,因为 shape 不一定能整除。',
  )
}

const coreBound = /\bmin(?:<[^<>]*>)?\([^?]*\b\w*(?:core_?num|num_?cores?|cores)\w*\)*(?:, [^?]*)?\)$/i

/** A number of cores that is bounded by those that the chip has. */
function minimumSentence(sizes: readonly Statement[], voice: Voice): string {
  const bounded = sizes.find(
    ({target, text}) => coreBound.test(text) && /core|block_?(?:num|dim)/i.test(target) && !/per_?core/i.test(text),
  )
  if (!bounded) return ''
  const name = code(bounded.target)
  return voice.say(
    `The minimum keeps ${name} within the cores that there are.`,
    `取最小值使 ${name} 不超过可用的核数。`,
  )
}
