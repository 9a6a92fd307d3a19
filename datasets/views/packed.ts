import type {ColumnType} from '../parquet/column-types.ts'
import type {ChatFormat} from '../tokens/chat-format.ts'

/** A row that is in no window. */
export interface LeftOut {
  id: string
  split: string
  tokens: number
  reason: 'longer-than-window'
}

export interface Packing {
  format: ChatFormat
  /** Most tokens of a window. */
  window: number
  onLeftOut(row: Omit<LeftOut, 'split'>): void
}

/** `text`: rows rendered by the model's chat template, concatenated; `ids`: their ids, in this order. */
interface Window {
  ids: string[]
  text: string
  tokens: number
}

export const packedColumns: readonly {name: keyof Window; type: ColumnType}[] = [
  {name: 'ids', type: {list: 'string'}},
  {name: 'text', type: 'string'},
  {name: 'tokens', type: 'int32'},
]

/** Windows filled at a time; their content is in memory. */
const mostOpen = 32

type Row = Readonly<Record<string, unknown>>

/** Packs whole rows into windows, each where it leaves the least room; longer rows are reported, never cut. */
export async function* packed(rows: AsyncIterable<Row>, {format, window, onLeftOut}: Packing): AsyncIterable<Window> {
  const open: Window[] = []
  const room = ({tokens}: Window) => window - tokens
  for await (const row of rows) {
    const id = String(row['id'])
    const [question, reply] = [contentOf(row['prompt']), contentOf(row['completion'])]
    const tokens = format.tokens(question, reply)
    if (tokens > window) {
      onLeftOut({id, tokens, reason: 'longer-than-window'})
      continue
    }
    const fitting = open.filter((one) => room(one) >= tokens).sort((one, other) => room(one) - room(other))
    const place = fitting[0] ?? {ids: [], text: '', tokens: 0}
    if (fitting.length === 0) open.push(place)
    place.ids.push(id)
    place.text += format.render(question, reply)
    place.tokens += tokens
    if (open.length > mostOpen) yield* taken(open, fullest(open))
  }
  yield* open
}

const fullest = (open: readonly Window[]) =>
  open.reduce((best, {tokens}, at) => (tokens > (open[best]?.tokens ?? 0) ? at : best), 0)

const taken = (open: Window[], at: number) => open.splice(at, 1)

const contentOf = (turns: unknown) => (turns as readonly {content: string}[])[0]?.content ?? ''
