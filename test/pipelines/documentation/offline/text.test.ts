import {describe, expect, test} from 'vitest'
import * as chinese from '../../../../pipelines/documentation/offline/chinese/chinese-words.ts'
import {
  be,
  capitalised,
  clause,
  counted,
  list,
  listOr,
  stopped,
  uncapitalised,
} from '../../../../pipelines/documentation/offline/english/english-words.ts'
import {
  alignedElements,
  blocks,
  bulletList,
  closed,
  codeBlock,
  distinctTypes,
  ifAny,
  inOneLine,
  isLeadOfLength,
  lines,
  memoryOf,
  prose,
  returnedTypes,
  trimStop,
  typeLimit,
  wholeMeaning,
} from '../../../../pipelines/documentation/offline/text.ts'

describe('pieces of a text', () => {
  test('end as they should', () => {
    expect(['a。', ' a.; ', 'a！!', 'a', 'a.b'].map(trimStop)).toEqual(['a', 'a', 'a', 'a', 'a.b'])
    expect(['a', 'a.', '$a$', '$a$。'].map(closed)).toEqual(['a。', 'a。', '$a$', '$a$'])
    expect(['a', 'a。', '$a$.'].map(stopped)).toEqual(['a.', 'a.', '$a$'])
  })

  test('are put together, and empty ones vanish', () => {
    expect(lines('a', '', 'b')).toBe('a\nb')
    expect(blocks('a', '', 'b')).toBe('a\n\nb')
    expect(bulletList(['a', 'b'])).toBe('- a\n- b')
    expect(codeBlock('a;')).toBe('```cpp\na;\n```')
    expect(ifAny([], () => 'a')).toBe('')
    expect(ifAny(['b'], (each) => `a${each.join('')}`)).toBe('ab')
    expect(inOneLine(' a\n  b ')).toBe('a b')
  })

  test('are prose, with formulas apart', () => {
    expect(prose(['a。', 'b。'], '')).toBe('a。b。')
    expect(prose(['a.', '$$b$$', 'c.', 'd $e$', 'f.', '$g$ h.'], ' ')).toBe('a.\n\n$$b$$\n\nc. d $e$\n\nf. $g$ h.')
    expect(prose([], ' ')).toBe('')
  })

  test('are said of a parameter as far as they read as one remark', () => {
    expect(wholeMeaning(['a。', 'b。', 'c'], '；')).toBe('a；b；c')
    expect(wholeMeaning([], '；')).toBe('')
    const told = (rest: number) => wholeMeaning(['a'.repeat(100), 'b'.repeat(rest)], '; ').length
    expect([told(100), told(101)]).toEqual([202, 100])
    expect(wholeMeaning(['a'.repeat(100), 'b'.repeat(101), 'c'], '; ')).toBe(`${'a'.repeat(100)}; c`)
  })

  test('are a lead of some length', () => {
    expect([3, 4, 5, 6].map((length) => isLeadOfLength('a'.repeat(length), 4, 5))).toEqual([false, true, true, false])
  })
})

describe('types', () => {
  test('of few bits have a limit that binds', () => {
    expect(typeLimit(['uint8_t'])).toEqual({bits: 8, max: 255})
    expect(typeLimit(['const uint16_t&', 'uint16_t'])).toEqual({bits: 16, max: 65_535})
    for (const types of [['uint8_t', 'uint16_t'], ['uint32_t'], ['int8_t'], ['uint8_t*'], ['uint8_t', 'int'], []])
      expect(typeLimit(types)).toBeUndefined()
  })

  test('are told once', () => {
    expect(distinctTypes([{type: 'a'}, {type: 'b'}, {type: 'a'}])).toEqual(['a', 'b'])
    expect(returnedTypes(['int', 'void', '', 'int', 'half'].map((returns) => ({returns})))).toEqual(['int', 'half'])
  })

  test.each([
    [['LocalTensor<T>&'], 'local'],
    [['GlobalTensor<T>', 'const GlobalTensor<half>&'], 'global'],
    [['LocalTensor<T>', 'GlobalTensor<T>'], 'either'],
    [['LocalTensor<T>', 'int'], ''],
    [['MyLocalTensor<T>'], ''],
    [['int'], ''],
    [[], ''],
  ])('%j lie in %j', (types, memory) => {
    expect(memoryOf(types)).toBe(memory)
  })
})

describe('bytes of alignment are elements', () => {
  const told = (sentence: string, ...dtypes: string[]) =>
    alignedElements(sentence, dtypes).map(({bytes, dtype, elements}) => `${bytes} B: ${elements} ${dtype}`)

  test.each<[string, string[], string[]]>([
    ['需要32字节对齐', ['half', 'float', 'int8_t'], ['32 B: 16 half', '32 B: 8 float']],
    ['32B的整数倍', ['half', 'bfloat16_t', 'int64_t'], ['32 B: 16 half', '32 B: 4 int64_t']],
    ['a multiple of 64-byte', ['float'], ['64 B: 16 float']],
    ['aligned to 2 bytes', ['float', 'int8_t'], ['2 B: 2 int8_t']],
    ['32字节', ['half'], []],
    ['32字节对齐，64字节更好', ['half'], []],
    ['0字节对齐', ['half'], []],
    ['需要对齐', ['half'], []],
    ['32字节对齐', ['unknown'], []],
  ])('%s of %j', (sentence, dtypes, found) => {
    expect(told(sentence, ...dtypes)).toEqual(found)
  })
})

describe('words of a language', () => {
  test('list names', () => {
    const names = [[], ['a'], ['a', 'b'], ['a', 'b', 'c']]
    expect(names.map(list)).toEqual(['', 'a', 'a and b', 'a, b and c'])
    expect(names.map(listOr)).toEqual(['', 'a', 'a or b', 'a, b or c'])
    expect(names.map(chinese.list)).toEqual(['', 'a', 'a、b', 'a、b、c'])
    expect(names.map(chinese.listAnd)).toEqual(['', 'a', 'a和b', 'a、b和c'])
    expect(chinese.clauses(['a。', 'b'])).toBe('a；b')
  })

  test('count, and begin as the place wants it', () => {
    expect([0, 1, 2].map((count) => counted(count, 'rule'))).toEqual(['0 rules', '1 rule', '2 rules'])
    expect([0, 1, 2].map(be)).toEqual(['are', 'is', 'are'])
    expect(['Moves all', 'DataCopy moves', 'A x', 'Moves', 'moves'].map(uncapitalised)).toEqual([
      ...['moves all', 'DataCopy moves', 'A x', 'moves', 'moves'],
    ])
    expect(clause('Moves all. ')).toBe('moves all')
    expect(['', 'moves', 'Moves'].map(capitalised)).toEqual(['', 'Moves', 'Moves'])
  })
})
