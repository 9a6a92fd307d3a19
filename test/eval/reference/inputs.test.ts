import {describe, expect, test} from 'vitest'
import {drawValues, inputFamilies, type InputFamily} from '../../../eval/reference/inputs.ts'
import {roundTo} from '../../../datasets/dtype.ts'
import {randomFrom} from '../../../engine/random.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'
import {golden} from '../../helpers/golden.ts'

const spec = (dtype: Dtype, size = 4000) => ({name: 'x', dtype, shape: [size]})

describe.each(inputFamilies)('family %s', (family) => {
  test.each<[Dtype, readonly [number, number]]>([
    ['float16', [-10, 10]],
    ['float16', [0.1, 3.3]],
    ['bfloat16', [-0.3, 0.3]],
    ['float32', [-5, -1.1]],
    ['int32', [-7, 7]],
    ['uint8', [0, 200]],
    ['bool', [0, 1]],
  ])('stays in its domain and in %s %j', (dtype, domain) => {
    const values = drawValues(spec(dtype), family, randomFrom('a'), domain)
    expect(Math.min(...values)).toBeGreaterThanOrEqual(domain[0])
    expect(Math.max(...values)).toBeLessThanOrEqual(domain[1])
    expect(values).toEqual(roundTo(values, dtype))
  })

  test('depends on the seed alone', () => {
    expect(drawValues(spec('float32'), family, randomFrom('a'))).toEqual(
      drawValues(spec('float32'), family, randomFrom('a')),
    )
  })
})

test('normal has mean 0 and deviation 1, and is mirrored into a domain of one sign', () => {
  const values = drawValues(spec('float32'), 'normal', randomFrom('b'))
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
  expect(Math.abs(mean)).toBeLessThan(0.06)
  expect(Math.abs(deviation - 1)).toBeLessThan(0.05)
  expect(drawValues(spec('float32'), 'normal', randomFrom('b'), [0, 100]).filter((value) => value === 0).length).toBe(0)
})

test('boundary holds both zeros, one and both ends', () => {
  const values = [...drawValues(spec('float16'), 'boundary', randomFrom('c'), [-4, 4])]
  for (const wanted of [0, -0, 1, -1, 4, -4])
    expect(
      values.some((value) => Object.is(value, wanted)),
      String(wanted),
    ).toBe(true)
})

test('large stays away from the middle, small close to zero', () => {
  expect(Math.min(...drawValues(spec('float32'), 'large', randomFrom('d')).map(Math.abs))).toBeGreaterThanOrEqual(8)
  expect(Math.max(...drawValues(spec('float32'), 'small', randomFrom('d')).map(Math.abs))).toBeLessThanOrEqual(0.2)
})

describe.each<Dtype>(['float32', 'int32'])('of %s', (dtype) => {
  const drawn = (family: InputFamily) => [...drawValues(spec(dtype), family, randomFrom('e'), [100, 300])]

  test('large fills the first and the last tenth of its domain, each about half of the time', () => {
    const values = drawn('large')
    const low = values.filter((value) => value <= 120)
    const high = values.filter((value) => value >= 280)
    expect(low.length + high.length).toBe(values.length)
    expect(Math.abs(low.length / values.length - 0.5)).toBeLessThan(0.05)
    expect(Math.max(...low)).toBeGreaterThan(119)
    expect(Math.min(...high)).toBeLessThan(281)
  })

  test('boundary has a quarter of its values anywhere in its domain', () => {
    const inside = drawn('boundary').filter((value) => value > 101 && value < 299)
    expect(Math.abs(inside.length / 4000 - 0.25)).toBeLessThan(0.04)
    expect(inside.reduce((sum, value) => sum + value, 0) / inside.length).toBeCloseTo(200, -1)
    expect(Math.min(...inside)).toBeLessThan(110)
    expect(Math.max(...inside)).toBeGreaterThan(290)
  })
})

describe('the families that go beyond a domain', () => {
  const drawn = (family: InputFamily, dtype: Dtype = 'float32', domain?: readonly [number, number]) => [
    ...drawValues(spec(dtype), family, randomFrom('f'), domain),
  ]
  const share = (values: readonly number[], is: (value: number) => boolean) => values.filter(is).length / values.length

  test('wide fills the exponents of the type, and the bits of an integer', () => {
    for (const [dtype, small, large] of [
      ['float16', 1e-4, 1e4],
      ['float32', 1e-37, 1e37],
      ['int32', 1, 1e9],
    ] as const) {
      const sizes = drawn('wide', dtype).map(Math.abs)
      expect(Math.min(...sizes)).toBeLessThanOrEqual(small)
      expect(Math.max(...sizes)).toBeGreaterThan(large)
      expect(sizes.every(Number.isFinite)).toBe(true)
    }
    expect(share(drawn('wide'), (value) => value < 0)).toBeCloseTo(0.5, 1)
    expect(share(drawn('wide'), (value) => Math.abs(value) > 10)).toBeCloseTo(0.5, 1)
  })

  test.each<[InputFamily, number[]]>([
    ['infinite', [0, -0, Infinity, -Infinity]],
    ['nan', [0, -0, NaN]],
    ['denormal', [0, -0]],
  ])('%s holds its special values, one in sixteen', (family, specials) => {
    const values = drawn(family)
    for (const special of specials) expect(values.some((value) => Object.is(value, special))).toBe(true)
    expect(share(values, (value) => specials.some((special) => Object.is(special, value)))).toBeCloseTo(1 / 16, 1)
  })

  test('denormal stays below the smallest normal number', () => {
    expect(Math.max(...drawn('denormal').map(Math.abs))).toBeLessThanOrEqual(2 ** -126)
    expect(share(drawn('denormal', 'float16'), (value) => value !== 0)).toBeGreaterThan(0.8)
  })

  test('a domain that a task declares keeps special values out', () => {
    expect(drawn('infinite', 'float32', [-100, 100]).every((value) => Math.abs(value) <= 100)).toBe(true)
    expect(drawn('nan', 'float32', [1, 2]).every((value) => value >= 1 && value <= 2)).toBe(true)
  })
})

test('refuses an empty domain', () => {
  expect(() => drawValues(spec('float32'), 'uniform', randomFrom('e'), [1, 0])).toThrow('domain of x is [1, 0]')
  expect(() => drawValues(spec('uint8'), 'uniform', randomFrom('e'), [-9, -1])).toThrow('outside of uint8')
})

/** A verdict can be looked at again only while a seed gives the values that it gave. */
test('a seed gives the same values for ever', () => {
  const domains = [undefined, [-4, 4], [0.1, 3.3], [-5, -1.1], [0, 2]] as const
  const lines = (['float32', 'float16', 'int32', 'uint8', 'bool', 'complex64'] as const).flatMap((dtype) =>
    inputFamilies.flatMap((family) =>
      domains
        .filter((domain) => !domain || dtype.startsWith('float') || domain[0] === 0 || dtype === 'int32')
        .map((domain) => {
          const values = [...drawValues(spec(dtype, 12), family, randomFrom('g'), domain)]
          const shown = values.map((value) => (Object.is(value, -0) ? '-0' : String(Number(value.toPrecision(6)))))
          return `${dtype} ${family} ${domain ? JSON.stringify(domain) : 'free'}: ${shown.join(' ')}`
        }),
    ),
  )
  golden('test/fixtures/told/drawn-values.txt', `${lines.join('\n')}\n`)
})

describe('a domain', () => {
  test('of one value gives that value, of any family', () => {
    for (const family of inputFamilies) {
      expect([...drawValues(spec('float32', 3), family, randomFrom('h'), [2, 2])], family).toEqual([2, 2, 2])
      expect([...drawValues(spec('int8', 3), family, randomFrom('h'), [7, 7])], family).toEqual([7, 7, 7])
    }
  })
  test('of an integer type ends at whole numbers and at the ends of the type', () => {
    const ends = (dtype: Dtype, domain: readonly [number, number]) => {
      const values = [...drawValues(spec(dtype), 'uniform', randomFrom('i'), domain)]
      return [Math.min(...values), Math.max(...values)]
    }
    expect(ends('int32', [-2.5, 2.5])).toEqual([-2, 2])
    expect(ends('int8', [-1000, -126])).toEqual([-128, -126])
    expect(ends('uint8', [253, 1000])).toEqual([253, 255])
    expect(ends('uint8', [-7, 0])).toEqual([0, 0])
    expect(() => ends('uint8', [256, 300])).toThrow('domain of x is [256, 300]: empty, or outside of uint8')
    expect(ends('uint8', [255, 300])).toEqual([255, 255])
  })
  test('where none is declared goes to ten for floats, to a hundred for integers', () => {
    const ends = (dtype: Dtype) => {
      const values = [...drawValues(spec(dtype, 20_000), 'uniform', randomFrom('j'))]
      return [Math.min(...values), Math.max(...values)].map(Math.round)
    }
    expect(ends('float32')).toEqual([-10, 10])
    expect(ends('int32')).toEqual([-100, 100])
    expect(ends('uint8')).toEqual([0, 100])
    expect(ends('bool')).toEqual([0, 1])
  })
})

test('a value that its type rounds out of its domain moves one step back inside', () => {
  // 0.1 and 3.3 are no float16: the nearest ones lie outside at 0.1 (0.09998) and inside at 3.3 (3.299).
  const values = [...drawValues(spec('float16'), 'boundary', randomFrom('k'), [0.1, 3.3])]
  expect(Math.min(...values)).toBe(0.10003662109375)
  expect(Math.max(...values)).toBe(3.298828125)
  expect(Math.max(...drawValues(spec('bfloat16'), 'boundary', randomFrom('k'), [-1, 0.3]))).toBe(0.298828125)
})
