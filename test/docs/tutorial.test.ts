import {expect, test} from 'vitest'
import {ascendCot} from '../helpers/command.ts'
import {textOf} from '../helpers/house.ts'
import {temporaryFolder} from '../helpers/temporary.ts'
import {testCache} from '../helpers/test-cache.ts'

// A new user does nothing but follow the page.

const listings = [...textOf('docs/tutorial.md').matchAll(/^```\n([\s\S]*?)^```$/gm)].flatMap(([, body = '']) =>
  body.trim().split('\n'),
)
/** Nothing listens there: publishing has to manage without a network. */
const surroundings = {ASCEND_COT_CACHE: testCache, HF_ENDPOINT: 'http://127.0.0.1:9'}

test('every command of the tutorial ends well, in the order of the page', async () => {
  const folder = await temporaryFolder()
  const ended = listings
    .filter((line) => line !== 'npm ci')
    .map((line) => {
      const [npx, name, ...words] = line.split(' ')
      expect([npx, name]).toEqual(['npx', 'ascend-cot'])
      return {line, ...ascendCot(folder, words, surroundings)}
    })
  expect(ended.length).toBeGreaterThan(9)
  expect(ended.filter(({code}) => code !== 0)).toEqual([])
  expect(ended.find(({line}) => line.endsWith(' verify'))?.printed).toMatch(/[1-9]\d* rows/)
  expect(ended.find(({line}) => line.includes(' publish '))?.printed).toContain('data/sft/train-')
})
