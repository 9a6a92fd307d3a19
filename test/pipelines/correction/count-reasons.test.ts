import {expect, test} from 'vitest'
import {said} from './told-reasons.ts'

const fewer = 'The elements after them keep what was in the buffer before.'
const more = 'It reads and writes past the data, and past the end of the buffer if that is no longer.'
const cores = (count: string) =>
  `The tiling splits the work over \`${count}\` cores, and each core takes the share of its own index`
const bytes = (count: string) => `The steps below are written for \`${count}\` bytes and go past its end.`

test.each<[string, string, string]>([
  // Cores.
  [
    'c->SetBlockDim(1);',
    'c->SetBlockDim(n);',
    `\`1\` core is launched, not \`n\`. ${cores('n')}: a share that no core takes is not computed.`,
  ],
  [
    'c->SetBlockDim(n + 1);',
    'c->SetBlockDim(n);',
    `\`n + 1\` cores are launched, not \`n\`. ${cores('n')}; a core without a share may work past the end of the data.`,
  ],
  [
    'c->SetBlockDim(m);',
    'c->SetBlockDim(n);',
    `\`m\` cores are launched, not \`n\`. ${cores('n')}; the number launched has to be the same.`,
  ],
  // The object for its bytes.
  [
    't.SaveToBuffer(raw, n);',
    't.SaveToBuffer(raw->GetData(), n);',
    '`SaveToBuffer` is given the buffer object `raw` itself. It writes to the address it is given: the bytes of ' +
      'the buffer are at `raw->GetData()`, and otherwise the object itself is destroyed.',
  ],
  // Elements.
  [
    'Adds(y, x, 1, 4);',
    'Adds(y, x, 1, 8);',
    `\`Adds\` works on \`4\` elements, fewer than the \`8\` available. ${fewer}`,
  ],
  [
    'Adds(y, x, 1, 1);',
    'Adds(y, x, 1, 8);',
    `\`Adds\` works on \`1\` element, fewer than the \`8\` available. ${fewer}`,
  ],
  [
    'DataCopy(x, xGm_, 9);',
    'DataCopy(x, xGm_, 8);',
    `\`DataCopy\` works on \`9\` elements, more than the \`8\` that exist. ${more}`,
  ],
  [
    'uint32_t n = 4;\nAdds(y, x, 1, 0);',
    'uint32_t n = 4;\nAdds(y, x, 1, n);',
    `\`Adds\` works on \`0\` elements, fewer than the \`n\` available. ${fewer} Line 8 computes that length.`,
  ],
  [
    'uint32_t n = 4;\nAdds(y, x, 1, 0);',
    'uint32_t n = 4;\nAdds(y, x, 1, a | n);',
    `\`Adds\` works on \`0\` elements, fewer than the \`a | n\` available. ${fewer}`,
  ],
  [
    'Compare(m, x, y, CMPMODE::LT, count);',
    'Compare(m, x, y, CMPMODE::LT, paddedCount);',
    '`Compare` is given `count` elements, which may not fill whole blocks of 256 bytes. A comparison by count ' +
      'takes whole repeats of 256 bytes; `paddedCount` is that length rounded up.',
  ],
  ['Compare(m, x, y, CMPMODE::LT, count);', 'Compare(m, x, y, CMPMODE::LT, other);', 'nothing'],
  ['Adds(y, x, 1, count);', 'Adds(y, x, 1, paddedCount);', 'nothing'],
  ['f(y, 4);', 'f(y, 8);', 'nothing'],
  ['Adds p{y, x, 1, 4};', 'Adds p{y, x, 1, 8};', 'nothing'],
  // Constants.
  [
    'Adds(y, x, 4, count);',
    'Adds(y, x, 8, count);',
    '? `Adds` is given the constant `4` where `8` belongs. `Adds` writes `x + 8` into `y`.',
  ],
  [
    'Adds(y, x, 1, count);',
    'Adds(y, x, 0, count);',
    '? `Adds` is given the constant `1` where `0` belongs. `Adds` writes `x + 0` into `y`. Adding zero copies ' +
      'the values unchanged.',
  ],
  [
    'Adds(y, x, 0, count);',
    'Adds(y, x, 1, count);',
    '? `Adds` is given the constant `0` where `1` belongs. `Adds` writes `x + 1` into `y`.',
  ],
  [
    'Muls(y, x, 0, count);',
    'Muls(y, x, 1.0f, count);',
    '? `Muls` is given the constant `0` where `1.0f` belongs. `Muls` writes `x * 1.0f` into `y`. A factor of one ' +
      'copies the values unchanged.',
  ],
  [
    'Muls(y, x, 1, count);',
    'Muls(y, x, 0, count);',
    '? `Muls` is given the constant `1` where `0` belongs. `Muls` writes `x * 0` into `y`.',
  ],
  [
    'Maxs(y, x, 1, count);',
    'Maxs(y, x, 0, count);',
    '? `Maxs` is given the constant `1` where `0` belongs. `Maxs` writes `max(x, 0)` into `y`.',
  ],
  ['Adds(y, x, s, count);', 'Adds(y, x, 2, count);', 'nothing'],
  ['Adds(y, x, 2, count);', 'Adds(y, x, s, count);', 'nothing'],
  ['f(1, x);', 'f(2, x);', 'nothing'],
  [
    'Adds(y, x, -s, count);',
    'Adds(y, x, s, count);',
    '? `Adds` is given `-s`, which has the wrong sign. `Adds` writes `x + s` into `y`.',
  ],
  // Buffers.
  [
    'p.InitBuffer(q_, 1, n);',
    'p.InitBuffer(q_, 2, n);',
    '`q_` is set up with `1` blocks, not `2`. A queue needs at least one block to allocate from, as many as it ' +
      'is declared with, and all of them have to fit into UB.',
  ],
  ['p.InitBuffer(b_, 64);', 'p.InitBuffer(b_, 256);', `\`b_\` gets \`64\` bytes, fewer than \`256\`. ${bytes('256')}`],
  ['p.InitBuffer(b_, 256);', 'p.InitBuffer(b_, n);', `\`b_\` gets \`256\` bytes, fewer than \`n\`. ${bytes('n')}`],
  ['p.InitBuffer(b_, 4096);', 'p.InitBuffer(b_, n);', 'nothing'],
  ['p.InitBuffer(b_, 999);', 'p.InitBuffer(b_, 64);', 'nothing'],
  [
    'p.InitBuffer(b_, 256 * 1024);',
    'p.InitBuffer(b_, n);',
    '`b_` gets `256 * 1024` bytes, not `n`. UB has 192 KB for all queues and buffers together.',
  ],
  ['p.InitBuffer(0, 64);', 'p.InitBuffer(b_, 64);', 'nothing'],
])('%s → %s', (failed, right, reason) => expect(said(failed, right)).toBe(reason))
