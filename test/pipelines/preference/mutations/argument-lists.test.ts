import {expect, test} from 'vitest'
import {argumentMutations} from '../../../../pipelines/preference/mutations/argument-lists.ts'
import {madeBy} from './places.ts'

const kernelHead = 'GlobalTensor<T> xGm_;\nLocalTensor<T> a;\nLocalTensor<T> b;\n'
const inKernel = madeBy(argumentMutations, 'op_kernel/a.cpp', kernelHead)

test.each<[string, string, [string, string][]]>([
  [
    'missing-argument',
    'Abs(a, b, n);',
    [
      ['Abs(b, n);', 'Abs without its argument a'],
      ['Abs(a, n);', 'Abs without its argument b'],
      ['Abs(a, b);', 'Abs without its argument n'],
    ],
  ],
  ['missing-argument', 'Abs(a); f(a, b); x.Abs(a, b); abs(a, b); y = Abs(a, b); Abs(n, m);', []],
  [
    'extra-argument',
    'AscendC::Exp(a, b, n);',
    [
      ['AscendC::Exp(a, b, n, 0);', 'Exp with 0 for an argument too many'],
      ['AscendC::Exp(a, b, n, 1);', 'Exp with 1 for an argument too many'],
      ['AscendC::Exp(a, b, n, false);', 'Exp with false for an argument too many'],
      ['AscendC::Exp(a, b, n, nullptr);', 'Exp with nullptr for an argument too many'],
      ['AscendC::Exp(a, b, n, n);', 'Exp with n for an argument too many'],
    ],
  ],
  [
    'extra-argument',
    'ReduceMax(a, b, b, n); ReduceMin(a, b, b, n);',
    [
      ['ReduceMax(a, b, b, n, nullptr); ReduceMin(a, b, b, n);', 'ReduceMax with nullptr for an argument too many'],
      ['ReduceMax(a, b, b, n); ReduceMin(a, b, b, n, nullptr);', 'ReduceMin with nullptr for an argument too many'],
    ],
  ],
  [
    'extra-argument',
    'WholeReduceMax(a);',
    [
      ['WholeReduceMax(a, 0);', 'WholeReduceMax with 0 for an argument too many'],
      ['WholeReduceMax(a, 1);', 'WholeReduceMax with 1 for an argument too many'],
      ['WholeReduceMax(a, false);', 'WholeReduceMax with false for an argument too many'],
      ['WholeReduceMax(a, nullptr);', 'WholeReduceMax with nullptr for an argument too many'],
      ['WholeReduceMax(a, a);', 'WholeReduceMax with a for an argument too many'],
    ],
  ],
  ['extra-tensor', 'Add(a, b[8], n);', [['Add(a, b[8], b[8], n);', 'Add with the tensor b[8] twice']]],
  ['extra-tensor', 'Duplicate(a, v, n);', []],
  [
    'tensor-for-scalar',
    'Adds(a, b, v, n);',
    [
      ['Adds(a, b, a, n);', 'Adds with the tensor a for v'],
      ['Adds(a, b, b, n);', 'Adds with the tensor b for v'],
      ['Adds(a, b, v, a);', 'Adds with the tensor a for n'],
      ['Adds(a, b, v, b);', 'Adds with the tensor b for n'],
    ],
  ],
  [
    'tensor-for-scalar',
    'Adds(a, v); Cast(a, b, RoundMode::CAST_NONE); Copy(a, b, params, copyParam, CAST::X);',
    [
      [
        'Adds(a, v); Cast(a, b, RoundMode::CAST_NONE); Copy(a, b, a, copyParam, CAST::X);',
        'Copy with the tensor a for params',
      ],
      [
        'Adds(a, v); Cast(a, b, RoundMode::CAST_NONE); Copy(a, b, b, copyParam, CAST::X);',
        'Copy with the tensor b for params',
      ],
    ],
  ],
  [
    'scalar-for-tensor',
    'Abs(a, b[8], n);',
    [
      ['Abs(0.0f, b[8], n);', 'Abs with 0.0f for the tensor a'],
      ['Abs(a.GetValue(0), b[8], n);', 'Abs with a.GetValue(0) for the tensor a'],
      ['Abs(a, 0.0f, n);', 'Abs with 0.0f for the tensor b[8]'],
      ['Abs(a, b[8].GetValue(0), n);', 'Abs with b[8].GetValue(0) for the tensor b[8]'],
    ],
  ],
  [
    'global-for-local',
    'Abs(a, b, n);',
    [
      ['Abs(xGm_, b, n);', 'Abs computes on xGm_ in global memory'],
      ['Abs(a, xGm_, n);', 'Abs computes on xGm_ in global memory'],
    ],
  ],
  ['global-for-local', 'DataCopy(a, b, n); DataCopyPad(a, b, n);', []],
  [
    'address-for-tensor',
    'Abs(a, b[8], n);',
    [
      ['Abs(a.GetPhyAddr(), b[8], n);', 'Abs with the address a.GetPhyAddr() for a tensor'],
      ['Abs(&a, b[8], n);', 'Abs with the address &a for a tensor'],
    ],
  ],
  ['wrong-argument-order', 'Adds(a, b, v, n);', [['Adds(a, v, b, n);', 'Adds with b and v in the wrong order']]],
  ['wrong-argument-order', 'Add(a, b, b);', []],
  ['count-in-front', 'Abs(a, b, n);', [['Abs(n, a, b);', 'Abs with n as its first argument']]],
  ['count-in-front', 'Abs(a, n); Add(a, b, b);', []],
  [
    'operands-in-a-list',
    'Select(a, b, v, a, n);',
    [['Select(a, {b, v, a}, n);', 'Select with its operands in a list']],
  ],
  ['operands-in-a-list', 'Abs(a, b, n); Duplicate(a, v, n);', []],
  ['result-returned', 'AscendC::Abs(a, b, n);', [['a = AscendC::Abs(b, n);', 'Abs as if it returned a']]],
  ['result-returned', 'Cast<T, float>(a, b, n);', [['a = Cast(b, n);', 'Cast as if it returned a']]],
  ['result-returned', 'Relu(a); DataCopy(a, b, n);', []],
  [
    'own-function-missing-argument',
    'void F(int x, int y) {} void G() { F(1, 2); H(1, 2); G(); }',
    [
      ['void F(int x, int y) {} void G() { F(2); H(1, 2); G(); }', 'F without its argument 1'],
      ['void F(int x, int y) {} void G() { F(1); H(1, 2); G(); }', 'F without its argument 2'],
    ],
  ],
  [
    'own-function-extra-argument',
    'void F(int x) {} void G() { F(1); G(); }',
    [
      ['void F(int x) {} void G() { F(1, 0); G(); }', 'F is called with 0 besides'],
      ['void F(int x) {} void G() { F(1); G(0); }', 'G is called with 0 besides'],
    ],
  ],
  [
    'init-missing-argument',
    'op.Init(x, y);',
    [
      ['op.Init(y);', 'Init without its argument x'],
      ['op.Init(x);', 'Init without its argument y'],
    ],
  ],
  ['init-missing-argument', 'op.Init(x); z = op.Init(x, y); op.Start(x, y);', []],
])('%s: %j', (name, text, expected) => {
  expect(inKernel(name, text)).toEqual(expected)
  expect(madeBy(argumentMutations, 'op_host/a.cpp', kernelHead)(name, text)).toEqual([])
})

const inHost = madeBy(argumentMutations, 'op_host/a.cpp')

test.each<[string, string, [string, string][]]>([
  [
    'host-own-function-missing-argument',
    'int F(int x, int y) {} void G() { F(1, 2); F(3); }',
    [
      ['int F(int x, int y) {} void G() { F(2); F(3); }', 'F without its argument 1'],
      ['int F(int x, int y) {} void G() { F(1); F(3); }', 'F without its argument 2'],
    ],
  ],
  [
    'host-own-function-extra-argument',
    'int F(int x) {} void G() { G(); z = F(1); }',
    [
      ['int F(int x) {} void G() { G(0); z = F(1); }', 'G is called with 0 besides'],
      ['int F(int x) {} void G() { G(); z = F(1, 0); }', 'F is called with 0 besides'],
    ],
  ],
  [
    'host-missing-argument',
    'c->SetTilingKey(k, 1); c.Get(0);',
    [
      ['c->SetTilingKey(); c.Get(0);', 'SetTilingKey without arguments'],
      ['c->SetTilingKey(k, 1); c.Get();', 'Get without arguments'],
    ],
  ],
  ['host-missing-argument', 'c->Get(); c->get(0); C::Get(0);', []],
  [
    'host-extra-argument',
    'c->Get(); c.Get(0);',
    [
      ['c->Get(0); c.Get(0);', 'Get with an argument too many'],
      ['c->Get(); c.Get(0, 0);', 'Get with an argument too many'],
    ],
  ],
  ['host-extra-argument', 'c->get(0); C::Get(0); Get(0);', []],
])('host, %s: %j', (name, text, expected) => {
  expect(inHost(name, text)).toEqual(expected)
  expect(madeBy(argumentMutations, 'op_kernel/a.cpp')(name, text)).toEqual([])
})
