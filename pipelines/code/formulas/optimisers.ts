import {mapped, understood, type Values} from './arrays.ts'
import {summed} from './elementwise.ts'
import {formula, type FormulaCall, type Formulas, type Result} from './formula-call.ts'

const blended = (before: Values, now: Values, share: number, f: (x: number) => number): Result =>
  summed([before, now], (a, b) => [share * a, (1 - share) * f(b)])

/** Moments with shares that are below 1, as those of every user are. */
function adam(call: FormulaCall): Result[] {
  understood(!call.flag('use_nesterov'))
  const [first, second, rate, beta1, beta2, epsilon] = [3, 4, 5, 6, 7, 8].map((at) => call.scalar(at)) as Six
  understood([first, second, beta1, beta2].every((one) => one >= 0 && one < 1) && epsilon > 0)
  understood(call.x(2).data.every((one) => one >= 0))
  const gradient = call.x(9)
  const m = blended(call.x(1), gradient, beta1, (g) => g)
  const v = blended(call.x(2), gradient, beta2, (g) => g * g)
  const step = (rate * Math.sqrt(1 - second)) / (1 - first)
  return [summed([call.x(0), m, v], (x, a, b) => [x, (-step * a) / (Math.sqrt(b) + epsilon)]), m, v]
}

type Six = [number, number, number, number, number, number]

export const optimisers: Formulas = {
  ApplyAdagradD: formula(4, ['update_slots', 'use_locking'], (call) => {
    const [accumulated, gradient, rate] = [call.x(1), call.x(3), call.scalar(2)]
    const next = call.flag('update_slots') ? mapped([accumulated, gradient], (a, g) => a + g * g) : accumulated
    understood(next.data.every((one) => one > 0))
    return [summed([call.x(0), gradient, next], (x, g, a) => [x, (-rate * g) / Math.sqrt(a)]), next]
  }),
  ApplyAdamD: formula(10, ['use_locking', 'use_nesterov'], adam),
  ApplyGradientDescent: formula(3, [], (call) => {
    const alpha = call.scalar(1)
    return summed([call.x(0), call.x(2)], (x, delta) => [x, -alpha * delta])
  }),
}
