import {execFileSync, spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'

const patterns = ['eval/twin/*.h', 'eval/twin/*.cpp', 'test/twin/*.h', 'test/twin/*.cc']
const files = execFileSync('git', ['ls-files', ...patterns], {encoding: 'utf8'})
  .trim()
  .split('\n')

/** Another version formats a little otherwise. */
const formatter = 'clang-format-15'
const isThere = spawnSync(formatter, ['--version']).status === 0

test('lines of the C++ of the twin and its tests stay within 120 characters', () => {
  expect(files.length).toBeGreaterThan(600)
  const wide = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, at) => (line.length > 120 ? [`${file}:${at + 1}`] : [])),
  )
  expect(wide).toEqual([])
})

test('`npm run format` formats these files', () => {
  const {scripts} = JSON.parse(readFileSync('package.json', 'utf8')) as {scripts: Record<string, string>}
  expect(scripts['format']).toContain(`${formatter} -i $(git ls-files ${patterns.map((one) => `'${one}'`).join(' ')})`)
})

// Only here may it be missing: CI installs it, and without it the test fails there.
test.skipIf(!isThere && !process.env['CI'])(`${formatter} has nothing to change in them`, () => {
  const {status, stderr, error} = spawnSync(formatter, ['--dry-run', '-Werror', ...files], {encoding: 'utf8'})
  expect(error, `${formatter} is not installed: apt install ${formatter}`).toBeUndefined()
  expect(stderr.match(/^\S+:\d+:\d+: error/gm) ?? [], 'run `npm run format`').toEqual([])
  expect(status).toBe(0)
})
