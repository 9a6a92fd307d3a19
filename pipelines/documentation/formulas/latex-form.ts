/** A token of LaTeX: a command, a brace, a script mark or one character. */
export function latexTokens(latex: string): string[] {
  return latex.match(/\\(?:[A-Za-z]+|[^])|[^\s\\]/g) ?? []
}

const spaces = new Set(['\\,', '\\;', '\\:', '\\!', '\\ ', '~', '\\quad', '\\qquad', '\\displaystyle', '\\limits'])
const fonts = /^\\(?:mathrm|mathit|mathbf|mathsf|operatorname|text|textrm|textit|textbf|rm|it|bf|boldsymbol)$/
const sizes = /^\\(?:left|right|big|Big|bigg|Bigg)[lr]?$/

const same: Readonly<Record<string, string>> = {
  '\\dfrac': '\\frac',
  '\\tfrac': '\\frac',
  '\\lvert': '|',
  '\\rvert': '|',
  '\\vert': '|',
  '\\mid': '|',
  '\\ast': '*',
  '\\varepsilon': '\\epsilon',
  '\\leqslant': '\\le',
  '\\geqslant': '\\ge',
  '\\leq': '\\le',
  '\\geq': '\\ge',
  '\\dots': '\\ldots',
  '\\cdots': '\\ldots',
  '\\_': '_',
}

/** Commands for functions, which read the same as their letters. */
export const functionCommands =
  /^\\(?:exp|ln|log|lg|max|min|sin|cos|tan|tanh|sinh|cosh|arcsin|arccos|arctan|det|dim|gcd|lim|sup|inf)$/

/**
 * Formulas that look the same have the same normal form: without fonts, sizes, spaces and braces that change nothing.
 */
export function normalLatex(latex: string): string {
  const kept = latexTokens(latex)
    .filter((token) => !spaces.has(token) && !fonts.test(token) && !sizes.test(token))
    .flatMap((token) => (functionCommands.test(token) ? [...token.slice(1)] : [same[token] ?? token]))
  return withoutIdleBraces(kept).join(' ')
}

/** `{a}` is `a`, and a group is idle unless a script or command takes it. */
function withoutIdleBraces(tokens: readonly string[]): string[] {
  const {nodes} = groupAt(tokens, 0)
  return nodes.flatMap((node, at) => written(node, nodes[at - 1], at, nodes))
}

type Node = string | Node[]

function groupAt(tokens: readonly string[], from: number): {nodes: Node[]; end: number} {
  const nodes: Node[] = []
  let at = from
  while (at < tokens.length && tokens[at] !== '}') {
    if (tokens[at] === '{') {
      const inner = groupAt(tokens, at + 1)
      nodes.push(inner.nodes)
      at = inner.end + 1
    } else {
      nodes.push(tokens[at] as string)
      at += 1
    }
  }
  return {nodes, end: at}
}

function written(node: Node, before: Node | undefined, at: number, nodes: readonly Node[]): string[] {
  if (typeof node === 'string') return [node]
  const inner = node.flatMap((one, index) => written(one, node[index - 1], index, node))
  const isTaken = before === '_' || before === '^' || takesGroup(nodes, at)
  return isTaken && inner.length !== 1 ? ['{', ...inner, '}'] : inner
}

/** Whether the group is an argument of \frac or \sqrt. */
function takesGroup(nodes: readonly Node[], at: number): boolean {
  return nodes[at - 1] === '\\sqrt' || nodes[at - 1] === '\\frac' || nodes[at - 2] === '\\frac'
}
