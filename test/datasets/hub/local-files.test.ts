import {createHash} from 'node:crypto'
import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {localFiles} from '../../../datasets/hub/local-files.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

test('a data set is all its files but the hidden ones, hashed as the Hub and git do', async () => {
  const folder = await temporaryFolder()
  for (const name of ['data', '.cache', 'data/.tmp']) mkdirSync(join(folder, name))
  for (const name of ['README.md', 'data/a.parquet', '.DS_Store', '.cache/x', 'data/.tmp/y', 'data/.part'])
    writeFileSync(join(folder, name), name)
  const files = await localFiles(folder)
  expect(files.map(({path}) => path).sort()).toEqual(['README.md', 'data/a.parquet'])
  const readme = files.find(({path}) => path === 'README.md')
  expect(readme).toEqual({
    path: 'README.md',
    bytes: 9,
    sha256: createHash('sha256').update('README.md').digest('hex'),
    gitId: createHash('sha1').update('blob 9\0README.md').digest('hex'),
  })
})
