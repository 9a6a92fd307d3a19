import type {Node} from 'web-tree-sitter'
import {childrenOf, itemsOf, nodesOf, squeeze} from '../../../cpp/nodes.ts'
import {readCpp} from '../../../cpp/parse.ts'
import {applyEdits, type Edit} from '../../../cpp/edit.ts'

/**
 * Class templates that the text uses with one list of arguments only, as plain classes of these arguments: first those
 * that nothing generic uses, then what they use themselves.
 */
export async function asPlainClasses(text: string): Promise<string> {
  // Each round has one template less.
  const edits = await readCpp(text, (root) => firstPlain(root, text))
  return edits.length === 0 ? text : asPlainClasses(applyEdits(text, edits))
}

interface Template {
  name: string
  /** Its parameters with their defaults. */
  parameters: {name: string; value: string | undefined}[]
  /** The template declarations of the class and of the members that are defined outside of it. */
  parts: Node[]
  /** Members that are defined for one list of arguments, `template <> void K<float>::F()`. */
  special: Node[]
}

function firstPlain(root: Node, text: string): Edit[] {
  const declarations = nodesOf(root, 'template_declaration')
  const generic = new Set(declarations.flatMap((node) => parametersOf(node).map(({name}) => name)))
  const uses = nodesOf(root, 'template_type')
  for (const template of templatesOf(declarations)) {
    const {parts, special} = template
    const outside = uses.filter((use) => nameOf(use) === template.name && !isWithin(use, [...parts, ...special]))
    const lists = outside.map((use) => argumentsOf(use, template))
    const [first] = lists
    if (!first || lists.some((list) => list?.join() !== first.join())) continue
    const isConcrete = first.every(
      (argument) => !(argument.match(/[A-Za-z_]\w*/g) ?? []).some((word) => generic.has(word)),
    )
    if (isConcrete) return plainEdits(template, first, {uses, text})
  }
  return []
}

/** Templates of classes with a body and without specialisations. */
function templatesOf(declarations: readonly Node[]): Template[] {
  return declarations.flatMap((node) => {
    const name = classOf(node)?.childForFieldName('name')
    if (name?.type !== 'type_identifier' || isNested(node)) return []
    const same = declarations.filter(
      (other) => classOf(other)?.childForFieldName('name')?.text.replace(/<[^]*/, '') === name.text,
    )
    const parameters = parametersOf(node)
    if (same.length !== 1 || parameters.some((one) => one.name === '')) return []
    const members = declarations.filter((other) => memberOf(other)?.owner === name.text)
    const special = members.filter((other) => parametersOf(other).length === 0)
    const parts = [node, ...members.filter((other) => !special.includes(other))]
    return [{name: name.text, parameters, parts, special}]
  })
}

function isNested({parent}: Node): boolean {
  return parent?.type === 'template_declaration' || parent?.type === 'field_declaration_list'
}

function classOf(node: Node): Node | undefined {
  return childrenOf(node).find(
    (child) => /^(?:class|struct)_specifier$/.test(child.type) && child.childForFieldName('body') !== null,
  )
}

/** The class of which a template defines a member, with its arguments, and the member's name. */
function memberOf(node: Node): {owner: string; list: Node; name: string} | undefined {
  const definition = childrenOf(node).find(({type}) => type === 'function_definition')
  const qualified = definition?.childForFieldName('declarator')?.descendantsOfType('qualified_identifier')[0]
  const list = qualified?.childForFieldName('scope')
  if (list?.type !== 'template_type') return undefined
  return {owner: nameOf(list), list, name: qualified?.childForFieldName('name')?.text ?? ''}
}

function parametersOf(node: Node): Template['parameters'] {
  return childrenOf(node.childForFieldName('parameters'))
    .filter(({type}) => type !== 'comment')
    .map((one) => {
      if (one.type.startsWith('variadic')) return {name: '', value: undefined}
      const words = squeeze(one.text).split('=')
      const name = /(\w+)\s*$/.exec(words[0] ?? '')?.[1] ?? ''
      return {name: one.type.startsWith('template_template') ? '' : name, value: words[1]?.trim()}
    })
}

function nameOf(use: Node): string {
  return use.childForFieldName('name')?.text ?? ''
}

/** Given arguments, then the defaults of the rest; undefined when these do not fill the list. */
function argumentsOf(use: Node, {parameters}: Template): string[] | undefined {
  const given = itemsOf(use.childForFieldName('arguments'))
  const list = parameters.map(({value}, index) => given[index] ?? value)
  return given.length > parameters.length || list.includes(undefined) ? undefined : (list as string[])
}

function isWithin(node: Node, parts: readonly Node[]): boolean {
  return parts.some((part) => node.startIndex >= part.startIndex && node.endIndex <= part.endIndex)
}

function plainEdits(
  template: Template,
  given: readonly string[],
  {uses, text}: {uses: readonly Node[]; text: string},
): Edit[] {
  const {name} = template
  // A member that is defined outside may name the parameters in its own way.
  const valuesOf = (part: Node) => new Map(parametersOf(part).map((one, index) => [one.name, given[index] as string]))
  const own = uses.filter((use) => nameOf(use) === name)
  const {parts, gone} = instance(template, given)
  return [
    ...gone.map((node) => ({start: withComments(node), end: node.endIndex, text: ''})),
    ...parts.map((part) => headerEdit(part, text)),
    ...own.map(({startIndex, endIndex}) => ({start: startIndex, end: endIndex, text: name})),
    ...parts.flatMap((part) => namedEdits(part, valuesOf(part))),
    ...parts.flatMap((part) => [...wordEdits(part, text), ...commentEdits(part, valuesOf(part))]),
  ]
}

/** Where the comments right above a declaration begin. */
function withComments(node: Node): number {
  let at = node
  for (let above = at.previousNamedSibling; above?.type === 'comment'; above = at.previousNamedSibling) {
    if (above.endPosition.row < at.startPosition.row - 1) break
    at = above
  }
  return at.startIndex
}

/** The specialisation of a template for its arguments: a member defined for them replaces the general one. */
function instance(template: Template, given: readonly string[]): {parts: Node[]; gone: Node[]} {
  const taken = template.special.filter((node) => {
    const list = memberOf(node)?.list
    return list && argumentsOf(list, template)?.join() === given.join()
  })
  const names = new Set(taken.map((node) => memberOf(node)?.name))
  const replaced = template.parts.filter((node) => names.has(memberOf(node)?.name ?? ''))
  return {
    parts: [...template.parts.filter((node) => !replaced.includes(node)), ...taken],
    gone: [...replaced, ...template.special.filter((node) => !taken.includes(node))],
  }
}

/** `template <…>` up to what it is a template of. */
function headerEdit(part: Node, text: string): Edit {
  const list = part.childForFieldName('parameters') as Node
  const gap = /^\s*/.exec(text.slice(list.endIndex))![0].length
  return {start: part.startIndex, end: list.endIndex + gap, text: ''}
}

function namedEdits(part: Node, values: ReadonlyMap<string, string>): Edit[] {
  const body = childrenOf(part).slice(1)
  return body.flatMap((child) =>
    nodesOf(child, ['type_identifier', 'identifier', 'namespace_identifier']).flatMap((node) => {
      const value = values.get(node.text)
      return value === undefined ? [] : [{start: node.startIndex, end: node.endIndex, text: value}]
    }),
  )
}

/** `.template` is redundant if no name depends on a parameter any more. */
function wordEdits(part: Node, text: string): Edit[] {
  if (part.descendantsOfType('template_declaration').length > 1) return []
  const source = text.slice(part.startIndex, part.endIndex)
  return [...source.matchAll(/(?<=(?:\.|->)\s*)template\s+(?=\w)/g)].map(({index, 0: word}) => ({
    start: part.startIndex + index,
    end: part.startIndex + index + word.length,
    text: '',
  }))
}

/** Comments speak of `T` as the code does. */
function commentEdits(part: Node, values: ReadonlyMap<string, string>): Edit[] {
  return nodesOf(part, 'comment').map((node) => ({
    start: node.startIndex,
    end: node.endIndex,
    text: node.text.replace(/\b[A-Z]\w*\b/g, (word) => values.get(word) ?? word),
  }))
}
