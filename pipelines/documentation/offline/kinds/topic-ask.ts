import type {DocSection, Evidence} from '../../../../datasets/schema/document.ts'
import type {ExampleFact, Facts, Passage} from '../../section-facts.ts'
import {isDeclarations, stripComments} from '../../snippet.ts'
import {weight} from '../../sentences.ts'
import {wordsOf} from '../../skeleton.ts'
import {mostBinding} from '../ask-base.ts'
import {apisIn, isWholeCode} from '../listing.ts'
import {type CalledFact, calledIn} from './called.ts'

/** A part of a guide: why something is so, from which follows what is to be done. */
export interface TopicAsk {
  kind: 'topic'
  page: string
  heading: string
  shape: TopicShape
  /** Interfaces that the points speak of. */
  names: string[]
  /** What the reasoning starts from: reasons and what things are. */
  because: string[]
  /** What follows. */
  points: string[]
}

/** What the answer tells, which decides how it is asked for. */
type TopicShape = 'difference' | 'steps' | 'how' | 'names' | 'rules' | 'meaning' | 'points'

/** A listing of a guide. */
export interface TopicCodeAsk {
  kind: 'topic-code'
  page: string
  heading: string
  example: ExampleFact
  apis: string[]
  /** What other pages say that these do. */
  called: CalledFact[]
  because: string[]
  points: string[]
}

/**
 * A guide is asked by its headings: prose is answered by the paragraphs and lists that bind most, each of them whole;
 * a listing is asked for and explained by what it calls and by what the text says about it.
 */
export function topicAsks(section: DocSection, own: Facts): (TopicAsk | TopicCodeAsk)[] {
  const evidence = section.evidence ?? []
  // A chapter on what only another architecture has.
  if (section.headings.some((heading) => /3510|Reg矢量|SIMT|新架构/.test(heading))) return []
  const base = {page: topicName(section), heading: section.headings.slice(1).at(-1) ?? ''}
  return [...codeAsks(section, own, base, evidence), ...proseAsk(section, own, base)]
}

type Place = Pick<TopicAsk, 'page' | 'heading'>

function codeAsks(section: DocSection, own: Facts, base: Place, evidence: readonly Evidence[]): TopicCodeAsk[] {
  // Of several listings it is not told which one a sentence is about.
  const said = own.examples.length > 1 ? [] : (own.said[section.role] ?? []).filter(isSentence)
  const general = said.filter((point) => point.length <= 200 && !/^(?:例如|比如|for example)/i.test(point))
  const because = general.filter((sentence) => isReason(sentence, reason)).slice(0, 3)
  const points = mostBinding(
    general.filter((point) => !because.includes(point)),
    3,
  )
  const whole = own.examples.filter(teachesCode)
  // One listing of several is asked for by what stands before it: the section's title is about them all.
  return whole
    .filter(({lead}) => own.examples.length === 1 || (lead.length >= 8 && isTask.test(lead)))
    .slice(0, 2)
    .map((example) => ({
      kind: 'topic-code',
      ...base,
      example,
      apis: apisIn(example.code),
      called: calledIn(example.code, evidence),
      because,
      points,
    }))
}

/** Words that say what is done. */
const isTask =
  /[将把从向]|对[^齐]|通过|如果|需要|使用|调用|设置|传入|开启|\b(?:with|uses?|calls?|sets?|copies|moves)\b/i

const shortestTopic = 30
const longestTopic = 1600

function proseAsk(section: DocSection, own: Facts, base: Place): TopicAsk[] {
  const chosen = mainPassages(own.passages[section.role] ?? [])
  const because = chosen.flatMap((passage) => passage.filter((sentence) => isGround(sentence, passage))).slice(0, 4)
  const points = [...new Set(chosen.flat())].filter((sentence) => !because.includes(sentence))
  const length = points.join('').length
  if (because.length === 0 || points.length < 2 || length < shortestTopic || length > longestTopic) return []
  const names = namesIn(points.join(' '))
  return [{kind: 'topic', ...base, shape: shapeOf(base.heading || base.page, points, names), names, because, points}]
}

/** Passages by how much they bind, in the order of the page, until three quarters of all sentences are there. */
function mainPassages(passages: readonly Passage[]): string[][] {
  const all = passages.map(({said, isCut}) => ({said: said.filter(isSentence), isCut}))
  const kept = all.flatMap(({said, isCut}) => (isCut || said.length === 0 ? [] : [said]))
  const total = all.flatMap(({said}) => said).length
  // What is left of a text that was mostly not understood is not its main points.
  if (kept.flat().length * 4 < total * 3) return []
  const binding = kept.map((passage, index) => ({passage, index, score: Math.max(...passage.map(weight))}))
  const chosen: typeof binding = []
  for (const one of binding.sort((a, b) => b.score - a.score || a.index - b.index))
    if (chosen.flatMap(({passage}) => passage).length * 4 < total * 3) chosen.push(one)
  return chosen.sort((a, b) => a.index - b.index).map(({passage}) => passage)
}

const reason =
  /由于|因为|所以|因此|为了|导致|造成|从而|避免|浪费|瓶颈|耗时|开销|性能|效率|带宽|并行|because|since|so that|therefore|avoid|overhead|latency/i
const whatIs = /^[^，。]{1,30}(?:是|指|表示|负责)|\b(?:is|are|means) (?:a|an|the)\b/i
const demand = /必须|需要|应当|应该|建议|不能|不允许|请|\b(?:must|should|needs?|never)\b/i
/** Words of the page's that a reasoning may say in a row. */
const longestReason = 60

/** A reason, or what something is; one definition of a list is part of what the list tells. */
function isGround(sentence: string, passage: readonly string[]): boolean {
  // A list is told as one: its items do not bear each other out.
  return (passage.length <= 3 && isReason(sentence, reason)) || (passage.length <= 2 && isReason(sentence, whatIs))
}

/** What explains without demanding anything: the ground that a rule follows from. */
function isReason(sentence: string, explains: RegExp): boolean {
  const isInstance = /^(?:例如|比如|如(?!果|何)|for example|e\.g\.)/i.test(sentence)
  // A condition and what follows from it are told together, or the answer would hold without it.
  if (/^(?:当|如果|若|在.{1,30}(?:时|下)，|when\b|if\b)/i.test(sentence)) return false
  return explains.test(sentence) && !isInstance && !demand.test(sentence) && wordsOf(sentence).length <= longestReason
}

/** More than a caption: names and arrows between them are no sentence. */
function isSentence(text: string): boolean {
  // A path of the data, not what it means.
  if (/(?<![\w)])->|->(?!\w)|→/.test(text)) return false
  // The title of a listing.
  if (/^[^，。；]*(?:接口|函数|示例|样例|代码)$/.test(text)) return false
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  return han >= 6 || (han === 0 && text.split(/\s+/).length >= 5)
}

/** Interfaces and types, as code writes them. */
function namesIn(text: string): string[] {
  const found = text.match(/(?<![\w.:/])[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+(?![\w.])/g) ?? []
  return [...new Set(found)].slice(0, 4)
}

const isAction =
  /^(?:如何|怎样|设置|使用(?!场景|说明|限制|约束|方法)|避免|减少|优化|开启|采用|合理|选择|尽量|通过|实现|限制|提高|提升|合并|how to|us(?:e|ing))/i
const action = /设置|使用|调用|修改|添加|采用|通过|定义|减小|增大|改为|配置|\b(?:set|use|call|add|define|chang)/i
const rule = /必须|不能|不允许|不得|应当|应该|需保证|要求|\b(?:must|cannot|should|never)\b/i

function shapeOf(title: string, points: readonly string[], names: readonly string[]): TopicShape {
  if (/对比|区别|差异|比较|\bvs\b|differen|compar/i.test(title)) return 'difference'
  const share = (pattern: RegExp) => points.filter((point) => pattern.test(point)).length / points.length
  if (share(/^(?:首先|然后|接着|随后|最后|第.步|步骤|First|Then|Next|Finally)/) >= 0.5) return 'steps'
  if (isAction.test(title) && share(action) >= 0.5 && names.length > 0) return 'how'
  if (share(rule) >= 0.5) return 'rules'
  if (share(whatIs) >= 0.5) return 'meaning'
  return names.length >= 2 ? 'names' : 'points'
}

function teachesCode({code}: ExampleFact): boolean {
  return isWholeCode(code) && apisIn(code).length > 0 && !isDeclarations(stripComments(code))
}

/** A guide's title such as 概述 or 算子实现 says nothing without the chapter that it stands in. */
function topicName({origin, language, page}: DocSection): string {
  const chapter = origin.path.split('/').at(-2) ?? ''
  const needsChapter = language === 'zh' && page.length <= 8 && /\p{Script=Han}/u.test(chapter) && chapter !== page
  return needsChapter ? `${chapter}：${page}` : page
}
