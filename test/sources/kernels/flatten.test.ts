import {describe, expect, test} from 'vitest'
import type {CheckedProject} from '../../../datasets/schema/operator.ts'
import flatten from '../../../sources/kernels/flatten.ts'
import operatorProjects from '../../../sources/kernels/repo.ts'
import {tilingDeclarations} from '../../../sources/kernels/flatten.ts'
import {realExecutor} from '../../helpers/real-executor.ts'
import {runStage} from '../../helpers/run-stage.ts'

const body = Array.from({length: 12}, (_, i) => `    value += ${i};`).join('\n')
const project = (kernel: Record<string, string>, host: Record<string, string> = {}): CheckedProject => ({
  origin: {repository: 'r', revision: '1', path: 'math/add', licence: 'Apache-2.0'},
  operator: 'Add',
  host: Object.entries(host).map(([path, text]) => ({path, text})),
  kernel: Object.entries(kernel).map(([path, text]) => ({path, text})),
  verdicts: {},
})
const big = (name: string) => `inline int ${name}(int value)\n{\n${body}\n    return value;\n}\n`

describe('flatten', () => {
  test('gives one record for each file worth a sample, and none for constants, fragments and shared headers', async () => {
    const {outputs} = await runStage(flatten(), [
      project(
        {
          'op_kernel/add.cpp': `#include "add.h"\n#include "keys.h"\n#if __CCE_AICORE__ == 200\n#include "add_310p.h"\n#endif\n__global__ void add(int a)\n{\n${body}\n}\n`,
          'op_kernel/add.h': `#pragma once\n${big('base')}`,
          'op_kernel/keys.h': '#pragma once\n#define KEY 1\n',
          'op_kernel/part.inc': big('part'),
          '../common/math.h': big('shared'),
          'op_kernel/add_310p.h': big('old'),
          'op_kernel/left_over.h': big('unused'),
        },
        {'op_host/add_def.cpp': big('definition')},
      ),
    ])
    expect(outputs.map(({target, dependencies}) => [target.path, dependencies.map(({path}) => path)])).toEqual([
      ['op_kernel/add.cpp', ['op_kernel/add.h', 'op_kernel/keys.h']],
      ['op_kernel/add.h', []],
    ])
    expect(outputs[0]?.origin.path).toBe('math/add/op_kernel/add.cpp')
  })

  test('hands out with a header what stands before it in the nearest files that include it, and in a unit', async () => {
    const entry = `#include "outer.h"\n__global__ void add(int a)\n{\n${body}\n}\n`
    const {outputs} = await runStage(flatten(), [
      project({
        'op_kernel/add.cpp': entry,
        'op_kernel/outer.h': `#pragma once\nconstexpr int SLOTS = 2;\n#include "inner.h"\n${big('Outer')}`,
        'op_kernel/inner.h': `#pragma once\n${big('Inner')}`,
      }),
    ])
    const withins = outputs.map(({target, within}) => [target.path, within?.map(({path}) => path)])
    expect(withins).toEqual([
      ['op_kernel/add.cpp', undefined],
      ['op_kernel/outer.h', ['op_kernel/add.cpp']],
      ['op_kernel/inner.h', ['op_kernel/outer.h', 'op_kernel/add.cpp']],
    ])
    const [nearest] = outputs.find(({target}) => target.path.endsWith('inner.h'))?.within ?? []
    expect(nearest?.flattened).toContain('SLOTS = 2')
    expect(nearest?.flattened).not.toContain('Outer(')
    expect(nearest?.dependencies.map(({path}) => path)).toEqual(['op_kernel/outer.h'])
  })

  test('says of each file with code that it is too short', async () => {
    const entry = '#include "add.h"\n__global__ void add(int a)\n{\n    Run(a);\n}\n'
    const {outputs, dropped} = await runStage(flatten(), [
      project({'op_kernel/add.cpp': entry, 'op_kernel/add.h': `#pragma once\n${big('Run')}`}),
    ])
    expect(outputs.map(({target}) => target.path)).toEqual(['op_kernel/add.h'])
    expect(dropped).toEqual([{reason: 'source-too-short', detail: 'math/add/op_kernel/add.cpp: 2 lines of code'}])
  })

  test('tells of a file all that is known of its project, and nothing that is not', async () => {
    const text = big('base')
    const purpose = {text: 'Adds.', formulas: []}
    const {outputs} = await runStage(flatten(), [
      {...project({'op_kernel/add.h': text}), purpose},
      project({'op_kernel/add.h': text}),
    ])
    const record = {
      origin: {repository: 'r', revision: '1', path: 'math/add/op_kernel/add.h', licence: 'Apache-2.0'},
      ...{operator: 'Add', side: 'kernel', role: 'kernel', target: {path: 'op_kernel/add.h', text}},
      ...{dependencies: [], externalIncludes: [], tiling: '', dtypes: {}},
      flattened: `// ===== op_kernel/add.h =====\n${text}`,
    }
    expect(outputs).toStrictEqual([{...record, purpose}, record])
  })

  test('drops what cannot be made whole, each with its reason and name', async () => {
    const {outputs, dropped} = await runStage(flatten(), [
      project({'op_kernel/a.cpp': `#include "gone.h"\n${big('a')}`}),
      project({'op_kernel/a.cpp': `#include "a.cpp"\n${big('a')}`}),
      project({'op_kernel/a.cpp': 'int a;\n'}),
    ])
    expect(outputs).toEqual([])
    expect(dropped.map(({reason}) => reason)).toEqual(['include-missing', 'include-cycle', 'nothing-to-teach'])
    expect(dropped[0]?.detail).toBe('math/add/op_kernel/a.cpp: gone.h')
  })

  test('keeps a file that includes itself where its side was built with it, and drops it where none was', async () => {
    const round = project({'op_kernel/add.cpp': `#include "add.cpp"\n${big('add')}`})
    const executor = (await realExecutor()).identity
    const built = {...round, verdicts: {kernel: {outcome: 'compiled' as const, executor}}}
    const stage = () => flatten({entryFile: ([entry]) => entry})
    expect((await runStage(stage(), [built])).outputs.map(({target}) => target.path)).toEqual(['op_kernel/add.cpp'])
    const alone = await runStage(stage(), [round])
    expect(alone.dropped.map(({reason}) => reason)).toEqual(['include-cycle'])
  })

  test.each([
    ['return ge::GRAPH_PARAM_INVALID;', true],
    ['return false;', true],
    ['return Run(context);', false],
  ])('a tiling that says `%s` where the chip is not of the 950 generation', async (statement, isForeign) => {
    const guard = `if (!Ops::NN::OpTiling::IsRegbaseSocVersion(context_)) {\n        ${statement}\n    }`
    const tiling = `ge::graphStatus F(gert::TilingContext* context_)\n{\n    ${guard}\n${body}\n}\n`
    const {outputs, dropped} = await runStage(flatten(), [
      project({'op_kernel/add.cpp': `__global__ void add(int a)\n{\n${body}\n}\n`}, {'op_host/add_tiling.cpp': tiling}),
    ])
    expect(outputs.map(({role}) => role)).toEqual(isForeign ? ['kernel'] : ['tiling', 'kernel'])
    const detail = 'math/add/op_host/add_tiling.cpp: its tiling refuses Atlas A2'
    expect(dropped).toEqual(isForeign ? [{reason: 'other-chip', detail}] : [])
  })

  test('takes the strictest licence of all parts', async () => {
    const header = '// This file is under the CANN Open Software License Agreement Version 2.0\n'
    const {outputs} = await runStage(flatten(), [
      project({
        'op_kernel/a.cpp': `#include "b.h"\n${big('a')}`,
        'op_kernel/b.h': `${header}#pragma once\n${big('b')}`,
        'op_kernel/c.cpp': big('c'),
      }),
    ])
    expect(outputs.map(({origin}) => origin.licence)).toEqual([
      'LicenseRef-CANN-OSL-2.0',
      'LicenseRef-CANN-OSL-2.0',
      'Apache-2.0',
    ])
  })

  test('carries the tiling of the host and the first column of types to the kernel', async () => {
    const host =
      'BEGIN_TILING_DATA_DEF(AddTilingData)\n  TILING_DATA_FIELD_DEF(uint32_t, n); // length\nEND_TILING_DATA_DEF;\nREGISTER_TILING_DATA_CLASS(Add, AddTilingData)\nclass Add : public OpDef { void f() { this->Input("x").DataType({ge::DT_BF16, ge::DT_FLOAT}); this->Output("y").DataType({ge::DT_BOOL, ge::DT_BOOL}); } };\n'
    const {outputs} = await runStage(flatten(), [project({'op_kernel/a.cpp': big('a')}, {'op_host/a.cpp': host})])
    expect(outputs[0]?.tiling).toBe(
      'BEGIN_TILING_DATA_DEF(AddTilingData)\nTILING_DATA_FIELD_DEF(uint32_t, n);\nEND_TILING_DATA_DEF;\nREGISTER_TILING_DATA_CLASS(Add, AddTilingData);',
    )
    expect(outputs[0]?.dtypes).toEqual({x: 'bfloat16', y: 'bool'})
  })

  test('makes files of the bundled operators that the compiler accepts', async () => {
    const {outputs: projects} = await runStage(operatorProjects(), [
      {root: 'sources/starter/operators/row_softmax', repository: 'r', revision: '1', licence: 'Apache-2.0'},
    ])
    const {outputs: sources} = await runStage(
      flatten(),
      projects.map((one) => ({...one, verdicts: {}})),
    )
    const executor = await realExecutor()
    const verdicts = await Promise.all(
      sources.map(({side, tiling, dtypes, flattened}) => executor.compile({side, tiling, dtypes, text: flattened})),
    )
    expect(sources.map(({target}) => target.path)).toEqual([
      'op_host/row_softmax.cpp',
      'op_kernel/row_scalar.h',
      'op_kernel/row_softmax.cpp',
    ])
    expect(verdicts.map(({outcome}) => outcome)).toEqual(['compiled', 'compiled', 'compiled'])
  }, 120_000)
})

describe('tilingDeclarations', () => {
  test('puts inner structures and the constants of array sizes first', () => {
    const text =
      'constexpr uint32_t CORES = 48;\nBEGIN_TILING_DATA_DEF(Outer)\nTILING_DATA_FIELD_DEF_STRUCT(Inner, inner);\nTILING_DATA_FIELD_DEF_ARR(int64_t, CORES, starts);\nEND_TILING_DATA_DEF;\nBEGIN_TILING_DATA_DEF(Inner)\nTILING_DATA_FIELD_DEF(float, a);\nEND_TILING_DATA_DEF;\n'
    const names = tilingDeclarations([{path: 'op_host/t.h', text}])
      .split('\n')
      .filter((line) => /BEGIN|constexpr/.test(line))
    expect(names).toEqual([
      'constexpr uint32_t CORES = 48;',
      'BEGIN_TILING_DATA_DEF(Inner)',
      'BEGIN_TILING_DATA_DEF(Outer)',
    ])
  })
})
