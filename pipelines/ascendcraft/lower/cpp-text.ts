/** Lines of C++; an array within is indented one step further. */
export type Code = readonly (string | Code)[]

const step = '    '
const widest = 120

/** The text of some lines. Lines that are too wide are broken behind commas, or before operators. */
export function printCode(code: Code, depth = 0): string[] {
  return code.flatMap((one) => {
    if (typeof one !== 'string') return printCode(one, depth + 1)
    if (one === '' || one.startsWith('#')) return [one]
    return wrap(step.repeat(depth) + one)
  })
}

/** A statement with a body: `head {`, body, `}`. */
export function block(head: string, body: Code): Code {
  return [`${head} {`, body, '}']
}

/** A function, with its brace on a separate line. */
export function definition(head: string, body: Code): Code {
  return [head, '{', body, '}']
}

/** Comment lines as in the program. */
export function commentLines(comments: readonly string[], mark = '//'): string[] {
  return comments.map((line) => `${mark} ${line}`.trimEnd())
}

/** Texts with an empty line between each two that are not empty. */
export function separated(parts: readonly Code[]): Code {
  return parts.filter((part) => part.length > 0).flatMap((part, at) => (at > 0 ? ['', ...part] : [...part]))
}

function wrap(line: string): string[] {
  const indent = /^\s*/.exec(line)?.[0] ?? ''
  const mark = /^\/\/+ /.exec(line.trimStart())?.[0]
  const behind = mark === undefined ? `${indent}${step}` : `${indent}${mark}`
  const lines: string[] = []
  for (let rest = line; ; ) {
    const at = mark === undefined ? breakOf(rest) : rest.lastIndexOf(' ', widest)
    if (rest.length <= widest || at <= behind.length) return [...lines, rest]
    lines.push(rest.slice(0, at).trimEnd())
    rest = `${behind}${rest.slice(at).trimStart()}`
  }
}

/**
 * Where a statement is broken: the last place that fits, of those with the fewest parentheses around them. By
 * characters, as a width is counted in them, up to the widest.
 */
function breakOf(line: string): number {
  const from = /^\s*/.exec(line)?.[0].length ?? 0
  let depth = 0
  let best = {depth: Number.POSITIVE_INFINITY, at: -1}
  for (let at = from; at <= widest; at += 1) {
    const character = line[at] ?? ''
    if ('({['.includes(character) || line.startsWith('<<<', at)) depth += 1
    if (')}]'.includes(character) || line.startsWith('>>>', at)) depth -= 1
    const comma = character === ',' && line[at + 1] === ' ' && at < widest
    const operator = /^ (?:[-+*/%?:]|&&|\|\||[=!<>]=) /.test(line.slice(at, at + 4))
    if ((comma || operator) && depth <= best.depth) best = {depth, at: comma ? at + 1 : at}
  }
  return best.at
}
