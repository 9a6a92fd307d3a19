import type {Node} from 'web-tree-sitter'
import {childrenOf, declaredName, squeeze} from '../../../cpp/nodes.ts'
import {readCpp} from '../../../cpp/parse.ts'
import {applyEdits, type Edit} from '../../../cpp/edit.ts'

/** A place of host code that gives a name a value. */
interface Watched {
  /** As it is written: `tiling->rows`, `blockNum`, `set_rows`, `SetBlockDim`. */
  name: string
  /** On one line; '' where a function that was handed the name may have set it. */
  expression: string
}

/** Host code that prints what its assignments give, and the meaning of each printed number. */
interface WatchedHost {
  text: string
  watched: Watched[]
}

/**
 * After each statement of a function that assigns a number, passes one to tiling or the launch, or passes a variable to
 * a function, a statement that prints it. What has no number, such as a shape or a pointer, prints nothing. Numbering
 * starts at `from`.
 */
export async function watchedHost(text: string, from: number): Promise<WatchedHost> {
  const places = await readCpp(text, (root) =>
    root.descendantsOfType('function_definition').flatMap((node) => (node ? placesIn(node) : [])),
  )
  const watched: Watched[] = []
  const edits = places.map(({start, end, wraps, seen}): Edit => {
    const calls = seen.map((one) => {
      watched.push({name: one.name, expression: one.expression})
      return ` twin_watch::seen(${from + watched.length - 1}, ${one.reads});`
    })
    const statement = text.slice(start, end)
    return {start, end, text: wraps ? `{ ${statement}${calls.join('')} }` : `${statement}${calls.join('')}`}
  })
  return {text: `${printer}${applyEdits(text, edits)}`, watched}
}

/** A value that changes more often is not a step of a derivation. */
const mostPrints = 4

/** Not in the text of a program by chance, so that nothing else that it prints is taken for a value. */
const mark = '\u0002seen'

const printer = [
  '#include <cstdio>',
  '#include <type_traits>',
  'namespace twin_watch {',
  'template <typename T>',
  'void seen(int place, const T& value)',
  '{',
  '    static int times[4096];',
  '    if constexpr (std::is_arithmetic<T>::value || std::is_enum<T>::value) {',
  `        if (place < 4096 && ++times[place] <= ${mostPrints + 1})`,
  String.raw`            fprintf(stderr, "\2seen %d %.17g\n", place, static_cast<double>(value));`,
  '    }',
  '}',
  '} // namespace twin_watch',
  '',
].join('\n')

/** What such a program printed: steps in their order, without places that occurred too often. */
export function printedSteps(printed: string, watched: readonly Watched[]): (Watched & {value: number})[] {
  const seen = [...printed.matchAll(new RegExp(`^${mark} (\\d+) (\\S+)$`, 'gm'))].map(([, place, value]) => ({
    place: Number(place),
    value: Number(value),
  }))
  const times = new Map<number, number>()
  for (const {place} of seen) times.set(place, (times.get(place) ?? 0) + 1)
  return seen.flatMap(({place, value}) => {
    const one = watched[place]
    return one && Number.isFinite(value) && (times.get(place) ?? 0) <= mostPrints ? [{...one, value}] : []
  })
}

interface Place {
  start: number
  end: number
  /** Whether it is the only statement of a branch, which needs brackets for a second one. */
  wraps: boolean
  seen: (Watched & {reads: string})[]
}

function placesIn(definition: Node): Place[] {
  const body = definition.childForFieldName('body')
  // A function of constants may not print.
  if (!body || /\bconstexpr\b/.test(definition.text.slice(0, body.startIndex - definition.startIndex))) return []
  const variables = variablesOf(definition)
  const statements = [...body.descendantsOfType('expression_statement'), ...body.descendantsOfType('declaration')]
    .flatMap((node) => (node && !isInLambdaOf(node, body) ? [node] : []))
    .sort((a, b) => a.startIndex - b.startIndex)
  return statements.flatMap((node) => {
    const wraps = isOnlyStatement(node)
    if (!wraps && !isInBlock(node)) return []
    const seen = seenIn(node, variables)
    return seen.length === 0 ? [] : [{start: node.startIndex, end: node.endIndex, wraps, seen}]
  })
}

/** Statements of functions inside of a function belong to these. */
function isInLambdaOf(node: Node, body: Node): boolean {
  for (let at = node.parent; at && at.id !== body.id; at = at.parent) if (at.type === 'lambda_expression') return true
  return false
}

const isInBlock = ({parent}: Node) => parent?.type === 'compound_statement' || parent?.type === 'case_statement'

function isOnlyStatement({type, parent}: Node): boolean {
  return (
    type === 'expression_statement' &&
    /^(?:if_statement|else_clause|for_statement|while_statement)$/.test(parent?.type ?? '')
  )
}

/** Parameters and local variables, which are all that a function can have set through its arguments. */
function variablesOf(definition: Node): ReadonlySet<string> {
  const parameters = definition.descendantsOfType('parameter_declaration')
  const locals = definition.descendantsOfType('declaration')
  const names = [...parameters, ...locals].flatMap((node) =>
    (node?.childrenForFieldName('declarator') ?? []).flatMap((one) => (one ? declaredName(one) : [])),
  )
  return new Set(names.filter((name) => name !== ''))
}

function seenIn(node: Node, variables: ReadonlySet<string>): Place['seen'] {
  if (node.type === 'declaration') return declared(node)
  const [expression] = childrenOf(node)
  if (expression?.type === 'assignment_expression') return assigned(expression)
  if (expression?.type !== 'call_expression') return []
  return [...handedOver(expression), ...mayBeSet(expression, variables)]
}

function declared(node: Node): Place['seen'] {
  return node.childrenForFieldName('declarator').flatMap((one) => {
    const value = one?.childForFieldName('value')
    const name = one ? declaredName(one) : ''
    if (!value || name === '' || one?.type !== 'init_declarator') return []
    return [{name, expression: squeeze(value.text), reads: name}]
  })
}

function assigned(node: Node): Place['seen'] {
  const [left, right] = [node.childForFieldName('left'), node.childForFieldName('right')]
  const operator = node.childForFieldName('operator')?.text ?? '='
  if (!left || !right || /[[(]/.test(left.text)) return []
  const name = squeeze(left.text)
  const value = squeeze(right.text)
  return [{name, expression: operator === '=' ? value : '', reads: left.text}]
}

/** `tiling.set_rows(n)`, `context->SetBlockDim(n)`. */
function handedOver(call: Node): Place['seen'] {
  const name = call.childForFieldName('function')?.childForFieldName('field')?.text ?? ''
  const values = childrenOf(call.childForFieldName('arguments'))
  const [value] = values
  if (!value || values.length > 1 || !/^(?:set_\w+|SetBlockDim|SetTilingKey)$/.test(name)) return []
  return [{name, expression: squeeze(value.text), reads: `(${value.text})`}]
}

function mayBeSet(call: Node, variables: ReadonlySet<string>): Place['seen'] {
  const nested = call.descendantsOfType('call_expression')
  const handed = nested.flatMap((one) => childrenOf(one?.childForFieldName('arguments') ?? null))
  const names = handed.flatMap(({type, text}) => (type === 'identifier' && variables.has(text) ? [text] : []))
  return [...new Set(names)].map((name) => ({name, expression: '', reads: name}))
}
