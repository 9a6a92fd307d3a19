/** Why bytes cannot be part of a reply. */
export class UnfitBytes extends Error {}

/**
 * The text of a body, as long as it is UTF-8 and within the size limit. Lenient decoders silently replace what is not
 * UTF-8 with U+FFFD, which would end up in the data. A byte-order mark is removed.
 */
export async function* fitText(body: AsyncIterable<Uint8Array>, mostBytes: number): AsyncIterable<string> {
  const decoder = new TextDecoder('utf-8', {fatal: true})
  let length = 0
  for await (const bytes of body) {
    length += bytes.byteLength
    if (length > mostBytes) throw new UnfitBytes(`it is longer than ${mostBytes} bytes`)
    yield decoded(() => decoder.decode(bytes, {stream: true}))
  }
  yield decoded(() => decoder.decode())
}

function decoded(decode: () => string): string {
  try {
    return decode()
  } catch {
    throw new UnfitBytes('its bytes are not UTF-8')
  }
}
