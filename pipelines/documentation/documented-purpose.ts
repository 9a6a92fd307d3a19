import {parseBlocks} from '../../datasets/blocks.ts'
import {roleOf} from './segment.ts'
import type {Facts} from './section-facts.ts'

/**
 * What an interface does, in a sentence: if no sentence is self-contained, the first one of the section without
 * pointers to a formula or figure. A page about a type has no such section and states it first.
 */
export function documentedPurpose(markdown: string, facts: Facts): string {
  const known = purposeOf(facts)
  if (known !== '') return known
  const isTypePage = !/^\s*#/.test(markdown)
  return sectionOpening(markdown) || (isTypePage ? (facts.said.other?.[0] ?? '') : '')
}

function sectionOpening(markdown: string): string {
  let isHere = false
  for (const block of parseBlocks(markdown)) {
    if (block.kind === 'heading') isHere = roleOf(block.text) === 'function'
    if (!isHere || (block.kind !== 'paragraph' && block.kind !== 'list')) continue
    const opening = block.text
      .split(/(?<=。)|\$\$/)
      .map(withoutPointer)
      .find((sentence) => sentence.length >= 4 && !isNoPurpose.test(sentence))
    if (opening !== undefined) return opening
  }
  return ''
}

const isNoPurpose =
  /头文件|本[节章]|^(?:[图表]\s*\d|!\[|其中|针对|若|注[：:意]|\$)|^[^\p{Script=Han}]*\s=\s|^.{0,12}[：:]$/u

const pointer =
  /[，,；;]?\s*(?:具体|其)?(?:(?:计算|数学|算法)(?:公式|过程)(?:为|如下).*|如下(?:图\s*\d*)?(?:所示)?)[。：:]?$/

/** `求和，计算过程如下。` says that it sums up. */
function withoutPointer(sentence: string): string {
  const plain = sentence.replace(/!\[[^\]]*\]\([^)]*\)/g, '').trim()
  return plain
    .replace(pointer, '。')
    .replace(/(?<=.{12})：$/, '。')
    .replace(/^如[上下]?[图表]\s*\d*所示[，,]\s*/, '')
}

/** The sentence that says what the API does, if it is short. */
function purposeOf(page: Facts): string {
  const isUsable = (sentence: string) => saysWhatItDoes(sentence) && sentence.length <= 160
  const said = page.said.function ?? []
  // The text before "this interface is for" is its motivation.
  const itself = said.filter((sentence) => /(?:本|该)接口(?:主要)?(?:用于(?!调试)|用来|为)/.test(sentence))
  return (itself.length > 0 ? itself : said).find(isUsable) ?? ''
}

/** Not a definition of a symbol, not a condition. */
function saysWhatItDoes(sentence: string): boolean {
  const isCondition = /^(?:其中|当|只有当|仅当|如果|若|针对|对于|注(?!册|入|释)|本文|文中|where\b|when\b|if\b)/i.test(
    sentence,
  )
  const goesOn = /^(?:同时|并且|此外|另外|然后|而且|但|also\b|besides\b|moreover\b)/i.test(sentence)
  const isFormula = /^\$|\w\s=\s/.test(sentence)
  const isGloss = /^[^\p{Script=Han}]{1,30}(?:代表|表示|指的?是)/u.test(sentence)
  const isNaming = /称之?为|看作|是一个重要的|^[^，。]*是(?:一种|一个|一类)/.test(sentence)
  const isParameter = /^[该此本](?:参数|字段)/.test(sentence)
  const isCase = /^[^，。：]{1,14}(?:模式|场景|方式|情况)[一二三四\d]?：/.test(sentence)
  const isReference = /接口功能与(?:该|本)接口相同|建议使用[^，。]*$/.test(sentence)
  const isLabelled = /^(?:概念|定义|含义|(?:运算)?规则)：/.test(sentence)
  return (
    !isCase &&
    !isLabelled &&
    !isReference &&
    !isParameter &&
    !isNaming &&
    !isCondition &&
    !goesOn &&
    !isFormula &&
    !isGloss &&
    !isBackground.test(sentence)
  )
}

/** The situation before the interface is used: what may happen, what some of them have. */
const isBackground = new RegExp(
  [
    '都可能|可能会|^为(?:了)?保证|^不(?:调用|使用)',
    String.raw`^(?:开发者|用户)(?:可以|能够|可)?通过[A-Z]\w*类|(?:获取|设置|返回)该`,
    '^(?:某些|有些|不同的?)[^，。]{0,12}(?:场景|情况|接口|硬件|型号|指令)',
  ].join('|'),
)
