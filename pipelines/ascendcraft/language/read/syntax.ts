import {parser} from '@lezer/python'

/** A node of the Python grammar's tree. */
export type SyntaxNode = ReturnType<typeof parser.parse>['topNode']

/** The tree of `text`. The grammar recovers from every error, so there always is one. */
export function parsePython(text: string): SyntaxNode {
  return parser.parse(text).topNode
}

/** Children in their order, punctuation included, without comments. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) if (child.name !== 'Comment') found.push(child)
  return found
}

const punctuation = new Set(['(', ')', '[', ']', ',', ':'])

/** Children that are not brackets, commas or colons. */
export function partsOf(node: SyntaxNode): SyntaxNode[] {
  return childrenOf(node).filter((child) => !punctuation.has(child.name))
}

/** Places where the grammar had to recover, in their order, one for each line. */
export function errorsIn(top: SyntaxNode, lineOf: (offset: number) => number): SyntaxNode[] {
  const errors: SyntaxNode[] = []
  const visit = (node: SyntaxNode): void => {
    if (node.type.isError) errors.push(node)
    else childrenOf(node).forEach(visit)
  }
  visit(top)
  const lines = new Set<number>()
  return errors.filter((node) => !lines.has(lineOf(node.from)) && lines.add(lineOf(node.from)))
}
