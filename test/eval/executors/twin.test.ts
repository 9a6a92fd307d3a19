import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {ExecuteOptions, Executor, Execution} from '../../../datasets/schema/executor.ts'
import twin, {twinTools} from '../../../eval/executors/twin.ts'
import {addCase, addLength, asFloats, fixtureProgram, floats} from '../../helpers/operators.ts'
import {testCompiler} from '../../helpers/real-executor.ts'
import {twinCache} from '../../helpers/test-cache.ts'

const kernel = 'op_kernel/add_demo.cpp'
const host = 'op_host/add_demo.cpp'
const here = '// place of planted faults'
const float32 = {x: 'float32', y: 'float32', z: 'float32'} as const

let executor: Executor
let workDirectory: string

beforeAll(async () => {
  workDirectory = mkdtempSync(join(tmpdir(), 'twin-test-'))
  const where = {cacheDirectory: twinCache, workDirectory, ...testCompiler}
  executor = await twin({...where, limits: {run: {cpuSeconds: 4, wallSeconds: 16}}})
}, 120_000)

afterAll(() => rmSync(workDirectory, {recursive: true, force: true}))

const run = (...edits: [string, string, string][]) => runWith({}, ...edits)

async function runWith(how: ExecuteOptions, ...edits: [string, string, string][]): Promise<Execution> {
  const built = await executor.build(fixtureProgram('add', 'AddDemo', float32, ...edits))
  if (!built.ok) throw new Error(JSON.stringify(built.verdict))
  try {
    return await executor.execute(built.build, addCase(), how)
  } finally {
    await built.build.dispose()
  }
}

describe('the tools', () => {
  const tools = (more: Partial<Parameters<typeof twinTools>[0]> = {}) =>
    twinTools({cacheDirectory: twinCache, workDirectory, ...testCompiler, ...more})
  const gibi = 1_073_741_824
  const compile = {
    ...{cpuSeconds: 30, wallSeconds: 120, memoryBytes: 4 * gibi, fileBytes: 536_870_912},
    outputBytes: 1_048_576,
  }
  const run = {
    ...{cpuSeconds: 40, wallSeconds: 120, memoryBytes: 8 * gibi, fileBytes: 4 * gibi},
    outputBytes: 262_144,
  }

  test('have limits for compilers and for runs, and are known by their chip; each may be another', async () => {
    const limits = {compile: {memoryBytes: gibi}, run: {outputBytes: 1}}
    const plain = await tools()
    const limited = await tools({limits, soc: 'Ascend910_9392'})
    const other = await tools({soc: 'Ascend910B1'})
    expect(plain.limits).toEqual({compile, run})
    expect(limited.limits).toEqual({compile: {...compile, memoryBytes: gibi}, run: {...run, outputBytes: 1}})
    expect([plain, other].map(({soc, identity}) => [soc, identity.soc])).toEqual([
      ['Ascend910_9392', 'Ascend910_9392'],
      ['Ascend910B1', 'Ascend910B1'],
    ])
    expect(plain.identity).toEqual({...limited.identity, name: 'twin', compiler: plain.compiler.version})
    expect(plain.identity.fingerprint).toMatch(/^[0-9a-f]{16}$/)
    expect(other.identity.fingerprint).not.toBe(plain.identity.fingerprint)
  })
})

describe('a correct operator', () => {
  test('gives its outputs and the trace of what it did', async () => {
    const execution = await run()
    expect(execution).toMatchObject({
      outcome: 'ran',
      trace: {
        blockDim: 8,
        tilingKey: 2,
        workspaceBytes: 0,
        tiling: {flag: 1, blockLength: 128, totalLength: 1024, marks: [48, 3068, 7], ratio: 0.5},
        buffers: [
          {position: 'VECIN', count: 1, bytes: 512, kind: 'queue'},
          {position: 'VECIN', count: 1, bytes: 512, kind: 'queue'},
          {position: 'VECOUT', count: 1, bytes: 512, kind: 'queue'},
        ],
        ubPeakBytes: 1536,
        calls: {Add: 8, DataCopy: 24},
      },
    })
    if (execution.outcome !== 'ran') throw new Error(execution.outcome)
    expect(Object.keys(execution.trace.tiling)).toEqual(['flag', 'blockLength', 'totalLength', 'marks', 'ratio'])
    expect(execution.trace.blocks.at(-1)).toEqual({
      index: 7,
      readBytes: 1024,
      writtenBytes: 512,
      work: {
        copiesIn: 2,
        copiesOut: 1,
        burstsIn: 2,
        burstsOut: 1,
        vectorInstructions: 1,
        vectorRepeats: 2,
        scalarAccesses: 0,
        waits: 3,
        drains: 0,
        drained: 0,
        synced: 0,
        tiles: 1,
      },
    })
    expect(execution.trace.repeats).toEqual({Add: 16})
    expect(execution.trace.buffers.map(({filled}) => filled)).toEqual([1, 1, 1])
    expect(asFloats(execution.outputs[0] as Uint8Array)).toEqual(
      Array.from({length: addLength}, (_, index) => index + 0.5),
    )
  })

  // "pattern: … floats are repeated 0xFF … integers are repeated 0xAA" (clang's -ftrivial-auto-var-init).
  test.skipIf(testCompiler.compiler?.startsWith('g++'))(
    'reads no number from a variable that nobody wrote',
    async () => {
      const unwritten = 'float u[2]; int n; if (u[1] == 0.0f || u[0] == u[0] || n == 0) return;'
      const ran = await run([kernel, here, unwritten])
      expect(ran).toMatchObject({outcome: 'ran', trace: {calls: {Add: 8}}})
    },
  )

  test('runs in place with a plain tiling structure, an absent optional input and attributes', async () => {
    const built = await executor.build(fixtureProgram('scale', 'ScaleDemo', {x: 'float32'}))
    if (!built.ok) throw new Error(JSON.stringify(built.verdict))
    const inputs = [{name: 'x', dtype: 'float32' as const, shape: [5], data: floats([1, 2, 3, 4, 5])}]
    const outputs = [{name: 'x', dtype: 'float32' as const, shape: [5]}]
    const given = await executor.execute(built.build, {
      id: 'given',
      inputs,
      outputs,
      attributes: {factor: -3, mode: 'a b%'},
    })
    expect(given).toMatchObject({outcome: 'ran', trace: {blockDim: 1, tiling: {length: 5, factor: -3}}})
    expect(given.outcome === 'ran' && asFloats(given.outputs[0] as Uint8Array)).toEqual([-3, -6, -9, -12, -15])
    const byDefault = await executor.execute(built.build, {id: 'default', inputs, outputs, attributes: {}})
    expect(byDefault.outcome === 'ran' && asFloats(byDefault.outputs[0] as Uint8Array)).toEqual([2, 4, 6, 8, 10])
    await built.build.dispose()
  })

  test('is a template whose parameters the tiling key chooses', async () => {
    const key = (times: string) =>
      `ASCENDC_TPL_SEL_PARAM(context, C_DT_FLOAT, ${times});\n    return ge::GRAPH_SUCCESS;\n}\nIMPL_OP`
    const lists = `#include "ascendc/host_api/tiling/template_argument.h"
ASCENDC_TPL_ARGS_DECL(ScaleDemo, ASCENDC_TPL_DATATYPE_DECL(D_T, C_DT_FLOAT), ASCENDC_TPL_UINT_DECL(TIMES, 8, ASCENDC_TPL_UI_LIST, 1, 10, 100));
ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_DATATYPE_SEL(D_T, C_DT_FLOAT), ASCENDC_TPL_UINT_SEL(TIMES, ASCENDC_TPL_UI_LIST, 1, 10)));
#include <cstdint>`
    // Selections are the kernel's alone: the SDK's headers drop them where tilings are compiled.
    const nextChip = `namespace next {
ASCENDC_TPL_ARGS_DECL(ScaleDemo, ASCENDC_TPL_UINT_DECL(TIMES, 8, ASCENDC_TPL_UI_LIST, 1, 10));
ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_UINT_SEL(TIMES, ASCENDC_TPL_UI_LIST, 1, NOWHERE_DECLARED)));
}
`
    const launch = async (times: string) => {
      const built = await executor.build(
        fixtureProgram(
          'scale',
          'ScaleDemo',
          {x: 'float32'},
          ['op_kernel/scale_demo_tiling.h', '#include <cstdint>', lists],
          ['op_kernel/scale_demo.cpp', 'extern "C" __global__', 'template <typename D_T, uint64_t TIMES>\n__global__'],
          [
            'op_kernel/scale_demo.cpp',
            'Muls(scaled, read, data.factor',
            'Muls(scaled, read, static_cast<D_T>(data.factor * TIMES)',
          ],
          ['op_host/scale_demo.cpp', 'struct ScaleCompileInfo', `${nextChip}struct ScaleCompileInfo`],
          ['op_host/scale_demo.cpp', 'return ge::GRAPH_SUCCESS;\n}\nIMPL_OP', key(times)],
        ),
      )
      if (!built.ok) throw new Error(JSON.stringify(built.verdict))
      const tensor = {name: 'x', dtype: 'float32' as const, shape: [2]}
      const execution = await executor.execute(built.build, {
        id: 'one',
        inputs: [{...tensor, data: floats([1, 2])}],
        outputs: [tensor],
        attributes: {},
      })
      await built.build.dispose()
      return execution
    }
    const ran = await launch('10')
    expect(ran).toMatchObject({outcome: 'ran', trace: {tilingKey: 256}})
    expect(ran.outcome === 'ran' && asFloats(ran.outputs[0] as Uint8Array)).toEqual([20, 40])
    expect(await launch('100')).toMatchObject({violation: {rule: 'tiling-key'}})
  })

  test('gives equal outputs when blocks run in reverse and outputs start as zero', async () => {
    const built = await executor.build(fixtureProgram('add', 'AddDemo', float32))
    if (!built.ok) throw new Error(JSON.stringify(built.verdict))
    const forward = await executor.execute(built.build, addCase())
    const reverse = await executor.execute(built.build, addCase(), {order: 'reverse', poison: 'zero'})
    expect(forward.outcome === 'ran' && reverse.outcome === 'ran' && forward.outputs).toEqual(
      reverse.outcome === 'ran' && reverse.outputs,
    )
    await built.build.dispose()
  })
})

describe('a wrong operator', () => {
  test('that leaves part of its output alone shows the poison there', async () => {
    const execution = await run([
      kernel,
      'Add(z, x, y, length);',
      'Add(z, x, y, length);\n        if (GetBlockIdx() == 7) { zQueue.EnQue(z); xQueue.FreeTensor(x); yQueue.FreeTensor(y); z = zQueue.DeQue<T>(); zQueue.FreeTensor(z); return; }',
    ])
    if (execution.outcome !== 'ran') throw new Error(JSON.stringify(execution))
    const z = new Uint32Array(execution.outputs[0]?.buffer as ArrayBuffer)
    expect(z[7 * 128]).toBe(0x7fa5a5a5)
    expect(z[0]).toBe(0x3f000000)
  })

  test('finds zeros instead in an output that is handed in cleared', async () => {
    const leaving = fixtureProgram('add', 'AddDemo', float32, [
      kernel,
      'Add(z, x, y, length);',
      'Add(z, x, y, length);\n        if (GetBlockIdx() == 7) { zQueue.EnQue(z); xQueue.FreeTensor(x); yQueue.FreeTensor(y); z = zQueue.DeQue<T>(); zQueue.FreeTensor(z); return; }',
    ])
    const built = await executor.build(leaving)
    if (!built.ok) throw new Error(JSON.stringify(built.verdict))
    const execution = await executor.execute(built.build, {
      ...addCase(),
      outputs: addCase().outputs.map((output) => ({...output, cleared: true})),
    })
    await built.build.dispose()
    if (execution.outcome !== 'ran') throw new Error(JSON.stringify(execution))
    const z = new Uint32Array(execution.outputs[0]?.buffer as ArrayBuffer)
    expect([z[7 * 128], z[0]]).toEqual([0, 0x3f000000])
  })

  test('that breaks a rule is a violation with its place', async () => {
    expect(await run([kernel, 'DataCopy(zGm, z, length);', 'DataCopy(zGm[64], z, length);'])).toMatchObject({
      outcome: 'violated',
      violation: {
        ...{api: 'DataCopy', rule: 'gm-out-of-range'},
        seen: {situation: 'gm-out-of-range', values: {operand: 'dst', tensor: 'z', has: 4096}},
      },
    })
  })

  test('that the device would run to its end does so in a tolerant run, and the rule is told', async () => {
    const leak: [string, string, string] = [kernel, 'zQueue.FreeTensor(z);', '']
    expect(await run(leak)).toMatchObject({outcome: 'violated', violation: {rule: 'tensor-leak'}})
    const tolerated = await runWith({tolerant: true}, leak)
    expect(tolerated).toMatchObject({outcome: 'ran', tolerated: {rule: 'tensor-leak', block: 0}})
    const sound = await runWith({tolerant: true})
    if (sound.outcome !== 'ran' || tolerated.outcome !== 'ran') throw new Error(sound.outcome)
    expect(sound.tolerated).toBeUndefined()
    expect(tolerated.outputs).toEqual(sound.outputs)
    expect(
      await runWith({tolerant: true}, [kernel, 'DataCopy(zGm, z, length);', 'DataCopy(zGm[1 << 20], z, length);']),
    ).toMatchObject({outcome: 'violated', violation: {rule: 'gm-out-of-range'}})
  })

  test('that writes to an input through a pointer is a violation, not a crash', async () => {
    expect(await run([kernel, here, '*((__gm__ float*)x + 3) = 1.0f;'])).toMatchObject({
      outcome: 'violated',
      violation: {rule: 'write-to-input', block: 0, tensor: 'x'},
    })
  })

  test('that writes past its output through a pointer is a violation', async () => {
    expect(await run([kernel, here, 'for (int i = 0; i < 2000; ++i) ((__gm__ float*)z)[i] = 1.0f;'])).toMatchObject({
      outcome: 'violated',
      violation: {rule: 'gm-out-of-range', tensor: 'z'},
    })
  })

  test('that writes to null has crashed, with signal, block and last call', async () => {
    expect(await run([kernel, here, '*(volatile int*)0 = 1;'])).toMatchObject({
      outcome: 'crashed',
      cause: expect.stringMatching(/^SIGSEGV .*block 0, last API/),
    })
  })

  test.runIf(process.arch === 'x64')(
    'goes on after a division by zero whose result decides nothing; one that matters shows between the block orders',
    async () => {
      const sum = 'Add(z, x, y, length);'
      const divided = (type: string, operator: string): [string, string, string] => [
        kernel,
        sum,
        `${sum} volatile ${type} zero = 0, one = 1; Adds(z, z, float(int((one ${operator} zero) & 1)), length);`,
      ]
      expect(await run([kernel, here, 'volatile int zero = 0; volatile int one = 1 / zero; (void)one;'])).toMatchObject(
        {outcome: 'ran'},
      )
      for (const [type, operator] of [
        ['int', '/'],
        ['uint32_t', '%'],
        ['int64_t', '/'],
        ['uint64_t', '%'],
      ] as const) {
        const [forward, reverse] = [
          await runWith({}, divided(type, operator)),
          await runWith({order: 'reverse'}, divided(type, operator)),
        ]
        if (forward.outcome !== 'ran' || reverse.outcome !== 'ran')
          throw new Error(`${type} ${operator}: ${forward.outcome}, ${reverse.outcome}`)
        expect(forward.outputs).not.toEqual(reverse.outputs)
      }
    },
  )

  test('that divides by zero in its tiling function has crashed', async () => {
    expect(
      await run([host, 'const uint32_t blocks = 8;', 'volatile uint32_t zero = 0; const uint32_t blocks = 8 / zero;']),
    ).toMatchObject({outcome: 'crashed', cause: expect.stringContaining('SIGFPE')})
  })

  test('that never ends is timed out by its CPU limit', async () => {
    expect(await run([kernel, here, 'for (volatile int i = 0;; ++i) {}'])).toEqual({
      outcome: 'timed-out',
      limitSeconds: 4,
    })
  })

  test('whose tiling function refuses is a launch failure', async () => {
    expect(await run([host, 'return ge::GRAPH_SUCCESS;', 'return ge::GRAPH_FAILED;'])).toMatchObject({
      outcome: 'launch-failed',
      message: expect.stringContaining('tiling function returned'),
    })
  })

  test('whose tiling sets no blocks is a launch failure', async () => {
    expect(await run([host, 'context->SetBlockDim(blocks);', ''])).toMatchObject({
      outcome: 'launch-failed',
      message: expect.stringContaining('0 blocks'),
    })
  })

  test('called with a dtype that its definition lacks is a launch failure', async () => {
    expect(
      await run([
        host,
        '"y").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT})',
        '"y").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_INT32})',
      ]),
    ).toMatchObject({
      outcome: 'launch-failed',
      message: expect.stringContaining('y=DT_FLOAT'),
    })
  })
})

describe('an operator that does not build', () => {
  test('gives the compiler sentences with places inside the program', async () => {
    const built = await executor.build(
      fixtureProgram('add', 'AddDemo', float32, [kernel, 'Add(z, x, y, length);', 'Add(z, x, lengthOf, length);']),
    )
    expect(built).toMatchObject({ok: false, verdict: {outcome: 'compile-failed', executor: {name: 'twin'}}})
    if (built.ok || built.verdict.outcome !== 'compile-failed') throw new Error('built')
    expect(built.verdict.diagnostics[0]).toMatchObject({
      severity: 'error',
      file: kernel,
      line: 28,
      message: expect.stringContaining('lengthOf'),
    })
    expect(built.verdict.log).not.toContain(workDirectory)
  })

  test('fails at the link when a function of the host has no body', async () => {
    const built = await executor.build(
      fixtureProgram(
        'add',
        'AddDemo',
        float32,
        [host, 'namespace optiling {', 'void nowhere();\nnamespace optiling {'],
        [host, 'tiling.set_flag(1);', 'nowhere();'],
      ),
    )
    expect(built).toMatchObject({ok: false, verdict: {outcome: 'link-failed', log: expect.stringContaining('nowhere')}})
  })

  test('fails when the host side defines no such operator', async () => {
    const built = await executor.build({...fixtureProgram('add', 'AddDemo', float32), operator: 'Other'})
    expect(built).toMatchObject({ok: false, verdict: {outcome: 'compile-failed'}})
  })

  test('is not covered when it calls a documented function that the twin lacks', async () => {
    const built = await executor.build(
      fixtureProgram('add', 'AddDemo', float32, [kernel, here, 'asc_set_bmm_quant();']),
    )
    expect(built).toMatchObject({ok: false, verdict: {outcome: 'compile-failed'}})
    const lacking = await executor.build(
      fixtureProgram('add', 'AddDemo', float32, [kernel, here, 'AscendC::CreateCubeResGroup();']),
    )
    expect(lacking).toMatchObject({ok: false, verdict: {outcome: 'not-covered', missing: ['CreateCubeResGroup']}})
  })
})
