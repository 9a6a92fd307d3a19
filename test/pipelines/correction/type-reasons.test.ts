import {expect, test} from 'vitest'
import {said} from './told-reasons.ts'

const calls = '\nf(z, 1);'
const taken = (type: string) =>
  `\`z\` is taken from \`buf_\` as a tensor of \`${type}\`. Line 9, \`f(z, 1);\`, is written for \`float\`, and no ` +
  'form takes both types.'
const changes = (line: string) =>
  `\`z\` is declared \`const\`. Line 9, \`${line}\`, changes it, so it cannot be constant.`

test.each<[string, string, string]>([
  // Templates.
  [
    'class K {\nT n;\n};',
    'template <typename T> class K {\nT n;\n};',
    '`class K` lacks its template line, so `T` is not a known name. `template <typename T>` declares `T`, which ' +
      'is used from line 9 on.',
  ],
  ['class K {\n};', 'template <typename Type> class K {\n};', 'nothing'],
  ['class K {\n};', 'template <typename T> class L {\n};', 'nothing'],
  // Pointers.
  [
    'TBuf<A>* b;',
    'TBuf<A> b;',
    '`b` is declared as a pointer. It is used as the object itself, and nothing ever gives the pointer an object ' +
      'to point to.',
  ],
  ['TBuf<A> b;', 'TBuf<A>* b;', 'nothing'],
  ['f(*b);', 'f(b);', '`*b` takes what `b` points to. `b` is not a pointer.'],
  ['void F(T* b) {\n}', 'void F(T b) {\n}', 'nothing'],
  // Positions of queues.
  [
    'TQue<QuePosition::VECOUT, 1> q;',
    'TQue<QuePosition::VECIN, 1> q;',
    '`q` is declared with `QuePosition::VECOUT`, the position of a queue for results. Its tensors are filled by ' +
      'a copy from global memory and then used for computing, from MTE2 to the vector unit; a VECOUT queue makes ' +
      'the vector unit and MTE3 wait for each other, so nothing waits for the copy in.',
  ],
  [
    'TQue<QuePosition::VECIN, 1> q;',
    'TQue<QuePosition::VECOUT, 1> q;',
    '`q` is declared with `QuePosition::VECIN`, the position of a queue for input. Its tensors are computed and ' +
      'then copied out, from the vector unit to MTE3; a VECIN queue makes MTE2 and the vector unit wait for each ' +
      'other, so nothing waits for the result.',
  ],
  ['TQue<QuePosition::VECCALC, 1> q;', 'TQue<QuePosition::VECOUT, 1> q;', 'nothing'],
  ['TQue<QuePosition::VECIN, 1> q;', 'TQue<QuePosition::VECCALC, 1> q;', 'nothing'],
  ['f(VECIN);', 'f(VECOUT);', 'nothing'],
  // What is constant.
  [
    'const auto z = inQueue_.DeQue<T>();\ninQueue_.FreeTensor(z);',
    'auto z = inQueue_.DeQue<T>();\ninQueue_.FreeTensor(z);',
    changes('inQueue_.FreeTensor(z);'),
  ],
  ['const float z = 0;\nz += 1;', 'float z = 0;\nz += 1;', changes('z += 1;')],
  ['const float z = 0;\na.z = 1;', 'float z = 0;\na.z = 1;', 'nothing'],
  ['const float z = 0;\nf(z);', 'float z = 0;\nf(z);', 'nothing'],
  ['z = 1;\nconst float z = 0;', 'z = 1;\nfloat z = 0;', 'nothing'],
  ['const float z = 0; z = 1;', 'float z = 0; z = 1;', 'nothing'],
  // Element types.
  [
    'LocalTensor<half> z = buf_.Get<float>();',
    'LocalTensor<float> z = buf_.Get<float>();',
    '`z` is declared as a tensor of `half`, but `Get<float>` returns one of `float`. Tensors of different ' +
      'element types do not convert to each other; the data here is `float`.',
  ],
  [`auto z = buf_.Get<half>();${calls}`, `auto z = buf_.Get<float>();${calls}`, taken('half')],
  [
    `LocalTensor<half> z = buf_.Get<half>();${calls}`,
    `LocalTensor<float> z = buf_.Get<float>();${calls}`,
    taken('half'),
  ],
  [`LocalTensor<T> z = buf_.Get<T>();${calls}`, `auto z = buf_.Get<T>();${calls}`, 'nothing'],
  ['auto z = buf_.Get<half>();\nw = z;', 'auto z = buf_.Get<float>();\nw = z;', 'nothing'],
  ['auto z = buf_.Get<half>(); f(z, 1);', 'auto z = buf_.Get<float>(); f(z, 1);', 'nothing'],
  ['f(z, 1);\nauto z = buf_.Get<half>();', 'f(z, 1);\nauto z = buf_.Get<float>();', 'nothing'],
  [`auto z = buf_.Get<half>();${calls}`, `auto w = buf_.Get<float>();${calls}`, 'nothing'],
  [`auto z = buf_.Get<half>();${calls}`, `auto z = other_.Get<float>();${calls}`, 'nothing'],
  // Numbers.
  [
    'n = static_cast<uint32_t>(static_cast<float>(a));',
    'n = a;',
    '`n` is converted to float and back to an unsigned number. A kernel function may not convert between float ' +
      'and unsigned; `a` is already an integer.',
  ],
  [
    'n = static_cast<uint32_t>((a + b) * 1.0f);',
    'n = a + b;',
    '`n` is converted to float and back to an unsigned number. A kernel function may not convert between float ' +
      'and unsigned; `a + b` is already an integer.',
  ],
  ['n = static_cast<uint32_t>(static_cast<float>(b));', 'n = a;', 'nothing'],
  [
    'n = std::max(a, 1);',
    'n = std::max(a, 1u);',
    '`std::max` is given an unsigned number and `1`, an `int`. It deduces one type from both arguments, so both ' +
      'must have the same type: `1u` is unsigned.',
  ],
  ['n = f(a, 1);', 'n = f(a, 1u);', 'nothing'],
  ['n = std::min(a, 1);', 'n = std::min(a, 2u);', 'nothing'],
  // Variables.
  [
    'std::string n = count;',
    'uint32_t n = count;',
    '`n` is declared as `std::string`, but its value is a `uint32_t`. One does not convert to the other implicitly.',
  ],
  [
    'static float n{1};',
    'static uint32_t n{1};',
    '`n` is declared as `float`, but its value is a `uint32_t`. One does not convert to the other implicitly.',
  ],
  ['float n = count;', 'uint32_t m = count;', 'nothing'],
  ['float n = count;', 'uint32_t n = other;', 'nothing'],
  ['float n;', 'uint32_t n;', 'nothing'],
  ['uint32_t n = count;', 'auto n = count;', 'nothing'],
  ['uint32_t n = count;', 'LocalTensor<T> n = count;', 'nothing'],
  // Shapes.
  [
    'n = c->GetInputShape(0);',
    'n = c->GetInputShape(0)->GetStorageShape().GetDim(0);',
    '`GetInputShape` returns a pointer to a shape, but a number is needed. The number is ' +
      '`GetStorageShape().GetDim(0)` of what it points to.',
  ],
  ['n = c->GetInputShape(1);', 'n = c->GetInputShape(0)->GetStorageShape().GetDim(0);', 'nothing'],
])('%s → %s', (failed, right, reason) => expect(said(failed, right)).toBe(reason))
