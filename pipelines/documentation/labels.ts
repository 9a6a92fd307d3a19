/** A heading inside of a text, `false：`, which what stands below it is said of. */
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
  return {depth, text: isAnnouncement(text) ? '' : text}
}

/** A label that says when the list holds is a condition, however it announces the list. */
function isAnnouncement(text: string): boolean {
  const last = text.split(/[，。；,;]/).at(-1) ?? ''
  return announcement.test(last) && !/[仅只都均]|不|时$|场景|情况|条件|模式下|\bonly\b|\bwhen\b/i.test(text)
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

/** The labels that still hold for what stands at a depth. */
export function labelsAbove(labels: readonly Label[], depth: number): Label[] {
  return labels.filter((label) => label.depth < depth)
}

/** Longest text with its labels; more is no sentence any more. */
const longestLabelled = 300

/** A text with the labels that it stands under; undefined where that is too long to be said. */
export function underLabels(labels: readonly Label[], text: string): string | undefined {
  // A rule may repeat the condition that it stands under.
  const spoken = labels.map((label) => label.text).filter((label) => label !== '' && !text.includes(label))
  if (spoken.length === 0) return text
  const colon = /\p{Script=Han}/u.test(text) ? '：' : ': '
  const whole = [...spoken, text].join(colon)
  return whole.length <= longestLabelled ? whole : undefined
}
