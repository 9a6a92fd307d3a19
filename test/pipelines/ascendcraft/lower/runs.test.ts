import {describe, expect, test} from 'vitest'
import {roundTo} from '../../../../datasets/dtype.ts'
import {lower} from '../../../../pipelines/ascendcraft/lower/lower.ts'
import {checkedFixture, runLowered, wave, type Given} from '../../../helpers/lowering.ts'

/** Outputs of a fixture's last pass. */
async function outputs(
  name: string,
  inputs: Record<string, Given>,
  {
    types = {},
    attributes = {},
  }: {types?: Parameters<typeof checkedFixture>[1]; attributes?: Record<string, number>} = {},
) {
  const checked = checkedFixture(name, types)
  const operator = 'RunCustom'
  const run = await runLowered(operator, checked, lower(checked, {operator}).files, inputs, attributes)
  if (run.outcome !== 'ran') throw new Error(run.why)
  return run
}

const near = (seen: ArrayLike<number> | undefined, wanted: ArrayLike<number>, tolerance: number) => {
  expect(seen?.length).toBe(wanted.length)
  const worst = Array.from(wanted, (one, at) => Math.abs(one - (seen?.[at] ?? Number.NaN)) / Math.max(1, Math.abs(one)))
  const at = worst.findIndex((one) => !(one <= tolerance))
  expect(at < 0 || `element ${at}: ${seen?.[at]}, not ${wanted[at]}`).toBe(true)
}

const tensor = (shape: number[], phase = 0): Given => ({
  shape,
  values: wave(
    shape.reduce((all, one) => all * one, 1),
    phase,
  ),
})

describe('lowered operators give what their programs say', () => {
  test.each([1, 7, 2048, 30_011])(
    'elementwise, %i elements, with an attribute',
    async (count) => {
      const [x, y] = [tensor([1, count]), tensor([1, count], 5)]
      const run = await outputs('scaled-add', {x, y}, {attributes: {factor: -1.5}})
      near(
        run.values['z'],
        Array.from(x.values, (one, at) => one - 1.5 * (y.values[at] as number)),
        1e-6,
      )
    },
    60_000,
  )

  test('an attribute has its default', async () => {
    const x = tensor([3, 5])
    const run = await outputs('scaled-add', {x, y: x})
    near(
      run.values['z'],
      Array.from(x.values, (one) => 3 * one),
      1e-6,
    )
  }, 60_000)

  test.each([
    [1, 5],
    [50, 333],
  ])(
    'a reduction of %i x %i over cores, with workspace and barrier',
    async (rows, cols) => {
      const x = tensor([rows, cols])
      const run = await outputs('mean-square', {x})
      const sum = Array.from(x.values, (one) => one * one).reduce((all, one) => all + one, 0)
      near(run.values['y'], [sum / (rows * cols)], 1e-5)
      expect(run.execution.trace.workspaceBytes).toBeGreaterThanOrEqual(16 * 2 ** 20)
    },
    60_000,
  )

  test.each([
    ['float32', 1e-6],
    ['float16', 2e-3],
    ['bfloat16', 1e-2],
  ] as const)(
    'rows in a type parameter: %s',
    async (type, tolerance) => {
      const [rows, cols] = [5, 33]
      const x = {shape: [rows, cols], values: roundTo(wave(rows * cols), type)}
      const run = await outputs('softmax-rows', {x}, {types: {T: type}})
      const wanted = Array.from({length: rows}, (_, row) => {
        const values = Array.from(x.values.slice(row * cols, (row + 1) * cols), Math.exp)
        const sum = values.reduce((all, one) => all + one, 0)
        return values.map((one) => one / sum)
      }).flat()
      near(run.values['y'], wanted, tolerance)
    },
    60_000,
  )

  test.each([
    [8, 1024],
    [37, 2500],
    [3, 9],
  ])(
    'strided rows of %i x %i',
    async (rows, cols) => {
      const x = tensor([rows, cols])
      const run = await outputs('column-sum', {x})
      const sums = Array.from({length: cols}, (_, column) =>
        Array.from({length: rows}, (_, row) => x.values[row * cols + column] as number).reduce((a, b) => a + b, 0),
      )
      near(run.values['y'], sums, 1e-5)
    },
    60_000,
  )

  test('masks, selections, a branch on an attribute, and bool by way of bytes', async () => {
    const x = tensor([3, 777])
    const keep = {shape: [3, 777], values: Array.from({length: 3 * 777}, (_, at) => (at % 3 === 0 ? 0 : 1))}
    const elu = (one: number, at: number) => (keep.values[at] ?? 0) * (one > 0 ? one : 0.5 * (Math.exp(one) - 1))
    const plain = await outputs('masked-elu', {x, keep}, {attributes: {alpha: 0.5}})
    near(plain.values['y'], Array.from(x.values, elu), 1e-6)
    const limited = await outputs('masked-elu', {x, keep}, {attributes: {alpha: 0.5, use_limit: 1, limit: 0.25}})
    near(
      limited.values['y'],
      Array.from(x.values, (one, at) => Math.min(elu(one, at), keep.values[at] ? 0.25 : 0)),
      1e-6,
    )
  }, 60_000)

  test('weights that stay for all rows', async () => {
    const [x, gamma, beta] = [tensor([70, 24]), tensor([24], 3), tensor([24], 9)]
    const run = await outputs('row-affine', {x, gamma, beta})
    const affine = (one: number, at: number) =>
      (beta.values[at % 24] as number) + one * (gamma.values[at % 24] as number)
    near(run.values['y'], Array.from(x.values, affine), 1e-6)
  }, 60_000)

  test('an assertion of the host refuses the launch', async () => {
    const [x, gamma, beta] = [tensor([2, 12]), tensor([12]), tensor([12])]
    await expect(outputs('row-affine', {x, gamma, beta})).rejects.toThrow('launch-failed')
  }, 60_000)

  test('a scalar that stages hand on, and GM that is read back', async () => {
    const [rows, cols] = [3, 2500]
    const x = tensor([rows, cols])
    const run = await outputs('centre-square', {x})
    const wanted = Array.from({length: rows}, (_, row) => {
      const values = Array.from({length: cols}, (_none, at) => x.values[row * cols + at] as number)
      const mean = values.reduce((all, one) => all + one, 0) / cols
      return values.map((one) => (one - mean) ** 2)
    }).flat()
    near(run.values['y'], wanted, 1e-5)
  }, 60_000)

  test('atomic sums, two workspaces, single elements that are set and read', async () => {
    const x = tensor([3, 1001])
    const run = await outputs('atomic-total', {x})
    near(run.values['y'], [Array.from(x.values).reduce((all, one) => all + one, 0) / 3003], 1e-5)
    expect(run.execution.trace.tiling['countsOffset']).toBe(512)
  }, 60_000)

  test('indices, integers, and division that rounds down', async () => {
    const [rows, cols] = [2, 100]
    const index = {shape: [rows, cols], values: Array.from({length: rows * cols}, (_, at) => (at * 37) % cols)}
    const x = tensor([rows, cols])
    const run = await outputs('every-operation', {x, index})
    // Where x is positive, relu(x) >= 1 decides; what is not selected is raised to -7, and all is halved.
    const chosen = Array.from(x.values, (one) => {
      const relu = Math.max(one, 0)
      return relu >= 1 ? roundTo([relu / 2], 'float16')[0]! : -3.5
    })
    const row = (at: number) => Math.floor(at / cols) * cols
    // 0 / 0 is NaN, and comparing with it selects the other operand.
    near(
      run.values['y'],
      index.values.map((one, at) => chosen[row(at) + one] as number),
      2e-3,
    )
    const last = 2 * (3 + cols - 1)
    const wanted = Array.from({length: rows * cols}, (_, at) => (at % cols === 0 ? -last : 2 * (3 + (at % cols))))
    expect(Array.from(run.values['z'] ?? [])).toEqual(wanted)
  }, 60_000)
})
