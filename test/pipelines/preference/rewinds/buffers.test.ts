import {expect, test} from 'vitest'
import {bufferSteps} from '../../../../pipelines/preference/rewinds.ts'
import {taking} from './taking.ts'

const taken = taking(bufferSteps, 'op_kernel/a.cpp')
const queues = 'TQue<QuePosition::VECIN, 2> in_;\nTQue < AscendC::TPosition::VECOUT, 1 > out_;\nTBuf<VECIN, 1> tmp_;\n'

test.each([
  ['single-buffer-in', 'in_', 'out_'],
  ['single-buffer-out', 'out_', 'in_'],
])('%s takes a block from %s, not from %s', (step, mine, other) => {
  const made = (text: string) => taken(step, queues + text)?.slice(queues.length)
  expect(made(`p.InitBuffer(${mine}, 2, n); p->InitBuffer(${mine}, 2, m);`)).toBe(
    `p.InitBuffer(${mine}, 1, n); p->InitBuffer(${mine}, 1, m);`,
  )
  expect(made(`p.InitBuffer(${other}, 2, n); p.InitBuffer(tmp_, 2, n); p.InitBuffer(none_, 2, n);`)).toBeUndefined()
  expect(made(`p.InitBuffer(${mine}, n); p.InitBuffer(${mine}, 2, n, m); p.Init(${mine}, 2, n);`)).toBeUndefined()
  expect(taking(bufferSteps, 'op_host/a.cpp')(step, `${queues}p.InitBuffer(${mine}, 2, n);`)).toBeUndefined()
})

test.each([
  ['constexpr int32_t DEPTH = 2;', true],
  ['const uint8_t DEPTH = 2 ;', true],
  ['const static int DEPTH = 2;', true],
  ['static constexpr uint32_t DEPTH = 2;', true],
  ['constexpr int32_t DEPTH = 1;', false],
  ['constexpr int32_t DEPTH = 3;', false],
  ['constexpr int32_t DEPTH = 22;', false],
  ['constexpr int32_t MY_DEPTH = 2;', false],
  ['int32_t DEPTH = 2;', false],
  ['constexpr float DEPTH = 2;', false],
])('a name of two blocks: %s %s', (constant, isTwo) => {
  const text = (blocks: string) => `${constant}\nTQue<TPosition::VECIN, DEPTH> q;\np.InitBuffer(q, ${blocks}, n);`
  expect(taken('single-buffer-in', text('DEPTH'))).toBe(isTwo ? text('1') : undefined)
})

test.each(['1', '3', '1 + 1', 'F(2)', '2u'])('%s blocks are left as they are', (blocks) => {
  expect(taken('single-buffer-in', `${queues}p.InitBuffer(in_, ${blocks}, n);`)).toBeUndefined()
})
