import {describe, expect, test} from 'vitest'
import type {Executor, Unit} from '../../../datasets/schema/executor.ts'
import type {CotSample} from '../../../datasets/schema/sample.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import verifyCode from '../../../pipelines/documentation/verify-code.ts'
import {realExecutor} from '../../helpers/real-executor.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {scriptedExecutor, scriptedIdentity} from '../../helpers/scripted-executor.ts'

const sample = (answer: string): CotSample => ({
  kind: 'documentation',
  prompt: 'q',
  reasoning: 'r',
  answer,
  files: [],
  language: 'zh',
  origin: {repository: 'r', revision: 'v', path: 'p', licence: 'Apache-2.0'},
  teacher: {kind: 'model', model: 'm'},
  stages: {},
})
const cpp = (code: string) => `\`\`\`cpp\n${code}\n\`\`\``

const compiled: Verdict = {outcome: 'compiled', executor: scriptedIdentity}
const failed = (message: string): Verdict => ({
  outcome: 'compile-failed',
  diagnostics: [{severity: 'error', file: 'kernel.cpp', line: 7, column: 1, message}],
  log: message,
  executor: scriptedIdentity,
})

function compiler(judge: (unit: Unit, call: number) => Verdict): {executor: Executor; units: Unit[]} {
  const units: Unit[] = []
  const base = scriptedExecutor({run: () => []})
  return {
    units,
    executor: {
      ...base,
      compile: (unit) => {
        if ('program' in unit) throw new TypeError('a page is no program')
        units.push(unit)
        return Promise.resolve(judge(unit, units.length))
      },
    },
  }
}

describe('verifyCode', () => {
  test('lets prose pass without a compiler', async () => {
    const {executor, units} = compiler(() => compiled)
    const {outputs} = await runStage(verifyCode({executor}), [sample('只有文字。'), sample('```bash\nls\n```')])
    expect(outputs.map(({files, verdict}) => [files, verdict])).toEqual([
      [[], undefined],
      [[], undefined],
    ])
    expect(units).toEqual([])
  })

  test('keeps every listing as a file, with the verdict', async () => {
    const {executor} = compiler(() => compiled)
    const {outputs} = await runStage(verifyCode({executor}), [sample(`${cpp('int a = 1;')}\n\n${cpp('int b = 2;')}`)])
    expect(outputs[0]).toMatchObject({
      files: [
        {path: 'example-1.cpp', text: 'int a = 1;\n'},
        {path: 'example-2.cpp', text: 'int b = 2;\n'},
      ],
      verdict: compiled,
    })
  })

  test('compiles listings without a tag and in other marks too', async () => {
    const {executor, units} = compiler(() => compiled)
    const answer = '```\nint a = 1;\n```\n\n~~~h\nint b = 2;\n~~~\n\n<pre>int c = 3;</pre>\n'
    const {outputs} = await runStage(verifyCode({executor}), [sample(answer)])
    expect(outputs[0]?.files.map(({text}) => text)).toEqual(['int a = 1;\n', 'int b = 2;\n', 'int c = 3;\n'])
    expect(units).toHaveLength(3)
  })

  test('drops what the executor does not cover, with the names', async () => {
    const {executor} = compiler(() => ({
      outcome: 'not-covered',
      missing: ['Matmul', 'Mmad'],
      executor: scriptedIdentity,
    }))
    expect((await runStage(verifyCode({executor}), [sample(cpp('AscendC::Mmad(a, b);'))])).dropped).toEqual([
      {reason: 'not-covered', detail: 'Matmul, Mmad'},
    ])
  })

  test('drops code that does not compile, with the first error', async () => {
    const {executor} = compiler(() => failed("no matching function for call to 'Add'"))
    expect((await runStage(verifyCode({executor}), [sample(cpp('AscendC::Add(dst);'))])).dropped).toEqual([
      {reason: 'code-does-not-compile', detail: "line 7: no matching function for call to 'Add'"},
    ])
  })

  test('tries other element types, and stops at an undeclared name', async () => {
    const types = compiler((unit) =>
      unit.text.includes('LocalTensor<float> dstLocal') ? compiled : failed('no matching function'),
    )
    expect(
      (await runStage(verifyCode({executor: types.executor}), [sample(cpp('AscendC::Foo(dstLocal, 8);'))])).outputs,
    ).toHaveLength(1)
    const names = compiler(() => failed("use of undeclared identifier 'Foo'"))
    await runStage(verifyCode({executor: names.executor}), [sample(cpp('AscendC::Foo(dstLocal, 8);'))])
    expect(names.units).toHaveLength(1)
  })

  test('does not guess at objects of a class that nothing tells', async () => {
    const {executor, units} = compiler(() => compiled)
    expect(
      (await runStage(verifyCode({executor}), [sample(cpp('conv.SetShape(a, b);'))])).dropped.map(({reason}) => reason),
    ).toEqual(['code-not-self-contained'])
    expect(units).toEqual([])
  })

  test.each(['int a = 1;\n...\nint b = 2;', 'for (int i = 0; i < 8; ++i) { ... }', 'int a = 1;\n    ……'])(
    'says that a listing leaves parts out, without a compiler: %s',
    async (code) => {
      const {executor, units} = compiler(() => compiled)
      const {dropped} = await runStage(verifyCode({executor}), [sample(cpp(code))])
      expect(dropped.map(({reason}) => reason)).toEqual(['code-elided'])
      expect(units).toEqual([])
    },
  )

  test('takes packs and variadic parameters for what they are', async () => {
    const {executor} = compiler(() => compiled)
    const code = 'template <typename... Args>\n__aicore__ inline void F(const char* fmt, Args&&... args);\nvoid G(...);'
    expect((await runStage(verifyCode({executor}), [sample(cpp(code))])).outputs).toHaveLength(1)
  })

  test.each([
    ["unknown type name 'KernelAdd'", 'KernelAdd op;', 'code-not-self-contained'],
    ["use of undeclared identifier 'CopyIn'", 'CopyIn();', 'code-not-self-contained'],
    ["'CopyIn' was not declared in this scope", 'CopyIn();', 'code-not-self-contained'],
    ["no member named 'TilingFunc' in namespace 'optiling'", 'F(optiling::TilingFunc);', 'code-not-self-contained'],
    ["use of undeclared identifier 'Foo'", 'AscendC::Foo(dst);', 'code-does-not-compile'],
    ["no member named 'Foo' in namespace 'AscendC'", 'AscendC::Foo(dst);', 'code-does-not-compile'],
    ["no matching function for call to 'Add'", 'Add(dst);', 'code-does-not-compile'],
  ])('tells names of the operator from mistakes: %s', async (message, code, reason) => {
    const {executor} = compiler(() => failed(message))
    expect((await runStage(verifyCode({executor}), [sample(cpp(code))])).dropped).toEqual([
      {reason, detail: `line 7: ${message}`},
    ])
  })

  test('sends tiling code to the host side and kernels to the kernel side', async () => {
    const {executor, units} = compiler(() => compiled)
    await runStage(verifyCode({executor}), [
      sample(cpp('BEGIN_TILING_DATA_DEF(T)\nEND_TILING_DATA_DEF;')),
      sample(cpp('class K {};')),
    ])
    expect(units.map(({side}) => side)).toEqual(['host', 'kernel'])
  })

  test.each(['bool IsRight(const char* name);', 'class K {};'])(
    'tries the host side where the kernel side does not compile: %s',
    async (code) => {
      const {executor, units} = compiler(({side}) => (side === 'host' ? compiled : failed('no such thing')))
      const {outputs} = await runStage(verifyCode({executor}), [sample(cpp(code))])
      expect(outputs).toHaveLength(1)
      expect(units[0]?.side).toBe('kernel')
      expect(units.at(-1)?.side).toBe('host')
    },
  )
})

describe('verifyCode with the twin', () => {
  const run = async (code: string) => runStage(verifyCode({executor: await realExecutor()}), [sample(cpp(code))])

  test.each([
    ['a call with the names of a page', 'AscendC::Add(dstLocal, src0Local, src1Local, 512);'],
    [
      'queues and buffers',
      'AscendC::LocalTensor<half> xLocal = inQueueX.AllocTensor<half>();\nAscendC::DataCopy(xLocal, xGm, 512);\ninQueueX.EnQue(xLocal);',
    ],
    [
      'a prototype',
      'template <typename T>\n__aicore__ inline void Add(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const int32_t& count);',
    ],
    [
      'a constructor and a const member',
      '__aicore__ inline MyTensor();\n\n__aicore__ inline uint32_t GetSize() const;',
    ],
    [
      'a kernel class',
      '#include "kernel_operator.h"\nclass K {\npublic:\n    __aicore__ inline void Init(GM_ADDR x) { xGm.SetGlobalBuffer((__gm__ half*)x, 16); }\nprivate:\n    AscendC::GlobalTensor<half> xGm;\n};',
    ],
    [
      'counts between braces',
      'AscendC::DataCopyExtParams copyParams{rows, cols * sizeof(float), 0, 0, 0};\nAscendC::DataCopyPad(dstGlobal, srcLocal, copyParams);',
    ],
    ['a member of a class template', 'GlobalTensor<PrimType> GetDataObj();'],
    [
      'the body of an operator definition',
      'this->Input("x")\n    .ParamType(REQUIRED)\n    .DataType({ge::DT_FLOAT16})\n    .Format({ge::FORMAT_ND});',
    ],
    [
      'a tiling structure',
      'namespace optiling {\nBEGIN_TILING_DATA_DEF(D)\nTILING_DATA_FIELD_DEF(uint32_t, n);\nEND_TILING_DATA_DEF;\nREGISTER_TILING_DATA_CLASS(DCustom, D)\n}',
    ],
  ])(
    'compiles %s',
    async (_, code) => {
      const {outputs, dropped} = await run(code)
      expect(dropped).toEqual([])
      expect(outputs[0]).toMatchObject({
        verdict: {outcome: 'compiled', executor: {name: 'twin'}},
        files: [{path: 'example.cpp'}],
      })
    },
    120_000,
  )

  test.each([
    [
      'arrays of the C interface',
      'constexpr uint32_t total = 64;\n__ubuf__ float src[total];\n__ubuf__ float dst[total];\nasc_copy_gm2ub(src, src_gm, total * sizeof(float));\nasc_exp(dst, src, total);',
    ],
    [
      'statements of the host',
      'std::vector<int64_t> shape_vec = {1024};\nAscendC::TensorShape shape(shape_vec);\nuint32_t maxValue = 0;\nuint32_t minValue = 0;\nAscendC::GetTanhMaxMinTmpSize(shape, 2, false, maxValue, minValue);',
    ],
    [
      'the context of tiling',
      'auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());\nauto cores = platform.GetCoreNumAiv();',
    ],
    ['a declaration with types of the host', 'OpDef &Named(const char *name);'],
    [
      'a member of a tiling class',
      'int32_t SetAType(TPosition pos, CubeFormat type, DataType dataType, bool isTrans = false);',
    ],
    ['statements below an include', '#include "kernel_operator.h"\nAscendC::Abs(dstLocal, srcLocal, 64);'],
    ['one call that looks like a declaration', 'AscendC::SetMaskNorm();'],
    ['types of matrices', 'typedef AscendC::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, half> aType;'],
    ['element types by name', 'AscendC::LocalTensor<srcType> tensor = inQueueX.DeQue<srcType>();'],
    [
      'the structure of a library call',
      'AscendC::RmsNorm<half, isBasicBlock>(dstLocal, srcLocal, gammaLocal, epsilon, tiling);',
    ],
    ['offsets beside data', 'AscendC::Gather(dstLocal, srcLocal, srcOffsetLocal, (uint32_t)0, 64);'],
    ['data that becomes shorter', 'AscendC::MulCast(dstLocal, src0Local, src1Local, 64);'],
    [
      'a function of the host',
      'static ge::graphStatus Tiling(gert::TilingContext* context)\n{\n    context->SetBlockDim(8);\n    return ge::GRAPH_SUCCESS;\n}',
    ],
  ])(
    'knows the surroundings of %s',
    async (_, code) => {
      const {outputs, dropped} = await run(code)
      expect(dropped).toEqual([])
      expect(outputs).toHaveLength(1)
    },
    120_000,
  )

  test('says that a listing is compiled', async () => {
    const {outputs} = await run('AscendC::Abs(dstLocal, srcLocal, 64);')
    expect(outputs).toMatchObject([{proof: 'compiled', verdict: {outcome: 'compiled', executor: {name: 'twin'}}}])
  }, 120_000)

  test.each([
    ['a missing argument', 'AscendC::Add(dstLocal, src0Local, 512);'],
    ['a name that does not exist', 'AscendC::AddEverything(dstLocal, src0Local, 512);'],
    ['a missing semicolon', 'int32_t a = 1\nAscendC::Add(dstLocal, src0Local, src1Local, a);'],
  ])(
    'refuses %s',
    async (_, code) => {
      expect((await run(code)).dropped.map(({reason}) => reason)).toEqual(['code-does-not-compile'])
    },
    120_000,
  )
})
