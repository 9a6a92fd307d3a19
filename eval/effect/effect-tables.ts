import type {ScoreTable} from '../scores/table.ts'
import {differenceOf, valueOf, type Difference, type Reading} from './readings.ts'

/** An arm with the readings of each of its orders; the first arm is untrained. */
export interface ArmReadings {
  arm: string
  says: string
  /** Tokens that each order trained on, and how many of them were in answers. */
  tokens: number
  answerTokens: number
  orders: readonly (readonly Reading[])[]
}

/** Differences between two arms, by measure. */
export interface ArmDifference {
  arm: string
  from: string
  name: string
  better: Reading['better']
  unit: Reading['unit']
  difference: Difference
}

const namesOf = (arms: readonly ArmReadings[]) => [
  ...new Set(arms.flatMap(({orders}) => orders.flatMap((readings) => readings.map(({name}) => name)))),
]

const readingsBy = ({orders}: ArmReadings, name: string): Reading[] =>
  orders.flatMap((readings) => readings.find((one) => one.name === name) ?? [])

/** Every arm compared with one of them, for common measures. */
export function armDifferences(arms: readonly ArmReadings[], from: string): ArmDifference[] {
  const base = arms.find(({arm}) => arm === from)
  if (!base) return []
  return namesOf(arms).flatMap((name) => {
    const before = readingsBy(base, name)
    return arms.flatMap((one) => {
      const [first, ...more] = readingsBy(one, name)
      if (one === base || !first || before.length === 0) return []
      const difference = differenceOf([first, ...more], before, `${one.arm} ${from} ${name}`)
      return [{arm: one.arm, from, name, better: first.better, unit: first.unit, difference}]
    })
  })
}

const digits = ({unit}: Pick<Reading, 'unit'>) => (unit === '%' ? 1 : 3)

/** Means over orders; the spread is given below. */
export function valuesTable(arms: readonly ArmReadings[]): ScoreTable {
  const names = namesOf(arms)
  const cell = (one: ArmReadings, name: string) => {
    const readings = readingsBy(one, name)
    const [first] = readings
    if (!first) return ''
    const values = readings.map(valueOf)
    const mean = values.reduce((total, value) => total + value, 0) / values.length
    const ends = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits(first)))
    return values.length === 1 ? mean.toFixed(digits(first)) : `${mean.toFixed(digits(first))} [${ends.join(', ')}]`
  }
  return {
    title: 'Readings',
    note: 'Means over the orders of an arm, and the lowest and highest of them. Text and code in bits per byte.',
    columns: ['arm', 'what it is trained on', 'tokens', 'of answers', 'orders', ...names],
    names: 2,
    rows: arms.map((one) => [
      ...[one.arm, one.says, String(one.tokens), String(one.answerTokens), String(one.orders.length)],
      ...names.map((name) => cell(one, name)),
    ]),
  }
}

/** Differences from one arm, with the interval of each; a star marks significant ones. */
export function differencesTable(arms: readonly ArmReadings[], from: string): ScoreTable {
  const all = armDifferences(arms, from)
  const names = [...new Set(all.map(({name}) => name))]
  const cell = (arm: string, name: string) => {
    const one = all.find((other) => other.arm === arm && other.name === name)
    return one ? differenceText(one) : ''
  }
  return {
    title: `Differences from ${from}`,
    note:
      'Paired over files, rows, pairs or questions; 95 % bootstrap intervals. * the interval excludes 0. ' +
      'Lower is better for bits per byte, higher for shares.',
    columns: ['arm', ...names],
    names: 1,
    rows: arms.filter(({arm}) => arm !== from).map(({arm}) => [arm, ...names.map((name) => cell(arm, name))]),
  }
}

function differenceText({difference: {value, low, high}, ...one}: ArmDifference): string {
  const written = (number: number) => `${number > 0 ? '+' : ''}${number.toFixed(digits(one))}`
  const told = low > 0 || high < 0 ? '*' : ''
  return `${written(value)}${told} [${written(low)}, ${written(high)}]`
}

const [worth, bare] = ['code after ', 'code after none']

/** The effect of reasoning before the code, by arm: over rows measured both with and without it. */
export function reasoningTable(arms: readonly ArmReadings[]): ScoreTable {
  const names = namesOf(arms).filter((name) => name.startsWith(worth) && name !== bare)
  const cell = (one: ArmReadings, name: string) => {
    const [readings, without] = [readingsBy(one, name), readingsBy(one, bare)]
    const [first] = readings
    if (!first || without.length === 0) return ''
    const difference = differenceOf(readings, without, `${one.arm} ${name}`)
    return differenceText({arm: one.arm, from: bare, name, better: first.better, unit: first.unit, difference})
  }
  return {
    title: 'Value of reasoning',
    note:
      'Bits per byte of the correct code after reasoning, minus those without; lower is better. ' +
      "own: the row's; other: another row's; sampled: the model's own.",
    columns: ['arm', ...names.map((name) => name.slice(worth.length))],
    names: 1,
    rows: names.length === 0 ? [] : arms.map((one) => [one.arm, ...names.map((name) => cell(one, name))]),
  }
}

/** The smallest difference between two arms that each measure can detect: half of the widest interval. */
export function resolutionTable(arms: readonly ArmReadings[], from: string): ScoreTable {
  const all = armDifferences(arms, from)
  const names = [...new Set(all.map(({name}) => name))]
  const rows = names.map((name) => {
    const of = all.filter((one) => one.name === name)
    const [first] = of
    const widest = Math.max(...of.map(({difference}) => (difference.high - difference.low) / 2))
    const units = Math.max(...arms.flatMap((one) => readingsBy(one, name).map((reading) => reading.units.length)))
    return [name, first?.unit ?? '', String(units), widest.toFixed(first ? digits(first) : 3)]
  })
  return {
    title: 'Detectable differences',
    note: `Half of the widest interval among the differences from ${from}: smaller differences may be chance.`,
    columns: ['measure', 'unit', 'files, rows, pairs or questions', 'difference'],
    names: 2,
    rows,
  }
}
