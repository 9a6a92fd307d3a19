import {withoutComments} from '../../cpp/code-pieces.ts'

interface Token {
  text: string
  /** 1-based. */
  line: number
}

/** A statement, the head of a block up to its `{`, a closing `}`, or a line for the preprocessor. */
export interface Statement {
  tokens: readonly Token[]
  /** Its tokens, one space between each two: equal for statements that differ in layout alone. */
  key: string
  /** As written, on one line, without comments. */
  text: string
  line: number
  lastLine: number
}

const directive = /#(?:\\\n|[^\n])*/
const literal = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\d[\w.']*/
const mark = /->|::|\+\+|--|<<=|>>=|&&|\|\||[-+*/%&|^=!<>]=|\S/
const token = new RegExp([directive, literal, /[A-Za-z_]\w*/, mark].map(({source}) => source).join('|'), 'g')

/** The statements of C++ text in order. Text that does not parse still gives statements, some of them long. */
export function statementsOf(source: string): Statement[] {
  const text = withoutComments(source)
  const statements: Statement[] = []
  let open: (Token & {at: number})[] = []
  const brackets: string[] = []
  let line = 1
  let seen = 0
  const close = () => {
    if (open.length > 0) statements.push(asStatement(open, text))
    open = []
  }
  for (const match of text.matchAll(token)) {
    line += newlines(text, seen, match.index)
    seen = match.index
    const one = {text: match[0], line, at: match.index}
    if (one.text.startsWith('#')) {
      close()
      statements.push(asStatement([one], text))
      continue
    }
    const isBlock = one.text === '{' && brackets.length === 0 && opensBlock(open.map((each) => each.text))
    const isEnd = one.text === '}' && brackets.length === 0
    if (isEnd) close()
    open.push(one)
    if (/^[([]$/.test(one.text) || (one.text === '{' && !isBlock)) brackets.push(one.text)
    else if (/^[)\]}]$/.test(one.text)) brackets.pop()
    if (isBlock || isEnd || (brackets.length === 0 && (one.text === ';' || isLabel(open)))) close()
  }
  close()
  return statements
}

/** What stands before a `{` that is no list of values. */
function opensBlock(before: readonly string[]): boolean {
  const last = before.at(-1)
  if (last === undefined || [')', 'else', 'do', 'const', 'override', 'noexcept'].includes(last)) return true
  return !before.includes('(') && before.some((word) => /^(?:class|struct|namespace|enum|union|extern)$/.test(word))
}

function isLabel(tokens: readonly Token[]): boolean {
  return tokens.length === 2 && tokens[1]?.text === ':' && /^(?:public|private|protected)$/.test(tokens[0]?.text ?? '')
}

function asStatement(tokens: readonly (Token & {at: number})[], source: string): Statement {
  const [first, last] = [tokens[0]!, tokens.at(-1)!]
  return {
    tokens: tokens.map(({text, line}) => ({text, line})),
    key: keyOf(tokens),
    text: source.slice(first.at, last.at + last.text.length).replace(/\s+/g, ' '),
    line: first.line,
    lastLine: last.line,
  }
}

export function keyOf(tokens: readonly {text: string}[]): string {
  return tokens.map(({text}) => text).join(' ')
}

function newlines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
