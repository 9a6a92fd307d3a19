import type {BinaryOperator, Expression, TypeName} from '../ast.ts'
import {isElementType} from '../dtypes.ts'
import {readCall} from './read-call.ts'
import {readLogic} from './read-logic.ts'
import {readNumber, readText} from './read-literal.ts'
import type {Source} from './source.ts'
import {childrenOf, partsOf, type SyntaxNode} from './syntax.ts'

const operators = new Set('+ - * / // % ** == != < <= > >= and or'.split(' '))

/** An expression. What the language does not have becomes a fault, replaced by 0. */
export function readExpression(source: Source, node: SyntaxNode): Expression {
  const place = source.placeOf(node)
  switch (node.name) {
    case 'Number':
      return {...place, ...readNumber(source, node)}
    case 'Boolean':
      return {...place, kind: 'boolean', value: source.textOf(node) === 'True'}
    case 'String':
    case 'ContinuedString':
      return {...place, kind: 'text', value: readText(source, node)}
    case 'VariableName':
      return readName(source, node)
    case 'ParenthesizedExpression':
      return readParenthesised(source, node)
    case 'UnaryExpression':
      return readUnary(source, node)
    case 'BinaryExpression':
      return readBinary(source, node)
    case 'ConditionalExpression': {
      const [yes, , condition, , no] = partsOf(node)
      const read = (part: SyntaxNode | undefined) => readExpression(source, part!)
      return {...place, kind: 'choice', condition: read(condition), yes: read(yes), no: read(no)}
    }
    case 'MemberExpression':
      return readMember(source, node)
    case 'CallExpression':
      return readCall(source, node, (part) => readExpression(source, part))
    default:
      return source.refusedExpression(node, `\`${source.quote(node)}\` is no expression of the language`)
  }
}

function readName(source: Source, node: SyntaxNode): Expression {
  const name = source.textOf(node)
  if (source.typeNames.has(name)) return {...source.placeOf(node), kind: 'type', type: {kind: 'parameter', name}}
  return {...source.placeOf(node), kind: 'name', name}
}

function readParenthesised(source: Source, node: SyntaxNode): Expression {
  const [inner, ...more] = partsOf(node)
  if (!inner || more.length > 0)
    return source.refusedExpression(node, `\`${source.quote(node)}\` holds no single expression`)
  return readExpression(source, inner)
}

function readUnary(source: Source, node: SyntaxNode): Expression {
  const [operator, operand] = childrenOf(node)
  const sign = source.textOf(operator!)
  if (sign === 'not') return readLogic(source, node, (part) => readExpression(source, part))
  const value = readExpression(source, operand!)
  if (sign === '+') return value
  if (sign !== '-') return source.refusedExpression(node, `\`${sign}\` is no operator of the language`)
  const place = source.placeOf(node)
  if (value.kind === 'number')
    return {...value, ...place, value: value.value === 0 && !value.isFloat ? 0 : -value.value}
  return {...place, kind: 'unary', operator: '-', operand: value}
}

function readBinary(source: Source, node: SyntaxNode): Expression {
  const [left, ...rest] = childrenOf(node)
  const right = rest.at(-1)!
  const operator = rest
    .slice(0, -1)
    .map((part) => source.textOf(part))
    .join(' ')
  if (operator === 'and' || operator === 'or') return readLogic(source, node, (part) => readExpression(source, part))
  if (!operators.has(operator)) {
    return source.refusedExpression(
      node,
      `\`${operator}\` is no operator of the language`,
      'use + - * / // % ** or a comparison',
    )
  }
  if (isComparison(operator) && [left!, right].some((side) => isComparisonNode(source, side) || isNot(source, side))) {
    const mend = 'join comparisons of two values with `and`'
    return source.refusedExpression(node, `\`${source.quote(node)}\` chains comparisons`, mend)
  }
  return {
    ...source.placeOf(node),
    kind: 'binary',
    operator: operator as BinaryOperator,
    left: readExpression(source, left!),
    right: readExpression(source, right),
  }
}

function isComparison(operator: string): boolean {
  return /^(?:==|!=|<|<=|>|>=)$/.test(operator)
}

function isComparisonNode(source: Source, node: SyntaxNode): boolean {
  return node.name === 'BinaryExpression' && isComparison(source.textOf(childrenOf(node)[1]!))
}

function isNot(source: Source, node: SyntaxNode): boolean {
  return node.name === 'UnaryExpression' && source.textOf(childrenOf(node)[0]!) === 'not'
}

/** `tl.float32`, `x.shape[i]`, or `buffer[offset]`. */
function readMember(source: Source, node: SyntaxNode): Expression {
  const type = typeOf(source, node)
  if (type) return {...source.placeOf(node), kind: 'type', type}
  const [base, bracket, index, close] = childrenOf(node)
  if (bracket?.name !== '[' || close?.name !== ']') {
    const mend =
      'of tensors there are x.shape[i], x.numel() and x.dim(), of the language what its page lists after `tl.`'
    return source.refusedExpression(node, `\`${source.quote(node)}\` is no name of the language`, mend)
  }
  const place = source.placeOf(node)
  if (base!.name === 'VariableName') {
    return {...place, kind: 'slice', buffer: source.textOf(base!), offset: readExpression(source, index!)}
  }
  const [tensor, , property] = base!.name === 'MemberExpression' ? childrenOf(base!) : []
  if (tensor?.name === 'VariableName' && property && source.textOf(property) === 'shape') {
    return {...place, kind: 'shape', tensor: source.textOf(tensor), axis: readExpression(source, index!)}
  }
  return source.refusedExpression(node, `\`${source.quote(node)}\` is no element of a buffer and no axis of a tensor`)
}

/** The element type that a node names, if it names one: `tl.float32` or a type parameter. */
export function typeOf(source: Source, node: SyntaxNode): TypeName | undefined {
  const text = source.textOf(node)
  if (node.name === 'VariableName' && source.typeNames.has(text)) return {kind: 'parameter', name: text}
  const name = /^tl\.(\w+)$/.exec(text)?.[1]
  return name !== undefined && isElementType(name) ? {kind: 'type', type: name} : undefined
}
