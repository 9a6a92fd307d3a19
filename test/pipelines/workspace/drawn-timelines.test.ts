import {join} from 'node:path'
import {expect, test} from 'vitest'
import {writeWhole} from '../../../engine/files.ts'
import {drawnTimelines} from '../../../pipelines/workspace/drawn-timelines.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

test('pictures of a data set that were drawn into its folder, and none without', async () => {
  const folder = await temporaryFolder()
  expect(await drawnTimelines(folder)).toEqual([])
  await writeWhole(join(folder, 'timelines', 'axpby.svg'), '<svg/>')
  await writeWhole(join(folder, 'timelines', 'notes.txt'), 'not a picture')
  expect(await drawnTimelines(folder)).toEqual([
    {path: 'timelines/axpby.svg', title: 'Modelled timeline: axpby', svg: '<svg/>'},
  ])
})
