import {describe, expect, test} from 'vitest'
import {
  categories,
  elements,
  isNoNumber,
  mhcSizes,
  noNumbersOf,
  rolesOf,
  settingsOf,
  sizesOf,
  tierNames,
  type Setting,
} from '../../../../eval/bench/multikernelbench/tiers.ts'
import {golden} from '../../../helpers/golden.ts'

const told = ({constants, cut, init}: Setting) =>
  [
    constants && Object.entries(constants).map(([name, value]) => `${name}=${String(value)}`),
    cut && `cut ${cut.join('x')}`,
    init && `init ${init.join(', ')}`,
  ]
    .filter(Boolean)
    .join('; ')

/** Tasks of the same sizes share their lines. */
function page(): string {
  const tasksOf = new Map<string, string[]>()
  for (const task of Object.keys(sizesOf)) {
    const tiers = tierNames.map((tier) => `  ${tier}: ${settingsOf(task, tier).map(told).join(' | ')}`).join('\n')
    tasksOf.set(tiers, [...(tasksOf.get(tiers) ?? []), task])
  }
  return [...tasksOf].map(([tiers, tasks]) => `${tasks.join(' ')}\n${tiers}\n`).join('\n')
}

/** Scores of one tier can be compared over time only while its sizes stay as they are. */
test('the sizes of every tier', () => {
  golden('test/fixtures/told/tiers.txt', page())
})

describe('the odd sizes', () => {
  const sizes = ({constants = {}, cut = []}: Setting) => [
    ...Object.values(constants).filter((one): one is number => typeof one === 'number'),
    ...cut,
  ]
  test('of every task have a first axis of one and a length that no block of 32 bytes divides', () => {
    for (const [task, {odd}] of Object.entries(sizesOf)) {
      expect(
        odd.some((one) => sizes(one)[0] === 1),
        task,
      ).toBe(true)
      expect(
        odd.some((one) => sizes(one).some((size) => size > 8 && size % 8 !== 0)),
        task,
      ).toBe(true)
      expect(odd.length, task).toBeGreaterThanOrEqual(2)
    }
  })
})

test('a task that has no sizes of its own is called as its module says, in every tier', () => {
  for (const tier of tierNames) expect(settingsOf('somebody_elses', tier)).toEqual([{}])
  expect(settingsOf('relu', 'head')).toEqual([{}])
  expect(settingsOf('relu', 'v0')).toEqual([{constants: {batch_size: 16, dim: 16384}}])
})

test('mHC is called once for each of its sizes and for one type at a time', () => {
  expect(elements).toEqual(['float16', 'bfloat16', 'float32'])
  for (const [place, element] of elements.entries()) {
    expect(settingsOf('mhc_pre', 'v0', element)).toEqual([])
    for (const tier of ['head', 'scaled', 'odd'] as const) {
      const settings = settingsOf('mhc_pre', tier, element)
      expect(settings.map(({constants}) => constants?.['element'])).toEqual(mhcSizes[tier].map(() => place))
    }
  }
  const four = (tier: 'head' | 'scaled' | 'odd') =>
    mhcSizes[tier].map(({constants = {}}) => ['batch', 'sequence', 'streams', 'width'].map((name) => constants[name]))
  expect(four('head')).toEqual([
    [1, 1024, 4, 5120],
    [1, 2048, 4, 2560],
  ])
  expect(four('scaled')).toEqual([
    [1, 40, 4, 6544],
    [1, 8, 4, 14366],
    [1, 269, 6, 384],
    [4, 64, 8, 384],
    [1, 24, 8, 3264],
  ])
  expect(four('odd')).toEqual([
    [1, 1, 4, 128],
    [3, 7, 5, 131],
    [2, 53, 4, 1],
  ])
})

test('values that are no numbers are asked of what hands each value on by itself', () => {
  expect(['infinite', 'nan', 'wide', 'normal'].map(isNoNumber)).toEqual([true, true, false, false])
  expect(noNumbersOf('relu')).toEqual(['infinite', 'nan'])
  expect(noNumbersOf('max_pooling_1d')).toEqual(['infinite', 'nan'])
  for (const none of ['mse_loss', 'hinge_loss', 'somebody_elses', ...Object.keys(rolesOf)])
    expect(noNumbersOf(none), none).toEqual([])
})

test('the seven categories stand in the order of the paper', () => {
  expect(categories.join(' ')).toBe('activation loss math normalization optimizer reduce pooling')
})
