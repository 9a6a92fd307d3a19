/** A comment or a literal of C++ in a text. */
interface Piece {
  start: number
  end: number
  kind: 'comment' | 'literal'
}

/**
 * Comments and literals in order, in one pass. A block comment or a literal that does not end is not one: what follows
 * its mark is text.
 * @param spliced a backslash at the end of a line carries a line comment on
 */
export function* codePieces(text: string, {spliced = false}: {spliced?: boolean} = {}): Generator<Piece> {
  const mark = /["']|\/[/*]/g
  const rest: Readonly<Record<string, RegExp>> = {'"': /(?:\\.|[^"\\\n])*/y, "'": /(?:\\.|[^'\\\n])*/y}
  const line = spliced ? /(?:\\\r?\n|[^\n])*/y : /[^\n]*/y
  const lastBlockEnd = text.lastIndexOf('*/')
  /** Up to there, no literal of that mark ends: one that begins later on the way would run into the same. */
  const endless: Record<string, number> = {'"': 0, "'": 0}
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const start = found.index
    const [opened] = found
    const body = rest[opened]
    let end = -1
    if (opened === '//') end = endOf(line, text, start + 2)
    else if (opened === '/*') end = lastBlockEnd < start + 2 ? -1 : text.indexOf('*/', start + 2) + 2
    else if (body && start >= (endless[opened] as number)) {
      const stop = endOf(body, text, start + 1)
      if (text[stop] === opened) end = stop + 1
      else endless[opened] = stop
    }
    if (end < 0) {
      mark.lastIndex = start + 1
    } else {
      yield {start, end, kind: body ? 'literal' : 'comment'}
      mark.lastIndex = end
    }
  }
}

function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from
}

/** The text with its pieces replaced. */
export function replacePieces(
  text: string,
  replace: (piece: string, kind: Piece['kind']) => string,
  options?: {spliced?: boolean},
): string {
  const parts: string[] = []
  let from = 0
  for (const {start, end, kind} of codePieces(text, options)) {
    parts.push(text.slice(from, start), replace(text.slice(start, end), kind))
    from = end
  }
  return parts.join('') + text.slice(from)
}

/** Text without comments, of the same length and line count; string literals keep what looks like one. */
export function withoutComments(text: string): string {
  return replacePieces(text, (piece, kind) => (kind === 'comment' ? blank(piece) : piece), {spliced: true})
}

/** Text with its comments cut out: lines that a block comment spans become one. */
export function cutComments(text: string): string {
  return replacePieces(text, (piece, kind) => (kind === 'comment' ? '' : piece), {spliced: true})
}

/** Text from its first code on: what precedes it, such as a licence, is the same in every file of a project. */
export function behindOpening(text: string): string {
  return text.slice(withoutComments(text).search(/\S|$/))
}

/**
 * Text without comments, strings and characters, of the same length and line count. A line comment ends with its line
 * whatever the line ends with: what a search of this text finds may be code.
 */
export function withoutCommentsAndLiterals(text: string): string {
  return replacePieces(text, blank)
}

function blank(piece: string): string {
  return piece.replace(/[^\n]/g, ' ')
}

/** How many lines are neither blank, comment, directive nor a lone brace. */
export function codeLines(text: string): number {
  return withoutComments(text)
    .split('\n')
    .filter((line) => !/^\s*(?:#.*|[{};]*)\s*$/.test(line)).length
}
