import {test} from 'vitest'
import type {OperatorSource} from '../../../../datasets/schema/operator.ts'
import {formulas} from '../../../../pipelines/facts/formula.ts'
import type {SourceRun} from '../../../../datasets/schema/code-facts.ts'
import {kernelRequest} from '../../../../pipelines/code/offline/kernel-request.ts'
import {both, kernelOf, sourceOf, toldCases} from '../../../helpers/told-parts.ts'

const many = (count: number, one: (at: number) => string) => Array.from({length: count}, (_, at) => one(at)).join(' ')
const kernel = (body: string, members = '', name = 'K') => `class ${name} { public: ${body} private: ${members} };`
const compute = (body: string) => kernel(`void Compute(int i) { ${body} }`)
const entry = (body: string, parameters = 'GM_ADDR x, GM_ADDR y, GM_ADDR w, GM_ADDR t') =>
  `extern "C" __global__ __aicore__ void fold(${parameters}) { ${body} }`

/** Two inputs through queues, whose tiles a body turns into one that goes out. */
const moved = (body: string, more = '') => `class K { public:
  void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z) { xGm.SetGlobalBuffer((__gm__ half*)x + GetBlockIdx() * n, n);
    yGm.SetGlobalBuffer((__gm__ half*)y, n); zGm.SetGlobalBuffer((__gm__ half*)z, n); }
  void CopyIn(int i) { LocalTensor<half> a = inX.AllocTensor<half>(); DataCopy(a, xGm[i * n], n); inX.EnQue(a);
    LocalTensor<half> b = inY.AllocTensor<half>(); DataCopyPad(b, yGm[i], p, q); inY.EnQue(b); }
  void Compute(int i) { LocalTensor<half> a = inX.DeQue<half>(); LocalTensor<half> b = inY.DeQue<half>();
    LocalTensor<half> c = outZ.AllocTensor<half>(); ${body}
    outZ.EnQue(c); inX.FreeTensor(a); inY.FreeTensor(b); }
  void CopyOut(int i) { LocalTensor<half> c = outZ.DeQue<half>(); DataCopy(zGm[i * n], c, n); outZ.FreeTensor(c); }
  ${more}
  TQue<TPosition::VECIN, 1> inX; TQue<TPosition::VECIN, 1> inY; TQue<TPosition::VECOUT, 1> outZ;
  GlobalTensor<half> xGm; GlobalTensor<half> yGm; GlobalTensor<half> zGm; };`

type Given = string | readonly [text: string, changes: Partial<OperatorSource>, ran?: SourceRun]

const run = (changes: Partial<SourceRun>): SourceRun => ({
  inputs: [{name: 'x', dtype: 'float16', shape: [4, 8]}],
  ...{attributes: {}, blockDim: 2, tilingKey: 0, tiling: {}, decisions: []},
  ...changes,
})
const documented = (text: string, formulas: string[] = []): Partial<OperatorSource> =>
  ({purpose: {text, formulas}}) as never
const plain = compute('Abs(a, b, n);')

const kernels: Readonly<Record<string, Given>> = {
  'an entry': entry('Fold op; op.Init(x, y, t); op.Process();'),
  'an entry with keys': entry('if (TILING_KEY_IS(1)) { a(); } else if (TILING_KEY_IS(2)) { b(); }'),
  'an entry with many keys': entry(many(33, (at) => `if (TILING_KEY_IS(${at})) { a(); }`)),
  'an entry with its host': `${entry('Fold op; op.Init(x);')} int main() { fold<<<8, nullptr, stream>>>(x, y); }`,
  'a header': [plain, {target: {path: 'op_kernel/fold.h', text: plain}}],
  'a class with what is called': kernel(
    'K() {} void Init(int a, int b) { c = a; } void Process() { Run(); } void Run() { Abs(a, b, n); } ',
  ),
  'four classes': ['A', 'B', 'C', 'D'].map((name) => kernel('void Process() { Abs(a, b, n); }', '', name)).join(' '),
  functions: many(6, (at) => `__aicore__ inline void F${at}(LocalTensor<half> a, int n) { Abs(a, a, n); }`),
  'a comment that says what it does': `// Folds the rows of a matrix\n${plain}`,
  'a comment with an end': `// Folds the rows of a matrix.\n${plain}`,
  'a comment of eleven letters': `// Folds rows.\n${plain}`.replace('Folds rows.', 'Folds rows!'),
  'a comment of twelve letters': `// Folds a row!\n${plain}`.replace('a row!', 'a row'),
  'a licence': `// Copyright of somebody\n${plain}`,
  'a comment too long': `// ${'a'.repeat(301)}\n${plain}`,
  documentation: [plain, documented('Folds each row.')],
  'documentation with a formula': [plain, documented('Folds each row', ['y = x', 'y = x', 'z = x'])],
  'a formula alone': [plain, documented('', ['y = x'])],
  'a formula in words of another language': [plain, documented('折叠', ['y = 行'])],
  types: [plain, {dtypes: {x: 'float16', y: 'float32'}}],
  'eight types': [plain, {dtypes: Object.fromEntries(Array.from({length: 8}, (_, at) => [`t${at}`, 'int8'])) as never}],
  'nine types': [plain, {dtypes: Object.fromEntries(Array.from({length: 9}, (_, at) => [`t${at}`, 'int8'])) as never}],
  'tiling fields': kernel(
    `void Init(const FoldTiling* tiling) { ${many(9, (at) => `a${at} = tiling->f${at};`)} ` +
      'tiling->Call(); b = tiling->f0; }',
  ),
  'fields of what a macro fills': entry('GET_TILING_DATA(data, t); n = data.rows; m = data.cols;'),
  'thirteen fields, and a split': kernel(
    'void Init(const FoldTiling* tiling) { from = GetBlockIdx() * tiling->f0; ' +
      `${many(13, (at) => `a${at} = tiling->f${at};`)} }`,
  ),
  'a split': kernel(
    'void Init() { block = GetBlockIdx(); from = block * share; count = block < rest ? share + 1 : ' +
      'share; if (block < former) { at = block * big; } else { at = block * small; } }',
  ),
  'a split by one statement': kernel('void Init() { from = GetBlockIdx() * share; }'),
  'five splits': kernel(`void Init() { ${many(6, (at) => `from${at} = GetBlockIdx() * share${at};`)} }`),
  'a long split': kernel(
    `void Init() { from = GetBlockIdx() * ${'a'.repeat(118)}; to = GetBlockIdx() * ` +
      `${'b'.repeat(121)}; if (${'c'.repeat(101)}) { mid = GetBlockIdx() * m; } }`,
  ),
  'element by element': moved('Add(c, a, b, n);'),
  'in several steps': moved(
    'Muls(c, a, static_cast<half>(2.0f), n); Add(c, c, b, n); Exp(c, c, n); Maxs(c, c, (half)0.5f, ' +
      'n); Adds(c, c, -1, n);',
  ),
  'in place': moved('Axpy(b, a, alpha, n); Adds(c, b, eps + 1, n);'),
  'a constant': moved('Duplicate(c, zero, n); Sub(c, c, a, n);'),
  'a copy of one': moved('Adds(c, a, 0, n);'),
  'of what is not known': moved('Add(c, d, b, n);'),
  'in a loop': moved('for (int j = 0; j < 2; j++) { Add(c, a, b, n); }'),
  'in a branch': moved('if (j) { Add(c, a, b, n); }'),
  'by a function that is not known': moved('Mystery(c, a, n); Add(c, a, b, n);'),
  'by a function of the class': moved(
    'Add(c, a, b, n); Twice(c);',
    'void Twice(LocalTensor<half> c) { Muls(c, c, 2, n); }',
  ),
  'by an instruction without a formula': moved('Add(c, a, b, n); Transpose(c, c);'),
  'a sum too long': moved(many(6, () => 'Add(c, a, b, n); Add(b, c, a, n);')),
  'a reduction': compute('ReduceSum(r, a, work, n); WholeReduceMax(r, a, n, 1);'),
  'a reduction in its own tensor': compute('ReduceMax(r, a, r, n);'),
  'a reduction over a pattern': compute('ReduceSum<half, Pattern::AR>(r, a, work, n);'),
  'a reduction by numbers': compute('ReduceSum(r, a, 64, n);'),
  'a reduction of long names': compute(
    `ReduceSum(${'r'.repeat(41)}, a, work, n); ReduceMin(${'r'.repeat(40)}, a, work, n);`,
  ),
  'a sort': compute('Sort32(a, b, c, n); MrgSort(a, b, c);'),
  'a gather': moved('Gather(c, a, b, 0, n);'),
  'nine instructions': compute(
    'Abs(a, b, n); Exp(a, b, n); Ln(a, b, n); Sqrt(a, b, n); Relu(a, b, n); Not(a, b, n); Rsqrt(a, b,' +
      ' n); Reciprocal(a, b, n); Adds(a, b, 1, n);',
  ),
  'eight instructions': compute(
    'Abs(a, b, n); Exp(a, b, n); Ln(a, b, n); Sqrt(a, b, n); Relu(a, b, n); Not(a, b, n); Muls(a, b, ' +
      '2, n); Adds(a, b, 1, n);',
  ),
  'a matrix': kernel('void Process() { LoadData(a, b, p); Mmad(c, a, b, p); Fixpipe(d, c, p); }'),
  'matrix calls': kernel(
    'void Process() { mm.SetTensorA(a); mm.SetTensorB(b); mm.SetBias(c); mm.IterateAll(d); mm.End(); ' +
      'LoadData(a, b, p); Mmad(c, a, b, p); Fixpipe(d, c, p); mm.SetTail(m, n); mm.Init(t); ' +
      'mm.Iterate(); mm.GetTensorC(c); }',
  ),
  'a copy alone': kernel(
    'void Process() { DataCopy(a, xGm, n); } void Init(GM_ADDR x) { xGm.SetGlobalBuffer((__gm__ half*)x, n); }',
    'GlobalTensor<half> xGm;',
  ),
  'five copies': kernel(
    `void CopyIn(int i) { ${many(6, (at) => `DataCopy(a${at}, xGm[${at}], n);`)} DataCopy(a0, ` +
      'xGm[0], n); } void Init(GM_ADDR x) { xGm.SetGlobalBuffer((__gm__ half*)x, n); }',
    'GlobalTensor<half> xGm;',
  ),
  'padded copies': kernel(
    'void CopyIn(int i) { DataCopyPad(a, xGm[static_cast<uint64_t>(i) * n], p, q); } void ' +
      'Init(GM_ADDR x) { xGm.SetGlobalBuffer((__gm__ half*)x, n); }',
    'GlobalTensor<half> xGm;',
  ),
  'single elements': kernel(
    'void Init(GM_ADDR x) { xGm.SetGlobalBuffer((__gm__ half*)x, n); yGm.SetGlobalBuffer((__gm__ ' +
      'half*)x, n); } void Process() { half a = xGm.GetValue(0); yGm.SetValue(0, a); local.GetValue(1);' +
      ' }',
    'GlobalTensor<half> xGm; GlobalTensor<half> yGm;',
  ),
  casts: compute(
    'Cast(a, b, RoundMode::CAST_NONE, n); Cast(a, b, RoundMode::CAST_RINT, n); Cast(a, b, ' +
      'RoundMode::CAST_ROUND, n); Cast(a, b, RoundMode::CAST_FLOOR, n); Cast(a, b, ' +
      'RoundMode::CAST_CEIL, n); Cast(a, b, RoundMode::CAST_TRUNC, n); Cast(a, b, RoundMode::CAST_ODD, ' +
      'n); Cast(a, b, RoundMode::CAST_NEW, n);',
  ),
  'casts of bfloat16': compute('LocalTensor<bfloat16_t> t; Cast(a, b, mode, n);'),
  'comparisons and approximations': compute(
    'Compare(m, a, b, CMPMODE::LT, n); Rsqrt(a, b, n); Select(a, m, b, c, SELMODE::VSEL_TENSOR_TENSOR_MODE, n);',
  ),
  'a selection of a scalar': compute('Select(a, m, b, s, SELMODE::VSEL_CMPMASK_SPR, n);'),
  atomics: kernel('void Process() { SetAtomicAdd<half>(); SetAtomicMax<half>(); SetAtomicNone(); Abs(a, b, n); }'),
  flags: kernel(
    'void Process() { SetFlag<HardEvent::MTE2_V>(e); WaitFlag<HardEvent::MTE2_V>(e); ' +
      'SetFlag<AscendC::HardEvent::V_MTE3>(e); SetFlag<HardEvent::S_V>(e); ' +
      'SetFlag<HardEvent::M_FIX>(e); SetFlag<HardEvent::MTE1_M>(e); SetFlag<HardEvent::NEW_V>(e); ' +
      'SetFlag<HardEvent::V_S>(e); Abs(a, b, n); }',
  ),
  'flags of names': kernel('void Process() { SetFlag<event>(e); WaitFlag<event>(e); Abs(a, b, n); }'),
  barriers: kernel(
    'void Process() { PipeBarrier<PIPE_V>(); PipeBarrier<PIPE_MTE3>(); PipeBarrier<PIPE_ALL>(); Abs(a, b, n); }',
  ),
  'one barrier': kernel('void Process() { PipeBarrier<PIPE_V>(); PipeBarrier<PIPE_V>(); Abs(a, b, n); }'),
  'a barrier of all': moved('Add(c, a, b, n); PipeBarrier<PIPE_ALL>();'),
  'flags beside queues': moved('Add(c, a, b, n); SetFlag<HardEvent::V_S>(e);'),
  'all cores': kernel('void Process() { SyncAll(); Abs(a, b, n); }'),
  'some cores': kernel('void Process() { CrossCoreSetFlag<0x2, PIPE_V>(1); CrossCoreWaitFlag(1); Abs(a, b, n); }'),
  'seven functions of instructions': kernel(many(8, (at) => `void F${at}() { Abs(a${at}, b, n); }`)),
  'twelve steps': compute(many(12, (at) => `Adds(a${at}, b, ${at}, n);`)),
  'steps and a branch': compute(`${many(11, (at) => `Adds(a${at}, b, ${at}, n);`)} if (c) { Abs(a, b, n); }`),
  'steps of two branches': compute(
    `if (c) { Abs(a, b, n); Exp(a, b, n); } else { Ln(a, b, n); } Sqrt(a, b, n); Sqrt(a, b, n);`,
  ),
  'steps of a branch, and what follows': compute(
    `if (c) { ${many(11, (at) => `Adds(a${at}, b, ${at}, n);`)} } Sqrt(a, b, n);`,
  ),
  'a long step': compute(
    `Add(${'a'.repeat(30)}, ${'b'.repeat(30)}, ${'c'.repeat(30)}, n); Add(${'a'.repeat(25)}, ` +
      `${'b'.repeat(25)}, ${'c'.repeat(26)}, n12);`,
  ),
  'a function of the file': kernel(
    'void Compute(int i) { Twice(a, n); Abs(a, b, n); } void Twice(LocalTensor<half> a, int n) { Add(a, a, a, n); }',
  ),
  'functions of one name':
    'class A { public: void Run(int a) { Abs(a, b, n); } void Run(half a) { Exp(a, b, n); } }; class ' +
    'B { public: void Run(int a) { Ln(a, b, n); } };',
  'functions of other files': [
    '#include "help.h"\n#include "lib/more.h"\n' +
      `${compute('Help(a, n); Init2(a, n); InitHelp(a, n); obj.Help(a, n); Help(a); Abs(a, b, n);')}`,
    {
      dependencies: [
        {
          path: 'op_kernel/help.h',
          text:
            'inline void Help(LocalTensor<half> a, int n) { m = 1; } inline void InitHelp(LocalTensor<half> ' +
            'a, int n) { m = 1; } inline int Init2(int a, int n) { return a; }',
        },
        {path: 'op_kernel/more.h', text: 'int a;'},
        {path: 'op_kernel/unasked.h', text: 'int a;'},
      ],
    },
  ],
  'a Min of its own':
    'inline int Min(int a, int b, int c) { return a; } class K { public: void Compute(int i) { Min(a,' +
    ' b, c); AscendC::Min(a, b, c, n); Ceil(a, b); int d = Max(a, b, c); Max(a, b); Floor(a, b, n); ' +
    '} };',
  'scalar work':
    'int Count(int n) { int m = n * 2; return m; } int Declared(int n); int Rows(int n) { if (n > 1) ' +
    '{ return 1; } return 2; }',
  'nine scalar functions': many(9, (at) => `int F${at}(int n) { int m = n * ${at}; return m; }`),
  'roles by their names': kernel(
    'void InitValue() { a = 1; } void InitBuffers() { b = 1; } void copy_in(int i) { Abs(a, b, n); } ' +
      'void LoadTile(int i) { c = 1; } void CopyOut2(int i) { d = 1; } void WriteBack(int i) { ' +
      'DataCopy(yGm, a, n); } void CalcSum(int i) { e = 1; } void Init(GM_ADDR y) { ' +
      'yGm.SetGlobalBuffer((__gm__ half*)y, n); }',
    'GlobalTensor<half> yGm;',
  ),
  'other chips': `#if __NPU_ARCH__ == 3510\nclass L { void F() { Exp(a, b, n); } };\n#endif\n${plain}`,
  'the structure of the host': [
    entry('GET_TILING_DATA_WITH_STRUCT(FoldTiling, data, t); n = data.rows;'),
    {tiling: 'BEGIN_TILING_DATA_DEF(FoldTiling)\nEND_TILING_DATA_DEF;'},
  ],
  'a structure that is not read': [plain, {tiling: 'BEGIN_TILING_DATA_DEF(FoldTiling)\nEND_TILING_DATA_DEF;'}],
  'a case': [plain, {}, run({})],
  'a case with figures': [
    plain,
    {},
    run({
      attributes: {alpha: 0.5, axes: [0, 1]},
      tilingKey: 3,
      tiling: {...Object.fromEntries(Array.from({length: 9}, (_, at) => [`f${at}`, at])), list: [1]},
    }),
  ],
}

test('a kernel is asked for and told by its entry, its tiles, its instructions and what waits for what', async () => {
  const cases: Record<string, string> = {}
  for (const [name, given] of Object.entries(kernels)) {
    const [text, changes = {}, ran] = typeof given === 'string' ? [given] : given
    const source = sourceOf(text, changes)
    const facts = await kernelOf(text, changes)
    const told = both((speaker) => kernelRequest(source, facts, speaker, ran))
    const {methods, passingQueues, globals, moves, constants} = facts
    const roles = methods.map(({role, syntax}) => `${syntax.name} ${role}`)
    const read = {
      roles,
      passingQueues,
      globals: globals.map(({name, address}) => `${name} ${address}`),
      moves: moves.map(({direction, api}) => `${api} ${direction}`),
    }
    cases[name] = `${told}\n${JSON.stringify({...read, constants: [...constants], formulas: formulas(facts)})}`
  }
  toldCases('kernels', cases)
})
