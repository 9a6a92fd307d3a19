import {describe, expect, test} from 'vitest'
import {bareName, camelCase, Names, pascalCase} from '../../../../pipelines/ascendcraft/lower/cpp-names.ts'
import {
  block,
  commentLines,
  definition,
  printCode,
  separated,
} from '../../../../pipelines/ascendcraft/lower/cpp-text.ts'

describe('lines of C++', () => {
  test('what stands in a block is indented; lines of the preprocessor and empty ones are not', () => {
    const code = [
      ...block('if (a)', ['b();', ...block('while (c)', ['', '#if D', 'd();', '#endif'])]),
      ...definition('void F()', ['g();']),
    ]
    expect(printCode(code)).toEqual([
      'if (a) {',
      '    b();',
      '    while (c) {',
      '',
      '#if D',
      '        d();',
      '#endif',
      '    }',
      '}',
      'void F()',
      '{',
      '    g();',
      '}',
    ])
    expect(printCode(['a();'], 2)).toEqual(['        a();'])
  })

  test('comments stand behind their mark', () => {
    expect(commentLines(['one', ''])).toEqual(['// one', '//'])
    expect(commentLines(['one'], '#')).toEqual(['# one'])
  })

  test('an empty line stands between parts that hold something', () => {
    expect(separated([[], ['a', 'b'], [], ['c'], []])).toEqual(['a', 'b', '', 'c'])
    expect(separated([['a']])).toEqual(['a'])
  })
})

const long = (count: number) => 'x'.repeat(count)

describe('a line of more than 120 characters is broken', () => {
  test.each<[string, string, string[]]>([
    ['not one of 120', `${long(117)}();`, [`${long(117)}();`]],
    ['nowhere where nothing parts it', `${long(130)};`, [`${long(130)};`]],
    ['behind a comma', `f(${long(60)}, ${long(70)});`, [`f(${long(60)},`, `    ${long(70)});`]],
    ['before an operator', `a = ${long(60)} + ${long(70)};`, [`a = ${long(60)}`, `    + ${long(70)};`]],
    [
      'where the fewest parentheses stand around',
      `a = f(${long(20)}, b) * g(${long(50)}, ${long(50)}, c);`,
      [`a = f(${long(20)}, b)`, `    * g(${long(50)}, ${long(50)}, c);`],
    ],
    [
      'at the last of several places',
      `f(${long(30)}, ${long(30)}, ${long(30)}, ${long(30)});`,
      [`f(${long(30)}, ${long(30)}, ${long(30)},`, `    ${long(30)});`],
    ],
    ['a comma in the last place', `f(${long(117)}, ${long(10)});`, [`f(${long(117)},`, `    ${long(10)});`]],
    ['a comma behind it', `f(aaaa, ${long(112)}, b);`, ['f(aaaa,', `    ${long(112)},`, '    b);']],
    ['an operator in the last place', `a = b + ${long(112)} + c;`, [`a = b + ${long(112)}`, '    + c;']],
    [
      'no parts of a launch',
      `k<<<${long(20)}, nullptr, s>>>(${long(60)}, ${long(40)});`,
      [`k<<<${long(20)}, nullptr, s>>>(${long(60)},`, `    ${long(40)});`],
    ],
    [
      'a choice',
      `a = ${long(60)} ? ${long(50)} : ${long(20)};`,
      [`a = ${long(60)} ? ${long(50)}`, `    : ${long(20)};`],
    ],
    ['a truth', `a = ${long(60)} && ${long(70)};`, [`a = ${long(60)}`, `    && ${long(70)};`]],
    ['a comparison', `a = ${long(60)} >= ${long(70)};`, [`a = ${long(60)}`, `    >= ${long(70)};`]],
    [
      'twice',
      `f(${long(100)}, ${long(100)}, ${long(100)});`,
      [`f(${long(100)},`, `    ${long(100)},`, `    ${long(100)});`],
    ],
    [
      'a comment before a word, and its mark again',
      `// ${`${long(29)} `.repeat(5).trim()}`,
      [`// ${`${long(29)} `.repeat(3).trim()}`, `// ${`${long(29)} `.repeat(2).trim()}`],
    ],
    ['a comment without a space', `// ${long(130)}`, [`// ${long(130)}`]],
  ])('%s', (_, line, lines) => expect(printCode([line])).toEqual(lines))

  test('what is broken is indented once more than its line', () => {
    expect(printCode([[`f(${long(60)}, ${long(60)});`]])).toEqual([`    f(${long(60)},`, `        ${long(60)});`])
    expect(printCode([[`/// ${long(60)} ${long(60)}`]])).toEqual([`    /// ${long(60)}`, `    /// ${long(60)}`])
  })
})

describe('names', () => {
  test.each([
    ['row_max', 'rowMax', 'RowMax'],
    ['EPS', 'eps', 'Eps'],
    ['N_rows', 'nRows', 'NRows'],
    ['rowMax', 'rowMax', 'RowMax'],
    ['_x__y_', 'xY', 'XY'],
    ['_2d', 'value2d', 'Value2d'],
    ['a', 'a', 'A'],
  ])('%s', (name, camel, pascal) => expect([camelCase(name), pascalCase(name)]).toEqual([camel, pascal]))

  test.each([
    ['x_ub', 'x'],
    ['x_ptr', 'x'],
    ['x_gm', 'x'],
    ['x_buffer', 'x'],
    ['_ub', '_ub'],
    ['x_out', 'x_out'],
    ['ub', 'ub'],
  ])('%s says beyond where it points: %s', (name, bare) => expect(bareName(name)).toBe(bare))

  test('no two things have one name, and none that of a word of C++ or of the device', () => {
    const names = new Names(['row'])
    expect(['col', 'row', 'col', 'col', 'int', 'tiling'].map((name) => names.give(name))).toEqual([
      'col',
      'rowValue',
      'colValue',
      'col2',
      'intValue',
      'tilingValue',
    ])
    expect([names.give('col', 'Length'), names.give('col', 'Length'), names.give('col', 'Length')]).toEqual([
      'colLength',
      'col3',
      'col4',
    ])
  })
})
