/** A problem with a data set. */
export interface Problem {
  /** Relative to the data set's root. */
  file: string
  /** 1-based, if it concerns one row. */
  row?: number
  what: string
  fix: string
}

export const releaseAgain = 'Download the file again, or run the release recipe and `card` again.'
export const cardAgain = 'Run `ascend-cot run card` again.'
