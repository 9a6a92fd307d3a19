import {withoutTags} from '../../datasets/linear-text.ts'
import {DocPage, DocSection, type SectionRole} from '../../datasets/schema/document.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import {type Block, parseBlocks} from '../../datasets/blocks.ts'

interface SegmentOptions {
  /**
   * Sections with less text than this are dropped; white space and mark-up do not count. Default 12: "无" goes, "头文件
   * x.h" stays.
   */
  minCharacters?: number
  /**
   * Length of the reference that travels with each section. Default 12,000: a whole API page of median size fits twice.
   */
  contextCharacters?: number
}

/** Splits a page at its headings. Drops: `section-too-short`, `page-without-sections`. */
export default function segment({
  minCharacters = 12,
  contextCharacters = 12_000,
}: SegmentOptions = {}): Stage<DocPage, DocSection> {
  return {
    name: 'documentation-segment',
    version: 3,
    options: {minCharacters, contextCharacters},
    input: DocPage,
    output: DocSection,
    run: each((page, context) => cut(page, {minCharacters, contextCharacters}, context)),
  }
}

interface Part {
  headings: string[]
  role: SectionRole
  markdown: string
  /** First and last line in the page's file, where they are known. */
  lines: [number, number] | undefined
}

/** What an interface does may be very short: "初始化NPU状态。" */
const shortestPurpose = 5

function cut(page: DocPage, limits: Required<SegmentOptions>, context: Context): DocSection[] {
  const parts = partsOf(page)
  if (parts.length === 0) return [...context.drop(page, 'page-without-sections')]
  const sections: DocSection[] = []
  parts.forEach((part, index) => {
    const section: DocSection = {
      origin: part.lines ? {...page.origin, lines: part.lines} : page.origin,
      page: page.title,
      language: page.language,
      headings: part.headings,
      role: part.role,
      markdown: part.markdown,
      context: contextOf(parts, index, limits.contextCharacters),
    }
    const characters = withoutTags(part.markdown).replace(/[\s|#>`*-]/g, '').length
    if (characters < (part.role === 'function' ? shortestPurpose : limits.minCharacters))
      context.drop({...section, context: ''}, 'section-too-short', `${characters} characters`)
    else sections.push(section)
  })
  return sections
}

function partsOf(page: DocPage): Part[] {
  const parts: Part[] = []
  let path: {level: number; text: string; role: SectionRole}[] = []
  let body: Block[] = []
  // Place among the page's headings; -1 before the first.
  let heading = -1
  const flush = () => {
    if (body.length > 0) {
      const role = path.map((above) => above.role).findLast((each) => each !== 'other') ?? 'other'
      parts.push({
        headings: [page.title, ...path.map((above) => above.text)],
        role,
        markdown: body.map((block) => block.source).join('\n\n'),
        lines: linesOf(page, heading),
      })
    }
    body = []
  }
  for (const block of joinRuns(parseBlocks(page.markdown))) {
    if (block.kind !== 'heading') {
      body.push(block)
      continue
    }
    flush()
    heading += 1
    path = path.filter((above) => above.level < block.level)
    path.push({level: block.level, text: block.text, role: roleOf(block.text)})
  }
  flush()
  return parts
}

/** From a heading to the line before the next one; from the page's begin for the first. */
function linesOf({headingLines, lineCount}: DocPage, heading: number): [number, number] | undefined {
  if (!headingLines || lineCount === undefined) return undefined
  const first = heading < 0 ? 1 : headingLines[heading]
  const next = heading + 1 < headingLines.length ? headingLines[heading + 1] : lineCount + 1
  return first && next && next > first ? [first, next - 1] : undefined
}

/** Neighbouring list items are one list: joined by a single newline they read as they were written. */
function joinRuns(blocks: readonly Block[]): Block[] {
  const joined: Block[] = []
  for (const block of blocks) {
    const last = joined.at(-1)
    if (block.kind === 'list' && last?.kind === 'list')
      joined[joined.length - 1] = {...last, source: `${last.source}\n${block.source}`}
    else joined.push(block)
  }
  return joined
}

const roles: readonly [SectionRole, RegExp][] = [
  ['support', /^(?:产品支持情况|支持的(?:产品)?型号|product support|supported products|availability)/i],
  ['function', /^(?:功能说明|功能介绍|函数说明|功能|function(?:ality|al description)?$|description$)/i],
  ['prototype', /^(?:函数原型|原型定义|原型|prototypes?$|signature)/i],
  ['parameters', /^(?:参数说明|参数|模板参数|接口参数|parameters?$|arguments?$)/i],
  ['data-types', /^(?:数据类型|支持的数据类型|data types?$|supported data types?$)/i],
  ['returns', /^(?:返回值说明|返回值|return values?$|returns?$)/i],
  ['constraints', /^(?:约束说明|约束|特性约束|使用约束|限制|注意事项|constraints?$|restrictions?$|limitations?$)/i],
  ['example', /^(?:调用示例|使用示例|使用样例|示例|样例|示例代码|examples?$|example code$)/i],
  ['headers', /^(?:需要包含的头文件|头文件|header files?$|headers?$)/i],
  ['pipe', /^(?:流水类型|pipe type|pipeline type)/i],
]

/** What a heading announces, in Chinese or English. */
export function roleOf(heading: string): SectionRole {
  return roles.find(([, pattern]) => pattern.test(heading))?.[0] ?? 'other'
}

// What an answer leans on most: what the API is, how it is called, what limits it.
const usefulness: readonly SectionRole[] = [
  'prototype',
  'function',
  'parameters',
  'data-types',
  'constraints',
  'example',
  'returns',
  'headers',
  'pipe',
  'other',
  'support',
]

/**
 * The other sections of the page in page order, the most useful and the nearest first when not all fit. Whole sections
 * only.
 */
function contextOf(parts: readonly Part[], self: number, limit: number): string {
  const order = parts.map((_, index) => index).filter((index) => index !== self)
  order.sort(
    (a, b) =>
      usefulness.indexOf(parts[a]!.role) - usefulness.indexOf(parts[b]!.role) ||
      Math.abs(a - self) - Math.abs(b - self),
  )
  const chosen: number[] = []
  let length = 0
  for (const index of order) {
    const size = render(parts[index]!).length
    if (length + size > limit) continue
    length += size
    chosen.push(index)
  }
  return chosen
    .sort((a, b) => a - b)
    .map((index) => render(parts[index]!))
    .join('\n\n')
}

function render(part: Part): string {
  return `## ${part.headings.slice(1).join(' / ') || part.headings[0]}\n\n${part.markdown}`
}
