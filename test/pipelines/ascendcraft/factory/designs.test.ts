import {describe, expect, test} from 'vitest'
import type {CraftDesign, Expression} from '../../../../datasets/schema/crafted-operator.ts'
import {structureOfDesign} from '../../../../pipelines/ascendcraft/factory/ascendcraft-designs.ts'
import {isSound} from '../../../../pipelines/ascendcraft/factory/draw-expression.ts'
import {expressionsOf, namesIn, partsOf, written} from '../../../../pipelines/ascendcraft/factory/math-expression.ts'
import {families, routes} from '../../../../pipelines/ascendcraft/factory/families.ts'
import {functions} from '../../../../pipelines/ascendcraft/factory/functions.ts'
import {benchmarkFormula} from '../../../../pipelines/ascendcraft/factory/benchmark-formulas.ts'
import {randomFrom} from '../../../../engine/random.ts'
import {drawnDesigns} from './drawn-designs.ts'

type Unnamed = Omit<CraftDesign, 'name'>
const {drawn, dropped} = await drawnDesigns(250)

const input = (
  name: string,
  layout: CraftDesign['inputs'][number]['layout'] = 'full',
): CraftDesign['inputs'][number] => ({
  name,
  layout,
  type: 'float32',
  domain: [-4, 4],
})

function design(form: CraftDesign['form'], value: Expression, more: Partial<Unnamed> = {}): Unnamed {
  const layout = {rows: 'full', all: 'one', windows: 'windows'}[form as 'rows'] ?? 'full'
  return {
    category: 'math',
    form,
    inputs: [input('x')],
    attributes: [],
    stages: [],
    outputs: [{name: 'out', layout: layout as 'full', type: 'float32', value}],
    compute: 'float32',
    strategy: 'runs',
    depth: 2,
    ...more,
  }
}
const elements = (value: Expression, ...names: string[]) =>
  design('elements', value, {inputs: names.map((name) => input(name))})

describe('designs of a seed', () => {
  test('are the same bytes twice, and others with another seed', async () => {
    expect(JSON.stringify((await drawnDesigns(40)).drawn)).toBe(JSON.stringify(drawn.slice(0, 40)))
    expect(JSON.stringify((await drawnDesigns(5, 'other')).drawn)).not.toBe(JSON.stringify(drawn.slice(0, 5)))
  })

  test('differ in structure and in name, and use every family, route and strategy', () => {
    expect(new Set(drawn.map(({structure}) => structure)).size).toBe(drawn.length)
    expect(new Set(drawn.map(({design: {name}}) => name)).size).toBe(drawn.length)
    const seen = new Set(drawn.map(({design: {category, form}}) => `${category} ${form}`))
    expect(families.filter(({category, form}) => !seen.has(`${category} ${form}`))).toEqual([])
    const types = drawn.map(({design: {inputs, outputs, compute}}) => {
      const first = inputs.find(({layout}) => layout !== 'rows')!
      return `${first.type} ${compute} ${outputs[0]!.type}`
    })
    const missing = routes.filter(({input: from, compute, output}) => !types.includes(`${from} ${compute} ${output}`))
    expect(missing).toEqual([])
    const strategies = new Set(drawn.map(({design: {strategy, depth}}) => `${strategy} ${depth}`))
    expect(strategies.size).toBe(12)
  })

  test('read all of their inputs, attributes and reductions', () => {
    for (const {design: one} of drawn) {
      const read = new Set(expressionsOf(one).flatMap((root) => [...namesIn(root)]))
      const named = [...one.inputs, ...one.attributes, ...one.stages].map(({name}) => name)
      expect(
        named.filter((name) => name !== 'index' && !read.has(name)),
        one.name,
      ).toEqual([])
      if (one.scan) expect(read, one.name).toContain('state')
    }
  })

  test('use every function', () => {
    const used = new Set(
      drawn.flatMap(({design: one}) => expressionsOf(one).flatMap(partsOf)).map((part) => part[0 as never]),
    )
    expect(Object.keys(functions).filter((name) => !used.has(name as never))).toEqual([])
  })

  test('say why others were refused', () => {
    expect(new Set(dropped.map(({reason}) => reason))).toEqual(new Set(['benchmark-formula']))
  })
})

describe('a structure', () => {
  const plain = structureOfDesign(elements(['add', ['tanh', 'x'], ['mul', 'y', 0.5]], 'x', 'y'))
  test.each<[string, Unnamed]>([
    ['other names', elements(['add', ['tanh', 'a'], ['mul', 'b', 0.5]], 'a', 'b')],
    ['other numbers', elements(['add', ['tanh', 'x'], ['mul', 'y', 3]], 'x', 'y')],
    ['another order', elements(['add', ['mul', 0.5, 'y'], ['tanh', 'x']], 'x', 'y')],
  ])('stays the same for %s', (_, other) => {
    expect(structureOfDesign(other)).toBe(plain)
  })
  test.each<[string, Unnamed]>([
    ['another function', elements(['sub', ['tanh', 'x'], ['mul', 'y', 0.5]], 'x', 'y')],
    ['another input', elements(['add', ['tanh', 'x'], ['mul', 'x', 0.5]], 'x', 'y')],
    ['another strategy', {...elements(['add', ['tanh', 'x'], ['mul', 'y', 0.5]], 'x', 'y'), strategy: 'turns'}],
    ['another depth', {...elements(['add', ['tanh', 'x'], ['mul', 'y', 0.5]], 'x', 'y'), depth: 1}],
    [
      'a vector',
      {...elements(['add', ['tanh', 'x'], ['mul', 'y', 0.5]], 'x'), inputs: [input('x'), input('y', 'columns')]},
    ],
  ])('differs for %s', (_, other) => {
    expect(structureOfDesign(other)).not.toBe(plain)
  })
  test('keeps the operands of a difference apart', () => {
    const [ab, ba] = [elements(['sub', ['exp', 'x'], 'y'], 'x', 'y'), elements(['sub', 'x', ['exp', 'y']], 'x', 'y')]
    expect(structureOfDesign(ab)).not.toBe(structureOfDesign(ba))
  })
})

describe('a formula of a benchmark', () => {
  const mean: Expression = ['div', 'found', 'n']
  const centred: Expression = ['sub', 'x', 's1']
  const stage = (name: string, reduce: 'sum' | 'max', of: Expression, made: Expression) => ({name, reduce, of, made})
  const softmaxStages = [stage('s1', 'max', 'x', 'found'), stage('s2', 'sum', ['exp', centred], 'found')]
  const normStages = [
    stage('s1', 'sum', 'x', mean),
    stage('s2', 'sum', ['square', centred], ['sqrt', ['add', mean, 0.25]]),
  ]
  test.each<[string, Unnamed]>([
    ['relu', elements(['max', 'x', 0], 'x')],
    ['swish', elements(['div', 'x', ['add', ['exp', ['mul', 'x', -1]], 1]], 'x')],
    ['leaky_relu', elements(['where', 'x', 0, 'x', ['mul', 'x', 0.125]], 'x')],
    ['clip', elements(['min', ['max', 'x', -0.5], 1.5], 'x')],
    ['addcmul', elements(['add', ['mul', ['mul', 'y', 'z'], 0.75], 'x'], 'x', 'y', 'z')],
    ['swiglu', elements(['mul', ['mul', 'b', ['sigmoid', 'b']], 'a'], 'a', 'b')],
    ['softmax', design('rows', ['div', ['exp', centred], 's2'], {stages: softmaxStages})],
    ['log_softmax', design('rows', ['sub', centred, ['log', 's2']], {stages: softmaxStages})],
    ['layer_norm', design('rows', ['div', centred, 's2'], {stages: normStages})],
    [
      'layer_norm_affine',
      design('rows', ['add', ['mul', ['div', centred, 's2'], 'gamma'], 'beta'], {
        inputs: [input('x'), input('gamma', 'columns'), input('beta', 'columns')],
        stages: normStages,
      }),
    ],
    [
      'mse_loss',
      design('all', 's1', {
        inputs: [input('p'), input('t')],
        stages: [stage('s1', 'sum', ['square', ['sub', 'p', 't']], mean)],
      }),
    ],
    ['cumulative_sum', design('scan', 'state', {scan: {start: 0, next: ['add', 'before', 'x']}})],
    [
      'average_pooling',
      design('windows', ['mul', 's1', 0.5], {window: {size: 2, step: 2}, stages: [stage('s1', 'sum', 'x', 'found')]}),
    ],
  ])('%s is recognised however it is written', (name, one) => {
    expect(benchmarkFormula(one)).toBe(name)
  })
  test.each<[string, Unnamed]>([
    ['a tanh of relu', elements(['tanh', ['max', 'x', 0]], 'x')],
    [
      'softmax and a term',
      design('rows', ['add', ['div', ['exp', centred], 's2'], ['mul', 'x', 0.5]], {stages: softmaxStages}),
    ],
    ['a decaying sum', design('scan', 'state', {scan: {start: 0, next: ['add', ['mul', 'before', 0.5], 'x']}})],
    [
      'a loss of another power',
      design('all', 's1', {
        inputs: [input('p'), input('t')],
        stages: [stage('s1', 'sum', ['exp', ['sub', 'p', 't']], mean)],
      }),
    ],
  ])('%s is none', (_, one) => {
    expect(benchmarkFormula(one)).toBeUndefined()
  })
})

describe('an expression is sound', () => {
  const range = (): readonly [number, number] => [-4, 4]
  const sound = (...roots: Expression[]) => isSound(roots, range, randomFrom('sound'))
  test('if every part of it adds something', () => {
    expect(sound(['add', ['tanh', 'x'], 'y'])).toBe(true)
    expect(sound(['max', 'x', -5])).toBe(false)
    expect(sound(['sub', ['add', 'x', 'y'], 'y'])).toBe(false)
    expect(sound(['mul', ['sub', 'x', 'x'], 'y'])).toBe(false)
  })
  test('if single precision is enough for it', () => {
    expect(sound(['sub', ['add', ['square', 'y'], ['mul', 'x', 1e5]], ['mul', 'x', 1e5]])).toBe(false)
  })
})

test('operands are bracketed where their functions bind less, in each language', () => {
  const one: Expression = ['mul', ['sub', 'x', ['sub', 'y', 0.5]], ['div', ['max', 'x', 2], 'y']]
  expect(written(one, 'tile')).toBe('(x - (y - 0.5)) * (max(x, 2.0) / y)')
  expect(written(one, 'torch')).toBe('(x - (y - 0.5)) * (torch.clamp(x, min=2.0) / y)')
  expect(written(['square', ['mul', 'x', -2]], 'typescript')).toBe('(x * (-2.0)) ** 2')
  expect(written(['div', 1, ['add', 'x', 1]], 'latex')).toBe('\\frac{1.0}{x + 1.0}')
})
