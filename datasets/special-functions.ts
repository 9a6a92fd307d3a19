const series = 30

/** Error function in double precision: its series near 0, the continued fraction of erfc beyond (DLMF 7.6.1, 7.9.1). */
export function erf(value: number): number {
  const x = Math.abs(value)
  if (Number.isNaN(x)) return Number.NaN
  if (x > 6) return Math.sign(value)
  return Math.sign(value) * (x < 2.5 ? nearZero(x) : 1 - tail(x))
}

function nearZero(x: number): number {
  let [term, sum] = [x, x]
  for (let n = 1; n < 2 * series && Math.abs(term) > 1e-18 * sum; n += 1) {
    term *= (-x * x) / n
    sum += term / (2 * n + 1)
  }
  return (2 / Math.sqrt(Math.PI)) * sum
}

function tail(x: number): number {
  let fraction = 0
  for (let n = 4 * series; n > 0; n -= 1) fraction = n / 2 / (x + fraction)
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + fraction)
}

/** 1 - erf without the cancellation of the subtraction. */
export function erfc(x: number): number {
  return x < 2.5 ? 1 - erf(x) : tail(x)
}

/** To nearest, ties to even. */
export function rint(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest !== 0.5) return Math.round(value)
  return floor % 2 === 0 ? floor : floor + 1
}
