/** Notes a change: what it was, the text before and after. */
export type Note<What extends string> = (what: What, before: string, after: string) => void

/**
 * Text in UTF-8 that was once read as Windows-1252 or GBK and written again. Turned back, its bytes must be UTF-8
 * without a fault and say something in Chinese or in signs of a page: chance does not do that.
 */
export function fixMojibake(line: string, note: Note<'mojibake'>): string {
  const latin = line.replace(/[\u0080-\u00ff\u0152-\u0178\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]{2,}/g, (run) =>
    turned(run, latinBytes, isOfPages, note),
  )
  return latin.replace(/[\u00a4-\u00f7\u2010-\u2642\u3000-\u3129\u4e00-\u9fff\uff01-\uffe5]{3,}/g, (run) =>
    turned(run, gbkBytes, (text) => isOfPages(text) && /\p{Script=Han}/u.test(text), note),
  )
}

function turned(
  run: string,
  bytesOf: (text: string) => number[] | undefined,
  isCredible: (text: string) => boolean,
  note: Note<'mojibake'>,
): string {
  const bytes = bytesOf(run)
  if (!bytes) return run
  try {
    const text = new TextDecoder('utf-8', {fatal: true}).decode(Uint8Array.from(bytes))
    if (!isCredible(text)) return run
    note('mojibake', run, text)
    return text
  } catch {
    return run
  }
}

/** Han, their punctuation, and the dashes, quotes, arrows and signs of technical prose. */
const ofPages = new RegExp(
  [
    String.raw`^[\p{Script=Han}\u2010-\u203a\u2190-\u21ff\u2200-\u22ff\u2460-\u24ff\u25a0-\u25ff`,
    String.raw`\u3000-\u303f\uff01-\uff5e\u00a0-\u00ff]+$`,
  ].join(''),
  'u',
)
const isOfPages = (text: string) => ofPages.test(text)

/** What Windows-1252 has between 0x80 and 0x9F; bytes without a character there were kept as they are. */
const windows1252 = new Map(
  Array.from({length: 32}, (_, at) => [new TextDecoder('windows-1252').decode(Uint8Array.of(0x80 + at)), 0x80 + at]),
)

function latinBytes(text: string): number[] | undefined {
  const bytes = [...text].map((char) => windows1252.get(char) ?? (char.codePointAt(0) as number))
  return bytes.every((byte) => byte <= 0xff) ? bytes : undefined
}

let gbk: Map<string, [number, number]> | undefined

/** All characters of two bytes; Node has no encoder for GBK. */
function gbkTable(): Map<string, [number, number]> {
  const table = new Map<string, [number, number]>()
  const decoder = new TextDecoder('gbk')
  for (let lead = 0x81; lead <= 0xfe; lead += 1)
    for (let trail = 0x40; trail <= 0xfe; trail += 1) {
      if (trail === 0x7f) continue
      const char = decoder.decode(Uint8Array.of(lead, trail))
      if (char.length === 1 && char !== '\ufffd') table.set(char, [lead, trail])
    }
  return table
}

function gbkBytes(text: string): number[] | undefined {
  gbk ??= gbkTable()
  const bytes: number[] = []
  for (const char of text) {
    const pair = gbk.get(char)
    if (!pair) return undefined
    bytes.push(...pair)
  }
  return bytes
}
