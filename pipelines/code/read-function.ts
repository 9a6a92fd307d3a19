import type {Node} from 'web-tree-sitter'
import type {FunctionSyntax} from './cpp-syntax.ts'
import {childrenOf, declaredName, fieldText, itemsOf, lineOf, linesOf, squeeze} from './node-text.ts'

/** A function definition with what its body does; undefined for what the grammar took for one. */
export function readFunction(node: Node, owner: string): FunctionSyntax | undefined {
  const declarator = functionDeclarator(node.childForFieldName('declarator'))
  const body = node.childForFieldName('body')
  const named = declarator?.childForFieldName('declarator')
  if (!declarator || !body || !named) return undefined
  const {name, scope} = splitName(named)
  const found: FunctionSyntax = {
    name,
    owner: scope || owner,
    parameters: parametersOf(declarator),
    returns: fieldText(node, 'type'),
    calls: [],
    assignments: [],
    loops: [],
    conditions: [],
    lines: linesOf(node),
    body: body.text,
  }
  readBody(body, found, {conditional: false, looped: false})
  return found
}

export function functionDeclarator(node: Node | null): Node | undefined {
  if (!node) return undefined
  if (node.type === 'function_declarator') return node
  if (node.type === 'init_declarator') return undefined
  return functionDeclarator(
    node.childForFieldName('declarator') ?? (node.type === 'reference_declarator' ? node.namedChild(0) : null),
  )
}

function splitName(node: Node): {name: string; scope: string} {
  if (node.type !== 'qualified_identifier') return {name: node.text.replace(/<.*$/s, ''), scope: ''}
  const scope = (node.childForFieldName('scope')?.text ?? '').replace(/<.*$/s, '')
  const inner = splitName(node.childForFieldName('name') ?? node)
  return {name: inner.name, scope: inner.scope || scope}
}

function parametersOf(declarator: Node): FunctionSyntax['parameters'] {
  return childrenOf(declarator.childForFieldName('parameters'))
    .filter(({type}) => type.endsWith('parameter_declaration'))
    .map((one) => {
      const inner = one.childForFieldName('declarator')
      return {type: fieldText(one, 'type'), name: inner ? declaredName(inner) : ''}
    })
}

interface Where {
  conditional: boolean
  looped: boolean
}

const loops = new Set(['for_statement', 'while_statement', 'do_statement'])
const branches = new Set(['if_statement', 'switch_statement', 'conditional_expression'])

function readBody(node: Node, into: FunctionSyntax, where: Where): void {
  if (node.type === 'call_expression') readCall(node, into, where)
  if (node.type === 'init_declarator') readInitialisation(node, into)
  if (node.type === 'assignment_expression') readAssignment(node, into)
  const isLoop = loops.has(node.type)
  const isBranch = branches.has(node.type)
  if (isLoop) readLoop(node, into)
  if (isBranch) readCondition(node, into)
  const inside = {conditional: where.conditional || isBranch, looped: where.looped || isLoop}
  for (const child of childrenOf(node)) readBody(child, into, inside)
}

function readInitialisation(node: Node, into: FunctionSyntax): void {
  const value = node.childForFieldName('value')
  if (value) into.assignments.push({name: declaredName(node), value: squeeze(value.text), line: lineOf(node)})
}

function readAssignment(node: Node, into: FunctionSyntax): void {
  into.assignments.push({name: fieldText(node, 'left'), value: fieldText(node, 'right'), line: lineOf(node)})
}

function readLoop(node: Node, into: FunctionSyntax): void {
  const end = node.childForFieldName('body')?.startIndex ?? node.endIndex
  into.loops.push({header: squeeze(node.text.slice(0, end - node.startIndex)), line: lineOf(node)})
}

function readCondition(node: Node, into: FunctionSyntax): void {
  into.conditions.push({text: fieldText(node, 'condition').replace(/^\((.*)\)$/, '$1'), line: lineOf(node)})
}

function readCall(node: Node, into: FunctionSyntax, where: Where): void {
  const callee = node.childForFieldName('function')
  if (!callee) return
  const {name, receiver, templates} = splitCallee(callee)
  if (name === '') return
  const args = itemsOf(node.childForFieldName('arguments'))
  into.calls.push({name, receiver, templates, args, result: resultOf(node), ...where, line: lineOf(node)})
}

function resultOf({parent}: Node): string | undefined {
  if (parent?.type === 'init_declarator') return declaredName(parent)
  if (parent?.type === 'assignment_expression') return fieldText(parent, 'left') || undefined
  return undefined
}

function splitCallee(node: Node): {name: string; receiver: string; templates: string[]} {
  if (node.type === 'field_expression') {
    const inner = splitCallee(node.childForFieldName('field') ?? node)
    return {...inner, receiver: fieldText(node, 'argument')}
  }
  if (node.type === 'template_function' || node.type === 'template_method') {
    const name = node.childForFieldName('name')?.text ?? ''
    return {name, receiver: '', templates: itemsOf(node.childForFieldName('arguments'))}
  }
  if (node.type === 'qualified_identifier') {
    const inner = splitCallee(node.childForFieldName('name') ?? node)
    return {...inner, receiver: node.childForFieldName('scope')?.text ?? ''}
  }
  return {name: /^~?\w+$/.test(node.text) ? node.text : '', receiver: '', templates: []}
}
