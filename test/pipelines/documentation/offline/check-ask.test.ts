import {describe, expect, test} from 'vitest'
import type {Random} from '../../../../engine/random.ts'
import {amountUnit, type Check, checkAsk, holds} from '../../../../pipelines/documentation/offline/kinds/check-ask.ts'
import {factsOfPage} from '../../../../pipelines/documentation/section-facts.ts'
import {parameters, prototypes} from '../../../helpers/doc-text.ts'
import {base} from '../../../helpers/page-facts.ts'

/** Choices that are as low as they can be, or as high; the first says whether a right value is taken. */
const extreme = (takesFirst: boolean, isHigh: boolean): Random => ({
  unit: () => 0,
  integer: (low, high) => {
    if (low === 0) return takesFirst ? 0 : high
    return isHigh ? high : low
  },
  pick: (values) => values.at(isHigh ? -1 : 0)!,
  shuffle: (values) => [...values],
})

const pageOf = (...sections: string[]) => factsOfPage(sections.join('\n\n'))
const checksOf = (page: ReturnType<typeof pageOf>, random: Random) =>
  checkAsk(page, base, random).flatMap(({checks}) => checks)

test.each([
  [{rule: 'type', of: 'tensor', asked: 'half', supported: ['half']}, true],
  [{rule: 'type', of: 'tensor', asked: 'float', supported: ['half']}, false],
  [{rule: 'range', name: 'a', value: 1, low: 1, high: 3}, true],
  [{rule: 'range', name: 'a', value: 3, low: 1, high: 3}, true],
  [{rule: 'range', name: 'a', value: 0, low: 1, high: 3}, false],
  [{rule: 'range', name: 'a', value: 4, low: 1, high: 3}, false],
  [{rule: 'width', name: 'a', value: 255, bits: 8, most: 255}, true],
  [{rule: 'width', name: 'a', value: 256, bits: 8, most: 255}, false],
  [{rule: 'amount', dtype: 'half', dtypeBytes: 2, count: 16, unitBytes: 32}, true],
  [{rule: 'amount', dtype: 'half', dtypeBytes: 2, count: 17, unitBytes: 32}, false],
  [{rule: 'amount', dtype: 'half', dtypeBytes: 2, count: 24, unitBytes: 32}, false],
] as [Check, boolean][])('%j: %s', (check, isAllowed) => {
  expect(holds(check)).toBe(isAllowed)
})

describe('types', () => {
  const form = 'template <typename T> void Move(const LocalTensor<T>& dst, int32_t n);'
  const page = (words: string, declared = form) => pageOf(prototypes(declared), parameters(`T | - | ${words}`))
  const types = (facts: ReturnType<typeof pageOf>, takesFirst = false) => checksOf(facts, extreme(takesFirst, false))

  test('half of the time one is asked for that is not supported', () => {
    const supported = ['half', 'float']
    expect(types(page('支持half、float。'))).toEqual([{rule: 'type', of: 'tensor', asked: 'bfloat16_t', supported}])
    expect(checksOf(page('支持half、float。'), extreme(false, true))).toEqual([
      {rule: 'type', of: 'tensor', asked: 'int16_t', supported},
    ])
    // That a type is in a list is no derivation.
    expect(types(page('支持half、float。'), true)).toEqual([])
    const all = 'bfloat16_t、int8_t、int64_t、half、float、int32_t、int16_t'
    expect(types(page(`支持${all}。`))).toEqual([])
  })

  test('one sentence without exceptions says which', () => {
    for (const words of ['仅支持half。', '支持half，除float外。', '不支持half。', '元素为half。'])
      expect(types(page(words))).toEqual([])
    expect(types(page('支持half。支持float。'))).toEqual([])
    expect(types(page('类型为half。'))).toHaveLength(1)
    expect(types(page('The element type is half.'))).toHaveLength(1)
  })

  test.each([
    ['The element type is half.', 1],
    ['ELEMENT TYPE half.', 1],
    ['T supports half.', 1],
    ['Supported is half.', 1],
    ['类型为half。', 1],
    ['支持half。', 1],
    ['T is half.', 0],
    // What names no type says nothing of types.
    ['支持原地操作。支持half。', 1],
    ['支持原地操作。', 0],
    // An end such as "only" leaves nothing out.
    ['T supports half only.', 1],
    ['T commonly supports half.', 0],
    ['T supports half except on the host.', 0],
    ['T supports half, not float.', 0],
    ['只支持half。', 0],
    ['仅支持half。', 0],
    ['支持half；支持float。', 0],
    ['支持half; 支持float。', 0],
  ])('%s: %i', (words, count) => {
    expect(types(page(words))).toHaveLength(count)
  })

  test('a type can be chosen where a tensor, pointer or template takes it', () => {
    const of = (declared: string) =>
      types(page('支持half。', declared)).map((check) => check.rule === 'type' && check.of)
    expect(of('void Move(const LocalTensor<T>& dst);')).toEqual(['tensor'])
    expect(of('void Move(__ubuf__ half* dst);')).toEqual(['tensor'])
    expect(of('template <typename T> T Move(T value);')).toEqual(['template'])
    expect(of('template <int n> int Move(int value);')).toEqual([])
  })

  test('types of a section of their own count, those of a structure do not', () => {
    const own = pageOf(prototypes(form), '## 数据类型\n\n支持的数据类型为half、float。')
    expect(types(own)).toHaveLength(1)
    const member = `表1 MoveParams结构体参数说明\n\n${parameters('T | - | 支持half。').replace('## 参数说明\n\n', '')}`
    expect(types(pageOf(prototypes(form), `## 参数说明\n\n${member}`))).toEqual([])
  })
})

describe('ranges', () => {
  const ranges = (words: string, name = 'gap', high = false) =>
    checksOf(
      pageOf(prototypes('void Move(int32_t gap, int32_t n);'), parameters(`${name} | 输入 | ${words}`)),
      extreme(true, high),
    )

  test('a value just above is asked for half of the time', () => {
    expect(ranges('间隔，取值范围是[0, 15]。')).toEqual([{rule: 'range', name: 'gap', value: 16, low: 0, high: 15}])
    expect(ranges('间隔，取值范围是[0, 15]。', 'gap', true)).toEqual([
      {rule: 'range', name: 'gap', value: 60, low: 0, high: 15},
    ])
    expect(ranges('间隔，取值范围是[-4，15]。')).toEqual([{rule: 'range', name: 'gap', value: 16, low: -4, high: 15}])
  })

  test('one that holds is asked for beside another check only', () => {
    const two = pageOf(
      prototypes('void Move(int32_t gap, int32_t other);'),
      parameters(
        'gap | 输入 | 间隔，取值范围是[0, 15]。',
        'other | 输入 | 数，取值范围是[2, 7]。',
        'third | 输入 | 数，取值范围是[2, 7]。',
      ),
    )
    expect(checksOf(two, extreme(false, true))).toEqual([
      {rule: 'range', name: 'gap', value: 15, low: 0, high: 15},
      {rule: 'range', name: 'other', value: 7, low: 2, high: 7},
    ])
    const one = pageOf(prototypes('void Move(int32_t gap);'), parameters('gap | 输入 | 间隔，取值范围是[0, 15]。'))
    expect(checksOf(one, extreme(false, true))).toEqual([])
    const twins = parameters('gap | 输入 | 取值范围是[0, 15]。', 'gap | 输入 | 取值范围是[0, 7]。')
    expect(checksOf(pageOf(prototypes('void Move(int32_t gap);'), twins), extreme(true, true))).toEqual([])
  })

  test.each([
    '每个元素的取值范围是[0, 15]。',
    ...['长度', '倍数', '对齐', '搬运时', '当前', '开启后', '个数范围', '但', '若', '如果', '仅', '模式'].map(
      (word) => `间隔，${word}取值范围是[0, 15]。`,
    ),
    ...['when', 'if', 'each', 'but', 'only'].map((word) => `The gap ${word} in [0, 15].`),
    '当开启时取值范围是[0, 15]。',
    '取值范围是[0, 15]，或者[20, 30]。',
    '取值范围是[15, 15]。',
    '取值范围是[15, 0]。',
    '取值范围是[0, 2147483649]。',
    '取值范围是[0, n]。',
    '取值范围是[0, 15]。取值范围是[0, 20]。',
  ])('%s is no range to ask for', (words) => {
    expect(ranges(words)).toEqual([])
  })

  test('a word that only begins like a condition is none', () => {
    expect(ranges('The gap of butterflies in [0, 15].')).toHaveLength(1)
  })

  test('a range ends at 2^31 at the latest, and is of one parameter with a name', () => {
    expect(ranges('取值范围是[0, 2147483648]。')).toHaveLength(1)
    expect(ranges('取值范围是[0, 15]。', 'gap、n')).toEqual([])
    expect(ranges('取值范围是[0, 15]。', 'gap[]')).toEqual([])
  })
})

describe('widths', () => {
  const widths = (form: string, random: Random, ...rest: string[]) =>
    checksOf(pageOf(prototypes(form), ...rest), random)
  const amount = '## 约束说明\n\n- count * sizeof(T)必须是32字节的整数倍。'
  const types = '## 数据类型\n\n元素类型支持half。'
  const tensor = 'template <typename T> void Move(const LocalTensor<T>& dst'
  const onWidth = (form: string, random: Random, ...rest: string[]) =>
    widths(`${tensor}, ${form});`, random, types, amount, ...rest).filter(({rule}) => rule === 'width')

  test('what a byte cannot hold is asked for two times of three', () => {
    expect(onWidth('uint8_t repeatTime', extreme(false, false))).toEqual([
      {rule: 'width', name: 'repeatTime', value: 256, bits: 8, most: 255},
    ])
    expect(onWidth('uint8_t repeatTime', extreme(false, true))).toEqual([
      {rule: 'width', name: 'repeatTime', value: 455, bits: 8, most: 255},
    ])
    expect(onWidth('uint16_t blockCount', extreme(true, false))).toEqual([
      {rule: 'width', name: 'blockCount', value: 2, bits: 16, most: 65_535},
    ])
    expect(onWidth('uint16_t blockCount', extreme(true, true))).toEqual([
      {rule: 'width', name: 'blockCount', value: 65_535, bits: 16, most: 65_535},
    ])
  })

  test('one is asked for, of what counts something', () => {
    expect(onWidth('uint8_t repeatTime, uint8_t count', extreme(false, false))).toHaveLength(1)
    for (const name of ['repeatA', 'timeOf', 'theCount', 'numA', 'lenA', 'sizeA', 'strideA'])
      expect(onWidth(`uint8_t ${name}`, extreme(false, false)), name).toHaveLength(1)
    expect(onWidth('uint8_t mode', extreme(false, false))).toEqual([])
    expect(onWidth('uint32_t count', extreme(false, false))).toEqual([])
  })

  test('a field without effect, or with a range of its own, has no width to ask for', () => {
    const idle = '## 约束说明\n\n- count * sizeof(T)必须是32字节的整数倍。\n- 此模式下repeatTime不生效。'
    const page = (...rest: string[]) =>
      widths(`${tensor}, uint8_t repeatTime);`, extreme(false, false), types, ...rest).filter(
        ({rule}) => rule === 'width',
      )
    expect(page(idle)).toEqual([])
    expect(page(amount, parameters('repeatTime | 输入 | 次数，此模式下repeatTime无效。'))).toEqual([])
    for (const words of ['忽略repeatTime。', 'repeatTime has no effect.', 'repeatTime is ignored.'])
      expect(page(`${amount}\n- ${words}`), words).toEqual([])
    expect(page(amount, parameters('repeatTime | 输入 | 次数，取值不超过200。'))).toEqual([])
    expect(page(amount, parameters('repeatTime | 输入 | 迭代的次数。'))).toHaveLength(1)
    expect(page(idle.replace('repeatTime', 'other'))).toHaveLength(1)
  })

  test('a width alone is no question', () => {
    expect(widths('void Move(uint8_t repeatTime);', extreme(false, false))).toEqual([])
  })
})

describe('amounts', () => {
  const rule = (words: string) => `## 约束说明\n\n- ${words}`
  const tensor = prototypes('template <typename T> void Move(const LocalTensor<T>& dst);')
  const types = '## 数据类型\n\n元素类型支持int8_t、half、float。'

  test.each([
    ['count * sizeof(T)必须是32字节的整数倍。', 32],
    ['数据量需要为64字节的倍数。', 64],
    ['数据量应32B对齐。', 32],
    ['数据量要是32字节对齐。', 32],
    ['count * sizeof(T) must be a multiple of 512 bytes', 512],
    ...['取整', '补齐', '不参与计算', '有冗余', '即round'].map((word): [string, undefined] => [
      `数据量必须是32字节的整数倍，否则${word}。`,
      undefined,
    ]),
    ['临时空间必须是32字节的整数倍。', undefined],
  ])('%s: %s', (words, unit) => {
    expect(amountUnit(pageOf(rule(words)))).toBe(unit)
    expect(amountUnit(pageOf(prototypes('void Move(int n);'), parameters(`n | 输入 | ${words}`)))).toBe(unit)
  })

  test('whole units are asked for half of the time, at least two and twenty at the most', () => {
    const page = pageOf(tensor, rule('数据量必须是32字节的整数倍。'), '## 数据类型\n\nT支持half；float。')
    expect(checksOf(page, extreme(true, false))).toEqual([
      {rule: 'amount', dtype: 'half', dtypeBytes: 2, count: 32, unitBytes: 32},
    ])
    expect(checksOf(page, extreme(true, true))).toEqual([
      {rule: 'amount', dtype: 'float', dtypeBytes: 4, count: 160, unitBytes: 32},
    ])
    expect(checksOf(page, extreme(false, false))).toEqual([
      {rule: 'amount', dtype: 'half', dtypeBytes: 2, count: 33, unitBytes: 32},
    ])
    expect(checksOf(page, extreme(false, true))).toEqual([
      {rule: 'amount', dtype: 'float', dtypeBytes: 4, count: 167, unitBytes: 32},
    ])
  })

  test('the type that was asked for is taken, where it is supported', () => {
    const page = pageOf(tensor, rule('数据量必须是32字节的整数倍。'), types)
    expect(checksOf(page, extreme(true, true))).toEqual([
      {rule: 'type', of: 'tensor', asked: 'float', supported: ['int8_t', 'half', 'float']},
      {rule: 'amount', dtype: 'float', dtypeBytes: 4, count: 160, unitBytes: 32},
    ])
    expect(checksOf(page, extreme(true, false))).toEqual([
      {rule: 'type', of: 'tensor', asked: 'int8_t', supported: ['int8_t', 'half', 'float']},
      {rule: 'amount', dtype: 'int8_t', dtypeBytes: 1, count: 64, unitBytes: 32},
    ])
  })

  test('nothing is worked out of a unit that one element fills, or of bytes alone', () => {
    expect(
      checksOf(
        pageOf(tensor, rule('数据量必须是4字节的整数倍。'), '## 数据类型\n\nT支持half；float。'),
        extreme(true, true),
      ),
    ).toEqual([])
    expect(
      checksOf(
        pageOf(tensor, rule('数据量必须是8字节的整数倍。'), '## 数据类型\n\nT支持half；float。'),
        extreme(true, true),
      ),
    ).toHaveLength(1)
    expect(
      checksOf(
        pageOf(tensor, rule('数据量必须是32字节的整数倍。'), '## 数据类型\n\nT支持int8_t；uint8_t。'),
        extreme(true, true),
      ),
    ).toEqual([])
    expect(checksOf(pageOf(tensor, rule('数据量必须是32字节的整数倍。')), extreme(true, true))).toEqual([])
  })

  test('three checks are made at the most', () => {
    const many = pageOf(
      prototypes('template <typename T> void Move(const LocalTensor<T>& dst, int32_t a, int32_t b, uint8_t count);'),
      parameters('a | 输入 | 数，取值范围是[0, 15]。', 'b | 输入 | 数，取值范围是[0, 7]。'),
      types,
      rule('数据量必须是32字节的整数倍。'),
    )
    expect(checksOf(many, extreme(false, false)).map(({rule: kind}) => kind)).toEqual(['type', 'range', 'range'])
  })
})
