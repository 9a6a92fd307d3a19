import type {Expression, KernelFunction, KernelStatement, Place} from '../ast.ts'
import type {StageKind} from '../primitives.ts'
import {argumentsOf} from './read-call.ts'
import {readExpression, typeOf} from './read-expression.ts'
import {readOperation} from './read-operation.ts'
import {readAssignment, readBranches, readStatements, readValue, refuseStatement} from './read-statements.ts'
import type {Source} from './source.ts'
import {childrenOf, partsOf, type SyntaxNode} from './syntax.ts'

/** The function below `@ascend_kernel`. */
export function readKernel(source: Source, node: SyntaxNode): KernelFunction {
  const name = node.getChild('VariableName')!
  return {
    ...source.placeOf(node),
    name: source.textOf(name),
    parameters: readParameters(source, node.getChild('ParamList')!),
    body: readStatements(source, node.getChild('Body')!, (one) => readStatement(source, one)),
  }
}

function readParameters(source: Source, list: SyntaxNode): (Place & {name: string})[] {
  const parameters: (Place & {name: string})[] = []
  for (const part of partsOf(list)) {
    if (part.name === 'VariableName' && part.prevSibling?.name !== 'AssignOp') {
      parameters.push({...source.placeOf(part), name: source.textOf(part)})
    } else {
      const message = `\`${source.quote(part)}\` stands among the parameters of the kernel`
      source.refuse(part, 'parameters', message, 'give the kernel plain names: the launch binds them in order')
    }
  }
  return parameters
}

function readStatement(source: Source, node: SyntaxNode): KernelStatement | undefined {
  const place = source.placeOf(node)
  const comments = source.commentsAbove(place.line)
  const read = (one: SyntaxNode) => readStatement(source, one)
  switch (node.name) {
    case 'AssignStatement':
    case 'UpdateStatement':
      return readAssigned(source, node, comments)
    case 'IfStatement':
      return {...place, comments, kind: 'if', branches: readBranches(source, node, read)}
    case 'ForStatement':
      return readFor(source, node, comments)
    case 'WithStatement':
      return readStage(source, node, comments)
    case 'ExpressionStatement':
      return readCalled(source, node, comments)
    default:
      return refuseStatement(source, node, 'kernels')
  }
}

function readAssigned(source: Source, node: SyntaxNode, comments: string[]): KernelStatement | undefined {
  const assignment = readAssignment(source, node)
  if (!assignment) return undefined
  const {name, node: value} = assignment
  const isAlloc = value.name === 'CallExpression' && source.textOf(value.firstChild!) === 'tl.alloc_ub'
  if (isAlloc) return readAlloc(source, value, {name, place: source.placeOf(node), comments})
  return {...source.placeOf(node), kind: 'assign', comments, name, value: readValue(source, node, assignment)}
}

interface Named {
  name: string
  place: Place
  comments: string[]
}

/** `tl.alloc_ub(elements, dtype=T, depth=1)`. */
function readAlloc(source: Source, call: SyntaxNode, {name, place, comments}: Named): KernelStatement | undefined {
  const {positional, named} = argumentsOf(source, call)
  const [size, second] = positional
  const typeNode = second ?? named.get('dtype')
  const type = typeNode && typeOf(source, typeNode)
  const unknown = [...named.keys()].find((key) => key !== 'dtype' && key !== 'depth')
  if (!size || positional.length > 2 || unknown !== undefined || !type || (second && named.has('dtype'))) {
    const mend = 'write `name = tl.alloc_ub(elements, dtype=tl.float32)`, with `depth=1` where one buffer is enough'
    source.refuse(call, 'alloc', `\`${source.quote(call)}\` does not say a number of elements and a type`, mend)
    return undefined
  }
  const depthNode = named.get('depth')
  const depth = depthNode && readExpression(source, depthNode)
  if (depth && !(depth.kind === 'number' && (depth.value === 1 || depth.value === 2))) {
    source.refuse(depthNode!, 'alloc', 'depth is neither 1 nor 2', 'write depth=1, or leave it out')
  }
  const asked = depth?.kind === 'number' ? depth.value : undefined
  return {...place, kind: 'alloc', comments, name, size: readExpression(source, size), type, depth: asked}
}

/** `for i in range(start, stop, step):`. */
function readFor(source: Source, node: SyntaxNode, comments: string[]): KernelStatement | undefined {
  const parts = partsOf(node)
  const [, variable, , range, body] = parts
  const isRange = range?.name === 'CallExpression' && source.textOf(range.firstChild!) === 'range'
  const bounds = isRange ? argumentsOf(source, range) : undefined
  const [first, ...more] = bounds?.positional ?? []
  const plain = parts.length === 5 && parts[0]!.name === 'for' && variable!.name === 'VariableName'
  if (!plain || !first || more.length > 2 || bounds!.named.size > 0 || body?.name !== 'Body') {
    const mend = 'write `for i in range(start, stop, step):`'
    source.refuse(node, 'loop', `\`${source.quote(node)}\` is no loop over a range`, mend)
    return undefined
  }
  const place = source.placeOf(node)
  const number = (value: number): Expression => ({...place, kind: 'number', value, isFloat: false})
  return {
    ...place,
    kind: 'for',
    comments,
    variable: source.textOf(variable!),
    start: more[0] ? readExpression(source, first) : number(0),
    stop: readExpression(source, more[0] ?? first),
    step: more[1] ? readExpression(source, more[1]) : number(1),
    body: readStatements(source, body, (one) => readStatement(source, one)),
  }
}

/** `with tl.copyin():` and its like. */
function readStage(source: Source, node: SyntaxNode, comments: string[]): KernelStatement | undefined {
  const parts = childrenOf(node)
  const stage = /^tl\.(copyin|compute|copyout)\s*\(\s*\)$/.exec(source.textOf(parts[1]!))?.[1]
  const body = parts[2]
  if (stage === undefined || parts.length !== 3 || body?.name !== 'Body') {
    const mend = 'write `with tl.copyin():`, `with tl.compute():` or `with tl.copyout():`'
    source.refuse(node, 'stage', `\`${source.quote(node)}\` is no stage`, mend)
    return undefined
  }
  const read = (one: SyntaxNode) => readStatement(source, one)
  return {
    ...source.placeOf(node),
    kind: 'stage',
    comments,
    stage: stage as StageKind,
    body: readStatements(source, body, read),
  }
}

function readCalled(source: Source, node: SyntaxNode, comments: string[]): KernelStatement | undefined {
  const call = node.firstChild!
  if (call.name !== 'CallExpression' || call.nextSibling) return refuseStatement(source, node, 'kernels')
  if (/^tl\.sync_all\s*\(\s*\)$/.test(source.textOf(call))) return {...source.placeOf(node), kind: 'sync_all', comments}
  return readOperation(source, call)
}
