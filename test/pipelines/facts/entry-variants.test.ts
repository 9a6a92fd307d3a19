import {expect, test} from 'vitest'
import {entryVariants} from '../../../pipelines/facts/kernel-facts.ts'

const entry = (body: string) => `extern "C" __global__ __aicore__ void fold(GM_ADDR x, GM_ADDR t) {\n${body}\n}\n`

async function variantsOf(text: string): Promise<string[]> {
  const found = await entryVariants(text, ['fold'])
  return found.map(({text: run, branches}) =>
    [...branches.map(({condition, arm}) => `${condition} ${arm}`), run].join(': '),
  )
}

test.each<[name: string, text: string, variants: string[]]>([
  ['an object of a class', entry('Fold<half> op;\nop.Init(x);\nop.Process();'), ['Fold<half>']],
  ['of a class in a namespace', entry('n::Fold  op;'), ['n::Fold']],
  [
    'one in each branch',
    entry('if (a) { Fold<half> op; } else { Fold<float> op; }'),
    ['a then: Fold<half>', 'a else: Fold<float>'],
  ],
  [
    'not its tools',
    entry('TPipe p;\nAscendC::TQue<VECIN, 1> q;\nTBuf<VECCALC> b;\nGlobalTensor<half> g;\nLocalTensor<T> l;\nFold op;'),
    ['Fold'],
  ],
  ['not its tiling', entry('FoldTilingData tiling;\nTilingDataX data;\nFold op;'), ['Fold']],
  ['nor what begins in small letters', entry('int n = 1;\nfold_t op;'), []],
  ['a macro of the file', `#define RUN_FOLD(T) Fold<T> op\n${entry('RUN_FOLD(half);')}`, ['RUN_FOLD(half)']],
  [
    'a macro by a type of the language',
    `#define RUN_FOLD(T) Fold<T> op\n${entry('RUN_FOLD(float);')}`,
    ['RUN_FOLD(float)'],
  ],
  ['not a macro of others', entry('RUN_FOLD(a, b);'), []],
  ['nor one of five letters', `#define FOLDS(a) F(a)\n${entry('FOLDS(x + 1);')}`, []],
  ['one of six', `#define FOLDED(a) F(a)\n${entry('FOLDED(x + 1);')}`, ['FOLDED(x + 1)']],
  [
    'not one that does no work',
    `#define GET_TILING_DATA(a, b) F(a)\n#define REGISTER_IT(a) F(a)\n#define SET_FLAGS(a) F(a)\n${entry(
      'GET_TILING_DATA(d, t + 0);\nREGISTER_IT(x + 1);\nSET_FLAGS(x + 1);\nFold op;',
    )}`,
    ['Fold'],
  ],
  ['nor one that looks like a declaration', `#define SET_TYPE(T) F(a)\n${entry('SET_TYPE(float);')}`, []],
  ['else a template that is called', entry('Run<half>(x, t);\nn::Run<float>(x, t);'), ['Run<half>', 'n::Run<float>']],
  ['in its branch', entry('if (a) { Run<half>(x); }'), ['a then: Run<half>']],
  ['only where no object is made', entry('Run<half>(x);\nFold op;'), ['Fold']],
  [
    'not a call that is no template, gives a value, or is a tool',
    entry('Run(x);\nauto a = Run<half>(x);\nTQue<A>(x);\nrun<half>(x);\nSET_FLAG<A>(x);'),
    [],
  ],
  ['of the entry alone', `void other(GM_ADDR x) { Fold op; }\n${entry('Sum op;')}void fold(int a);\n`, ['Sum']],
])('what an entry runs is %s', async (_, text, variants) => expect(await variantsOf(text)).toEqual(variants))
