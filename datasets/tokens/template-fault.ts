/** Tags of a template, and comments, which may hold what looks like one. */
const tag = /\{#[\s\S]*?#\}|\{%[\s\S]*?%\}|\{\{[\s\S]*?\}\}/g

/** Statements that a later one closes; `set` only where it gives no value. */
const blocks = new Set(['if', 'for', 'macro', 'call', 'filter', 'generation', 'raw', 'set'])

const longestShown = 80

/**
 * Where a template fails: `line 3, {% raw %}`. The library tells no place, so that the template is tried up to each of
 * its tags, what is open closed behind it; '' where none of these fails.
 * @param attempt throws where the library does
 */
export function failingTag(source: string, attempt: (template: string) => void): string {
  const open: string[] = []
  for (const {0: text, index} of source.matchAll(tag)) {
    if (text.startsWith('{#')) continue
    const [, end, name = ''] = /^\{%[-+]?\s*(end)?(\w+)/.exec(text) ?? []
    if (end !== undefined) open.pop()
    else if (blocks.has(name) && !(name === 'set' && text.includes('='))) open.push(name)
    const closed = [...open].reverse().map((one) => `{% end${one} %}`)
    if (!fails(() => attempt(source.slice(0, index + text.length) + closed.join('')))) continue
    const line = source.slice(0, index).split('\n').length
    return `line ${line}, ${text.length > longestShown ? `${text.slice(0, longestShown)}…` : text}`
  }
  return ''
}

function fails(action: () => void): boolean {
  try {
    action()
    return false
  } catch {
    return true
  }
}
