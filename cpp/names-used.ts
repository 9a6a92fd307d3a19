import type {Node} from 'web-tree-sitter'
import {childrenOf, nodesOf} from './nodes.ts'
import {readCpp} from './parse.ts'
import {tokenize} from './tokens.ts'
import {remembering} from './remember.ts'

const spelled = ['identifier', 'field_identifier', 'type_identifier', 'namespace_identifier']

/** Nodes that declare what their field `name` spells. */
const named =
  `class_specifier struct_specifier union_specifier enum_specifier enumerator namespace_definition alias_declaration
  optional_type_parameter_declaration preproc_def preproc_function_def`.split(/\s+/)

/** Nodes that declare what their fields `declarator` spell. */
const declaring =
  `declaration field_declaration parameter_declaration optional_parameter_declaration variadic_parameter_declaration
  function_definition type_definition for_range_loop`.split(/\s+/)

/** Nodes that themselves declare all names in them. */
const listing = [
  'type_parameter_declaration',
  'variadic_type_parameter_declaration',
  'preproc_params',
  'structured_binding_declarator',
]

interface Names {
  declared: ReadonlySet<string>
  /** In the order of their first use, but for those behind `std::`. */
  used: readonly string[]
}

/**
 * Names that a text declares and that it uses. The parser guesses what it cannot know, so a name that is declared once
 * counts as declared wherever it stands.
 */
export const namesOf: (text: string) => Promise<Names> = remembering(async (text) => {
  const {bodies, ...names} = await readCpp(text, (root) => {
    const macros = nodesOf(root, macroNodes)
    const pasting = new Set(macros.filter((macro) => bodyOf(macro).includes('##')).map(nameOf))
    const used = nodesOf(root, spelled).filter(
      (node) => !noName.test(node.text) && !isOfLibrary(node) && !isAsked(node) && !isPasted(node, pasting),
    )
    return {
      declared: [...declaredNames(root), ...behindTypes(text)],
      used: [...new Set(used.map((node) => node.text))],
      bodies: macros.map(bodyOf).filter((body) => body.includes(';')),
    }
  })
  const within = await Promise.all(bodies.map(namesOf))
  return {declared: new Set([...names.declared, ...within.flatMap(({declared}) => [...declared])]), used: names.used}
})

const macroNodes = ['preproc_def', 'preproc_function_def']
const nameOf = (node: Node) => node.childForFieldName('name')?.text
/** Statements from a macro may declare what others use; their last semicolon is at the call. */
const bodyOf = (macro: Node) => macro.childForFieldName('value')?.text.replaceAll('\\\n', '\n') ?? ''

/** Passed to a macro that pastes it: a part of a name, without a meaning of its own. */
function isPasted({parent, type}: Node, pasting: ReadonlySet<string | undefined>): boolean {
  if (type !== 'identifier' || parent?.type !== 'argument_list') return false
  return pasting.has(parent.parent?.childForFieldName('function')?.text)
}

const noTypes = /^(?:public|private|protected|virtual|return|else|case|goto|new|delete|throw|sizeof|co_return)$/

/** If an argument is omitted, the parser puts a name without letters. */
const noName = new RegExp(`^$|${noTypes.source}`)

/** Where a macro with statements breaks the tree: a name behind a type and before its value or end is declared. */
function behindTypes(text: string): string[] {
  const tokens = tokenize(text, 'excerpt')
  return tokens.flatMap(({kind, text: name}, at) => {
    if (kind !== 'word' || !/^(?:[=;,(){:[]|)$/.test(tokens[at + 1]?.text ?? '')) return []
    const [before, type] = [tokens[at - 1], tokens[at - 2]]
    const isType = before?.kind === 'word' && !noTypes.test(before.text)
    return isType || (/^[*&>]$/.test(before?.text ?? '') && type?.kind === 'word') ? [name] : []
  })
}

/** A condition of the preprocessor tests a name that may not exist. */
function isAsked(node: Node): boolean {
  let at: Node | null = node
  while (
    at &&
    /^(?:identifier|preproc_defined|binary_expression|unary_expression|parenthesized_expression)$/.test(at.type)
  )
    at = at.parent
  return at !== null && /^preproc_(?:if|ifdef|elif|elifdef)$/.test(at.type)
}

function declaredNames(root: Node): Set<string> {
  const parts = [
    ...nodesOf(root, named).map((node) => node.childForFieldName('name')),
    ...nodesOf(root, declaring).flatMap((node) => node.childrenForFieldName('declarator')),
    ...nodesOf(root, listing).flatMap(childrenOf),
    ...nodesOf(root, 'call_expression').map(declaredByCall),
  ]
  return new Set(parts.flatMap((node) => (node ? spelledIn(node) : [])))
}

/**
 * `GET_TILING_DATA(data, address);` declares `data`, `GET_TILING_DATA_WITH_STRUCT(Structure, data, address)` too, and
 * `ASCENDC_TPL_UINT_DECL(mode, …)` a parameter of the entry's template (and around them, its name).
 */
const declaringMacros: readonly [macro: RegExp, argument: number][] = [
  [/^GET_TILING_DATA(?!_WITH_STRUCT)/, 0],
  [/^GET_TILING_DATA_WITH_STRUCT/, 1],
  [/^ASCENDC_TPL_[A-Z]+_DECL$/, 0],
]

function declaredByCall(call: Node): Node | null {
  const macro = call.childForFieldName('function')?.text ?? ''
  const found = declaringMacros.find(([name]) => name.test(macro))
  return (found && call.childForFieldName('arguments')?.namedChild(found[1])) ?? null
}

/** Of a declarator the name that it declares: no value, no bounds, no types of parameters. */
function spelledIn(node: Node): string[] {
  if (spelled.includes(node.type)) return [node.text]
  const inner = node.childForFieldName('declarator') ?? node.childForFieldName('name')
  if (inner) return spelledIn(inner)
  const besides = ['value', 'parameters', 'size'].map((field) => node.childForFieldName(field)?.id)
  return childrenOf(node).flatMap((child) => (besides.includes(child.id) ? [] : spelledIn(child)))
}

/** Behind `std::`, or a method such as `push_back`: those of the SDK begin with a capital. */
function isOfLibrary(node: Node): boolean {
  const {parent} = node
  const isCalled = parent?.type === 'field_expression' && parent.parent?.type === 'call_expression'
  if (isCalled && node.type === 'field_identifier' && /^(?![gs]et_)[a-z_]+$/.test(node.text)) return true
  const around = ['qualified_identifier', 'template_type', 'template_function']
  for (let at: Node | null = node; at; at = at.parent) {
    if (at !== node && !around.includes(at.type)) return node.text === 'std'
    if (at.childForFieldName('scope')?.text === 'std') return true
  }
  return false
}
