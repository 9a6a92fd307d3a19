/** `2,086,850`. */
export const inThousands = (count: number) => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** `1 file`, `2 files`, `12,000 files`. */
export const counted = (count: number, noun: string, plural = `${noun}s`) =>
  `${inThousands(count)} ${count === 1 ? noun : plural}`
