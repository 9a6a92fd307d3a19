import {test} from 'vitest'
import type {OperatorSource} from '../../../../datasets/schema/operator.ts'
import {libraryFacts} from '../../../../pipelines/facts/library-facts.ts'
import {libraryReasoning} from '../../../../pipelines/code/offline/library-reasoning.ts'
import {libraryRequest} from '../../../../pipelines/code/offline/library-request.ts'
import {both, sourceOf, toldCases} from '../../../helpers/told-parts.ts'

const many = (count: number, one: (at: number) => string) => Array.from({length: count}, (_, at) => one(at)).join(' ')
const tile = 'LocalTensor<half>'
const of = (path: string, changes: Partial<OperatorSource> = {}): Partial<OperatorSource> => ({
  origin: {repository: 'fixtures', revision: '1', path, licence: 'Apache-2.0'},
  ...changes,
})
const host: Partial<OperatorSource> = {side: 'host'}
const spelled = (operator: string, path: string, text: string) => [text, {operator, target: {path, text}}] as const

type Given = string | readonly [text: string, changes: Partial<OperatorSource>]

const files: Readonly<Record<string, Given>> = {
  declarations: 'int Fold(int a, half b); void FOLD_X(int a); int Twice();',
  'declarations of many': many(7, (at) => `int Fold${at}(int a);`),
  'device code on tiles':
    `template <typename T, bool isReuse = false> void FoldImpl(const ${tile}& dst, const ${tile}` +
    `& src, const ${tile}& sharedTmp, const ${tile}& other, uint32_t n) { Add(dst, src, other, ` +
    'n); Muls(src, src, 2, n); }',
  'a source that is only read': `void Fold(const ${tile}& dstLocal, const ${tile}& srcLocal, uint32_t n) { Adds(dstLocal, srcLocal, 1, n); }`,
  'names of unknown use': `void Fold(${tile} a, ${tile} b, uint32_t n) { Add(a, a, b, n); }`,
  'names of each use':
    `void Fold(${tile} dst, ${tile} outTmp, ${tile} input, ${tile} inputs, ${tile} inner, ${tile}` +
    ` resIndex, ${tile} workSrc) { DataCopy(input, x, n); Gather(inputs, y, z, 0, n); }`,
  'a long signature':
    `void Fold(const ${tile}& dst, ${many(9, (at) => `uint32_t argument${at}OfTheFunction,`)} ` +
    `int n) { Adds(dst, dst, 1, n); } void Long(${'a'.repeat(270)} b) { c = 1; }`,
  'tiles that are queued': `void Fold(${tile} dst) { q.EnQue(dst); Abs(dst, dst, n); }`,
  'working memory':
    `void Fold(${tile} dst, ${tile} tmp) { auto a = tmp[n]; auto b = ` +
    'tmp.ReinterpretCast<float>(); auto c = stackBuffer.GetWithOffset<half>(n, 0); auto d = ' +
    'other[n]; auto e = tmp[n]; Abs(dst, a, n); ' +
    `${many(8, (at) => `auto f${at} = workLocal[${at}];`)} auto long = tmp[${'n'.repeat(110)}]; }`,
  'one piece of working memory': 'void Fold(int n) { auto a = tmpBuffer.Get<half>(); }',
  'memory of the stack':
    `void Fold(${tile} dst, int n) { ${tile} tmp; PopStackBuffer<half>(tmp); Abs(dst, tmp, n); } ` +
    `void Fold(${tile} dst, ${tile} tmp, int n) { Abs(dst, tmp, n); } void Other(${tile} dst) { ` +
    `PopStackBuffer<half>(dst); } void Third(${tile} dst) { PopStackBuffer<half>(dst); }`,
  masks:
    'void Fold(int n) { SetMaskCount(); SetVectorMask<half>(0, n); ResetMask(); SetMaskNorm(); ResetMask(); Mask(); }',
  'templates of many': many(
    5,
    (at) =>
      `template <typename T, ${many(7, (each) => `int N${each},`)} int M> void Fold${at}(${tile} ` +
      'dst) { Abs(dst, dst, n); }',
  ),
  'sizes of the host': [
    `constexpr uint32_t BLOCK = 32;\nconstexpr int N = 2;\nuint32_t GetTmpSize(int n) { uint32_t ` +
      `size = n * BLOCK; uint32_t count = std::max(n, 3); uint32_t rows = n * 2; uint32_t length = n; ` +
      `const char* numText = "a" + b; uint32_t bytes = AlignUp<int>(n); return size; }`,
    host,
  ],
  'sizes of many functions': [
    many(
      7,
      (at) => `uint32_t Get${at}(int n) { ${many(6, (each) => `uint32_t size${each} = n * ${each};`)} return size0; }`,
    ),
    host,
  ],
  'ten constants of the host': [
    `${many(10, (at) => `constexpr int NAME${at} = ${at};\n`)} int Get(int n) { return n; }`,
    host,
  ],
  'the host without sizes': ['int Get(int n) { return n; }', host],
  'flows of one name':
    'void Run(int a) { b = a; } void Run(half a) { c = a; } void Other(int a) { OP_LOGD("a"); d = a; }',
  'ten flows': many(10, (at) => `void F${at}(int a) { b${at} = a; }`),
  'twenty-one flows': many(21, (at) => `void F${at}(int a) { b${at} = a; }`),
  'thirteen steps': `void F(int a) { ${many(13, (at) => `b${at} = a;`)} }`,
  'instructions and a flow':
    `void Fold(${tile} dst) { Abs(dst, dst, n); } void Plan(int a) { b = a; } class C { void ` +
    `Work(${tile} dst) { Exp(dst, dst, n); } void Idle(int a) { c = a; } };`,
  'matrix code': 'void Fold(int n) { Mmad(c, a, b, p); LoadData(a, b, p); d = n; }',
  'what is called from outside':
    'void Inner(int a) { b = a; } void Outer(int a) { Inner(a); this->Third(a); object.Fourth(a); ' +
    'C::Fifth(a); } void Third(int a) { c = a; } void Fourth(int a) { d = a; } class C { void ' +
    'Fifth(int a) { e = a; } void Fourth(int a) { f = a; } C(int a) { g = a; } };',
  'all called by each other': 'void A(int a) { B(a); } void B(int a) { A(a); }',
  'five functions': many(5, (at) => `void F${at}(int a) { b${at} = a; }`),
  'six functions': many(6, (at) => `void F${at}(int a) { b${at} = a; }`),
  comments:
    '/*!\n * @brief Folds the rows of a matrix.\n * @param a the rows\n */\nvoid Fold(int a) { b = a;' +
    ' }\n// Folds the columns of it, too\nvoid Cols(int a) { c = a; }\n// A third comment that says ' +
    'more\nvoid Third(int a) { d = a; }',
  'comments that say nothing':
    '// fifteen letters\nvoid A(int a) { b = a; }\n// experimental, not to be called\nvoid B(int a) ' +
    '{ c = a; }\n// licence of somebody, some year\nvoid C(int a) { d = a; }',
  'a comment of sixteen letters': '// sixteen letters.\nvoid A(int a) { b = a; }',
  'a comment of three hundred letters': `// ${'a'.repeat(300)}\nvoid A(int a) { b = a; }`,
  'a comment of more': `// ${'a'.repeat(301)}\nvoid A(int a) { b = a; }`,
  checks: [`void Check(${tile} a) { ASCENDC_ASSERT(a > 1, "b"); c = a; }`, of('impl/api_check/fold.h')],
  'a part of Matmul': ['void Plan(int a) { b = a; }', of('lib/matmul/stage/copy.h', {operator: 'Stage'})],
  'a group': ['void Plan(int a) { b = a; }', of('lib/math/common.h', {operator: 'Math'})],
  'another group': ['void Plan(int a) { b = a; }', of('lib/sort/common.h', {operator: 'Sort'})],
  'an API in small letters': spelled(
    'softmaxgrad',
    'impl/softmaxgrad_common_impl.h',
    'void SoftmaxGrad(int a) { SoftMaxGrad b = a; SOFTMAXGRAD; softmaxgrad; }',
  ),
  'an API by the name of its file': spelled('activation2', 'impl/gelu_v2.h', 'void Gelu(int a) { b = a; GELU; }'),
  'an API that the code does not spell': spelled('other', 'impl/none.h', 'void F(int a) { b = a; }'),
}

test('a library is asked for and told by its contract, its working memory, its sizes and its flow', async () => {
  const cases: Record<string, string> = {}
  for (const [name, given] of Object.entries(files)) {
    const [text, changes] = typeof given === 'string' ? [given, {}] : given
    const source = sourceOf(text, {role: 'library', ...changes} as never)
    const facts = await libraryFacts(source)
    cases[name] = both(
      (speaker) => `${libraryRequest(source, facts, speaker)}\n\n${libraryReasoning(source, facts, speaker)}`,
    )
  }
  toldCases('libraries', cases)
})
