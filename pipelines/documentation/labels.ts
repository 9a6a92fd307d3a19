import {fateOf} from './sentence-fate.ts'

/** A heading inside a text, `false：`, that applies to the text below it. */
export interface Label {
  /** How deep it stands: 0 for prose, 1 for an item of a list, 2 for one of a list inside of it. */
  depth: number
  /** '' for one that only announces a list. */
  text: string
}

/** Whether a line only says what the lines after it are about. */
export function isLabel(line: string): boolean {
  return /[：:]$/.test(line.trim())
}

/** "…, the formula is as follows." leads to what comes next as a colon does. */
export function isAnnounced(text: string): boolean {
  return /如下(?:所示)?[。.]?$/.test(text.trim())
}

export function labelOf(line: string, depth: number): Label {
  const text = line
    .trim()
    .replace(/[：:。]$/, '')
    .replace(/^(?:[•·*]|-(?!\d))+\s*/, '')
  const subject = rangeOf.exec(text)?.[1]
  return {depth, text: subject ?? (isAnnouncement(text) ? '' : text)}
}

/** What a sentence says before it announces a list, '' where it only announces, and the label that it leaves. */
export function announcedBy(sentence: string, depth: number): {head: string; label: Label} {
  const comma = Math.max(sentence.lastIndexOf('，'), sentence.lastIndexOf(', '))
  const [head, tail] = [sentence.slice(0, comma), sentence.slice(comma + 1)]
  const announces =
    comma >= 5 && announcesList.test(tail.trim()) && labelOf(tail, 0).text === '' && fateOf(head) === 'told'
  if (!announces) return {head: '', label: labelOf(sentence, depth)}
  // "When count is 0, the interface does the following:" says nothing by itself: it is when the list holds.
  return isCondition.test(head) ? {head: '', label: {depth, text: head}} : {head, label: labelOf(tail, depth)}
}

/** Of "the outputs of both and the space at hand, the count is derived as:" the first half is not a sentence. */
const announcesList = new RegExp(
  [
    '^(?:该|其|具体|(?:并|且)?支持|包括|包含|分为|分别|可选|取值|有|共有|格式|参数|如下|以下|主要|(?:使用|应用|适用)场景',
    '(?:计算|推导)?(?:公式|过程|流程|逻辑|方式)|with|which|as|the|in|for)',
  ].join('|'),
  'i',
)

const isCondition = /(?:时|后|前|下|场景|情况)$|^(?:(?:当|如果|若|对于|针对)[^，]*$|(?:if|when|for)\b)/i

/** "The range of eventID is as follows:" names what the values below it are of. */
const rangeOf =
  /^([^，。；]*[A-Za-z_]\w+[^，。；]*(?:取值(?:范围|要求|约束|限制)?|数据范围|范围|单位|行为))(?:分别)?(?:如下|为|是)(?:所示)?$/

/** Of combinations to choose from each point would read like a demand. */
const isOfChoices = /种(?:传参|组合|配置|设置)(?:形式|方式|关系)?$/

/** A label that says when the list holds is a condition, however it announces the list. */
function isAnnouncement(text: string): boolean {
  const last = text.split(/[，。；,;]/).at(-1) ?? ''
  return (
    announcement.test(last) &&
    !isOfChoices.test(text) &&
    !/[仅只都均]|不|通路|方式(?:获取|得到|查询|设置|配置|实现)|时$|场景|情况|条件|模式下|\bonly\b|\bwhen\b/i.test(text)
  )
}

const announcement = new RegExp(
  [
    '(?:为|是|有)$',
    '如下|以下|下列|下面|下文|上文|上述|包括|包含|分为|分别|取值|支持|可选|格式为|定义为|原型|公式|步骤',
    '^(?:注意|说明|注|约束|例如|比如|举例|示例|样例|参数|功能|其中|要求|规则)(?:说明|事项)?$',
    String.raw`\b(?:as follows|following|include[sd]?|including|are|is|notes?|examples?|values?|where)$`,
  ].join('|'),
  'i',
)

/** The labels that apply at a depth. */
export function labelsAbove(labels: readonly Label[], depth: number): Label[] {
  return labels.filter((label) => label.depth < depth)
}

/** Longest text with its labels; anything longer is not a sentence. */
const longestLabelled = 300

/** A text with its labels; undefined if that is too long. */
export function underLabels(labels: readonly Label[], text: string): string | undefined {
  // A rule may repeat its label's condition.
  const spoken = labels.map((label) => label.text).filter((label) => label !== '' && !text.includes(label))
  if (spoken.length === 0) return text
  const colon = /\p{Script=Han}/u.test(text) ? '：' : ': '
  const whole = [...spoken, text].join(colon)
  return whole.length <= longestLabelled ? whole : undefined
}
