import type {Node} from 'web-tree-sitter'
import type {Branch, FunctionSyntax} from './syntax.ts'
import {childrenOf, declaredName, fieldText, itemsOf, lineOf, linesOf, squeeze} from './nodes.ts'

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
  readBody(body, found, {branches: [], loops: []})
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

export function splitName(node: Node): {name: string; scope: string} {
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

/** Where in its function a node stands. */
interface Where {
  branches: Branch[]
  loops: number[]
}

const loops = new Set(['for_statement', 'while_statement', 'do_statement', 'for_range_loop'])
const branches = new Set(['if_statement', 'switch_statement', 'conditional_expression'])

function readBody(node: Node, into: FunctionSyntax, where: Where): void {
  if (node.type === 'call_expression') readCall(node, into, where)
  if (node.type === 'init_declarator') readInitialisation(node, into, where)
  if (node.type === 'assignment_expression') readAssignment(node, into, where)
  if (branches.has(node.type)) readCondition(node, into)
  const inside = loops.has(node.type) ? {...where, loops: [...where.loops, readLoop(node, into)]} : where
  for (const child of childrenOf(node)) {
    const arm = armOf(child, node)
    readBody(child, into, arm === undefined ? inside : {...inside, branches: [...inside.branches, arm]})
  }
}

/** The branch that a part of a statement is; its condition belongs to none. */
export function armOf(part: Node, statement: Node): Branch | undefined {
  const line = lineOf(statement)
  if (statement.type === 'if_statement' || statement.type === 'conditional_expression') {
    const condition = conditionOf(statement)
    if (isField(part, statement, 'consequence')) return {condition, arm: 'then', line}
    return isField(part, statement, 'alternative') ? {condition, arm: 'else', line} : undefined
  }
  if (/^preproc_(?:if|ifdef|elif)$/.test(statement.type)) {
    const field = statement.type === 'preproc_ifdef' ? 'name' : 'condition'
    if (isField(part, statement, field)) return undefined
    const arm = isField(part, statement, 'alternative') ? 'else' : 'then'
    return {condition: fieldText(statement, field), arm, line}
  }
  const choice = statement.parent?.parent
  if (statement.type !== 'case_statement' || choice?.type !== 'switch_statement') return undefined
  if (isField(part, statement, 'value')) return undefined
  const also = labelsBefore(statement)
  const arm = {case: labelOf(statement), ...(also.length > 0 && {also})}
  return {condition: conditionOf(choice), arm, line: lineOf(choice)}
}

function labelOf(statement: Node): string {
  return fieldText(statement, 'value') || 'default'
}

/** Labels of the cases right before one that run into it. */
function labelsBefore(statement: Node): string[] {
  const found: string[] = []
  for (let one = before(statement); one?.type === 'case_statement' && runsOn(one); one = before(one))
    found.unshift(labelOf(one))
  return found
}

function before({previousNamedSibling: node}: Node): Node | null {
  return node?.type === 'comment' ? before(node) : node
}

const leaves = new Set('break_statement return_statement continue_statement goto_statement throw_statement'.split(' '))

const sequences = new Set(['case_statement', 'compound_statement', 'else_clause'])

/** Whether what follows a statement is come to from its end. */
function runsOn(statement: Node): boolean {
  if (leaves.has(statement.type)) return false
  if (sequences.has(statement.type)) {
    const value = statement.childForFieldName('value')?.id
    const last = childrenOf(statement).findLast(({id, type}) => id !== value && type !== 'comment')
    return !last || runsOn(last)
  }
  const [then, other] = ['consequence', 'alternative'].map((field) => statement.childForFieldName(field))
  return statement.type !== 'if_statement' || !then || !other || runsOn(then) || runsOn(other)
}

function isField(part: Node, node: Node, field: string): boolean {
  return node.childForFieldName(field)?.id === part.id
}

function conditionOf(node: Node): string {
  return fieldText(node, 'condition').replace(/^\((.*)\)$/, '$1')
}

function readInitialisation(node: Node, into: FunctionSyntax, where: Where): void {
  const value = node.childForFieldName('value')
  const assignment = {name: declaredName(node), operator: '=', ...where, line: lineOf(node)}
  if (value) into.assignments.push({...assignment, value: squeeze(value.text)})
}

function readAssignment(node: Node, into: FunctionSyntax, where: Where): void {
  const [name, value] = [fieldText(node, 'left'), fieldText(node, 'right')]
  into.assignments.push({name, operator: fieldText(node, 'operator') || '=', value, ...where, line: lineOf(node)})
}

/** @returns its index among the loops of the function */
function readLoop(node: Node, into: FunctionSyntax): number {
  const end = node.childForFieldName('body')?.startIndex ?? node.endIndex
  return into.loops.push({header: squeeze(node.text.slice(0, end - node.startIndex)), line: lineOf(node)}) - 1
}

function readCondition(node: Node, into: FunctionSyntax): void {
  into.conditions.push({text: conditionOf(node), line: lineOf(node)})
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
