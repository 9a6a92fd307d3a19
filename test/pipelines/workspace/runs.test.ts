import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {CotSample} from '../../../datasets/schema/sample.ts'
import {
  apisOf,
  artifactsOf,
  emittedBy,
  findRuns,
  openRuns,
  ownRecipes,
  readSequence,
  saveSequence,
} from '../../../pipelines/workspace/runs.ts'
import {collect, sample} from '../../datasets/rows.ts'
import {sampleRun} from '../../helpers/sample-run.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

describe('the recipes that an output folder was made by', () => {
  test('are kept in the order in which they were run last, and where those of the user lie', async () => {
    const out = await temporaryFolder()
    expect(await readSequence(out)).toEqual([])
    await saveSequence(out, [{name: 'a'}, {name: 'own', file: join(out, '../own.ts')}])
    await saveSequence(out, [{name: 'b'}, {name: 'a'}])
    expect(await readSequence(out)).toEqual(['own', 'b', 'a'])
    expect(await ownRecipes(out)).toEqual({own: join(out, '../own.ts')})
    await saveSequence(out, [{name: 'own', file: join(out, 'moved.ts')}])
    expect(await ownRecipes(out)).toEqual({own: join(out, 'moved.ts')})
  })
})

describe('the runs of an output folder', () => {
  test('come in the order of their recipes, others by name behind them', async () => {
    const out = await temporaryFolder()
    for (const recipe of ['d', 'c', 'b', 'a']) await sampleRun(out, recipe, [sample()])
    await saveSequence(out, [{name: 'c'}, {name: 'a'}])
    await mkdir(join(out, 'dataset'))
    await writeFile(join(out, 'a-file'), '')
    const runs = await findRuns(out)
    expect(runs.map(({record}) => record.recipe)).toEqual(['c', 'a', 'b', 'd'])
    expect(runs[0]?.directory).toBe(join(out, 'c'))
    const opened = await openRuns(out)
    expect(opened.map(({record}) => record.recipe)).toEqual(['c', 'a', 'b', 'd'])
    for (const run of opened) run.close()
  })

  test('are missing where there is none', async () => {
    const out = await temporaryFolder()
    const missing = {
      code: 'run-missing',
      message: `There is no run in ${out}.`,
      fix: 'Start one with `ascend-cot run <recipe>`, or give the folder with --out.',
    }
    await expect(findRuns(out)).rejects.toMatchObject(missing)
    await expect(findRuns(join(out, 'none'))).rejects.toMatchObject({code: 'run-missing'})
  })
})

describe('what a run left', () => {
  test('is there once it has finished', async () => {
    const out = await temporaryFolder()
    const [one, two] = [sample(), sample({prompt: 'Another?'})]
    await sampleRun(out, 'pages', [one, two])
    expect(await collect(emittedBy(out, 'pages', CotSample))).toEqual([one, two])
    expect(await collect(emittedBy(out, 'none', CotSample))).toEqual([])
    const stops = {
      ...{name: 'stops', version: 1, input: CotSample, output: CotSample},
      async *run(items: AsyncIterable<CotSample>) {
        for await (const item of items) {
          yield item
          throw new Error('a slip')
        }
      },
    }
    await sampleRun(out, 'stopped', [one, two], [stops]).catch(() => undefined)
    expect(await collect(emittedBy(out, 'stopped', CotSample))).toEqual([])
    expect(await apisOf(out)).toEqual([])
    expect(await artifactsOf(out)).toEqual([])
  })
})
