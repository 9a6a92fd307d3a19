import type {DocSection} from '../../../datasets/schema/document.ts'
import type {Facts} from '../section-facts.ts'
import {weight} from '../sentences.ts'
import type {Subject} from './page-subject.ts'

/** What every question about an interface starts from. */
export interface Base {
  api: string
  subject: Subject
  /** Whether the page says what the interface does: that question takes in what is too little for one of its own. */
  hasNeed: boolean
}

/**
 * The page's title, with the class or family that it belongs to where the title alone is common to several pages:
 * `Init` of a dozen classes, `GetTiling` of as many.
 */
export function displayName(section: DocSection): string {
  const family = section.origin.path.split('/').at(-2) ?? ''
  const isFamily = /^[A-Z][a-z]*[A-Z]\w*$/.test(family) || /(?:侧接口|类)$/.test(family)
  if (!isFamily || family === section.page || !/^[A-Za-z_]\w*$/.test(section.page)) return section.page
  return section.language === 'zh' ? `${section.page}（${family}）` : `${section.page} (${family})`
}

/** The sentence that says what the API does, if it is short enough for a question. */
export function purposeOf(page: Facts): string {
  const isUsable = (sentence: string) => saysWhatItDoes(sentence) && sentence.length <= 160
  const said = page.said.function ?? []
  // What stands before "this interface is for" is the ground that it stands on.
  const itself = said.filter((sentence) => /(?:本|该)接口(?:主要)?(?:用于(?!调试)|用来|为)/.test(sentence))
  return (itself.length > 0 ? itself : said).find(isUsable) ?? ''
}

/** Not a definition of a symbol, not a condition. */

export function saysWhatItDoes(sentence: string): boolean {
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

/** How things stand before the interface comes in: what may happen, what some of them have. */
const isBackground = new RegExp(
  [
    '都可能|可能会|^为(?:了)?保证|^不(?:调用|使用)',
    String.raw`^(?:开发者|用户)(?:可以|能够|可)?通过[A-Z]\w*类|(?:获取|设置|返回)该`,
    '^(?:某些|有些|不同的?)[^，。]{0,12}(?:场景|情况|接口|硬件|型号|指令)',
  ].join('|'),
)

/** The lines that name one of the names as a word of its own. */
export function mentioning(lines: readonly string[], names: readonly string[]): string[] {
  return lines.filter((line) => names.some((name) => name.length > 1 && hasWord(line, name)))
}

export function hasWord(text: string, word: string): boolean {
  return new RegExp(`(?<![\\w])${word}(?![\\w])`).test(text)
}

/** The sentences that bind most, at most `count` of them, in the order of the page. */
export function mostBinding(sentences: readonly string[], count: number): string[] {
  return sentences
    .map((text, index) => ({text, index}))
    .sort((a, b) => weight(b.text) - weight(a.text) || a.index - b.index)
    .slice(0, count)
    .sort((a, b) => a.index - b.index)
    .map(({text}) => text)
}

/** A rule in the words of a description, "调用X时，N必须为512的倍数" beside "N必须为512的倍数", or on the start alone. */
export function isToldBy(rule: string, meaning: readonly string[]): boolean {
  const told = meaning.map(bare).join('')
  if (isSameStart(startRule.exec(rule.trim()), startTold.exec(meaning.join('\n')))) return true
  return [rule, rule.replace(/^[^，,]*[，,]/, '')].map(bare).some((text) => text.length > 5 && told.includes(text))
}

const startRule =
  /^[^，,；;。]*起始地址(?:必须|需要?|应)?(\d+)\s*字节对齐。?$|^the start address(?:es)? of [^,;.]+ must be (\d+)-byte aligned\.?$/i
const startTold = /起始地址(?:必须|需要?|应)?(\d+)\s*字节对齐|start address must be (\d+)-byte aligned/i

function isSameStart(rule: RegExpExecArray | null, told: RegExpExecArray | null): boolean {
  return rule !== null && (rule[1] ?? rule[2]) === (told?.[1] ?? told?.[2])
}

function bare(text: string): string {
  return text.replace(/[\s`，,。.；;：:]/g, '')
}
