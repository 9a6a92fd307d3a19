import {describe, expect, test} from 'vitest'
import {arithmeticOf} from '../../trainers/make-plan.ts'
import {readSpec, shippedSpecs} from '../../trainers/read-spec.ts'

describe('arithmetic', async () => {
  const spec = await readSpec('sft-full')
  const of = (
    set: Partial<Record<'nodes' | 'tensor' | 'pipeline' | 'context' | 'micro' | 'global' | 'steps', number>>,
  ) =>
    arithmeticOf(
      {
        hardware: {...spec.hardware, nodes: set.nodes ?? 1, devicesPerNode: 8},
        parallel: {
          ...spec.parallel,
          tensor: {value: set.tensor ?? 1, source: 'ours'},
          pipeline: {value: set.pipeline ?? 1, source: 'ours'},
          context: {value: set.context ?? 1, source: 'ours'},
        },
        hyperparameters: {
          ...spec.hyperparameters,
          microBatch: {value: set.micro ?? 1, source: 'ours'},
          globalBatch: {value: set.global ?? 128, source: 'ours'},
          ...(set.steps === undefined ? {} : {steps: {value: set.steps, source: 'ours'}}),
          warmupRatio: {value: 0.1, source: 'ours'},
        },
      },
      1000,
    )

  test('a batch is divided over devices, steps follow from epochs', () => {
    expect(of({})).toEqual({world: 8, dataParallel: 8, accumulation: 16, steps: 24, warmupSteps: 3, epochs: 3.072})
    expect(of({nodes: 2, tensor: 8, pipeline: 2})).toMatchObject({dataParallel: 1, accumulation: 128})
    expect(of({nodes: 4, tensor: 8, pipeline: 2})).toMatchObject({dataParallel: 2, accumulation: 64})
    expect(of({nodes: 8, tensor: 8, pipeline: 2})).toMatchObject({dataParallel: 4, accumulation: 32})
    expect(of({global: 64, steps: 150})).toMatchObject({accumulation: 8, steps: 150, warmupSteps: 15, epochs: 9.6})
    expect(of({steps: 70}).warmupSteps).toBe(7)
  })

  const refused: [Parameters<typeof of>[0], string, string][] = [
    [{tensor: 3}, '8 devices do not divide into groups of 3 (tensor 3 × pipeline 1 × context 1)', 'Use 6 or 9 devices'],
    [{context: 16}, 'groups of 16', 'Use 16 devices'],
    [
      {global: 100},
      '100 rows is not a multiple of 8, the rows processed at once (8 data-parallel devices × 1 rows)',
      'to 96 or 104',
    ],
    [{micro: 3}, '128 rows is not a multiple of 24', 'to 120 or 144, or `hyperparameters.microBatch` to 2'],
    // Thirteen rows a device are divided by one alone.
    [{global: 104, micro: 4}, '104 rows is not a multiple of 32', 'to 96 or 128, or `hyperparameters.microBatch` to 1'],
    [{nodes: 32}, '128 rows is not a multiple of 256', 'to 256, or use at most 128 data-parallel devices'],
  ]
  test.each(refused)('%o is refused with the numbers and the nearest that works', (set, message, fix) => {
    expect(() => of(set)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(message) as string,
        fix: expect.stringContaining(fix) as string,
      }) as Error,
    )
  })

  test('every job that is shipped divides', async () => {
    for (const name of await shippedSpecs())
      expect(arithmeticOf(await readSpec(name), 10_000).accumulation).toBeGreaterThan(0)
  })
})
