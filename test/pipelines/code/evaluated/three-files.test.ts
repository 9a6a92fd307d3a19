import {createHash} from 'node:crypto'
import {describe, expect, test} from 'vitest'
import type {Execution} from '../../../../datasets/schema/executor.ts'
import type {HostKernelPair} from '../../../../datasets/schema/scenario.ts'
import type {OperatorCase} from '../../../../datasets/schema/task.ts'
import {withTypeMacros} from '../../../../pipelines/code/evaluated/three-files.ts'
import {faultOf, otherThanRecorded} from '../../../../pipelines/code/evaluated/judged-files.ts'
import pairRequests from '../../../../pipelines/code/evaluated/pair-requests.ts'
import {wholeOperator} from '../../../../pipelines/code/evaluated/three-files.ts'
import {inlineIncludes} from '../../../../sources/kernels/inline.ts'
import {runStage} from '../../../helpers/run-stage.ts'
import {ran, scriptedExecutor, scriptedIdentity, type Script} from '../../../helpers/scripted-executor.ts'

const block = (name: string, field: string) =>
  `BEGIN_TILING_DATA_DEF(${name})\nTILING_DATA_FIELD_DEF(uint32_t, ${field});\nEND_TILING_DATA_DEF;\n`
const register = (operator: string, name: string) => `REGISTER_TILING_DATA_CLASS(${operator}, ${name})\n`
const structure = `${block('OtherTilingData', 'rows')}${register('Other', 'OtherTilingData')}`
const own = `${block('TwiceTilingData', 'total')}${register('Twice', 'TwiceTilingData')}`

const header = {
  path: 'op_host/inc/twice_tiling.h',
  text: [
    '// SPDX-License-Identifier: MIT',
    '#pragma once',
    '#include "sizes.h"',
    'namespace optiling {',
    `${own}} // namespace optiling`,
    '',
  ].join('\n'),
}
const sizes = {path: 'op_host/inc/sizes.h', text: '#pragma once\nconstexpr int BLOCK = 32;\n'}
const tiling = {
  path: 'op_host/twice_tiling.cpp',
  text: [
    '// SPDX-License-Identifier: MIT',
    '#include "inc/sizes.h"',
    '#include "inc/twice_tiling.h"',
    'namespace optiling {',
    'constexpr int ROUNDS = 3;',
    'static ge::graphStatus TilingFunc(gert::TilingContext* context) { return Fill(context, BLOCK, kLayouts); }',
    '} // namespace optiling',
    '',
  ].join('\n'),
}
const definition = {
  path: 'op_host/twice.cpp',
  text: `#include "register/op_def_registry.h"
namespace ops {
static const std::vector<ge::DataType> kTypes = {ge::DT_FLOAT, ge::DT_FLOAT16};
static const std::vector<ge::Format> kLayouts = {ge::FORMAT_ND, ge::FORMAT_ND};
class Twice : public OpDef {
public:
    explicit Twice(const char* name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataType(kTypes);
        this->Input("from").DataType({ge::DT_INT32, ge::DT_INT32}).ValueDepend(OPTIONAL);
        this->Input("axis").DataType({ge::DT_INT32, ge::DT_INT32}).ValueDepend(REQUIRED);
        this->Output("y").ParamType(REQUIRED).DataType(kTypes);
        this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
        this->AICore().SetTiling(optiling::TilingFunc);
    }
};
OP_ADD(Twice);
} // namespace ops
`,
}

const x = {name: 'x', dtype: 'float32' as const, shape: [2]}
const pair: HostKernelPair = {
  origin: {repository: 'r', revision: 'v', path: 'op', licence: 'MIT'},
  operator: 'Twice',
  entry: 'twice',
  host: [definition, header, sizes, tiling],
  kernel: {
    path: 'op_kernel/twice.cpp',
    text: 'void twice(GM_ADDR x) { GET_TILING_DATA(tilingData, tiling); GlobalTensor<float> g; }\n',
  },
  kept: [],
  scenario: {
    dtypes: {x: 'float32', from: 'int32', axis: 'int32', y: 'float32'},
    inputs: [{...x, range: [-4, 4]}],
    attributes: {},
    outputs: [
      {...x, name: 'y'},
      {...x, name: 'z'},
    ],
    seed: 's',
    digests: [],
    trace: ran([]).trace,
  },
  executor: scriptedIdentity,
}

const texts = (one: HostKernelPair) => {
  const whole = wholeOperator(one, inlineIncludes, 60_000)
  if (!whole.ok) throw new Error(`${whole.reason}: ${whole.detail}`)
  return whole.files.map(({text}) => text) as [header: string, host: string, kernel: string]
}
const withHost = (...host: HostKernelPair['host']): HostKernelPair => ({...pair, host})

describe('three files', () => {
  test('are the structure with what its header includes, all else of the host once, and the kernel', () => {
    expect(wholeOperator(pair, inlineIncludes, 60_000)).toMatchObject({
      files: [
        {path: 'op_host/twice_tiling.h'},
        {path: 'op_host/twice.cpp'},
        {path: 'op_kernel/twice.cpp', text: expect.stringContaining('GlobalTensor<DTYPE_X>')},
      ],
    })
    const [structureText, host] = texts(pair)
    expect(structureText).toMatch(/^\/\/ SPDX-License-Identifier: MIT\n#pragma once\n\nconstexpr int BLOCK = 32;\n/)
    expect(structureText.match(/#pragma once/g)).toHaveLength(1)
    expect(host).not.toMatch(/BLOCK = 32|BEGIN_TILING_DATA_DEF|#pragma once/)
    expect(host.match(/#include "[^"]*"/g)).toEqual([
      '#include "twice_tiling.h"',
      '#include "register/op_def_registry.h"',
    ])
    expect(host.indexOf('TilingFunc(gert')).toBeLessThan(host.indexOf('class Twice'))
  })

  test('keep the guard that a header has', () => {
    const guarded = header.text.replace('#pragma once', '#ifndef TWICE_H_\n#define TWICE_H_').concat('#endif\n')
    const [text] = texts(withHost(definition, {...header, text: guarded}, sizes, tiling))
    expect(text).toContain('#ifndef TWICE_H_\n#define TWICE_H_\n')
    expect(text).not.toContain('#pragma once')
  })

  test('have a header of their own for a structure that a source declares', () => {
    const source = {...tiling, text: tiling.text.replace('#include "inc/twice_tiling.h"', own)}
    const [text, host] = texts(withHost(definition, sizes, source))
    expect(text).toContain(own.trim().replace(/\n(?=REGISTER)/, '\n\n'))
    expect(text).toMatch(/^#pragma once\n\n#include "register\/tilingdata_base\.h"\n/)
    expect(host).not.toMatch(/TILING_DATA_DEF|REGISTER_TILING/)
    expect(host).toContain('constexpr int BLOCK = 32;')
  })

  describe('have a header of their own for a structure that a source declares as any other', () => {
    const plain = 'struct TwiceTilingData {\n    uint32_t total = 0; // }\n    struct Part { int rows; } part;\n};'
    const kernelText = pair.kernel.text.replace('GET_TILING_DATA(', 'GET_TILING_DATA_WITH_STRUCT(TwiceTilingData, ')
    const source = (text: string) => ({
      ...withHost(definition, sizes, {...tiling, text}),
      kernel: {...pair.kernel, text: kernelText},
    })
    const bare = tiling.text.replace('#include "inc/twice_tiling.h"\n', '')

    test('at the top of it', () => {
      const [text, host, kernel] = texts(source(bare.replace('namespace optiling {', `${plain}\nnamespace optiling {`)))
      expect(text).toBe(`#pragma once\n\n#include <cstdint>\n\n${plain}\n`)
      expect(host).not.toContain('TwiceTilingData')
      expect(host).toContain('constexpr int ROUNDS = 3;')
      expect(host).toMatch(/#include "twice_tiling\.h"/)
      expect(kernel).toContain('GET_TILING_DATA_WITH_STRUCT(TwiceTilingData')
    })

    test('in the namespaces that it stands in, and in no other', () => {
      const before = 'namespace a { int f() { return 1; } } namespace optiling {\nnamespace inner {\n'
      const [text, host] = texts(source(bare.replace('namespace optiling {', `${before}${plain}\n}`)))
      expect(text).toBe(
        `#pragma once\n\n#include <cstdint>\n\nnamespace optiling {\nnamespace inner {\n${plain}\n} // namespace inner\n} // namespace optiling\n`,
      )
      expect(host).toContain('namespace a { int f() { return 1; } }')
    })

    test('but not for one that a comment or a text only names', () => {
      const named = `// struct TwiceTilingData { int a; };\nstatic const char* s = "struct TwiceTilingData {};";\n`
      expect(wholeOperator(source(`${named}${bare}`), inlineIncludes, 60_000)).toMatchObject({
        reason: 'tiling-in-no-header',
      })
      const [text, host] = texts(source(`${named}${plain}\n${bare}`))
      expect(text).toContain(plain)
      expect(host).toContain('"struct TwiceTilingData {};"')
    })

    test('nor for a variable of a structure without an end', () => {
      const cut = plain.replace('};', '} global;')
      expect(wholeOperator(source(`${cut}\n${bare}`), inlineIncludes, 60_000).ok).toBe(false)
    })
  })

  test('have the header of the structure that the kernel reads, else of the one that is registered', () => {
    const other = {path: 'op_host/inc/other.h', text: `#pragma once\nnamespace optiling {\n${structure}}\n`}
    const host = [definition, other, header, sizes, tiling]
    expect(texts(withHost(...host))[0]).toContain('TwiceTilingData')
    const text = pair.kernel.text.replace('GET_TILING_DATA(', 'GET_TILING_DATA_WITH_STRUCT(OtherTilingData, ')
    const reading = {...withHost(...host), kernel: {...pair.kernel, text}}
    expect(texts(reading)[0]).toContain('OtherTilingData')
    expect(texts(reading)[0]).not.toContain('TwiceTilingData')
  })

  test('define the types of the case, what depends on values, and what the definition names itself', () => {
    const [, host] = texts(pair)
    expect(host).toContain('Input("from")\n            .ValueDepend(OPTIONAL)\n')
    expect(host).toContain('Input("axis")\n            .ValueDepend(REQUIRED)\n')
    expect(host).toContain('Input("x")\n            .ParamType(REQUIRED)')
    const named = ['this->SetInferShape(ge::InferShape);', 'this->SetInferDataType(ge::InferDataType);']
    for (const call of [...named, 'this->AICore().SetTiling(optiling::TilingFunc);']) expect(host).toContain(call)
    expect(host).not.toContain('kTypes')
    expect(host).toContain('kLayouts = {ge::FORMAT_ND, ge::FORMAT_ND};')
    const beside = {...definition, text: definition.text.replace(/^.*SetTiling.*\n/m, '')}
    expect(texts(withHost(beside, header, sizes, tiling))[1]).not.toContain('SetTiling(')
  })

  test('are too long by the sum of their bytes', () => {
    const bytes = texts(pair).reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    expect(wholeOperator(pair, inlineIncludes, bytes).ok).toBe(true)
    expect(wholeOperator(pair, inlineIncludes, bytes - 1)).toEqual({
      ok: false,
      reason: 'source-too-long',
      detail: `${bytes} bytes, at most ${bytes - 1}`,
    })
  })
})

describe('macros of types stand', () => {
  const tensor = (name: string, dtype: 'float32' | 'float16' | 'bfloat16' | 'int32') => ({name, dtype, shape: [1]})
  test.each([
    [
      'for half wherever a tensor is named',
      [tensor('x', 'float16'), tensor('y', 'float16')],
      'GlobalTensor<half> g; q.DeQue<half>(); n = sizeof(half); c = static_cast<half>(1);',
      'GlobalTensor<DTYPE_X> g; q.DeQue<DTYPE_X>(); n = sizeof(DTYPE_X); c = static_cast<half>(1);',
    ],
    [
      'for bfloat16 likewise',
      [tensor('x', 'float32'), tensor('y', 'bfloat16')],
      'LocalTensor<bfloat16_t> a; LocalTensor<float> b;',
      'LocalTensor<DTYPE_Y> a; LocalTensor<float> b;',
    ],
    [
      'for float everywhere where all is float',
      [tensor('x', 'float32'), tensor('y', 'float32')],
      'LocalTensor<float> a; p = (__gm__ float*)x;',
      'LocalTensor<DTYPE_X> a; p = (__gm__ DTYPE_X*)x;',
    ],
    [
      'for other types in global memory alone',
      [tensor('x', 'int32'), tensor('y', 'float32')],
      'GlobalTensor<int32_t> a; LocalTensor<int32_t> b; GlobalTensor<float> c; LocalTensor<float> d;',
      'GlobalTensor<DTYPE_X> a; LocalTensor<int32_t> b; GlobalTensor<DTYPE_Y> c; LocalTensor<float> d;',
    ],
  ])('%s', (_, tensors, text, expected) => expect(withTypeMacros(text, tensors)).toBe(expected))
})

describe('files are judged', () => {
  const bytes = (...values: number[]) => values.map((value) => new Uint8Array([value]))
  const digests = bytes(1, 2).map((one) => createHash('sha256').update(one).digest('hex'))
  const recorded = {...pair, scenario: {...pair.scenario, digests}}
  const violation = {rule: 'pipe-hazard', block: 0, api: 'Add', tensor: 'x', message: 'no order', fix: 'a flag'}
  const signal = new AbortController().signal
  const [right, wrong] = ['right', 'wrong'].map((text) => [{path: 'a.cpp', text}])

  const against = async (run: Script['run'], one = recorded) => {
    const executor = scriptedExecutor({run})
    const fault = await otherThanRecorded(right!, {pair: one, executor, signal})
    expect(executor.openBuilds()).toBe(0)
    return fault
  }

  test('by the bytes that were recorded', async () => {
    expect(await against(() => bytes(1, 2))).toBeUndefined()
    expect(await against(() => bytes(1, 3))).toBe('other outputs than recorded')
    expect(await against(() => ({outcome: 'violated', violation}))).toBe('violated: pipe-hazard')
  })

  test('past a rule only where that was recorded', async () => {
    const run: Script['run'] = (_, {tolerant}) => (tolerant ? bytes(1, 2) : {outcome: 'violated', violation})
    expect(await against(run)).toBe('violated: pipe-hazard')
    const tolerated = {...recorded, scenario: {...recorded.scenario, tolerated: violation}}
    expect(await against(run, tolerated)).toBeUndefined()
  })

  const valuesOf = ({inputs}: OperatorCase) => String(inputs[0]?.data)
  const beside = async (run: (isRight: boolean, isFirst: boolean) => Uint8Array[] | Execution) => {
    const seen: string[] = []
    const executor = scriptedExecutor({
      run: (one, _, program) => {
        seen.push(valuesOf(one))
        return run(JSON.stringify(program).includes('right'), valuesOf(one) === seen[0])
      },
    })
    const close = (_: unknown, expected: Uint8Array, found: Uint8Array) => expected.join() === found.join()
    const fault = await faultOf(wrong!, {pair, right: right!, executor, close, signal})
    expect(executor.openBuilds()).toBe(0)
    return fault
  }

  test('beside those that are right, output by output, with other values as well', async () => {
    expect(await beside(() => bytes(1, 2))).toBeUndefined()
    expect(await beside((isRight) => (isRight ? bytes(1, 2) : bytes(1, 3)))).toBe('other values in z')
    expect(await beside((isRight, isFirst) => (isRight || isFirst ? bytes(1, 2) : bytes(3, 2)))).toBe(
      'other values in y',
    )
  })

  test('by no values with which the right ones do not run', async () => {
    const fails: Execution = {outcome: 'timed-out', limitSeconds: 1}
    const others = (isRight: boolean) => (isRight ? fails : bytes(3, 2))
    expect(await beside((isRight, isFirst) => (isFirst ? bytes(1, 2) : others(isRight)))).toBeUndefined()
    expect(await beside((isRight, isFirst) => (isRight || isFirst ? bytes(1, 2) : fails))).toBe('timed-out')
  })
})

test('one code is asked for whole once more for another host, other types or another key', async () => {
  const {scenario} = pair
  const {outputs} = await runStage(pairRequests(), [
    pair,
    {...pair, scenario: {...scenario, dtypes: {y: 'float32', axis: 'int32', from: 'int32', x: 'float32'}}},
    {...pair, scenario: {...scenario, dtypes: {...scenario.dtypes, x: 'float16'}}},
    {...pair, scenario: {...scenario, trace: {...scenario.trace, tilingKey: 7}}},
    withHost(definition, header, sizes),
  ])
  const asked = outputs.filter(({form}) => form === 'full').map(({pair: one}) => one)
  expect(outputs.filter(({form}) => form === 'kernel-only')).toHaveLength(5)
  expect(asked.map(({scenario: one, host}) => [one.dtypes['x'], one.trace.tilingKey, host.length])).toEqual([
    ['float32', 0, 4],
    ['float16', 0, 4],
    ['float32', 7, 4],
    ['float32', 0, 3],
  ])
})
