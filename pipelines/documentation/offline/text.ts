/** Without the mark at its end, so that sentences can be joined. */
export function trimStop(sentence: string): string {
  return sentence.trim().replace(/[。.；;，,：:！!]+$/, '')
}

/** With a full stop, unless it ends in a formula. */
export function closed(sentence: string): string {
  const text = trimStop(sentence)
  return text.endsWith('$') ? text : `${text}。`
}

export function bulletList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}

export function codeBlock(code: string): string {
  return `\`\`\`cpp\n${code}\n\`\`\``
}

/** What unsigned types of one width can hold at most; undefined for others and for 32 and 64 bits, where the limit does not bind. */
export function typeLimit(types: readonly string[]): {bits: number; max: number} | undefined {
  const widths = new Set(types.map((type) => Number(/^(?:const )?uint(8|16)_t&?$/.exec(type)?.[1] ?? 0)))
  const [bits = 0] = widths.size === 1 ? widths : []
  return bits === 0 ? undefined : {bits, max: 2 ** bits - 1}
}

/** The types that a parameter has in the forms of a call, each once. */
export function distinctTypes(uses: readonly {type: string}[]): string[] {
  return [...new Set(uses.map((use) => use.type))]
}

/** Where the tensor of a parameter lives, by the types of all forms; '' for what is no tensor in every one of them. */
export function memoryOf(types: readonly string[]): 'local' | 'global' | 'either' | '' {
  const kinds = new Set(types.map((type) => /\b(Local|Global)Tensor\b/.exec(type)?.[1] ?? ''))
  if (kinds.has('')) return ''
  return kinds.size > 1 ? 'either' : kinds.has('Local') ? 'local' : 'global'
}

const dtypeBytes: Record<string, number> = {
  int8_t: 1,
  uint8_t: 1,
  int16_t: 2,
  uint16_t: 2,
  half: 2,
  bfloat16_t: 2,
  int32_t: 4,
  uint32_t: 4,
  float: 4,
  int64_t: 8,
  uint64_t: 8,
}

/** Element counts for the byte count that a sentence about alignment or multiples names, for two dtypes of different size. */
export function alignedElements(
  sentence: string,
  dtypes: readonly string[],
): {bytes: number; dtype: string; elements: number}[] {
  if (!/对齐|倍|align|multiple/i.test(sentence)) return []
  if ((sentence.match(/\d+\s*-?(?:字节|bytes?|B\b)/gi) ?? []).length !== 1) return []
  const bytes = Number(/(\d+)\s*-?(?:字节|bytes?|B\b)/i.exec(sentence)?.[1] ?? 0)
  if (bytes === 0) return []
  const seen = new Set<number>()
  return dtypes.flatMap((dtype) => {
    const size = dtypeBytes[dtype]
    if (size === undefined || seen.has(size) || bytes % size !== 0 || seen.size === 2) return []
    seen.add(size)
    return [{bytes, dtype, elements: bytes / size}]
  })
}
