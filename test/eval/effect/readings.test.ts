import {describe, expect, test} from 'vitest'
import type {EffectItem, ItemBits} from '../../../eval/effect/effect-item.ts'
import {differenceCharts} from '../../../eval/effect/effect-chart.ts'
import {
  armDifferences,
  differencesTable,
  reasoningTable,
  resolutionTable,
  valuesTable,
} from '../../../eval/effect/effect-tables.ts'
import {differenceOf, equalPairs, readingsOf, valueOf, type Reading} from '../../../eval/effect/readings.ts'

type Given = Partial<EffectItem> & Pick<EffectItem, 'measure' | 'unit'>

const item = ({measure, unit, variant = 'plain', group = 'device', parts = ['x']}: Given): EffectItem => ({
  ...{id: `${measure} ${variant} ${unit}`, measure, unit, variant, group},
  ...{before: '', parts, most: {}},
})

const bits = ({id}: EffectItem, ...parts: [bits: number, tokens: number, bytes: number][]): ItemBits => ({
  id,
  parts: parts.map(([of, tokens, bytes]) => ({bits: of, tokens, bytes})),
})

describe('readings', () => {
  test('code is bits over bytes of all files, not a mean of files', () => {
    const items = [item({measure: 'code', unit: 'a'}), item({measure: 'code', unit: 'b'})]
    const [device] = readingsOf(items, [bits(items[0]!, [10, 5, 10]), bits(items[1]!, [90, 5, 30])])
    expect([device?.name, device?.better, valueOf(device as Reading)]).toEqual(['device code', 'lower', 2.5])
  })

  test('reasoning is a reading for every variant', () => {
    const items = ['none', 'own'].map((variant) => item({measure: 'reasoning', unit: 'a', variant}))
    const read = readingsOf(items, [...[bits(items[0]!, [8, 2, 4]), bits(items[1]!, [4, 2, 4])]])
    expect(read.map((one) => [one.name, valueOf(one)])).toEqual([
      ['code after none', 2],
      ['code after own', 1],
    ])
  })

  test('ranking counts pairs of equal length, at the edit and in sum', () => {
    const pair = (unit: string, right: [number, number][], wrong: [number, number][]) => {
      const items = ['right', 'wrong'].map((variant) => item({measure: 'ranking', unit, variant, parts: ['e', 'f']}))
      const sized = (of: [number, number][]) => of.map(([b, t]) => [b, t, 1] as [number, number, number])
      return {items, bits: [bits(items[0]!, ...sized(right)), bits(items[1]!, ...sized(wrong))]}
    }
    const pairs = [
      pair('ahead', [[1, 2], [5, 9]], [[2, 2], [5, 9]]), // biome-ignore format: bits and tokens of edit and rest
      pair('at the edit alone', [[1, 2], [9, 9]], [[2, 2], [5, 9]]), // biome-ignore format: as above
      pair('unequal', [[1, 2], [5, 9]], [[9, 3], [5, 9]]), // biome-ignore format: as above
      pair('nothing edited', [[0, 0], [5, 9]], [[0, 0], [9, 9]]), // biome-ignore format: as above
    ]
    const read = readingsOf(
      pairs.flatMap((one) => one.items),
      pairs.flatMap((one) => one.bits),
    )
    expect(read.map((one) => [one.units.length, valueOf(one)])).toEqual([
      [2, 100],
      [2, 50],
    ])
    const counts = new Map([
      ['ranking right a', [1, 4]],
      ['ranking wrong a', [1, 4]],
      ['ranking right b', [1, 4]],
      ['ranking wrong b', [2, 4]],
    ])
    const drawn = ['a', 'b'].map((unit) =>
      ['right', 'wrong'].map((variant) => item({measure: 'ranking', unit, variant})),
    )
    expect(equalPairs(drawn, counts)).toEqual([drawn[0]])
  })

  test('a question is right where no other option is likelier, by token', () => {
    const options = ['right', 'wrong 1'].map((variant) => item({measure: 'interfaces', unit: 'q', variant}))
    const score = (right: [number, number], wrong: [number, number]) =>
      valueOf(readingsOf(options, [bits(options[0]!, [...right, 1]), bits(options[1]!, [...wrong, 1])])[0] as Reading)
    expect(score([10, 10], [8, 2])).toBe(100)
    expect(score([8, 2], [10, 10])).toBe(0)
    expect(score([8, 2], [8, 2])).toBe(0)
  })

  test('what was not scored is not read', () => {
    expect(readingsOf([item({measure: 'code', unit: 'a'})], [])).toEqual([])
  })
})

const reading = (values: readonly number[], name = 'device code'): Reading => ({
  measure: 'code',
  name,
  better: 'lower',
  unit: 'bits per byte',
  units: values.map((value, at) => ({unit: `u${at}`, value, weight: 1})),
})

const files = Array.from({length: 20}, (_, at) => 1 + (at % 7) / 10)

describe('differences', () => {
  test('are paired over units: what every unit shares cancels out', () => {
    const {value, low, high} = differenceOf([reading(files.map((one) => one - 0.1))], [reading(files)], 'seed')
    expect(value).toBeCloseTo(-0.1, 10)
    expect([low, high].map((one) => one.toFixed(6))).toEqual(['-0.100000', '-0.100000'])
  })

  test('have an interval that holds 0 where only some units moved', () => {
    const moved = files.map((one, at) => one + (at % 2 === 0 ? 0.1 : -0.1))
    const {low, high} = differenceOf([reading(moved)], [reading(files)], 'seed')
    expect(low).toBeLessThan(0)
    expect(high).toBeGreaterThan(0)
    expect(differenceOf([reading(moved)], [reading(files)], 'seed')).toEqual({value: expect.anything(), low, high})
  })

  test('take the mean over the orders of an arm, and units that both have', () => {
    const orders = [reading([2, 4]), reading([4, 4])]
    expect(differenceOf(orders, [reading([1, 1, 9])], 'seed').value).toBeCloseTo(2.5, 10)
  })
})

describe('tables', () => {
  const arm = (name: string, orders: Reading[][]) => ({arm: name, says: name, tokens: 10, answerTokens: 4, orders})
  const arms = [
    arm('base', [[reading(files)]]),
    arm('whole', [[reading(files.map((one) => one - 0.2))], [reading(files.map((one) => one - 0.1))]]),
  ]

  test('give the mean and the ends of the orders', () => {
    const {columns, rows} = valuesTable(arms)
    expect(columns.at(-1)).toBe('device code')
    expect(rows.map((row) => row.at(-1))).toEqual(['1.285', '1.135 [1.085, 1.185]'])
  })

  test('mark a difference that chance does not explain', () => {
    expect(differencesTable(arms, 'base').rows).toEqual([['whole', '-0.150* [-0.150, -0.150]']])
    expect(armDifferences(arms, 'raw')).toEqual([])
    expect(resolutionTable(arms, 'base').rows).toEqual([['device code', 'bits per byte', '20', '0.000']])
  })

  test('reasoning is worth what it saves on the rows that were read with it, not on others', () => {
    const unit = (name: string, value: number) => ({unit: name, value, weight: 10})
    const reading = (variant: string, units: Reading['units']): Reading => ({
      ...{measure: 'reasoning', name: `code after ${variant}`, better: 'lower', unit: 'bits per byte', units},
    })
    const none = reading('none', [unit('a', 10), unit('b', 10), unit('hard', 90)])
    const orders = [
      [
        none,
        reading('own', [unit('a', 8), unit('b', 7), unit('hard', 88)]),
        reading('sampled', [unit('a', 9), unit('b', 9)]),
      ],
    ]
    const {columns, rows} = reasoningTable([{arm: 'whole', says: '', tokens: 1, answerTokens: 1, orders}])
    expect(columns).toEqual(['arm', 'own', 'sampled'])
    expect(rows).toEqual([['whole', expect.stringMatching(/^-0\.233\*/), '-0.100* [-0.100, -0.100]']])
    expect(reasoningTable(arms).rows).toEqual([])
  })

  test('have a chart with a dot for every arm but the one that they start from', () => {
    const {html} = differenceCharts(armDifferences(arms, 'base'))
    expect(html.match(/<circle/g)).toHaveLength(1)
    expect(html).toContain('device code (bits per byte, lower is better)')
    expect(html).toContain('-0.150')
  })
})
