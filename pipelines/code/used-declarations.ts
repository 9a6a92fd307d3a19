import type {Node} from 'web-tree-sitter'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import {readCpp} from '../../cpp/parse.ts'
import {remembering} from '../../cpp/remember.ts'

/** Kept rounds: a kept declaration names types that others declare. */
const mostRounds = 6

interface Declaration {
  /** Without bodies of functions. */
  text: string
  names: readonly string[]
  /** `a::b`; '' outside of any. */
  namespace: string
}

/**
 * Of some files the declarations that `target` uses, directly or through each other, without bodies of functions; files
 * of which nothing is used are left out.
 */
export async function usedDeclarations(files: readonly SourceFile[], target: string): Promise<SourceFile[]> {
  const read = await Promise.all(files.map(async ({path, text}) => ({path, all: await declarationsOf(text)})))
  const used = new Set(identifiers(target))
  const kept = new Set<Declaration>()
  for (let round = 0, before = -1; round < mostRounds && kept.size !== before; round += 1) {
    before = kept.size
    for (const one of read.flatMap(({all}) => all)) {
      if (kept.has(one) || !one.names.some((name) => used.has(name))) continue
      kept.add(one)
      for (const name of identifiers(one.text)) used.add(name)
    }
  }
  return read.flatMap(({path, all}) => {
    const text = written(all.filter((one) => kept.has(one)))
    return text === '' ? [] : [{path, text: `${text}\n`}]
  })
}

const declarationsOf = remembering((text) => readCpp(text, (root) => declarationsIn(root, text, '')))

/** Declarations of one namespace that follow each other stand in it together. */
function written(all: readonly Declaration[]): string {
  const parts = all.map(({namespace, text}, index) => {
    const opens = namespace !== '' && namespace !== all[index - 1]?.namespace
    const closes = namespace !== '' && namespace !== all[index + 1]?.namespace
    return `${opens ? `namespace ${namespace} {\n` : ''}${text}${closes ? `\n} // namespace ${namespace}` : ''}`
  })
  return parts.join('\n\n')
}

function identifiers(text: string): string[] {
  return text.match(/[A-Za-z_]\w*/g) ?? []
}

const containers = new Set([
  'declaration_list',
  'linkage_specification',
  'preproc_if',
  'preproc_ifdef',
  'preproc_else',
  'preproc_elif',
])
const declared = new Set([
  'function_definition',
  'declaration',
  'template_declaration',
  'class_specifier',
  'struct_specifier',
  'enum_specifier',
  'union_specifier',
  'type_definition',
  'alias_declaration',
  'using_declaration',
  'preproc_def',
  'preproc_function_def',
])

function declarationsIn(node: Node, text: string, namespace: string): Declaration[] {
  return node.namedChildren.flatMap((child) => {
    if (!child) return []
    if (child.type === 'namespace_definition') return declarationsIn(child, text, inside(namespace, child))
    if (containers.has(child.type)) return declarationsIn(child, text, namespace)
    // An include guard says nothing of the code.
    const isEmpty = child.type === 'preproc_def' && !child.childForFieldName('value')
    return declared.has(child.type) && !isEmpty
      ? [{text: withoutBodies(child, text), names: namesOf(child), namespace}]
      : []
  })
}

/** What an unnamed namespace holds is seen as if it stood around it. */
function inside(namespace: string, node: Node): string {
  return [namespace, node.childForFieldName('name')?.text ?? ''].filter((name) => name !== '').join('::')
}

/** The names that a declaration introduces; the text before the parser blanked it is what is kept. */
function namesOf(node: Node): string[] {
  const own = node.childForFieldName('name')
  const named = own ? [own] : node.childrenForFieldName('declarator')
  const inner = node.namedChildren.filter((child) => child !== null && declared.has(child.type))
  const nested = node.type === 'template_declaration' ? inner.flatMap((child) => (child ? namesOf(child) : [])) : []
  const type = node.childForFieldName('type')
  const fromType = type && declared.has(type.type) ? namesOf(type) : []
  const enumerators = node.descendantsOfType('enumerator').flatMap((one) => one?.childForFieldName('name')?.text ?? [])
  const declaredNames = named.flatMap((one) => identifiers(headOf(one?.text ?? '')).slice(-1))
  return [...declaredNames, ...nested, ...fromType, ...enumerators]
}

/** `Foo::Bar(int x)` declares `Bar`; a value behind `=` declares nothing. */
function headOf(declarator: string): string {
  return declarator.replace(/[=([{][^]*$/, '').trim()
}

function withoutBodies(node: Node, text: string): string {
  const bodies = node
    .descendantsOfType('function_definition')
    .concat(node.type === 'function_definition' ? [node] : [])
    .flatMap((one) => one?.childForFieldName('body') ?? [])
    .map(({startIndex, endIndex}) => [startIndex, endIndex] as const)
    .sort(([a], [b]) => a - b)
  let kept = ''
  let at = node.startIndex
  for (const [start, end] of bodies) {
    if (start < at) continue
    kept += `${text.slice(at, start).trimEnd()};`
    at = end
  }
  const rest = text.slice(at, node.endIndex)
  const semicolon = /_specifier$/.test(node.type) ? ';' : ''
  return `${kept}${rest.trimEnd()}${semicolon}`
}
