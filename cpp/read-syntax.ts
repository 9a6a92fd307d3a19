import type {Node} from 'web-tree-sitter'
import type {FileSyntax} from './syntax.ts'
import {childrenOf, commentAbove, declaredName, fieldText, itemsOf, linesOf, squeeze} from './nodes.ts'
import {readCpp} from './parse.ts'
import {functionDeclarator, readFunction} from './read-function.ts'
import {remembering} from './remember.ts'

/** Classes, functions and declarations of a file. */
export const syntaxOf: (text: string) => Promise<FileSyntax> = remembering((text) =>
  readCpp(text, (root) => {
    const syntax: FileSyntax = {classes: [], functions: [], declarations: [], structs: []}
    visit(root, '', syntax)
    return syntax
  }),
)

function visit(node: Node, owner: string, syntax: FileSyntax): void {
  if (node.type === 'class_specifier' || node.type === 'struct_specifier') visitClass(node, syntax)
  else if (node.type === 'function_definition') visitFunction(node, owner, syntax)
  else {
    if (node.type === 'field_declaration' || node.type === 'declaration') readDeclaration(node, owner, syntax)
    if (node.type === 'preproc_def') readDefine(node, syntax)
    if (node.type === 'enumerator') readEnumerator(node, owner, syntax)
    for (const child of childrenOf(node)) visit(child, owner, syntax)
  }
}

function visitFunction(node: Node, owner: string, syntax: FileSyntax): void {
  const found = readFunction(node, owner)
  if (found) syntax.functions.push(found)
}

function visitClass(node: Node, syntax: FileSyntax): void {
  const name = node.childForFieldName('name')?.text ?? ''
  const body = node.childForFieldName('body')
  if (!body) return
  const outer = node.parent?.type === 'template_declaration' ? node.parent : node
  if (node.type === 'struct_specifier') syntax.structs.push({name, fields: []})
  syntax.classes.push({
    name,
    templates: outer === node ? [] : itemsOf(outer.childForFieldName('parameters')),
    bases: basesOf(node),
    lines: linesOf(node),
    comment: commentAbove(outer),
  })
  for (const child of childrenOf(body)) visit(child, name, syntax)
}

function basesOf(node: Node): string[] {
  return childrenOf(node)
    .filter(({type}) => type === 'base_class_clause')
    .flatMap(childrenOf)
    .filter(({type}) => type !== 'access_specifier')
    .map(({text}) => text)
}

function readDeclaration(node: Node, owner: string, syntax: FileSyntax): void {
  const type = fieldText(node, 'type')
  const constant = childrenOf(node).some((part) => part.type === 'type_qualifier' && /^const(?:expr)?$/.test(part.text))
  for (const declarator of node.childrenForFieldName('declarator')) {
    if (!declarator || functionDeclarator(declarator)) continue
    const name = declaredName(declarator)
    if (name === '') continue
    const given = declarator.childForFieldName('value') ?? node.childForFieldName('default_value')
    const declaration = {type, name, value: squeeze(given?.text ?? ''), owner, constant}
    syntax.declarations.push(declaration)
    syntax.structs.find((one) => one.name === owner)?.fields.push(declaration)
  }
}

function readEnumerator(node: Node, owner: string, syntax: FileSyntax): void {
  const value = node.childForFieldName('value')?.text
  if (value === undefined) return
  const name = node.childForFieldName('name')?.text ?? ''
  syntax.declarations.push({type: 'int', name, value: squeeze(value), owner, constant: true})
}

function readDefine(node: Node, syntax: FileSyntax): void {
  const name = node.childForFieldName('name')?.text
  const value = node.childForFieldName('value')?.text
  if (name === undefined || value === undefined) return
  syntax.declarations.push({type: 'macro', name, value: squeeze(value), owner: '', constant: true})
}
