import {type Expression, type ScalarFunction, scalarFunctions} from '../ast.ts'
import type {Source} from './source.ts'
import {childrenOf, type SyntaxNode} from './syntax.ts'

/** Arguments of a call as they are written. */
interface CallArguments {
  positional: SyntaxNode[]
  named: Map<string, SyntaxNode>
}

type ReadExpression = (node: SyntaxNode) => Expression

/** Python's own functions; the language's others come after `tl.`. */
const builtIn = new Set<string>(['min', 'max', 'abs', 'float', 'int'])
/** How many arguments a function takes, at least and at most. */
const argumentCounts: Record<ScalarFunction, [number, number]> = {
  program_id: [1, 1],
  num_programs: [1, 1],
  extract: [2, 2],
  cdiv: [2, 2],
  align: [2, 2],
  item_bytes: [1, 1],
  min: [2, 8],
  max: [2, 8],
  abs: [1, 1],
  sqrt: [1, 1],
  float: [1, 1],
  int: [1, 1],
}

/** A call inside an expression: a function of scalars, or `x.numel()` and `x.dim()`. */
export function readCall(source: Source, node: SyntaxNode, read: ReadExpression): Expression {
  const callee = source.textOf(node.firstChild!)
  const found = argumentsOf(source, node)
  const count = /^(\w+)\.(numel|dim)$/.exec(callee)
  if (count && found.positional.length + found.named.size === 0) {
    const of = count[2] === 'numel' ? 'elements' : 'axes'
    return {...source.placeOf(node), kind: 'count', tensor: count[1]!, of}
  }
  const name = scalarFunctions.find((one) => callee === (builtIn.has(one) ? one : `tl.${one}`))
  if (!name) return source.refusedExpression(node, `\`${callee}\` is no function of scalars`, mendOf(callee))
  return scalarCall(source, node, {callee: name, ...found}, read)
}

function scalarCall(
  source: Source,
  node: SyntaxNode,
  {callee, positional, named}: CallArguments & {callee: ScalarFunction},
  read: ReadExpression,
): Expression {
  const place = source.placeOf(node)
  const [least, most] = argumentCounts[callee]
  if (named.size > 0 || positional.length < least || positional.length > most) {
    const wanted = least === most ? `${least}` : `${least} to ${most}`
    const mend = `give it ${wanted} ${most === 1 ? 'argument' : 'arguments'} by place`
    return source.refusedExpression(node, `\`${source.quote(node)}\` does not have the arguments of ${callee}`, mend)
  }
  const infinity = callee === 'float' ? infinityIn(source.textOf(positional[0]!)) : undefined
  if (infinity !== undefined) return {...place, kind: 'number', value: infinity, isFloat: true}
  return {...place, kind: 'call', callee, arguments: positional.map(read)}
}

function infinityIn(text: string): number | undefined {
  const word = /^["']([+-]?)inf(?:inity)?["']$/i.exec(text)
  if (!word) return undefined
  return word[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

function mendOf(callee: string): string {
  const bare = callee.replace(/^(?:tl|math|torch|np)\./, '')
  const known = scalarFunctions.find((one) => one === bare)
  if (known) return `write \`${builtIn.has(known) ? known : `tl.${known}`}\``
  if (/^(?:exp|log|ln|tanh)$/.test(bare))
    return 'compute it on a one-element buffer in a compute stage, then tl.extract it'
  if (/^len$|size$/.test(bare)) return 'write x.shape[i], x.numel() or x.dim()'
  if (/^(?:ceil|ceil_div|cdiv)$/.test(bare)) return 'write tl.cdiv(a, b)'
  const own = scalarFunctions.map((one) => (builtIn.has(one) ? one : `tl.${one}`))
  return `scalars have ${own.join(', ')}; vector operations are statements of a compute stage`
}

/** The arguments of a call. Named ones come after the others, each once; `None` is an omitted argument. */
export function argumentsOf(source: Source, call: SyntaxNode): CallArguments {
  const list = call.getChild('ArgList')
  const found: CallArguments = {positional: [], named: new Map()}
  for (const group of list ? splitAtCommas(list) : []) addArgument(source, group, found)
  return found
}

function addArgument(source: Source, group: SyntaxNode[], found: CallArguments): void {
  const [first, sign, value] = group
  if (group.length === 1 && first!.name !== '*') {
    if (found.named.size > 0) {
      source.refuse(first!, 'arguments', 'an argument by place follows one by name', 'put arguments by name last')
    }
    found.positional.push(first!)
    return
  }
  if (group.length !== 3 || first!.name !== 'VariableName' || source.textOf(sign!) !== '=') {
    source.refuse(
      first!,
      'arguments',
      `\`${source.quote(first!)}...\` is no argument`,
      'pass one expression for each argument',
    )
    return
  }
  const name = source.textOf(first!)
  if (found.named.has(name)) source.refuse(first!, 'arguments', `${name} is given twice`, `give ${name} once`)
  if (value!.name !== 'None') found.named.set(name, value!)
}

/** Children of a bracketed list, grouped between its commas. */
export function splitAtCommas(list: SyntaxNode): SyntaxNode[][] {
  const groups: SyntaxNode[][] = [[]]
  for (const child of childrenOf(list).slice(1, -1)) {
    if (child.name === ',') groups.push([])
    else groups.at(-1)!.push(child)
  }
  return groups.filter((group) => group.length > 0)
}
