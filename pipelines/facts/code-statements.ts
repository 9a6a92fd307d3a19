import {isOpening, partnersOf} from '../../cpp/brackets.ts'
import {withoutComments} from '../../cpp/code-pieces.ts'
import type {CodeStatement, LineToken} from '../../datasets/schema/edit-facts.ts'
import {tokenize, type Token} from '../../cpp/tokens.ts'

/** The statements of C++ text in order. Text that does not parse still gives statements, some of them long. */
export function statementsOf(source: string): CodeStatement[] {
  const text = withoutComments(source)
  const tokens = withLines(withWholeDirectives(tokenize(source, 'operators'), text), text)
  const partners = partnersOf(tokens)
  const statements: CodeStatement[] = []
  let open: LineToken[] = []
  /** Where the list in brackets ends that the statement is in. */
  let list = -1
  const close = () => {
    if (open.length > 0) statements.push(asStatement(open, text))
    open = []
  }
  for (const [at, one] of tokens.entries()) {
    if (one.text.startsWith('#')) {
      close()
      statements.push(asStatement([one], text))
      continue
    }
    const isOutside = at > list
    const isBlock = isOutside && one.text === '{' && opensBlock(open)
    const isEnd = isOutside && one.text === '}'
    if (isEnd) close()
    open.push(one)
    if (isOutside && isOpening(one) && !isBlock) list = partners[at] === -1 ? tokens.length : (partners[at] as number)
    if (isBlock || isEnd || (isOutside && (one.text === ';' || isLabel(open)))) close()
  }
  close()
  return statements
}

/** A line for the preprocessor as one token, and the others as they are. */
function withWholeDirectives(tokens: readonly Token[], text: string): Token[] {
  const whole: Token[] = []
  for (const token of tokens) {
    const last = whole.at(-1)
    if (token.leads || !last?.text.startsWith('#')) whole.push(token)
    else whole[whole.length - 1] = {...last, end: token.end, text: text.slice(last.start, token.end)}
  }
  return whole
}

function withLines(tokens: readonly Token[], text: string): LineToken[] {
  let line = 1
  let seen = 0
  return tokens.map((token) => {
    for (let at = text.indexOf('\n', seen); at >= 0 && at < token.start; at = text.indexOf('\n', at + 1)) line += 1
    seen = token.start
    const {kind, text: written, start, end, leads, spaced} = token
    return {kind, text: written, start, end, leads, spaced, line}
  })
}

const blockHeads = new Set([')', 'else', 'do', 'const', 'override', 'noexcept'])
const blockWords = new Set(['class', 'struct', 'namespace', 'enum', 'union', 'extern'])

/** The text before a `{` that is not a list of values. */
function opensBlock(before: readonly Token[]): boolean {
  const last = before.at(-1)
  if (last === undefined || blockHeads.has(last.text)) return true
  return !before.some(({text}) => text === '(') && before.some(({text}) => blockWords.has(text))
}

function isLabel([first, second, third]: readonly Token[]): boolean {
  return second?.text === ':' && !third && ['public', 'private', 'protected'].includes(first?.text ?? '')
}

function asStatement(tokens: LineToken[], source: string): CodeStatement {
  const [first, last] = [tokens[0]!, tokens.at(-1)!]
  return {
    tokens,
    key: keyOf(tokens),
    text: source.slice(first.start, last.end).replace(/\s+/g, ' '),
    line: first.line,
    lastLine: last.line,
  }
}

export function keyOf(tokens: readonly {text: string}[]): string {
  return tokens.map(({text}) => text).join(' ')
}
