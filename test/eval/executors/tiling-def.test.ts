import {expect, test} from 'vitest'
import {
  decodeTiling,
  defaultTiling,
  parsePlainStructures,
  parseTilingBlocks,
  tilingStructs,
  tilingText,
} from '../../../eval/executors/tiling-def.ts'

const source = `
#define SLOTS 2
constexpr uint32_t MORE = SLOTS * 2;
BEGIN_TILING_DATA_DEF(Inner)
  TILING_DATA_FIELD_DEF(uint16_t, low); // TILING_DATA_FIELD_DEF(uint16_t, gone);
END_TILING_DATA_DEF
BEGIN_TILING_DATA_DEF(Outer)
  TILING_DATA_FIELD_DEF(uint8_t, flag);
  TILING_DATA_FIELD_DEF_STRUCT(Inner, inner);
  TILING_DATA_FIELD_DEF_ARR(float, SLOTS, ratios);
  TILING_DATA_FIELD_DEF(int64_t, offset);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Demo_1, Inner)
REGISTER_TILING_DATA_CLASS(Demo, optiling::Outer)
`

test('macro blocks become structures; array sizes may be named constants', () => {
  expect(parseTilingBlocks(source)).toEqual([
    {name: 'Inner', fields: [{name: 'low', type: 'uint16_t', count: undefined}]},
    {
      name: 'Outer',
      fields: [
        {name: 'flag', type: 'uint8_t', count: undefined},
        {name: 'inner', type: 'Inner', count: undefined},
        {name: 'ratios', type: 'float', count: 2},
        {name: 'offset', type: 'int64_t', count: undefined},
      ],
    },
  ])
})

test('the default structure is the one registered under the operator itself', () => {
  expect(defaultTiling(source, 'Demo')).toBe('Outer')
  expect(defaultTiling(source, undefined)).toBe('Outer')
  expect(defaultTiling('BEGIN_TILING_DATA_DEF(Only)\nEND_TILING_DATA_DEF', undefined)).toBe('Only')
  expect(defaultTiling('', 'Demo')).toBeUndefined()
})

test('the kernel gets plain structures aligned to eight bytes', () => {
  expect(tilingStructs(source, 'Demo')).toContain(
    'struct alignas(8) Outer {\n    uint8_t flag;\n    Inner inner;\n    float ratios[2];\n    int64_t offset;\n};',
  )
  expect(tilingStructs(source, 'Demo')).toMatch(/using TwinDefaultTiling = Outer;$/)
})

test('the text that a kernel needs is the blocks and registrations alone, each once', () => {
  expect(tilingText([source, source])).not.toContain('gone')
  expect(parseTilingBlocks(tilingText([source, source])).map(({name}) => name)).toEqual(['Inner', 'Outer'])
})

test('in that text a structure stands behind what it contains, whichever file comes first', () => {
  const [inner, outer] = ['Inner', 'Outer'].map((name) => {
    const field = name === 'Outer' ? '_STRUCT(optiling::Inner, inner)' : '(uint32_t, n)'
    return `BEGIN_TILING_DATA_DEF(${name})\n  TILING_DATA_FIELD_DEF${field};\nEND_TILING_DATA_DEF;`
  }) as [string, string]
  for (const sources of [
    [inner, outer],
    [outer, inner],
  ])
    expect(parseTilingBlocks(tilingText(sources)).map(({name}) => name)).toEqual(['Inner', 'Outer'])
  const loop = outer.replace('Inner', 'Outer')
  expect(parseTilingBlocks(tilingText([loop])), 'of itself').toHaveLength(1)
})

test('array sizes are numbers in that text, because the constants stay behind, also in another file', () => {
  const declaration =
    'BEGIN_TILING_DATA_DEF(Lists)\n  TILING_DATA_FIELD_DEF_ARR(uint16_t, SLOTS_TOTAL, starts);\nEND_TILING_DATA_DEF;'
  expect(tilingStructs(tilingText([source]), 'Demo')).toContain('float ratios[2];')
  expect(tilingStructs(tilingText(['constexpr uint16_t SLOTS_TOTAL = 50;', declaration]), 'Demo')).toContain(
    'uint16_t starts[50];',
  )
  const sizeIn = (value: number | string) =>
    tilingText(['#define SIDE (0x3)', `constexpr uint16_t SLOTS_TOTAL = ${value};`, declaration])
  expect(sizeIn(1)).toContain('(uint16_t, 1, starts)')
  expect(sizeIn('2 * (SIDE + 1)')).toContain('(uint16_t, 8, starts)')
  // An array without elements is no array: what the author wrote stands.
  expect(sizeIn(0)).toContain('(uint16_t, SLOTS_TOTAL, starts)')
})

test('bytes are decoded by the layout of the host: nested at multiples of eight', () => {
  const bytes = new Uint8Array(32)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, 5)
  view.setUint16(8, 600, true)
  view.setFloat32(16, 0.5, true)
  view.setFloat32(20, -2, true)
  view.setBigInt64(24, -9n, true)
  expect(decodeTiling(parseTilingBlocks(source), 'Outer', bytes, {nestedAlignment: 8})).toEqual({
    flag: 5,
    'inner.low': 600,
    ratios: [0.5, -2],
    offset: -9,
  })
})

test('plain structures decode at natural alignment, and an unknown type gives nothing', () => {
  const plain = parsePlainStructures(
    'struct Plain { uint8_t a; uint32_t b = 3; uint64_t c[2]; };\nstruct Odd { Foreign f; };',
  )
  const bytes = new Uint8Array(24)
  new DataView(bytes.buffer).setUint32(4, 77, true)
  expect(decodeTiling(plain, 'Plain', bytes)).toEqual({a: 0, b: 77, c: [0, 0]})
  expect(decodeTiling(plain, 'Odd', bytes)).toEqual({})
  expect(decodeTiling(plain, 'Plain', bytes.subarray(0, 8))).toEqual({})
})
