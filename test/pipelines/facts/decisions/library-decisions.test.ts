import {describe, expect, test} from 'vitest'
import {isHollow} from '../../../../datasets/schema/decision.ts'
import {decidedIn, situations, valuesOf} from '../../../helpers/file-decided.ts'

const device = (text: string) => decidedIn('library', text, {side: 'kernel', target: {path: 'fold.h', text}})
const host = (text: string) => decidedIn('library', text)
const tile = 'const LocalTensor<half>&'
const fold = (parameters: string, body: string, templates = '') => `${templates} void Fold(${parameters}) { ${body} }\n`

describe('device code', () => {
  const given = fold(`${tile} dst, ${tile} src, ${tile} sharedTmpBuffer`, 'Abs(dst, src, 8);')
  const without = (body: string) => fold(`${tile} dst, ${tile} src`, body)

  test('with and without working memory of its caller', async () => {
    expect(valuesOf(await device(given + without('Rest(dst);')), 'library-memory/forms')).toEqual({
      name: 'Fold',
      buffer: 'sharedTmpBuffer',
      forms: 2,
      without: 1,
    })
    const pops = without('LocalTensor<half> tmp; PopStackBuffer<half, TPosition::LCM>(tmp);')
    const both = situations(await device(given + pops))
    expect(both).toContain('library-memory/forms-stack')
    expect(both).not.toContain('library-memory/stack')
    expect(situations(await device(pops))).toEqual(['library-memory/stack'])
    expect(situations(await device(given))).not.toContain('library-memory/forms')
  })

  test('divides the work by the memory that it has', async () => {
    const pieces = (size: string) =>
      device(fold('int n', `uint32_t part = ${size}; uint32_t rounds = n / part; uint32_t rest = n % part;`))
    expect(valuesOf(await pieces('tmp.GetSize() / 4'), 'library-memory/pieces-of-memory')).toEqual({
      ...{total: 'n', piece: 'part', rounds: 'rounds', tail: 'rest', rounded: 'no'},
    })
    expect(situations(await pieces('16'))).toEqual(['library-memory/pieces'])
    expect(valuesOf(await pieces('tmp.GetSize() / 8 * 8'), 'library-memory/pieces-of-memory')?.['rounded']).toBe('yes')
  })

  test('shares out one buffer, and sees it in another type', async () => {
    const all = await device(
      fold(
        'int n',
        'auto all = sharedTmp.ReinterpretCast<float>(); auto a = tmp[0]; auto b = tmp[n]; auto c = tmp2[n];',
      ),
    )
    expect(valuesOf(all, 'library-memory/carved')?.['names']).toEqual(['a', 'b'])
    expect(valuesOf(all, 'library-memory/retyped')).toEqual({target: 'all', from: 'sharedTmp', type: 'float'})
    expect(situations(await device(fold('int n', 'auto all = sharedTmp.ReinterpretCast<T>();')))).toEqual([])
  })

  test('sets how many elements instructions touch', async () => {
    const masked = (body: string) => device(fold('int n', body))
    const counted = await masked('SetMaskCount(); SetVectorMask<half>(0, n); SetMaskNorm();')
    expect(valuesOf(counted, 'library-mode/counter')?.['counts']).toEqual(['n'])
    expect(situations(await masked('SetMaskCount(); SetMaskNorm();'))).toEqual(['library-mode/counter-open'])
    expect(situations(await masked('SetVectorMask<half>(0, n);'))).toEqual(['library-mode/mask'])
  })

  test('is chosen at compile time by type and flags; a flag that is handed on is no evidence', async () => {
    const flag = 'template <typename T, bool isReuseSource = false>'
    const typed = fold('int n', 'if constexpr (sizeof(T) == 2) { a = 1; } if (isReuseSource) { b = 2; }', flag)
    expect(situations(await device(typed))).toEqual(['library-mode/by-type', 'library-mode/flags'])
    const handed = await device(fold('int n', 'if ASCEND_IS_AIC { return; } Other<T, isReuseSource>(n);', flag))
    expect(situations(handed)).toEqual(['library-mode/vector-only', 'library-mode/reuse'])
    expect(isHollow(handed)).toBe(true)
  })

  test('asserts what can be refused, not what another function said', async () => {
    const all = await device(
      fold('int n', 'ASCENDC_ASSERT((n > 0), {}); ASCENDC_ASSERT(ret, {}); ASSERT(n != nullptr);'),
    )
    expect(valuesOf(all, 'library-check/asserted')).toEqual({conditions: ['n > 0']})
  })
})

describe('host code', () => {
  test('answers with bounds, and with the cost of an element', async () => {
    const text = 'void GetFoldMaxMinTmpSize(int n) { a = n; } void GetFoldTmpBufferFactorSize(int n) { b = n; }'
    expect(situations(await host(text))).toEqual(['library-size/bounds', 'library-size/factor'])
  })

  test.each([
    [3, 8, 'live-half'],
    [4, 4, 'live-same'],
    [6, 2, 'live-float'],
  ])('counts temporaries: %s of float, %s of half', async (wide, narrow, situation) => {
    const constants = `constexpr uint32_t WIDE = ${wide};\nconstexpr uint32_t NARROW = ${narrow};\n`
    const text = `${constants}uint32_t Live(uint32_t size) { return (size == sizeof(float)) ? WIDE : NARROW; }`
    expect(valuesOf(await host(text), `library-size/${situation}`)).toMatchObject({float: wide, half: narrow})
  })

  test('asserts apart what the chip lacks', async () => {
    const all = await host(
      fold(
        'int n',
        'ASCENDC_HOST_ASSERT(n > 0, return, "a"); ASCENDC_HOST_ASSERT(arch == NpuArch::DAV_3510, return, "b");',
      ),
    )
    expect(valuesOf(all, 'library-check/asserted-host')).toEqual({conditions: ['n > 0']})
    expect(valuesOf(all, 'library-check/chip')?.['conditions']).toEqual(['arch == NpuArch::DAV_3510'])
  })
})
