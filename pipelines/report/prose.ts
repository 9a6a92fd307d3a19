import {escape, raw, type Html} from '../../eval/scores/markup.ts'

const keywords = `
  alignas auto bool break case class const constexpr continue default do double else enum explicit extern false
  float for half if inline int namespace nullptr private protected public return sizeof static static_cast
  reinterpret_cast struct switch template this true typedef typename using void while
`
  .trim()
  .split(/\s+/)
  .concat('u?int(?:8|16|32|64)_t', '__aicore__', '__global__', '__gm__')

const cpp = new RegExp(
  [
    String.raw`(?<c>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S])))`,
    String.raw`(?<s>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')`,
    String.raw`(?<k>\b(?:${keywords.join('|')})\b|^[ \t]*#[ \t]*\w+)`,
    String.raw`(?<d>\b\d[\w.]*)`,
    String.raw`(?<a>\b[A-Z]\w*[a-z]\w*(?=\s*[(<]))`,
  ].join('|'),
  'gm',
)

/** C++ with a few colours: comments, strings, keywords, numbers, and names in PascalCase that are called. */
export function highlighted(code: string): Html {
  let out = ''
  let end = 0
  for (const match of code.matchAll(cpp)) {
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0]
    out += `${escape(code.slice(end, match.index))}<span class="${kind}">${escape(match[0])}</span>`
    end = match.index + match[0].length
  }
  return raw(out + escape(code.slice(end)))
}

/** Text as a person reads it: fences become code blocks, backticks become code; everything else stays as written. */
export function readable(text: string): Html {
  let out = ''
  let end = 0
  for (const match of text.matchAll(/^(`{3,})([^\n`]*)\n([\s\S]*?)(?:^\1[^\S\n]*$|(?![\s\S]))\n?/gm)) {
    const language = (match[2] ?? '').trim().toLowerCase()
    const code = (match[3] ?? '').replace(/\n$/, '')
    const colours = /^(?:c|cc|cpp|c\+\+|asc|)(?:\s|$)/.test(language)
    const shown = colours ? highlighted(code).html : escape(code)
    out += `${prose(text.slice(end, match.index))}<pre><code>${shown}</code></pre>`
    end = match.index + match[0].length
  }
  return raw(out + prose(text.slice(end)))
}

function prose(text: string): string {
  const trimmed = text.replace(/^\n+|\n+$/g, '')
  if (trimmed === '') return ''
  const marked = escape(trimmed)
    .replace(/`([^`\n]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*\n]+)\*\*/g, '<b>$1</b>')
  return `<div class="text">${marked.replace(/(?:^\|.*\|[^\S\n]*(?:\n|$)){3,}/gm, table)}</div>`
}

/** A pipe table whose text is already marked up; lines that only look like one are unchanged. */
function table(lines: string): string {
  const [head = '', rule = '', ...rows] = lines.trim().split('\n')
  if (!/^\|(?:\s*:?-+:?\s*\|)+\s*$/.test(rule)) return lines
  const cells = (line: string) =>
    line
      .trim()
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim())
  const row = (line: string, tag: string) =>
    `<tr>${cells(line)
      .map((cell) => `<${tag}>${cell}</${tag}>`)
      .join('')}</tr>`
  return `<table>${row(head, 'th')}${rows.map((line) => row(line, 'td')).join('')}</table>`
}
