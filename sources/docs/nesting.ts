/** Elements that the parser closes by itself, or that have no content: pages that never close them are not deep. */
const flat = new Set(
  (
    'p li dt dd td th tr thead tbody tfoot caption colgroup col option optgroup rp rt rb rtc html ' +
    'head body a nobr button h1 h2 h3 h4 h5 h6 area base br embed hr img input link meta ' +
    'param source track wbr'
  ).split(' '),
)
/** What counts in Markdown, where `LocalTensor<half>` looks like an element as well. */
const inMarkdown = new Set(
  (
    'div table ul ol dl span b i em strong u s font code pre sub sup blockquote section center ' + 'details small big'
  ).split(' '),
)

/**
 * How deep the elements of a text are nested at most; an upper bound, found in one pass before anything builds a tree.
 */
export function nestingDepth(text: string, format: 'html' | 'markdown'): number {
  let depth = 0
  let deepest = 0
  for (const [, closes, written] of text.matchAll(/<!--[^]*?(?:-->|$(?![^]))|<(\/?)([a-z][a-z0-9-]*)/gi)) {
    const name = written?.toLowerCase()
    if (name === undefined || (format === 'html' ? flat.has(name) : !inMarkdown.has(name))) continue
    depth = closes === '' ? depth + 1 : Math.max(0, depth - 1)
    deepest = Math.max(deepest, depth)
  }
  return deepest
}
