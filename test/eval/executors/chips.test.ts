import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {Execution, Executor} from '../../../datasets/schema/executor.ts'
import {ratesOf} from '../../../eval/cost.ts'
import {chipOf, defaultSoc, socNames} from '../../../eval/executors/chips.ts'
import twin from '../../../eval/executors/twin.ts'
import {readConfig} from '../../../pipelines/workspace/config.ts'
import {addCase, asFloats, fixtureProgram} from '../../helpers/operators.ts'
import {testCompiler} from '../../helpers/real-executor.ts'
import {twinCache} from '../../helpers/test-cache.ts'

const host = 'op_host/add_demo.cpp'
const kernel = 'op_kernel/add_demo.cpp'
const here = '// place of planted faults'

test('chips are those of the twin, with its cores and clocks', () => {
  const text = readFileSync(new URL('../../../eval/twin/runtime/host/platform.cpp', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/chip\("([^"]+)", "Ascend910(?:B|_93)", (\d+), (\d+),/g)]
  expect(rows.map(([, soc = '', cores, megahertz]) => [soc, Number(cores) * 2, Number(megahertz)])).toEqual(
    socNames.map((soc) => [soc, chipOf(soc).vectorCores, chipOf(soc).megahertz]),
  )
})

test('costs are modelled with the cores and the clock of the chip', () => {
  expect(['Ascend910_9392', 'Ascend910B2', 'Ascend910B4'].map(ratesOf)).toMatchObject([
    {cores: 48, cyclesPerMicrosecond: 1850},
    {cores: 48, cyclesPerMicrosecond: 1800},
    {cores: 40, cyclesPerMicrosecond: 1500},
  ])
})

test('a chip that is not known is told with those that are', async () => {
  const names = socNames.join(', ')
  await expect(twin({cacheDirectory: twinCache, workDirectory: tmpdir(), soc: 'Ascend910B9'})).rejects.toMatchObject({
    code: 'config-invalid',
    message: `There is no chip Ascend910B9 here; expected one of ${names}`,
  })
  const given = (soc: string) => readConfig({env: {}, flags: {'executor.soc': soc}})
  await expect(given('Ascend910b2')).rejects.toThrow(
    /executor\.soc: .*"Ascend910B1"\|"Ascend910B2".*in --set executor\.soc=Ascend910b2/,
  )
  expect((await given('Ascend910B2')).executor.soc).toBe('Ascend910B2')
  expect((await readConfig({env: {}})).executor.soc).toBe(defaultSoc)
})

describe.each([
  {soc: 'Ascend910_9392', cores: 48, config: 'ascend910_93', sibling: 'ascend910b'},
  {soc: 'Ascend910B2', cores: 48, config: 'ascend910b', sibling: 'ascend910_93'},
  {soc: 'Ascend910B3', cores: 40, config: 'ascend910b', sibling: 'ascend910_93'},
])('an operator judged for $soc', ({soc, cores, config, sibling}) => {
  let executor: Executor
  const workDirectory = mkdtempSync(join(tmpdir(), 'chip-'))
  afterAll(() => rmSync(workDirectory, {recursive: true, force: true}))
  beforeAll(async () => {
    executor = await twin({
      cacheDirectory: twinCache,
      workDirectory,
      soc,
      ...testCompiler,
    })
  }, 120_000)

  const run = async (...edits: [string, string, string][]): Promise<Execution> => {
    const dtypes = {x: 'float32', y: 'float32', z: 'float32'} as const
    const built = await executor.build(fixtureProgram('add', 'AddDemo', dtypes, ...edits))
    if (!built.ok) throw new Error(JSON.stringify(built.verdict))
    try {
      return await executor.execute(built.build, addCase())
    } finally {
      await built.build.dispose()
    }
  }
  const declared = 'this->AICore().AddConfig("ascend910b").AddConfig("ascend910_93");'

  test('plans with its cores and UB, and the verdict names it', async () => {
    expect(executor.identity.soc).toBe(soc)
    expect(executor.covers).toContain(soc)
    const execution = await run()
    expect(execution).toMatchObject({outcome: 'ran', trace: {tiling: {marks: [cores, 196_352 / 64, 7]}}})
    if (execution.outcome !== 'ran') throw new Error(execution.outcome)
    expect(asFloats(execution.outputs[0] as Uint8Array).slice(0, 2)).toEqual([0.5, 1.5])
  })

  test('is told its names and the architecture in kernel and tiling', async () => {
    const refuse = 'return ge::GRAPH_FAILED;'
    const ask = `std::string name; context->GetPlatformInfo()->GetPlatformRes("version", "SoC_version", name);
      if (name != "${soc}" || platform.GetCoreNumAic() * 2 != ${cores}) ${refuse}`
    expect(
      await run(
        [host, 'const uint32_t blocks = 8;', `const uint32_t blocks = 8; ${ask}`],
        [kernel, here, 'static_assert(__NPU_ARCH__ == 2201);'],
      ),
    ).toMatchObject({outcome: 'ran'})
  })

  test('waits in a barrier for no more blocks than it has cores', async () => {
    const among = (blocks: number): [string, string, string][] => [
      [host, 'context->SetBlockDim(blocks);', `context->SetBlockDim(${blocks});`],
      [kernel, 'AddKernel<DTYPE_X> kernel;', 'SyncAll(); if (GetBlockIdx() >= 8) return; AddKernel<DTYPE_X> kernel;'],
    ]
    expect(await run(...among(cores))).toMatchObject({outcome: 'ran'})
    expect(await run(...among(cores + 1))).toMatchObject({violation: {rule: 'sync-too-many-blocks'}})
  })

  test('may be declared for it or for its sibling, whose types come second', async () => {
    const typed = (of: string, type: string) =>
      `{ OpAICoreConfig one; one.Input("y").DataType({ge::DT_FLOAT16, ge::${type}}).Format({ge::FORMAT_ND, ge::FORMAT_ND}); this->AICore().AddConfig("${of}", one); }`
    for (const one of [config, sibling])
      expect(await run([host, declared, `this->AICore().AddConfig("${one}");`])).toMatchObject({outcome: 'ran'})
    const both = (own: string, other: string) => typed(sibling, other) + typed(config, own)
    expect(await run([host, declared, both('DT_FLOAT', 'DT_INT32')])).toMatchObject({outcome: 'ran'})
    expect(await run([host, declared, both('DT_INT32', 'DT_FLOAT')])).toMatchObject({outcome: 'launch-failed'})
    expect(await run([host, declared, 'this->AICore().AddConfig("ascend310p");'])).toMatchObject({
      outcome: 'launch-failed',
      message: expect.stringContaining(`expected AddConfig("${config}") or AddConfig("${sibling}")`),
    })
  })
})
