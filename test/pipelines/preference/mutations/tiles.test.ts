import {expect, test} from 'vitest'
import {tilingMutations} from '../../../../pipelines/preference/mutations/tiles.ts'
import {viewFiles} from '../../../../pipelines/preference/mutations/mutation.ts'
import {madeBy} from './places.ts'

const made = madeBy(tilingMutations, 'op_kernel/a.cpp')
const down = 'the number of tiles is rounded down, so the tail is never touched'
const branch = 'the branch for the tail is missing'
const first = 'every core works on the first block'
const inclusive = 'the loop over i runs to n inclusive'
const short = 'the loop over i stops one step before n'

test.each<[string, string, [string, string][]]>([
  ['missing-tail', 'k = (n + t - 1) / t;', [['k = n / t;', down]]],
  ['missing-tail', 'k = (n + t - 1) / u; k = (n + t) / t;', []],
  ['missing-tail', 'f();\nif (tail > 0) {\n  g();\n}\nh();\n', [['f();\nh();\n', branch]]],
  ['missing-tail', 'if (myTail_ != 0) { g(); } h();', [[' h();', branch]]],
  ['missing-tail', 'if (tail == 0) { g(); } if (rest > 0) { } if (tail > 0) {', []],
  ['tile-off-by-one', 'for (uint32_t i = 0; i < n; ++i) {}', [['for (uint32_t i = 0; i <= n; ++i) {}', inclusive]]],
  ['tile-off-by-one', 'for (auto i = 0; i < n; i++) {}', [['for (auto i = 0; i <= n; i++) {}', inclusive]]],
  ['tile-off-by-one', 'for (int64_t i = 0; i < n; i += t) {} for (int64_t i = 1; i < n; ++i) {}', []],
  ['last-tile-skipped', 'for (uint32_t i = 0; i < n; ++i) {}', [['for (uint32_t i = 0; i + 1 < n; ++i) {}', short]]],
  [
    'last-tile-skipped',
    'for (uint64_t i = 0; i < n; i += t) f();',
    [['for (uint64_t i = 0; i + t < n; i += t) f();', short]],
  ],
  ['last-tile-skipped', 'for (uint32_t i = 0; i < n; ++j) {}', []],
  [
    'block-index-ignored',
    'a = GetBlockIdx() * n; b = f(GetBlockIdx());',
    [
      ['a = 0; b = f(GetBlockIdx());', first],
      ['a = GetBlockIdx() * n; b = f(0);', first],
    ],
  ],
  ['block-index-ignored', 'a = GetBlockNum() * n;', []],
  [
    'block-offset-missing',
    'g.SetGlobalBuffer((__gm__ T*)x + start + 1, n);',
    [['g.SetGlobalBuffer((__gm__ T*)x, n);', '(__gm__ T*)x starts at the first element in every core']],
  ],
  ['block-offset-missing', 'g.SetGlobalBuffer(x, a + b); g.SetGlobalBuffer(); f(x + 1);', []],
  [
    'buffer-too-small',
    'p.InitBuffer(q_, 2, n * 4); p.InitBuffer(b_, n); p.InitBuffer(b_); f(a, b);',
    [
      [
        'p.InitBuffer(q_, 2, (n * 4) / 2); p.InitBuffer(b_, n); p.InitBuffer(b_); f(a, b);',
        'q_ gets half of the bytes that are used',
      ],
      [
        'p.InitBuffer(q_, 2, n * 4); p.InitBuffer(b_, (n) / 2); p.InitBuffer(b_); f(a, b);',
        'b_ gets half of the bytes that are used',
      ],
    ],
  ],
  [
    'ub-over-capacity',
    'p.InitBuffer(q_, 2, n); p.InitBuffer(b_, n); p.InitBuffer(c_, 1, 2, 3);',
    [
      [
        'p.InitBuffer(q_, 2, 192 * 1024); p.InitBuffer(b_, n); p.InitBuffer(c_, 1, 2, 3);',
        'each buffer of q_ asks for all of UB',
      ],
    ],
  ],
  ['tiling-data-not-read', 'f();\nGET_TILING_DATA(t, tiling);\n', [['f();\n', 'GET_TILING_DATA left out']]],
  [
    'tiling-data-not-read',
    'GET_TILING_DATA_WITH_STRUCT(Plan, plan, tiling);',
    [['Plan plan{};', 'GET_TILING_DATA_WITH_STRUCT left out']],
  ],
  [
    'tiling-data-not-read',
    'f();\nGET_TILING_DATA_WITH_STRUCT(Plan);\n',
    [['f();\n', 'GET_TILING_DATA_WITH_STRUCT left out']],
  ],
  ['tiling-data-not-read', 'a = GET_TILING_DATA(t, tiling); f(GET_TILING);', []],
])('%s: %j', (name, text, expected) => {
  expect(made(name, text)).toEqual(expected)
  expect(madeBy(tilingMutations, 'op_host/a.cpp')(name, text)).toEqual([])
})

test.each(['for (uint32_t i = 0; i < n; ++i) { f(); }', 'for (uint32_t i = 0; i < n; ++i) f();'])(
  'a loop that stops early counts where its body runs: %s',
  (text) => {
    const short = tilingMutations.find(({name}) => name === 'last-tile-skipped')
    const places = short?.places(viewFiles([{path: 'op_kernel/a.cpp', text}]))
    expect(places?.map((one) => text.slice(one.runs).trim().slice(0, 4))).toEqual(['f();'])
  },
)
