/** Something about a data set that is not as it should be. */
export interface Problem {
  /** Relative to the data set's root. */
  file: string
  /** 1-based, where it is about one row. */
  row?: number
  what: string
  fix: string
}

export const releaseAgain = 'Fetch the file again, or run the release recipe and `card` again.'
export const cardAgain = 'Run `ascend-cot run card` again.'
