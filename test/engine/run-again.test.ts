import {describe, expect, test} from 'vitest'
import {z} from 'zod'
import {silentLog} from '../../engine/log.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {runPipeline} from '../../engine/runner.ts'
import {each, type Stage} from '../../engine/stage.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

const numbers: Stage<number, number> = {
  name: 'numbers',
  version: 1,
  input: z.int(),
  output: z.int(),
  async *run(totals) {
    for await (const total of totals) for (let value = 0; value < total; value += 1) yield value
  },
}

describe('kept outcomes are used again by a run that is the same in all that shapes them', () => {
  const settings = {name: 'twice', version: 1, options: {factor: 2}, seed: 's'}
  type Settings = typeof settings

  /** How many of ten records a second run, with one thing changed, works on again. */
  async function workedAgain(change: Partial<Settings>): Promise<number> {
    const directory = await temporaryFolder()
    let worked = 0
    const runWith = ({name, version, options, seed}: Settings) => {
      const run = each<number, number>((value) => {
        worked += 1
        return [value]
      })
      const stage: Stage<number, number> = {name, version, options, input: z.int(), output: z.int(), run}
      return runPipeline({
        pipeline: Pipeline.from('test', [10], numbers).via(stage),
        directory,
        model: () => undefined,
        seed,
        now: () => 0,
        signal: new AbortController().signal,
        log: silentLog,
      })
    }
    await runWith(settings)
    worked = 0
    await runWith({...settings, ...change})
    return worked
  }

  test.each<[string, Partial<Settings>, again: number]>([
    ['nothing', {}, 0],
    ['the seed', {seed: 't'}, 10],
    ['the version of the stage', {version: 2}, 10],
    ['an option of the stage', {options: {factor: 3}}, 10],
    ['the name of the stage', {name: 'thrice'}, 10],
  ])('%s changed', async (_, change, again) => expect(await workedAgain(change)).toBe(again))
})
