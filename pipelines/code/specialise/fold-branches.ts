import type {Node} from 'web-tree-sitter'
import type {Scope} from '../../../cpp/expressions.ts'
import {childrenOf, declaredName, squeeze} from '../../../cpp/nodes.ts'
import {readCpp} from '../../../cpp/parse.ts'
import {syntaxOf} from '../../../cpp/read-syntax.ts'
import {scopeOf} from '../../../cpp/scope.ts'
import {applyEdits, type Edit} from '../../../cpp/edit.ts'
import {staticTruth, type Answer} from './static-truth.ts'

/**
 * Statements of the `if`s whose condition is settled, in their place, and what settled choices take; an `else` and an
 * `if constexpr` without content are removed. Each round frees those inside of others. `answer` settles parts of
 * conditions that the text alone does not.
 */
export async function foldBranches(text: string, answer?: Answer): Promise<string> {
  let current = text
  for (let round = 0; round < mostRounds; round += 1) {
    const {declarations, classes} = await syntaxOf(current)
    const constants = scopeOf(
      declarations.filter(({owner}) => owner === ''),
      classes,
      {},
    )
    const edits = await readCpp(current, (root) => outermost(root, current, {constants, answer}))
    if (edits.length === 0) break
    // Of branches one after the other, those that go may hold names that keep the other one in its brackets.
    const gone = edits.filter((edit) => edit.text === '')
    current = applyEdits(current, gone.length > 0 ? gone : edits)
  }
  return current
}

/** Deeper nests of conditions stay as they are. */
const mostRounds = 30

interface Ground {
  constants: Scope
  answer: Answer | undefined
}

function outermost(node: Node, text: string, ground: Ground): Edit[] {
  if (node.type === 'if_statement' && !node.hasError) {
    const value = conditionTruth(node, ground)
    if (value !== undefined) return [fold(node, value, text)]
    if (isEmpty(node.childForFieldName('consequence')) && isConstant(node) && !node.childForFieldName('alternative'))
      return [gone(node, text)]
  }
  if (isEmptyElse(node)) return [gone(node, text)]
  const chosen = foldedChoice(node, text, (condition) => staticTruth(squeeze(condition), noConstants, ground.answer))
  if (chosen) return [chosen]
  return childrenOf(node).flatMap((child) => outermost(child, text, ground))
}

const isConstant = (node: Node) => node.children.some((child) => child?.type === 'constexpr')
const isEmpty = (block: Node | null | undefined) => block?.type === 'compound_statement' && block.namedChildCount === 0

function conditionTruth(node: Node, {constants, answer}: Ground): boolean | undefined {
  const condition = squeeze(node.childForFieldName('condition')?.text ?? '').replace(/^\(([^]*)\)$/, '$1')
  // A name may denote a variable wherever the compiler does not require a constant.
  return staticTruth(condition, isConstant(node) ? constants : noConstants, answer)
}

const noConstants: Scope = {constants: new Map(), types: new Map()}

const isEmptyElse = (node: Node) => mayGo(node) && isEmpty(childrenOf(node)[0])

/** An `else` whose `if` no other one could take for its own without it. */
function mayGo({type, parent}: Node): boolean {
  const statement = parent?.parent
  if (type !== 'else_clause' || !statement) return false
  return statement.type === 'else_clause' ? mayGo(statement) : statement.type === 'compound_statement'
}

/** In a block with its lines; behind an `else` with that word. */
function gone(node: Node, text: string): Edit {
  const {startIndex: start, endIndex: end, parent} = node
  if (parent?.type === 'compound_statement') return wholeLines({start, end, text: ''}, text)
  const clause = node.type === 'else_clause' ? node : parent
  if (!clause || !mayGo(clause)) return {start, end, text: '{}'}
  const space = /\s*$/.exec(text.slice(0, clause.startIndex))?.[0].length ?? 0
  return {start: clause.startIndex - space, end: clause.endIndex, text: ''}
}

function fold(node: Node, value: boolean, text: string): Edit {
  const alternative = childrenOf(node.childForFieldName('alternative')).find(({type}) => type !== 'comment')
  const taken = value ? node.childForFieldName('consequence') : alternative
  const {startIndex: start, endIndex: end} = node
  const inBlock = node.parent?.type === 'compound_statement'
  if (!taken) return gone(node, text)
  const source = text.slice(taken.startIndex, taken.endIndex)
  if (taken.type !== 'compound_statement') return {start, end, text: source}
  if (!inBlock || clashes(taken, node)) return {start, end, text: source}
  const body = source.slice(1, -1).replace(/^[ \t]*\n/, '')
  return {start, end, text: dedented(body, node.startPosition.column).trim()}
}

/** Whether a name that the block declares also has another meaning next to it. */
function clashes(block: Node, statement: Node): boolean {
  const names = childrenOf(block).flatMap((child) =>
    child.type === 'declaration'
      ? child.childrenForFieldName('declarator').flatMap((one) => (one ? declaredName(one) : []))
      : [],
  )
  const aliases = childrenOf(block).flatMap((child) => child.childForFieldName('name')?.text ?? [])
  const around = childrenOf(statement.parent)
    .filter((sibling) => sibling.id !== statement.id)
    .map((sibling) => sibling.text)
    .join('\n')
  return [...names, ...aliases].some((name) => name !== '' && new RegExp(String.raw`\b${name}\b`).test(around))
}

/** The lines of a body moved so that the least indented one is at `column`; the first is set by its place. */
function dedented(body: string, column: number): string {
  if (column === 0) return body
  const lines = body.split('\n')
  const depths = lines.flatMap((line) => (line.trim() === '' ? [] : [/^ */.exec(line)![0].length]))
  const excess = Math.min(...depths, 400) - column
  return excess <= 0 ? body : lines.map((line) => line.replace(new RegExp(`^ {0,${excess}}`), '')).join('\n')
}

/** With the line break, when nothing else is on its lines. */
function wholeLines({start, end, text}: Edit, source: string): Edit {
  const before = source.lastIndexOf('\n', start - 1) + 1
  const after = source.indexOf('\n', end)
  const isAlone = source.slice(before, start).trim() === '' && after >= 0 && source.slice(end, after).trim() === ''
  return isAlone ? {start: before, end: after + 1, text} : {start, end, text}
}

type Truth = (condition: string) => boolean | undefined

/** `c ? a : b` and `std::conditional_t<c, A, B>` as the part that `truth` takes; undefined for all else. */
function foldedChoice(node: Node, text: string, truth: Truth): Edit | undefined {
  if (node.hasError) return undefined
  if (node.type === 'conditional_expression') return choice(node, partsOf(node), {text, truth})
  const word = node.type === 'template_type' ? node.childForFieldName('name')?.text : undefined
  if (word !== 'conditional_t' && word !== 'conditional') return undefined
  const whole = wholeType(node)
  const isAsked = word === 'conditional_t' || /::\s*type$/.test(whole.text)
  return isAsked ? choice(whole, childrenOf(node.childForFieldName('arguments')), {text, truth}) : undefined
}

function partsOf(node: Node): Node[] {
  return ['condition', 'consequence', 'alternative'].flatMap((field) => node.childForFieldName(field) ?? [])
}

/** `typename std::conditional<…>::type` around its template. */
function wholeType(node: Node): Node {
  let whole = node
  while (whole.parent && /^(?:qualified_identifier|dependent_type)$/.test(whole.parent.type)) whole = whole.parent
  return whole
}

function choice(whole: Node, parts: readonly Node[], {text, truth}: {text: string; truth: Truth}) {
  const [condition, consequence, alternative] = parts
  if (!condition || !consequence || !alternative || parts.length > 3) return undefined
  const holds = truth(condition.text)
  if (holds === undefined) return undefined
  const taken = holds ? consequence : alternative
  const isJoined = joining.test(whole.parent?.type ?? '') && joining.test(taken.type)
  // The parser does not see every word.
  const source = text.slice(taken.startIndex, taken.endIndex)
  return {start: whole.startIndex, end: whole.endIndex, text: isJoined ? `(${source})` : source}
}

/** What binds its parts by rank. */
const joining = /^(?:binary|unary|conditional|cast|assignment|comma|pointer|update|field|subscript|call)_expression$/
