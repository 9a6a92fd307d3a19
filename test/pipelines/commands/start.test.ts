import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {ascendCot} from '../../helpers/command.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {testCache} from '../../helpers/test-cache.ts'

test('start makes a data set with a card of a part of the corpus, and takes what is set', async () => {
  const folder = await temporaryFolder()
  const sets = [`cache=${testCache}`, 'limit=1'].flatMap((one) => ['--set', one])
  const {code, said} = ascendCot(folder, ['start', ...sets])
  expect(code, said).toBe(0)
  expect(said).toMatch(/^16 recipes on a part of the bundled corpus \(`--all` uses the whole\)/)
  const config = (recipe: string) =>
    (JSON.parse(readFileSync(join(folder, 'runs', recipe, 'run.json'), 'utf8')) as {config: unknown}).config
  expect(config('candidates')).toMatchObject({limit: 1, samples: {candidatesPerTask: 6}})
  for (const name of ['README.md', 'data/sft', 'data/dpo', 'data/apis', 'data/errors'])
    expect(existsSync(join(folder, 'runs/dataset', name)), name).toBe(true)
})
