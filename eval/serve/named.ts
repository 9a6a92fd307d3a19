import {canonicalJson} from '../../engine/ids.ts'
import type {Json} from '../../engine/json.ts'
import {Refusal} from '../../engine/service.ts'
import type {Store} from './store.ts'

/** Named requests: accepted durably, judged whether or not a client waits, and never twice. */
export interface Named {
  /** Starts a request, or finds the one with that name. @throws Refusal 409 when the name belongs to another request */
  take(name: string, request: Json, work: () => Promise<Json>, again?: boolean): Promise<Json>
  /** The state of one: its reply, `running`, or undefined if there is no such request. */
  find(name: string): {reply: Json} | 'running' | undefined
  /** Restarts requests that a stopped process had accepted. */
  resume(work: (name: string, request: unknown) => Promise<Json>): number
  /** Refuses as `take` would, but starts nothing. */
  check(name: string, request: Json): void
  /** From here on, replies go to waiting clients and are not stored: interrupted work is restarted later. */
  close(): void
}

export function openNamed(store: Store): Named {
  const running = new Map<string, Promise<Json>>()
  let closed = false

  function begin(name: string, work: () => Promise<Json>): Promise<Json> {
    const promise = work().then((reply) => {
      if (!closed) store.finish(name, JSON.stringify(reply))
      return reply
    })
    running.set(name, promise)
    // An interrupted request stays unfinished in the store; waiting clients are notified.
    promise
      .catch(() => {})
      .finally(() => {
        if (running.get(name) === promise) running.delete(name)
      })
    return promise
  }

  return {
    async take(name, request, work, again = false) {
      const text = canonicalJson(request)
      const before = store.accept(name, text, again)
      if (!before) return begin(name, work)
      if (before.request !== text) throw nameTaken()
      if (before.reply !== undefined) return JSON.parse(before.reply) as Json
      return running.get(name) ?? begin(name, work)
    },
    check(name, request) {
      const before = store.accepted(name)
      if (before && before.request !== canonicalJson(request)) throw nameTaken()
    },
    close() {
      closed = true
    },
    find(name) {
      const found = store.accepted(name)
      if (!found) return undefined
      return found.reply === undefined ? 'running' : {reply: JSON.parse(found.reply) as Json}
    },
    resume(work) {
      const open = store.unfinished()
      for (const {id, request} of open) begin(id, () => work(id, JSON.parse(request))).catch(() => {})
      return open.length
    },
  }
}

export function nameTaken(): Refusal {
  return new Refusal(409, 'name-taken', 'Another request was sent under this name before.', {
    fix: 'Use a unique name for every request; repeat a name only to resend the same request.',
  })
}
