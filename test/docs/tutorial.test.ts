import {mkdtempSync, readdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {ascendCot} from '../helpers/command.ts'
import {textOf} from '../helpers/house.ts'
import {testCache} from '../helpers/test-cache.ts'

// A new user does nothing but follow the page.

const listings = [...textOf('docs/tutorial.md').matchAll(/^```\n([\s\S]*?)^```$/gm)].flatMap(([, body = '']) =>
  body.trim().split('\n'),
)
/** Nothing listens there: publishing has to manage without a network. */
const surroundings = {ASCEND_COT_CACHE: testCache, HF_ENDPOINT: 'http://127.0.0.1:9'}

const [install, ...commands] = listings
const folder = mkdtempSync(join(tmpdir(), 'ascend-cot-tutorial-'))
afterAll(() => rmSync(folder, {recursive: true, force: true}))
const printed = new Map<string, string>()

test('it begins with the installation', () => {
  expect(install).toBe('npm ci')
  expect(commands.length).toBeGreaterThan(9)
})

test.each(commands)('in the order of the page it ends well: %s', (line) => {
  // Words that a shell would divide so too.
  expect(line).toMatch(/^npx ascend-cot( [\w/.=-]+)+$/)
  const ended = ascendCot(folder, line.split(' ').slice(2), surroundings)
  expect(ended).toMatchObject({code: 0})
  printed.set(line.split(' ')[2] ?? '', ended.printed)
})

test('it leaves rows of each configuration', () => {
  expect(printed.get('verify')).toMatch(/[1-9]\d* rows/)
  expect(printed.get('publish')).toContain('data/sft/train-')
  const rows = ['sft', 'dpo', 'apis', 'errors'].map((name) => readdirSync(join(folder, 'runs/dataset/data', name)))
  expect(rows.every((names) => names.length > 0)).toBe(true)
})
