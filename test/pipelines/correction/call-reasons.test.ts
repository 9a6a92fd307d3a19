import {expect, test} from 'vitest'
import {missing, said} from './told-reasons.ts'

type Given = Parameters<typeof said>[2]
const none = {errors: ['no matching function']}
const first = 'An instruction returns nothing: the first argument says where its result goes.'
const stays = (of: string) =>
  `Nothing else calls \`DeQue\` on \`inQueue_\`, so what is put into it stays there, and \`${of}\` is asked once ` +
  'too often.'
const setValue = (place: string) =>
  `The scalar unit writes one element at a time, here at \`${place}\`, and all others stay as they were; ` +
  '`DataCopy` moves all of `y` to `xGm_`.'
const elements = (count: string) =>
  `\`DataCopy\` is used for \`${count}\` elements, which may not fill whole blocks of 32 bytes. DataCopy takes whole blocks of ` +
  '32 bytes only; `DataCopyPad` takes any length, in bytes, from `p`.'

test.each<[string, string, string, Given?]>([
  // Forms of use.
  ['y = Exp(x, n);', 'Exp(y, x, n);', `\`Exp\` is used as if it returned \`y\`. ${first}`],
  ['y = AscendC::Exp(x, n);', 'AscendC::Exp(y, x, n);', `\`Exp\` is used as if it returned \`y\`. ${first}`],
  ['w = Exp(x, n);', 'Exp(y, x, n);', 'nothing'],
  ['y = Ln(x, n);', 'Exp(y, x, n);', 'nothing'],
  [
    'xGm_ = (__gm__ T*)a;',
    'xGm_.SetGlobalBuffer((__gm__ T*)a, n);',
    'An address is assigned to the tensor `xGm_`. A GlobalTensor is not a pointer: `SetGlobalBuffer` gives it ' +
      'its address and its `n` elements.',
  ],
  [
    'xGm_ = a;',
    'xGm_.SetGlobalBuffer(a);',
    'An address is assigned to the tensor `xGm_`. A GlobalTensor is not a pointer: `SetGlobalBuffer` gives it ' +
      'its address.',
  ],
  ['yGm_ = a;', 'xGm_.SetGlobalBuffer(a);', 'nothing'],
  ['xGm_ = a;', 'xGm_.Set(a);', 'nothing'],
  [
    'y += x;',
    'Add(y, y, x, n);',
    '`+=` is used on the tensor `y`. A tensor has no such operator. `Add` writes `y + x` into `y`.',
  ],
  ['y += x;', 'f(y, y, x, n);', 'nothing'],
  ['z += x;', 'Add(y, y, x, n);', 'nothing'],
  ['y = x;', 'Add(y, y, x, n);', 'nothing'],
  // Namespaces and receivers.
  [
    'AscendC::vec::Exp(y, x, n);',
    'AscendC::Exp(y, x, n);',
    '`Exp` is looked up in `AscendC::vec`, but there is no such namespace. The interface is in `AscendC` itself, ' +
      'as the other calls in this file show.',
  ],
  [
    'AscendC::vec::Exp(y, x, n);',
    'Exp(y, x, n);',
    '`Exp` is looked up in `AscendC::vec`, but there is no such namespace. The interface is in `AscendC` itself, ' +
      'as the other calls in this file show.',
  ],
  ['AscendC::vec::Exp(y, x, n);', 'Other::Exp(y, x, n);', 'nothing'],
  ['Other::Exp(y, x, n);', 'Mine::Exp(y, x, n);', 'nothing'],
  ['a.Size(1);', 'b.Size(1);', 'nothing'],
  ['a.Size();', 'b.Size();', 'nothing'],
  // Queues.
  [
    'auto z = last_.AllocTensor<T>();\nmid_.EnQue(z);',
    'auto z = last_.AllocTensor<T>();\nlast_.EnQue(z);',
    '`EnQue` is called on `mid_` with `z`, which is a tensor of `last_`. Line 8 takes it from `last_`, and a ' +
      'tensor has to go back to its own queue.',
  ],
  ['inQueue_.EnQue(z);', 'outQueue_.EnQue(z);', 'nothing'],
  // A name that stands for another tensor further down was not given out there.
  [
    'mid_.EnQue(z);\nauto z = last_.DeQue<T>();',
    'last_.EnQue(z);\nauto z = last_.DeQue<T>();',
    '`EnQue` puts `z` into `mid_`, but line 9 takes it out of `last_`. EnQue and DeQue for one tensor have to ' +
      'use the same queue.',
  ],
  ['mid_.FreeTensor(z);\nauto z = last_.DeQue<T>();', 'last_.FreeTensor(z);\nauto z = last_.DeQue<T>();', 'nothing'],
  ['auto z = mid_.AllocTensor<T>();\nmid_.EnQue(w);', 'auto z = mid_.AllocTensor<T>();\nmid_.EnQue(z);', 'nothing'],
  ['z = mid_.DeQue<T>();', 'z = inQueue_.DeQue<T>();', 'nothing'],
  [
    'z = mid_.template DeQue<T>();',
    'z = last_.template DeQue<T>();',
    `\`DeQue\` is called on \`mid_\` where \`last_\` is meant. ${stays('mid_').replace('inQueue_', 'last_')}`,
  ],
  [
    'z = mid_.AllocTensor<T>();',
    'z = last_.AllocTensor<T>();',
    '`AllocTensor` is called on `mid_` where `last_` is meant. Nothing else allocates from `last_`, and this ' +
      'takes a block of `mid_` that its own data needs.',
  ],
  [
    'z = inQueue_.AllocTensor<T>();',
    'z = inQueue_.DeQue<T>();',
    '`AllocTensor` takes a free block of `inQueue_` where the filled one is needed. DeQue takes out what the ' +
      'previous step put in with EnQue, and only DeQue waits for it; otherwise that block is never taken out and ' +
      'never freed.',
  ],
  [
    'z = inQueue_.DeQue<T>();',
    'z = inQueue_.AllocTensor<T>();',
    '`DeQue` asks `inQueue_` for a tensor that nobody has put in. The first writer of a tensor takes a free ' +
      'block with AllocTensor; EnQue and DeQue pass it on after that.',
  ],
  ['z = mid_.AllocTensor<T>();', 'z = inQueue_.DeQue<T>();', 'nothing'],
  ['z = inQueue_.Get<T>();', 'z = inQueue_.DeQue<T>();', 'nothing'],
  // What the interface does not have.
  [
    'AddScalar(y, x, 1, n);',
    'Adds(y, x, 1, n);',
    'AscendC has no function `AddScalar`. The right one is `Adds`: `Adds` writes `x + 1` into `y`.',
    missing('AddScalar'),
  ],
  [
    'AscendC::AddScalar(y, x, 1, n);',
    'AscendC::Adds(y, x, 1, n);',
    'AscendC has no function `AddScalar`. The right one is `Adds`: `Adds` writes `x + 1` into `y`.',
    missing('AddScalar'),
  ],
  ['x.AddScalar(y, x, 1, n);', 'x.Adds(y, x, 1, n);', 'nothing', missing('AddScalar')],
  ['AddScalar(y, x);', 'Bar(y, x, 1, n);', 'nothing', missing('AddScalar')],
  ['Select(y, x, 1, n);', 'Adds(y, x, 1, n);', 'nothing', missing('Select')],
  // One element for all.
  [
    'y.SetValue(0, expf(a));',
    'Exp(y, x, count);',
    '`expf` is a host library function, called for one element. A kernel has no such function; `Exp` is the ' +
      'instruction for it, and it processes all `count` elements at once.',
  ],
  [
    'y.SetValue(0, std::exp(a));',
    'Exp(y, x, count);',
    '`std::exp` is a host library function, called for one element. A kernel has no such function; `Exp` is the ' +
      'instruction for it, and it processes all `count` elements at once.',
  ],
  ['y.SetValue(0, expf(a));', 'f(y, x, count);', 'nothing'],
  ['y.SetValue(0, a);', 'Exp(y, x, count);', 'nothing'],
  ['other.SetValue(0, expf(a));', 'Exp(y, x, count);', 'nothing'],
  [
    'xGm_.SetValue(3, a);',
    'DataCopy(xGm_, y, 8);',
    `\`SetValue\` writes single elements of \`xGm_\` where the whole tile has to be copied out. ${setValue('3')}`,
  ],
  ['xGm_.SetValue(3, a);', 'f(xGm_, y, 8);', 'nothing'],
  // A plain copy.
  ['DataCopy(xGm_, y, count);', 'DataCopyPad(xGm_, y, p);', elements('count')],
  [
    'DataCopy(xGm_, y, 8);',
    'DataCopyPad(xGm_, y, p);',
    '`DataCopy` moves 8 elements, whatever the length of the piece. DataCopy takes whole blocks of 32 bytes ' +
      'only; `DataCopyPad` takes any length, in bytes, from `p`.',
  ],
  [
    'DataCopy(xGm_, y, {1, 2, 0, 0});',
    'DataCopyPad(xGm_, y, p);',
    '`DataCopy` is given `{1, 2, 0, 0}`, values for the parameters of `DataCopyPad`. DataCopy takes a count or a ' +
      'DataCopyParams, in blocks of 32 bytes; this copy is specified in bytes, with `p`.',
  ],
  [
    'DataCopy(x, xGm_, {1, 2, 0, 0});',
    'DataCopyPad(x, xGm_, p, q);',
    '`DataCopy` is given `{1, 2, 0, 0}`, values for the parameters of `DataCopyPad`. DataCopy takes a count or a ' +
      'DataCopyParams, in blocks of 32 bytes; this copy is specified in bytes, with `p, q`.',
  ],
  ['DataCopy(yGm_, y, count);', 'DataCopyPad(xGm_, y, p);', 'nothing'],
  ['DataCopy(xGm_, x, count);', 'DataCopyPad(xGm_, y, p);', 'nothing'],
  ['DataMove(xGm_, y, count);', 'DataCopyPad(xGm_, y, p);', 'nothing'],
  // Another instruction.
  [
    'Sub(y, x, x, n);',
    'Add(y, x, x, n);',
    '? `Sub` is used where `Add` belongs. `Sub` writes `x - x` into `y`. `Add` writes `x + x` into `y`.',
  ],
  ['Foo(y, x, n);', 'Exp(y, x, n);', 'nothing'],
  ['Exp(y, x, n);', 'Foo(y, x, n);', 'nothing'],
  ['Sub(y, x, s, n);', 'Add(y, x, x, n);', 'nothing'],
  [
    'Add(y, x, 1, 8);',
    'Adds(y, x, 1, 8);',
    '`Add` is given the arguments of `Adds`. No form of `Add` takes `y`, `x`, `1` and `8`. `Adds` writes `x + 1` ' +
      'into `y`.',
    none,
  ],
  ['Add(y, x, s, 8);', 'Adds(y, x, s, 8);', 'nothing', none],
])('%s → %s', (failed, right, reason, given) => expect(said(failed, right, given)).toBe(reason))
