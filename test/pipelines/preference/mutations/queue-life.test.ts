import {expect, test} from 'vitest'
import {queueLifeMutations} from '../../../../pipelines/preference/mutations/queue-life.ts'
import {madeBy} from './places.ts'

const kernelHead = 'TQue<X, 1> in_;\nTQue<X, 1> out_;\nTBuf<> tmp_;\nLocalTensor<T> a;\n'
const inKernel = madeBy(queueLifeMutations, 'op_kernel/a.cpp', kernelHead)

test.each<[string, string, [string, string][]]>([
  [
    'freed-twice',
    'in_.FreeTensor(a); x = in_.FreeTensor(a);',
    [['in_.FreeTensor(a); in_.FreeTensor(a); x = in_.FreeTensor(a);', 'a is freed twice']],
  ],
  [
    'enqueued-twice',
    'this->in_.EnQue(a); in_.EnQue<T>(a);',
    [
      ['this->in_.EnQue(a); this->in_.EnQue(a); in_.EnQue<T>(a);', 'a is put into its queue twice'],
      ['this->in_.EnQue(a); in_.EnQue<T>(a); in_.EnQue<T>(a);', 'a is put into its queue twice'],
    ],
  ],
  [
    'freed-while-enqueued',
    'in_.EnQue(a); p->out_.EnQue(a);',
    [
      ['in_.EnQue(a); in_.FreeTensor(a); p->out_.EnQue(a);', 'a is freed in its queue'],
      ['in_.EnQue(a); p->out_.EnQue(a); p->out_.FreeTensor(a);', 'a is freed in its queue'],
    ],
  ],
  [
    'allocated-without-free',
    'LocalTensor<T> x = in_.AllocTensor<T>();',
    [
      [
        'LocalTensor<T> x = in_.AllocTensor<T>(); LocalTensor<T> xSpare = in_.AllocTensor<T>();',
        'another tensor for x is never freed',
      ],
      [
        'LocalTensor<T> x = in_.AllocTensor<T>(); LocalTensor<T> xNext = in_.AllocTensor<T>();',
        'another tensor for x is never freed',
      ],
    ],
  ],
  ['allocated-without-free', 'LocalTensor<T> x = in_.DeQue<T>();\nLocalTensor<T> y;', []],
  [
    'dequeued-twice',
    'LocalTensor<T> x = in_.DeQue<T>();',
    [['LocalTensor<T> x = in_.DeQue<T>(); x = in_.DeQue<T>();', 'x is taken out of its queue twice']],
  ],
  [
    'dequeued-twice',
    'const LocalTensor<T> z = in_.DeQue<T>();\nLocalTensor<T> x = in_.AllocTensor<T>();\nauto y = DeQueue();',
    [],
  ],
  [
    'used-while-enqueued',
    'Exp(a, b, n); Abs(a, a, n); f(); out_.EnQue(a);',
    [['Exp(a, b, n); out_.EnQue(a); f(); Abs(a, a, n);', 'Abs on a after EnQue']],
  ],
  ['used-while-enqueued', 'Exp(b, a, n); out_.EnQue(a);', []],
  ['used-while-enqueued', 'if (x) { Exp(a, b, n); } out_.EnQue(a); Exp(a, b, n);', []],
  [
    'used-after-free',
    'Exp(b, a, n); f(); in_.FreeTensor(a);',
    [['in_.FreeTensor(a);\n        Exp(b, a, n); f();', 'Exp uses a after it was freed']],
  ],
  ['used-after-free', 'Exp(b, c, n); in_.FreeTensor(a); Exp(b, a, n); } in_.FreeTensor(a);', []],
  ['queue-not-initialised', 'f();\n  pipe.InitBuffer(in_, 2, n);\ng();', [['f();\ng();', 'in_ gets no memory']]],
  ['queue-not-initialised', 'x = pipe.InitBuffer(in_, 2, n);', []],
  [
    'freed-to-wrong-queue',
    'in_.FreeTensor(a); tmp_.FreeTensor(a); in_.DeQue<T>();',
    [['out_.FreeTensor(a); tmp_.FreeTensor(a); in_.DeQue<T>();', 'a is freed to out_']],
  ],
  [
    'freed-to-wrong-queue',
    'this->in_.FreeTensor(a); in_.FreeTensor();',
    [['this->in_.FreeTensor(a); out_.FreeTensor();', 'in_ is freed to out_']],
  ],
  [
    'taken-from-wrong-queue',
    'x = in_.DeQue<T>(); y = out_.AllocTensor<T>(); tmp_.Get<T>();',
    [
      ['x = out_.DeQue<T>(); y = out_.AllocTensor<T>(); tmp_.Get<T>();', 'in_ is taken from out_'],
      ['x = in_.DeQue<T>(); y = in_.AllocTensor<T>(); tmp_.Get<T>();', 'out_ is taken from in_'],
    ],
  ],
  [
    'stage-with-wrong-queue',
    'void F() { in_.DeQue(); in_.x(); in_2.x(); } void Init() { out_.x(); }',
    [['void F() { out_.DeQue(); out_.x(); in_2.x(); } void Init() { out_.x(); }', 'F works on out_, not in_']],
  ],
  [
    'second-pipe',
    'void F() { in_.DeQue<T>(); } void G() { f(); }',
    [['void F() {\n        AscendC::TPipe localPipe; in_.DeQue<T>(); } void G() { f(); }', 'F makes a second TPipe']],
  ],
  [
    'second-pipe',
    'using namespace AscendC; void F() { in_.AllocTensor<T>(); }',
    [
      [
        'using namespace AscendC; void F() {\n        TPipe localPipe; in_.AllocTensor<T>(); }',
        'F makes a second TPipe',
      ],
    ],
  ],
  [
    'second-pipe',
    'void F() { pipe.InitBuffer(in_, n); } void G() { DeQueue(); }',
    [
      [
        'void F() {\n        AscendC::TPipe localPipe; pipe.InitBuffer(in_, n); } void G() { DeQueue(); }',
        'F makes a second TPipe',
      ],
    ],
  ],
  [
    'wrong-buffer-number',
    'p.InitBuffer(in_, 2, n); p.InitBuffer(tmp_, n);',
    [
      ['p.InitBuffer(in_, 0, n); p.InitBuffer(tmp_, n);', 'in_ gets 0 buffers'],
      ['p.InitBuffer(in_, 2 * 40, n); p.InitBuffer(tmp_, n);', 'in_ gets 2 * 40 buffers'],
    ],
  ],
  ['wrong-buffer-number', 'p.InitBuffer(in_, 0, n);', [['p.InitBuffer(in_, 0 * 40, n);', 'in_ gets 0 * 40 buffers']]],
  [
    'wrong-queue-position',
    'TQue<AscendC::TPosition::VECIN, 1> q; TQue<QuePosition::VECOUT, 1> r;',
    [
      [
        'TQue<AscendC::TPosition::VECOUT, 1> q; TQue<QuePosition::VECOUT, 1> r;',
        'a queue of the other direction than VECIN',
      ],
      [
        'TQue<AscendC::TPosition::VECIN, 1> q; TQue<QuePosition::VECIN, 1> r;',
        'a queue of the other direction than VECOUT',
      ],
    ],
  ],
  ['wrong-queue-position', 'TBuf<TPosition::VECIN> q; TQue<TPosition::VECCALC, 1> r;', []],
  [
    'stage-outside-loop',
    'void F() {\n  for (;;) {\n    G();\n    h();\n  }\n  G();\n}\nvoid G() {}',
    [['void F() {\n  for (;;) {\n    h();\n  }\n  G();\n}\nvoid G() {}', 'G is not called in the loop']],
  ],
  ['stage-outside-loop', 'void F() {\n  if (x) {\n    G();\n  }\n  for (;;) G();\n}\nvoid G() {}', []],
  [
    'stage-called-twice',
    'void F() { G(); o.G(); h(); x = G(); } void G() {}',
    [['void F() { G(); G(); o.G(); h(); x = G(); } void G() {}', 'G is called twice']],
  ],
  [
    'stages-in-wrong-order',
    'void F() {\n  G();\n  H();\n}\nvoid G() {}\nvoid H() {}',
    [['void F() {\n  H();\n  G();\n}\nvoid G() {}\nvoid H() {}', 'H before G']],
  ],
  ['stages-in-wrong-order', 'void F() { G(); f(); H(); if (x) { H(); } G(); }\nvoid G() {}\nvoid H() {}', []],
])('%s: %j', (name, text, expected) => {
  expect(inKernel(name, text)).toEqual(expected)
  expect(madeBy(queueLifeMutations, 'op_host/a.cpp', kernelHead)(name, text)).toEqual([])
})
