/** What a documentation site says about itself around every page: votes, search results, the way up. */
const lines: readonly RegExp[] = [
  /^父主题[：:]?/,
  /^Parent topic[：:]/i,
  /^(?:我要评分|文档(?:获取效率|正确性|完整性|易理解|易用性|内容)|内容(?:正确性|完整性|易理解))(?:[：:\s\d.分]*)$/,
  /^(?:文档获取效率|文档正确性)[\s/、|].*(?:完整性|易理解)/,
  /^搜索结果$/,
  /^找到\s*[“"']?\d+[”"']?\s*个(?:搜索)?结果/,
  /^(?:Search results|Document (?:retrieval efficiency|accuracy|completeness|comprehensibility))$/i,
]

/** Any of them alone may be a word of the page; two or more in a row are a menu. */
const menu = '下载|中文|English|EN|注册|登录|开发者|文档|社区|论坛|支持|控制台'
const menuLine = new RegExp(String.raw`^(?:${menu})(?:[\s|/·]+(?:${menu}))+$`)
const menuWord = new RegExp(`^(?:${menu})$`)

/** The Markdown of a page without the words of the site around it. Code and tables stay as they are. */
export function withoutSiteWords(markdown: string): string {
  const all = markdown.split('\n')
  const isCode = fenced(all)
  const bare = all.map((line, at) => (isCode[at] ? '' : plain(line)))
  const kept = all.filter((_, at) => isCode[at] || !isSiteLine(bare, at))
  return kept.length === all.length
    ? markdown
    : kept
        .join('\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim()
}

function isSiteLine(bare: readonly string[], at: number): boolean {
  const line = bare[at] as string
  if (line === '') return false
  if (menuWord.test(line)) return isMenuWord(neighbour(bare, at, 1)) || isMenuWord(neighbour(bare, at, -1))
  return menuLine.test(line) || lines.some((pattern) => pattern.test(line))
}

const isMenuWord = (line: string) => menuWord.test(line)

/** The next line that is not empty. */
function neighbour(bare: readonly string[], from: number, step: number): string {
  let at = from + step
  while (bare[at] === '') at += step
  return bare[at] ?? ''
}

/** Without what makes a line a heading, an item or bold. */
const plain = (line: string) =>
  line
    .replace(/^\s*(?:[-*]\s+|#{1,6}\s+)?/, '')
    .replaceAll('**', '')
    .trim()

function fenced(all: readonly string[]): boolean[] {
  let open = false
  return all.map((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line)
    const inside = open || isFence
    if (isFence) open = !open
    return inside
  })
}
