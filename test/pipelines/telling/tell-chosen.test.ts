import {describe, expect, test} from 'vitest'
import {isHollow, type Counterfactual, type Decision} from '../../../datasets/schema/decision.ts'
import {voice} from '../../../datasets/voice.ts'
import {randomFrom} from '../../../engine/random.ts'
import {tellChosen} from '../../../pipelines/telling/tell-chosen.ts'

type Because = Decision['because'][number]

const seeds = Array.from({length: 40}, (_, at) => `seed ${at}`)
const told = (all: readonly Decision[], seed: string, how?: Parameters<typeof tellChosen>[2]) =>
  tellChosen(all, voice('en', randomFrom(seed)), how)

const step = (name: string): Because => ({
  ...{kind: 'arithmetic', name, expression: 'n * 2', values: [['n', 7]], worked: '7 × 2', result: 14},
})

function changed(change: string, observed: Counterfactual['observed'], modelled?: Counterfactual['modelled']): Because {
  const place = {
    subject: change === 'no-bound' ? 'Mins(x)' : 'queue_',
    path: 'op_kernel/a.cpp',
    line: 3,
    before: 'a',
    after: 'b',
  }
  return {kind: 'counterfactual', change, ...place, values: {}, observed, ...(modelled && {modelled})}
}

const equal = {outcome: 'equal', large: true} as const
const wrong = {
  ...{outcome: 'wrong', inputs: 'large', output: 'y', index: 3, seen: 'NaN', expected: 876, differ: 5, of: 231},
  at: [['x', 876]],
} satisfies Counterfactual['observed']
const slower = {before: 1, after: 2, elements: 262_144}

const cores = {total: 3072, unit: 'elements', share: 64, full: 48, blocks: 48, cores: 48, output: 'y', less: 0}
const common: Decision[] = [
  {
    ...{topic: 'instructions', situation: 'several', subject: '', because: []},
    values: {chain: ['Sub', 'Abs'], instructions: 2, different: 2},
  },
  {
    ...{topic: 'cores', situation: 'all-alike', subject: 'share', values: {...cores, lessCores: 0}},
    because: [step('share'), changed('one-core', equal, slower)],
  },
  {topic: 'handed-over', situation: 'worked', subject: '', values: {}, because: [step('offset')]},
  {
    ...{topic: 'depth', situation: 'one-tile', subject: 'queue_', values: {queues: ['queue_'], rounds: 1}},
    because: [changed('single-blocks', equal, slower)],
  },
  {
    ...{topic: 'tail', situation: 'cut', subject: 'tile', because: []},
    values: {share: 64, tile: 128, whole: 0, rest: 64, unit: 'elements', field: 'tile'},
  },
  {topic: 'synchronisation', situation: 'queues', subject: 'queue_', values: {queues: ['queue_']}, because: []},
]
const bound: Decision = {
  ...{topic: 'range', situation: 'observed', subject: 'Mins(x)', values: {}},
  because: [changed('no-bound', wrong)],
}

const tile: Decision = {
  ...{topic: 'tile', situation: 'one-tile', subject: 'tile', because: [step('tile')]},
  values: {
    ...{field: 'tile', tile: 128, unit: 'elements', perUnit: 12, fixed: 0, kept: 0, keeper: ''},
    ...{capacity: 196_352, used: 1536, share: 64, rounds: 1},
    ...{...{sum: '3 × 1 × 4', holders: ['a', 'b', 'c']}, derived: 'none', reason: 'none', room: ''},
  },
}

describe('of what holds of most kernels', () => {
  test('rows tell different parts, each of them in some rows and in some not', () => {
    const rows = seeds.map((seed) => told(common, seed).join('\n'))
    for (const one of [/→/, /queue_|block|overlap|round/i, /DeQue|EnQue|flag|barrier|pipe/i]) {
      const share = rows.filter((text) => one.test(text)).length
      expect(share, String(one)).toBeGreaterThan(0)
    }
    expect(rows.filter((text) => text.includes('→')).length).toBeLessThan(seeds.length)
    expect(rows.filter((text) => /EnQue|DeQue|pipe/.test(text)).length).toBeLessThan(seeds.length)
    expect(rows.filter((text) => /model/.test(text)).length).toBeLessThan(seeds.length)
    expect(new Set(rows).size).toBe(seeds.length)
  })

  test('a row tells no less than makes it worth reading, or all that there is', () => {
    for (const seed of seeds) {
      expect(told(common, seed).length).toBeGreaterThanOrEqual(5)
      expect(told(common.slice(1, 4), seed)).toHaveLength(3)
    }
  })
})

test('what would be wrong otherwise is told by every row, in the order of the decisions', () => {
  for (const seed of seeds) {
    const [first] = told([bound, ...common], seed)
    expect(first).toMatch(/`Mins\(x\)`.*NaN/)
  }
})

test('where a request asks for values and pipes, no arithmetic is left out, nor what orders them', () => {
  for (const seed of seeds) {
    const paragraphs = told([tile, ...common], seed, {isAsked: true})
    expect(paragraphs.join('\n').match(/7 × 2 = 14/g)).toHaveLength(3)
    expect(paragraphs.at(-1)).toMatch(/EnQue|DeQue|pipe|MTE2/)
  }
})

test('of a kernel alone nothing counts that its text does not show', () => {
  for (const seed of seeds)
    expect(told([bound, ...common], seed, {kernel: 'void f() { queue_; share; tile; }'}).join('\n')).not.toContain(
      'Mins',
    )
})

test('a row that is long but says no evidence is hollow: two decisions with some are told', () => {
  const [, plain] = common as [Decision, Decision]
  const long = [...Array.from({length: 6}, () => ({...plain, because: []})), tile, tile]
  expect([isHollow(long.slice(0, 6)), isHollow(long.slice(0, 7)), isHollow(long)]).toEqual([true, true, false])
  for (const seed of seeds)
    expect(
      told(long, seed)
        .join('\n')
        .match(/7 × 2 = 14/g),
    ).toHaveLength(2)
})
