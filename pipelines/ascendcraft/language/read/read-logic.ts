import type {Expression} from '../ast.ts'
import type {Source} from './source.ts'
import {childrenOf, type SyntaxNode} from './syntax.ts'

/**
 * `and`, `or` and `not` without parentheses between them. The grammar lets `not` take all that follows it, which Python
 * does not, so their words are put in a row again and read by Python's precedence.
 */
export function readLogic(source: Source, node: SyntaxNode, read: (part: SyntaxNode) => Expression): Expression {
  const words = inOrder(source, node)
  let next = 0
  const binary = (operator: 'and' | 'or', operand: () => Expression): Expression => {
    let left = operand()
    while (words[next] === operator) {
      next++
      left = {line: left.line, column: left.column, kind: 'binary', operator, left, right: operand()}
    }
    return left
  }
  const negation = (): Expression => {
    const word = words[next++]!
    if (typeof word !== 'string') return read(word.node)
    const operand = negation()
    return {line: operand.line, column: Math.max(1, operand.column - 4), kind: 'unary', operator: 'not', operand}
  }
  return binary('or', () => binary('and', negation))
}

type Word = 'and' | 'or' | 'not' | {node: SyntaxNode}

function inOrder(source: Source, node: SyntaxNode): Word[] {
  const parts = childrenOf(node)
  const word = (part: SyntaxNode | undefined) => (part ? source.textOf(part) : '')
  if (node.name === 'UnaryExpression' && word(parts[0]) === 'not') return ['not', ...inOrder(source, parts[1]!)]
  const operator = word(parts[1])
  if (node.name !== 'BinaryExpression' || (operator !== 'and' && operator !== 'or')) return [{node}]
  return [...inOrder(source, parts[0]!), operator, ...inOrder(source, parts[2]!)]
}
