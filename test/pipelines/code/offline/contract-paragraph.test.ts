import type {LibraryFacts} from '../../../../datasets/schema/code-facts.ts'
import {describe, expect, test} from 'vitest'
import {contractParagraph} from '../../../../pipelines/code/offline/contract-paragraph.ts'
import {functionFlows} from '../../../../cpp/statements.ts'
import {both} from '../../../helpers/told-parts.ts'

async function said(text: string, prototypes = ''): Promise<string[]> {
  const facts = {functions: await functionFlows(text), prototypes: await functionFlows(prototypes)}
  return both((voice) => contractParagraph(facts as unknown as LibraryFacts, voice)).split('\n')
}
const tensor = (name: string, type = 'const LocalTensor<T>&') => `${type} ${name}`
const partsOf = async (names: string[], body = '') => {
  const [en = ''] = await said(`void Fold(${names.map((one) => tensor(one)).join(', ')}) { ${body} }`)
  return /`: (.*)\.$/.exec(en)?.[1]
}

describe('the tensors of a function', () => {
  test('are told by what they are for, in both languages', async () => {
    const parameters = ['dst', 'src0', 'src1', 'sharedTmpBuffer', 'mask'].map((one) => tensor(one))
    const signature = `Fold(${parameters.join(', ')}, uint32_t n)`
    expect(await said(`void ${signature} { Add(src1, src0, dst, n); }`)).toEqual([
      `\`${signature}\`: the result goes to \`dst\`; the operands are \`src0\`; \`src1\` is overwritten on the way, ` +
        'although the reference is constant; working memory comes from the caller as `sharedTmpBuffer`; ' +
        'it also takes `mask`.',
      `\`${signature}\`:结果写入 \`dst\`;操作数为 \`src0\`;\`src1\` 在计算中会被改写,虽然引用本身是 const;` +
        '临时空间由调用者通过 `sharedTmpBuffer` 提供;另有张量参数 `mask`。',
    ])
  })

  test.each([
    [['dstLocal'], 'the result goes to `dstLocal`'],
    [['output', 'result'], 'the result goes to `output` and `result`'],
    [['input'], 'the operands are `input`'],
    [['inputX', 'in', 'inTensor'], 'the operands are `inputX`, `in` and `inTensor`'],
    [['index'], undefined],
    [['dstTmp'], 'working memory comes from the caller as `dstTmp`'],
    [['srcWork'], 'working memory comes from the caller as `srcWork`'],
    [['mask', 'x'], undefined],
    [[], undefined],
  ])('%j', async (names, parts) => {
    expect(await partsOf(names)).toBe(parts)
  })

  test.each([
    ['Add(src, src, src, n);', true],
    ['DataCopy(src[8], dst, n);', true],
    ['Add(dst, src, src, n);', false],
    ['Fill(src, n);', false],
    ['Add();', false],
  ])('an operand is overwritten where an instruction writes to it: %s', async (body, isOverwritten) => {
    const own = '`src` is overwritten on the way, although the reference is constant'
    expect(await partsOf(['src'], body)).toBe(isOverwritten ? own : 'the operands are `src`')
  })

  test('several are overwritten; a reference that is not constant is no surprise', async () => {
    const body = 'Exp(src0, src0, n); Exp(src1, src1, n);'
    expect(await partsOf(['src0', 'src1'], body)).toBe(
      '`src0` and `src1` are overwritten on the way, although the reference is constant',
    )
    const [en, zh] = await said(`void Fold(LocalTensor<T>& src) { Exp(src, src, n); }`)
    expect(en).toBe('`Fold(LocalTensor<T>& src)`: `src` is overwritten on the way.')
    expect(zh).toBe('`Fold(LocalTensor<T>& src)`:`src` 在计算中会被改写。')
  })

  test.each([
    [240, true],
    [241, false],
  ])('a signature of %i characters', async (length, isWhole) => {
    const start = 'Fold(const LocalTensor<T>& dst, uint32_t '
    const signature = `${start}${'n'.repeat(length - start.length - 1)})`
    const [en] = await said(`void ${signature} { }`)
    expect(en).toBe(`\`${isWhole ? signature : 'Fold'}\`: the result goes to \`dst\`.`)
  })
})

describe('a file that only declares', () => {
  const plain = (count: number) => Array.from({length: count}, (_, index) => `void F${index}(int n);`).join('\n')
  test('offers its functions, five at most', async () => {
    expect(await said('', 'void F(int n);')).toEqual(['It offers `F(int n)`.', '提供 `F(int n)`。'])
    expect((await said('', plain(4)))[0]).toMatch(/ and `F3\(int n\)`\.$/)
    expect((await said('', plain(5)))[0]).toMatch(/ and `F4\(int n\)`\.$/)
    expect((await said('', plain(6)))[0]).toMatch(/ and `F4\(int n\)`\.$/)
    expect(await said('', '')).toEqual(['', ''])
  })

  test('one that defines does not', async () => {
    expect(await said('void F(int n) { }')).toEqual(['', ''])
  })
})

describe('at compile time', () => {
  test('template parameters decide, of three functions at most', async () => {
    const make = (name: string) => `template <typename T, bool isReuse = false> void ${name}(int n) { }`
    expect(await said(make('A'))).toEqual([
      'Decided at compile time, by template parameters: `typename T` and `bool isReuse = false` of `A`.',
      '编译期由模板参数决定:`A` 的 `typename T`、`bool isReuse = false`。',
    ])
    const [en = ''] = await said(['A', 'B', 'C', 'D'].map(make).join('\n'))
    expect(en.match(/ of `\w`/g)).toEqual([' of `A`', ' of `B`', ' of `C`'])
  })

  test.each([5, 6, 7])('of %i parameters six are told', async (count) => {
    const names = Array.from({length: count}, (_, index) => `int P${index}`)
    const [en = ''] = await said(`template <${names.join(', ')}> void A(int n) { }`)
    expect(en.match(/`int P\d`/g)).toHaveLength(Math.min(count, 6))
  })
})

describe('working memory from the stack', () => {
  const pops = 'PopStackBuffer<T, TPosition::LCM>(tmp);'
  test.each([
    [[pops], 'A', '`A` gets working memory from the stack, by `PopStackBuffer`.'],
    [[pops, ''], 'A', 'Of the 2 forms of `A`, 1 gets working memory from the stack, by `PopStackBuffer`.'],
    [[pops, pops, ''], 'A', 'Of the 3 forms of `A`, 2 get working memory from the stack, by `PopStackBuffer`.'],
    [['', ''], 'A', ''],
  ])('%j', async (bodies, name, sentence) => {
    const text = bodies.map((body, index) => `void ${name}(int n${index}) { ${body} }`).join('\n')
    expect((await said(text))[0]).toBe(sentence)
  })

  test('in Chinese as well, of two functions at most', async () => {
    const [, one] = await said(`void A(int n) { ${pops} } void A(int m) { }`)
    expect(one).toBe('`A` 的 2 种形式中,有 1 种用 `PopStackBuffer` 从栈空间取得临时内存。')
    const [, three = ''] = await said(['A', 'B', 'C'].map((name) => `void ${name}(int n) { ${pops} }`).join('\n'))
    expect(three).toBe('`A` 用 `PopStackBuffer` 从栈空间取得临时内存。`B` 用 `PopStackBuffer` 从栈空间取得临时内存。')
  })
})
