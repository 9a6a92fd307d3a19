// The mathematics of the factory: one table for the meaning, the domain and the words of every function.

/** From the lowest to the highest value, both included. */
export type Interval = readonly [low: number, high: number]

/** How a function is written: `$1` and so on are its operands, in brackets if their level is below the needed one. */
interface Written {
  text: string
  /** 1 sums, 2 products, 3 powers and signs, 9 calls. */
  level: number
  needs: readonly number[]
}

/** Languages that an expression is written in. `tile` is also the plain form of comments. */
export type Language = 'tile' | 'typescript' | 'torch' | 'latex'

interface MathFunction {
  arity: number
  /** A part of an operator's name. */
  word: string
  value(...operands: number[]): number
  /** Where its values lie; undefined for operands on which it is not defined, or too steep for single precision. */
  range(...operands: Interval[]): Interval | undefined
  written: Readonly<Record<Language, Written>>
  /** Of PyTorch, where the last operand is a number and not a tensor. */
  torchWithNumber?: Written
  /** The first two operands may be exchanged. */
  commutes?: true
  /** Exact on integers. */
  integers?: true
  /** It jumps, so that its operand has to be free of rounding: an input as it is. */
  jumps?: true
  /** The kernel's scalar unit has it. */
  scalar?: true
}

const call = (text: string): Written => ({text, level: 9, needs: [0, 0, 0, 0]})
const infix = (text: string, level: number, left = level): Written => ({text, level, needs: [left, level + 1]})

/** The same in all languages of code. */
function everywhere(code: Written, own: Partial<Record<Language, Written>>): Record<Language, Written> {
  return {tile: code, typescript: code, torch: code, latex: code, ...own}
}

/** A function of one operand that is called by one name. */
function named(name: string, latex: string, own: Partial<Record<Language, Written>> = {}): Record<Language, Written> {
  return {
    tile: call(`${name}($1)`),
    typescript: call(`Math.${name}($1)`),
    torch: call(`torch.${name}($1)`),
    latex: call(latex),
    ...own,
  }
}

function extremum(name: 'max' | 'min'): Record<Language, Written> {
  return {
    tile: call(`${name}($1, $2)`),
    typescript: call(`Math.${name}($1, $2)`),
    torch: call(`torch.${name}imum($1, $2)`),
    latex: call(`\\${name}\\left($1, $2\\right)`),
  }
}

const rising =
  (of: (x: number) => number, least = -Infinity, most = Infinity) =>
  ([low, high]: Interval): Interval | undefined =>
    low >= least && high <= most ? [of(low), of(high)] : undefined

/** The span of values at the corners, for functions that have no extremum inside. */
function corners(of: (a: number, b: number) => number, [a, b]: Interval, [c, d]: Interval): Interval {
  const values = [of(a, c), of(a, d), of(b, c), of(b, d)]
  return [Math.min(...values), Math.max(...values)]
}

const mostExponent = 6
/** Nearer to zero a divisor multiplies the rounding of its dividend too much. */
const leastDivisor = 0.25

const isFarFromZero = ([low, high]: Interval) => low >= leastDivisor || high <= -leastDivisor

const squared = ([low, high]: Interval): Interval => {
  const most = Math.max(low * low, high * high)
  return [low > 0 || high < 0 ? Math.min(low * low, high * high) : 0, most]
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x))

export const functions = {
  add: {
    arity: 2,
    word: 'Add',
    value: (a, b) => a + b,
    range: ([a, b], [c, d]) => [a + c, b + d],
    written: everywhere(infix('$1 + $2', 1), {}),
    commutes: true,
    integers: true,
    scalar: true,
  },
  sub: {
    arity: 2,
    word: 'Sub',
    value: (a, b) => a - b,
    range: ([a, b], [c, d]) => [a - d, b - c],
    written: everywhere(infix('$1 - $2', 1), {}),
    integers: true,
    scalar: true,
  },
  mul: {
    arity: 2,
    word: 'Mul',
    value: (a, b) => a * b,
    range: (a, b) => corners((x, y) => x * y, a, b),
    written: everywhere(infix('$1 * $2', 2), {latex: infix('$1 \\cdot $2', 2)}),
    commutes: true,
    integers: true,
    scalar: true,
  },
  div: {
    arity: 2,
    word: 'Div',
    value: (a, b) => a / b,
    range: (a, b) => (isFarFromZero(b) ? corners((x, y) => x / y, a, b) : undefined),
    written: everywhere(infix('$1 / $2', 2), {latex: call('\\frac{$1}{$2}')}),
    scalar: true,
  },
  max: {
    arity: 2,
    word: 'Max',
    value: Math.max,
    range: ([a, b], [c, d]) => [Math.max(a, c), Math.max(b, d)],
    written: extremum('max'),
    torchWithNumber: call('torch.clamp($1, min=$2)'),
    commutes: true,
    integers: true,
    scalar: true,
  },
  min: {
    arity: 2,
    word: 'Min',
    value: Math.min,
    range: ([a, b], [c, d]) => [Math.min(a, c), Math.min(b, d)],
    written: extremum('min'),
    torchWithNumber: call('torch.clamp($1, max=$2)'),
    commutes: true,
    integers: true,
    scalar: true,
  },
  abs: {
    arity: 1,
    word: 'Abs',
    value: Math.abs,
    range: ([low, high]) => [low > 0 || high < 0 ? Math.min(Math.abs(low), Math.abs(high)) : 0, Math.max(-low, high)],
    written: named('abs', '\\left|$1\\right|'),
    scalar: true,
  },
  relu: {
    arity: 1,
    word: 'Relu',
    value: (x) => Math.max(x, 0),
    range: rising((x) => Math.max(x, 0)),
    written: {
      tile: call('max($1, 0)'),
      typescript: call('Math.max($1, 0)'),
      torch: call('torch.relu($1)'),
      latex: call('\\max\\left($1, 0\\right)'),
    },
    integers: true,
  },
  square: {
    arity: 1,
    word: 'Square',
    value: (x) => x * x,
    range: squared,
    written: {
      tile: {text: '$1 ** 2', level: 3, needs: [4]},
      typescript: {text: '$1 ** 2', level: 3, needs: [4]},
      torch: call('torch.square($1)'),
      latex: {text: '$1^2', level: 3, needs: [9]},
    },
    integers: true,
  },
  sqrt: {
    arity: 1,
    word: 'Sqrt',
    value: Math.sqrt,
    range: rising(Math.sqrt, 0.01),
    written: named('sqrt', '\\sqrt{$1}'),
    scalar: true,
  },
  exp: {
    arity: 1,
    word: 'Exp',
    value: Math.exp,
    range: rising(Math.exp, -30, mostExponent),
    written: named('exp', 'e^{$1}'),
  },
  log: {
    arity: 1,
    word: 'Log',
    value: Math.log,
    range: rising(Math.log, 0.05),
    written: named('log', '\\ln\\left($1\\right)'),
  },
  tanh: {
    arity: 1,
    word: 'Tanh',
    value: Math.tanh,
    range: rising(Math.tanh),
    written: named('tanh', '\\tanh\\left($1\\right)'),
  },
  sigmoid: {
    arity: 1,
    word: 'Sigmoid',
    value: sigmoid,
    range: rising(sigmoid, -30, 30),
    written: named('sigmoid', '\\sigma\\left($1\\right)', {
      typescript: {text: '1 / (1 + Math.exp(-($1)))', level: 2, needs: [0]},
    }),
  },
  reciprocal: {
    arity: 1,
    word: 'Reciprocal',
    value: (x) => 1 / x,
    range: (x) => (isFarFromZero(x) ? corners((a) => 1 / a, x, x) : undefined),
    written: everywhere({text: '1 / $1', level: 2, needs: [3]}, {latex: call('\\frac{1}{$1}')}),
    scalar: true,
  },
  floor: {
    arity: 1,
    word: 'Floor',
    value: Math.floor,
    range: rising(Math.floor),
    written: named('floor', '\\lfloor $1 \\rfloor'),
    jumps: true,
  },
  ceil: {
    arity: 1,
    word: 'Ceil',
    value: Math.ceil,
    range: rising(Math.ceil),
    written: named('ceil', '\\lceil $1 \\rceil'),
    jumps: true,
  },
  /** The third where the first exceeds the second, else the fourth. */
  where: {
    arity: 4,
    word: 'Where',
    value: (a, b, c, d) => (a > b ? c : d),
    range: (_a, _b, [c, d], [e, f]) => [Math.min(c, e), Math.max(d, f)],
    written: {
      tile: {text: '($3 if $1 > $2 else $4)', level: 9, needs: [1, 1, 1, 1]},
      typescript: {text: '($1 > $2 ? $3 : $4)', level: 9, needs: [1, 1, 1, 1]},
      torch: call('torch.where($1 > $2, $3, $4)'),
      latex: call('\\begin{cases} $3 & $1 > $2 \\\\ $4 & $1 \\le $2 \\end{cases}'),
    },
    jumps: true,
  },
} as const satisfies Record<string, MathFunction>

export type FunctionName = keyof typeof functions

/** @throws TypeError for a name that the table lacks */
export function functionOf(name: string): MathFunction {
  if (!Object.hasOwn(functions, name)) throw new TypeError(`the factory has no function ${name}`)
  return functions[name as FunctionName]
}

export const functionNames = Object.keys(functions) as FunctionName[]
