/** `2,086,850`. */
export const inThousands = (count: number) => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** `1 file`, `2 files`, `12,000 files`. */
export const counted = (count: number, noun: string, plural = `${noun}s`) =>
  `${inThousands(count)} ${count === 1 ? noun : plural}`

/** `1:05`, and `2:01:05` from an hour on. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [hours, minutes, rest] = [
    Math.floor(whole / 3600),
    Math.floor(whole / 60) % 60,
    String(whole % 60).padStart(2, '0'),
  ]
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}
