import type {Node} from 'web-tree-sitter'

/** A call as it is written: `inQueue_.AllocTensor<T>()` is name `AllocTensor`, receiver `inQueue_`, template arguments `['T']`. */
export interface Call {
  name: string
  /** Namespace or object before the name, `''` without one. */
  receiver: string
  templates: string[]
  args: string[]
  /** The variable that takes the result, when the call initialises or is assigned to one. */
  result: string | undefined
  /** Stands inside an `if`, `else`, `switch` or `?:`. */
  conditional: boolean
  /** Stands inside a loop. */
  looped: boolean
  /** 1-based line in its file. */
  line: number
}

export interface FunctionSyntax {
  name: string
  /** The class it belongs to, `''` for a free function. */
  owner: string
  parameters: {type: string; name: string}[]
  returns: string
  calls: Call[]
  /** `name = expression`, `name += expression` and initialisations, in order. */
  assignments: Assignment[]
  loops: {header: string; line: number}[]
  conditions: {text: string; line: number}[]
  lines: [number, number]
  body: string
}

export interface Assignment {
  name: string
  value: string
  line: number
}

export interface ClassSyntax {
  name: string
  templates: string[]
  bases: string[]
  lines: [number, number]
  /** Comment right above, without its marks. */
  comment: string
}

export interface Declaration {
  type: string
  name: string
  value: string
  owner: string
  /** `const`, `constexpr`, an enumerator or a macro: its value does not change. */
  constant: boolean
}

export interface FileSyntax {
  classes: ClassSyntax[]
  functions: FunctionSyntax[]
  /** Members, constants and global variables; local variables are assignments of their function. */
  declarations: Declaration[]
  structs: {name: string; fields: Declaration[]}[]
  /** Bytes inside nodes that the grammar could not make sense of, as a share of all. */
  errorShare: number
}

export function readSyntax(root: Node, text: string): FileSyntax {
  const syntax: FileSyntax = {classes: [], functions: [], declarations: [], structs: [], errorShare: 0}
  let errorBytes = 0
  visit(root, '')
  syntax.errorShare = text.length === 0 ? 0 : errorBytes / text.length
  return syntax

  function visit(node: Node, owner: string): void {
    if (node.type === 'ERROR') errorBytes += node.endIndex - node.startIndex
    if (node.type === 'function_definition') return readFunction(node, owner)
    if (node.type === 'class_specifier' || node.type === 'struct_specifier') return visitClass(node)
    if (node.type === 'field_declaration' || node.type === 'declaration') readDeclaration(node, owner)
    if (node.type === 'preproc_def') readDefine(node)
    if (node.type === 'enumerator') readEnumerator(node, owner)
    for (const child of node.namedChildren) if (child) visit(child, owner)
  }

  function visitClass(node: Node): void {
    const name = node.childForFieldName('name')?.text ?? ''
    const body = node.childForFieldName('body')
    if (!body) return
    const outer = node.parent?.type === 'template_declaration' ? node.parent : node
    const templates = outer === node ? [] : names(outer.childForFieldName('parameters'))
    const bases = node.namedChildren.flatMap((child) =>
      child?.type === 'base_class_clause'
        ? child.namedChildren.flatMap((base) => (base && base.type !== 'access_specifier' ? [base.text] : []))
        : [],
    )
    if (node.type === 'struct_specifier') syntax.structs.push({name, fields: []})
    syntax.classes.push({
      name,
      templates,
      bases,
      lines: [node.startPosition.row + 1, node.endPosition.row + 1],
      comment: commentAbove(outer),
    })
    for (const child of body.namedChildren) if (child) visit(child, name)
  }

  function readFunction(node: Node, owner: string): void {
    const declarator = functionDeclarator(node.childForFieldName('declarator'))
    const body = node.childForFieldName('body')
    const named = declarator?.childForFieldName('declarator')
    if (!declarator || !body || !named) return
    const {name, scope} = splitName(named)
    const found: FunctionSyntax = {
      name,
      owner: scope || owner,
      parameters: parameters(declarator),
      returns: squeeze(node.childForFieldName('type')?.text ?? ''),
      calls: [],
      assignments: [],
      loops: [],
      conditions: [],
      lines: [node.startPosition.row + 1, node.endPosition.row + 1],
      body: body.text,
    }
    readBody(body, found, {conditional: false, looped: false})
    syntax.functions.push(found)
  }

  function readDeclaration(node: Node, owner: string): void {
    const type = squeeze(node.childForFieldName('type')?.text ?? '')
    for (const child of node.childrenForFieldName('declarator')) {
      if (!child || functionDeclarator(child)) continue
      const name = innermost(child)
      if (name === '') continue
      const value = squeeze(
        child.childForFieldName('value')?.text ?? node.childForFieldName('default_value')?.text ?? '',
      )
      const constant = node.namedChildren.some(
        (part) => part?.type === 'type_qualifier' && /^const(?:expr)?$/.test(part.text),
      )
      const declaration = {type, name, value, owner, constant}
      syntax.declarations.push(declaration)
      syntax.structs.find((one) => one.name === owner)?.fields.push(declaration)
    }
  }

  function readEnumerator(node: Node, owner: string): void {
    const value = node.childForFieldName('value')?.text
    if (value !== undefined)
      syntax.declarations.push({
        type: 'int',
        name: node.childForFieldName('name')?.text ?? '',
        value: squeeze(value),
        owner,
        constant: true,
      })
  }

  function readDefine(node: Node): void {
    const name = node.childForFieldName('name')?.text
    const value = node.childForFieldName('value')?.text
    if (name !== undefined && value !== undefined)
      syntax.declarations.push({type: 'macro', name, value: squeeze(value), owner: '', constant: true})
  }
}

interface Where {
  conditional: boolean
  looped: boolean
}

function readBody(node: Node, into: FunctionSyntax, where: Where): void {
  if (node.type === 'call_expression') readCall(node, into, where)
  if (node.type === 'init_declarator') {
    const value = node.childForFieldName('value')
    if (value)
      into.assignments.push({name: innermost(node), value: squeeze(value.text), line: node.startPosition.row + 1})
  }
  if (node.type === 'assignment_expression') {
    into.assignments.push({
      name: squeeze(node.childForFieldName('left')?.text ?? ''),
      value: squeeze(node.childForFieldName('right')?.text ?? ''),
      line: node.startPosition.row + 1,
    })
  }
  if (node.type === 'for_statement' || node.type === 'while_statement' || node.type === 'do_statement') {
    const body = node.childForFieldName('body')
    into.loops.push({
      header: squeeze(node.text.slice(0, (body?.startIndex ?? node.endIndex) - node.startIndex)),
      line: node.startPosition.row + 1,
    })
    for (const child of node.namedChildren) if (child) readBody(child, into, {...where, looped: true})
    return
  }
  const branch =
    node.type === 'if_statement' || node.type === 'switch_statement' || node.type === 'conditional_expression'
  if (branch)
    into.conditions.push({
      text: squeeze(node.childForFieldName('condition')?.text ?? '').replace(/^\((.*)\)$/, '$1'),
      line: node.startPosition.row + 1,
    })
  for (const child of node.namedChildren)
    if (child) readBody(child, into, branch ? {...where, conditional: true} : where)
}

function readCall(node: Node, into: FunctionSyntax, where: Where): void {
  const callee = node.childForFieldName('function')
  if (!callee) return
  const {name, receiver, templates} = splitCallee(callee)
  if (name === '') return
  const args =
    node
      .childForFieldName('arguments')
      ?.namedChildren.flatMap((child) => (child && child.type !== 'comment' ? [squeeze(child.text)] : [])) ?? []
  into.calls.push({name, receiver, templates, args, result: resultOf(node), ...where, line: node.startPosition.row + 1})
}

function resultOf(node: Node): string | undefined {
  const {parent} = node
  if (parent?.type === 'init_declarator') return innermost(parent)
  if (parent?.type === 'assignment_expression')
    return squeeze(parent.childForFieldName('left')?.text ?? '') || undefined
  return undefined
}

function splitCallee(node: Node): {name: string; receiver: string; templates: string[]} {
  if (node.type === 'field_expression') {
    const inner = splitCallee(node.childForFieldName('field') ?? node)
    return {...inner, receiver: squeeze(node.childForFieldName('argument')?.text ?? '')}
  }
  if (node.type === 'template_function' || node.type === 'template_method') {
    const name = node.childForFieldName('name')?.text ?? ''
    return {name, receiver: '', templates: names(node.childForFieldName('arguments'))}
  }
  if (node.type === 'qualified_identifier') {
    const inner = splitCallee(node.childForFieldName('name') ?? node)
    return {...inner, receiver: node.childForFieldName('scope')?.text ?? ''}
  }
  return {name: /^~?\w+$/.test(node.text) ? node.text : '', receiver: '', templates: []}
}

function functionDeclarator(node: Node | null): Node | undefined {
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

function parameters(declarator: Node): {type: string; name: string}[] {
  const list = declarator.childForFieldName('parameters')?.namedChildren ?? []
  return list.flatMap((one) => {
    if (!one?.type.endsWith('parameter_declaration')) return []
    const inner = one.childForFieldName('declarator')
    return [{type: squeeze(one.childForFieldName('type')?.text ?? ''), name: inner ? innermost(inner) : ''}]
  })
}

function names(list: Node | null): string[] {
  return list?.namedChildren.flatMap((child) => (child && child.type !== 'comment' ? [squeeze(child.text)] : [])) ?? []
}

function innermost(node: Node): string {
  let at: Node = node
  for (;;) {
    const inner =
      at.childForFieldName('declarator') ??
      (at.type === 'reference_declarator' || at.type === 'pointer_declarator'
        ? at.namedChild(at.namedChildCount - 1)
        : null)
    if (!inner) break
    at = inner
  }
  return /^[A-Za-z_]\w*$/.test(at.text) ? at.text : ''
}

function commentAbove(node: Node): string {
  const lines: string[] = []
  let at = node.previousNamedSibling
  let below = node.startPosition.row
  while (at?.type === 'comment' && at.endPosition.row >= below - 1) {
    lines.unshift(at.text)
    below = at.startPosition.row
    at = at.previousNamedSibling
  }
  return plainComment(lines.join('\n'))
}

/** The words of a comment: no marks, no doxygen commands, one line. */
export function plainComment(text: string): string {
  return text
    .split('\n')
    .map((line) =>
      line
        .replace(/^\s*(?:\/\/[/!]*<?|\/\*[*!\s]*|\*+\/|\*)\s?/, '')
        .replace(/\*+\/\s*$/, '')
        .replace(/^\s*[\\@](?:brief|file|details?|param|note)\b/, '')
        .trim(),
    )
    .filter(Boolean)
    .join(' ')
}

/** One line, single spaces. */
export function squeeze(text: string): string {
  return text
    .replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/([(.]|->) /g, '$1')
    .trim()
}
