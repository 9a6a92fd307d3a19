import {expect, test} from 'vitest'
import {queueMutations} from '../../../../pipelines/preference/mutations/queues.ts'
import {madeBy} from './places.ts'

const made = madeBy(queueMutations, 'op_kernel/a.cpp')
const wait = 'AllocTensor where DeQue waits for the data'
const early = (free: string, local: string) => `${free} moved before the use of ${local}`
const queues = 'TQue<A, 1> in_;\nTQue<B, 2> out_;\n'

test.each<[string, string, [string, string][]]>([
  ['missing-enque', 'f();\n  q.EnQue(x);\ng();\n', [['f();\ng();\n', 'EnQue(x) left out']]],
  ['missing-enque', 'a = q.EnQue(x);\n', []],
  ['missing-free', 'q.FreeTensor(x); g();\n', [[' g();\n', 'FreeTensor(x) left out']]],
  ['missing-free', 'a = q.FreeTensor(x);\n', []],
  ['alloc-instead-of-deque', 'auto x = q.DeQue<T>();', [['auto x = q.AllocTensor<T>();', wait]]],
  ['alloc-instead-of-deque', 'auto x = q.AllocTensor<T>();', []],
  [
    'deque-instead-of-alloc',
    'auto x = q.AllocTensor<T>();',
    [['auto x = q.DeQue<T>();', 'DeQue of a queue that nothing was put into']],
  ],
  [
    'freed-too-early',
    '  auto x = q.DeQue<T>();\n  f(x);\n  q.FreeTensor(x);\n',
    [['  auto x = q.DeQue<T>();\n  q.FreeTensor(x);\n  f(x);\n', early('q.FreeTensor(x);', 'x')]],
  ],
  [
    'freed-too-early',
    'x = q.template DeQue<T>();\nq.FreeTensor(y);\nf();\n\n\tq.FreeTensor(x);\n',
    [['x = q.template DeQue<T>();\n\tq.FreeTensor(x);\nq.FreeTensor(y);\nf();\n', early('q.FreeTensor(x);', 'x')]],
  ],
  ['freed-too-early', 'q.FreeTensor(x);\nauto x = q.DeQue<T>();\nf(x);\n', []],
  ['freed-too-early', 'auto x = q.DeQue<T>();\n// what\nq.FreeTensor(x);\n', []],
  ['freed-too-early', 'auto x = q.DeQue<T>(); q.FreeTensor(x);\n', []],
  ['freed-too-early', 'auto x = q.DeQue<T>();\nf(x);\nq.FreeTensor(y);\n', []],
  ['freed-too-early', 'q.DeQue<T>();\nf(x);\nq.FreeTensor(x);\n', []],
  ['wrong-queue', `${queues}in_.EnQue(x);`, [[`${queues}out_.EnQue(x);`, "in_'s tensor is put into out_"]]],
  ['wrong-queue', `${queues}out_.EnQue(x);`, [[`${queues}in_.EnQue(x);`, "out_'s tensor is put into in_"]]],
  ['wrong-queue', `${queues}other_.EnQue(x);`, []],
  ['wrong-queue', `${queues}a = in_.EnQue(x);`, []],
  ['wrong-queue', 'TQue<A, 1> in_;\nin_.EnQue(x);', []],
])('%s: %j', (name, text, expected) => {
  expect(made(name, text)).toEqual(expected)
  expect(madeBy(queueMutations, 'op_host/a.cpp')(name, text)).toEqual([])
})
