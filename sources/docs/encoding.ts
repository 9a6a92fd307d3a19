type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030'

/**
 * The text of a page, or undefined when no encoding fits beyond doubt: damaged text must not reach a data set. Order:
 * byte-order mark, strict UTF-8 (Chinese text in another encoding practically never passes it), the charset that the
 * page declares, otherwise the one sent with it, UTF-16 without a mark, GB18030. A wrong declaration is common in
 * copied pages, so validation comes first.
 * @param sent the charset of the `Content-Type` header, if known
 */
export function decodeText(bytes: Uint8Array, sent = ''): {text: string; encoding: Encoding} | undefined {
  const marked = byteOrderMark(bytes)
  if (marked) return accept(bytes, marked, () => true)
  const zeros = zeroBytes(bytes)
  if (zeros.even + zeros.odd > 0) {
    if (zeros.odd > 4 * zeros.even) return accept(bytes, 'utf-16le', () => true)
    if (zeros.even > 4 * zeros.odd) return accept(bytes, 'utf-16be', () => true)
  }
  const utf8 = accept(bytes, 'utf-8', () => true)
  const declared = declaredEncoding(bytes) ?? sentEncoding(sent)
  // A few GB18030 bytes can happen to be UTF-8 for Greek or Arabic letters; a page that declares GB18030 means Chinese.
  const isChance =
    utf8 !== undefined &&
    declared === 'gb18030' &&
    /[\u0080-\u07FF]/.test(utf8.text) &&
    !/\p{Script=Han}/u.test(utf8.text)
  if (utf8 && !isChance) return utf8
  if (declared === 'gb18030') return accept(bytes, 'gb18030', () => true)
  if (declared === 'other') return undefined
  // UTF-16 of pure Chinese has no zero bytes but shows Chinese in one byte order only.
  return (
    accept(bytes, 'gb18030', readsAsChinese) ??
    accept(bytes, 'utf-16le', readsAsChinese) ??
    accept(bytes, 'utf-16be', readsAsChinese)
  )
}

function byteOrderMark(bytes: Uint8Array): Encoding | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

/** Zero bytes at even and odd offsets of the first 4 KiB: ASCII mark-up in UTF-16 has one at every second place. */
function zeroBytes(bytes: Uint8Array): {even: number; odd: number} {
  const count = {even: 0, odd: 0}
  for (let i = 0; i < Math.min(bytes.length, 4096); i += 1) {
    if (bytes[i] === 0) count[i % 2 === 0 ? 'even' : 'odd'] += 1
  }
  return count
}

function declaredEncoding(bytes: Uint8Array): 'gb18030' | 'other' | undefined {
  const head = Buffer.from(bytes.subarray(0, 2048)).toString('latin1')
  const name = /<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1]
  return name === undefined ? undefined : encodingNamed(name)
}

/** Latin encodings are the default of servers. */
function sentEncoding(name: string): 'gb18030' | 'other' | undefined {
  return name === '' || /^(?:us-ascii|iso-8859-1|latin1|windows-1252)$/i.test(name) ? undefined : encodingNamed(name)
}

function encodingNamed(written: string): 'gb18030' | 'other' | undefined {
  const name = written.toLowerCase()
  if (name.startsWith('utf')) return undefined
  return /^(gb2312|gbk|gb18030|gb_2312-80|x-gbk|cp936)$/.test(name) ? 'gb18030' : 'other'
}

function accept(
  bytes: Uint8Array,
  encoding: Encoding,
  plausible: (text: string) => boolean,
): {text: string; encoding: Encoding} | undefined {
  let text: string
  try {
    text = new TextDecoder(encoding, {fatal: true}).decode(bytes)
  } catch {
    return undefined
  }
  // U+FFFD and stray controls are the marks of an earlier wrong conversion; the private use area is where GB18030 puts
  // bytes that mean nothing.
  if (/[\uFFFD\uE000-\uF8FF\u0000-\u0008\u000E-\u001F]/.test(text) || isDoublyEncoded(text)) return undefined
  return plausible(text) ? {text, encoding} : undefined
}

/** UTF-8 that was once read as Latin-1 and written again: `ä¸­` for 中. */
function isDoublyEncoded(text: string): boolean {
  const suspects = text.match(/[\u00E4-\u00E9][\u0080-\u00BF]{2}/g)
  return suspects !== null && suspects.length >= 3 && !/\p{Script=Han}/u.test(text)
}

// Function words and words of this field: any Chinese page of some length has several, text of another encoding read as
// Chinese has none.
const commonHan = /[的是在和为数中用不可有据行理接口程算]/g

function readsAsChinese(text: string): boolean {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  const common = text.match(commonHan)?.length ?? 0
  return han > 0 && common / han >= 0.04
}
