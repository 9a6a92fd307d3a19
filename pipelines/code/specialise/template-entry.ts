import {withoutComments} from '../../../cpp/code-pieces.ts'
import {balanced} from '../../../cpp/tokenized.ts'
import {elementTypes} from '../../../cpp/types.ts'

/** A kernel function that is a template over its tiling key. */
interface TemplateEntry {
  /** Its parameters with what the taken key makes of them. */
  values: ReadonlyMap<string, string>
  /** From `template` up to the function's own words. */
  header: [start: number, end: number]
  /** The function's body, brackets included. */
  body: [start: number, end: number]
}

/**
 * The template parameters of the entry, read from the key by the declared list: the first parameter in the lowest bits,
 * unsigned ones by their place in the list of values, types by their number. Undefined for an entry that is not a
 * template, or when the declaration and the key do not determine them. Source: Ascend C utility API, tiling template
 * programming.
 */
function templateEntry(text: string, entry: string, key: number): TemplateEntry | undefined {
  const bare = withoutComments(text)
  const found = new RegExp(
    String.raw`\btemplate\s*<([^<>{}]*)>\s*(?=(?:extern\s+"C"\s+)?[^;{}()]*\b__global__\b[^;{}()]*\b${entry}\s*\()`,
  ).exec(bare)
  if (!found || !Number.isSafeInteger(key)) return undefined
  const parameters = (found[1] ?? '')
    .split(',')
    .map((one) => ({isType: /^\s*(?:typename|class)\b/.test(one), name: /(\w+)\s*$/.exec(one)?.[1] ?? ''}))
  const codes = codesOf(declaredParameters(bare), BigInt(key))
  if (!codes || codes.length !== parameters.length) return undefined
  const values = parameters.map(
    ({isType, name}, index) => [name, isType ? typeOf(codes[index] as string) : codes[index]] as const,
  )
  if (values.some(([name, value]) => name === '' || value === undefined)) return undefined
  const open = bare.indexOf('{', found.index + found[0].length)
  const inner = balanced(bare, open)
  if (inner === undefined) return undefined
  return {
    values: new Map(values as (readonly [string, string])[]),
    header: [found.index, found.index + found[0].length],
    body: [open, open + inner.length + 2],
  }
}

interface Declared {
  kind: string
  bits: number
  values: string[]
}

/** The parameters that `ASCENDC_TPL_ARGS_DECL` lists, in order. */
function declaredParameters(bare: string): Declared[] {
  const at = /\bASCENDC_TPL_ARGS_DECL\s*\(/.exec(bare)
  const list = at ? balanced(bare, at.index + at[0].length - 1) : undefined
  return [...(list ?? '').matchAll(/\bASCENDC_TPL_(\w+)_DECL\s*\(/g)].map((match) => {
    const args = splitList(balanced(list as string, match.index + match[0].length - 1) ?? '')
    const kind = match[1] as string
    if (kind === 'BOOL') return {kind, bits: 1, values: []}
    if (kind !== 'UINT') return {kind, bits: 8, values: []}
    const bits = Number(/^(?:ASCENDC_TPL_)?(\d+)(?:_BW)?$/.exec(args[1] ?? '')?.[1])
    return {kind, bits, values: args[2] === 'ASCENDC_TPL_UI_LIST' ? args.slice(3) : []}
  })
}

function splitList(list: string): string[] {
  return list.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]))
}

function codesOf(parameters: readonly Declared[], key: bigint): string[] | undefined {
  const codes: string[] = []
  let rest = key
  for (const {kind, bits, values} of parameters) {
    if (!Number.isInteger(bits)) return undefined
    const code = Number(rest & ((1n << BigInt(bits)) - 1n))
    rest >>= BigInt(bits)
    const value = kind === 'UINT' ? values[code] : String(code)
    if (value === undefined) return undefined
    codes.push(kind === 'BOOL' ? String(code === 1) : value)
  }
  return codes
}

function typeOf(code: string): string | undefined {
  return Object.values(elementTypes).find(({number}) => String(number) === code)?.type
}

/** The entry's body with the values of the taken key; the template stays, for the host selects by it. */
export function withTemplateValues(text: string, entry: string, key: number): string {
  const found = templateEntry(text, entry, key)
  if (!found) return text
  const [start, end] = found.body
  return `${text.slice(0, start)}${withValues(text.slice(start, end), found.values)}${text.slice(end)}`
}

function withValues(body: string, values: ReadonlyMap<string, string>): string {
  return body.replace(/(?<!\.|->|::)\b[A-Za-z_]\w*\b/g, (word) => values.get(word) ?? word)
}

/** The entry as a plain function, without the declarations by which a host selects a template. */
export function asPlainEntry(text: string, entry: string, key: number): string {
  const found = templateEntry(text, entry, key)
  if (!found) return text
  const [start, end] = found.header
  const isNamed = /^extern\s+"C"/.test(text.slice(end))
  const pinned = withTemplateValues(text, entry, key)
  const plain = `${pinned.slice(0, start)}${isNamed ? '' : 'extern "C" '}${pinned.slice(end)}`
  return withoutSelections(plain).replace(/^[ \t]*#\s*include\s*["<][^">\n]*template_argument\.h[">][^\n]*\n/gm, '')
}

function withoutSelections(text: string): string {
  let current = text
  for (;;) {
    const bare = withoutComments(current)
    const at = /^[ \t]*ASCENDC_TPL_(?:ARGS_DECL|SEL)\s*\(/m.exec(bare)
    const list = at ? balanced(bare, at.index + at[0].length - 1) : undefined
    if (!at || list === undefined) return current
    const end = at.index + at[0].length + list.length + 1
    current = current.slice(0, at.index) + current.slice(end).replace(/^\s*;[^\S\n]*\n?/, '')
  }
}
