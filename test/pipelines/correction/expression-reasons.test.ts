import {expect, test} from 'vitest'
import {said} from './told-reasons.ts'

const unit = 'A stride is the gap between two blocks, in bytes in global memory and in 32-byte data blocks in UB'
const ext = (...values: (string | number)[]) => `DataCopyExtParams p{${values.join(', ')}};`
const pad = (...values: (string | number)[]) => `DataCopyPadExtParams<T> p{${values.join(', ')}};`
const fields = (...told: string[]) => `In \`p\`, ${told.join(' and ')}.`
const is = (field: string, wrong: string, right: string) => `\`${field}\` is \`${wrong}\` where \`${right}\` belongs`
const padding =
  'Padding counts elements, at most 32 bytes of them per side, and fills only what a row lacks to its aligned length.'
const filled = 'explicit padding, because the hardware fills up to the next 32-byte boundary by itself.'
const unpadded = `This copy needs no ${filled}`
const uncounted = `Padding counts elements and fills at most 32 bytes per side; this copy needs no ${filled}`
const isPad = '`isPad` says whether any elements are filled in.'
const part = (count: string) =>
  `The data is at the start of \`x\`, and that many fewer elements fit after the new position.${count}`
const overlap = ' The same call reads `x` from its start, so result and source overlap without being identical.'

test.each<[string, string, string]>([
  // Fields of copy parameters.
  [
    ext(2, 8, 0, 0, 0),
    ext(1, 8, 0, 0, 0),
    `${fields(is('blockCount', '2', '1'))} It is the number of blocks that one copy moves.`,
  ],
  [
    ext(1, 0, 0, 0, 0),
    ext(1, 'n', 0, 0, 0),
    `${fields(is('blockLen', '0', 'n'))} A block of 0 bytes is not moved at all.`,
  ],
  [
    ext(1, 'n / 32', 0, 0, 0),
    ext(1, 'n', 0, 0, 0),
    `${fields(is('blockLen', 'n / 32', 'n'))} It counts bytes in DataCopyExtParams; 32-byte blocks are the unit ` +
      'of DataCopyParams.',
  ],
  [
    ext(1, 'n / 2', 0, 0, 0),
    ext(1, 'n', 0, 0, 0),
    `${fields(is('blockLen', 'n / 2', 'n'))} Then only part of the \`n\` bytes is copied.`,
  ],
  [
    ext(1, 'n + 1', 0, 0, 0),
    ext(1, 'n', 0, 0, 0),
    `${fields(is('blockLen', 'n + 1', 'n'))} Then more than \`n\` bytes are copied.`,
  ],
  [
    ext(1, 'n * 2', 0, 0, 0),
    ext(1, 'n', 0, 0, 0),
    `${fields(is('blockLen', 'n * 2', 'n'))} Then more than \`n\` bytes are copied.`,
  ],
  [
    ext(1, 'uint32_t(n)', 0, 0, 0),
    ext(1, 'uint32_t(n * sizeof(T))', 0, 0, 0),
    `${fields(is('blockLen', 'uint32_t(n)', 'uint32_t(n * sizeof(T))'))} It counts bytes, not elements.`,
  ],
  [ext(1, 'm * sizeof(T)', 0, 0, 0), ext(1, 'n * sizeof(T)', 0, 0, 0), 'nothing'],
  [ext(1, 'm', 0, 0, 0), ext(1, 'n', 0, 0, 0), 'nothing'],
  [ext(1, 8, 4, 0, 0), ext(1, 8, 0, 0, 0), `${fields(is('srcStride', '4', '0'))} ${unit}; these blocks have no gap.`],
  [
    ext(1, 8, 0, 0, 0),
    ext(1, 8, 'gap', 0, 0),
    `${fields(is('srcStride', '0', 'gap'))} ${unit}; with 0 each block directly follows the previous one, but here \`gap\` is ` +
      'left between them.',
  ],
  [ext(1, 8, 'a', 0, 0), ext(1, 8, 'b', 0, 0), `${fields(is('srcStride', 'a', 'b'))} ${unit}; here it is \`b\`.`],
  [
    ext(1, 8, 'a', 'c', 0),
    ext(1, 8, 'b', 'd', 0),
    `${fields(is('srcStride', 'a', 'b'), is('dstStride', 'c', 'd'))} ${unit}; here it is \`b\`. ${unit}; here it is ` +
      '`d`.',
  ],
  [ext(1, 8, 0, 0, 1), ext(1, 8, 0, 0, 0), 'nothing'],
  [
    ext(2, 0, 0, 0, 0),
    ext('false', 0, 0, 0, 0),
    `${fields(is('blockCount', '2', 'false'))} It is the number of blocks that one copy moves.`,
  ],
  [pad('true', 0, 0, 0), pad('false', 0, 0, 0), `${fields(is('isPad', 'true', 'false'))} ${unpadded}`],
  [
    pad('true', 2, 0, 0),
    pad('false', 0, 0, 0),
    `${fields(is('isPad', 'true', 'false'), is('leftPadding', '2', '0'))} ${uncounted}`,
  ],
  [pad('false', 0, 0, 8), pad('false', 0, 0, 0), `${fields(is('paddingValue', '8', '0'))} ${unpadded}`],
  [pad('true', 0, 3, 0), pad('false', 0, 3, 0), `${fields(is('isPad', 'true', 'false'))} ${isPad}`],
  [pad('true', 3, 0, 0), pad('false', 3, 0, 0), `${fields(is('isPad', 'true', 'false'))} ${isPad}`],
  [pad('false', 0, 0, 0), pad('true', 0, 0, 0), `${fields(is('isPad', 'false', 'true'))} ${isPad}`],
  [pad('true', 0, 8, 0), pad('true', 0, 'n', 0), `${fields(is('rightPadding', '8', 'n'))} ${padding}`],
  ['DataCopyParams p{1, 8, 0, 1};', 'DataCopyParams p{1, 8, 0, 0};', 'nothing'],
  ['p = DataCopyExtParams(2, 8, 0, 0, 0);', 'p = DataCopyExtParams(1, 8, 0, 0, 0);', 'nothing'],
  ['Other p{2, 8};', 'Other p{1, 8};', 'nothing'],
  [ext(1, 8, 0, 0), ext(1, 8, 0, 0, 0), 'nothing'],
  // Indices.
  [
    'f(xGm_[n * 4]);',
    'f(xGm_[n]);',
    'The index of `xGm_` is multiplied by `4`, as only a length in bytes would be: `n * 4`. A tensor is indexed by ' +
      'elements, so `n` is already the position.',
  ],
  [
    'f(xGm_[n - 1]);',
    'f(xGm_[n]);',
    'The index of `xGm_` is `n - 1`, which is off by `-1`. The part for this step starts at `n`; the offset ' +
      'leaves out some of its elements and touches others that do not belong to it.',
  ],
  [
    'f(xGm_[0]);',
    'f(xGm_[n]);',
    'The index of `xGm_` is `0` where `n` belongs, so the access is always at its start. `n` says where this ' +
      "step's part starts; without it every step gets the same elements.",
  ],
  ['f(xGm_[m]);', 'f(xGm_[n]);', 'nothing'],
  // A part of a tensor.
  [
    'Adds(y, x[8], 1, n);',
    'Adds(y, x, 1, n);',
    `\`Adds\` is given \`x[8]\`, which starts 8 elements after the start of \`x\`. ${part('')}`,
  ],
  [
    'Adds(x[1], x, 1, n);',
    'Adds(x, x, 1, n);',
    `\`Adds\` is given \`x[1]\`, which starts 1 element after the start of \`x\`. ${part(overlap)}`,
  ],
  [
    'Adds(x[8], y, 1, n);',
    'Adds(x, y, 1, n);',
    `\`Adds\` is given \`x[8]\`, which starts 8 elements after the start of \`x\`. ${part('')}`,
  ],
  [
    'Add(y, x[8], x, n);',
    'Add(y, x, x, n);',
    `\`Add\` is given \`x[8]\`, which starts 8 elements after the start of \`x\`. ${part('')}`,
  ],
  ['f(other[8]);', 'f(other);', 'nothing'],
  // Addresses.
  [
    'xGm_.SetGlobalBuffer(a + 1, n);',
    'xGm_.SetGlobalBuffer(a, n);',
    '`xGm_` starts after the start of its memory, by `1`. The data starts at `a`: with the shift the first ' +
      'elements are left out and every index is off.',
  ],
  [
    'xGm_.SetGlobalBuffer(a + b + 1, n);',
    'xGm_.SetGlobalBuffer(a + b, n);',
    "`xGm_` starts after the start of the core's share, by `1`. The address `a + b` is already the share; with " +
      'the shift the first elements are left out and the last ones belong to the next core or to nobody.',
  ],
  ['xGm_.SetGlobalBuffer(a - 1, n);', 'xGm_.SetGlobalBuffer(a, n);', 'nothing'],
  ['g(a + 1, n);', 'g(a, n);', 'nothing'],
  // Modes.
  [
    'Cast(y, x, RoundMode::CAST_ODD, n);',
    'Cast(y, x, RoundMode::CAST_NONE, n);',
    '`Cast` is given `RoundMode::CAST_ODD` as `roundMode`, which this conversion does not support. A conversion ' +
      'to a wider type does not round: its mode is `RoundMode::CAST_NONE`.',
  ],
  ['Cast(y, x, RoundMode::CAST_ODD, n);', 'Cast(y, x, RoundMode::CAST_RINT, n);', 'nothing'],
  ['Cast(y, x, RoundMode::CAST_ODD, n);', 'Cast(y, x, Mode::CAST_NONE, n);', 'nothing'],
  ['Cast(y, x, g(1), n);', 'Cast(y, x, RoundMode::CAST_NONE, n);', 'nothing'],
])('%s → %s', (failed, right, reason) => expect(said(failed, right)).toBe(reason))
