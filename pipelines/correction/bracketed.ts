import {keyOf, type Statement} from './code-statements.ts'

type Tokens = Statement['tokens']

/** A list in brackets, and what stands before it: a call, a subscript, or values in braces. */
export interface Bracketed {
  mark: '(' | '[' | '{'
  /** `DataCopyPad`, `InitBuffer`, `xGm_`; of values in braces the type, as declared before the name. */
  name: string
  /** What the name is a member of, `this->pipe_`; or its namespace, `AscendC::vec`; '' for neither. */
  receiver: string
  /** Between `<` and `>`; '' without. */
  templates: string
  args: readonly string[]
  /** Of the opening mark, in the statement. */
  open: number
}

/** The brackets around a stretch of tokens, the innermost first. */
export function bracketsAround(tokens: Tokens, start: number, end: number): Bracketed[] {
  const found: Bracketed[] = []
  let depth = 0
  for (let at = start - 1; at >= 0; at -= 1) {
    const mark = tokens[at]!.text
    if (/^[)\]}]$/.test(mark)) depth += 1
    else if (/^[([{]$/.test(mark)) {
      if (depth > 0) depth -= 1
      else {
        const close = closing(tokens, at)
        if (close >= end) found.push(readBracket(tokens, at, close))
      }
    }
  }
  return found
}

/** Calls of a statement, in the order in which they stand. */
export function callsOf({tokens}: Statement): Bracketed[] {
  return tokens
    .map(({text}, at) => (text === '(' ? readBracket(tokens, at, closing(tokens, at)) : undefined))
    .filter((call) => call !== undefined && call.name !== '') as Bracketed[]
}

function closing(tokens: Tokens, open: number): number {
  let depth = 0
  for (let at = open; at < tokens.length; at += 1) {
    const mark = tokens[at]!.text
    if (/^[([{]$/.test(mark)) depth += 1
    else if (/^[)\]}]$/.test(mark) && --depth === 0) return at
  }
  return tokens.length
}

function readBracket(tokens: Tokens, open: number, close: number): Bracketed {
  const mark = tokens[open]!.text as Bracketed['mark']
  const [templates, nameAt] = templatesBefore(tokens, open)
  const last = tokens[nameAt]?.text ?? ''
  const isName = /^[A-Za-z_]\w*$/.test(last)
  const inner = tokens.slice(open + 1, close)
  const shared = {mark, templates, open, args: splitList(inner)}
  if (mark === '{') return {...shared, name: isName ? typeBefore(tokens, nameAt) : '', receiver: isName ? last : ''}
  return {...shared, name: isName ? last : '', receiver: isName ? receiverBefore(tokens, nameAt) : ''}
}

/** `Cast<half, float>(`: what stands in the angle brackets, and where the name before them is. */
function templatesBefore(tokens: Tokens, open: number): [string, number] {
  if (tokens[open - 1]?.text !== '>') return ['', open - 1]
  let depth = 0
  for (let at = open - 1; at >= 0 && !/^[;{}]$/.test(tokens[at]!.text); at -= 1) {
    if (tokens[at]!.text === '>') depth += 1
    else if (tokens[at]!.text === '<' && --depth === 0) return [spelled(tokens.slice(at + 1, open - 1)), at - 1]
  }
  return ['', open - 1]
}

function receiverBefore(tokens: Tokens, nameAt: number): string {
  let from = nameAt
  if (tokens[from - 1]?.text === 'template') from -= 1
  while (/^(?:->|\.|::)$/.test(tokens[from - 1]?.text ?? '') && from >= 2) {
    from -= 2
    if (tokens[from]?.text === ')') break
  }
  const text = spelled(tokens.slice(from, nameAt).filter(({text: one}) => one !== 'template'))
  return text.replace(/(?:->|\.|::)$/, '')
}

/** `const DataCopyExtParams params{`: the type of what is given values. */
function typeBefore(tokens: Tokens, nameAt: number): string {
  const [, at] = tokens[nameAt - 1]?.text === '>' ? templatesBefore(tokens, nameAt) : ['', nameAt - 1]
  const type = tokens[at]?.text ?? ''
  return /^[A-Za-z_]\w*$/.test(type) ? type : ''
}

function splitList(tokens: Tokens): string[] {
  if (tokens.length === 0) return []
  const parts: Tokens[number][][] = [[]]
  let depth = 0
  for (const one of tokens) {
    if (/^[([{]$/.test(one.text)) depth += 1
    if (/^[)\]}]$/.test(one.text)) depth -= 1
    if (one.text === ',' && depth === 0) parts.push([])
    else parts.at(-1)!.push(one)
  }
  return parts.map(spelled)
}

/** Tokens as one would write them: `a * sizeof(T)`, `this->x_[i + 1]`. */
export function spelled(tokens: Tokens): string {
  return keyOf(tokens)
    .replace(/ (?=[,;)\]])/g, '')
    .replace(/(?<=[([!~]) /g, '')
    .replace(/ ?(->|::|\.(?!\d)) ?/g, '$1')
    .replace(/(?<=[\w>\])]) (?=[([])/g, '')
    .replace(/(?<=\w) < ((?:(?!&&)[\w:, *&])+?) >(?: ?(?=[({>]|$)|(?= \w))/g, '<$1>')
    .replace(/(?<=[(,=*/+<>&|] |^|\(|\[|return )([-&*]) (?=[\w(])/g, '$1')
    .replace(/\bif\(/, 'if (')
    .replace(/\bfor\(/, 'for (')
    .replace(/\{ /g, '{')
    .replace(/ \}/g, '}')
}

/** Where two statements differ: the tokens between what they begin and end with alike. */
export function differenceOf(before: Statement, after: Statement) {
  const [a, b] = [before.tokens, after.tokens]
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start]!.text === b[start]!.text) start += 1
  let tail = 0
  while (tail < Math.min(a.length, b.length) - start && a.at(-1 - tail)!.text === b.at(-1 - tail)!.text) tail += 1
  return {start, wrongEnd: a.length - tail, rightEnd: b.length - tail}
}
