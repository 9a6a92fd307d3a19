import type {Node} from 'web-tree-sitter'
import {childrenOf, declaredName, squeeze} from '../../cpp/nodes.ts'
import {readCpp} from '../../cpp/parse.ts'

interface Link {
  name: string
  /** Arguments on one line each. */
  args: string[]
}

/** `config.Input("x").DataType({…})`: calls on one object, as the vendor's definition classes are used. */
export interface Chain {
  /** What it starts from, `this` or the name of a variable. */
  base: string
  links: Link[]
  /** The enclosing function. */
  method: string
}

/** A braced list, with its position and receiver. */
interface BracedList {
  /** The variable that it initialises, or the call that takes it: `DataType`. */
  name: string
  /** The start of the enclosing chain: `this`, a variable; '' outside of chains. */
  base: string
  entries: {text: string; start: number; end: number}[]
}

export interface DefinitionSyntax {
  chains: Chain[]
  lists: BracedList[]
  /** `OpAICoreConfig config = GetConfig();` by the name of the variable. */
  variables: Map<string, string>
  /** Classes that derive from OpDef, in order. */
  operators: string[]
}

/** What a definition file says in calls; offsets are those of the text. */
export function definitionSyntax(text: string): Promise<DefinitionSyntax> {
  return readCpp(text, (root) => {
    const syntax: DefinitionSyntax = {chains: [], lists: [], variables: new Map(), operators: []}
    visit(root, '', syntax)
    return syntax
  })
}

function visit(node: Node, method: string, syntax: DefinitionSyntax): void {
  if (node.type === 'class_specifier' && /:\s*(?:public\s+)?(?:::)?(?:ops::)?OpDef\b/.test(node.text.slice(0, 300)))
    syntax.operators.push(node.childForFieldName('name')?.text ?? '')
  if (node.type === 'initializer_list') syntax.lists.push(listOf(node))
  if (node.type === 'init_declarator') {
    const value = node.childForFieldName('value')
    if (value) syntax.variables.set(declaredName(node), squeeze(value.text))
  }
  if (node.type === 'expression_statement' && node.namedChild(0)?.type === 'call_expression') {
    const chain = chainOf(node.namedChild(0), method)
    if (chain) syntax.chains.push(chain)
  }
  const name = node.type === 'function_definition' ? nameOf(node) : method
  for (const child of childrenOf(node)) visit(child, name, syntax)
}

function nameOf(node: Node): string {
  return /(\w+)\s*\(/.exec(node.childForFieldName('declarator')?.text ?? '')?.[1] ?? ''
}

function listOf(node: Node): BracedList {
  const call = node.parent?.type === 'argument_list' ? node.parent.parent : null
  const field = call?.childForFieldName('function')?.childForFieldName('field')?.text
  const declared = node.parent?.type === 'init_declarator' ? declaredName(node.parent) : undefined
  return {
    name: field ?? declared ?? '',
    base: baseOf(node),
    entries: childrenOf(node)
      .filter(({type}) => type !== 'comment')
      .map(({text, startIndex, endIndex}) => ({text: squeeze(text), start: startIndex, end: endIndex})),
  }
}

function baseOf(node: Node): string {
  let at: Node | null = node
  while (at && at.type !== 'expression_statement') at = at.parent
  return (at && chainOf(at.namedChild(0), '')?.base) ?? ''
}

function chainOf(node: Node | null, method: string): Chain | undefined {
  const links: Link[] = []
  let at = node
  while (at?.type === 'call_expression') {
    const args = childrenOf(at.childForFieldName('arguments')).filter(({type}) => type !== 'comment')
    const callee: Node | null = at.childForFieldName('function')
    const name = callee?.childForFieldName('field')?.text ?? (callee?.type === 'identifier' ? callee.text : '')
    if (!callee || name === '') return undefined
    links.unshift({name, args: args.map(({text}) => squeeze(text))})
    at = callee.type === 'field_expression' ? callee.childForFieldName('argument') : null
  }
  return links.length === 0 ? undefined : {base: at === null ? 'this' : at.text, links, method}
}
