import {describe, expect, test} from 'vitest'
import {
  hostFile,
  hostStatements,
  isHostCode,
  operatorDefinition,
} from '../../../pipelines/documentation/host-snippet.ts'
import {functionsOf, isDeclarations, stripComments, unitsFor} from '../../../pipelines/documentation/snippet.ts'

const kernelHead = '#include "kernel_operator.h"\n'
const using = 'using namespace AscendC;'
const hostIncludes = [
  '#include "register/op_def_registry.h"',
  '#include "register/tilingdata_base.h"',
  '#include "tiling/platform/platform_ascendc.h"',
  '#include "tiling/tiling_api.h"',
  '',
].join('\n')
const hostHead = `${hostIncludes}using namespace AscendC;\nusing namespace ops;\nusing namespace gert;\n`
const tried = (code: string) => unitsFor(code).units.map(({side, text}) => [side, text])
const kernel = (code: string, more = '') => ['kernel', `${kernelHead}${more}${using}\n${code}\n`]
const host = (code: string) => ['host', `${hostHead}${code}\n`]

test('comments, includes and what texts say are no code', () => {
  expect(stripComments('a /* b\n */ c // d\n  #  include <e>\nf("g \\" h", i) "j"')).toBe('a  c \n\nf("", i) ""')
})

describe('a listing is tried as', () => {
  test('a file, where it is one or is long', () => {
    const file = 'class Kernel {\n};'
    expect(tried(file)).toEqual([kernel(file), host(file)])
    expect(unitsFor(file).areGuesses).toBe(false)
    expect(unitsFor(file).units[0]).toMatchObject({tiling: '', dtypes: {}})
    const long = (length: number) => `Add(a, b);${' '.repeat(length - 10)}`
    expect(unitsFor(long(12_000)).areGuesses).toBe(true)
    expect(unitsFor(long(12_001))).toMatchObject({areGuesses: false, units: [{side: 'kernel'}]})
  })

  test.each([
    '#define A 1\nAdd(a);',
    'namespace a {}',
    'extern "C" void f() {}',
    'template <typename T>\nclass K {};',
    '__global__ __aicore__ void f() {}',
    'void f(int a)\n{\n}',
    'bool f() const {\nreturn true;\n}',
    'static int f() {}',
  ])('a file of either side: %j', (code) => {
    expect(unitsFor(code).units.map(({side}) => side)).toEqual(['kernel', 'host'])
  })

  test.each([
    'for (int i = 0; i < n; i++) {\nAdd(a);\n}',
    'if (a) {\nAdd(b);\n}',
    'Run(a) {\n}',
    '#include "a.h"\nAdd(a);',
  ])('statements: %j', (code) => {
    expect(unitsFor(code).areGuesses).toBe(true)
  })

  test('a file of the host first where only that names such things', () => {
    const file = 'namespace optiling {\nge::graphStatus F() { return 0; }\n}'
    expect(tried(file).map(([side]) => side)).toEqual(['host', 'kernel'])
  })

  test('a file whose element types are left to the reader', () => {
    const file = 'class Kernel {\nLocalTensor<T> a;\n};'
    expect(tried(file)[0]).toEqual(['kernel', `${kernelHead}${using}\nusing T = half;\n${file}\n`])
    const declared = 'template <typename T>\nclass Kernel {\nLocalTensor<T> a;\n};'
    expect(tried(declared)[0]).toEqual(kernel(declared))
    const own = 'typedef half U;\nclass Kernel {\nLocalTensor<U> a;\n};'
    expect(tried(own)[0]).toEqual(kernel(own))
  })

  test('a file with the headers that it needs, behind its own', () => {
    const copy = 'class Kernel {\nvoid Run() { asc_copy(a); }\n};'
    expect(tried(copy)[0]).toEqual(kernel(copy, '#include "c_api/asc_simd.h"\n'))
    const matmul = 'class Kernel {\nMatmul<A> a;\n};'
    expect(tried(matmul)[0]).toEqual(kernel(matmul, '#include "lib/matmul_intf.h"\n'))
    const both = `#include <kernel_operator.h>\n#include "lib/matmul_intf.h"\n${matmul}`
    expect(tried(both)[0]).toEqual([
      'kernel',
      `#include <kernel_operator.h>\n${using}\n#include "lib/matmul_intf.h"\n${matmul}\n`,
    ])
  })

  test('an operator definition, where it fills one in', () => {
    expect(tried('this->Input("x").ParamType(REQUIRED);').map(([side]) => side)).toEqual(['host'])
    expect(operatorDefinition('a;').text).toBe(
      [
        `${hostIncludes}namespace ops {`,
        'class Example : public OpDef {',
        'public:',
        'explicit Example(const char* name) : OpDef(name)',
        '{\na;\n}\n};\n}\n',
      ].join('\n'),
    )
  })

  test('declarations: functions, members, and members of a template', () => {
    const code = '__aicore__ void Move(const LocalTensor<T>& dst)'
    const members = `struct Declared {\n${code};\n};`
    expect(tried(code)).toEqual([
      kernel(`${code};`),
      kernel(members),
      kernel(`template <typename T>\n${members}`),
      ...[host(`${code};`), host(members)],
      ...['matmul_tiling', 'platform_ascendc'].map((space) => [
        'host',
        `${hostIncludes}namespace ${space} {\n${members}\n}\n`,
      ]),
    ])
    const own = tried('template <typename T> void Move(const LocalTensor<T>& dst);')
    expect(own).toHaveLength(6)
    expect(tried('Queue();')[1]).toEqual(kernel('struct Queue {\nQueue();\n};'))
    const ofHost = tried('ge::graphStatus Move(gert::TilingContext* context);')
    expect(ofHost.map(([side]) => side)).toEqual(['host', 'host', 'host', 'host', 'kernel', 'kernel'])
  })

  test.each([
    ['void Move(int a);', true],
    ['void Move(int a);\nvoid Copy(int a)', true],
    ['void Move(int a) {}', false],
    ['void Move(int a);\na = 1;', false],
    ['AscendC::SetMMRowMajor()', false],
    ['a = 1;', false],
  ])('declarations or not: %j', (code, are) => {
    expect(isDeclarations(code)).toBe(are)
  })

  test('statements of the host, and as a file', () => {
    const code = 'auto shape = context->GetInputShape(0);\nstd::vector<int> a;'
    expect(tried(code)).toEqual([
      [
        'host',
        [
          `${hostIncludes}using namespace AscendC;`,
          'using namespace gert;',
          'static ge::graphStatus Example(gert::TilingContext* context)',
          `{\n${code}\nreturn ge::GRAPH_SUCCESS;\n}\n`,
        ].join('\n'),
      ],
      host(code),
    ])
    expect(tried('thing.Run();\nstd::vector<int> a;').map(([, text]) => text)).toEqual([
      host('thing.Run();\nstd::vector<int> a;')[1],
    ])
    expect(unitsFor(code).areGuesses).toBe(false)
  })
})

describe('code of the host', () => {
  test('names what only it has', () => {
    for (const code of [
      'gert::Shape a;',
      'class A : public OpDef {',
      'GetSoftMaxMaxTmpSize(a);',
      'std::vector<int> a;',
    ])
      expect(isHostCode(code), code).toBe(true)
    expect(isHostCode('Add(a, b);')).toBe(false)
  })

  test('brings its own headers and namespaces, or is given them', () => {
    expect(hostFile('a;').text).toBe(`${hostHead}a;\n`)
    expect(hostFile('#include "x.h"\na;').text).toBe('#include "x.h"\na;\n')
    expect(hostFile('namespace a {}').text).toBe(`${hostIncludes}namespace a {}\n`)
  })

  test.each([
    ['f(context_);', 'gert::TilingContext* context_'],
    ['f(ascendcPlatform);', 'gert::TilingContext* context, platform_ascendc::PlatformAscendC ascendcPlatform'],
    ['f(srcShape);', 'gert::TilingContext* context, ge::Shape srcShape'],
    ['f(isReuse, count);', 'gert::TilingContext* context, bool isReuse, uint32_t count'],
    ['api.GetTiling(tilingData);', undefined],
    ['GetTiling(tilingData);', 'gert::TilingContext* context, optiling::TCubeTiling tilingData'],
    ['SoftMaxTilingFunc(tiling);', 'gert::TilingContext* context, optiling::SoftMaxTiling& tiling'],
    ['GetLayerNormNDTilingInfo(tiling);', 'gert::TilingContext* context, optiling::LayerNormTiling& tiling'],
    ['f(tiling);', undefined],
  ])('has a function of what it uses: %j', (code, list) => {
    const text = hostStatements(code, code)?.text
    expect(text === undefined ? undefined : /Example\((.*)\)/.exec(text)?.[1]).toBe(list)
  })
})

describe('statements are a function of the names that they use', () => {
  test('one for each guess at their types', () => {
    const [first, second, ...others] = functionsOf('#include "a.h"\nAdd(dstLocal, srcLocal, count);')
    expect(first).toEqual({
      parameters: [
        {name: 'dstLocal', type: 'LocalTensor<half>'},
        {name: 'srcLocal', type: 'LocalTensor<half>'},
      ],
      guesses: ['count'],
      text: [
        '#include "a.h"',
        'using T = half;',
        'constexpr uint32_t count = 32;',
        '__aicore__ inline void Example(LocalTensor<half> dstLocal, LocalTensor<half> srcLocal)',
        '{\nAdd(dstLocal, srcLocal, count);\n}',
      ].join('\n'),
    })
    expect(second!.text).toContain('using T = float;')
    expect(others).toHaveLength(14)
  })

  test('what is set there is a parameter, other values are constants', () => {
    const parametersOf = (code: string) =>
      functionsOf(code)[0]!
        .parameters.map(({name, type}) => `${type} ${name}`)
        .join(', ')
    for (const set of ['n = 1;', 'n += 1;', 'n++;', '--n;', 'a = n; n -= 1;'])
      expect(parametersOf(`${set} f(n);`).split(', ')).toContain('uint32_t n')
    for (const read of ['f(n == 1);', 'f(n + 1);']) expect(parametersOf(read).split(', ')).not.toContain('uint32_t n')
    const [first] = functionsOf('f(isFirst); LocalTensor<dstType> a; LocalTensor<srcType> b; pipe.InitBuffer(q, 32);')
    expect(first!.text.split('\n').slice(0, 5)).toEqual([
      'using T = half;',
      'constexpr bool isFirst = false;',
      'using dstType = half;',
      'using srcType = half;',
      '__aicore__ inline void Example(TPipe&pipe, TBuf<TPosition::VECCALC>&q)',
    ])
    expect(first!.guesses).toEqual([])
  })

  test('types that are told otherwise are taken', () => {
    const [first] = functionsOf('f(count);', new Map([['count', 'LocalTensor<int>']]))
    expect(first!.parameters).toEqual([{name: 'count', type: 'LocalTensor<int>'}])
  })

  test('are none where nothing tells what an object is', () => {
    expect(functionsOf('thing.Run();')).toEqual([])
    expect(functionsOf('this->Run(a);')).toEqual([])
    expect(unitsFor('thing.Run();')).toEqual({units: [], areGuesses: true})
  })
})
