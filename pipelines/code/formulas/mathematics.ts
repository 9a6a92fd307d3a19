/** √π and what goes with it. */
const twoOverRootPi = 2 / Math.sqrt(Math.PI)

/** The series converges for every x, and loses no digits that matter below 2.5; past it the continued fraction. */
export function erf(x: number): number {
  if (Math.abs(x) > 2.5) return Math.sign(x) * (1 - erfc(Math.abs(x)))
  let term = x
  let total = x
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(total); n += 1) {
    term *= -(x * x) / n
    total += term / (2 * n + 1)
    if (n > 100) break
  }
  return twoOverRootPi * total
}

export function erfc(x: number): number {
  if (Number.isNaN(x)) return x
  if (x < 2.5) return 1 - erf(x)
  let fraction = 0
  for (let n = 80; n > 0; n -= 1) fraction = n / 2 / (x + fraction)
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + fraction)
}

/** By Newton's steps from 0; they converge for every value inside (-1, 1). */
export function erfinv(y: number): number {
  if (Math.abs(y) >= 1) return Math.abs(y) === 1 ? y * Infinity : NaN
  let x = 0
  for (let step = 0; step < 100; step += 1) {
    const error = (Math.abs(x) > 1 ? Math.sign(x) * (1 - Math.abs(y) - erfc(Math.abs(x))) : erf(x) - y) || 0
    const by = error / (twoOverRootPi * Math.exp(-x * x))
    x -= Math.max(-0.5, Math.min(0.5, by))
    if (Math.abs(by) < 1e-15) break
  }
  return x
}

/** Round half to even, as ieee 754 and PyTorch do. */
export function rint(x: number): number {
  const floor = Math.floor(x)
  const rest = x - floor
  if (rest !== 0.5) return rest < 0.5 ? floor : floor + 1
  return floor % 2 === 0 ? floor : floor + 1
}

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))

export const softplus = (x: number): number => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))

export const silu = (x: number): number => x * sigmoid(x)

export const geluErf = (x: number): number => 0.5 * x * (1 + erf(x / Math.SQRT2))

export const geluTanh = (x: number): number =>
  0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)))

/** With the coefficients of the operator's page, which lie nearer to the error function than those of the paper. */
export const geluFitted = (x: number): number => x / (1 + Math.exp(-1.595769122 * (x + 0.0455399241 * x ** 3)))

export const clamp = (x: number, least: number, most: number): number => Math.min(Math.max(x, least), most)

/** The sign of the divisor, as in Python. */
export const floorMod = (x: number, y: number): number => {
  const rest = x % y
  return rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest
}

export const gcd = (x: number, y: number): number => {
  let [a, b] = [Math.abs(x), Math.abs(y)]
  while (b) [a, b] = [b, a % b]
  return a
}
