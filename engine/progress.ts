import {z} from 'zod'
import {Workforce} from './elsewhere/worker-seen.ts'
import type {Outcome} from './ledger-records.ts'

/**
 * Counts of one stage. For one-to-one stages `read = accepted + dropped + failed`; `written` counts outputs.
 * `reasons` also counts dropped parts of records that were otherwise accepted.
 */
export const StageCounts = z.strictObject({
  stage: z.string(),
  read: z.int(),
  written: z.int(),
  accepted: z.int(),
  dropped: z.int(),
  failed: z.int(),
  /** Records whose outcome was found in the ledger. */
  reused: z.int(),
  reasons: z.record(z.string(), z.int()),
  failures: z.record(z.string(), z.int()),
  /** Outputs by the stage's names for them; absent in older records. */
  tallies: z.record(z.string(), z.int()).default({}),
  /** Outputs that a source announced. */
  expected: z.int().optional(),
  /** Whether the stage has seen its whole input. */
  ended: z.boolean(),
  /** Who works on its records; absent where this process does. */
  workforce: Workforce.optional(),
})
export type StageCounts = z.infer<typeof StageCounts>

export interface Progress {
  readonly counts: StageCounts
  input(): void
  output(): void
  drop(reason: string): void
  tally(name: string): void
  expect(outputs: number): void
  outcome(outcome: Outcome, how: {reused: boolean}): void
  workforce(seen: Workforce): void
  end(): void
}

export function startCounting(stage: string): Progress {
  const counts: StageCounts = {
    stage,
    read: 0,
    written: 0,
    accepted: 0,
    dropped: 0,
    failed: 0,
    reused: 0,
    reasons: {},
    failures: {},
    tallies: {},
    ended: false,
  }
  const add = (tally: Record<string, number>, key: string) => {
    tally[key] = (tally[key] ?? 0) + 1
  }
  return {
    counts,
    input() {
      counts.read += 1
    },
    output() {
      counts.written += 1
    },
    drop(reason) {
      counts.dropped += 1
      add(counts.reasons, reason)
    },
    tally(name) {
      add(counts.tallies, name)
    },
    expect(outputs) {
      counts.expected = (counts.expected ?? 0) + outputs
    },
    outcome({outputs, drops, failure}, {reused}) {
      counts.written += outputs.length
      if (reused) counts.reused += 1
      for (const {reason} of drops) add(counts.reasons, reason)
      if (failure) {
        counts.failed += 1
        add(counts.failures, failure.code)
      } else if (outputs.length > 0) counts.accepted += 1
      else counts.dropped += 1
    },
    workforce(seen) {
      counts.workforce = seen
    },
    end() {
      counts.ended = true
    },
  }
}
