/** Why bytes cannot be part of a reply. */
export class UnfitBytes extends Error {}

/**
 * Passes a body on as long as it is UTF-8 and within the size limit. Decoders silently replace what is not UTF-8 with
 * U+FFFD, which would end up in the data.
 */
export async function* fitBytes(body: AsyncIterable<Uint8Array>, mostBytes: number): AsyncIterable<Uint8Array> {
  const decoder = new TextDecoder('utf-8', {fatal: true})
  let length = 0
  for await (const bytes of body) {
    length += bytes.byteLength
    if (length > mostBytes) throw new UnfitBytes(`it is longer than ${mostBytes} bytes`)
    check(() => decoder.decode(bytes, {stream: true}))
    yield bytes
  }
  check(() => decoder.decode())
}

function check(decode: () => unknown): void {
  try {
    decode()
  } catch {
    throw new UnfitBytes('its bytes are not UTF-8')
  }
}
