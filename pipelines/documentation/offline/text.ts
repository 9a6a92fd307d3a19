import {elementBytes} from './element-bytes.ts'

/** Without the mark at its end, so that sentences can be joined. */
export function trimStop(sentence: string): string {
  return sentence.trim().replace(/[。.；;，,：:！!]+$/, '')
}

/** With a full stop, unless it ends in a formula. */
export function closed(sentence: string): string {
  const text = trimStop(sentence)
  return text.endsWith('$') ? text : `${text}。`
}

/** Pieces of a text line by line; empty ones vanish. */
export function lines(...pieces: readonly string[]): string {
  return pieces.filter(Boolean).join('\n')
}

/** Pieces of a text with a blank line between; empty ones vanish. */
export function blocks(...pieces: readonly string[]): string {
  return pieces.filter(Boolean).join('\n\n')
}

/** What `write` makes of the items; '' where there are none. */
export function ifAny<T>(items: readonly T[], write: (items: readonly T[]) => string): string {
  return items.length > 0 ? write(items) : ''
}

export function bulletList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}

export function codeBlock(code: string): string {
  return `\`\`\`cpp\n${code}\n\`\`\``
}

/** What is said of a parameter, as much of it as reads as one remark. */
export function wholeMeaning(meaning: readonly string[], separator: string): string {
  const [first = '', ...more] = meaning.map(trimStop)
  return more.reduce((told, next) => (told.length + next.length > 200 ? told : `${told}${separator}${next}`), first)
}

/** A declaration without its line breaks. */
export function inOneLine(code: string): string {
  return code.replace(/\s+/g, ' ').trim()
}

/** Sentences one after another; a formula that stands alone is a paragraph. */
export function prose(sentences: readonly string[], separator: string): string {
  return sentences.reduce((told, next) => {
    const isApart = told.endsWith('$') || next.startsWith('$$')
    return told === '' ? next : `${told}${isApart ? '\n\n' : separator}${next}`
  }, '')
}

/** In code ticks. */
export function ticked(text: string): string {
  return `\`${text}\``
}

/** A lead of this length says something about its listing; a longer one says more than a question should repeat. */
export function isLeadOfLength(lead: string, least: number, most: number): boolean {
  return lead.length >= least && lead.length <= most
}

/**
 * What unsigned types of one width can hold at most; undefined for others and for 32 and 64 bits, where the limit does
 * not bind.
 */
export function typeLimit(types: readonly string[]): {bits: number; max: number} | undefined {
  const widths = new Set(types.map((type) => Number(/^(?:const )?uint(8|16)_t&?$/.exec(type)?.[1] ?? 0)))
  const [bits = 0] = widths.size === 1 ? widths : []
  return bits === 0 ? undefined : {bits, max: 2 ** bits - 1}
}

/** The types that a parameter has in the forms of a call, each once. */
export function distinctTypes(uses: readonly {type: string}[]): string[] {
  return [...new Set(uses.map((use) => use.type))]
}

/** The types that the forms return, each once; a form that returns nothing has none. */
export function returnedTypes(prototypes: readonly {returns: string}[]): string[] {
  return [...new Set(prototypes.map(({returns}) => returns))].filter((type) => type !== '' && type !== 'void')
}

/** Where the tensor of a parameter lives, by the types of all forms; '' for what is no tensor in every one of them. */
export function memoryOf(types: readonly string[]): 'local' | 'global' | 'either' | '' {
  const kinds = new Set(types.map((type) => /\b(Local|Global)Tensor\b/.exec(type)?.[1] ?? ''))
  if (kinds.size === 0 || kinds.has('')) return ''
  if (kinds.size > 1) return 'either'
  return kinds.has('Local') ? 'local' : 'global'
}

const bytesWritten = String.raw`(\d+)\s*-?(?:字节|bytes?|B\b)`

/** Element counts for the byte count that a sentence about alignment names, for two dtypes of different size. */
export function alignedElements(
  sentence: string,
  dtypes: readonly string[],
): {bytes: number; dtype: string; elements: number}[] {
  if (!/对齐|倍|align|multiple/i.test(sentence)) return []
  const [amount, ...others] = [...sentence.matchAll(new RegExp(bytesWritten, 'gi'))]
  const bytes = Number(amount?.[1] ?? 0)
  if (bytes === 0 || others.length > 0) return []
  const seen = new Set<number>()
  return dtypes.flatMap((dtype) => {
    const size = elementBytes[dtype]
    if (size === undefined || seen.has(size) || bytes % size !== 0 || seen.size === 2) return []
    seen.add(size)
    return [{bytes, dtype, elements: bytes / size}]
  })
}
