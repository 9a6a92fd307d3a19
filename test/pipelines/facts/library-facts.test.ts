import {LibraryFacts} from '../../../datasets/schema/code-facts.ts'
import {describe, expect, test} from 'vitest'
import {libraryFacts} from '../../../pipelines/facts/source-facts.ts'
import {sourceOf} from '../../helpers/told-parts.ts'

const factsOf = async (text: string, side: 'kernel' | 'host' = 'kernel') =>
  LibraryFacts.parse(await libraryFacts(sourceOf(text, {side})))
const inside = (body: string, side?: 'host') => factsOf(`void F(int n) { ${body} }`, side)

test('functions are defined, prototypes declared; a macro is neither', async () => {
  const facts = await factsOf('void A(int n) { } void Below(int n); void CHECK_IT(int n);')
  expect(facts.functions.map(({name}) => name)).toEqual(['A'])
  expect(facts.prototypes.map(({name}) => name)).toEqual(['Below'])
  expect([facts.side, (await factsOf('', 'host')).side]).toEqual(['kernel', 'host'])
})

describe('working memory', () => {
  test.each([
    ['auto a = tmpBuffer[n];', true],
    ['auto a = sharedTmp.ReinterpretCast<float>();', true],
    ['auto a = stackBuffer.template ReinterpretCast<float>();', true],
    ['auto a = temp->Get(n);', true],
    ['auto a = workLocal.GetWithOffset(n);', true],
    ['auto a = tmpBuffer.GetSize();', false],
    ['auto a = tmpBuffer;', false],
    ['auto a = other[n];', false],
    ['Work(tmpBuffer[n]);', false],
  ])('is carved by %s', async (body, isCarved) => {
    const text = body.replace(/^auto (.*);$/, '$1').replace('template ', '')
    expect((await inside(body)).temporaries).toEqual(isCarved ? [{method: 'F', text}] : [])
    expect((await inside(body, 'host')).temporaries).toEqual([])
  })

  test.each([
    [110, true],
    [111, false],
  ])('of %i characters', async (length, isTold) => {
    const value = `tmp[${'n'.repeat(length - 'tmp[]'.length)}]`
    expect((await inside(`auto a = ${value};`)).temporaries).toHaveLength(isTold ? 1 : 0)
  })
})

test('masks are named once', async () => {
  const body = 'SetVectorMask<float>(0, n); SetMaskCount(); ResetMask(); SetMaskCount(); SetFlag(n); SetMasks(n);'
  expect((await inside(body)).masks).toEqual(['SetVectorMask', 'SetMaskCount', 'ResetMask', 'SetMasks'])
})

describe('sizes of the host', () => {
  test.each([
    ['auto size = n * 2;', true],
    ['auto rowNum = n / 2;', true],
    ['auto len = std::max(n, 2);', true],
    ['auto count = AlignUp(n, 2);', true],
    ['auto bytes = CeilDiv<int>(n, 2);', true],
    ['auto size = n;', false],
    ['auto rows = n * 2;', false],
    ['auto size = Text("a" + n);', false],
  ])('%s', async (body, isSize) => {
    const text = body.replace(/^auto (.*);$/, '$1')
    expect((await inside(body, 'host')).sizes).toEqual(isSize ? [{method: 'F', text}] : [])
    expect((await inside(body)).sizes).toEqual([])
  })
})

test('constants are those of the file', async () => {
  expect([...(await factsOf('constexpr int A = 3;')).constants]).toEqual([['A', 3]])
})
