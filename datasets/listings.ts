import {withoutComments} from '../cpp/code-pieces.ts'
import {decodeEntities} from './entities.ts'

/** A block of code in a text. */
interface Listing {
  /** The code without fence, quotation marks and common indentation; entities are decoded if the block is HTML. */
  text: string
  /** Language of the fence in lower case; '' without one. */
  tag: string
  kind: 'fence' | 'indented' | 'pre' | 'bare'
}

const cppTags = new Set('c cc cpp c++ cxx h hh hpp hxx h++ asc ascendc cce cu cuda'.split(' '))

/** Language tags that are trusted; for `text`, `code`, unknown or missing tags, the code itself decides. */
const otherTags = new Set(
  `bash sh shell zsh console shellsession powershell bat cmd python py python3 pycon cmake make makefile json jsonc
  yaml yml xml html ini toml properties diff patch markdown md csv sql js javascript ts typescript java go rust
  dockerfile latex tex mermaid dot`.split(/\s+/),
)

/**
 * All blocks of code of a text, in order: fences of any mark, tag and indentation (in lists and quotations too, the
 * last one perhaps unclosed), `<pre>` elements, and blocks indented by four columns that look like C++. A text with
 * neither fence nor `<pre>` that looks like a file of C++ is one block.
 */
export function listings(text: string): readonly Listing[] {
  return splitListings(text).code
}

/** The C++ among them, by tag or, if the tag does not say, by appearance. */
export function cppListings(text: string): string[] {
  return listings(text)
    .filter(isCpp)
    .map((listing) => listing.text)
}

function isCpp({text, tag}: Listing): boolean {
  if (text.trim() === '') return false
  return cppTags.has(tag) || (!otherTags.has(tag) && looksLikeCppSnippet(text))
}

interface Split {
  prose: string
  code: readonly Listing[]
}

/** Cache of recent results: every gate splits the same few texts of a record. */
const recent = new Map<string, Split>()
const mostRecent = 8

/** The text without its blocks of code, and the blocks. */
export function splitListings(text: string): Split {
  const before = recent.get(text)
  if (before) return before
  const made = splitAnew(text)
  if (recent.size >= mostRecent) recent.delete(recent.keys().next().value as string)
  recent.set(text, made)
  return made
}

function splitAnew(text: string): Split {
  const code: Listing[] = []
  const prose: string[] = []
  let fence: {mark: string; tag: string; lines: string[]} | undefined
  let indented: string[] = []
  function endIndented(): void {
    const block = {text: dedent(indented), tag: '', kind: 'indented'} as const
    if (isCpp(block)) code.push(block)
    else prose.push(...indented)
    indented = []
  }
  for (const line of text.split(/\r?\n/)) {
    if (fence) {
      const closing = /^[\s>]*(`{3,}|~{3,})\s*$/.exec(line)?.[1]
      if (!closing?.startsWith(fence.mark)) fence.lines.push(line)
      else {
        code.push(asFence(fence))
        fence = undefined
      }
      continue
    }
    const [, mark, info = ''] = /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)?(`{3,}|~{3,})([^`]*)$/.exec(line) ?? []
    if (mark !== undefined || !(/^(?: {4}| {0,3}\t)/.test(line) || (indented.length > 0 && line.trim() === '')))
      endIndented()
    if (mark !== undefined) {
      fence = {mark, tag: /[\w+#-]+/.exec(info)?.[0].toLowerCase() ?? '', lines: []}
      prose.push('')
    } else if (/^(?: {4}| {0,3}\t)/.test(line) || indented.length > 0) indented.push(line)
    else prose.push(line)
  }
  endIndented()
  if (fence) code.push(asFence(fence))
  const found = withoutPre(prose.join('\n'), code)
  if (found.code.every(({kind}) => kind === 'indented') && looksLikeCpp(text))
    return {prose: '', code: [{text, tag: '', kind: 'bare'}]}
  return found
}

function asFence({tag, lines}: {tag: string; lines: readonly string[]}): Listing {
  const isQuoted = lines.length > 0 && lines.every((line) => /^\s*>/.test(line))
  return {text: dedent(isQuoted ? lines.map((line) => line.replace(/^\s*> ?/, '')) : lines), tag, kind: 'fence'}
}

function withoutPre(text: string, before: readonly Listing[]): {prose: string; code: Listing[]} {
  const code = [...before]
  const element = /<pre\b([^<>]*)>([\s\S]*?)(?:<\/pre\s*>|$(?![\s\S]))/gi
  const prose = text.replace(element, (_, attributes: string, body: string) => {
    const inner = /^\s*<code\b([^>]*)>/i.exec(body)?.[1] ?? ''
    const tag = /\blang(?:uage)?[-=]["']?([\w+#]+)/i.exec(`${attributes} ${inner}`)?.[1]?.toLowerCase() ?? ''
    // Only names of markup: an unescaped `LocalTensor<half>` is code.
    const plain = body
      .replace(/<br\s*\/?>/gi, '\n')
      .replace(/<\/?(?:a|b|code|em|font|i|kbd|li|ol|p|samp|span|strong|tt|u|ul)\b[^>]*>/gi, '')
    code.push({text: decodeEntities(plain), tag, kind: 'pre'})
    return '\n'
  })
  return {prose, code}
}

function dedent(lines: readonly string[]): string {
  const depths = lines.filter((line) => line.trim() !== '').map((line) => /^\s*/.exec(line)?.[0].length ?? 0)
  const depth = depths.reduce((least, one) => Math.min(least, one), Infinity)
  return lines
    .map((line) => line.slice(Math.min(depth, line.length)).trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '')
}

const directive = /^[^\S\r\n]*#\s*(?:include|define|ifndef|pragma)\b/m
const definition = /^[^\S\r\n]*(?:template\b|namespace\b|class\b|struct\b|extern\b|using\b|BEGIN_TILING_DATA_DEF)/m

/**
 * A file of C++ rather than prose with a few symbols in it: a directive or a definition, and most lines built like
 * code.
 */
export function looksLikeCpp(text: string): boolean {
  if (!directive.test(text) && !definition.test(text)) return false
  const lines = withoutComments(text)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const built = lines.filter((line) => /[;{}(),:>&|=+*\\-]\s*$|^\s*[#.}&|]/.test(line))
  return built.length >= 0.6 * lines.length
}

// A listing in another language may end lines this way, but rarely begins them so.
const otherLanguage = atLineStart([
  String.raw`#!|\$ `,
  String.raw`(?:cd|export|source|sudo|pip3?|apt(?:-get)?|bash|echo|fi|done|then|esac)\b(?!\s*[(=:])`,
  String.raw`(?:def|elif|import|from)\s`,
  String.raw`(?:add_executable|target_\w+|cmake_minimum_required|set)\s*\(`,
])
const declares = atLineStart([
  String.raw`#\s*(?:include|define|pragma)\b`,
  String.raw`template\s*<|namespace\s+\w+`,
  String.raw`(?:class|struct|union|enum)\s+\w+[^;{]{0,2000}\{`,
  String.raw`extern\s+"C"|__(?:aicore|global)__`,
  String.raw`using\s+\w+|BEGIN_TILING_DATA_DEF`,
])
const variable = [
  String.raw`(?:^|[{;(])\s*(?:const\s+|constexpr\s+|static\s+)*`,
  String.raw`[A-Za-z_][\w:]*(?:\s*<[^\n;]*>)?[\s&*]+\w+(?:\[[^\n]*\])?`,
].join('')
const statements = [
  String.raw`[\w\])>]\s*\([^\n]*\)`,
  String.raw`(?<![=<>!])=(?!=)[^\n]*`,
  variable,
  String.raw`\breturn\b[^\n]*`,
  String.raw`(?:\+\+|--)\w*`,
]
const statement = new RegExp(String.raw`(?:${statements.join('|')})\s*;\s*$`, 'm')

// `half __hfma(half x, half y)`: a return type, and a type and a name of at least one parameter.
const prototype = new RegExp(
  [
    String.raw`^[^\S\r\n]*(?:[A-Za-z_][\w:]*(?:<[^\n()]*>)?[\s*&]+){1,4}[A-Za-z_]\w*\s*\(\s*`,
    String.raw`(?:\)|(?:const\s+)?[A-Za-z_][\w:]*(?:<[^()]*>)?[\s*&]+\w+\s*[,)=])`,
  ].join(''),
  'm',
)

function atLineStart(shapes: readonly string[]): RegExp {
  return new RegExp(`^[^\\S\\r\\n]*(?:${shapes.join('|')})`, 'm')
}

/** Statements or declarations of C++, of which at least half the lines are built like code. */
function looksLikeCppSnippet(text: string): boolean {
  const code = withoutComments(text)
  if (otherLanguage.test(code)) return false
  if (looksLikeCpp(text)) return true
  const lines = code.split('\n').filter((line) => line.trim() !== '')
  // A line that long is a table of numbers, and searching for a statement from every bracket would take forever.
  const short = lines.filter((line) => line.length <= 2000).join('\n')
  if (![declares, prototype, statement].some((shape) => shape.test(short))) return false
  return 2 * lines.filter((line) => /[;{}(),]\s*$|^\s*[#}]/.test(line)).length >= lines.length
}
