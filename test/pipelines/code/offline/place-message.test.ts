import {expect, test} from 'vitest'
import {voice} from '../../../../datasets/voice.ts'
import {randomFrom} from '../../../../engine/random.ts'
import {placeMessage} from '../../../../pipelines/code/offline/place-message.ts'
import {tell} from '../../../../pipelines/telling/tell-message.ts'

const at = (text: string, line = 2, path = 'op_kernel/a.cpp') => placeMessage([{path, text}], {path, line})

test.each([
  ['pipe_.InitBuffer(q_, 2, n * 4);', 'buffer', {name: 'q_', value: 'n * 4'}],
  ['pipe_.InitBuffer(b_, n * 4);', 'buffer', {name: 'b_', value: 'n * 4'}],
  ['DataCopyPad(yGm_[i], y, params);', 'copy-at', {from: 'y', to: 'yGm_[i]', offset: 'i'}],
  ['DataCopyPad(x, xGm_[i], params, pad);', 'copy-at', {from: 'xGm_[i]', to: 'x', offset: 'i'}],
  ['DataCopyPad(x[8], xGm_[i], params, pad);', 'copy-at', {from: 'xGm_[i]', to: 'x[8]', offset: 'i'}],
  ['DataCopyPad(yGm_[0], y, params);', 'copy-whole', {from: 'y', to: 'yGm_[0]'}],
  ['DataCopy(y, yGm_, 32);', 'copy-whole', {from: 'yGm_', to: 'y'}],
  ['q_.template FreeTensor(x);', 'given-back', {name: 'q_', tensor: 'x'}],
  ['this->q_.EnQue(x);', 'handed-on', {name: 'this->q_', tensor: 'x'}],
  ['LocalTensor<T> x = q_.template DeQue<T>();', 'taken', {name: 'q_', tensor: 'x'}],
  ['auto x = q_.AllocTensor<T>();', 'empty-block', {name: 'q_', tensor: 'x'}],
  ['WaitFlag<HardEvent::MTE3_V>(EVENT_ID2);', 'order', {}],
  ['context->SetBlockDim(1);', 'launch', {value: '1'}],
  ['tiling.set_tileLength(tile * 2);', 'field', {name: 'tileLength', value: 'tile * 2'}],
  ['tiling.set_tileLength(8);', 'field-number', {name: 'tileLength', value: '8'}],
  ['Muls(y, x, scale, n);', 'compute', {name: 'Muls', to: 'y'}],
  ['Muls(x, x, scale, n);', 'compute-in-place', {name: 'Muls', to: 'x'}],
  ['Muls(y, x[8], scale, n);', 'compute-part', {name: 'Muls', tensor: 'x', index: '8'}],
  ['Sub(x, x, &y, n);', 'compute-in-place', {name: 'Sub', to: 'x'}],
  ['Cast(y, x.GetPhyAddr(), RoundMode::CAST_NONE, n);', 'compute-address', {pointer: 'x.GetPhyAddr()'}],
  ['y = Mul(y, x, x, n);', 'returned', {name: 'y', api: 'Mul'}],
  ['const uint32_t n = CeilDiv(total, 8);', 'rounded-up', {name: 'n'}],
  ['Compute(count, true);', 'call', {name: 'Compute'}],
  ['const uint32_t n = total / 2; // half', 'value', {name: 'n'}],
  ['for (uint32_t i = 0; i <= n; ++i) {', 'loop', {}],
  ['if (rest > 0) {', 'flow', {}],
  ['const uint32_t n = AlignUp(total, 8);', 'value', {name: 'n'}],
  ['tiling.set_n(8); } else { tiling.set_n(1);', 'field', {name: 'n', value: '1'}],
  ['const DataCopyParams p{1, n, 0, 0};', 'value', {name: 'p'}],
  ['const DataCopyExtParams p{1, n, 0, 0, 0};', 'bytes', {name: 'p'}],
  ['const DataCopyExtParams p{1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0};', 'bytes', {name: 'p'}],
  ['const DataCopyPadExtParams<T> p{true, 8, 8, 0};', 'padding', {name: 'p'}],
  ['zGm_.SetValue(0, z.GetValue(0));', 'element', {name: 'zGm_', at: '0', value: 'z.GetValue(0)'}],
  ['xGm_.SetGlobalBuffer((__gm__ T*)x + n);', 'global', {name: 'xGm_', value: '(__gm__ T*)x + n'}],
  ['xGm_ = reinterpret_cast<__gm__ T*>(x) + n;', 'assigned', {name: 'xGm_'}],
  ['using T = float', 'line', {}],
  ['template <typename T>', 'line', {}],
])('a statement is told by its kind: %s', (line, situation, values) => {
  const found = at(`void F(LocalTensor<T> x, LocalTensor<T> y) {\n    ${line}\n}\n`)
  expect(found?.message).toMatchObject({topic: 'statement', situation, values})
  for (const language of ['en', 'zh'] as const)
    for (const seed of 'abcdef') {
      const text = found ? tell(found.message, voice(language, randomFrom(seed))) : ''
      const {statement = '', value = statement} = found?.message.values ?? {}
      expect([statement, value].some((one) => text.includes(`\`${String(one)}\``))).toBe(true)
      expect(text).not.toMatch(/wrong|fault|bug|mistake|错误/)
    }
})

test('a statement on several lines is one, a line without code leads to the next', () => {
  expect(at('f(\n    a);\n', 2)?.message.values['statement']).toBe('f( a)')
  expect(at('{\n    // why\n    n = x;\n', 2)?.message.values['statement']).toBe('n = x')
})

test('of several statements on a line it is the last, and of a function that begins there the first', () => {
  expect(at('LocalTensor<T> y;\nAdd(x, x, y, n); DataCopy(y, yGm_, 32);\n')?.message.situation).toBe('copy-whole')
  const head = '__aicore__ inline void F(uint32_t n) {'
  expect(at(`class K {\n${head}\n    SetAtomicAdd<float>();\n    G(n);\n}\n};\n`)?.message.values['statement']).toBe(
    'SetAtomicAdd<float>()',
  )
})

test('nothing is told of what is not there or too long to quote', () => {
  expect(at('a;', 9)).toBeUndefined()
  for (const plain of ['return;', 'break;', 'i++;', 'fp32_t * y;', 'DataCopy(y[8], x, 32);'])
    expect(at(`void F(LocalTensor<T> x, LocalTensor<T> y) {\n${plain}\n}\n`)).toBeUndefined()
  expect(at(`\nF(${'x, '.repeat(60)}y);`)).toBeUndefined()
  expect(placeMessage([], {path: 'op_host/a.cpp', line: 1})).toBeUndefined()
})

test('it is told with the file that it stands in', () => {
  expect(at('\nf(a);', 2, 'op_host/a.cpp')?.isHost).toBe(true)
  expect(at('\nf(a);')?.isHost).toBe(false)
})
