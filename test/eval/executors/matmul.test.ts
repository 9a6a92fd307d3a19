import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import type {Execution, Executor} from '../../../datasets/schema/executor.ts'
import twin from '../../../eval/executors/twin.ts'
import {asFloats, fixtureProgram, floats} from '../../helpers/operators.ts'
import {testCompiler} from '../../helpers/real-executor.ts'
import {twinCache} from '../../helpers/test-cache.ts'

const kernel = 'op_kernel/matmul_demo.cpp'
const [m, n, k] = [200, 48, 20]
const float32 = {a: 'float32', b: 'float32', bias: 'float32', c: 'float32'} as const

let executor: Executor
let workDirectory: string

beforeAll(async () => {
  workDirectory = mkdtempSync(join(tmpdir(), 'matmul-test-'))
  const where = {cacheDirectory: twinCache, workDirectory, ...testCompiler}
  executor = await twin({...where, limits: {run: {cpuSeconds: 5, wallSeconds: 20}}})
}, 120_000)

afterAll(() => rmSync(workDirectory, {recursive: true, force: true}))

const numbers = (count: number, seed: number) =>
  Array.from({length: count}, (_, index) => ((index * 7 + seed) % 11) - 5)
const a = numbers(m * k, 1)
const b = numbers(k * n, 2)
const bias = numbers(n, 3)

async function run(...edits: [string, string, string][]): Promise<Execution> {
  const built = await executor.build(fixtureProgram('matmul', 'MatmulDemo', float32, ...edits))
  if (!built.ok) throw new Error(JSON.stringify(built.verdict))
  const input = (name: string, shape: number[], data: number[]) => ({
    name,
    dtype: 'float32' as const,
    shape,
    data: floats(data),
  })
  try {
    return await executor.execute(built.build, {
      id: 'one',
      attributes: {},
      outputs: [{name: 'c', dtype: 'float32', shape: [m, n]}],
      inputs: [input('a', [m, k], a), input('b', [k, n], b), input('bias', [n], bias)],
    })
  } finally {
    await built.build.dispose()
  }
}

function expected(): number[] {
  return Array.from({length: m * n}, (_, at) => {
    const [row, column] = [Math.floor(at / n), at % n]
    const products = Array.from({length: k}, (_, i) => a[row * k + i]! * b[i * n + column]!)
    return Math.max(
      0,
      products.reduce((sum, product) => sum + product, bias[column]!),
    )
  })
}

test('an operator with Matmul runs on both kinds of core, tiled by the host', async () => {
  const execution = await run()
  expect(execution).toMatchObject({outcome: 'ran', trace: {blockDim: 2, workspaceBytes: 16 * 1024 * 1024}})
  expect(execution.outcome === 'ran' && asFloats(execution.outputs[0] as Uint8Array)).toEqual(expected())
})

test.each<[string, string, string, string]>([
  ['matmul-order', 'mm.SetBias(biasGm[column]);', '', kernel],
  ['sync-deadlock', '// place of planted faults', 'if (GetSubBlockIdx() == 1 && g_coreType == AIV) return;', kernel],
  ['matmul-init', 'platform.GetLibApiWorkSpaceSize()', '0', 'op_host/matmul_demo.cpp'],
  [
    'matmul-tiling',
    'context->SetBlockDim',
    'tiling.cube.set_baseM(4096);\n    context->SetBlockDim',
    'op_host/matmul_demo.cpp',
  ],
  ['cross-core-kind', '// place of planted faults', 'KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);', kernel],
  ['gm-out-of-range', 'rows, columns, cube.Ka);', 'rows + 16, columns, cube.Ka);', kernel],
])('%s: %s becomes %s', async (rule, from, to, path) => {
  expect(await run([path, from, to])).toMatchObject({outcome: 'violated', violation: {rule}})
})
