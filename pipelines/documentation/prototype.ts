import {cutComments} from '../../cpp/code-pieces.ts'

interface PrototypeParameter {
  /** '' when the declaration gives a type only. */
  name: string
  type: string
  defaultValue?: string
}

/** A function declaration of a documentation page. */
export interface Prototype {
  name: string
  /** '' for constructors and macros. */
  returns: string
  templates: PrototypeParameter[]
  parameters: PrototypeParameter[]
  /** As the page writes it, without a body and without the semicolon. */
  text: string
}

const qualifiers = new RegExp(
  [
    String.raw`\b(?:__aicore__|__simd_callee__|__simt_callee__|__host_aicore__|__global__|__host__|__device__)\b`,
    String.raw`\b(?:inline|static|constexpr|virtual|explicit|extern)\b`,
  ].join('|'),
  'g',
)

/**
 * The function declarations of a code block. Pages write one after another, with or without semicolons, sometimes with
 * bodies, so this reads declarations only and passes over the rest: assignments, structures, enumerations.
 */
export function readPrototypes(code: string): Prototype[] {
  const text = cutComments(code)
    .replace(/__attribute__\s*\(\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)\)\s*/g, '')
    .replace(/^[^\S\n]*#.*$/gm, '')
  const found: Prototype[] = []
  let at = 0
  for (let open = nextTop(text, at, '({;'); open >= 0; open = nextTop(text, at, '({;')) {
    if (text[open] === ';') at = open + 1
    else if (text[open] === '{') at = closing(text, open) + 1
    else {
      const list = listAt(text.slice(at), open - at) + at
      const close = closing(text, list)
      const end = close + 1 + /^\s*(?:const|noexcept|override)?/.exec(text.slice(close + 1))![0].length
      const prototype = declaration(text.slice(at, open), text.slice(list + 1, close))
      if (prototype) found.push({...prototype, text: text.slice(at, end).trim()})
      at = end
    }
  }
  return found
}

/** Where the list of parameters opens; the brackets of `operator()` belong to the name. */
function listAt(text: string, open: number): number {
  const second = /\boperator\s*$/.test(text.slice(0, open)) ? /^\(\s*\)\s*\(/.exec(text.slice(open)) : null
  return second ? open + second[0].length - 1 : open
}

function declaration(head: string, inside: string): Omit<Prototype, 'text'> | undefined {
  const {templates, rest} = templateHead(head.trim())
  const match = /^([^]*?)(~?[A-Za-z_]\w*)\s*$/.exec(rest)
  if (!match || /[=.]|->|\breturn\b/.test(match[1]!.replaceAll('...', ''))) return undefined
  const returns = match[1]!
    .replace(qualifiers, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s;}]+/, '')
    .replace(/(?:\w+::)+$/, '')
    .trim()
  const parameters = splitTop(inside).map(parameterOf)
  if (parameters.some((parameter) => !/^[\w:<>,&*\s[\].()=-]+$/.test(`${parameter.type} ${parameter.name}`)))
    return undefined
  // `Add(x, y, 512)` is a call, not a declaration: its arguments are values.
  if (
    returns === '' &&
    parameters.some((parameter) => parameter.name === '' && !/^(?:const\b|.*[&*]$)/.test(parameter.type))
  )
    return undefined
  return {name: match[2] === 'operator' ? 'operator()' : match[2]!, returns, templates, parameters}
}

/** The template parameters before a declaration, and what is declared. */
export function templateHead(head: string): {templates: PrototypeParameter[]; rest: string} {
  const start = /^template\s*</.exec(head)
  if (!start) return {templates: [], rest: head}
  const close = closing(head, start[0].length - 1)
  return {templates: splitTop(head.slice(start[0].length, close)).map(parameterOf), rest: head.slice(close + 1).trim()}
}

function parameterOf(source: string): PrototypeParameter {
  const [declared = '', ...defaults] = source.split(/=(?!=)/)
  const match = /^([^]*?[\s&*>.])([A-Za-z_]\w*)\s*(\[[^\]]*\])?$/.exec(declared.trim())
  const type = (match ? `${match[1]!.trim()}${match[3] ?? ''}` : declared).replace(/\s+/g, ' ').trim()
  const isType = match !== null && /^(?:const|unsigned|signed)$/.test(match[1]!.trim())
  const parameter: PrototypeParameter =
    isType || !match ? {name: '', type: declared.replace(/\s+/g, ' ').trim()} : {name: match[2]!, type}
  return defaults.length > 0 ? {...parameter, defaultValue: defaults.join('=').trim()} : parameter
}

/** Parts between commas that stand outside of all brackets. `void` and nothing give no part. */
export function splitTop(list: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let at = nextTop(list, 0, ','); at >= 0; at = nextTop(list, from, ',')) {
    parts.push(list.slice(from, at))
    from = at + 1
  }
  parts.push(list.slice(from))
  return parts.map((part) => part.trim()).filter((part) => part !== '' && part !== 'void')
}

/**
 * Index of the first of `stops` at or after `from` outside of brackets, or -1. Angle brackets count where they can be a
 * template's.
 */
function nextTop(text: string, from: number, stops: string): number {
  let angle = 0
  for (let at = from; at < text.length; at += 1) {
    const char = text[at]!
    if (angle === 0 && stops.includes(char)) return at
    if (char === '(' || char === '{' || char === '[') at = closing(text, at)
    else if (char === '<' && /[\w\s]/.test(text[at - 1] ?? '') && !/[<=]/.test(text[at + 1] ?? '')) angle += 1
    else if (char === '>' && angle > 0 && text[at - 1] !== '-') angle -= 1
    else if (char === ';') angle = 0
  }
  return -1
}

/** Index of the bracket that closes the one at `open`; the end of the text when none does. */
export function closing(text: string, open: number): number {
  const pairs: Record<string, string> = {'(': ')', '{': '}', '[': ']', '<': '>'}
  const opener = text[open]!
  const closer = pairs[opener]!
  let depth = 0
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === opener) depth += 1
    else if (text[at] === closer && (depth -= 1) === 0) return at
  }
  return text.length
}
