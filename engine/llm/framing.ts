/** One event of a stream. */
interface ServerEvent {
  lines: string[]
  /** The event has this name, or came in a field of that name, as llama.cpp sent its errors until late in 2025. */
  error: boolean
  /** It is `[DONE]`: nothing relevant follows. */
  done: boolean
}

/** The kind of body, whatever its headers say: proxies set them wrongly in both directions. */
export type Body = {document: string} | {events: AsyncIterable<ServerEvent>}

const fieldName = /^(?:data|event|id|retry|error)?:/
const longestFieldName = 6

/** Reads enough to tell an event stream from a document; reads a document to its end. */
export async function openBody(text: AsyncIterable<string>): Promise<Body> {
  const chunks = text[Symbol.asyncIterator]()
  let head = ''
  while (head.trimStart().length < longestFieldName) {
    const next = await chunks.next()
    if (next.done) break
    head += next.value
  }
  const all = following(head, chunks)
  if (fieldName.test(head.trimStart())) return {events: eventsOf(all)}
  let document = ''
  for await (const chunk of all) document += chunk
  return {document}
}

async function* following(head: string, chunks: AsyncIterator<string>): AsyncIterable<string> {
  try {
    yield head
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
  } finally {
    await chunks.return?.()
  }
}

async function* eventsOf(text: AsyncIterable<string>): AsyncIterable<ServerEvent> {
  let event: ServerEvent = {lines: [], error: false, done: false}
  for await (const line of linesOf(text)) {
    if (line !== '') take(line, event)
    else {
      yield event
      event = {lines: [], error: false, done: false}
    }
  }
  yield event
}

function take(line: string, event: ServerEvent): void {
  const {field, value} = fieldOf(line)
  if (field === 'error' || (field === 'event' && value === 'error')) event.error = true
  if (field !== 'data' && field !== 'error') return
  if (value === '[DONE]') event.done = true
  else if (value !== '') event.lines.push(value)
}

/** A line that is JSON itself is data: some proxies write the error that ends a stream without a `data:` field. */
function fieldOf(line: string): {field: string; value: string} {
  if (/^[{[]/.test(line)) return {field: 'data', value: line}
  const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
  return {field, value: value.trim()}
}

async function* linesOf(text: AsyncIterable<string>): AsyncIterable<string> {
  let rest = ''
  for await (const chunk of text) {
    // A carriage return at the end may be the first half of a line's end.
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest.replace(/\r$/, '')
}

/** The JSON values of an event: one, unless several were sent without the empty line between them. */
export function valuesIn({lines, error}: ServerEvent): unknown[] {
  const text = lines.join('\n')
  const together = parseJson(text)
  if (error) return lines.length === 0 ? [] : [{error: together ?? text}]
  return together === undefined ? lines.map(parseJson) : [together]
}

/** JSON, also with the `NaN` and `Infinity` that Python writes; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    const words = /("[^"\\]*(?:\\.[^"\\]*)*")|-?\b(?:NaN|Infinity)\b/g
    const mended = text.replace(words, (_, quoted?: string) => quoted ?? 'null')
    return mended === text ? undefined : parseJson(mended)
  }
}
