import type {Node} from 'web-tree-sitter'
import {withoutCommentsAndLiterals} from '../../../cpp/code-pieces.ts'
import {childrenOf, declaredName, withWords} from '../../../cpp/nodes.ts'
import {readCpp} from '../../../cpp/parse.ts'
import {functionDeclarator} from '../../../cpp/read-function.ts'
import {applyEdits, type Edit, wholeLines} from '../../../cpp/edit.ts'

/** A declaration that may go. */
interface Item {
  /** What it declares; none for what always stays. */
  names: string[]
  /** The words of its text, without those of its own items. */
  mentions: ReadonlySet<string>
  /** Members of a class: they stay with the class only where their name is mentioned. */
  members: Item[]
  /** The class of which it defines a member outside of it. */
  owner: string
  /** The enclosing named namespace, the innermost; '' outside of any. */
  namespace: string
  start: number
  end: number
}

/**
 * The text without the functions, classes, members, types, constants and macros whose names nothing mentions on the way
 * from the entry and the names in `roots`. A name that two of them share keeps both, unless one is in a namespace that
 * is never named. Data members are kept, because of the layout.
 */
export async function reachableFrom(
  text: string,
  entry: string,
  roots: ReadonlySet<string> = new Set(),
): Promise<string> {
  const edits = await readCpp(text, (root) => {
    const items = itemsOf(root, {text, entry})
    const reached = reach(items, roots)
    return items.flatMap((item) => unreached(item, reached, roots)).map((edit) => wholeLines(edit, text))
  })
  return applyEdits(text, edits)
}

interface Reading {
  text: string
  entry: string
  namespace?: string
}

function itemsOf(node: Node, reading: Reading): Item[] {
  const items: Item[] = []
  let from: number | undefined
  let last = -1
  for (const child of childrenOf(node)) {
    // A comment belongs to what follows it, unless it follows something on the same line.
    if (child.type === 'comment') {
      if (child.startPosition.row === last) continue
      from ??= child.startIndex
      if (isApart(child, reading.text)) from = undefined
      continue
    }
    const start = from ?? withWords(child.startIndex, reading.text)
    from = undefined
    last = child.endPosition.row
    if (isContainer(child)) items.push(...containerItems(child, reading))
    else items.push(itemOf(child, start, reading))
  }
  return items
}

/** Whether a blank line, or nothing at all, follows a comment: then it is about more than the next declaration. */
function isApart(comment: Node, text: string): boolean {
  return /^[^\n]*\n[ \t]*\n/.test(text.slice(comment.endIndex, comment.endIndex + 400))
}

function isContainer({type}: Node): boolean {
  return type === 'namespace_definition' || type === 'linkage_specification'
}

function containerItems(node: Node, reading: Reading): Item[] {
  const body = node.childForFieldName('body')
  const named = /\w+$/.exec(node.type === 'namespace_definition' ? (node.childForFieldName('name')?.text ?? '') : '')
  const namespace = named?.[0] ?? reading.namespace
  if (body?.type === 'declaration_list') return itemsOf(body, {...reading, ...(namespace && {namespace})})
  return [itemOf(node, node.startIndex, reading)]
}

function itemOf(node: Node, start: number, reading: Reading): Item {
  const inner = innerOf(node)
  const body = classBody(inner)
  const members = body && !body.hasError ? itemsOf(body, reading).map((member) => asMember(member, inner)) : []
  const definition = inner.type === 'function_definition' ? functionName(inner) : undefined
  const isOther = definition?.name !== reading.entry && isEntry(node, reading.text)
  const own = isOther ? [otherEntry] : namesOf(inner, definition)
  return {
    names: node.hasError || definition?.name === reading.entry ? [] : own,
    mentions: mentionsOf(node, members, reading.text),
    members,
    owner: definition?.scope ?? '',
    namespace: reading.namespace !== undefined && !idle.has(node.type) ? reading.namespace : '',
    start,
    end: endOf(node, reading.text),
  }
}

/** What remains in a namespace without using it. */
const idle = new Set([
  'using_declaration',
  'namespace_alias_definition',
  'static_assert_declaration',
  'preproc_include',
  'preproc_call',
])

/** No text mentions it. */
const otherEntry = '\u0000'

function isEntry({startIndex, endIndex}: Node, text: string): boolean {
  return /^[^{;]*\b__global__\b/.test(text.slice(startIndex, endIndex))
}

/** What a template is a template of, or what a declaration declares. */
function innerOf(node: Node): Node {
  if (node.type !== 'template_declaration' && node.type !== 'linkage_specification') return node
  const inner = childrenOf(node).at(-1)
  return inner ? innerOf(inner) : node
}

function classBody(node: Node): Node | null {
  return /^(?:class|struct)_specifier$/.test(node.type) ? node.childForFieldName('body') : null
}

/** Members without which a class is another one have no name by which they could go. */
function asMember(member: Item, owner: Node): Item {
  const own = owner.childForFieldName('name')?.text.replace(/<[^]*/, '') ?? ''
  const isSpecial =
    member.names.some((name) => name === own || /^(?:~|operator)/.test(name)) || member.mentions.has('virtual')
  return isSpecial || member.mentions.has('override') ? {...member, names: []} : member
}

function namesOf(node: Node, definition: {name: string} | undefined): string[] {
  if (definition) return definition.name === '' ? [] : [definition.name]
  const name = node.childForFieldName('name')?.text.replace(/<[^]*/, '')
  switch (node.type) {
    case 'class_specifier':
    case 'struct_specifier':
    case 'alias_declaration':
    case 'concept_definition':
      return name === undefined ? [] : [name]
    case 'preproc_def':
    case 'preproc_function_def':
      return name === undefined ? [] : [name]
    case 'enum_specifier':
      return [
        ...(name === undefined ? [] : [name]),
        ...node.descendantsOfType('enumerator').flatMap((one) => one?.childForFieldName('name')?.text ?? []),
      ]
    case 'type_definition':
    case 'declaration':
    case 'field_declaration':
      return declared(node)
    default:
      return []
  }
}

/** Names of a declaration; none, so that it stays, for data of a structure and for what declares a type as well. */
function declared(node: Node): string[] {
  const isData = node.type === 'field_declaration' && node.parent?.parent?.type === 'struct_specifier'
  const declarators = node.childrenForFieldName('declarator').flatMap((one) => one ?? [])
  if (declarators.length === 0) return forwarded(node)
  if (isData && !declarators.some((one) => functionDeclarator(one))) return []
  const names = declarators.map((one) => {
    const called = functionDeclarator(one)?.childForFieldName('declarator')
    return called ? called.text.replace(/^[^]*::/, '') : declaredName(one)
  })
  return names.includes('') ? [] : names
}

/** `class X;` */
function forwarded(node: Node): string[] {
  const type = node.childForFieldName('type')
  const name =
    type && /^(?:class|struct)_specifier$/.test(type.type) && !type.childForFieldName('body')
      ? type.childForFieldName('name')
      : null
  return name ? [name.text] : []
}

function functionName(node: Node): {name: string; scope: string} {
  const declarator = functionDeclarator(node.childForFieldName('declarator'))?.childForFieldName('declarator')
  const whole = declarator?.text ?? ''
  const name = whole.replace(/^(?:[^]*::)?\s*/, '').replace(/(?<=\w)<[^]*$/, '')
  const scope = whole.includes('::')
    ? whole
        .replace(/\s*::[^:]*$/, '')
        .replace(/<[^]*$/, '')
        .replace(/^[^]*::/, '')
    : ''
  return {name, scope}
}

function mentionsOf({startIndex, endIndex}: Node, members: readonly Item[], text: string): Set<string> {
  const own = applyEdits(
    text.slice(startIndex, endIndex),
    members
      .filter(({names}) => names.length > 0)
      .map(({start, end}) => ({start: start - startIndex, end: end - startIndex, text: ' '})),
  )
  return new Set(withoutCommentsAndLiterals(own).match(/[A-Za-z_]\w*/g))
}

/** With the semicolon that ends it, which is not part of a class in the grammar. */
function endOf({endIndex}: Node, text: string): number {
  return endIndex + (/^\s*;/.exec(text.slice(endIndex, endIndex + 40))?.[0].length ?? 0)
}

function reach(items: readonly Item[], roots: ReadonlySet<string>): ReadonlySet<string> {
  const reached = new Set(roots)
  const done = new Set<Item>()
  for (let grows = true; grows; ) {
    grows = false
    const visit = (item: Item, parentStays: boolean) => {
      const stays = parentStays && isReached(item, reached, roots)
      if (stays && !done.has(item)) {
        done.add(item)
        for (const word of item.mentions) reached.add(word)
        // Names of its own namespace need no qualification.
        if (item.namespace !== '') reached.add(item.namespace)
        grows = true
      }
      for (const member of item.members) visit(member, stays)
    }
    for (const item of items) visit(item, true)
  }
  return reached
}

type Names = ReadonlySet<string>

function isReached({names, owner, namespace}: Item, reached: Names, roots: Names): boolean {
  if (names.length === 0) return owner === '' || reached.has(owner)
  const isSeen = namespace === '' || reached.has(namespace) || names.some((name) => roots.has(name))
  return isSeen && names.some((name) => reached.has(name)) && (owner === '' || reached.has(owner))
}

function unreached(item: Item, reached: Names, roots: Names): Edit[] {
  if (!isReached(item, reached, roots)) return [{start: item.start, end: item.end, text: ''}]
  return item.members.flatMap((member) => unreached(member, reached, roots))
}
