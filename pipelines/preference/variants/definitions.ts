import {matching, type SourceView} from '../mutations/source.ts'

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

export function classesOf({code}: SourceView): ClassBody[] {
  return [...code.matchAll(/\b(?:class|struct)\s+(\w+)[^;{}()]*\{/g)].flatMap((match) => {
    const open = match.index + match[0].length - 1
    const close = matching(code, open)
    return close === undefined ? [] : [{name: match[1] ?? '', open, close}]
  })
}

export function definitionsOf(source: SourceView): Definition[] {
  const {code, text} = source
  return source.calls.flatMap(({name, start, end, args}): Definition[] => {
    const after = /^\s*(?:const\s*)?(?:noexcept\s*)?(?::\s*\w[^;{}]*)?\{/.exec(code.slice(end, end + 400))
    if (!after) return []
    const open = end + after[0].length - 1
    const close = matching(code, open)
    const before = code.slice(0, start)
    const begin = Math.max(
      ...[';', '{', '}', '\n#'].map((mark) => before.lastIndexOf(mark)),
      lastMatch(before, /\b(?:public|private|protected)\s*:/g) - 1,
    )
    const head = before.slice(begin + 1)
    // `else if (…) {`, a macro or a loop has no type before its name.
    if (close === undefined || !/\w[\s&*>]*$/.test(head) || /[()=,?.]\s*$|\b(?:return|else|new)\s*$/.test(head))
      return []
    const from = begin + 1 + (head.length - head.trimStart().length)
    return [
      {
        name,
        start: withComments(text, from),
        head: text.slice(from, start).trim(),
        parameters: args.flatMap((one) => parameterOf(one.text)),
        open,
        end: close + 1,
      },
    ]
  })
}

function lastMatch(text: string, pattern: RegExp): number {
  const found = [...text.matchAll(pattern)].at(-1)
  return found ? found.index + found[0].length : 0
}

function parameterOf(text: string): Parameter[] {
  const match = /^([^=]*?[\s&*>])(\w+)\s*(?:=[^]*)?$/.exec(text)
  return match ? [{type: (match[1] ?? '').trim(), name: match[2] ?? ''}] : []
}

/** Comments that stand alone on the lines right above belong to what follows. */
function withComments(text: string, from: number): number {
  let start = from
  for (;;) {
    const line = text.lastIndexOf('\n', start - 1) + 1
    if (text.slice(line, start).trim() !== '' || line === 0) return start
    const above = text.lastIndexOf('\n', line - 2) + 1
    if (!/^[ \t]*\/\//.test(text.slice(above, line))) return start
    start = above + (/^[ \t]*/.exec(text.slice(above, line))?.[0].length ?? 0)
  }
}

/** Methods that stand in a class's own braces, in order. */
export function methodsOf(source: SourceView, {open, close}: ClassBody): Definition[] {
  const inside = definitionsOf(source).filter((one) => one.start > open && one.end <= close)
  return inside.filter((one) => !inside.some((other) => other !== one && other.open < one.start && one.end < other.end))
}

/** A data member with a line of its own. */
interface Field extends ClassBodyLine {
  name: string
  type: string
  initialiser: string
}

interface ClassBodyLine {
  start: number
  end: number
}

export function fieldsOf(source: SourceView, body: ClassBody): Field[] {
  const {code} = source
  const methods = methodsOf(source, body)
  const pattern =
    /^[ \t]*((?:const )?[A-Za-z_][\w:]*(?:<[^;=(){}\n]*>)?(?:\s*[*&])?)\s+(\w+)\s*(=[^;\n]*|\{[^;\n]*\})?;[ \t]*$/gm
  return [...code.slice(body.open + 1, body.close).matchAll(pattern)].flatMap((match): Field[] => {
    const start = body.open + 1 + match.index
    const [whole, type = '', name = '', initialiser = ''] = match
    const isInMethod = methods.some((one) => one.start <= start && start < one.end)
    if (isInMethod || /^(?:return|using|typedef|friend|static|template|struct|class|enum)\b/.test(type)) return []
    return [{name, type, initialiser, start, end: start + whole.length}]
  })
}
