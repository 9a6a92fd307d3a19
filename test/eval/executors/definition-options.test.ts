import {describe, expect, test} from 'vitest'
import type {Execution} from '../../../datasets/schema/executor.ts'
import {addCase, asFloats, fixtureProgram} from '../../helpers/operators.ts'
import {realExecutor} from '../../helpers/real-executor.ts'

// What a definition may say beyond names and types, and how the twin goes by it.

const kernel = 'op_kernel/add_demo.cpp'
const host = 'op_host/add_demo.cpp'
const here = '// place of planted faults'

async function run(...edits: [string, string, string][]): Promise<Execution> {
  const executor = await realExecutor()
  const float32 = {x: 'float32', y: 'float32', z: 'float32'} as const
  const built = await executor.build(fixtureProgram('add', 'AddDemo', float32, ...edits))
  if (!built.ok) throw new Error(JSON.stringify(built.verdict))
  try {
    return await executor.execute(built.build, addCase())
  } finally {
    await built.build.dispose()
  }
}

describe('a definition with a configuration of its own for a chip', () => {
  const config = (soc: string, type: string): [string, string, string] => [
    host,
    'this->AICore().AddConfig("ascend910b")',
    `OpAICoreConfig config; config.Input("y").DataType({ge::DT_FLOAT16, ge::${type}}).Format({ge::FORMAT_ND, ge::FORMAT_ND}); this->AICore().AddConfig("${soc}", config)`,
  ]
  const other: [string, string, string] = [
    host,
    '"y").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT})',
    '"y").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_INT32})',
  ]

  test('takes the types of that chip', async () => {
    expect(await run(other, config('ascend910_93', 'DT_FLOAT'))).toMatchObject({outcome: 'ran'})
    expect(await run(config('ascend910_93', 'DT_INT32'))).toMatchObject({outcome: 'launch-failed'})
  })

  test('keeps the common types on every other', async () => {
    expect(await run(config('ascend310p', 'DT_INT32'))).toMatchObject({outcome: 'ran'})
  })
})

test('a kernel that finds out the shape of its output is given room for it in front of the workspace', async () => {
  const declared: [string, string, string] = [
    host,
    'this->Output("z")',
    'this->Output("z").OutputShapeDependOnCompute()',
  ]
  const parameter: [string, string, string] = [
    kernel,
    'GM_ADDR z, GM_ADDR workspace',
    'GM_ADDR z, GM_ADDR shapes, GM_ADDR workspace',
  ]
  const write = (word: number): [string, string, string] => [
    kernel,
    here,
    `GlobalTensor<uint64_t> sizes; sizes.SetGlobalBuffer((__gm__ uint64_t*)shapes); if (GetBlockIdx() == 0) sizes.SetValue(${word}, 1);`,
  ]
  expect(await run(declared, parameter, write(8))).toMatchObject({outcome: 'ran'})
  expect(await run(declared, parameter, write(9))).toMatchObject({
    outcome: 'violated',
    violation: {rule: 'gm-out-of-range', tensor: 'shapes of outputs'},
  })
})

test('functions of the C API are device code, each form of them', async () => {
  const own = `asc_init();
    __ubuf__ float xs[128], ys[128];
    asc_copy_gm2ub(xs, (__gm__ float*)x + GetBlockIdx() * 128, 1, 16, 0, 0);
    asc_sync_notify(PIPE_MTE2, PIPE_V, EVENT_ID0);
    asc_sync_wait(PIPE_MTE2, PIPE_V, EVENT_ID0);
    asc_mul_scalar(ys, xs, 3.0f, 2, 1, 1, 8, 8);
    asc_sync();
    asc_copy_ub2ub(xs, ys, 1, 16, 0, 0);
    asc_sync();
    asc_copy_ub2gm((__gm__ float*)z + GetBlockIdx() * 128, xs, 1, 16, 0, 0);
    return;`
  const end = await run([kernel, '#include "kernel_operator.h"', '#include "c_api/asc_simd.h"'], [kernel, here, own])
  expect(end.outcome === 'ran' && asFloats(end.outputs[0] as Uint8Array).slice(-2)).toEqual([3066, 3069])
})

describe('an output with a value that it starts with', () => {
  const starts = (value: string): [string, string, string] => [
    host,
    'this->Output("z").ParamType(REQUIRED)',
    `this->Output("z").ParamType(REQUIRED).InitValue(${value})`,
  ]
  const asks: [string, string, string] = [
    host,
    'context->SetBlockDim(blocks);',
    'context->SetBlockDim(blocks); context->SetNeedAtomic(true);',
  ]
  const adds: [string, string, string] = [kernel, here, 'SetAtomicAdd<float>();']
  const last = async (...edits: [string, string, string][]) => {
    const end = await run(adds, [kernel, 'kernel.Process();', 'kernel.Process(); SetAtomicNone();'], ...edits)
    return end.outcome === 'ran' ? asFloats(end.outputs[0] as Uint8Array).at(-1) : end
  }

  test('has it when tiling asks for atomic outputs, and holds anything otherwise', async () => {
    expect(await last(starts('0'), asks)).toBe(1023.5)
    expect(await last(starts('{ops::ScalarType::FLOAT32, 2.5}'), asks)).toBe(1026)
    expect(await last(starts('{{ops::ScalarType::INT16, 7}, {ops::ScalarType::FLOAT32, -0.5}}'), asks)).toBe(1023)
    expect(await last(starts('0'))).toBeNaN()
  })

  test('and one that is none does not launch', async () => {
    expect(await last(starts('3'), asks)).toMatchObject({outcome: 'launch-failed'})
    const three = '{{ops::ScalarType::INT8, 1}, {ops::ScalarType::INT8, 1}, {ops::ScalarType::INT8, 1}}'
    expect(await last(starts(three), asks)).toMatchObject({outcome: 'launch-failed'})
  })
})

test('a tensor has the format that its dimensions stand for where the definition takes no ND', async () => {
  const formats = (format: string): [string, string, string][] =>
    ['x', 'y'].map((name) => [
      host,
      `"${name}").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::FORMAT_ND, ge::FORMAT_ND})`,
      `"${name}").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::${format}, ge::${format}})`,
    ])
  const wants = (format: string): [string, string, string] => [
    host,
    'const uint32_t blocks = 8;',
    `const uint32_t blocks = 8; if (context->GetInputDesc(0)->GetStorageFormat() != ge::${format}) return ge::GRAPH_FAILED;`,
  ]
  expect(await run(...formats('FORMAT_NCHW'), wants('FORMAT_NCHW'))).toMatchObject({outcome: 'ran'})
  expect(await run(wants('FORMAT_ND'))).toMatchObject({outcome: 'ran'})
  expect(await run(wants('FORMAT_NCHW'))).toMatchObject({outcome: 'launch-failed'})
})
