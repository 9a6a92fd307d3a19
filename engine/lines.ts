import {createReadStream} from 'node:fs'

/**
 * Lines of a UTF-8 file, one at a time, without their `\n`. `node:readline` also ends lines at U+2028 and U+2029, which
 * JSON leaves in texts as they are.
 */
export async function* readLines(path: string): AsyncIterable<string> {
  let begun: string[] = []
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    let from = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      yield begun.join('') + chunk.slice(from, end)
      begun = []
      from = end + 1
    }
    if (from < chunk.length) begun.push(chunk.slice(from))
  }
  if (begun.length > 0) yield begun.join('')
}
