import {embedded, openEmbedded} from './embedded.ts'
import {startReader} from './rows-reader.ts'
import type {Requests, Told} from './rows-protocol.ts'

/** The worker that reads rows, as the page sees it. */
export interface RowsClient {
  ask<R extends keyof Requests>(name: R, given: Requests[R][0]): Promise<Requests[R][1]>
  /** Called with how far it is. */
  onTold: (told: Told) => void
  close(): void
}

export function startRows(): RowsClient {
  if (!embedded) return withWorker()
  const client: RowsClient = {
    ask: startReader(openEmbedded, (told) => client.onTold(told)),
    ...{onTold: () => undefined, close: () => undefined},
  }
  return client
}

function withWorker(): RowsClient {
  const worker = new Worker('/rows-worker.js', {type: 'module'})
  const waiting = new Map<number, {resolve(value: unknown): void; reject(error: Error): void}>()
  let last = 0
  const client: RowsClient = {
    ask(name, given) {
      const id = ++last
      worker.postMessage({id, name, given})
      return new Promise((resolve, reject) => waiting.set(id, {resolve: resolve as (value: unknown) => void, reject}))
    },
    onTold: () => undefined,
    close: () => worker.terminate(),
  }
  worker.addEventListener('message', ({data}: MessageEvent) => {
    if ('told' in data) return client.onTold(data.told)
    const waited = waiting.get(data.id)
    waiting.delete(data.id)
    if ('error' in data) waited?.reject(new Error(data.error))
    else waited?.resolve(data.answer)
  })
  return client
}
