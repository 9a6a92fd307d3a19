import type {Node} from 'web-tree-sitter'
import {replacePieces} from './code-pieces.ts'

/** One line, single spaces, no comments. */
export function squeeze(text: string): string {
  const bare = text.includes('/') ? replacePieces(text, (piece, kind) => (kind === 'comment' ? ' ' : piece)) : text
  return bare
    .replace(/\s+/g, ' ')
    .replace(/([(.]|->) /g, '$1')
    .trim()
}

/** The text of a field of a node on one line; '' if there is none. */
export function fieldText(node: Node, field: string): string {
  return squeeze(node.childForFieldName(field)?.text ?? '')
}

/** Line of its begin, 1-based. */
export function lineOf(node: Node): number {
  return node.startPosition.row + 1
}

/** First and last line, 1-based. */
export function linesOf(node: Node): [number, number] {
  return [lineOf(node), node.endPosition.row + 1]
}

export function childrenOf(node: Node | null | undefined): Node[] {
  return node?.namedChildren.filter((child) => child !== null) ?? []
}

/** Nodes of a type, the node itself among them, in the order of the text. */
export function nodesOf(root: Node, type: string | string[]): Node[] {
  return root.descendantsOfType(type).filter((node) => node !== null)
}

/** What a list in brackets holds: arguments, template parameters. */
export function itemsOf(list: Node | null): string[] {
  return childrenOf(list).flatMap((child) => (child.type === 'comment' ? [] : [squeeze(child.text)]))
}

/** The name that a declarator declares, behind pointers, references and arrays; '' where it declares none. */
export function declaredName(node: Node): string {
  let at: Node = node
  for (;;) {
    const inner =
      at.childForFieldName('declarator') ??
      (at.type === 'reference_declarator' || at.type === 'pointer_declarator'
        ? at.namedChild(at.namedChildCount - 1)
        : null)
    if (!inner) break
    at = inner
  }
  return /^[A-Za-z_]\w*$/.test(at.text) ? at.text : ''
}

/** The comment right above a declaration, without its marks. */
export function commentAbove(node: Node): string {
  const lines: string[] = []
  let at = node.previousNamedSibling
  let below = node.startPosition.row
  while (at?.type === 'comment' && at.endPosition.row >= below - 1 && !isTrailing(at)) {
    lines.unshift(at.text)
    below = at.startPosition.row
    at = at.previousNamedSibling
  }
  return plainComment(lines.join('\n'))
}

/** Whether it is about the code before it on its line. */
function isTrailing(comment: Node): boolean {
  const before = comment.previousSibling
  return before !== null && before.type !== '{' && before.endPosition.row === comment.startPosition.row
}

/** The words of a comment: no marks, no doxygen commands, one line; what a parameter is says its own line. */
function plainComment(text: string): string {
  return text
    .split('\n')
    .map((line) =>
      line
        .replace(/^\s*(?:\/\/[/!]*<?|\/\*[*!\s]*|\*+\/|\*)\s?/, '')
        .replace(/\*+\/\s*$/, '')
        .replace(/^\s*[\\@]param\b.*/, '')
        .replace(/^\s*[\\@](?:brief|file|details?|note)\b/, '')
        .trim(),
    )
    .filter(Boolean)
    .join(' ')
}

/** The parser does not see the words of the device before a function: `__aicore__`, a library's on a line above. */
export function withWords(at: number, text: string): number {
  const line = text.lastIndexOf('\n', at) + 1
  const [words = ''] = /(?:[\w[\]]+[ \t]+)*$/.exec(text.slice(line, at)) ?? []
  const above = /[A-Z\d_]*DEVICE[ \t]*\n$/.exec(text.slice(Math.max(0, line - 60), line))
  return above && text.slice(line, at - words.length).trim() === '' ? line - above[0].length : at - words.length
}
