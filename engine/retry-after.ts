/** What `Retry-After` asks for, in milliseconds from `now`: seconds or a date. Undefined for anything else. */
export function retryAfterMs(text: string, now: number): number | undefined {
  if (/^\s*\d+(\.\d+)?\s*$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
