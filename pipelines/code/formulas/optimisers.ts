import {understood, type Values} from './arrays.ts'
import {elements} from './elementwise.ts'
import type {FormulaCall, Formulas, Result} from './formula-call.ts'
import {scalarOf} from './shapes.ts'

/** A value less a step, which may cancel out. */
const stepped = (value: Values, ...rest: [...Values[], (...elements: number[]) => number]): Result => {
  const step = rest.at(-1) as (...elements: number[]) => number
  const operands = [value, ...(rest.slice(0, -1) as Values[])]
  return elements(
    operands,
    (x, ...more) => x - step(...more),
    (x, ...more) => Math.abs(x) + Math.abs(step(...more)),
  )
}

const blended = (before: Values, now: Values, share: number, f: (x: number) => number): Result =>
  elements(
    [before, now],
    (a, b) => share * a + (1 - share) * f(b),
    (a, b) => Math.abs(share * a) + Math.abs((1 - share) * f(b)),
  )

/** Moments with shares that are below 1, as those of every user are. */
function adam(call: FormulaCall): Result[] {
  understood(!call.flag('use_nesterov'))
  const [first, second, rate, beta1, beta2, epsilon] = [3, 4, 5, 6, 7, 8].map((at) => scalarOf(call, at)) as Six
  understood([first, second, beta1, beta2].every((one) => one >= 0 && one < 1) && epsilon > 0)
  understood(call.x(2).data.every((one) => one >= 0))
  const gradient = call.x(9)
  const m = blended(call.x(1), gradient, beta1, (g) => g)
  const v = blended(call.x(2), gradient, beta2, (g) => g * g)
  const step = (rate * Math.sqrt(1 - second)) / (1 - first)
  return [stepped(call.x(0), m, v, (a, b) => (step * a) / (Math.sqrt(b) + epsilon)), m, v]
}

type Six = [number, number, number, number, number, number]

export const optimisers: Formulas = {
  ApplyAdagradD: {
    inputs: 4,
    attributes: ['update_slots', 'use_locking'],
    of(call) {
      const [accumulated, gradient] = [call.x(1), call.x(3)]
      const rate = scalarOf(call, 2)
      const next = call.flag('update_slots') ? elements([accumulated, gradient], (a, g) => a + g * g) : accumulated
      understood(next.data.every((one) => one > 0))
      return [stepped(call.x(0), gradient, next, (g, a) => (rate * g) / Math.sqrt(a)), next]
    },
  },
  ApplyAdamD: {inputs: 10, attributes: ['use_locking', 'use_nesterov'], of: adam},
  ApplyGradientDescent: {
    inputs: 3,
    of(call) {
      const alpha = scalarOf(call, 1)
      return [stepped(call.x(0), call.x(2), (delta) => alpha * delta)]
    },
  },
}
