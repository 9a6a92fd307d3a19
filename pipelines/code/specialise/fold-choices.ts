import type {Node} from 'web-tree-sitter'
import {childrenOf} from '../../../cpp/nodes.ts'
import type {Edit} from '../../../cpp/edit.ts'

type Truth = (condition: string) => boolean | undefined

/** `c ? a : b` and `std::conditional_t<c, A, B>` as the part that `truth` takes; undefined for all else. */
export function foldedChoice(node: Node, text: string, truth: Truth): Edit | undefined {
  if (node.hasError) return undefined
  if (node.type === 'conditional_expression') return choice(node, partsOf(node), {text, truth})
  const word = node.type === 'template_type' ? node.childForFieldName('name')?.text : undefined
  if (word !== 'conditional_t' && word !== 'conditional') return undefined
  const whole = wholeType(node)
  const isAsked = word === 'conditional_t' || /::\s*type$/.test(whole.text)
  return isAsked ? choice(whole, childrenOf(node.childForFieldName('arguments')), {text, truth}) : undefined
}

function partsOf(node: Node): Node[] {
  return ['condition', 'consequence', 'alternative'].flatMap((field) => node.childForFieldName(field) ?? [])
}

/** `typename std::conditional<…>::type` around its template. */
function wholeType(node: Node): Node {
  let whole = node
  while (whole.parent && /^(?:qualified_identifier|dependent_type)$/.test(whole.parent.type)) whole = whole.parent
  return whole
}

function choice(whole: Node, parts: readonly Node[], {text, truth}: {text: string; truth: Truth}) {
  const [condition, consequence, alternative] = parts
  if (!condition || !consequence || !alternative || parts.length > 3) return undefined
  const holds = truth(condition.text)
  if (holds === undefined) return undefined
  const taken = holds ? consequence : alternative
  const isJoined = joining.test(whole.parent?.type ?? '') && joining.test(taken.type)
  // The parser does not see every word.
  const source = text.slice(taken.startIndex, taken.endIndex)
  return {start: whole.startIndex, end: whole.endIndex, text: isJoined ? `(${source})` : source}
}

/** What binds its parts by rank. */
const joining = /^(?:binary|unary|conditional|cast|assignment|comma|pointer|update|field|subscript|call)_expression$/
