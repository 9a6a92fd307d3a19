import {isClosing, isOpening, itemsBetween, templateOpen, streamOf, type TokenStream} from '../../cpp/brackets.ts'
import type {CodeStatement} from '../../datasets/schema/edit-facts.ts'
import {keyOf} from './code-statements.ts'

type Tokens = TokenStream['tokens']

/** A list in brackets, and the text before it: a call, a subscript, or values in braces. */
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
export function bracketsAround({tokens}: CodeStatement, start: number, end: number): Bracketed[] {
  const stream = streamOf(tokens)
  const found: Bracketed[] = []
  for (let at = start - 1; at >= 0; at -= 1) {
    const token = tokens[at]!
    if (isOpening(token) && closing(stream, at) >= end) found.push(readBracket(stream, at))
    else if (isClosing(token) && stream.partners[at]! >= 0) at = stream.partners[at]!
  }
  return found
}

/** Calls of a statement, in the order in which they stand. */
export function callsOf({tokens}: CodeStatement): Bracketed[] {
  const stream = streamOf(tokens)
  return tokens.flatMap(({text}, at) => (text === '(' ? [readBracket(stream, at)] : [])).filter(({name}) => name !== '')
}

function closing({tokens, partners}: TokenStream, open: number): number {
  return partners[open] === -1 ? tokens.length : partners[open]!
}

function readBracket(stream: TokenStream, open: number): Bracketed {
  const {tokens, partners} = stream
  const mark = tokens[open]!.text as Bracketed['mark']
  const [templates, nameAt] = templatesBefore(tokens, open)
  const last = tokens[nameAt]?.text ?? ''
  const isName = tokens[nameAt]?.kind === 'word'
  const items = itemsBetween(tokens, partners, {from: open + 1, to: closing(stream, open)})
  const shared = {mark, templates, open, args: items.map(({from, to}) => spelled(tokens.slice(from, to)))}
  if (mark === '{') return {...shared, name: isName ? typeBefore(tokens, nameAt) : '', receiver: isName ? last : ''}
  return {...shared, name: isName ? last : '', receiver: isName ? receiverBefore(tokens, nameAt) : ''}
}

/** `Cast<half, float>(`: the content of the angle brackets, and the position of the name before them. */
function templatesBefore(tokens: Tokens, open: number): [string, number] {
  const angle = tokens[open - 1]?.text === '>' ? templateOpen(tokens, open - 1) : undefined
  return angle === undefined ? ['', open - 1] : [spelled(tokens.slice(angle + 1, open - 1)), angle - 1]
}

const accesses = new Set(['->', '.', '::'])

function receiverBefore(tokens: Tokens, nameAt: number): string {
  let from = nameAt
  if (tokens[from - 1]?.text === 'template') from -= 1
  while (accesses.has(tokens[from - 1]?.text ?? '') && from >= 2) {
    from -= 2
    if (tokens[from]?.text === ')') break
  }
  const asked = tokens.slice(from, nameAt).filter(({text}) => text !== 'template')
  return spelled(accesses.has(asked.at(-1)?.text ?? '') ? asked.slice(0, -1) : asked)
}

/** `const DataCopyExtParams params{`: the type of what is given values. */
function typeBefore(tokens: Tokens, nameAt: number): string {
  const [, at] = tokens[nameAt - 1]?.text === '>' ? templatesBefore(tokens, nameAt) : ['', nameAt - 1]
  return tokens[at]?.kind === 'word' ? tokens[at].text : ''
}

/** Tokens as one would write them: `a * sizeof(T)`, `this->x_[i + 1]`. */
export function spelled(tokens: readonly {text: string}[]): string {
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
