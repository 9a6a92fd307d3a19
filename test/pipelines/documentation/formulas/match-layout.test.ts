import {describe, expect, test} from 'vitest'
import type {LayoutPiece} from '../../../../datasets/schema/page-image.ts'
import {distance, folded, matchLayout} from '../../../../pipelines/documentation/formulas/match-layout.ts'

type Run = Extract<LayoutPiece, {kind: 'run'}>

const run = (text: string, other: Partial<Run> = {}): Run => {
  const marks = [...text].length
  const brackets = text.replace(/[^()[\]{}|⌊⌋⌈⌉]/g, '')
  return {kind: 'run', text, marks, parts: marks, brackets, confidence: 0.9, ...other}
}
/** One difference is a share of the marks. */
const alike = (likeness: number, differences: number) => ({
  likeness: expect.closeTo(likeness, 9) as number,
  differences,
})
const unsure = (text: string, other: Partial<Run> = {}) => run(text, {confidence: 0.84, ...other})

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['abc', 'abc', 0],
  ['abc', 'abd', 1],
  ['abc', 'ac', 1],
  ['ac', 'abc', 1],
  ['kitten', 'sitting', 3],
  ['ab', 'ba', 2],
])('from %j to %j are %s changes', (a, b, changes) => {
  expect(distance(a, b)).toBe(changes)
})

test.each([
  ['x × z χ', 'xxxx'],
  ['l i I | !', '11111'],
  ['o σ Q O', '0000'],
  ['C K M P S U V W X Y Z', 'ckmpsuvwxyx'],
  ['A B D E', 'ABDE'],
  ['β γ', 'By'],
  ['— – − _ ~', '-----'],
  ['€ε', 'ee'],
  ['{[<⌊⌈', '((((('],
  ['}]>⌋⌉', ')))))'],
  ['’\'`"”“*a', 'a'],
  ['２', '2'],
])('%s may be read as %s', (text, as) => {
  expect(folded(text)).toBe(as)
})

describe('one row', () => {
  const match = (seen: Run, expected: Run) => matchLayout([seen], [expected])

  test.each([
    ['dst=src', 'dst=src', alike(1, 0)],
    ['dsb=src', 'dst=src', alike(6 / 7, 1)],
    ['', '', alike(0, 0)],
  ])('%j for %j', (seen, said, found) => {
    expect(match(run(seen), run(said))).toEqual(found)
  })

  test('an unsure reading of a single mark weighs half', () => {
    expect(match(run('a', {confidence: 0.84}), run('b'))).toEqual(alike(0.5, 0.5))
    expect(match(run('a', {confidence: 0.85}), run('b'))).toBeUndefined()
    expect(match(run('a'), run('a'))).toEqual(alike(1, 0))
  })

  test('the dot of a single mark is seen, and j is no other letter', () => {
    expect(match(unsure('a', {parts: 2}), run('b'))).toBeUndefined()
    expect(match(unsure('j', {parts: 2}), run('i', {parts: 2}))).toBeUndefined()
    expect(match(unsure('i', {parts: 2}), run('j', {parts: 2}))).toBeUndefined()
    expect(match(run('j', {parts: 2}), run('j', {parts: 2}))).toEqual(alike(1, 0))
  })

  test('thin marks are read for each other, however sure recognition is', () => {
    expect(match(run(','), run('l'))).toEqual(alike(0, 1))
    expect(match(run(','), run('m'))).toBeUndefined()
    expect(match(run('m'), run('l'))).toBeUndefined()
    expect(match(run(',', {confidence: 0.85}), run('l'))).toEqual(alike(0, 1))
  })

  test('of two marks that are read with confidence one is right', () => {
    expect(match(run('ab'), run('cd'))).toBeUndefined()
    expect(match(run('ad'), run('cd'))).toEqual(alike(0.5, 1))
    expect(match(unsure('ab'), run('cd'))).toEqual(alike(0, 2))
    expect(match(run('ab', {confidence: 0.85}), run('cd'))).toBeUndefined()
    // Marks that fold to nothing are neither right nor wrong.
    expect(match(run("b'"), run("a'"))).toBeUndefined()
    expect(match(run("''"), run("''"))).toEqual(alike(1, 0))
  })

  test('a longer row is read right for 0.6 of its letters, with confidence for 0.75', () => {
    expect(match(unsure('a,buu'), run('a,b-='))).toEqual(alike(0.6, 2))
    expect(match(run('a,buu'), run('a,b-='))).toBeUndefined()
    expect(match(run('a,buu', {confidence: 0.85}), run('a,b-='))).toBeUndefined()
    // Four of seven letters, and five of seven.
    expect(match(unsure('a,b-uuu'), run('a,b-c=d'))).toBeUndefined()
    expect(match(run('a,b-cuu'), run('a,b-c=d'))).toBeUndefined()
    expect(match(unsure('a,uuu'), run('a,b-='))).toBeUndefined()
    expect(match(run('a=bu'), run('a=bv'))).toEqual(alike(0.75, 1))
    expect(match(run('a=b,c,u'), run('a=b,c,v'))).toEqual(alike(6 / 7, 1))
  })

  test('letters may touch, one in five marks and two at the most', () => {
    const lost = (marks: number, expected: number) => {
      const text = 'a=b,'.repeat(20).slice(0, expected)
      return match(run(text, {marks}), run(text)) !== undefined
    }
    expect([
      lost(3, 4),
      lost(4, 5),
      lost(3, 5),
      lost(8, 9),
      lost(7, 9),
      lost(8, 10),
      lost(7, 10),
      lost(12, 15),
    ]).toEqual([false, true, false, true, false, true, false, false])
    expect(lost(6, 5)).toBe(false)
    expect(match(run('a=b,u', {marks: 4}), run('a=b,c'))).toEqual(alike(0.6, 2))
    expect(match(unsure('a=uuu', {marks: 4}), run('a=b,c'))).toBeUndefined()
    // Seven of ten letters and no less.
    expect(match(unsure('a=b,c-d,uu', {marks: 9}), run('a=b,c-d,e='))).toEqual(alike(0.7, 3))
    expect(match(unsure('a=b,c-duuu', {marks: 9}), run('a=b,c-d,e='))).toEqual(alike(0.6, 4))
    expect(match(unsure('a=b,uu', {marks: 5}), run('a=b,cd'))).toBeUndefined()
    // 0.6 of it is read right: no longer enough to believe in touching letters.
    expect(match(unsure('a=buu', {marks: 4}), run('a=b,c'))).toBeUndefined()
  })

  test('what is lost counts as different, with what was read otherwise', () => {
    expect(match(run('a=b,c', {marks: 4}), run('a=b,c'))).toEqual(alike(0.8, 1))
  })

  test.each(['×', '*', '·'])('a mark that is lost may be the sign of a product: %s', (sign) => {
    const text = `a=b${sign}c`
    expect(match(run(text, {marks: 4}), run(text))).toBeUndefined()
    expect(match(run(text), run(text))).toEqual(alike(1, 0))
  })

  test.each([
    ['a=b2,c', 'a=b3,c'],
    ['a=b-c,d', 'a=b+c,d'],
    ['a=b+c,d', 'a=b-c,d'],
    ['a=b,src', 'a=b,2rc'],
  ])('%s is another operand, factor or sum than %s', (seen, said) => {
    expect(match(run(seen), run(said))).toBeUndefined()
  })

  test('before letters, a figure is an s', () => {
    expect(match(run('y=5rc'), run('y=src'))).toEqual(alike(0.8, 1))
    expect(match(run('y=8rc'), run('y=src'))).toEqual(alike(0.8, 1))
  })

  test('the number of an operand stands at the end of its name', () => {
    expect(match(run('y=src0+a'), run('y=src1+a'))).toBeUndefined()
    expect(match(run('y=src0+a'), run('y=srcO+a'))).toEqual(alike(1, 0))
    expect(match(run('y=s0c+aa'), run('y=slc+aa'))).toEqual(alike(7 / 8, 1))
    expect(match(run('y=src11+a', {marks: 8}), run('y=src1+a'))).toEqual(alike(7 / 8, 1))
    expect(match(run('y=src1+a', {marks: 9}), run('y=src11+a'))).toEqual(alike(8 / 9, 1))
    expect(match(run('y=src2+a'), run('y=src2+a'))).toEqual(alike(1, 0))
  })

  test('words of three letters are read within a third of their letters', () => {
    expect(match(run('y=mux(a,b)'), run('y=max(a,b)'))).toEqual(alike(0.9, 1))
    expect(match(run('y=mjn(a,b,c)'), run('y=max(a,b,c)'))).toBeUndefined()
    expect(match(run('y=ab+c+d+e'), run('y=ac+c+d+e'))).toEqual(alike(0.9, 1))
    expect(match(run('y=a,bhuu'), run('y=a,bhde'))).toBeUndefined()
    // A word is looked for in as many letters as it has, or in all where there are fewer.
    expect(match(unsure('mbhde'), run('bhdef'))).toBeUndefined()
    expect(match(run('bhde'), run('bhdef'))).toEqual(alike(0.6, 2))
    expect(match(run('y=a,b,bcbdef'), run('y=a,b,ecbdgf'))).toEqual(alike(10 / 12, 2))
    expect(match(run('y=a,b,c,d,ucbdgu'), run('y=a,b,c,d,ecbhgf'))).toBeUndefined()
  })

  test('the sign of a product is believed where it was read', () => {
    const said = 'y=a*b+c,d'
    expect(match(run('y=a•b+c,d'), run('y=a·b+c,d'))).toEqual(alike(8 / 9, 1))
    expect(match(run('y=a∙b+c,d'), run('y=a·b+c,d'))?.differences).toBe(1)
    expect(match(run('y=a·b+c,d'), run(said))).toBeUndefined()
    expect(match(run('y=a-b+c,d'), run(said))).toBeUndefined()
    expect(match(run(said), run(said))?.likeness).toBe(1)
    expect(match(run('y=axb+c,d'), run('y=a×b+c,d'))?.likeness).toBe(1)
    expect(match(run('y=a-b+c,d'), run('y=a×b+c,d'))).toBeUndefined()
    expect(match(run('y=a×b+c,d'), run('y=axb+c,d'))?.likeness).toBe(1)
    expect(match(run('y=amb+c,d'), run('y=axb+c,d'))).toEqual(alike(8 / 9, 1))
  })

  test('brackets of a clear shape are those of the formula; a bar may be a letter more', () => {
    const shaped = (brackets: string, expected: string) =>
      match(run('y=(a)', {brackets}), run('y=(a)', {brackets: expected})) !== undefined
    expect([shaped('()', '()'), shaped('[]', '()'), shaped('', '()'), shaped('(', '()')]).toEqual([
      true,
      false,
      false,
      false,
    ])
    expect([shaped('|()', '()'), shaped('()', '|()'), shaped('|()|', '|()')]).toEqual([true, false, true])
  })
})

describe('the structure of a formula', () => {
  const a = run('a=b')
  const other = run('a=c')
  const same = (one: LayoutPiece[], two: LayoutPiece[]) => matchLayout(one, two)

  test.each([
    ['sup', {kind: 'sup', row: [a]}],
    ['sub', {kind: 'sub', row: [a]}],
    ['root', {kind: 'root', inside: [a]}],
    ['fraction', {kind: 'fraction', above: [a], below: [a]}],
    ['sum', {kind: 'big', sign: 'sum', above: [a], below: [a]}],
    ['product', {kind: 'big', sign: 'product', above: [a], below: [a]}],
    ['open', {kind: 'big', sign: undefined, above: [a], below: [a]}],
    ['run', a],
  ] as [string, LayoutPiece][])('%s is of its own kind', (name, piece) => {
    const all: LayoutPiece[] = [
      a,
      {kind: 'sup', row: [a]},
      {kind: 'sub', row: [a]},
      {kind: 'root', inside: [a]},
      {kind: 'fraction', above: [a], below: [a]},
      {kind: 'big', sign: 'sum', above: [a], below: [a]},
      {kind: 'big', sign: 'product', above: [a], below: [a]},
      {kind: 'big', sign: undefined, above: [a], below: [a]},
    ]
    const fitting = all.filter((one) => same([one], [piece]))
    expect(fitting).toEqual([piece])
    expect(name).not.toBe('')
  })

  test('rows have as many pieces', () => {
    expect(same([a], [a, a])).toBeUndefined()
    expect(same([a, a], [a])).toBeUndefined()
    expect(same([a, {kind: 'sup', row: [a, a]}], [a, {kind: 'sup', row: [a]}])).toBeUndefined()
    expect(same([], [])).toEqual(alike(0, 0))
  })

  test('both parts of a fraction, and the limits of a sum, are matched', () => {
    for (const kind of ['fraction', 'big'] as const) {
      const piece = (above: LayoutPiece[], below: LayoutPiece[]): LayoutPiece =>
        kind === 'big' ? {kind, sign: 'sum', above, below} : {kind, above, below}
      expect(same([piece([a], [a])], [piece([a], [a])])).toEqual(alike(1, 0))
      expect(same([piece([a, a], [a])], [piece([a], [a])])).toBeUndefined()
      expect(same([piece([a], [a, a])], [piece([a], [a])])).toBeUndefined()
      const lenient = unsure('a=c')
      expect(same([piece([lenient], [a])], [piece([a], [a])])).toEqual(alike(5 / 6, 1))
    }
  })

  test('differences of all rows are added up', () => {
    const seen: LayoutPiece[] = [unsure('a=c'), {kind: 'root', inside: [unsure('a=c')]}, {kind: 'sub', row: [other]}]
    const said: LayoutPiece[] = [a, {kind: 'root', inside: [a]}, {kind: 'sub', row: [other]}]
    expect(same(seen, said)).toEqual(alike(1 - 2 / 9, 2))
  })
})
