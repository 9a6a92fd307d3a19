import {expect, test} from 'vitest'
import {said} from './told-reasons.ts'

const fields = '\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(a);\nt.set_length(b);'
const set = 'The host sets `length` to `b` and `tile` to `a`.'
const guard =
  'The first core returns here as well, whatever its share. Only a core for which `start >= n` holds has nothing ' +
  'to do; core 0 has a share like the others, and none of it is set up or computed then.'
const tail = (test: string) =>
  `\`n\` is always \`tile\`, even for the last piece. Where \`${test}\`, less is left, and the full length goes ` +
  'past the end of the data.'
const opposite = (was: string, condition: string) =>
  `The condition \`${was}\` is the opposite of what is meant. The branch is for the case \`${condition}\`; ` +
  'inverted, it is taken in all other cases and skipped in that one.'
const dimension =
  'Dimensions count from 0, so the last of `GetDimNum()` has index `s.GetDimNum() - 1`; any other result is not ' +
  'the length of a row, and everything computed from it is wrong.'

test.each<[string, string, string]>([
  // Another field of the tiling.
  [
    `n_ = tiling.tile;${fields}`,
    `n_ = tiling.length;${fields}`,
    `The field \`tile\` of the tiling data is read for \`n_\` where \`length\` is meant. ${set}`,
  ],
  [
    `f(tiling.tile);${fields}`,
    `f(tiling.length);${fields}`,
    `The field \`tile\` of the tiling data is read where \`length\` is meant. ${set}`,
  ],
  [`n_ = tiling.tile;${fields}`, `n_ = tiling.length * 2;${fields}`, 'nothing'],
  [`n_ = tiling.tile * 2;${fields}`, `n_ = tiling.length;${fields}`, 'nothing'],
  [`n_ = tiling.tile + tiling.x;${fields}`, `n_ = tiling.length;${fields}`, 'nothing'],
  [`n_ = tiling.tile;${fields}`, `n_ = tilingOf.length;${fields}`, 'nothing'],
  [
    'n_ = tiling.tile;\nt.set_tile(a);\nt.set_length(b);',
    'n_ = tiling.length;\nt.set_tile(a);\nt.set_length(b);',
    'nothing',
  ],
  // The first core returns.
  ['if (start >= n || GetBlockIdx() == 0) {\n}', 'if (start >= n) {\n}', guard],
  ['if (start >= n || GetBlockIdx() == 0) {\n}', 'if (start > n) {\n}', 'nothing'],
  // Loops.
  [
    'for (int i = 0; i <= n; ++i) {\n}',
    'for (int i = 0; i < n; ++i) {\n}',
    'The loop runs to `i <= n`, one iteration too many. Counted from 0, the last `i` is `n - 1`; the iteration ' +
      'after it works past the end of the data.',
  ],
  [
    'for (int i = 0; i + 1 < n; ++i) {\n}',
    'for (int i = 0; i < n; ++i) {\n}',
    'The loop stops as soon as `i + 1` reaches `n`, one iteration too early. The data of its last iteration is ' +
      'not processed.',
  ],
  [
    'for (int i = 0; i + t < n; i += t) {\n}',
    'for (int i = 0; i < n; i += t) {\n}',
    'The loop stops as soon as `i + t` reaches `n`, one iteration too early. The data of its last iteration is ' +
      'not processed.',
  ],
  ['for (int i = 0; i + 1 < n; i += t) {\n}', 'for (int i = 0; i < n; i += t) {\n}', 'nothing'],
  ['for (int i = 0; i + t < n; ++i) {\n}', 'for (int i = 0; i < n; ++i) {\n}', 'nothing'],
  ['for (int i = 0; i <= m; ++i) {\n}', 'for (int i = 0; i < n; ++i) {\n}', 'nothing'],
  ['while (i <= n) {\n}', 'while (i < n) {\n}', 'nothing'],
  // Conditions.
  ['if (a < b) {\n}', 'if (a >= b) {\n}', opposite('a < b', 'a >= b')],
  ['if (a > b) return;', 'if (a <= b) return;', opposite('a > b', 'a <= b')],
  ['if constexpr (a == b) {\n}', 'if constexpr (a != b) {\n}', opposite('a == b', 'a != b')],
  ['if (a < b) {\n}', 'if (a <= b) {\n}', 'nothing'],
  ['while (a < b) {\n}', 'while (a >= b) {\n}', 'nothing'],
  ['f(a < b);', 'f(a >= b);', 'nothing'],
  // The last piece.
  ['n = tile;', 'n = isLast ? small : tile;', tail('isLast')],
  ['n = tile;', 'n = i == turns ? rest : tile;', tail('i == turns')],
  ['n = tile;', 'n = i == turns - 1 ? small : tile;', tail('i == turns - 1')],
  ['n = tile;', 'n = (i == turns - 1) ? small : tile;', tail('(i == turns - 1)')],
  ['n = tile;', 'n = all - start < tile ? all - start : tile;', tail('all - start < tile')],
  ['n = tile;', 'n = all >= tile ? small : tile;', tail('all >= tile')],
  ['n = tile;', 'n = f(tile) ? small : tile;', 'nothing'],
  ['n = tile;', 'n = a < b ? small : tile;', 'nothing'],
  ['n = tile;', 'n = i == turns ? small : tile;', 'nothing'],
  ['n = other;', 'n = isLast ? small : tile;', 'nothing'],
  // Divisions.
  [
    'n = a / unit;',
    'n = (a + unit - 1) / unit;',
    '`a / unit` rounds down, so the remainder of `a` is lost. A part that does not fill a whole `unit` has to be ' +
      'covered as well, so the division rounds up.',
  ],
  ['n = a / other;', 'n = (a + unit - 1) / unit;', 'nothing'],
  // Dimensions.
  [
    'n = s.GetDim(0);',
    'n = s.GetDim(s.GetDimNum() - 1);',
    `\`GetDim(0)\` asks for a dimension other than the last one. ${dimension}`,
  ],
  [
    'n = s.GetDim(s.GetDimNum() + 1);',
    'n = s.GetDim(s.GetDimNum() - 1);',
    `\`GetDim(s.GetDimNum() + 1)\` asks for a dimension after the last one. ${dimension}`,
  ],
  ['n = s.GetDim(0);', 'n = s.GetDim(1);', 'nothing'],
  ['n = s.GetDim(s.GetDimNum() - 1) + 1;', 'n = s.GetDim(s.GetDimNum() - 1);', 'nothing'],
])('%s → %s', (failed, right, reason) => expect(said(failed, right)).toBe(reason))

test('in Chinese', () => {
  const zh = (failed: string) => said(failed, 'n = s.GetDim(s.GetDimNum() - 1);', {language: 'zh'})
  expect(zh('n = s.GetDim(0);')).toContain('`GetDim(0)`取的不是最后一维。')
  expect(zh('n = s.GetDim(s.GetDimNum() + 1);')).toContain('`GetDim(s.GetDimNum() + 1)`取的维度在最后一维之后。')
})
