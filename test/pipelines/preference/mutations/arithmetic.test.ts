import {expect, test} from 'vitest'
import {arithmeticMutations} from '../../../../pipelines/preference/mutations/arithmetic.ts'
import {madeBy} from './places.ts'

const made = madeBy(arithmeticMutations, 'op_kernel/a.cpp')
const opposites = ['Add Sub', 'Mul Div', 'Max Min', 'Maxs Mins', 'Muls Adds', 'ReduceMax ReduceMin']

test.each(opposites.map((pair) => pair.split(' ') as [string, string]))(
  '%s and %s stand for each other',
  (one, two) => {
    expect(made('wrong-operation', `${one}(y, a, b, n);`)).toEqual([[`${two}(y, a, b, n);`, `${two} for ${one}`]])
    expect(made('wrong-operation', `${two}(y, a, b, n);`)).toEqual([[`${one}(y, a, b, n);`, `${one} for ${two}`]])
  },
)

test.each<[string, string, [string, string][]]>([
  ['wrong-operation', 'Rsqrt(y, a, n);', [['Sqrt(y, a, n);', 'Sqrt for Rsqrt']]],
  ['wrong-operation', 'Exp(y, a, n); x = Add(y, a, b, n);', []],
  ['swapped-operands', 'Sub(y, a, b, n);', [['Sub(y, b, a, n);', 'Sub with a and b in the wrong order']]],
  ['swapped-operands', 'Div(y, a[1], b);', [['Div(y, b, a[1]);', 'Div with a[1] and b in the wrong order']]],
  ['swapped-operands', 'Sub(y, a, a, n); Sub(y, a); Add(y, a, b, n); x = Sub(y, a, b, n);', []],
  [
    'wrong-reduction-length',
    'ReduceSum(y, a, w, n + 1);',
    [['ReduceSum(y, a, w, (n + 1) / 2);', 'ReduceSum over half of the elements']],
  ],
  [
    'wrong-reduction-length',
    'WholeReduceMax(y, a, m, r, 1);',
    [['WholeReduceMax(y, a, m, (r) / 2, 1);', 'WholeReduceMax over half of the elements']],
  ],
  ['wrong-reduction-length', 'ReduceSum(y, a, n); Add(y, a, b, n); x = ReduceSum(y, a, w, n);', []],
  ['wrong-compute-length', 'Exp(y, a, n);', [['Exp(y, a, n - 1);', 'Exp leaves the last element out']]],
  ['wrong-compute-length', 'Cast(y, a, m, n);', [['Cast(y, a, m, n - 1);', 'Cast leaves the last element out']]],
  ['wrong-compute-length', 'Muls(y, a, b, n);', [['Muls(y, a, b, n - 1);', 'Muls leaves the last element out']]],
  ['wrong-compute-length', 'Exp(y, n); Exp(y, a, n * 2); Abs(y, a, n); x = Exp(y, a, n);', []],
  ['missing-copy-out', 'f();\nDataCopy(yGm_[1], y, n);\n', [['f();\n', 'the copy to yGm_[1] is left out']]],
  ['missing-copy-out', 'DataCopyPad(yGm_, y, p);', [['', 'the copy to yGm_ is left out']]],
  ['missing-copy-out', 'DataCopy(y, yGm_, n); f(yGm_, y); x = DataCopy(yGm_, y, n);', []],
  ['missing-step', 'f();\nExp(y, y, n);\n', [['f();\n', 'Exp on y left out']]],
  ['missing-step', 'Abs(y, y, n);', [['', 'Abs on y left out']]],
  ['missing-step', 'Muls(y, y, 2, n);', [['', 'Muls on y left out']]],
  ['missing-step', 'Exp(y, a, n); Sqrt(y, y, n); x = Exp(y, y, n);', []],
  ['missing-result', 'f();\nExp(y, a, n);\n', [['f();\n', 'y is not computed: Exp left out']]],
  ['missing-result', 'Abs(y, a, n);', [['', 'y is not computed: Abs left out']]],
  ['missing-result', 'Sqrt(y, a, n);', [['', 'y is not computed: Sqrt left out']]],
  ['missing-result', 'Add(y, a, b);', [['', 'y is not computed: Add left out']]],
  ['missing-result', 'Exp(y, y, n); Exp(y, a); Cast(y, a, m, n); x = Exp(y, a, n);', []],
])('%s: %j', (name, text, expected) => {
  expect(made(name, text)).toEqual(expected)
  expect(madeBy(arithmeticMutations, 'op_host/a.cpp')(name, text)).toEqual([])
})
