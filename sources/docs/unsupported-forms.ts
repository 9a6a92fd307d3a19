import {type Product, supportLines} from './support.ts'

/**
 * A page without the forms that its support section excludes for the product: list items and bold titles of that name,
 * with everything under them.
 */
export function withoutUnsupportedForms(markdown: string, product: Product): string {
  const denied = new Set(deniedForms(markdown, product).flatMap(namesOf))
  if (denied.size === 0) return markdown
  const kept: string[] = []
  let skipped: Title | undefined
  let isInFence = false
  for (const line of markdown.split('\n')) {
    const title = isInFence ? undefined : titleOf(line)
    if (skipped && ends(skipped, line, title, isInFence)) skipped = undefined
    if (!skipped && title && namesOf(title.text).some((name) => denied.has(name))) skipped = title
    if (/^\s*```/.test(line)) isInFence = !isInFence
    if (!skipped) kept.push(line)
  }
  return kept.join('\n')
}

/** Titles of the support section's own parts that exclude the product. */
function deniedForms(markdown: string, product: Product): string[] {
  const parts = (supportLines(markdown) ?? []).join('\n').split(/^#{3,6}\s+/m)
  return parts.slice(1).flatMap((part) => {
    const [title = '', ...lines] = part.split('\n')
    const own = lines.filter((line) => product.name.test(line))
    return own.length > 0 && own.every((line) => /不支持|not supported/i.test(line)) ? [title] : []
  })
}

interface Title {
  /** How far a list item is set in; -1 for a bold line, which ends at the next one. */
  indent: number
  text: string
}

function titleOf(line: string): Title | undefined {
  const item = /^(\s*)[-*•]\s+(.{4,60})$/.exec(line)
  if (item) return {indent: item[1]!.length, text: item[2]!}
  const bold = /^\*\*(.{4,60})\*\*$/.exec(line.trim())
  return bold ? {indent: -1, text: bold[1]!} : undefined
}

function ends({indent}: Title, line: string, next: Title | undefined, isInFence: boolean): boolean {
  if (isInFence || line.trim() === '') return false
  if (/^#{1,6}\s/.test(line)) return true
  return indent < 0 ? next?.indent === -1 : /^\s*/.exec(line)![0].length <= indent
}

/** `硬同步（支持config指定流水）原型` is also named by the words in its brackets. */
function namesOf(title: string): string[] {
  const bare = title.replace(/[\s*`\\]/g, '').replace(/(?:的?(?:函数)?原型)?[：:。]?$/, '')
  const inner = /（([^）]{4,})）$/.exec(bare)?.[1]
  return inner === undefined ? [bare] : [bare, inner]
}
