import {expect, test} from 'vitest'
import {textOf} from '../helpers/house.ts'

const changelog = textOf('CHANGELOG.md')
const [, newest, day] = /^## (\S+) \((\d{4}-\d\d-\d\d)\)$/m.exec(changelog) ?? []

test('the version is the newest of the changelog, everywhere', () => {
  const {version} = JSON.parse(textOf('package.json')) as {version: string}
  const lock = JSON.parse(textOf('package-lock.json')) as {version: string; packages: Record<string, {version: string}>}
  expect([version, lock.version, lock.packages['']?.version]).toEqual([newest, newest, newest])
  const cited = [/^version: (.*)$/m, /^date-released: (.*)$/m].map((field) => field.exec(textOf('CITATION.cff'))?.[1])
  expect(cited).toEqual([newest, day])
})

test('a release has at most five lines of changes', () => {
  const releases = changelog.split(/^## /m).slice(1)
  expect(releases.length).toBeGreaterThan(1)
  const long = releases.filter(
    (text) => (text.match(/^- /gm)?.length ?? 0) > 5 || text.trimEnd().split('\n').length > 7,
  )
  expect(long).toEqual([])
})
