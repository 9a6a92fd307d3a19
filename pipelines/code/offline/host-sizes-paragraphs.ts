import type {HostFacts} from '../host-facts.ts'
import {code, codeList, paragraph, some, type Voice} from './say.ts'

/** What is asked of the platform, and what of it stays in reserve. */
export function platformParagraph({platform, constants}: HostFacts, voice: Voice): string {
  if (platform.length === 0) return ''
  const asked = platform.map((one) => askedOfPlatform(one, voice))
  const reserve = [...constants].find(([name]) => /RESERVE|REMAIN.*UB|UB.*RESERV/i.test(name))
  return paragraph(voice, [askingSentence(asked, voice), reserve ? reserveSentence(reserve, voice) : ''])
}

function askedOfPlatform(what: HostFacts['platform'][number], voice: Voice): string {
  const [memory, workspace] = [code('GetCoreMemSize'), code('GetLibApiWorkSpaceSize')]
  switch (what) {
    case 'ub':
      return voice.say(`the size of the unified buffer (${memory})`, `UB 大小(${memory})`)
    case 'cores':
      return voice.say('the number of cores', '可用核数')
    case 'library-workspace':
      return voice.say(`the workspace of the library (${workspace})`, `库接口所需的 workspace(${workspace})`)
  }
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
    inputs.length > 0 ? inputsSentence(inputs, voice) : '',
    attributes.length > 0 ? attributesSentence(attributes, voice) : '',
  ])
}

function inputsSentence(inputs: readonly number[], voice: Voice): string {
  const list = voice.list(inputs.map(String))
  return voice.say(
    `Shape and type come from input${inputs.length > 1 ? 's' : ''} ${list}.`,
    `shape 与数据类型取自第 ${list} 个输入(从 0 计)。`,
  )
}

function attributesSentence(attributes: HostFacts['attributes'], voice: Voice): string {
  const {shown} = some(attributes, 6)
  const positions = shown.map(({index, type}) => (type === '' ? index : `${index}: ${type}`))
  const list = codeList(positions, voice)
  return voice.say(`Attributes are read by position: ${list}.`, `属性按位置读取:${list}。`)
}

/** A `%` may as well place a group or align a length; the name of what takes the result tells. */
const asksForRest = /tail|remain|rest|last|former/i

/** The arithmetic of the split. */
export function formulaParagraph({formulas, constants}: HostFacts, voice: Voice): string {
  if (formulas.length === 0) return ''
  const {shown} = some(formulas, 7)
  const values = shown.map(({value}) => value)
  const isUsed = (name: string) => values.some((value) => new RegExp(`\\b${name}\\b`).test(value))
  const used = [...constants].filter(([name]) => isUsed(name)).map(([name, value]) => `${name} = ${value}`)
  const isRemainder = ({name, value}: HostFacts['formulas'][number]) => /\s%\s/.test(value) && asksForRest.test(name)
  const hasRemainder = formulas.some(isRemainder)
  const isBounded = values.some((value) => /\bmin\(/.test(value) && /core|blockDim/i.test(value))
  return paragraph(voice, [
    arithmeticSentence(voice),
    formulasSentence(formulas, voice),
    used.length > 0 ? constantsSentence(used, voice) : '',
    hasRemainder ? remainderSentence(voice) : '',
    isBounded ? minimumSentence(voice) : '',
  ])
}

function arithmeticSentence(voice: Voice): string {
  return voice.say(
    ['The sizes follow step by step:', 'Now the arithmetic of the split:', 'With that the cutting can be computed:'],
    ['切分相关的计算如下:', '据此逐步推出各个长度:', '切分公式依次为:'],
  )
}

function formulasSentence(formulas: HostFacts['formulas'], voice: Voice): string {
  const {shown, more} = some(formulas, 7)
  const texts = shown.map(({name, operator, value}) => code(`${name} ${operator} ${value}`))
  return voice.say(
    `${texts.join('; ')}${more > 0 ? `; and ${more} more of this kind` : ''}.`,
    `${texts.join(';')}${more > 0 ? `;另有 ${more} 条` : ''}。`,
  )
}

function constantsSentence(constants: readonly string[], voice: Voice): string {
  const list = codeList(some(constants, 5).shown, voice)
  return voice.say(`Here ${list}.`, `其中 ${list}。`)
}

function remainderSentence(voice: Voice): string {
  return voice.say(
    'The remainder is kept apart, since shapes need not divide evenly.',
    '余数单独保存,因为 shape 不一定能整除。',
  )
}

function minimumSentence(voice: Voice): string {
  return voice.say(
    'The minimum keeps small shapes from using more cores than there is data.',
    '取最小值可以避免小 shape 使用过多的核。',
  )
}
