import type {Expression} from '../ast.ts'
import {readExpression} from './read-expression.ts'
import {readText} from './read-literal.ts'
import type {Source} from './source.ts'
import {childrenOf, partsOf, type SyntaxNode} from './syntax.ts'

/**
 * Reads the statements of a body or of the whole file, in their order. The grammar takes any smaller indentation for
 * the end of a block, which Python does not, so all statements of a body must start in one column.
 */
export function readStatements<Statement>(
  source: Source,
  body: SyntaxNode,
  read: (node: SyntaxNode) => Statement | undefined,
): Statement[] {
  const nodes = body.name === 'Body' ? partsOf(body) : childrenOf(body)
  const column = nodes[0] ? source.placeOf(nodes[0]).column : 1
  const found: Statement[] = []
  for (const [at, node] of nodes.entries()) {
    if (at === 0 && isDocumentation(body, node)) {
      readText(source, node.firstChild!)
      continue
    }
    if (source.placeOf(node).column !== column) {
      source.refuse(
        node,
        'indentation',
        'the line is not indented like those of its block',
        'indent blocks by 4 spaces',
      )
    }
    const statement = read(node)
    if (statement !== undefined) found.push(statement)
  }
  return found
}

/** A text at the top of a function or of the file says nothing to the machine. */
function isDocumentation(body: SyntaxNode, node: SyntaxNode): boolean {
  const isTop = body.name === 'Script' || body.parent?.name === 'FunctionDefinition'
  return (
    isTop && node.name === 'ExpressionStatement' && node.firstChild!.name === 'String' && !node.firstChild!.nextSibling
  )
}

/** `name = value` or `name += value`: the name and the node of the value, and what is to be done with it. */
interface Assignment {
  name: string
  node: SyntaxNode
  /** `+` of `+=`; undefined for `=`. */
  update: string | undefined
}

/** The assignment of one value to one name; anything else is a fault. */
export function readAssignment(source: Source, node: SyntaxNode): Assignment | undefined {
  const parts = partsOf(node).filter((part) => part.name !== 'TypeDef')
  const [target, sign, value] = parts
  if (parts.length !== 3 || target!.name !== 'VariableName') {
    const mend = 'assign one value to one name in each line'
    source.refuse(node, 'assignment', `\`${source.quote(node)}\` does not assign one value to one name`, mend)
    return undefined
  }
  const word = source.textOf(sign!)
  return {name: source.textOf(target!), node: value!, update: word === '=' ? undefined : word.slice(0, -1)}
}

const updates = new Set(['+', '-', '*', '/', '//', '%'])

/** The value of an assignment to a scalar; `a += b` is `a + b`. */
export function readValue(source: Source, node: SyntaxNode, {name, node: value, update}: Assignment): Expression {
  const right = readExpression(source, value)
  if (update === undefined) return right
  if (!updates.has(update)) return source.refusedExpression(node, `\`${update}=\` is no assignment of the language`)
  const place = source.placeOf(node)
  return {...place, kind: 'binary', operator: update as '+', left: {...place, kind: 'name', name}, right}
}

/** Branches of an `if` statement; the last has no condition where it is `else`. */
export function readBranches<Statement>(
  source: Source,
  node: SyntaxNode,
  read: (node: SyntaxNode) => Statement | undefined,
): {condition: Expression | undefined; body: Statement[]}[] {
  const branches: {condition: Expression | undefined; body: Statement[]}[] = []
  const {column} = source.placeOf(node)
  let condition: SyntaxNode | undefined
  for (const part of childrenOf(node)) {
    if (part.name === 'elif' || part.name === 'else') {
      condition = undefined
      if (source.placeOf(part).column !== column) {
        source.refuse(part, 'indentation', `\`${part.name}\` does not stand below its \`if\``, 'indent both alike')
      }
    } else if (part.name === 'Body') {
      const tested = condition && readExpression(source, condition)
      branches.push({condition: tested, body: readStatements(source, part, read)})
    } else if (part.name !== 'if') condition = part
  }
  return branches
}

const instead: Record<string, string> = {
  WhileStatement: 'write `for i in range(start, stop, step):` with bounds that are known before it',
  BreakStatement: 'give the loop the bounds that it needs, or put the rest under `if`',
  ContinueStatement: 'put the rest of the body under `if`',
  ReturnStatement: 'put the rest of the function under `if`; outputs are parameters',
  PassStatement: 'leave the branch out',
  StatementGroup: 'write one statement in each line',
  AssertStatement: 'put the assertion into the host function',
  FunctionDefinition: 'write one kernel function and one host function, at the top level',
  DecoratedStatement: 'write one kernel function and one host function, at the top level',
  ImportStatement: 'write `import tile.language as tl` once, at the top',
  ExpressionStatement: 'write an assignment, `for`, `if`, a stage, or an operation `tl.name(...)` inside a stage',
}

/** Records that a statement is misplaced. */
export function refuseStatement(source: Source, node: SyntaxNode, where: string): undefined {
  const mend = instead[node.name] ?? `leave it out: ${where} has assignments, \`if\`, and what the page lists`
  source.refuse(node, 'statement', `\`${source.quote(node)}\` is no statement of ${where}`, mend)
}
