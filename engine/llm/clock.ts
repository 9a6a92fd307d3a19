import {setTimeout as delay} from 'node:timers/promises'
import {PipelineError} from '../errors.ts'

/** Time as the model client sees it, so that tests need not wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves early when the signal fires; the caller checks the signal afterwards. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export async function realSleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  // Longer delays than 2^31 − 1 ms make Node fire at once.
  await delay(Math.min(milliseconds, 2 ** 31 - 1), undefined, signal ? {signal} : {}).catch(() => undefined)
}

/** @throws PipelineError `interrupted` */
export function ensureWanted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return
  throw new PipelineError('interrupted', 'The request to the language model was cancelled before it was sent.', {
    fix: 'Run `ascend-cot resume` to continue; replies that arrived are kept.',
    cause: signal.reason,
  })
}
