import {isUtf8} from 'node:buffer'
import {decodeText} from '../docs/encoding.ts'
import {unpacked} from './unpacked.ts'

/** How much of a file is read to detect its encoding. */
const lookedAt = 1 << 18

/**
 * The text of a file, unpacked and decoded: UTF-8, or another encoding that is beyond doubt (UTF-16, GB18030). A
 * byte-order mark is removed.
 */
export async function* decoded(path: string): AsyncIterable<string> {
  const first: Uint8Array[] = []
  let length = 0
  let decoder: InstanceType<typeof TextDecoder> | undefined
  for await (const bytes of unpacked(path)) {
    if (decoder) {
      yield decoder.decode(bytes, {stream: true})
      continue
    }
    first.push(bytes)
    length += bytes.length
    if (length < lookedAt) continue
    const head = Buffer.concat(first)
    decoder = new TextDecoder(encodingOf(head))
    yield decoder.decode(head, {stream: true})
  }
  const rest = decoder ? Buffer.alloc(0) : Buffer.concat(first)
  decoder ??= new TextDecoder(encodingOf(rest))
  yield decoder.decode(rest)
}

function encodingOf(head: Buffer): string {
  const lines = head.subarray(0, head.lastIndexOf('\n') + 1)
  const whole = lines.length > 0 ? lines : head
  if (!head.includes(0) && isUtf8(whole)) return 'utf-8'
  // UTF-16 has two bytes for each character, or four: a cut may fall between them.
  const even = head.subarray(0, Math.min(head.length, 4096) & ~1)
  const found = head.includes(0) ? (decodeText(even) ?? decodeText(even.subarray(0, -2))) : decodeText(whole)
  return found?.encoding ?? 'utf-8'
}
