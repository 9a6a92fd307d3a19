import {expect, test} from 'vitest'
import {said} from './told-reasons.ts'

const takes = 'It takes `dst` (here `y`), `src` (here `x`), `scalarValue` (here `1`) and `count`, in this order.'
const one = {log: 'void F(const LocalTensor<T>& to) {'}
const two = {log: 'void F(const LocalTensor<T>& to, const LocalTensor<T>& from) {'}

test.each<[string, string, string, {log?: string}?]>([
  // Too many.
  [
    'Adds(y, x, 1, count, count);',
    'Adds(y, x, 1, count);',
    `\`Adds\` is given one argument too many: \`count\`. ${takes}`,
  ],
  ['Adds(y, x, 1, count, s);', 'Adds(y, x, 1, count);', `\`Adds\` is given one argument too many: \`s\`. ${takes}`],
  [
    'Adds(y, x, 1, count, y);',
    'Adds(y, x, 1, count);',
    `\`Adds\` is given one argument too many: \`y\`. It appears in the call once too often. ${takes}`,
  ],
  ['F(y, 1);', 'F(y);', '`F` is given one argument too many: `1`. It takes `to` (here `y`).', one],
  [
    'F(y, x, 1);',
    'F(y, x);',
    '`F` is given one argument too many: `1`. It takes `to` (here `y`) and `from` (here `x`), in this order.',
    two,
  ],
  ['G(y, 1);', 'G(y);', '`G` is given one argument too many: `1`. It takes `y`.'],
  ['G(y, x, 1);', 'G(y, x);', '`G` is given one argument too many: `1`. It takes `y` and `x`, in this order.'],
  ['G(1);', 'G();', '`G` is given one argument too many: `1`. `G` takes no argument here.'],
  ['Adds(y, x, 1, count, 2, 3);', 'Adds(y, x, 1, count);', 'nothing'],
  // Too few.
  [
    'Adds(y, x, count);',
    'Adds(y, x, 1, count);',
    `\`Adds\` is called without argument 3 (\`scalarValue\`), \`1\`. ${takes}`,
  ],
  ['Adds(y, x);', 'Adds(y, x, 1, count);', `\`Adds\` is called without \`1\` and \`count\`. ${takes}`],
  ['G();', 'G(y);', '`G` is called without argument 1, `y`. It takes `y`.'],
  ['G();', 'G(y, x);', '`G` is called without `y` and `x`. It takes `y` and `x`, in this order.'],
  ['G(x);', 'G(y, x, 1);', 'nothing'],
  // In another order.
  [
    'Sub(x, y, s, count);',
    'Sub(y, x, s, count);',
    '? `Sub` is given `x` and `y` the wrong way round. `Sub` writes `x - s` into `y`.',
  ],
  [
    'DataCopyPad(y, xGm_, p);',
    'DataCopyPad(xGm_, y, p);',
    'Destination and source of `DataCopyPad` are swapped: `y` is where `xGm_` belongs. A copy names its ' +
      'destination first; the data goes from `y` to `xGm_`.',
  ],
  [
    'DataCopyPad(p, y, xGm_);',
    'DataCopyPad(xGm_, y, p);',
    '`DataCopyPad` is given `p` and `xGm_` the wrong way round. It takes `dst` (here `xGm_`), `src` (here `y`) ' +
      'and `dataCopyParams` (here `p`), in this order.',
  ],
  [
    'DataCopyPad(xGm_, p, y);',
    'DataCopyPad(xGm_, y, p);',
    '`DataCopyPad` is given `p` and `y` the wrong way round. It takes `dst` (here `xGm_`), `src` (here `y`) and ' +
      '`dataCopyParams` (here `p`), in this order.',
  ],
  [
    'Adds(count, y, x, 1);',
    'Adds(y, x, 1, count);',
    'The arguments of `Adds` are in the wrong order: `count` is argument 1 and has to be argument 4 ' +
      `(\`count\`). ${takes}`,
  ],
  ['G(y, x);', 'G(x, y);', 'nothing'],
  // No call, or not the call's own list.
  ['n = (a, b);', 'n = (a);', 'nothing'],
  ['f(xGm_[a, b]);', 'f(xGm_[a]);', 'nothing'],
  ['if (a, b) {\n}', 'if (a) {\n}', 'nothing'],
  ['n = sizeof(a, b);', 'n = sizeof(a);', 'nothing'],
  ['n[a, b] = 1;', 'n[a] = 1;', 'nothing'],
  // The form that repeats.
  [
    'Exp(y, 128, 4);',
    'Exp(y, count);',
    '`Exp` is given a mask, `128`, and a repeat count, `4`, without strides. There are two forms: one takes only ' +
      'the number of elements, here `count`, the other takes mask, repeat count and strides.',
  ],
  ['Exp(128, 4);', 'Exp(count);', 'nothing'],
  // Of another kind.
  [
    'DataCopyPad(inQueue_, y, p);',
    'DataCopyPad(xGm_, y, p);',
    '`DataCopyPad` is given `inQueue_`, a queue, as argument 1 (`dst`). It should be `xGm_`, a tensor in global ' +
      'memory.',
  ],
  [
    'Adds(inQueue_, x, 1, count);',
    'Adds(y, x, 1, count);',
    '`Adds` is given `inQueue_`, a queue, as argument 1 (`dst`). It should be `y`, a tensor in UB. A queue only ' +
      'passes tensors on; the operand of a computation is the tensor that it returned.',
  ],
])('%s → %s', (failed, right, reason, given) => expect(said(failed, right, given)).toBe(reason))
