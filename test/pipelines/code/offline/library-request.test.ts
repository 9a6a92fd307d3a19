import type {LibraryFacts} from '../../../../datasets/schema/code-facts.ts'
import {describe, expect, test} from 'vitest'
import {
  behind,
  isCheck,
  libraryComments,
  libraryRequest,
  publicFunctions,
} from '../../../../pipelines/code/offline/library-request.ts'
import {functionFlows} from '../../../../cpp/statements.ts'
import {both, sourceOf} from '../../../helpers/told-parts.ts'

const api = 'impl/activation/softmax/softmax_common.h'

function fileOf(text: string, {path = api, operator = 'softmax', side = 'kernel'} = {}) {
  return sourceOf('', {
    origin: {repository: 'fixtures', revision: '1', path, licence: 'Apache-2.0'},
    target: {path, text},
    operator,
    side: side as 'kernel',
  })
}

async function factsOf(text: string, given: {side?: string; comments?: string[]; constants?: [string, number][]} = {}) {
  const flows = await functionFlows(text)
  return {
    side: given.side ?? 'kernel',
    functions: flows.filter(({isDeclared}) => !isDeclared),
    prototypes: flows.filter(({isDeclared}) => isDeclared),
    kernel: {comments: given.comments ?? []},
    constants: new Map(given.constants ?? []),
  } as unknown as LibraryFacts
}

describe('what a file stands behind', () => {
  test.each([
    ['impl/api_check/kernel_api_check.h', 'x', 'the argument checks of the high-level Ascend C APIs'],
    ['api_check/check.h', 'x', 'the argument checks of the high-level Ascend C APIs'],
    ['impl/matmul/stage/copy.h', 'stage', 'the high-level Ascend C API `Matmul`'],
    ['impl/batchmatmul/copy.h', 'stage', 'the group `stage` of high-level Ascend C APIs'],
    ['impl/math/common.h', 'Math', 'the group `math` of high-level Ascend C APIs'],
    ['impl/pad/common.h', 'Pad', 'the group `pad` of high-level Ascend C APIs'],
    [api, 'softmax', 'the high-level Ascend C API `SoftMax`'],
  ])('%s of %s', (path, operator, what) => {
    const file = fileOf('void SoftMax(); void Softmax();', {path, operator})
    expect(both((voice) => behind(file, voice)).split('\n')[0]).toBe(what)
  })

  test.each([
    ['void SOFTMAX(); void softmax();', 'softmax'],
    ['void SoftmaxImpl();', 'softmax'],
    ['void Softmax();', 'Softmax'],
  ])('an API has the name that the code spells: %s', (text, name) => {
    expect(both((voice) => behind(fileOf(text), voice))).toBe(
      `the high-level Ascend C API \`${name}\`\n Ascend C 高阶 API \`${name}\` `,
    )
  })

  test('or else that of the file, without what tells its part', () => {
    for (const end of ['', '_common', '_impl', '_tiling_impl', '_v220', '_common_310']) {
      const file = fileOf('void LayerNorm();', {path: `impl/norm/layernorm${end}.h`, operator: 'norm'})
      expect(both((voice) => behind(file, voice)).split('\n')[0]).toBe('the high-level Ascend C API `LayerNorm`')
    }
  })

  test('checks are known by their folder', () => {
    const checks = (path: string) => isCheck({repository: '', revision: '', path, licence: ''} as never)
    expect(['api_check/a.h', 'impl/api_check/a.h', 'my_api_check/a.h', 'api_check.h'].map(checks)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})

describe('the functions that other files call', () => {
  const namesIn = async (text: string) => publicFunctions(await factsOf(text)).map(({name}) => name)
  test.each([
    ['those that no other calls', 'void A() { B(); } void B() { }', ['A']],
    ['all of those that call each other', 'void A() { B(); } void B() { A(); }', ['A', 'B']],
    ['declared ones where none is defined', 'void A(); void B();', ['A', 'B']],
    ['no declared one beside a defined one', 'void A(); void B() { }', ['B']],
    ['no constructor', 'class A { A() { Set(); } void Run() { } };', ['Run']],
    ['no method that its class calls', 'class A { void Run() { Step(); } void Step() { } };', ['Run']],
    ['no method that it calls by `this`', 'class A { void Run() { this->Step(); } void Step() { } };', ['Run']],
    ['no method of an object', 'void Run() { a.Step(); } class A { void Step() { } };', ['Run']],
    [
      'a method whose namesake is called',
      'class A { void Run() { Go(); } void Go() { } }; struct B { void Go() { } };',
      ['Run', 'Go'],
    ],
  ])('are %s', async (_, text, names) => {
    expect(await namesIn(text)).toEqual(names)
  })
})

describe('comments of the author', () => {
  const commentsOf = async (comment: string) => libraryComments(await factsOf('', {comments: [comment]}))
  test.each([
    [15, false],
    [16, true],
    [300, true],
    [301, false],
  ])('have 16 to 300 characters: %i', async (length, isTold) => {
    const comment = 'c'.repeat(length)
    expect(await commentsOf(comment)).toEqual(isTold ? [comment] : [])
  })

  test.each([
    ['@brief Sums up all the rows of a tile @param n rows', ['Sums up all the rows of a tile']],
    ['\\description: Sums up all the rows \\return nothing', ['Sums up all the rows']],
    ['Sums up all the rows : n is their number', ['Sums up all the rows']],
    ['Copyright of the one who wrote it', []],
    ['Under a license of some kind', []],
    ['Under a licence of some kind', []],
    ['#include what is needed here', []],
    ['ifdef of one chip and another', []],
    ['An experimental way to sum rows', []],
    ['For internal usage of the library', []],
  ])('%s', async (comment, told) => {
    expect(await commentsOf(comment)).toEqual(told)
  })

  test('stand above functions and prototypes as well', async () => {
    const text = '// Sums up all the rows\nvoid A() { }\n// Sums up the columns\nvoid B();'
    expect(libraryComments(await factsOf(text))).toEqual(['Sums up all the rows', 'Sums up the columns'])
  })
})

describe('a request', () => {
  const said = async (text: string, file = {}, given = {}) => {
    const facts = await factsOf(text, given)
    return both((voice) => libraryRequest(fileOf('', file), facts, voice)).split('\n')
  }

  test('names the file and what it provides', async () => {
    expect(await said('void F(int n) { }')).toEqual([
      `Please write \`${api}\`, device code of the high-level Ascend C API \`softmax\`. It provides \`F(int n)\`.`,
      `请编写 \`${api}\`，实现 Ascend C 高阶 API \`softmax\` 的 Kernel 侧。提供 \`F(int n)\`。`,
    ])
    expect(await said('void F(int n);')).toEqual([
      `Please write \`${api}\`, which declares the high-level Ascend C API \`softmax\`. It provides \`F(int n)\`.`,
      `请编写 \`${api}\`，声明 Ascend C 高阶 API \`softmax\` 。提供 \`F(int n)\`。`,
    ])
  })

  test('of a host file has its constants, but for short names; eight at most', async () => {
    const constants = Array.from({length: 9}, (_, index): [string, number] => [`SIZE${index}`, index])
    const host = (some: [string, number][]) =>
      said('void F(int n) { }', {side: 'host'}, {side: 'host', constants: some})
    expect(
      await host([
        ['ONE', 1],
        ['FOUR', 4],
      ]),
    ).toEqual([
      `Please write \`${api}\`, host-side tiling functions of the high-level Ascend C API \`softmax\`. ` +
        'It provides `F(int n)`. Constants: `FOUR = 4`.',
      `请编写 \`${api}\`，实现 Ascend C 高阶 API \`softmax\` 的 Host 侧 tiling 函数。提供 \`F(int n)\`。常量：\`FOUR = 4\`。`,
    ])
    expect((await host([['ONE', 1]]))[0]).not.toContain('Constants')
    expect((await host(constants.slice(0, 8)))[0]).toMatch(/ and `SIZE7 = 7`\.$/)
    expect((await host(constants))[0]).toMatch(/ and `SIZE7 = 7`\.$/)
    expect((await said('void F(int n) { }', {}, {constants}))[0]).not.toContain('Constants')
  })

  test.each([
    [4, ' and `F3()`.', '、`F3()`。'],
    [5, ' and `F3()` and 1 more function.', '、`F3()` 等 5 个函数。'],
    [6, ' and `F3()` and 2 more functions.', '、`F3()` 等 6 个函数。'],
  ])('of %i functions names four', async (count, en, zh) => {
    const text = Array.from({length: count}, (_, index) => `void F${index}() { }`).join('\n')
    const told = await said(text)
    expect([told[0]?.endsWith(en), told[1]?.endsWith(zh)]).toEqual([true, true])
  })

  test.each([
    [260, true],
    [261, false],
  ])('leaves out what is longer than 260 characters: %i', async (length, isTold) => {
    const told = await said(`void F(int ${'n'.repeat(length - 'F(int )'.length)}) { }`)
    expect(told[0]?.includes('It provides')).toBe(isTold)
  })

  test('has two comments at most, each once and in the language of the request', async () => {
    const comments = [
      'Sums up the rows.',
      'Sums up the rows.',
      'Sums up columns too',
      'Sums up all of it',
      '对所有的行分别求和，并写回结果张量中',
    ]
    const [en, zh] = await said('void F() { }', {}, {comments})
    expect(en).toContain(' From its comments: Sums up the rows; Sums up columns too. ')
    expect(zh).toBe(
      `请编写 \`${api}\`，实现 Ascend C 高阶 API \`softmax\` 的 Kernel 侧。` +
        '代码注释：对所有的行分别求和，并写回结果张量中。提供 `F()`。',
    )
  })
})
