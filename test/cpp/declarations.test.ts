import {expect, test} from 'vitest'
import {declarationsOf, functionsOf, interfaceCalls, isTensor, tensorsOf} from '../../cpp/declarations.ts'
import {viewSource} from '../../cpp/source-view.ts'

const text = `#include "kernel_operator.h"
constexpr int32_t BUFFER_NUM = 2;
template <typename T>
class Kernel {
public:
    __aicore__ inline Kernel() {}
    __aicore__ inline void Compute(const LocalTensor<T>& bias, uint32_t count)
    {
        LocalTensor<float> x = buffer_.Get<float>();
        const DataCopyExtParams params{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        if (count > 0) {
            Own(x, count);
            AscendC::Adds(x, x, 1.0f, count);
        }
        queue_.EnQue(x);
        return count;
    }
    __aicore__ inline void Own(const LocalTensor<float>& x, uint32_t n) { Exp(x, x, n); }

private:
    TQue<QuePosition::VECIN, BUFFER_NUM> queue_;
    TBuf<QuePosition::VECCALC> buffer_;
    uint32_t used_ = 0;
};
`
const source = viewSource('op_kernel/a.cpp', text)

test('functions have their heads, their template lines and their bodies', () => {
  expect(functionsOf(source).map(({name, args}) => [name, args.map((one) => one.text)])).toEqual([
    ['Kernel', []],
    ['Compute', ['const LocalTensor<T>& bias', 'uint32_t count']],
    ['Own', ['const LocalTensor<float>& x', 'uint32_t n']],
  ])
  const own = functionsOf(source)[2]
  expect(text.slice(own?.start, own?.end)).toBe(
    '__aicore__ inline void Own(const LocalTensor<float>& x, uint32_t n) { Exp(x, x, n); }',
  )
  expect(text.slice(own?.body.start, own?.body.end)).toBe(' Exp(x, x, n); ')
  const host = viewSource(
    'op_host/a.cpp',
    'template <int N>\nstatic bool Is(int a)\n{\n  if (Ready(a)) { return true; }\n}\n',
  )
  expect(functionsOf(host).map(({name, start}) => [name, start])).toEqual([['Is', 0]])
})

test('declarations have their type, name and value, members stand in no function', () => {
  expect(
    declarationsOf(source).map(({qualifier, type, name, value, within}) => [
      qualifier,
      type,
      name,
      value?.text,
      within?.name,
    ]),
  ).toEqual([
    ['constexpr ', 'int32_t', 'BUFFER_NUM', '2', undefined],
    ['', 'LocalTensor<float>', 'x', 'buffer_.Get<float>()', 'Compute'],
    ['const ', 'DataCopyExtParams', 'params', '1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0', 'Compute'],
    ['', 'TQue<QuePosition::VECIN, BUFFER_NUM>', 'queue_', undefined, undefined],
    ['', 'TBuf<QuePosition::VECCALC>', 'buffer_', undefined, undefined],
    ['', 'uint32_t', 'used_', '0', undefined],
  ])
  for (const {typeAt, type, nameAt, name, value} of declarationsOf(source)) {
    expect(text.slice(typeAt.start, typeAt.end)).toBe(type)
    expect(text.slice(nameAt.start, nameAt.end)).toBe(name)
    if (value) expect(text.slice(value.start, value.end)).toBe(value.text)
  }
})

test('a value is found where its text stands in its own declaration twice', () => {
  const [one] = declarationsOf(viewSource('op_kernel/a.cpp', '  uint32_t n = n_ + n;\n'))
  expect([one?.value?.start, one?.value?.text]).toEqual([15, 'n_ + n'])
})

test('tensors are variables and parameters of the type, with parts and buffers of them', () => {
  expect([...tensorsOf(source)]).toEqual([
    ['bias', 'T'],
    ['x', 'float'],
  ])
  expect(
    ['x', 'x[r * n]', 'bias', 'buffer_.Get<float>()', 'count', 'x.GetValue(0)', '1.0f'].map((one) =>
      isTensor(source, one),
    ),
  ).toEqual([true, true, true, true, false, false, false])
})

test('calls of the interface are on tensors, of nobody else, and not written here', () => {
  expect(interfaceCalls(source).map(({receiver, name}) => `${receiver}${name}`)).toEqual(['AscendC::Adds', 'Exp'])
})

test('receivers are read back to where they begin', () => {
  const {calls} = viewSource(
    'op_kernel/a.cpp',
    [
      'x = queue_.template DeQue<T>(); this->pipe.InitBuffer(q); a = b + GetTPipePtr()->AllocEventID();',
      'Foo(1); std::max(a, b); q[0].EnQue(x);',
    ].join(' '),
  )
  expect(calls.map(({receiver, name}) => [receiver, name])).toEqual([
    ['queue_.template ', 'DeQue'],
    ['this->pipe.', 'InitBuffer'],
    ['', 'GetTPipePtr'],
    ['GetTPipePtr()->', 'AllocEventID'],
    ['', 'Foo'],
    ['std::', 'max'],
    ['q[0].', 'EnQue'],
  ])
})

test('a member that is defined outside of its class is a function, and what it declares is its own', () => {
  const outside = viewSource(
    'op_kernel/a.cpp',
    [
      'template <typename T>',
      '__aicore__ inline void Kernel<T>::Compute(uint32_t count)',
      '{',
      '    LocalTensor<T> x = queue_.DeQue<T>();',
      '}',
      'uint32_t Plan::Length() { return 1; }',
      'void F() { Kernel::Run(1); }',
      '',
    ].join('\n'),
  )
  expect(functionsOf(outside).map(({name, start}) => [name, outside.text.slice(start, start + 8)])).toEqual([
    ['Compute', 'template'],
    ['Length', 'uint32_t'],
    ['F', 'void F()'],
  ])
  expect(declarationsOf(outside).map(({name, within}) => [name, within?.name])).toEqual([['x', 'Compute']])
})
