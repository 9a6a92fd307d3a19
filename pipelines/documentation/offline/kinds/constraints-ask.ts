import {elementTypesOf} from '../../element-types.ts'
import type {Facts} from '../../section-facts.ts'
import {type Base, hasWord} from '../ask-base.ts'
import {alignedElements} from '../text.ts'

/** The rules of an interface by what they are about. */
export interface ConstraintsAsk {
  kind: 'constraints'
  api: string
  isCall: boolean
  items: Rule[]
}

export interface Rule {
  text: string
  matter: Matter
  /** Parameters that it names. */
  about: string[]
  /** Element counts of the bytes that it speaks of. */
  counts: {bytes: number; dtype: string; elements: number}[]
}

export type Matter = 'behaviour' | 'alignment' | 'overlap' | 'order' | 'range' | 'type' | 'refusal' | 'place' | 'other'

/** What happens for a special value is no demand. */
export const behaviour = /NOP|空操作|不会?(?:被)?执行|(?:为|等于|=)\s*0时|no operation/i

const matters: readonly [Matter, RegExp][] = [
  ['behaviour', behaviour],
  ['overlap', /重叠|空间(?:可以|可)?复用|同一块内存|overlap/i],
  ['alignment', /对齐|整数倍|align|multiple of/i],
  ['order', /之前|之后|先调用|后调用|配对|成对|同步(?!计算|接口)|before|after|followed by|synchron/i],
  [
    'range',
    /∈|范围(?:是|为|内|：|:)|\[\s*-?\d+\s*,|不能?超过|[大小]于|最[大小](?:值?为|支持)|至少|\brange\b|at (?:mo|lea)st|less than|greater/i,
  ],
  ['type', /数据类型|(?<!\w)(?:half|float|u?int\d+_t|bfloat16_t)(?!\w)|data type/i],
  ['refusal', /不支持|不能|不允许|禁止|not supported|cannot|must not/i],
  ['place', /核函数|AIC|AIV|[Hh]ost|[Kk]ernel/],
]

const longestRules = 1600

/** All of the rules, or none: rules that are left out would make a wrong answer. */
export function constraintsAsk(own: Facts, page: Facts, {api, subject, hasNeed}: Base): ConstraintsAsk[] {
  const items = rulesOf(own.said.constraints ?? [], page)
  if ((page.unread.constraints ?? []).length > 0) return []
  const isAsked = items.length > 0 && (areTelling(items) || !hasNeed)
  return isAsked ? [{kind: 'constraints', api, isCall: subject.kind === 'api' && !subject.isType, items}] : []
}

function rulesOf(said: readonly string[], page: Facts): Rule[] {
  const names = [...new Set(page.parameters.flatMap((parameter) => parameter.names))].filter(({length}) => length > 1)
  const dtypes = elementTypesOf(page)
  return said.map((text) => ({
    text,
    matter: matterOf(text),
    about: names.filter((name) => hasWord(text, name)),
    counts: alignedElements(text, dtypes),
  }))
}

/** The 2 of MTE2 is no amount. */
const numberInText = /(?<![A-Za-z_\d])\d/

/** Rules that name parameters or amounts can be thought through; others are only told. */
function areTelling(items: readonly Rule[]): boolean {
  const isTelling = ({about, counts, text}: Rule) => about.length + counts.length > 0 || numberInText.test(text)
  const isDerived = items.some(({counts}) => counts.length > 0) || (items.length > 1 && items.some(isTelling))
  return isDerived && items.map(({text}) => text).join('').length <= longestRules
}

/** The rules that make no question of their own; none where some of them are not understood. */
export function plainRules(page: Facts): string[] {
  if ((page.unread.constraints ?? []).length > 0) return []
  const said = page.said.constraints ?? []
  return areTelling(rulesOf(said, page)) ? [] : said
}

function matterOf(text: string): Matter {
  return matters.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other'
}

/** Element counts of the rules, each once. */
export function countsIn(rules: readonly Rule[]): Rule['counts'] {
  const all = rules.flatMap(({counts}) => counts)
  return [...new Map(all.map((count) => [`${count.bytes} ${count.dtype}`, count])).values()]
}

/** What the rules are about, the commonest first. */
export function mattersOf(items: readonly Rule[]): {matter: Matter; items: Rule[]}[] {
  const found = new Map<Matter, Rule[]>()
  for (const item of items) found.set(item.matter, [...(found.get(item.matter) ?? []), item])
  return [...found]
    .map(([matter, rules]) => ({matter, items: rules}))
    .sort((a, b) => Number(a.matter === 'other') - Number(b.matter === 'other') || b.items.length - a.items.length)
}
