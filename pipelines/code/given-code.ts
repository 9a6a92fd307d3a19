import type {OperatorSource, SourceFile} from '../../datasets/schema/operator.ts'
import type {Language} from '../../datasets/voice.ts'
import type {Node} from 'web-tree-sitter'
import {withWords} from '../../cpp/nodes.ts'
import {readCpp} from '../../cpp/parse.ts'
import {functionDeclarator, splitName} from '../../cpp/read-function.ts'
import {tilingBlocks} from '../../cpp/tiling.ts'
import {remembering} from '../../cpp/remember.ts'

/** Characters of code that a request hands out in full: about 8,000 tokens. */
const mostCharacters = 24_000

/**
 * The code that the request builds on: dependencies in the order in which they are needed, and the tiling structure of
 * the host side. What is longer than a request should be shrinks to the declarations that the target uses; around a
 * function its own file stays whole where it can, as what calls it and what it calls says what it has to do.
 */
export async function givenCode(
  {dependencies, tiling, target, part}: Pick<OperatorSource, 'dependencies' | 'tiling' | 'target' | 'part'>,
  language: Language,
): Promise<string> {
  const length = dependencies.reduce((sum, {text}) => sum + text.length, 0)
  const isWhole = length <= mostCharacters
  const around = part && dependencies.findLast(({path}) => path === target.path)
  const own = around && around.text.length <= mostCharacters ? [around] : []
  const others = dependencies.filter((one) => !own.includes(one))
  const given = isWhole
    ? dependencies
    : [...(await usedDeclarations(others, `${part?.name ?? ''} ${target.text}`)), ...own]
  const parts = given.map(({path, text}) => `===== ${path} =====\n${fence(text)}`)
  if (tiling !== '') parts.push(`===== ${tilingTitle[language]} =====\n${fence(tiling)}`)
  if (parts.length === 0) return ''
  return `\n\n${(isWhole ? whole : shortened)[language]}\n\n${parts.join('\n\n')}`
}

const whole = {
  en: 'The following code exists already; build on it:',
  zh: '以下依赖代码已经存在，请在其基础上完成实现：',
}
const shortened = {
  en: 'The following code exists already; of what it holds, the declarations that are needed are shown:',
  zh: '以下依赖代码已经存在（仅列出需要用到的声明），请在其基础上完成实现：',
}
const tilingTitle = {en: 'tiling structure declared on the host side', zh: 'Host 侧声明的 tiling 结构'}

/** A fence longer than any inside the code. */
export function fence(code: string, language = 'cpp'): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}${language}\n${code.trimEnd()}\n${ticks}`
}

/** Kept rounds: a kept declaration names types that others declare. */
const mostRounds = 6

interface Declaration {
  /** Without bodies of functions. */
  text: string
  names: readonly string[]
  /** Of a specialisation, what it is for: it is used where all of that is. */
  for: readonly string[]
  /** `a::b`; '' outside of any. */
  namespace: string
  /** Of a method that is written behind its class, the class; '' of all else. */
  owner: string
}

/**
 * Of some files the declarations that `target` uses, directly or through each other, without bodies of functions; files
 * without any use are omitted.
 */
export async function usedDeclarations(files: readonly SourceFile[], target: string): Promise<SourceFile[]> {
  const read = await Promise.all(files.map(async ({path, text}) => ({path, all: await declarationsOf(text)})))
  const classes = new Set(read.flatMap(({all}) => all.flatMap(({names, owner}) => (owner === '' ? names : []))))
  const used = new Set(identifiers(target))
  const kept = new Set<Declaration>()
  for (let round = 0, before = -1; round < mostRounds && kept.size !== before; round += 1) {
    before = kept.size
    for (const one of read.flatMap(({all}) => all)) {
      const isUsed = one.names.some((name) => used.has(name)) && one.for.every((name) => used.has(name))
      // Without its body it says what its class says already.
      if (kept.has(one) || !isUsed || classes.has(one.owner)) continue
      kept.add(one)
      for (const name of identifiers(one.text)) used.add(name)
    }
  }
  return read.flatMap(({path, all}) => {
    const text = written(all.filter((one) => kept.has(one)))
    return text === '' ? [] : [{path, text: `${text}\n`}]
  })
}

const declarationsOf = remembering(async (text) => [
  ...tilingStructures(text),
  ...(await readCpp(text, (root) => declarationsIn(root, text, ''))),
])

/** Their macros are calls to the parser; each field has a getter and a setter. */
function tilingStructures(text: string): Declaration[] {
  return tilingBlocks(text).map(({name, text: block, fields}) => {
    const names = fields.flatMap((field) => [`get_${field.name}`, `set_${field.name}`])
    return {text: block, names: [name, ...names], for: [], namespace: '', owner: ''}
  })
}

/** Declarations of one namespace that follow each other share it. */
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
    // An include guard is not part of the code.
    const isEmpty = child.type === 'preproc_def' && !child.childForFieldName('value')
    return declared.has(child.type) && !isEmpty ? [declarationOf(child, text, namespace)] : []
  })
}

function declarationOf(node: Node, text: string, namespace: string): Declaration {
  const names = {names: namesOf(node), for: specialisedFor(node), owner: ownerOf(node)}
  return {text: withoutBodies(node, text), ...names, namespace}
}

/** `Fold` of `template <class T> void Fold<T>::CopyIn() {…}`. */
function ownerOf(node: Node): string {
  const definition = node.type === 'template_declaration' ? node.namedChildren.at(-1) : node
  if (definition?.type !== 'function_definition') return ''
  const named = functionDeclarator(definition.childForFieldName('declarator'))?.childForFieldName('declarator')
  return named ? splitName(named).scope : ''
}

/** What an unnamed namespace holds is visible as if outside it. */
function inside(namespace: string, node: Node): string {
  return [namespace, node.childForFieldName('name')?.text ?? ''].filter((name) => name !== '').join('::')
}

/** `template <class T> struct Copy<AtlasA2, Type<T>>` is for `AtlasA2` and `Type`; its parameters may be anything. */
function specialisedFor(node: Node): string[] {
  const type = node.namedChildren.find((child) => /^(?:class|struct)_specifier$/.test(child?.type ?? ''))
  const given = type?.childForFieldName('name')?.childForFieldName('arguments')?.text ?? ''
  const parameters = identifiers(node.childForFieldName('parameters')?.text ?? '')
  return identifiers(given.replace(/\w+\s*::/g, '')).filter((name) => /^[A-Z]/.test(name) && !parameters.includes(name))
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
  const declaredNames = named.flatMap((one) =>
    identifiers(headOf((one?.type === 'template_type' ? one.childForFieldName('name') : one)?.text ?? '')).slice(-1),
  )
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
  let at = withWords(node.startIndex, text)
  for (const [start, end] of bodies) {
    if (start < at) continue
    const isClosed = /^\s*;/.test(text.slice(end, node.endIndex))
    kept += `${text.slice(at, start).trimEnd()}${isClosed ? '' : ';'}`
    at = end
  }
  const rest = text.slice(at, node.endIndex)
  const semicolon = /_specifier$/.test(node.type) ? ';' : ''
  return `${kept}${rest.trimEnd()}${semicolon}`
}
