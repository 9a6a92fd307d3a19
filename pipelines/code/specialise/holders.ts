import type {Node} from 'web-tree-sitter'
import {childrenOf, declaredName, nodesOf} from '../../../cpp/nodes.ts'
import {readCpp} from '../../../cpp/parse.ts'
import {functionDeclarator} from '../../../cpp/read-function.ts'
import {applyEdits, type Edit, withoutLine} from '../../../cpp/edit.ts'

/**
 * The text with `TilingDataDef::x` wherever an object of that structure was asked for `x`, without the objects and the
 * parameters that pass them on; undefined when one is used in another way.
 */
export async function holdersGone(text: string): Promise<string | undefined> {
  const edits = await readCpp(text, (root) => {
    const functions = root.descendantsOfType('function_definition').flatMap((node) => readHolders(node) ?? [])
    return holderEdits(root, functions, text)
  })
  return edits && withoutCopies(applyEdits(text, edits))
}

/** A field that was copied from one object to another would be set to itself. */
function withoutCopies(text: string): string {
  const own = text.replace(/^[ \t]*(TilingDataDef::[\w.:]+)\s*=\s*\1;[^\S\n]*(?:\/\/[^\n]*)?\n/gm, '')
  const fields = [...own.matchAll(/^[ \t]*(?:const\s+)?TilingDataDef (\w+);/gm)].map(([, name]) => name as string)
  return fields.reduce((changed, name) => {
    const asked = new RegExp(String.raw`(?:\bthis->|(?<!\.|->))\b${name}\.(?=\w)`, 'g')
    return changed.replace(asked, 'TilingDataDef::')
  }, own)
}

interface Holding {
  name: string
  node: Node
  /** Parameters of the structure: their positions in the list, and their names. */
  parameters: {index: number; name: string}[]
  count: number
  /** Local objects. */
  locals: {name: string; node: Node}[]
}

const ofTiling = (node: Node) => node.childForFieldName('type')?.text === 'TilingDataDef'

function readHolders(node: Node | null): Holding | undefined {
  const declarator = functionDeclarator(node?.childForFieldName('declarator') ?? null)
  const body = node?.childForFieldName('body')
  if (!node || !declarator || !body) return undefined
  const list = childrenOf(declarator.childForFieldName('parameters')).filter(({type}) =>
    type.endsWith('parameter_declaration'),
  )
  const locals = nodesOf(body, 'declaration')
    .filter(ofTiling)
    .map((one) => ({name: declaredName(one.childForFieldName('declarator') as Node), node: one}))
  return {
    name: (declarator.childForFieldName('declarator')?.text ?? '').replace(/^[^]*::/, ''),
    node,
    parameters: list.flatMap((one, index) => {
      const inner = one.childForFieldName('declarator')
      return ofTiling(one) ? [{index, name: inner ? declaredName(inner) : ''}] : []
    }),
    count: list.length,
    locals,
  }
}

function holderEdits(root: Node, functions: readonly Holding[], text: string): Edit[] | undefined {
  const holding = functions.filter(({parameters, locals}) => parameters.length + locals.length > 0)
  const passes = holding.filter(({parameters}) => parameters.length > 0)
  const edits: Edit[] = []
  for (const one of holding) {
    const names = [...one.parameters, ...one.locals].map(({name}) => name)
    const used = usesIn(one.node, names)
    if (!used) return undefined
    edits.push(...used)
    edits.push(...one.locals.map(({node}) => withoutLine(node, text)))
  }
  edits.push(...declaredParameters(root).map((node) => listEdit(node, text)))
  for (const call of root.descendantsOfType('call_expression')) {
    const name = /(\w+)\s*(?:<[^]*>)?$/.exec(call?.childForFieldName('function')?.text ?? '')?.[1]
    const called = passes.filter((one) => one.name === name)
    const [first] = called
    const args = childrenOf(call?.childForFieldName('arguments')).filter(({type}) => type !== 'comment')
    const fits = called.filter(({count}) => count === args.length)
    if (!first || fits.length === 0) continue
    edits.push(...(fits[0] as Holding).parameters.map(({index}) => listEdit(args[index] as Node, text)))
  }
  return edits
}

/** Parameters of the structure, of functions that are defined and of those that are only declared. */
function declaredParameters(root: Node): Node[] {
  return root
    .descendantsOfType('function_declarator')
    .flatMap((declarator) => childrenOf(declarator?.childForFieldName('parameters')).filter(ofTiling))
}

/** Whether every use of the names reads a field or passes the object on; undefined when one does not. */
function usesIn(node: Node, names: readonly string[]): Edit[] | undefined {
  const edits: Edit[] = []
  for (const identifier of node.descendantsOfType('identifier')) {
    if (!identifier || !names.includes(identifier.text)) continue
    const parent = identifier.parent
    if (!parent || /declarator$|^parameter_declaration$|^declaration$/.test(parent.type)) continue
    const object =
      parent.type === 'pointer_expression' || parent.type === 'parenthesized_expression' ? parent : identifier
    const holder = object.parent?.type === 'parenthesized_expression' ? object.parent : object
    if (holder.parent?.type === 'field_expression') {
      const field = holder.parent.childForFieldName('field') as Node
      edits.push({start: holder.parent.startIndex, end: field.startIndex, text: 'TilingDataDef::'})
    } else if (object.parent?.type !== 'argument_list') return undefined
  }
  return edits
}

/** One of a list in brackets, with the comma before it, or after it where it is the first. */
function listEdit({startIndex: start, endIndex: end}: Node, text: string): Edit {
  const before = /,\s*$/.exec(text.slice(0, start))?.[0].length ?? 0
  if (before > 0) return {start: start - before, end, text: ''}
  const after = /^\s*,\s*/.exec(text.slice(end))?.[0].length ?? 0
  return {start, end: end + after, text: ''}
}
