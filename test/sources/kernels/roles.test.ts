import {mkdirSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {expect, test} from 'vitest'
import flatten from '../../../sources/kernels/flatten.ts'
import operatorProjects from '../../../sources/kernels/repo.ts'
import {firstSyntaxError} from '../../../cpp/parse.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const body = Array.from({length: 12}, (_, line) => `    value += ${line};`).join('\n')
const work = (name: string) => `int ${name}(int value)\n{\n${body}\n    return value;\n}\n`

async function checkout(files: Record<string, string>): Promise<string> {
  const root = await temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), {recursive: true})
    writeFileSync(join(root, path), text)
  }
  return root
}

async function sourcesOf(files: Record<string, string>) {
  const {outputs, dropped} = await runStage(operatorProjects(), [
    {root: await checkout(files), repository: 'r', revision: '1', licence: 'Apache-2.0'},
  ])
  const flat = await runStage(
    flatten(),
    outputs.map((project) => ({...project, verdicts: {}})),
  )
  return {sources: flat.outputs, dropped: [...dropped, ...flat.dropped]}
}

const operator = {
  'math/twice/op_host/twice_def.cpp': `class Twice : public OpDef {\npublic:\n    explicit Twice(const char* name) : OpDef(name)\n    {\n        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT});\n        this->AICore().AddConfig("ascend910b");\n    }\n};\n${work('d')}`,
  'math/twice/op_host/twice_infershape.cpp': `static int InferShape(gert::InferShapeContext* context)\n{\n    return 0;\n}\nIMPL_OP_INFERSHAPE(Twice).InferShape(InferShape);\n${work('i')}`,
  'math/twice/op_host/twice_tiling.cpp': `static int Tiling(gert::TilingContext* context)\n{\n    context->SetBlockDim(1);\n    return 0;\n}\n${work('t')}`,
  'math/twice/op_kernel/twice.cpp': `extern "C" __global__ __aicore__ void twice(GM_ADDR x)\n{\n${body.replaceAll('value', 'x')}\n}\n`,
  'math/twice/op_api/aclnn_twice.cpp': `#include "twice.h"\n${work('aclnnTwice')}`,
  'math/twice/op_api/twice.h': `#pragma once\n${work('Inner')}`,
}

test('every file of an operator is a target, by its role', async () => {
  const {sources, dropped} = await sourcesOf(operator)
  expect(dropped).toEqual([])
  expect(sources.map(({role, side, origin: {path}}) => [role, side, path.replace('math/twice/', '')])).toEqual([
    ['definition', 'host', 'op_host/twice_def.cpp'],
    ['infer-shape', 'host', 'op_host/twice_infershape.cpp'],
    ['tiling', 'host', 'op_host/twice_tiling.cpp'],
    ['kernel', 'kernel', 'op_kernel/twice.cpp'],
    ['api', 'host', 'op_api/aclnn_twice.cpp'],
    ['api', 'host', 'op_api/twice.h'],
  ])
  const api = sources.find(({target}) => target.path === 'op_api/aclnn_twice.cpp')
  expect(api?.dependencies.map(({path}) => path)).toEqual(['op_api/twice.h'])
  expect(api?.flattened).toBe('')
})

test('steps of a tiling are a tiling, host code for PyTorch is covered by no executor', async () => {
  const {sources, dropped} = await sourcesOf({
    ...operator,
    'math/twice/op_host/base.cpp': `int BaseTiling::GetCores()\n{\n    return 1;\n}\n${work('b')}`,
    'math/twice/op_host/fill.h': `inline void Fill(int cores, TwiceTilingData& data)\n{\n    data.cores = cores;\n}\n${work('f')}`,
    'math/twice/op_host/log.h': work('log'),
    'math/twice/op_host/launch.cpp': `at::Tensor twice(at::Tensor x)\n{\n    return GetTiling(x);\n}\n${work('l')}`,
    'math/twice/op_host/tiling_launch.cpp': `at::Tensor GetTiling(at::Tensor x)\n{\n    return x;\n}\n${work('l')}`,
  })
  const steps = sources.filter(({target}) => /base|fill|log|launch/.test(target.path))
  expect(steps.map(({role, target}) => [role, target.path])).toEqual([
    ['tiling', 'op_host/base.cpp'],
    ['tiling', 'op_host/fill.h'],
  ])
  expect(dropped.map(({reason, detail}) => [reason, detail.replace(/:.*/, '')])).toEqual([
    ['not-covered', 'math/twice/op_host/launch.cpp'],
    ['nothing-to-teach', 'math/twice/op_host/log.h'],
    ['not-covered', 'math/twice/op_host/tiling_launch.cpp'],
  ])
})

test('a header of declarations teaches no tiling, whatever they take, and a method that overrides has a body', async () => {
  const many = Array.from({length: 12}, (_, at) => `    int32_t f${at};`).join('\n')
  const overrides = `class Twice16 : public Base {\n    bool IsCapable() override {\n        return true; }\n${many}\n};\n`
  const {sources, dropped} = await sourcesOf({
    ...operator,
    'math/twice/op_host/twice_data.h': `struct TwiceData {\n${many}\n};\nint Next(gert::TilingContext* context);\n`,
    'math/twice/op_host/twice_16.h': `// TilingContext\nint Next(gert::TilingContext* context);\n${overrides}`,
  })
  expect(dropped.map(({reason, detail}) => [reason, detail.replace(/:.*/, '')])).toEqual([
    ['nothing-to-teach', 'math/twice/op_host/twice_data.h'],
  ])
  expect(sources.find(({target}) => target.path.endsWith('_16.h'))?.role).toBe('tiling')
})

test('host files are told the definition that stands in another file', async () => {
  const {sources} = await sourcesOf(operator)
  const told = sources.filter(({definition}) => definition?.inputs[0]?.name === 'x')
  expect(told.map(({role}) => role)).toEqual(['infer-shape', 'tiling'])
})

test('of headers without an entry, those that builds for other chips alone include are for these', async () => {
  const {sources, dropped} = await sourcesOf({
    'lib/block.hpp':
      '#if CATLASS_ARCH == 2201\n#include "lib/here.hpp"\n#endif\n#if CATLASS_ARCH == 3510\n#include "lib/there.hpp"\n#endif\n',
    'lib/here.hpp': `__aicore__ inline ${work('Here')}`,
    'lib/there.hpp': `__aicore__ inline ${work('There')}`,
    'lib/alone.hpp': `__aicore__ inline ${work('Alone')}`,
  })
  expect(sources.map(({target}) => target.path)).toEqual(['alone.hpp', 'here.hpp'])
  expect(dropped.map(({reason, detail}) => [reason, detail])).toEqual([
    ['other-chip', 'lib/there.hpp: builds for other chips alone include it'],
    ['nothing-to-teach', 'lib/block.hpp: no function has its body here'],
  ])
})

test('the C interface stands even where the operator has no kernel for this chip', async () => {
  const {'math/twice/op_kernel/twice.cpp': _, ...rest} = operator
  const {sources, dropped} = await sourcesOf(rest)
  expect(dropped.map(({reason}) => reason)).toEqual(['kernel-missing'])
  expect(sources.map(({role}) => role)).toEqual(['api', 'api'])
})

test('implementations of high-level APIs are library files, those for other chips and devices are none', async () => {
  const {sources} = await sourcesOf({
    'impl/adv_api/detail/math/tanh/tanh_common_impl.h': `__aicore__ inline ${work('Tanh')}`,
    'impl/adv_api/detail/math/tanh/tanh_v220_impl.h': `__aicore__ inline ${work('TanhHere')}`,
    'impl/adv_api/detail/math/tanh/tanh_3510_impl.h': `__aicore__ inline ${work('TanhThere')}`,
    'impl/adv_api/detail/math/tanh/v200/tanh_impl.h': `__aicore__ inline ${work('TanhOld')}`,
    'impl/adv_api/detail/hccl/hccl_impl.h': work('Send'),
    'impl/adv_api/tiling/math/tanh_tiling.cpp': work('TanhSize'),
    'include/adv_api/math/tanh.h': `__aicore__ inline ${work('TanhOf')}`,
  })
  expect(sources.map(({role, side, operator: name, target}) => [role, side, name, target.path])).toEqual([
    ['library', 'kernel', 'Tanh', 'tanh_common_impl.h'],
    ['library', 'kernel', 'Tanh', 'tanh_v220_impl.h'],
    ['library', 'host', 'Tanh', 'tanh_tiling.cpp'],
    ['library', 'kernel', 'Tanh', 'tanh.h'],
  ])
})

test('finds the line of a syntax error, and takes what compilers take of macros', async () => {
  const vendor = [
    '#ifdef __cplusplus\nextern "C" {\n#endif',
    'ACLNN_API int Run(const Plan& plan = {})\n{',
    '    CHECK(plan.ok, return false);\n    CHECK(plan.ok, return);',
    '    if ASCEND_IS_AIC {\n        return 1;\n    }\n    return 0;\n}',
    '#ifdef __cplusplus\n}\n#endif\n',
  ].join('\n')
  expect(await firstSyntaxError(vendor)).toBe(undefined)
  expect(await firstSyntaxError('int a;\nint b = ;\nint c;\n')).toBe(2)
  expect(await firstSyntaxError('int Run()\n{\n    return 1;\n')).not.toBe(undefined)
})

test.each([
  ['a profiling call without its semicolon', 'int Run()\n{\n    L0_DFX(Run, a, b)\n    return 1;\n}\n'],
  ['a macro that brings its semicolon', 'struct A {\n    DECLARE_MEMBER(A, b)\n    int c;\n};\n'],
  ['an operator that is called by its name', 'int Run()\n{\n    return dims->operator[](0);\n}\n'],
  [
    'statements in an argument',
    'int Run()\n{\n    CHECK(a, LOG("a"); b = 0, return 1);\n    CHECK(a, LOG("a");\n, return 1);\n}\n',
  ],
  ['a word for the reserved buffer', '__ASC_USE_RESERVED_UBUF__(3510, "no")\n__aicore__ inline void Run() {}\n'],
  [
    'brackets that conditions share',
    'int Run()\n{\n    if (a) {\n        b();\n    }\n#if C == 1\n    else if (d) {\n        e();\n    }\n#endif\n    return 1;\n}\n',
  ],
])('takes %s', async (_, text) => {
  expect(await firstSyntaxError(text)).toBe(undefined)
})

test('an error that every choice of conditions has stays one', async () => {
  const text = '#if C == 1\nint a;\n#else\nint b;\n#endif\nint c = ;\n'
  expect(await firstSyntaxError(text)).toBe(6)
})
