import {describe, expect, test} from 'vitest'
import {callsIn, contentOf} from '../../../pipelines/documentation/section-content.ts'

test('listings stand apart from prose', () => {
  const markdown = 'One.\n\n```cpp\nAdd(a, b);\n```\n\nTwo.\n\n```cpp\nSub(a);\n```\n'
  expect(contentOf({markdown})).toEqual({prose: 'One.\nTwo.', code: 'Add(a, b);\nSub(a);'})
})

describe('the calls of a listing', () => {
  const arities = (code: string) => callsIn(code).map(({name, arity}) => [name, arity])

  test.each([
    ['Add(z, x, y, 64);', [['Add', 4]]],
    ['Sync();', [['Sync', 0]]],
    ['Cast<half, float>(z, x, 8);', [['Cast', 3]]],
    [
      'Add(z, Load(x, 1), y);',
      [
        ['Add', 3],
        ['Load', 2],
      ],
    ],
    ['queue.EnQue(x);', [['EnQue', 1]]],
    ['op.Init(x); kernel.Process(); top.Init(x, y);', [['Init', 2]]],
    ['void Init(GM_ADDR x) {} Init(x);', []],
    ['// Add(a)\n/* Sub(a) */ Mul(a);', [['Mul', 1]]],
  ] as const)('%s', (code, calls) => {
    expect(arities(code)).toEqual(calls)
  })

  test('template arguments are read through 120 characters', () => {
    const name = (length: number) => arities(`Fold<${'T'.repeat(length)}>(x);`)
    expect(name(120)).toEqual([['Fold', 1]])
    expect(name(121)).toEqual([])
  })

  test('arguments are counted in the first 600 characters from the parenthesis on', () => {
    const counted = (length: number) => arities(`Fold(${'a'.repeat(length)}, b, c);`)
    expect(counted(500)).toEqual([['Fold', 3]])
    expect(counted(596)).toEqual([['Fold', 2]])
    expect(counted(597)).toEqual([['Fold', 1]])
  })
})
