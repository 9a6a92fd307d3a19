import {isOpening, streamOf, type Stretch, type TokenStream} from '../../cpp/brackets.ts'
import {cutComments} from '../../cpp/code-pieces.ts'
import {textOf, type Tokenized} from '../../cpp/tokenized.ts'
import {type Token, tokenize} from '../../cpp/tokens.ts'

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
  const source = excerpt(text)
  const {tokens} = source
  const found: Prototype[] = []
  let at = 0
  for (let open = nextTop(source, at, '({;'); open < tokens.length; open = nextTop(source, at, '({;')) {
    if (tokens[open]!.text === ';') at = open + 1
    else if (tokens[open]!.text === '{') at = closing(source, open) + 1
    else {
      const list = listAt(source, open)
      const close = closing(source, list)
      const end = Math.min(tokens.length, close + (ends.has(tokens[close + 1]?.text ?? '') ? 2 : 1))
      const head = textOf(source, {from: at, to: open})
      const prototype = declaration(head, textOf(source, {from: list + 1, to: close}))
      if (prototype) found.push({...prototype, text: textOf(source, {from: at, to: end})})
      at = end
    }
  }
  return found
}

const ends = new Set(['const', 'noexcept', 'override'])

/** Where the list of parameters opens; the brackets of `operator()` belong to the name. */
function listAt({tokens}: TokenStream, open: number): number {
  const isNamed = tokens[open - 1]?.text === 'operator' && tokens[open + 1]?.text === ')'
  return isNamed && tokens[open + 2]?.text === '(' ? open + 2 : open
}

function declaration(head: string, inside: string): Omit<Prototype, 'text'> | undefined {
  const {templates, rest} = templateHead(head.trim())
  const match = /^([^]*?)(~?[A-Za-z_]\w*)\s*$/.exec(rest)
  if (!match || /[=.]|->|##|\breturn\b/.test(match[1]!.replaceAll('...', ''))) return undefined
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
  const source = excerpt(head)
  if (source.tokens[0]?.text !== 'template' || source.tokens[1]?.text !== '<') return {templates: [], rest: head}
  const close = nextTop(source, 2, '>')
  return {
    templates: partsOf(source, {from: 2, to: close}).map(parameterOf),
    rest: textOf(source, {from: close + 1, to: source.tokens.length}),
  }
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

/** Parts between commas outside all brackets. `void` and nothing give no part. */
export function splitTop(list: string): string[] {
  const source = excerpt(list)
  return partsOf(source, {from: 0, to: source.tokens.length})
}

/** The parts of the list whose bracket opens at a place of a text; of one without an end all that follows. */
export function partsAt(text: string, open: number): string[] {
  const source = excerpt(text.slice(open))
  return partsOf(source, {from: 1, to: closing(source, 0)})
}

function partsOf(source: Tokenized, {from, to}: Stretch): string[] {
  const parts: string[] = []
  for (let at = from; at < to; ) {
    const end = Math.min(to, nextTop(source, at, ','))
    parts.push(textOf(source, {from: at, to: end}))
    at = end + 1
  }
  return parts.filter((part) => part !== '' && part !== 'void')
}

const excerpt = (text: string): Tokenized => ({text, ...streamOf(tokenize(text, 'excerpt'))})

/**
 * The first token of `stops` at or behind `from` outside of brackets, else the number of tokens. Angle brackets count
 * where they can be a template's: pages write what `templateClose` takes for a comparison.
 */
function nextTop(source: TokenStream, from: number, stops: string): number {
  const {tokens} = source
  let angle = 0
  for (let at = from; at < tokens.length; at += 1) {
    const token = tokens[at]!
    if (angle === 0 && stops.includes(token.text)) return at
    if (isOpening(token)) at = closing(source, at)
    else if (token.text === '<' && mayOpenTemplate(tokens, at)) angle += 1
    else if (token.text === '>' && angle > 0) angle -= 1
    else if (token.text === ';') angle = 0
  }
  return tokens.length
}

function mayOpenTemplate(tokens: readonly Token[], at: number): boolean {
  const [before, here, next] = [tokens[at - 1], tokens[at]!, tokens[at + 1]]
  const isShift = next?.text === '<' && next.start === here.end
  return !isShift && (here.spaced || here.leads || before?.kind === 'word' || before?.kind === 'number')
}

/** The bracket that closes one; the number of tokens when none does. */
function closing({tokens, partners}: TokenStream, open: number): number {
  return partners[open]! < 0 ? tokens.length : partners[open]!
}
