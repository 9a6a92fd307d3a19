import {expect, test} from 'vitest'
import type {FinishedRun} from '../../../engine/run.ts'
import preference from '../../../pipelines/recipes/preference.ts'
import {Config} from '../../../pipelines/workspace/config.ts'
import type {Workspace} from '../../../pipelines/workspace/workspace.ts'

test('pairs as the configuration says', async () => {
  const samples = {maxPairsPerTask: 5, maxPairsPerChosen: 3, pairStrategies: ['compile-fail']}
  const config = Config.parse({samples})
  const found = () => Promise.resolve([{} as FinishedRun])
  const {stages} = await preference({config, found} as unknown as Workspace)
  expect(stages.at(-1)?.options).toMatchObject({
    maxPairsPerTask: 5,
    maxPairsPerChosen: 3,
    strategies: ['compile-fail'],
  })
})
