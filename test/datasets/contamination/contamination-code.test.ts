import {describe, expect, test} from 'vitest'
import {
  codeFeatures,
  codeIndex,
  codeUnits,
  weightsOf,
  type CodeMatch,
  type Features,
} from '../../../datasets/contamination/contamination-code.ts'
import {flowIndex} from '../../../datasets/contamination/contamination.ts'
import {cppForm, pythonForm} from '../../../datasets/contamination/normalize-statements.ts'

type Kind = 'file' | 'function' | 'python'

const range = (count: number, from: number) => Array.from({length: count}, (_, at) => from + at)
const features = (numbers: readonly number[], calling = false): Features =>
  new Map(numbers.map((one) => [one, calling]))
const unit = (kind: Kind, size: number, {reference = 0, from = 1} = {}) => ({
  reference,
  kind,
  features: features(range(size, from)),
  weight: 0,
})
/** A text that has the first features of a unit, and more of its own. */
const text = (found: number, {more = 0, calling = false} = {}) =>
  features([...range(found, 1), ...range(more, 1000)], calling)
const short = (leak: CodeMatch | undefined) => leak && `${leak.of} ${leak.found}/${leak.statements}`

describe('code that one reference alone has', () => {
  test.each<[Kind, size: number, found: number, leak: string | undefined, near: number]>([
    ['file', 12, 8, 'file 8/12', 0],
    ['file', 13, 8, undefined, 8 / 13],
    ['file', 20, 13, 'file 13/20', 0],
    ['file', 20, 12, undefined, 0.6],
    ['file', 10, 7, undefined, 0],
    ['file', 8, 6, 'file 6/8', 0],
    ['file', 9, 6, undefined, 0],
    ['file', 5, 5, undefined, 0],
    ['function', 10, 8, 'function 8/10', 0],
    ['function', 11, 8, undefined, 8 / 11],
    ['function', 8, 7, undefined, 0],
    ['function', 40, 14, undefined, 0.35],
    ['python', 2, 2, 'file 2/2', 0],
    ['python', 4, 3, 'file 3/4', 0],
    ['python', 5, 3, undefined, 0.6],
    ['python', 1, 1, undefined, 0],
  ])('a %s of %d statements, of which %d are in a long text', (kind, size, found, leak, near) => {
    const matched = codeIndex([unit(kind, size)], 1).match(text(found, {more: 100}))
    expect([short(matched.leak), matched.near]).toEqual([leak, near])
  })

  test.each([
    [14, 6, 'part 14/40', 0],
    [10, 4, 'part 10/40', 0],
    [10, 5, undefined, 0.25],
    [9, 0, undefined, 9 / 40],
  ])('a text of which %d statements are of one file and %d are not', (found, more, leak, near) => {
    const matched = codeIndex([unit('file', 40)], 1).match(text(found, {more}))
    expect([short(matched.leak), matched.near]).toEqual([leak, near])
  })

  test('a share is that of the reference, of a part that of the text', () => {
    const match = (found: number, more: number) => codeIndex([unit('file', 40)], 1).match(text(found, {more})).leak
    expect(match(30, 100)).toEqual({reference: 0, of: 'file', found: 30, statements: 40, share: 0.75, weight: 30})
    expect(match(15, 5)).toEqual({reference: 0, of: 'part', found: 15, statements: 40, share: 0.75, weight: 15})
  })
})

/** Nine of nine references have it: its weight is next to nothing. */
const everybodys = (kind: Kind, size: number) => range(9, 0).map((reference) => unit(kind, size, {reference}))

describe('code that every reference has is told by its number alone', () => {
  test.each<[Kind, size: number, found: number, leak: string | undefined]>([
    ['file', 25, 20, 'file 20/25'],
    ['file', 26, 20, undefined],
    ['file', 25, 19, undefined],
    ['file', 20, 19, 'file 19/20'],
    ['file', 10, 9, 'file 9/10'],
    ['file', 11, 9, undefined],
    ['file', 8, 8, undefined],
    ['function', 12, 12, 'function 12/12'],
    ['function', 13, 12, 'function 12/13'],
    ['function', 14, 12, undefined],
    ['function', 11, 11, undefined],
    ['python', 30, 30, undefined],
  ])('a %s of %d statements, %d of them found', (kind, size, found, leak) => {
    const matched = codeIndex(everybodys(kind, size), 9).match(text(found, {more: 100}))
    expect([short(matched.leak), matched.near, matched.holds]).toEqual([leak, 0, false])
  })
})

test('of what weighs nothing at all, the share is 0', () => {
  // Two have it, and one is counted on.
  const index = codeIndex([unit('file', 25), unit('file', 25, {reference: 1})], 1)
  const leak = {reference: 0, of: 'file', found: 20, statements: 25, share: 0, weight: 0}
  expect(index.match(text(20, {more: 10}))).toEqual({leak, near: 0, holds: false})
})

describe('a text that is one function', () => {
  const match = (size: number, found: number, how: {more?: number; calling?: boolean}, kind: Kind = 'function') =>
    codeIndex([unit(kind, size)], 1).match(text(found, how))

  test('calls hardly anything else', () => {
    expect(short(match(5, 5, {calling: true}).leak)).toBe('function 5/5')
    expect(match(5, 5, {calling: true, more: 1}).leak).toBeUndefined()
    expect(match(5, 5, {calling: false}).leak).toBeUndefined()
    expect(match(4, 4, {calling: true}).leak).toBeUndefined()
    expect(match(6, 5, {calling: true}).leak).toBeUndefined()
    expect(short(match(5, 5, {calling: true}, 'file').leak)).toBe('file 5/5')
  })

  test('is held where it stands among other code', () => {
    expect(match(5, 5, {more: 100})).toEqual({near: 0, holds: true})
    expect(match(4, 4, {more: 100}).holds).toBe(false)
    expect(match(6, 5, {more: 100}).holds).toBe(false)
    expect(match(10, 9, {more: 100}).holds).toBe(true)
    expect(match(10, 8, {more: 100}).holds).toBe(false)
    expect(match(5, 5, {more: 100}, 'file').holds).toBe(false)
    expect(codeIndex(everybodys('function', 5), 9).match(text(5, {calling: true}))).toEqual({near: 0, holds: false})
  })

  test('nine tenths of the calls are enough', () => {
    // Two of three references have each statement: it weighs a half.
    const shared = (size: number, from: number) => [0, 1].map((reference) => unit('function', size, {reference, from}))
    const index = codeIndex([...shared(9, 1), ...shared(3, 1000)], 3)
    expect(short(index.match(text(9, {calling: true, more: 1})).leak)).toBe('function 9/9')
    expect(index.match(text(9, {calling: true, more: 2})).leak).toBeUndefined()
  })
})

test('the worst leak is that of most weight, of equal ones that of the first reference', () => {
  const units = [
    unit('file', 12, {reference: 2}),
    unit('file', 12, {reference: 1}),
    unit('file', 20, {reference: 3, from: 50}),
  ]
  const both = features([...range(12, 1), ...range(20, 50), ...range(50, 1000)])
  const index = codeIndex(units, 4)
  expect(index.match(both).leak).toMatchObject({reference: 3, weight: 20})
  expect(index.match(text(12, {more: 50})).leak).toMatchObject({reference: 1})
  // What one text met is not held against the next.
  expect(index.match(features([1, 2, 3]))).toEqual({near: 0, holds: false})
  expect(index.match(both).leak).toMatchObject({reference: 3, weight: 20})
})

test('what more references have weighs less', () => {
  const weigh = weightsOf(
    [0, 1, 2].map((reference) => ({reference, features: features(range(reference + 1, 1))})),
    3,
  )
  expect([1, 2, 3, 99].map(weigh)).toEqual([1 - Math.log(3) / Math.log(4), 0.5, 1, 1])
  // Twice in one reference is once.
  const twice = weightsOf(
    [0, 0].map((reference) => ({reference, features: features([1])})),
    3,
  )
  expect(twice(1)).toBe(1)
})

describe('what code says', () => {
  const said = (code: string) => codeFeatures([{form: cppForm(code)}])

  test('statements of four tokens and more, and calls that follow each other', () => {
    expect(said('a = b;').size).toBe(0)
    expect(said('a += b[1];').size).toBe(1)
    expect([...said('a += b[1];').values()]).toEqual([false])
    expect([...said('Add(a, b);').values()]).toEqual([true])
    expect(said('Add(a, b); Mul(a, b);').size).toBe(3)
    expect(said('Add(a, b); Add(c, d);').size).toBe(2)
  })

  test('barriers between two calls part nothing', () => {
    const pair = (middle: string) => [...said(`Add(a, b);${middle} Mul(a, b);`).keys()].slice(-1)
    expect(pair(' PipeBarrier<PIPE_V>();')).toEqual(pair(''))
    expect(pair(' SyncAll();')).toEqual(pair(''))
    expect(pair(' Exp(a, b, c);')).not.toEqual(pair(''))
  })

  test('files and functions are told apart, and what innocent texts say is left out', () => {
    const block = {form: cppForm('void f() { Add(a, b); Mul(a, b); }\nint g() { return 1; }'), isPython: false}
    const python = {form: pythonForm('y = torch.relu(x)\n'), isPython: true}
    const units = (innocent: ReadonlySet<number>) =>
      codeUnits([block, python], 7, innocent).map((one) => [one.kind, one.features.size, one.reference])
    expect(units(new Set())).toEqual([
      ['file', 3, 7],
      ['function', 3, 7],
      ['python', 1, 7],
    ])
    expect(units(new Set([...codeFeatures([python]).keys()]))).toEqual([
      ['file', 3, 7],
      ['function', 3, 7],
    ])
  })
})

describe('what flows in a function', () => {
  const flow = (size: number, {reference = 0, from = 1} = {}) => ({reference, features: new Set(range(size, from))})
  const match = (units: ReturnType<typeof flow>[], references: number, found: number, more = 0) =>
    flowIndex(units, references)(new Set([...range(found, 1), ...range(more, 1000)]))

  test.each<[size: number, found: number, more: number, leak: string | undefined, near: number, holds: boolean]>([
    [8, 8, 0, 'flow 8/8', 0, true],
    [8, 7, 0, undefined, 0, false],
    [10, 9, 0, 'flow 9/10', 0, true],
    [11, 9, 0, undefined, 9 / 11, false],
    [14, 14, 6, 'flow 14/14', 0, true],
    [14, 14, 7, undefined, 0, true],
    [20, 14, 6, undefined, 0.7, false],
    [20, 14, 7, undefined, 0, false],
  ])('a function of %d links, %d of them found, and %d others', (size, found, more, leak, near, holds) => {
    const matched = match([flow(size)], 1, found, more)
    expect([short(matched.leak), matched.near, matched.holds]).toEqual([leak, near, holds])
  })

  test('everybody’s tells nothing', () => {
    const all = range(9, 0).map((reference) => flow(60, {reference}))
    expect(match(all, 9, 60)).toEqual({near: 0, holds: false})
    // Sixty-six of them weigh three.
    const more = range(9, 0).map((reference) => flow(66, {reference}))
    expect(short(match(more, 9, 66).leak)).toBe('flow 66/66')
    expect(match(more, 9, 65)).toEqual({near: 0, holds: false})
  })

  test('the worst is that of most weight, of equal ones that of the first reference', () => {
    expect(match([flow(9, {reference: 5}), flow(9, {reference: 4})], 9, 9).leak?.reference).toBe(4)
    expect(match([flow(9, {reference: 1}), flow(10, {reference: 2})], 9, 10).leak?.reference).toBe(2)
  })
})
