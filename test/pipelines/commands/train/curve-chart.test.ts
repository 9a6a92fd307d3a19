import {describe, expect, test} from 'vitest'
import {curveChart, shortNumber} from '../../../../pipelines/commands/train/curve-chart.ts'

const chart = (values: readonly number[], width: number, height: number) =>
  curveChart(
    values.map((y, x) => ({x, y})),
    {width, height},
  )

describe('a curve', () => {
  test.each<[number[], number, number, string[]]>([
    [[0, 1, 2, 3, 4, 5, 6, 7], 12, 2, ['7 ┤    ⢀⣀⠤⠒⠊', '0 ┤⣀⠤⠒⠊⠁']],
    [[3, 1, 0], 20, 3, ['3 ┤⠉⠒⠤⣀⡀', '  ┤    ⠈⠑⠢⠤⣀', '0 ┤         ⠉⠉⠑⠒⠢⠤⢄⣀']],
    [[1.5, 0.25], 14, 2, [' 1.5 ┤⠉⠒⠤⣀', '0.25 ┤    ⠉⠒⠤⣀']],
    // One that is flat lies in the middle.
    [[5, 5, 5], 12, 2, ['5 ┤⣀⣀⣀⣀⣀⣀⣀⣀⣀', '5 ┤']],
    [[5, 5, 5], 12, 3, ['5 ┤', '  ┤⠒⠒⠒⠒⠒⠒⠒⠒⠒', '5 ┤']],
    [[1, 0], 11, 1, ['1 ┤⠉⠑⠒⠒⠤⠤⢄⣀']],
    // More points than columns: their means.
    [Array.from({length: 64}, (_, at) => at % 2), 12, 2, ['1 ┤   ⠠   ⠄', '0 ┤⠉⠑⠉⠁⠉⠊⠉⠈⠉']],
  ])('of %j in %d × %d cells', (values, width, height, lines) => {
    expect(chart(values, width, height)).toEqual(lines)
  })

  test('has its points where they belong, however far they are from each other', () => {
    const points = [
      {x: 10, y: 1},
      {x: 20, y: 2},
      {x: 100, y: 0},
    ]
    expect(curveChart(points, {width: 14, height: 2})).toEqual(['2 ┤⠠⠉⠒⠢⢄⣀', '0 ┤⠁     ⠉⠑⠢⠤⣀'])
  })

  test('of one point, or without eight columns for it, is none', () => {
    expect(chart([], 14, 2)).toEqual([])
    expect(chart([1], 14, 2)).toEqual([])
    expect(chart([1, 0], 10, 1)).toEqual([])
    expect(chart([1.5, 0.25], 13, 1)).toEqual([])
    expect(chart([1.5, 0.25], 14, 1)).toHaveLength(1)
  })
})

test.each([
  [0, '0'],
  [1, '1'],
  [-1, '-1'],
  [123.456, '123.5'],
  [1.23456, '1.235'],
  [-0.5, '-0.5'],
  [0.001, '0.001'],
  [0.00099, '9.90e-4'],
  [-0.00001, '-1.00e-5'],
  [12345, '12350'],
  [99994, '99990'],
  [100_000, '1.00e+5'],
  [1_234_567, '1.23e+6'],
])('%d is written %s', (value, text) => {
  expect(shortNumber(value)).toBe(text)
})
