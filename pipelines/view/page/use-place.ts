import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks'
import type {RowsClient} from './rows-client.ts'
import type {Asking} from './rows-protocol.ts'

interface Placing {
  asking: Asking
  open: string | null
  count: number
  turn: number
}

/** Where in the list the keys are. Keys may come faster than what they lead to is drawn. */
export function usePlace(client: RowsClient | undefined, {asking, open, count, turn}: Placing) {
  const [at, setAt] = useState(-1)
  const place = useRef(-1)
  const moveTo = (next: number) => {
    place.current = next
    setAt(next)
  }
  useLayoutEffect(() => moveTo(-1), [client, asking])
  useEffect(() => {
    // A link opens a row, and the keys start from there.
    if (client && open !== null && place.current < 0) void client.ask('place', {row: Number(open)}).then(moveTo)
  }, [client, turn, open])
  /** @returns the number of the row there */
  const move = async (by: number): Promise<number | undefined> => {
    if (count === 0) return undefined
    const next = Math.max(0, Math.min(count - 1, place.current + by))
    moveTo(next)
    const [line] = (await client?.ask('lines', {from: next, to: next + 1})) ?? []
    return line?.row
  }
  return {at, move, moveTo}
}
