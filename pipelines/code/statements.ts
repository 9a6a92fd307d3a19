import type {Node} from 'web-tree-sitter'
import type {Branch} from './cpp-syntax.ts'
import {childrenOf, commentAbove, declaredName, fieldText, itemsOf, lineOf, squeeze} from './node-text.ts'
import {readCpp} from './parse-cpp.ts'
import {armOf, functionDeclarator, splitName} from './read-function.ts'

/** One simple statement of a function's body, with the way that leads to it. */
export interface Statement {
  kind: 'value' | 'call' | 'return'
  /** What a value is given to, `*yShape` or `outShape`; '' without one. */
  target: string
  /** `=`, also of an initialisation, or `+=`, `-=` … */
  operator: string
  /** The value, the call or what is returned, on one line. */
  text: string
  /** The outermost call of the text. */
  call: {name: string; receiver: string; args: string[]} | undefined
  branches: readonly Branch[]
  /** Headers of the loops around it, outermost first. */
  loops: readonly string[]
  line: number
  /** The comment right above, without its marks. */
  comment: string
}

interface FlowParameter {
  /** As declared, with `const`, `*` and `&`. */
  type: string
  name: string
}

/** A function as it runs: its statements in the order in which they stand. */
export interface FunctionFlow {
  name: string
  /** The class that it belongs to, '' for a free function. */
  owner: string
  parameters: FlowParameter[]
  returns: string
  isStatic: boolean
  /** Whether it only declares the function. */
  isDeclared: boolean
  comment: string
  statements: Statement[]
}

/** Functions and declared prototypes of a file, in order. */
export function functionFlows(text: string): Promise<FunctionFlow[]> {
  return readCpp(withoutPassedReturns(text), (root) => {
    const flows: FunctionFlow[] = []
    visit(root, '', flows)
    return flows
  })
}

/** Checks take `return x` as an argument, which no grammar reads; the word becomes spaces, so that positions stay. */
function withoutPassedReturns(text: string): string {
  return text.replace(/(?<=[,(]\s*)return\b/g, '      ')
}

function visit(node: Node, owner: string, flows: FunctionFlow[]): void {
  if (node.type === 'class_specifier' || node.type === 'struct_specifier') {
    const name = squeeze(node.childForFieldName('name')?.text ?? '')
    for (const child of childrenOf(node.childForFieldName('body'))) visit(child, name, flows)
    return
  }
  if (node.type === 'function_definition' || node.type === 'declaration' || node.type === 'field_declaration') {
    const flow = flowOf(node, owner)
    if (flow) flows.push(flow)
    if (node.type === 'function_definition') return
  }
  for (const child of childrenOf(node)) visit(child, owner, flows)
}

function flowOf(node: Node, owner: string): FunctionFlow | undefined {
  const declarator = functionDeclarator(node.childForFieldName('declarator'))
  const named = declarator?.childForFieldName('declarator')
  const body = node.childForFieldName('body')
  if (!declarator || !named || (!body && node.type === 'function_definition')) return undefined
  const {name, scope} = splitName(named)
  if (!/^\w+$/.test(name)) return undefined
  const statements: Statement[] = []
  if (body) readStatements(body, statements, {branches: [], loops: []})
  const outer = node.parent?.type === 'template_declaration' ? node.parent : node
  return {
    name,
    owner: scope || owner,
    parameters: childrenOf(declarator.childForFieldName('parameters')).flatMap(parameterOf),
    returns: squeeze(node.text.slice(0, declarator.startIndex - node.startIndex)).replace(
      /\b(?:static|inline)\s+/g,
      '',
    ),
    isStatic: childrenOf(node).some(({type, text}) => type === 'storage_class_specifier' && text === 'static'),
    isDeclared: body === null,
    comment: commentAbove(outer),
    statements,
  }
}

function parameterOf(node: Node): FlowParameter[] {
  if (!node.type.endsWith('parameter_declaration')) return []
  const declarator = node.childForFieldName('declarator')
  if (!declarator) return []
  const name = declaredName(declarator)
  const written = squeeze(node.text.replace(/=[^]*$/, ''))
  const type = name === '' ? written : squeeze(written.replace(new RegExp(`\\b${name}\\b\\s*$`), ''))
  return [{type, name}]
}

interface Where {
  branches: readonly Branch[]
  loops: readonly string[]
}

const loopTypes = new Set(['for_statement', 'while_statement', 'do_statement', 'for_range_loop'])

function readStatements(node: Node, into: Statement[], where: Where): void {
  const inside = loopTypes.has(node.type) ? {...where, loops: [...where.loops, headerOf(node)]} : where
  for (const child of childrenOf(node)) {
    const arm = armOf(child, node)
    const here = arm === undefined ? inside : {...inside, branches: [...inside.branches, arm]}
    const found = loopTypes.has(node.type) && child.type === 'declaration' ? [] : statementsOf(child)
    for (const one of found) into.push({...one, ...here, line: lineOf(child), comment: commentAbove(child)})
    if (child.type !== 'lambda_expression' && found.length === 0) readStatements(child, into, here)
  }
}

function headerOf(node: Node): string {
  const end = node.childForFieldName('body')?.startIndex ?? node.endIndex
  return squeeze(node.text.slice(0, end - node.startIndex))
}

type Bare = Pick<Statement, 'kind' | 'target' | 'operator' | 'text' | 'call'>

function statementsOf(node: Node): Bare[] {
  if (node.type === 'return_statement') {
    const value = node.namedChild(0)
    return [{kind: 'return', target: '', operator: '', text: squeeze(value?.text ?? ''), call: callOf(value)}]
  }
  if (node.type === 'declaration') return node.childrenForFieldName('declarator').flatMap(initialisation)
  if (node.type !== 'expression_statement') return []
  const expression = node.namedChild(0)
  if (expression?.type === 'call_expression')
    return [{kind: 'call', target: '', operator: '', text: squeeze(expression.text), call: callOf(expression)}]
  if (expression?.type !== 'assignment_expression') return []
  const value = expression.childForFieldName('right')
  const [target, operator] = [fieldText(expression, 'left'), fieldText(expression, 'operator') || '=']
  return [{kind: 'value', target, operator, text: squeeze(value?.text ?? ''), call: callOf(value)}]
}

function initialisation(declarator: Node | null): Bare[] {
  const value = declarator?.type === 'init_declarator' ? declarator.childForFieldName('value') : null
  if (!declarator || !value) return []
  const text = squeeze(value.text)
  const name = declaredName(declarator)
  // `Vector v(n, 0)` makes an object; it gives it no value.
  const isMade =
    value.type === 'argument_list' || !/=\s*$/.test(declarator.text.slice(0, value.startIndex - declarator.startIndex))
  if (isMade) return [{kind: 'call', target: '', operator: '', text: `${name}${text}`, call: undefined}]
  return [{kind: 'value', target: name, operator: '=', text, call: callOf(value)}]
}

function callOf(node: Node | null): Statement['call'] {
  if (node?.type !== 'call_expression') return undefined
  const callee = node.childForFieldName('function')
  if (!callee) return undefined
  const args = itemsOf(node.childForFieldName('arguments'))
  const [, receiver = '', name = ''] = /^(?:([^]*?)(?:\.|->|::))?\s*(\w+)\s*(?:<[^()]*>)?$/.exec(callee.text) ?? []
  return {name, receiver: squeeze(receiver), args}
}
