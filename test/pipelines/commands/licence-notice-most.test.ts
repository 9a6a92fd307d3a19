import {expect, test, vi} from 'vitest'
import {CotSample} from '../../../datasets/schema/sample.ts'
import {fromRun} from '../../../engine/from-run.ts'
import {Pipeline} from '../../../engine/pipeline.ts'
import {tellLicences} from '../../../pipelines/commands/licence-notice.ts'
import {Config} from '../../../pipelines/workspace/config.ts'
import {recordedWorld} from '../../helpers/world.ts'

const run = vi.hoisted(() => ({read: 0, open: 0}))

vi.mock('../../../engine/run.ts', async (original) => ({
  ...(await original<typeof import('../../../engine/run.ts')>()),
  openRun() {
    run.open += 1
    return {
      *emitted() {
        for (let left = 25_000; left > 0; left -= 1) {
          run.read += 1
          yield {json: '{"origin":{"licence":"GPL-3.0-only"}}'}
        }
      },
      close: () => (run.open -= 1),
    }
  },
}))

test('20,000 records of each run are looked at, and the run is closed', async () => {
  const origins = ['documentation', 'kernels'].map((directory) => ({directory}))
  const world = recordedWorld()
  await tellLicences(Pipeline.from('release-sft', origins, fromRun(CotSample)), Config.parse({}), world.terminal)
  expect(world.said.join('\n')).toContain(
    '40,000 of 40,000 records of release-sft will be refused because of their licence',
  )
  expect(run).toEqual({read: 40_000, open: 0})
})
