import type {Expression, HostParameter} from '../ast.ts'
import {argumentsOf, splitAtCommas} from './read-call.ts'
import {readExpression, typeOf} from './read-expression.ts'
import type {Source} from './source.ts'
import {childrenOf, type SyntaxNode} from './syntax.ts'

const form = 'write `x: tl.tensor(tl.float32)`, `y: tl.output(tl.float32, shape=[...])` or `scale: float = 1.0`'

/** Parameters of the host function: each has an annotation that says what it is. */
export function readHostParameters(source: Source, list: SyntaxNode): HostParameter[] {
  const found: HostParameter[] = []
  for (const group of splitAtCommas(list)) {
    const parameter = readParameter(source, group)
    if (parameter) found.push(parameter)
    else source.refuse(group[0]!, 'parameters', `\`${source.quote(group[0]!)}\` does not say what it is`, form)
  }
  return found
}

function readParameter(source: Source, group: SyntaxNode[]): HostParameter | undefined {
  const [nameNode, annotation, sign, value, more] = group
  const note = annotation?.name === 'TypeDef' ? childrenOf(annotation)[1] : undefined
  if (nameNode!.name !== 'VariableName' || !note || more) return undefined
  const named = {...source.placeOf(nameNode!), name: source.textOf(nameNode!)}
  const word = source.textOf(note)
  if (word === 'float' || word === 'int' || word === 'bool') {
    const fallback = sign && value ? defaultOf(source, value, word) : undefined
    return fallback === undefined ? undefined : {...named, kind: 'attribute', type: word, default: fallback}
  }
  if (note.name !== 'CallExpression' || sign) return undefined
  return readTensor(source, note, named)
}

/** The default of an attribute, where it has the attribute's type. */
function defaultOf(source: Source, node: SyntaxNode, type: 'float' | 'int' | 'bool'): number | boolean | undefined {
  const value = readExpression(source, node)
  if (type === 'bool') return value.kind === 'boolean' ? value.value : undefined
  if (value.kind !== 'number' || (type === 'int' && value.isFloat)) return undefined
  return value.value
}

function readTensor(
  source: Source,
  call: SyntaxNode,
  named: {line: number; column: number; name: string},
): HostParameter | undefined {
  const callee = source.textOf(call.firstChild!)
  const {positional, named: byName} = argumentsOf(source, call)
  const typeNode = positional[0] ?? byName.get('dtype')
  const type = typeNode && typeOf(source, typeNode)
  if (!type) return undefined
  if (callee === 'tl.tensor' && positional.length + byName.size === 1) return {...named, kind: 'tensor', type}
  const shapeNode = byName.get('shape') ?? positional[1]
  if (callee !== 'tl.output' || !shapeNode || positional.length + byName.size !== 2) return undefined
  const shape = readShape(source, shapeNode)
  return shape && {...named, kind: 'output', type, shape}
}

function readShape(source: Source, node: SyntaxNode): Expression[] | undefined {
  if (node.name !== 'ArrayExpression' && node.name !== 'TupleExpression') return undefined
  const groups = splitAtCommas(node)
  if (groups.some((group) => group.length !== 1)) return undefined
  return groups.map((group) => readExpression(source, group[0]!))
}
