import type {Node} from 'web-tree-sitter'
import type {Branch, FunctionFlow, Statement} from './syntax.ts'
import {childrenOf, commentAbove, declaredName, fieldText, itemsOf, lineOf, squeeze} from './nodes.ts'
import {readCpp} from './parse.ts'
import {armOf, functionDeclarator, splitName} from './read-function.ts'

/** Functions and declared prototypes of a file, in order. */
export function functionFlows(text: string): Promise<FunctionFlow[]> {
  return readCpp(withoutPassedReturns(text), (root) => {
    const flows: FunctionFlow[] = []
    visit(root, '', flows)
    return flows
  })
}

/** Placeholder for a macro's argument `return`; of the same length, so that positions stay. */
const passedReturn = 'retur_'

const commentOrText = String.raw`//[^\n]*|/\*[^]*?\*/|"(?:\\.|[^"\\\n])*"`
const returnArgument = new RegExp(String.raw`${commentOrText}|(?<=[,(]\s*)return\b(\s*[,)])?`, 'g')

/** Checks take `return x` as an argument, which no grammar reads: the word becomes spaces, alone it becomes a name. */
function withoutPassedReturns(text: string): string {
  return text.replace(returnArgument, (found, end?: string) => {
    if (!found.startsWith('return')) return found
    return end === undefined ? '      ' : `${passedReturn}${end}`
  })
}

/** On one line, as the file has it. */
function lineText(text: string): string {
  return squeeze(text)
    .replaceAll(passedReturn, 'return')
    .replace(/ (?=->)/g, '')
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
  if (body) readStatements(body, statements, {branches: [], loops: [], depths: []})
  const isTemplate = node.parent?.type === 'template_declaration'
  const outer = isTemplate && node.parent ? node.parent : node
  return {
    name,
    owner: scope || owner,
    parameters: childrenOf(declarator.childForFieldName('parameters')).flatMap(parameterOf),
    returns: squeeze(node.text.slice(0, declarator.startIndex - node.startIndex)).replace(
      /\b(?:static|inline)\s+/g,
      '',
    ),
    isStatic: childrenOf(node).some(({type, text}) => type === 'storage_class_specifier' && text === 'static'),
    templates: isTemplate ? childrenOf(outer.childForFieldName('parameters')).map(({text}) => squeeze(text)) : [],
    // The grammar takes an empty body in a class for a value.
    isDeclared: body === null && node.childForFieldName('default_value') === null,
    comment: commentAbove(outer),
    statements,
  }
}

function parameterOf(node: Node): FunctionFlow['parameters'] {
  if (!node.type.endsWith('parameter_declaration')) return []
  const declarator = node.childForFieldName('declarator')
  if (!declarator) return []
  const name = declaredName(declarator)
  const written = squeeze(node.text.replace(/=[^]*$/, ''))
  // `const uint32_t shape[]` has its name before the brackets.
  const type = name === '' ? written : squeeze(written.replace(new RegExp(`\\b${name}\\b\\s*(?=$|\\[)`), ''))
  return [{type, name}]
}

interface Where {
  branches: Branch[]
  loops: string[]
  depths: number[]
}

const loopTypes = new Set(['for_statement', 'while_statement', 'do_statement', 'for_range_loop'])

function readStatements(node: Node, into: Statement[], where: Where): void {
  const {branches, loops, depths} = where
  const inside = loopTypes.has(node.type)
    ? {branches, loops: [...loops, headerOf(node)], depths: [...depths, branches.length]}
    : where
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
    return [{kind: 'return', target: '', operator: '', text: lineText(value?.text ?? ''), call: callOf(value)}]
  }
  if (node.type === 'declaration') return node.childrenForFieldName('declarator').flatMap(initialisation)
  if (node.type !== 'expression_statement') return []
  const expression = node.namedChild(0)
  const call = callOf(expression) ?? memberTemplateCall(expression)
  if (expression && call) return [{kind: 'call', target: '', operator: '', text: lineText(expression.text), call}]
  if (expression?.type !== 'assignment_expression') return []
  const value = expression.childForFieldName('right')
  const [target, operator] = [fieldText(expression, 'left'), fieldText(expression, 'operator') || '=']
  return [{kind: 'value', target, operator, text: lineText(value?.text ?? ''), call: callOf(value)}]
}

function initialisation(declarator: Node | null): Bare[] {
  const value = declarator?.type === 'init_declarator' ? declarator.childForFieldName('value') : null
  if (!declarator || !value) return []
  const text = lineText(value.text)
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
  const args = itemsOf(node.childForFieldName('arguments')).map(lineText)
  const [, receiver = '', name = ''] = /^(?:([^]*?)(?:\.|->|::))?\s*(\w+)\s*(?:<[^()]*>)?$/.exec(callee.text) ?? []
  return {name, receiver: lineText(receiver), args}
}

const memberTemplate = /^([^;{}]*?)(?:\.|->)\s*(\w+)\s*<\s*(?:true|false|\d+)\b[^;{}()<>]*>\s*\(/

/** `queue.Fill<false>(a, b)`: where a number comes first, the grammar reads a member template as two comparisons. */
function memberTemplateCall(node: Node | null): Statement['call'] {
  if (node?.type !== 'binary_expression' && node?.type !== 'comma_expression') return undefined
  const [, receiver = '', name] = memberTemplate.exec(node.text) ?? []
  const list = lastOperand(node)
  if (name === undefined || list.type !== 'parenthesized_expression') return undefined
  return {name, receiver: lineText(receiver), args: commaItems(list.namedChild(0))}
}

function lastOperand(node: Node): Node {
  const right = node.childForFieldName('right')
  return right ? lastOperand(right) : node
}

function commaItems(node: Node | null): string[] {
  if (node?.type !== 'comma_expression') return node ? [lineText(node.text)] : []
  return [...commaItems(node.childForFieldName('left')), ...commaItems(node.childForFieldName('right'))]
}
