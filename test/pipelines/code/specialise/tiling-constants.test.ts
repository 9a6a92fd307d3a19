import {describe, expect, test} from 'vitest'
import {tilingConstants, tilingStructures} from '../../../../pipelines/code/specialise/tiling-constants.ts'

const macro = (name: string, ...fields: string[]) =>
  `BEGIN_TILING_DATA_DEF(${name})\n${fields.map((one) => `${one};\n`).join('')}END_TILING_DATA_DEF;\n`
const field = (type: string, name: string) => `TILING_DATA_FIELD_DEF(${type}, ${name})`

test('structures are read by macro or plainly, with their fields in order', () => {
  const found = tilingStructures([
    macro(
      'A',
      field('uint32_t', 'rows'),
      'TILING_DATA_FIELD_DEF_ARR(int64_t, 4, list)',
      'TILING_DATA_FIELD_DEF_STRUCT(B, part)',
    ),
    '// struct None { int a; };\nstruct alignas(8) B { uint64_t n; optiling::C inner; int32_t ' +
      'values[3]; float eps = 0.5f; bool on{true}; };\nstruct A { int other; };\n',
  ])
  expect(Object.fromEntries(found)).toEqual({
    A: [
      {type: 'uint32_t', name: 'rows'},
      {type: 'int64_t', name: 'list'},
      {type: 'B', name: 'part'},
    ],
    B: [
      {type: 'uint64_t', name: 'n'},
      {type: 'C', name: 'inner'},
      {type: 'int32_t', name: 'values'},
      {type: 'float', name: 'eps'},
      {type: 'bool', name: 'on'},
    ],
  })
})

describe('values of a run become constants', () => {
  const structures = new Map(
    [
      [
        'T',
        [
          'uint32_t n',
          'int64_t wide',
          'uint64_t most',
          'size_t size',
          'float eps',
          'double exact',
          'bool on',
          'int32_t list',
          'Inner part',
          'int left',
        ],
      ],
      ['Inner', ['int32_t deep', 'Leaf leaf']],
      ['Leaf', ['float scale']],
      ['S', ['TCubeTiling cube']],
      ['U', ['Unknown what']],
      ['Over', ['S sub']],
    ].map(([name, fields]) => [
      name as string,
      (fields as string[]).map((one) => ({type: one.split(' ')[0] as string, name: one.split(' ')[1] as string})),
    ]),
  )
  const of = (
    root: string,
    tiling: Record<string, number | number[]>,
    mentions: (name: string) => boolean = (name) => name !== 'left',
  ) => tilingConstants(structures, root, {tiling, blockDim: 7}, mentions)

  test('of their types, those of inner structures in these', () => {
    const tiling = {
      n: 3,
      wide: -(2 ** 31),
      most: 2 ** 31,
      size: 2 ** 40,
      eps: Math.fround(1e-5),
      exact: 2,
      on: 1,
      list: [1, 2 ** 31 - 1],
      left: 9,
    }
    expect(of('T', {...tiling, 'part.deep': 4, 'part.leaf.scale': 1})).toEqual({
      ok: true,
      structures: ['T', 'Inner', 'Leaf'],
      text: `struct TilingDataDef {
    static constexpr int64_t usedCores = 7;
    static constexpr uint32_t n = 3;
    static constexpr int64_t wide = -2147483648LL;
    static constexpr uint64_t most = 2147483648ULL;
    static constexpr size_t size = 1099511627776ULL;
    static constexpr float eps = 0.00001f;
    static constexpr double exact = 2.0;
    static constexpr bool on = true;
    static constexpr int32_t list[2] = {1, 2147483647};
    struct Inner {
        static constexpr int32_t deep = 4;
        struct Leaf {
            static constexpr float scale = 1.0f;
        };
        static constexpr Leaf leaf{};
    };
    static constexpr Inner part{};
};`,
    })
  })

  test.each<[number, string]>([
    [0, '0.0f'],
    [0.5, '0.5f'],
    [Math.fround(1 / 3), '0.33333334f'],
    [Math.fround(16777216), '16777216.0f'],
    [Math.fround(1e30), '1e+30f'],
    [Math.fround(0.1), '0.1f'],
  ])('the float %d is written %s', (value, text) => {
    const found = tilingConstants(
      new Map([['T', [{type: 'float', name: 'x'}]]]),
      'T',
      {tiling: {x: value}, blockDim: 1},
      () => true,
    )
    expect(found.ok && found.text).toContain(`float x = ${text};`)
  })

  test('what is not mentioned is left out, what has no value is refused', () => {
    expect(of('T', {}, () => false)).toEqual({
      ok: true,
      structures: ['T'],
      text: 'struct TilingDataDef {\n    static constexpr int64_t usedCores = 7;\n};',
    })
    expect(of('S', {})).toEqual({ok: false, reason: 'system-tiling', detail: 'TCubeTiling cube'})
    expect(of('U', {})).toEqual({ok: false, reason: 'tiling-unread', detail: 'Unknown what'})
    expect(of('Over', {})).toEqual({ok: false, reason: 'system-tiling', detail: 'TCubeTiling sub.cube'})
    expect(of('None', {})).toMatchObject({ok: true, structures: ['None']})
  })

  test('at most four hundred values are written out', () => {
    const list = (count: number) => Array<number>(count).fill(1)
    expect(of('T', {list: list(398), n: 1, on: 0}, (name) => name === 'list')).toMatchObject({ok: true})
    expect(of('T', {list: list(399), n: 1, on: 0}, (name) => name === 'list')).toEqual({
      ok: false,
      reason: 'tiling-too-long',
      detail: '401 values',
    })
  })
})
