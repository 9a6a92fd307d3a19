import {expect, test} from 'vitest'
import {isMissing} from '../../../pipelines/correction/offline/name-reasons.ts'
import {missing, said} from './told-reasons.ts'

type Given = Parameters<typeof said>[2]
const at = (line: number) => `line ${line} of op_kernel/k.cpp`
const member = (owner: string, name: string) => ({errors: [`no member named '${name}' in '${owner}'`]})

test.each<[string, string, string, Given?]>([
  [
    'n = 2M_count;',
    'n = M_count;',
    '`2M_count` starts with a digit, so it is not a valid name. Names start with a letter or an underscore; ' +
      'elsewhere it is called `M_count`.',
  ],
  ['n = 2;', 'n = M_count;', 'nothing'],
  ['n = 2M_count;', 'n = 3;', 'nothing'],
  [
    'c.GetDim();',
    'c->GetDim();',
    '`GetDim` is accessed with `.`, but `c` is a pointer. Members of what a pointer points to are accessed with `->`.',
  ],
  [
    'b->template Get<T>();',
    'b.template Get<T>();',
    '`Get` is accessed with `->`, but `b` is an object. Members of an object are accessed with `.`.',
  ],
  [
    'f(S_V);',
    'f(HardEvent::S_V);',
    '`S_V` is written without `HardEvent`, in which it is declared. The names inside `HardEvent` are not visible ' +
      'outside it: the name is `HardEvent::S_V`.',
  ],
  ['f(V_S);', 'f(HardEvent::S_V);', 'nothing'],
  [
    'n = tiling.get_length();',
    'n = tiling.length;',
    '`tiling.get_length()` calls an accessor of the host class. In the kernel the tiling data is a plain ' +
      'structure: its field is `length`.',
  ],
  ['n = tiling.get_length();', 'n = tiling.size;', 'nothing'],
  // Names that the compiler misses.
  ['int m = 1;\nf(n);', 'int m = 1;\nf(m);', `There is no \`n\`. The declared name is \`m\`: ${at(8)}.`, missing('n')],
  ['int m = 1;\nf(n);', 'int m = 1;\nf(m);', 'nothing', missing('other')],
  ['f(n);', 'f(m);', 'nothing', missing('n')],
  [
    'int m = 1;\nint n = 2;\nf(n);',
    'int m = 1;\nint n = 2;\nf(m);',
    `\`n\` is declared in line 9 of op_kernel/k.cpp, not where it is used here. The declared name is \`m\`: ${at(8)}.`,
    missing('n'),
  ],
  ['int n = 2;\nf(n);', 'int n = 2;\nf(Mode);', 'There is no `n`. The name is `Mode`.', missing('n')],
  ['float16 v = g();', 'half v = g();', 'There is no `float16`. The name is `half`.', missing('float16')],
  ['uint v = g();', 'uint32_t v = g();', 'There is no `uint`. The name is `uint32_t`.', missing('uint')],
  [
    'E v = g();',
    'T v = g();',
    'There is no type `E`. The class is a template over its element type, `T`, and its data has that type.',
    missing('E'),
  ],
  ['int T = 1;\nf(E);', 'int T = 1;\nf(T);', `There is no \`E\`. The declared name is \`T\`: ${at(8)}.`, missing('E')],
  [
    'E v = g();',
    'DTYPE_X v = g();',
    'There is no `E` here. The element type that the kernel is built for is `DTYPE_X`, a macro defined by the build.',
    missing('E'),
  ],
  [
    'f(RoundMode::ODD);',
    'f(RoundMode::CAST_ODD);',
    'There is no `ODD` in `RoundMode`. The name in `RoundMode` is `CAST_ODD`.',
    member('RoundMode', 'ODD'),
  ],
  [
    'x.Size();',
    'x.GetSize();',
    '`LocalTensor<float>` has no member `Size`. The member is called `GetSize`.',
    member('LocalTensor<float>', 'Size'),
  ],
  [
    'Sum(y, x);',
    'ReduceSum(y, x);',
    'AscendC has no function `Sum`. The right one is `ReduceSum`: `ReduceSum` writes the sum of `x` into `y`.',
    missing('Sum'),
  ],
])('%s → %s', (failed, right, reason, given) => expect(said(failed, right, given)).toBe(reason))

test.each([
  ["use of undeclared identifier 'n'", true],
  ["unknown type name 'n'", true],
  ["no member named 'n' in 'K'", true],
  ["no type named 'n' in namespace 'ge'", true],
  ["no template named 'n'", true],
  ["use of undeclared identifier 'nn'", false],
  ["redefinition of 'n'", false],
])('a name is missed by %s: %s', (message, isMissed) => {
  expect(isMissing('n', {errors: ['x', message]})).toBe(isMissed)
})
