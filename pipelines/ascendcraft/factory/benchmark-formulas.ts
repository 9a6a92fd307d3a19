import type {CraftDesign} from '../../../datasets/schema/crafted-operator.ts'
import {evaluateLane} from './evaluate.ts'
import {expressionsOf, partsOf} from './math-expression.ts'

type Values = readonly number[]
/** Inputs in some order, and up to two parameters, such as a slope or an epsilon. */
type Formula = (inputs: readonly Values[], a: number, b: number) => Values

interface Known {
  name: string
  inputs: number
  /** Parameters that a caller chooses. */
  parameters: 0 | 1 | 2
  of: Formula
}

const each =
  (of: (...values: number[]) => number): Formula =>
  (inputs) =>
    inputs[0]!.map((_, at) => of(...inputs.map((one) => one[at]!)))

/** A formula of elements; the parameters come after the inputs. */
const elements = (
  name: string,
  inputs: number,
  of: (...values: number[]) => number,
  parameters: 0 | 1 | 2 = 0,
): Known => ({
  name,
  inputs,
  parameters,
  of: (given, a, b) => each((...values) => of(...values, ...[a, b].slice(0, parameters)))(given, a, b),
})

const whole = (name: string, inputs: number, of: Formula, parameters: 0 | 1 | 2 = 0): Known => ({
  name,
  inputs,
  parameters,
  of,
})

const sum = (values: Values) => values.reduce((total, value) => total + value, 0)
const mean = (values: Values) => sum(values) / values.length
const dot = (a: Values, b: Values) => sum(a.map((value, at) => value * b[at]!))
const variance = (values: Values) => mean(values.map((value) => (value - mean(values)) ** 2))
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x))
const softplus = (x: number) => Math.log1p(Math.exp(x))
const gelu = (x: number) => x * sigmoid(1.702 * x)
const tanhGelu = (x: number) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)))
const normal = (x: Values, epsilon: number) => x.map((value) => (value - mean(x)) / Math.sqrt(variance(x) + epsilon))
const rms = (x: Values, epsilon: number) => x.map((value) => value / Math.sqrt(dot(x, x) / x.length + epsilon))
const softmax = (x: Values) => {
  const powers = x.map((value) => Math.exp(value - Math.max(...x)))
  return powers.map((power) => power / sum(powers))
}
const pairs = (a: Values, b: Values, of: (x: number, y: number) => number) => a.map((value, at) => of(value, b[at]!))
const running = (x: Values, join: (a: number, b: number) => number) => {
  let before: number | undefined
  return x.map((value) => (before = before === undefined ? value : join(before, value)))
}
const huber = (d: number, beta: number) => (Math.abs(d) < beta ? (d * d) / (2 * beta) : Math.abs(d) - beta / 2)

/**
 * What the tasks of the benchmarks ask for, as far as the factory's functions reach: formulas as
 * their references and pages state them.
 */
const known: readonly Known[] = [
  ...(
    [
      ['abs', Math.abs],
      ['neg', (x) => -x],
      ['sqrt', Math.sqrt],
      ['rsqrt', (x) => 1 / Math.sqrt(x)],
      ['exp', Math.exp],
      ['expm1', Math.expm1],
      ['log', Math.log],
      ['log1p', Math.log1p],
      ['reciprocal', (x) => 1 / x],
      ['square', (x) => x * x],
      ['cube', (x) => x ** 3],
      ['sinh', Math.sinh],
      ['cosh', Math.cosh],
      ['floor', Math.floor],
      ['ceil', Math.ceil],
      ['relu', (x) => Math.max(x, 0)],
      ['sigmoid', sigmoid],
      ['tanh', Math.tanh],
      ['swish', (x) => x * sigmoid(x)],
      ['softplus', softplus],
      ['softsign', (x) => x / (1 + Math.abs(x))],
      ['mish', (x) => x * Math.tanh(softplus(x))],
      ['fast_gelu', gelu],
      ['gelu', tanhGelu],
      ['hardsigmoid', (x) => Math.min(Math.max(x / 6 + 0.5, 0), 1)],
      ['hardswish', (x) => x * Math.min(Math.max(x / 6 + 0.5, 0), 1)],
      ['hardtanh', (x) => Math.min(Math.max(x, -1), 1)],
      ['relu6', (x) => Math.min(Math.max(x, 0), 6)],
      ['logsigmoid', (x) => -softplus(-x)],
      ['tanhshrink', (x) => x - Math.tanh(x)],
    ] as [string, (x: number) => number][]
  ).map(([name, of]) => elements(name, 1, of)),
  elements('scaled', 1, (x, a) => x! * a!, 1),
  elements('shifted', 1, (x, a) => x! + a!, 1),
  elements('affine', 1, (x, a, b) => x! * a! + b!, 2),
  elements('maximum_scalar', 1, (x, a) => Math.max(x!, a!), 1),
  elements('minimum_scalar', 1, (x, a) => Math.min(x!, a!), 1),
  elements('clip', 1, (x, a, b) => Math.min(Math.max(x!, a!), b!), 2),
  elements('threshold', 1, (x, a, b) => (x! > a! ? x! : b!), 2),
  elements('leaky_relu', 1, (x, a) => (x! > 0 ? x! : a! * x!), 1),
  elements('elu', 1, (x, a) => (x! > 0 ? x! : a! * Math.expm1(x!)), 1),
  elements('swish_scaled', 1, (x, a) => x! * sigmoid(a! * x!), 1),
  elements('power', 1, (x, a) => x! ** a!, 1),
  elements('power_of_scalar', 1, (x, a) => a! ** x!, 1),
  elements('softplus_scaled', 1, (x, a) => softplus(a! * x!) / a!, 1),
  elements('add', 2, (x, y) => x! + y!),
  elements('sub', 2, (x, y) => x! - y!),
  elements('mul', 2, (x, y) => x! * y!),
  elements('div', 2, (x, y) => x! / y!),
  elements('maximum', 2, Math.max),
  elements('minimum', 2, Math.min),
  elements('greater', 2, (x, y) => (x! > y! ? 1 : 0)),
  elements('add_scaled', 2, (x, y, a) => x! + a! * y!, 1),
  elements('axpby', 2, (x, y, a, b) => a! * x! + b! * y!, 2),
  elements('lerp', 2, (x, y, a) => x! + a! * (y! - x!), 1),
  elements('squared_error', 2, (x, y) => (x! - y!) ** 2),
  elements('absolute_error', 2, (x, y) => Math.abs(x! - y!)),
  elements('swiglu', 2, (x, y) => x! * sigmoid(x!) * y!),
  elements('geglu', 2, (x, y) => tanhGelu(x!) * y!),
  elements('gated', 2, (x, y) => x! * sigmoid(y!)),
  elements('relu_grad', 2, (x, y) => (x! > 0 ? y! : 0)),
  elements('sigmoid_grad', 2, (x, y) => y! * x! * (1 - x!)),
  elements('tanh_grad', 2, (x, y) => y! * (1 - x! * x!)),
  elements('hinge', 2, (x, y) => Math.max(0, 1 - x! * y!)),
  elements('huber', 2, (x, y, a) => huber(x! - y!, a!), 1),
  elements('add_relu', 2, (x, y) => Math.max(x! + y!, 0)),
  elements('sgd', 2, (p, g, a) => p! - a! * g!, 1),
  elements('addcmul', 3, (x, y, z, a) => x! + a! * y! * z!, 1),
  elements('addcdiv', 3, (x, y, z, a) => x! + (a! * y!) / z!, 1),
  elements('mul_add', 3, (x, y, z) => x! * y! + z!),
  elements('mul_mul', 3, (x, y, z) => x! * y! * z!),
  elements('lerp_tensor', 3, (x, y, z) => x! + z! * (y! - x!)),
  elements('sigmoid_mul', 3, (x, y, z) => sigmoid(x! * y!) * z!),
  elements('select', 3, (x, y, z) => (x! > 0 ? y! : z!)),
  elements('momentum', 3, (p, g, m, a, b) => p! - a! * (b! * m! + g!), 2),
  elements('adagrad', 3, (p, g, s, a, b) => p! - (a! * g!) / (Math.sqrt(s! + g! * g!) + b!), 2),
  elements('rmsprop', 3, (p, g, s, a, b) => p! - (a! * g!) / Math.sqrt(b! * s! + (1 - b!) * g! * g!), 2),
  elements('sigmoid_mul_add', 4, (x, y, z, w) => sigmoid(x! * y!) * z! + w!),
  elements(
    'adam',
    4,
    (p, g, m, v, a, b) => p! - (a! * (b! * m! + (1 - b!) * g!)) / Math.sqrt(b! * v! + (1 - b!) * g! * g!),
    2,
  ),
  whole('sum', 1, ([x]) => [sum(x!)]),
  whole('mean', 1, ([x]) => [mean(x!)]),
  whole('max', 1, ([x]) => [Math.max(...x!)]),
  whole('min', 1, ([x]) => [Math.min(...x!)]),
  whole('absolute_sum', 1, ([x]) => [sum(x!.map(Math.abs))]),
  whole('norm', 1, ([x], a) => [Math.sqrt(dot(x!, x!) + a)], 1),
  whole('root_mean_square', 1, ([x], a) => [Math.sqrt(dot(x!, x!) / x!.length + a)], 1),
  whole('log_sum_exp', 1, ([x]) => [Math.log(sum(x!.map(Math.exp)))]),
  whole('variance', 1, ([x]) => [variance(x!)]),
  whole('deviation', 1, ([x], a) => [Math.sqrt(variance(x!) + a)], 1),
  whole('dot', 2, ([x, y]) => [dot(x!, y!)]),
  whole('mean_product', 2, ([x, y]) => [dot(x!, y!) / x!.length]),
  whole('mse_loss', 2, ([x, y]) => [mean(pairs(x!, y!, (a, b) => (a - b) ** 2))]),
  whole('l1_loss', 2, ([x, y]) => [mean(pairs(x!, y!, (a, b) => Math.abs(a - b)))]),
  whole('huber_loss', 2, ([x, y], beta) => [mean(pairs(x!, y!, (a, b) => huber(a - b, beta)))], 1),
  whole('hinge_loss', 2, ([x, y]) => [mean(pairs(x!, y!, (a, b) => Math.max(0, 1 - a * b)))]),
  whole('kl_div_loss', 2, ([x, y]) => [sum(pairs(x!, y!, (a, b) => a * (Math.log(a) - b)))]),
  whole('softmax', 1, ([x]) => softmax(x!)),
  whole('log_softmax', 1, ([x]) => softmax(x!).map(Math.log)),
  whole('softmax_grad', 2, ([y, g]) => pairs(y!, g!, (a, b) => a * (b - dot(y!, g!)))),
  whole('l1_norm', 1, ([x]) => x!.map((value) => value / mean(x!.map(Math.abs)))),
  whole('l2_norm', 1, ([x], a) => x!.map((value) => value / Math.sqrt(dot(x!, x!) + a)), 1),
  whole('centred', 1, ([x]) => x!.map((value) => value - mean(x!))),
  whole('layer_norm', 1, ([x], a) => normal(x!, a), 1),
  whole('layer_norm_scaled', 2, ([x, w], a) => pairs(normal(x!, a), w!, (p, q) => p * q), 1),
  whole(
    'layer_norm_affine',
    3,
    ([x, w, v], a) =>
      pairs(
        pairs(normal(x!, a), w!, (p, q) => p * q),
        v!,
        (p, q) => p + q,
      ),
    1,
  ),
  whole('rms_norm', 1, ([x], a) => rms(x!, a), 1),
  whole('rms_norm_scaled', 2, ([x, w], a) => pairs(rms(x!, a), w!, (p, q) => p * q), 1),
  whole(
    'add_rms_norm',
    3,
    ([x, y, w], a) =>
      pairs(
        rms(
          pairs(x!, y!, (p, q) => p + q),
          a,
        ),
        w!,
        (p, q) => p * q,
      ),
    1,
  ),
  whole(
    'add_layer_norm',
    2,
    ([x, y], a) =>
      normal(
        pairs(x!, y!, (p, q) => p + q),
        a,
      ),
    1,
  ),
  whole('cumulative_sum', 1, ([x]) => running(x!, (a, b) => a + b)),
  whole('cumulative_product', 1, ([x]) => running(x!, (a, b) => a * b)),
  whole('cumulative_max', 1, ([x]) => running(x!, Math.max)),
  whole('cumulative_min', 1, ([x]) => running(x!, Math.min)),
]

/** Places along a lane: few enough for all orders of inputs, too many for a coincidence. */
const length = 7

/** Positive values that no formula treats alike, for each input others. */
const probe = (input: number): Values =>
  Array.from({length}, (_, at) => 0.31 + 3.83 * Math.abs(Math.sin(1 + 2.7 * at + 1.3 * input)) + 0.05 * input)
/** Of both signs, for formulas that have branches. */
const signed = (input: number): Values =>
  probe(input).map((value, at) => ((at + input) % 2 === 0 ? value : 0.2 - 1.3 * value))

/** The operator of a benchmark that a design computes; undefined if there is none, for all that this table has. */
export function benchmarkFormula(design: Omit<CraftDesign, 'name'>): string | undefined {
  if (design.window) return pooled(design)
  const inputs = design.inputs.filter(({name}) => name !== 'index').map(({name}) => name)
  const numbers = numbersIn(design)
  return known.find(
    (one) => one.inputs === inputs.length && ordersOf(inputs).some((order) => isSame(design, one, order, numbers)),
  )?.name
}

function isSame(
  design: Omit<CraftDesign, 'name'>,
  {of, parameters}: Known,
  order: readonly string[],
  numbers: readonly number[],
): boolean {
  const lanes = [probe, signed].map((draw) => order.map((_, at) => draw(at)))
  const seen = lanes.map((lane) => evaluateLane(design, new Map(order.map((name, at) => [name, lane[at]!])))[0]!)
  const first = parameters > 0 ? numbers : [0]
  const second = parameters > 1 ? numbers : [0]
  const isAlike = (lane: number, a: number, b: number) => areEqual(seen[lane]!, of(lanes[lane]!, a, b))
  // A formula that is not real for negative values is only told by the positive ones.
  const isReal = seen[1]!.some(Number.isFinite)
  return first.some((a) => second.some((b) => isAlike(0, a, b) && (!isReal || isAlike(1, a, b))))
}

function areEqual(seen: Values, expected: Values): boolean {
  if (seen.length !== expected.length || !seen.some(Number.isFinite)) return false
  return seen.every((value, at) => {
    const wanted = expected[at]!
    if (!Number.isFinite(value) || !Number.isFinite(wanted)) return Object.is(value, wanted)
    return Math.abs(value - wanted) <= 1e-4 * Math.max(1, Math.abs(wanted))
  })
}

/** Windows that only take the mean, the largest or the smallest of what is there. */
function pooled(design: Omit<CraftDesign, 'name'>): string | undefined {
  const size = design.window!.size
  const x = probe(0)
  if (design.inputs.length > 1) return undefined
  const [seen] = evaluateLane(design, new Map([[design.inputs[0]!.name, x]])) as [number[]]
  const joins: Record<string, (values: Values) => number> = {
    average_pooling: mean,
    sum_pooling: sum,
    max_pooling: (values) => Math.max(...values),
    min_pooling: (values) => Math.min(...values),
  }
  const {step} = design.window!
  const windows = seen.map((_, at) => x.slice(at * step, at * step + size))
  return Object.keys(joins).find((name) => areEqual(seen, windows.map(joins[name]!)))
}

/** What may be a parameter: numbers of the design, their usual relatives, and 0 and 1. */
function numbersIn(design: Omit<CraftDesign, 'name'>): number[] {
  const found = expressionsOf(design)
    .flatMap(partsOf)
    .filter((one): one is number => typeof one === 'number')
  const given = design.attributes.map(({value}) => value)
  return [...new Set([0, 1, -1, ...[...found, ...given].flatMap((one) => [one, -one, 1 - one, 1 / one])])]
}

function ordersOf(names: readonly string[]): string[][] {
  if (names.length < 2) return [[...names]]
  return names.flatMap((first) => ordersOf(names.filter((name) => name !== first)).map((rest) => [first, ...rest]))
}
