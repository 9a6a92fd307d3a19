import {expect, test} from 'vitest'
import {publishDataset} from '../../../pipelines/commands/publish.ts'
import {released} from '../../helpers/released.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'

const dataset = {
  'README.md': '---\nlicense: apache-2.0\n---\n# A set\n',
  'NOTICES.md': 'notices\n',
  'data/sft/train-00000-of-00001.parquet': Buffer.alloc(288_888, 'row'),
  'data/sft/test-00000-of-00001.parquet': 'PAR1 small PAR1',
}

test.each([false, true])('a dry run shows what it can and what it did not check, as JSON: %s', async (json) => {
  const out = await released(await temporaryFolder(), dataset)
  const pauses: number[] = []
  const world = recordedWorld({HF_TOKEN: 'hf_correctHorse'})
  const time = {sleep: async (milliseconds: number) => void pauses.push(milliseconds)}
  expect(await publishDataset({name: 'me/cot', out, yes: false, isPublic: false, json}, world, time)).toBe(0)
  expect(pauses).toHaveLength(2)
  const printed = world.printed.join('\n')
  const left = ['the token', 'whether me/cot exists and who may read it', 'which of these files it already has']
  if (json) {
    expect(JSON.parse(printed)).toMatchObject({notChecked: left, published: false})
    expect(JSON.parse(printed).files).toContainEqual({path: 'NOTICES.md', bytes: 8})
    return
  }
  expect(world.said.at(-1)).toMatch(/^warning: http:\/\/127\.0\.0\.1:1 could not be reached, 3 times: .*\n {2}→ /)
  expect(printed).toContain('http://127.0.0.1:1/datasets/me/cot: a data set of 4 files\n')
  expect(printed).toContain('+  data/sft/train-00000-of-00001.parquet  288.9 kB\nat most 4 files to send (288.9 kB)')
  expect(printed).toContain(`not checked: ${left.join('; ')}\nnothing was sent: this was a dry run`)
})
