import {describe, expect, test} from 'vitest'
import {contaminationIndex, type Place} from '../../../datasets/contamination/contamination.ts'

const api = new Set(['Muls', 'Adds'])
const statements = (count: number, from = 0) =>
  Array.from({length: count}, (_, at) => `x = ${from + at} + y * 3;`).join('\n')
const words = (count: number, from = 0) => Array.from({length: count}, (_, at) => `word${from + at}`).join(' ')
const place = (name: string, text: string, as: Place['as'] = 'code'): Place => ({name, text, as})
const calls = (count: number, from = 0) => Array.from({length: count}, (_, at) => `Muls(x, y, ${from + at});`)
const within = (body: readonly string[], name = 'Work') =>
  `__aicore__ inline void ${name}(int n) {\n${body.join('\n')}\n}\n`

describe('where a leak is', () => {
  const index = contaminationIndex([{name: 'a', texts: [statements(20)]}], [], api)

  test('is the place that leaks most by itself', () => {
    const measure = {kind: 'code', of: 'file', found: 20, statements: 20, share: 1, weight: 20}
    const leak = {reference: 'a', place: 'second', measure}
    expect(index.look([place('first', statements(14)), place('second', statements(20))])).toEqual({leak, near: 0})
    expect(index.look([place('second', statements(20)), place('first', statements(14))])).toEqual({leak, near: 0})
  })

  test('is the first place where none leaks by itself', () => {
    // Seven statements and seven others: either is too little, both together are enough.
    const [one, other] = [statements(7), statements(7, 7)]
    expect(index.look([place('first', one)]).leak).toBeUndefined()
    expect(index.look([place('first', one), place('second', other)]).leak).toMatchObject({
      place: 'first',
      measure: {of: 'file', found: 14, share: 0.7},
    })
  })

  test('is nowhere in a record without texts, and near nothing', () => {
    expect(index.look([])).toEqual({near: 0})
    expect(index.look([place('first', '')])).toEqual({near: 0})
  })

  test('is near where too small a share of it is there', () => {
    expect(index.look([place('first', `${statements(12)}\n${statements(60, 500)}`)])).toEqual({near: 0.6})
  })
})

describe('words', () => {
  const index = contaminationIndex([{name: 'a', texts: [words(40)]}], [], api)
  const leak = (name: string, runs: number, length: number) => ({
    leak: {reference: 'a', place: name, measure: {kind: 'words', runs, length}},
    near: 0,
  })

  test('are looked for in texts, place by place, and not in source files', () => {
    const text = words(20)
    expect(index.look([place('first', text, 'text')])).toEqual(leak('first', 8, 13))
    expect(index.look([place('first', text)])).toEqual({near: 0})
    const places = [place('a', 'nothing', 'text'), place('b', words(13), 'text'), place('c', words(40), 'text')]
    expect(index.look(places)).toEqual(leak('b', 1, 13))
  })

  test.each([
    [12, undefined],
    [13, 1],
    [14, 2],
  ])('of which %d follow each other are so many runs', (count, runs) => {
    const text = `${words(3, 900)} ${words(count, 5)} ${words(3, 950)}`
    expect(index.look([place('p', text, 'text')])).toEqual(runs === undefined ? {near: 0} : leak('p', runs, 13))
  })

  test('a run that is said twice counts once', () => {
    expect(index.look([place('p', `${words(13)} and ${words(13)}`, 'text')])).toEqual(leak('p', 1, 13))
  })

  test('of a short text are told by eight', () => {
    const short = contaminationIndex([{name: 'a', texts: [words(25)]}], [], api)
    expect(short.look([place('p', words(9), 'text')])).toEqual(leak('p', 2, 8))
    expect(short.look([place('p', words(7), 'text')])).toEqual({near: 0})
  })

  test('code is found first', () => {
    const both = contaminationIndex([{name: 'a', texts: [words(40), statements(20)]}], [], api)
    const found = both.look([place('told', words(40), 'text'), place('written', statements(20))])
    expect(found.leak).toMatchObject({place: 'written', measure: {kind: 'code'}})
  })
})

describe('a function among other code', () => {
  const file = (body: readonly string[]) => [`${within(body)}\n${statements(60, 900)}`]
  const other = within(calls(20, 700), 'Another')
  /** Six references, of which so many have the function. */
  const look = (holders: number) => {
    const texts = Array.from({length: 6}, (_, at) =>
      at < holders ? file(calls(5)) : [statements(20, 2000 + 100 * at)],
    )
    const references = texts.map((own, at) => ({name: `r${at}`, texts: own}))
    return contaminationIndex(references, [], api).look([place('p', `${other}${within(calls(5))}`)]).leak
  }

  // Of six references, what three have weighs 1 - ln 3 / ln 7, which is below a half.
  test.each([
    [1, 'r0'],
    [2, 'r0'],
    [3, undefined],
    [6, undefined],
  ])('of which %d of six references have it', (holders, name) => {
    expect(look(holders)?.reference).toBe(name)
  })
})
