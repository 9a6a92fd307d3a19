/** A scheduler that runs one task for each share, by its number. */
export interface TaskArray {
  /**
   * @param shares ascending numbers
   * @returns what the scheduler calls what it accepted
   * @throws PipelineError `executor-failed` when it refuses
   */
  submit(shares: readonly number[]): Promise<readonly string[]>
  /** The shares of these that wait or run; undefined when the scheduler does not answer. */
  live(handles: readonly string[]): Promise<ReadonlySet<number> | undefined>
  cancel(handles: readonly string[]): Promise<void>
}

/** For a scheduler that this package does not know: whoever reads the folder starts the tasks. */
export function ownArray(say: (text: string) => void, commandFor: (share: string) => string): TaskArray {
  return {
    submit(shares) {
      say(`start a task for each of ${shares.length} shares (${shares[0]} to ${shares.at(-1)}): ${commandFor('N')}`)
      return Promise.resolve([])
    },
    // Nothing is known of them, so none is taken for lost.
    live: () => Promise.resolve(undefined),
    cancel: () => Promise.resolve(),
  }
}
