import {readdirSync, readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {readExamples} from '../../../../pipelines/ascendcraft/generate/examples.ts'
import {firstOutput, interpretedText} from '../../../helpers/interpreting.ts'
import type {Given} from '../../../helpers/lowering.ts'

// Examples may stand in prompts, so they must be right, and must answer none of the benchmark's tasks.

const library = new URL('../../../../pipelines/ascendcraft/library/', import.meta.url)
const examples = readExamples(new URL('examples/', library))

const solutions = readdirSync(new URL('solutions/', library), {recursive: true, encoding: 'utf8'})
  .filter((file) => file.endsWith('.py') && !file.endsWith('.model.py'))
  .map((file) => ({
    name: file.replace(/^.*\//, '').replace(/\.py$/, ''),
    text: readFileSync(new URL(`solutions/${file}`, library), 'utf8'),
  }))

type Formula = (tensors: readonly Float64Array[], cols: number) => ArrayLike<number>

const each =
  (compute: (...values: number[]) => number): Formula =>
  (tensors) =>
    tensors[0]!.map((_, at) => compute(...tensors.map((tensor) => tensor[at]!)))

const eachRow =
  (compute: (...rows: Float64Array[]) => number): Formula =>
  (tensors, cols) =>
    Array.from({length: tensors[0]!.length / cols}, (_, row) =>
      compute(...tensors.map((tensor) => tensor.subarray(row * cols, (row + 1) * cols))),
    )

const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0)

const logCosh = (d: number) => Math.abs(d) + Math.log1p(Math.exp(-2 * Math.abs(d))) - Math.LN2

const formulas: Readonly<Record<string, Formula>> = {
  mish: each((x) => x! * Math.tanh(Math.max(x!, 0) + Math.log1p(Math.exp(-Math.abs(x!))))),
  gated_linear_unit: ([x], cols) =>
    Array.from({length: x!.length / 2}, (_, at) => {
      const left = Math.floor(at / (cols / 2)) * cols + (at % (cols / 2))
      return x![left]! / (1 + Math.exp(-x![left + cols / 2]!))
    }),
  log_cosh_loss: ([a, b]) => [sum(a!.map((value, at) => logCosh(value - b![at]!))) / a!.length],
  quantile_loss_by_row: eachRow((a, b) => {
    const misses = b!.map((value, at) => value - a![at]!)
    return sum(misses.map((miss) => (miss > 0 ? 0.9 * miss : -0.1 * miss))) / a!.length
  }),
  squared_difference: each((a, b) => (a! - b!) ** 2),
  logsumexp: eachRow((x) => {
    const largest = x!.reduce((a, b) => Math.max(a, b))
    return largest + Math.log(sum(x!.map((value) => Math.exp(value - largest))))
  }),
  adamw: each((p, g, m, v) => {
    const mean = (0.9 * m! + 0.1 * g!) / (1 - 0.9)
    const moment = (0.999 * v! + 0.001 * g! ** 2) / (1 - 0.999)
    return p! * (1 - 0.001 * 0.01) - (0.001 * mean) / (Math.sqrt(moment) + 1e-8)
  }),
  standardize_rows: ([x], cols) => {
    const result = new Float64Array(x!.length)
    for (let at = 0; at < x!.length; at += cols) {
      const row = x!.subarray(at, at + cols)
      const mean = sum(row) / cols
      const squares = sum(row.map((value) => (value - mean) ** 2))
      const deviation = Math.sqrt(squares / Math.max(1, cols - 1)) + 1e-5
      result.set(
        row.map((value) => (value - mean) / deviation),
        at,
      )
    }
    return result
  },
  variance_by_column: ([x], cols) =>
    Array.from({length: cols}, (_, col) => {
      const column = Float64Array.from({length: x!.length / cols}, (_value, row) => x![row * cols + col]!)
      const mean = sum(column) / column.length
      return sum(column.map((value) => (value - mean) ** 2)) / column.length
    }),
  lp_pooling_1d: ([x], cols) =>
    Array.from({length: (x!.length / cols) * Math.floor(cols / 2)}, (_, at) => {
      const first = Math.floor(at / Math.floor(cols / 2)) * cols + 2 * (at % Math.floor(cols / 2))
      return Math.hypot(x![first]!, x![first + 1]!)
    }),
  sgd_clipped_by_norm: ([p, g]) => {
    const scale = 0.01 / Math.max(Math.sqrt(sum(g!.map((value) => value ** 2))), 1)
    return p!.map((value, at) => value - scale * g![at]!)
  },
}

const inputCounts: Readonly<Record<string, number>> = {
  mish: 1,
  gated_linear_unit: 1,
  logsumexp: 1,
  standardize_rows: 1,
  variance_by_column: 1,
  lp_pooling_1d: 1,
  adamw: 4,
}

/** What a program asks of the length of rows. */
const serves: Readonly<Record<string, (cols: number) => boolean>> = {
  gated_linear_unit: (cols) => cols % 2 === 0,
  standardize_rows: (cols) => cols <= 8128,
  lp_pooling_1d: (cols) => cols >= 2,
}

/** Fewer rows than cores, a last axis of 1 or 2, prime lengths, a row beyond a tile. */
const shapes = [
  [1, 2],
  [3, 62],
  [53, 2],
  [67, 134],
  [5, 1],
  [131, 257],
  [2, 12_289],
] as const

const draws: Readonly<Record<string, (at: number) => number>> = {
  signed: (at) => 3 * Math.sin(at * 1.7),
  large: (at) => 50 * Math.cos(at * 2.3),
  /** The largest element of a row is in its last tile. */
  rising: (at) => at * 1e-3,
  constant: () => 1.5,
  zero: () => 0,
}

/** A fourth input is a second moment, which is never negative. */
function given(name: string, shape: readonly number[], draw: (at: number) => number): Given[] {
  const length = shape.reduce((product, size) => product * size, 1)
  return Array.from({length: inputCounts[name] ?? 2}, (_, input) => {
    const values = Float64Array.from({length}, (_, at) => Math.fround(draw(at + 7 * input)))
    return {shape: [...shape], values: input === 3 ? values.map(Math.abs) : values}
  })
}

/** What a program computes, without the names that it chose: operations and their numbers in order. */
function operations(text: string): string[] {
  const code = text.replace(/#.*$/gm, '')
  return [...code.matchAll(/tl\.(\w+)\(([^)]*)/g)]
    .filter(([, name]) => !['alloc_ub', 'tensor', 'output', 'cdiv', 'align'].includes(name!))
    .map(([, name, operands]) => `${name} ${(operands!.match(/(?<![\w.])-?\d[\d.]*(?:e-?\d+)?/g) ?? []).join(' ')}`)
}

describe.each(examples.map(({name, text}) => ({name, text})))('$name', ({name, text}) => {
  const served = shapes.filter(([, cols]) => serves[name]?.(cols) ?? true)

  test.each(served)('gives what its formula says for %i rows and %i columns', (rows, cols) => {
    for (const [family, draw] of Object.entries(draws)) {
      const inputs = given(name, [rows, cols], draw)
      const got = firstOutput(interpretedText(text, inputs))
      const tensors = inputs.map(({values}) => Float64Array.from(values as ArrayLike<number>))
      const expected = formulas[name]!(tensors, cols)
      expect(got, family).toHaveLength(expected.length)
      for (const [at, value] of got.entries()) {
        const wanted = expected[at]!
        if (!(Math.abs(value - wanted) <= 2e-5 + 2e-5 * Math.abs(wanted)))
          expect.fail(`${family}, element ${at}: ${value} for ${wanted}`)
      }
    }
  })

  test('is no task of the benchmark and no copy of a solution', () => {
    expect(solutions.map((one) => one.name)).not.toContain(name)
    for (const solution of solutions) expect(operations(text), solution.name).not.toEqual(operations(solution.text))
  })
})

test('every example is tested', () => {
  expect(examples.map(({name}) => name).sort()).toEqual(Object.keys(formulas).sort())
  expect(solutions.length).toBeGreaterThan(40)
})
