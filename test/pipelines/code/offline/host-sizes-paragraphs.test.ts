import type {HostFacts} from '../../../../datasets/schema/code-facts.ts'
import {describe, expect, test} from 'vitest'
import {
  formulaParagraph,
  inputsParagraph,
  platformParagraph,
} from '../../../../pipelines/code/offline/host-sizes-paragraphs.ts'
import {functionFlows} from '../../../../cpp/statements.ts'
import {both} from '../../../helpers/told-parts.ts'

const unknown = {
  sets: [],
  platform: [],
  known: [],
  flows: [],
  attributes: [],
  inputs: {shapes: [], types: [], presence: []},
}
const factsWith = (given: object) => ({...unknown, constants: new Map(), ...given}) as unknown as HostFacts

describe('of the platform', () => {
  const said = (given: object) => both((voice) => platformParagraph(factsWith(given), voice)).split('\n')

  test('nothing is told where nothing is asked', () => {
    expect(said({platform: [], constants: new Map([['A', 1]])})).toEqual(['', ''])
  })

  test('everything that is asked for is named, in order', () => {
    expect(said({platform: ['l1', 'l0', 'cores', 'library-workspace']})).toEqual([
      'The platform is asked for the size of L1, the size of L0, the number of cores and the workspace of the ' +
        'library (`GetLibApiWorkSpaceSize`), so that the same code fits every chip of the family.',
      '先向平台查询:L1 大小、L0 大小、可用核数、库接口所需的 workspace(`GetLibApiWorkSpaceSize`),避免把芯片规格写死。',
    ])
  })

  test('the unified buffer has a size, on the vector core of Atlas A2', () => {
    expect(said({platform: ['ub']})).toEqual([
      'The platform is asked for the size of the unified buffer (`GetCoreMemSize`), so that the same code fits every ' +
        'chip of the family. The unified buffer of Atlas A2 is 196608 bytes (192 KB) per vector core: every buffer ' +
        'comes out of it. `GetCoreMemSize` reports 196352 of them, as the last 256 are reserved.',
      '先向平台查询:UB 大小(`GetCoreMemSize`),避免把芯片规格写死。' +
        '在 Atlas A2 上 UB 为 196608 字节(192 KB),各缓冲区之和不能超过它。' +
        '其中末尾 256 字节保留,`GetCoreMemSize` 返回 196352 字节。',
    ])
  })

  test('what follows from the bytes that it reports is told, four results at most', () => {
    const known = [1, 2, 3, 4, 5].map((value) => ({statement: {target: `t${value}`, text: `ub / ${value}`}, value}))
    const [en = '', zh = ''] = said({platform: ['ub'], known})
    expect(en.split('. ')[2]).toBe(
      '`GetCoreMemSize` reports 196352 of them, as the last 256 are reserved; with these, `t1 = ub / 1` gives 1, ' +
        '`t2 = ub / 2` gives 2, `t3 = ub / 3` gives 3 and `t4 = ub / 4` gives 4.',
    )
    expect(zh.split('。')[2]).toBe(
      '其中末尾 256 字节保留,`GetCoreMemSize` 返回 196352 字节,据此`t1 = ub / 1` 得 1、`t2 = ub / 2` 得 2、`t3 = ub / 3` 得 3、' +
        '`t4 = ub / 4` 得 4',
    )
  })

  test.each([
    ['uint64_t size = ubSize - RESERVED;', true],
    ['uint64_t size = (uint64_t)(ubSize) - RESERVED;', true],
    ['uint64_t size = UbBytes - RESERVED;', true],
    ['uint64_t size = ubSize - RESERVED_TOO;', false],
    ['uint64_t size = ubSize + RESERVED;', false],
    ['uint64_t size = RESERVED - ubSize;', false],
    ['uint64_t size = rubSize - RESERVED;', false],
  ])('a constant stays in reserve where it is taken from the buffer: %s', async (body, isReserve) => {
    const flows = await functionFlows(`void Tile() { ${body} }`)
    const [en, zh] = said({platform: ['cores'], flows, constants: new Map([['RESERVED', 1024]])})
    expect(en?.includes('Of the buffer, `RESERVED = 1024` stays in reserve.')).toBe(isReserve)
    expect(zh?.includes('UB 中保留 `RESERVED = 1024`。')).toBe(isReserve)
  })
})

describe('of the inputs', () => {
  const said = (inputs: object, attributes: object[] = []) =>
    both((voice) => inputsParagraph(factsWith({inputs: {...unknown.inputs, ...inputs}, attributes}), voice)).split('\n')

  test.each([
    [{}, ['', '']],
    [{shapes: [0], types: [0]}, ['Shape and type come from input 0.', 'shape 与数据类型取自第 0 个输入(从 0 计)。']],
    [
      {shapes: [0, 2], types: [1]},
      [
        'The shape comes from inputs 0 and 2. The type comes from input 1.',
        'shape 取自第 0、2 个输入(从 0 计)。数据类型取自第 1 个输入(从 0 计)。',
      ],
    ],
    [{shapes: [1]}, ['The shape comes from input 1.', 'shape 取自第 1 个输入(从 0 计)。']],
    [{types: [1]}, ['The type comes from input 1.', '数据类型取自第 1 个输入(从 0 计)。']],
    [{presence: [3]}, ['Of input 3 it only asks whether there is one.', '第 3 个输入(从 0 计)只判断是否存在。']],
    [
      {presence: [3, 4]},
      ['Of inputs 3 and 4 it only asks whether there is one.', '第 3、4 个输入(从 0 计)只判断是否存在。'],
    ],
  ])('%j', (inputs, sentences) => {
    expect(said(inputs)).toEqual(sentences)
  })

  test('attributes are told once each, with type and name as far as they are known', () => {
    const one = {name: 'eps', index: 0, type: 'float'}
    expect(said({}, [one, {...one}, {name: '', index: 1, type: 'int64_t'}, {name: 'k', index: 2, type: ''}])).toEqual([
      'Attributes are read by position: 0 (`float`) as `eps`, 1 (`int64_t`) and 2 as `k`.',
      '属性按位置读取(从 0 计):第 0 个 (`float`)记作 `eps`、第 1 个 (`int64_t`)、第 2 个记作 `k`。',
    ])
  })

  test.each([
    [7, '6', ''],
    [8, '7', ''],
    [9, '7', ', and 1 more'],
  ])('of %i attributes eight are told', (count, last, more) => {
    const attributes = Array.from({length: count}, (_, index) => ({name: '', index, type: ''}))
    const [en, zh] = said({}, attributes)
    expect(en?.endsWith(` and ${last}${more}.`)).toBe(true)
    expect(zh?.endsWith(`、第 ${last} 个${more && ' 等 9 个'}。`)).toBe(true)
  })
})

describe('of the arithmetic', () => {
  const said = async (text: string, constants: [string, number][] = [], sets: object[] = []) => {
    const flows = await functionFlows(text)
    return both((voice) => formulaParagraph(factsWith({flows, sets, constants: new Map(constants)}), voice)).split('\n')
  }
  const stepsOf = async (body: string, head = 'void Tile(int n)') => (await said(`${head} { ${body} }`))[0]

  test('sizes are told; a file without any has no such paragraph', async () => {
    expect(await said('void Tile() { Log(1); }', [['A', 1]])).toEqual(['', ''])
    expect(await said('void Tile(int n) { auto tiles = n / 4; Log(tiles); }')).toEqual([
      'From there the sizes can be computed. In `Tile`: `tiles = n / 4`.',
      '然后计算各项大小。`Tile` 中:`tiles = n / 4`。',
    ])
  })

  test.each([
    ['what else a size is given', 'auto t = n / 4; t = n;', '`t = n / 4`, then `t = n`'],
    ['no other variable', 'auto t = n / 4; u = n;', '`t = n / 4`'],
    [
      'the memory that a size starts from',
      'p.GetCoreMemSize(UB, ub); ub = ub / 2;',
      '`p.GetCoreMemSize(UB, ub)`, then `ub = ub / 2`',
    ],
    ['no other memory', 'p.GetCoreMemSize(L1, l1); ub = ub / 2;', '`ub = ub / 2`'],
    ['no number that a procedure returns', 'auto t = n / 4; return t;', '`t = n / 4`'],
  ])('%s', async (_, body, steps) => {
    expect(await stepsOf(body)).toBe(`From there the sizes can be computed. In \`Tile\`: ${steps}.`)
  })

  test.each([
    ['uint32_t', true],
    ['static uint64_t', true],
    ['size_t', true],
    ['bool', false],
    ['ge::graphStatus', false],
  ])('what is returned is told of a number: %s', async (returns, isTold) => {
    const steps = await stepsOf('auto t = n / 4; return t;', `${returns} Tile(int n)`)
    expect(steps?.includes('it returns `t`')).toBe(isTold)
  })

  test.each([
    [5, undefined],
    [6, undefined],
    [7, ['Further sizes are computed in `F7`.', '`F7` 中还有其他长度的计算。']],
  ])('of %i functions six are told', async (count, further) => {
    const names = Array.from({length: count}, (_, index) => `F${index + 1}`)
    const [en = '', zh = ''] = await said(names.map((name) => `void ${name}(int n) { auto t = n / 4; }`).join('\n'))
    expect(en.match(/In `F\d`/g)).toHaveLength(Math.min(count, 6))
    expect(
      further ? [en.endsWith(further[0]!), zh.endsWith(further[1]!)] : [/Further/.test(en), /还有/.test(zh)],
    ).toEqual(further ? [true, true] : [false, false])
  })

  test('constants of the values that fields are set to are told as well', async () => {
    const sets = [{field: 'tile', operator: '=', value: 'std::min(bytes, MOST)'}]
    const [en = ''] = await said('void Tile(int n) { auto tiles = n / 4; Log(tiles); }', [['MOST', 64]], sets)
    expect(en.endsWith('`tiles = n / 4`. Here `MOST = 64`.')).toBe(true)
  })

  test('constants are told where they are used, eight at most', async () => {
    const names = [...'ABCDEFGHI'].map((letter) => `K${letter}`)
    const constants = names.map((name, index): [string, number] => [name, index])
    const sum = (count: number) => `void Tile() { auto t = ${names.slice(0, count).join(' + ')}; }`
    const [eight = ''] = await said(sum(8), [...constants, ['UNUSED', 3]])
    expect(eight.split('. ').at(-1)).toMatch(/^Here `KA = 0`, .* and `KH = 7`\.$/)
    const [nine = '', zh = ''] = await said(sum(9), constants)
    expect(nine).toMatch(/ and `KH = 7`, among others\.$/)
    expect(zh).toMatch(/、`KH = 7` 等。$/)
  })

  test.each([
    ['auto tailRows = n % 4;', true],
    ['auto remain = n % 4;', true],
    ['auto group = n % 4;', false],
    ['auto tailRows = n / 4;', false],
  ])('a remainder is kept apart where its name says so: %s', async (body, isApart) => {
    expect((await stepsOf(body))?.endsWith(' The remainder is kept apart, since shapes need not divide evenly.')).toBe(
      isApart,
    )
  })

  test.each([
    ['auto usedCores = std::min(n, coreNum);', 'usedCores'],
    ['auto blockDim = std::min(coreNum, n);', 'blockDim'],
    ['auto blockNum = std::min<int64_t>(n, aivCoreNum);', 'blockNum'],
    ['auto usedCores = std::min(n, rows);', undefined],
    ['auto usedCores = std::max(n, coreNum);', undefined],
    ['auto rows = std::min(n, coreNum);', undefined],
    ['auto coreRows = std::min(rowsPerCore, coreNum);', undefined],
  ])('a minimum bounds a number of cores: %s', async (body, name) => {
    const [en = '', zh = ''] = await said(`void Tile(int n) { ${body} }`)
    expect(/The minimum keeps `(\w+)` within the cores that there are\.$/.exec(en)?.[1]).toBe(name)
    expect(/取最小值使 `(\w+)` 不超过可用的核数。$/.exec(zh)?.[1]).toBe(name)
  })
})
