import {createReadStream} from 'node:fs'

const lineFeed = 0x0a

/**
 * Lines of a UTF-8 file, one at a time, without their `\n`. `node:readline` also ends lines at U+2028 and U+2029, which
 * JSON leaves in texts as they are.
 */
export const readLines = (path: string): AsyncIterable<string> => linesOf(createReadStream(path))

/** Those of a stream of bytes. */
export async function* linesOf(stream: AsyncIterable<unknown>): AsyncIterable<string> {
  let begun: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      const rest = chunk.subarray(from, end)
      yield begun.length > 0 ? Buffer.concat([...begun, rest]).toString() : rest.toString()
      begun = []
      from = end + 1
    }
    if (from < chunk.length) begun.push(chunk.subarray(from))
  }
  if (begun.length > 0) yield Buffer.concat(begun).toString()
}

/** V8 keeps a slice's whole parent string alive as long as the slice; ids and keys live long. */
export const textOfItsOwn = (slice: string) => Buffer.from(slice, 'utf16le').toString('utf16le')
