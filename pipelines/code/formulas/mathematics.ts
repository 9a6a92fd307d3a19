import {erf, erfc} from '../../../datasets/special-functions.ts'

/** √π and what goes with it. */
const twoOverRootPi = 2 / Math.sqrt(Math.PI)

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

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))

export const softplus = (x: number): number => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))

export const silu = (x: number): number => x * sigmoid(x)

export const geluErf = (x: number): number => 0.5 * x * (1 + erf(x / Math.SQRT2))

export const geluTanh = (x: number): number =>
  0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)))

/** With the coefficients of the operator's page, which are closer to the error function than those of the paper. */
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
