import {pattern} from '../../../cpp/pattern.ts'
import type {Token} from '../../../cpp/tokens.ts'
import {declarationsOf} from '../../../cpp/declarations.ts'
import {
  endsStatement,
  foundIn,
  matching,
  tokenAt,
  type Call,
  type Range,
  type SourceView,
} from '../../../cpp/source-view.ts'

interface Parameter {
  type: string
  name: string
}

/** A function with its body, found by its tokens. Positions count characters of the file. */
export interface Definition {
  name: string
  /** Where it begins, its comment and `template <…>` included. */
  start: number
  /** Everything before the name: `__aicore__ inline void`. */
  head: string
  parameters: Parameter[]
  /** Its braces; `end` is one past the closing one. */
  open: number
  end: number
}

/** A class with its braces. */
export interface ClassBody {
  name: string
  open: number
  close: number
}

const classForms = [pattern('class $name {'), pattern('struct $name {')]
const derivedForms = ['class', 'struct'].map((word) =>
  pattern(`${word} $name $$bases {`, {bases: (text) => !text.includes('(')}),
)

export function classesOf(source: SourceView): ClassBody[] {
  return foundIn(source, ...classForms, ...derivedForms).flatMap(({end, hole}) => {
    const open = end - 1
    const close = matching(source, open)
    return close === undefined ? [] : [{name: hole('name'), open, close}]
  })
}

export function definitionsOf(source: SourceView): Definition[] {
  return source.calls.flatMap((call) => definitionAt(source, call) ?? [])
}

const noHeads = new Set(['return', 'else', 'new'])

function definitionAt(source: SourceView, {name, start, end, args}: Call): Definition | undefined {
  const {tokens, partners, text} = source
  let open = tokenAt(tokens, end)
  while (['const', 'noexcept'].includes(tokens[open]?.text ?? '')) open += 1
  if (tokens[open]?.text === ':') while (tokens[open] && !endsStatement(tokens[open])) open += 1
  const close = partners[open] as number
  if (tokens[open]?.text !== '{' || close < 0) return undefined
  const named = tokenAt(tokens, start)
  const from = headStart(tokens, named)
  let type = named - 1
  while (['&', '*', '>', '&&'].includes(tokens[type]?.text ?? '')) type -= 1
  // `else if (…) {`, a macro or a loop has no type before its name.
  if (type < from || !/^\w/.test(tokens[type]?.text ?? '') || noHeads.has(tokens[named - 1]?.text ?? ''))
    return undefined
  const begin = (tokens[from] as Token).start
  return {
    name,
    start: withComments(text, begin),
    head: text.slice(begin, start).trim(),
    parameters: args.flatMap((one) => parameterOf(one.text)),
    open: (tokens[open] as Token).start,
    end: (tokens[close] as Token).end,
  }
}

/** Back to what ends the statement before, or to a label. */
function headStart(tokens: readonly Token[], named: number): number {
  let from = named
  while (!endsStatement(tokens[from - 1]) && !isLabel(tokens, from - 1)) from -= 1
  return from
}

function isLabel(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.text === ':' && access.has(tokens[at - 1]?.text ?? '')
}

const access = new Set(['public', 'private', 'protected'])

function parameterOf(text: string): Parameter[] {
  const match = /^([^=]*?[\s&*>])(\w+)\s*(?:=[^]*)?$/.exec(text)
  return match ? [{type: (match[1] ?? '').trim(), name: match[2] ?? ''}] : []
}

/** Comments alone on the lines right above belong to what follows. */
export function withComments(text: string, from: number): number {
  let start = from
  for (;;) {
    const line = text.lastIndexOf('\n', start - 1) + 1
    if (text.slice(line, start).trim() !== '' || line === 0) return start
    const above = text.lastIndexOf('\n', line - 2) + 1
    if (!/^[ \t]*\/\//.test(text.slice(above, line))) return start
    start = above + (/^[ \t]*/.exec(text.slice(above, line))?.[0].length ?? 0)
  }
}

/** Methods directly in a class's braces, in order. */
export function methodsOf(source: SourceView, {open, close}: ClassBody): Definition[] {
  const inside = definitionsOf(source).filter((one) => one.start > open && one.end <= close)
  return inside.filter((one) => !inside.some((other) => other !== one && other.open < one.start && one.end < other.end))
}

/** A data member on its own line, from the start of the line. */
interface Field extends Range {
  name: string
  initialiser: string
}

export function fieldsOf(source: SourceView, body: ClassBody): Field[] {
  const {code} = source
  const methods = methodsOf(source, body)
  return declarationsOf(source).flatMap(({name, qualifier, type, nameAt, start, end}): Field[] => {
    const lineEnd = code.indexOf('\n', end)
    const line = {start: code.lastIndexOf('\n', start) + 1, end: lineEnd < 0 ? code.length : lineEnd}
    const isOwn =
      body.open < start && end <= body.close && !methods.some((one) => one.start <= start && start < one.end)
    const isPlain = ['', 'const'].includes(qualifier.trim()) && !['friend', 'enum', 'template'].includes(type)
    if (!isOwn || !isPlain || code.slice(end, line.end).trim() !== '' || code.slice(start, end).includes('\n'))
      return []
    return [{name, initialiser: code.slice(nameAt.end, end - 1).trim(), ...line}]
  })
}
