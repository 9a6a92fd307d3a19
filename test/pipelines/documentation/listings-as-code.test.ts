import {describe, expect, test} from 'vitest'
import {parseAnswer, parseQuestions} from '../../../pipelines/documentation/ask-model.ts'
import {freeNames} from '../../../pipelines/documentation/free-names.ts'
import {elementTypes, isUsedAsType, typeOf} from '../../../pipelines/documentation/guessed-types.ts'
import {
  hostFile,
  hostStatements,
  isHostCode,
  operatorDefinition,
} from '../../../pipelines/documentation/host-snippet.ts'
import {longestQuotation, shareRepeated, withoutCode} from '../../../pipelines/documentation/overlap.ts'
import {functionsOf, isDeclarations, stripComments, unitsFor} from '../../../pipelines/documentation/snippet.ts'
import {joinSplitWords} from '../../../pipelines/documentation/repair-text.ts'

describe('the type of a name that no listing declares', () => {
  const types = {destination: 'D', source: 'S', scratch: 'W', bits: 'B'}
  const queue = (position: string) => `TQue<TPosition::${position}, 1>&`

  test.each([
    ['inQueue', 'inQueue.AllocTensor<half>();', queue('VECIN')],
    ['outQueue', 'outQueue.template DeQue<half>();', queue('VECOUT')],
    ['calcBuf', 'calcBuf.Get<half>();', 'TBuf<TPosition::VECCALC>&'],
    ['pipe', 'pipe.InitBuffer(q, 1, 32);', 'TPipe&'],
    ['q', 'pipe.InitBuffer(q, 1, 32);', queue('VECIN')],
    ['q', 'pipe.InitBuffer(q, 32);', 'TBuf<TPosition::VECCALC>&'],
    ['x', '(__gm__ half*)x;', 'GM_ADDR'],
    ['xGm', 'F(xGm);', 'GlobalTensor<S>'],
    ['x', 'x.SetGlobalBuffer(p);', 'GlobalTensor<S>'],
    ['mask', 'F(mask);', 'uint64_t'],
    ['mask', 'mask[0] = 1;', 'uint64_t*'],
    ['repeatParams', 'Add(a, repeatParams);', 'BinaryRepeatParams'],
    ['repeatParams', 'Abs(a, repeatParams);', 'UnaryRepeatParams'],
    ['copyParams', 'DataCopy(a, copyParams);', 'DataCopyParams'],
    ['copyParams', 'DataCopyPad(a, copyParams);', 'DataCopyExtParams'],
    ['padParams', 'DataCopyPad(a, padParams);', 'DataCopyPadExtParams<T>'],
    ['padParams', 'Pad(a, padParams);', 'BinaryRepeatParams'],
    ['srcType', 'LocalTensor<srcType> a;', 'typename'],
    ['tiling', 'SoftMax(a, tiling);', 'SoftMaxTiling&'],
    ['tiling', 'SimpleSoftMax(a, tiling);', 'SoftMaxTiling&'],
    ['tiling', 'TopK<half>(a, tiling);', 'TopkTiling&'],
    ['tiling', 'LayerNorm(a, tiling);', 'LayerNormTiling&'],
    ['tiling', 'Other(a, tiling);', ''],
    ['isLast', 'F(isLast);', 'bool'],
    ['eventId', 'F(eventId);', 'int32_t'],
    ['scalar', 'F(scalar);', 'S'],
    ['dst', 'asc_add(dst, src);', '__ubuf__ S*'],
    ['dst', '__ubuf__ float a[8];\nasc_add(dst, a);', '__ubuf__ float*'],
    ['dstSize', 'asc_add(a, dstSize);', 'uint32_t'],
    ['xGm', 'asc_add(xGm);', '__gm__ S*'],
    ['x', 'asc_copy_ub2gm(x, a);', '__gm__ S*'],
    ['x', 'asc_copy_gm2ub(a, x);', '__gm__ S*'],
    ['dstLocal', 'F(dstLocal);', 'LocalTensor<D>'],
    ['src0', 'F(src0);', 'LocalTensor<S>'],
    ['tmpBuf', 'F(tmpBuf);', 'LocalTensor<W>'],
    ['selLocal', 'F(selLocal);', 'LocalTensor<B>'],
    ['srcOffsetLocal', 'F(srcOffsetLocal);', 'LocalTensor<uint32_t>'],
    ['thing', 'thing.SetValue(0, 1);', 'LocalTensor<S>'],
    ['srcLength', 'F(srcLength);', 'uint32_t'],
    ['thing', 'thing.other();', ''],
    ['thing', 'thing->other();', ''],
    ['count', 'F(count);', 'uint32_t'],
  ])('%s in %s is %s', (name, code, type) => {
    expect(typeOf(name, code, types)).toBe(type)
  })

  test('types by their spelling and use', () => {
    expect(isUsedAsType('T1', 'F<T1>();')).toBe(true)
    expect(isUsedAsType('U', 'sizeof(U)')).toBe(true)
    expect(isUsedAsType('outType', '(__gm__ outType*)p')).toBe(true)
    expect(isUsedAsType('T', 'F(T);')).toBe(false)
    expect(isUsedAsType('count', 'F<count>();')).toBe(false)
  })

  test('elements are tried as the listing names them, each once', () => {
    const tried = elementTypes('LocalTensor<float> a;')
    expect(tried.slice(0, 3)).toEqual([
      {destination: 'float', source: 'float', scratch: 'float', bits: 'uint8_t'},
      {destination: 'float', source: 'float', scratch: 'uint8_t', bits: 'uint8_t'},
      {destination: 'half', source: 'half', scratch: 'half', bits: 'uint8_t'},
    ])
    expect(tried).toHaveLength(16)
    expect(elementTypes('int a;')).toHaveLength(16)
    expect(elementTypes('F<uint8_t, x>')).toHaveLength(17)
    expect(new Set(tried.map((one) => JSON.stringify(one))).size).toBe(16)
  })
})

test.each([
  ['F(a, b.c, d->e, G::h);', ['a', 'b', 'd']],
  ['int a = b;\nfloat c, d;\nF(a, c, d);', ['b']],
  ['LocalTensor<half> x = q.AllocTensor<half>();', ['q']],
  ['for (uint32_t i = 0; i < n; i++) { F(i); }', ['n']],
  ['return a;', ['a']],
  ['Move(x, int32_t(4), PIPE_V, EVENT_ID0, true);', ['x']],
  ['a = b * c;', ['a', 'b', 'c']],
  ['constexpr uint32_t n = 4;\n__ubuf__ half x[n];', []],
  ['F<half>(a);', ['a']],
  ['Type value;\nF(value);', []],
])('names that %s does not declare', (code, names) => {
  expect(freeNames(code)).toEqual(names)
})

describe('the host’s side', () => {
  test('by what only it names', () => {
    expect(
      [
        'gert::Shape s;',
        'std::vector<int> a;',
        'BEGIN_TILING_DATA_DEF(A)',
        'GetMoveMaxMinTmpSize(a);',
        'Add(a, b);',
      ].map(isHostCode),
    ).toEqual([true, true, true, true, false])
  })

  test('files have the headers and namespaces that they leave out', () => {
    const lines = (code: string) => hostFile(code).text.split('\n').slice(0, -1)
    expect(lines('int a;')).toEqual([
      '#include "register/op_def_registry.h"',
      '#include "register/tilingdata_base.h"',
      '#include "tiling/platform/platform_ascendc.h"',
      '#include "tiling/tiling_api.h"',
      'using namespace AscendC;',
      'using namespace ops;',
      'using namespace gert;',
      'int a;',
    ])
    expect(lines('#include "a.h"\nint a;')).toEqual(['#include "a.h"', 'int a;'])
    expect(lines('namespace a { }')).toHaveLength(5)
    expect(hostFile('int a;')).toMatchObject({side: 'host', tiling: '', dtypes: {}})
    expect(operatorDefinition('this->Input("x");').text).toContain(
      'explicit Example(const char* name) : OpDef(name)\n{\nthis->Input("x");\n}\n};\n}\n',
    )
  })

  test('statements are a tiling function of the names that they use', () => {
    const head = (code: string) => /Example\((.*)\)/.exec(hostStatements(code, code)?.text ?? '')?.[1]
    expect(head('F(context, n);')).toBe('gert::TilingContext* context, uint32_t n')
    expect(head('F(context_, isLast);')).toBe('gert::TilingContext* context_, bool isLast')
    expect(head('ascendcPlatform.Get();')).toBe(
      'gert::TilingContext* context, platform_ascendc::PlatformAscendC ascendcPlatform',
    )
    expect(head('GetMoveTiling(srcShape, tiling);')).toBe(
      'gert::TilingContext* context, ge::Shape srcShape, optiling::MoveTiling& tiling',
    )
    expect(head('SoftMaxTilingFunc(a, tilingData);')).toBe(
      'gert::TilingContext* context, uint32_t a, optiling::SoftMaxTiling& tilingData',
    )
    expect(head('cube.GetTiling(tilingData);')).toBeUndefined()
    expect(head('GetTiling(tilingData);')).toBe('gert::TilingContext* context, optiling::TCubeTiling tilingData')
    expect(head('Other(tilingData);')).toBeUndefined()
    expect(head('thing.other();')).toBeUndefined()
  })
})

describe('what a listing is tried as', () => {
  const sides = (code: string) => unitsFor(code).units.map(({side}) => side)

  test('a definition, declarations, a file, or statements', () => {
    expect(sides('this->Input("x");')).toEqual(['host'])
    expect(sides('void Move(int a);')).toEqual(['kernel', 'kernel', 'host', 'host', 'host', 'host'])
    expect(sides('void Move(T a);')).toEqual(['kernel', 'kernel', 'kernel', 'host', 'host', 'host', 'host'])
    expect(sides('void Move(gert::TilingContext* a);').slice(0, 2)).toEqual(['host', 'host'])
    expect(sides('class A { void F() {} };')).toEqual(['kernel', 'host'])
    expect(sides('class A { ge::Shape F() {} };')).toEqual(['host', 'kernel'])
    expect(sides('F(context, gert::Shape());')).toEqual(['host', 'host'])
    expect(unitsFor('Add(dstLocal, srcLocal, 8);')).toMatchObject({areGuesses: true})
    expect(unitsFor('void Move(int a);').areGuesses).toBe(false)
    const long = (length: number) => unitsFor(`Add(a, b, c);${' '.repeat(length - 13)}`)
    expect([long(12_000).areGuesses, long(12_001).areGuesses, long(12_001).units.length]).toEqual([true, false, 1])
  })

  test('declarations alone', () => {
    expect(
      [
        'void F(int a);',
        'void F(int a)',
        'void F(int a) { }',
        'int a;',
        'void F(int a); a = 1;',
        'AscendC::SetMode();',
      ].map(isDeclarations),
    ).toEqual([true, true, false, false, false, false])
  })

  test('headers go before the code, with those that its names need', () => {
    const text = (code: string) => unitsFor(code).units[0]?.text
    expect(text('class A { void F() {} };')).toBe(
      '#include "kernel_operator.h"\nusing namespace AscendC;\nclass A { void F() {} };\n',
    )
    expect(text('class A { Matmul<int> F() {} };')).toContain(
      '#include "kernel_operator.h"\n#include "lib/matmul_intf.h"\nusing namespace AscendC;',
    )
    expect(text('#include "kernel_operator.h"\nclass A { void F() {} };')).toBe(
      '#include "kernel_operator.h"\nusing namespace AscendC;\nclass A { void F() {} };\n',
    )
    expect(text('class A { void F(LocalTensor<T> a) {} };')).toContain('using T = half;')
    expect(text('template <typename T> class A { void F(LocalTensor<T> a) {} };')).not.toContain('using T = half;')
  })

  test('statements are a function of what they use', () => {
    const [first] = functionsOf('#include "a.h"\nAdd(dstLocal, srcLocal, count);\nn = 1;\nF<isLast>(n);')
    expect(first?.parameters.map(({name, type}) => `${type} ${name}`)).toEqual([
      'LocalTensor<half> dstLocal',
      'LocalTensor<half> srcLocal',
      'uint32_t n',
    ])
    expect(first?.guesses).toEqual(['count'])
    expect(first?.text).toBe(
      '#include "a.h"\nusing T = half;\nconstexpr uint32_t count = 32;\nconstexpr bool isLast = false;' +
        '\n__aicore__ inline void Example(LocalTensor<half> dstLocal, LocalTensor<half> srcLocal, ' +
        'uint32_t n)\n{\nAdd(dstLocal, srcLocal, count);\nn = 1;\nF<isLast>(n);\n}',
    )
    expect(functionsOf('thing.other();')).toEqual([])
    expect(functionsOf('this->x = 1;')).toEqual([])
    expect(functionsOf('thing.other();', new Map([['thing', 'Thing&']]))[0]?.parameters).toEqual([
      {name: 'thing', type: 'Thing&'},
    ])
    expect(functionsOf('n++;')[0]?.guesses).toEqual([])
    expect(functionsOf('--n;')[0]?.guesses).toEqual([])
    expect(functionsOf('F(n == 1);')[0]?.guesses).toEqual(['n'])
    expect(functionsOf('F<dstType>(a, srcType);\nG<srcType>();')[0]?.text).toContain('using dstType = half;')
  })

  test('comments, includes and strings go', () => {
    expect(stripComments('/* a */ b // c\n  #include "d"\n"e\\"f"; g')).toBe(' b \n\n""; g')
  })
})

describe('replies', () => {
  const reply = (text: string, finishReason = 'stop', reasoning = '') =>
    ({text, finishReason, reasoning}) as Parameters<typeof parseAnswer>[0]
  const answer = (...args: Parameters<typeof reply>) => {
    const found = parseAnswer(reply(...args))
    return found.ok ? `${found.value.reasoning}|${found.value.answer}` : found.reason
  }

  test.each([
    ['<think> a </think><answer> b </answer>', 'a|b'],
    ['', 'reply-empty'],
    ['<answer>b</answer>', 'reply-without-reasoning'],
    ['<think>a</think>', 'reply-without-answer'],
    ['<think>a</think><answer> </answer>', 'reply-without-answer'],
    ['<answer>b</answer><think>a</think>', 'reply-malformed'],
    ['<think>a</think><think>a</think><answer>b</answer>', 'reply-malformed'],
    ['<think>a</think><answer>b</answer><answer>b</answer>', 'reply-malformed'],
    ['<think>a<think></think><answer>b</answer>', 'reply-malformed'],
    ['<think>a</think><answer>b</answer></answer>', 'reply-malformed'],
  ])('%s is %s', (text, found) => {
    expect(answer(text)).toBe(found)
  })

  test('thinking may stand apart, and what is written out comes first', () => {
    expect(answer('<answer>b</answer>', 'stop', 'c')).toBe('c|b')
    expect(answer('<think>a</think><answer>b</answer>', 'stop', 'c')).toBe('a|b')
    expect(answer('<think>a</think><answer>b</answer>', 'length')).toBe('reply-cut-off')
    expect(parseAnswer(reply(`<answer>${'b'.repeat(200)}`))).toMatchObject({
      detail: `finish reason stop; begins: <answer>${'b'.repeat(112)}`,
    })
  })

  test.each([
    ['<question>a?</question> <question> b </question>', ['a?', 'b']],
    ['<question>`<b>` of LocalTensor<half>?</question>', ['`<b>` of LocalTensor<half>?']],
    ['a?', 'question-malformed'],
    ['<question> </question>', 'question-malformed'],
    ['<question>a</question><question><b>b</b></question>', 'question-malformed'],
    [' ', 'reply-empty'],
  ])('the questions of %s', (text, found) => {
    const parsed = parseQuestions(reply(text))
    expect(parsed.ok ? parsed.value : parsed.reason).toEqual(found)
    expect(parseQuestions(reply(text, 'length')).ok).toBe(false)
  })
})

describe('words that texts share', () => {
  test('by runs of five', () => {
    expect(shareRepeated('a b c d e f', 'a b c d e x')).toBe(0.5)
    expect(shareRepeated('a b c d', 'a b c d')).toBe(0)
    expect(shareRepeated('a, b. c! d; e', 'a b c d e')).toBe(1)
    expect(shareRepeated('```\na b c d e\n```\n', 'a b c d e')).toBe(0)
    expect([
      longestQuotation('x a b c d e f y', 'a b c d e f'),
      longestQuotation('a b c d', 'a b c d'),
      longestQuotation('a b c d e', 'a b c d e'),
    ]).toEqual([6, 0, 5])
    expect(longestQuotation('a b c d e x a b c d e f g', 'a b c d e f g')).toBe(7)
    expect(longestQuotation('把所有的数据搬运', '所有的数据')).toBe(5)
    expect(withoutCode('a\n```cpp\nb\n```\nc')).toBe('a\n\n\nc')
  })

  test('words that a hyphen split are joined where the page knows them', () => {
    const notes: [string, string, number][] = []
    const join = (...lines: string[]) =>
      joinSplitWords(lines, new Set(['DataCopy', 'alignment']), (...note) => notes.push(note))
    expect(join('the align-', 'ment of it')).toBe('the alignment\nof it')
    expect(join('x', 'Data-', '  Copy', 'y')).toBe('x\nDataCopy\ny')
    expect(join('align-', 'other')).toBe('align-\nother')
    expect(join('# align-', 'ment')).toBe('# align-\nment')
    expect(join('```', 'align-', 'ment', '```', 'align-', 'ment')).toBe('```\nalign-\nment\n```\nalignment')
    expect(join('````', '```', 'align-', 'ment', '````')).toBe('````\n```\nalign-\nment\n````')
    expect(notes).toEqual([
      ['align-\nment', 'alignment', 1],
      ['Data-\nCopy', 'DataCopy', 2],
      ['align-\nment', 'alignment', 5],
    ])
  })
})
