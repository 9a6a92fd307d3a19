import type {HostFunction, HostStatement} from '../ast.ts'
import {argumentsOf} from './read-call.ts'
import {readExpression, typeOf} from './read-expression.ts'
import {readHostParameters} from './read-host-parameters.ts'
import {readAssignment, readBranches, readStatements, readValue, refuseStatement} from './read-statements.ts'
import type {Source} from './source.ts'
import {childrenOf, partsOf, type SyntaxNode} from './syntax.ts'

/** The function whose name ends in `_host`. */
export function readHost(source: Source, node: SyntaxNode): HostFunction {
  return {
    ...source.placeOf(node),
    name: source.textOf(node.getChild('VariableName')!),
    parameters: readHostParameters(source, node.getChild('ParamList')!),
    body: readStatements(source, node.getChild('Body')!, (one) => readHostStatement(source, one)),
  }
}

function readHostStatement(source: Source, node: SyntaxNode): HostStatement | undefined {
  const place = source.placeOf(node)
  switch (node.name) {
    case 'AssignStatement':
    case 'UpdateStatement':
      return readHostAssigned(source, node)
    case 'AssertStatement':
      return readAssert(source, node)
    case 'IfStatement':
      return {...place, kind: 'if', branches: readBranches(source, node, (one) => readHostStatement(source, one))}
    case 'ExpressionStatement':
      return readLaunch(source, node)
    default:
      return refuseStatement(source, node, 'host functions')
  }
}

function readHostAssigned(source: Source, node: SyntaxNode): HostStatement | undefined {
  const assignment = readAssignment(source, node)
  if (!assignment) return undefined
  const {name, node: value} = assignment
  const place = source.placeOf(node)
  if (value.name === 'CallExpression' && source.textOf(value.firstChild!) === 'tl.workspace') {
    return readWorkspace(source, value, {...place, name})
  }
  const comments = source.commentsAbove(place.line)
  return {...place, kind: 'assign', name, value: readValue(source, node, assignment), comments}
}

/** `tl.workspace(elements, tl.float32)`. */
function readWorkspace(
  source: Source,
  call: SyntaxNode,
  named: {line: number; column: number; name: string},
): HostStatement | undefined {
  const given = argumentsOf(source, call)
  const [size, second] = given.positional
  const typeNode = second ?? given.named.get('dtype')
  const type = typeNode && typeOf(source, typeNode)
  const surplus = given.positional.length + given.named.size > 2
  if (size && type && !surplus) return {...named, kind: 'workspace', size: readExpression(source, size), type}
  const mend = 'write `name = tl.workspace(elements, tl.float32)`'
  source.refuse(call, 'workspace', `\`${source.quote(call)}\` does not say a number of elements and a type`, mend)
  return undefined
}

function readAssert(source: Source, node: SyntaxNode): HostStatement | undefined {
  const [, condition, message, more] = partsOf(node)
  if (!condition || !message || more || !/^(?:Continued)?String$/.test(message.name)) {
    const mend = 'write `assert condition, "what is served"`'
    source.refuse(node, 'assert', `\`${source.quote(node)}\` has no text that says what is served`, mend)
    return undefined
  }
  const text = readExpression(source, message)
  return {
    ...source.placeOf(node),
    kind: 'assert',
    condition: readExpression(source, condition),
    message: text.kind === 'text' ? text.value : '',
  }
}

/** `kernel[n_cores](arguments)`. */
function readLaunch(source: Source, node: SyntaxNode): HostStatement | undefined {
  const call = node.firstChild!
  const callee = call.firstChild
  const [kernel, bracket, cores, close] = callee ? childrenOf(callee) : []
  const isLaunch = call.name === 'CallExpression' && callee!.name === 'MemberExpression' && bracket?.name === '['
  if (!isLaunch || call.nextSibling || kernel!.name !== 'VariableName' || close?.name !== ']') {
    return refuseStatement(source, node, 'host functions')
  }
  const given = argumentsOf(source, call)
  for (const value of given.named.values()) {
    source.refuse(value, 'launch', 'the launch names an argument', 'pass all arguments by place')
  }
  return {
    ...source.placeOf(node),
    kind: 'launch',
    kernel: source.textOf(kernel!),
    cores: readExpression(source, cores!),
    arguments: given.positional.map((one) => readExpression(source, one)),
  }
}
