import {existsSync, readFileSync} from 'node:fs'
import {dirname, join, normalize} from 'node:path'
import {expect, test} from 'vitest'
import {files} from '../helpers/house.ts'

const pages = files.filter((file) => /\.md$/.test(file) && !/^(?:test|sources|pipelines|datasets)\//.test(file))

/** Text without blocks of code, in which nothing is a link. */
const prose = (page: string) => readFileSync(page, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')

/** Anchors of a page's headings, as forges make them. */
const anchors = (page: string) =>
  [...prose(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** Relative targets of links and pictures, with the anchors that they name. */
const links = (page: string) =>
  [
    ...prose(page)
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))

test('every relative link leads to a file, and to a heading of it', () => {
  const found = pages.flatMap((page) => links(page).map((target): [string, string] => [page, target]))
  expect(found.length).toBeGreaterThan(80)
  const dead = found.filter(([page, target]) => {
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? page : normalize(join(dirname(page), path))
    if (!existsSync(file)) return true
    return anchor !== undefined && !anchors(file).includes(anchor)
  })
  expect(dead).toEqual([])
})

test('every page of docs is linked from another one', () => {
  const linked = new Set(
    pages.flatMap((page) => links(page).map((target) => normalize(join(dirname(page), target.replace(/#.*/, ''))))),
  )
  const parts = files.filter((file) => /^docs\/.*\.(md|svg)$/.test(file))
  expect(parts.filter((file) => !linked.has(file))).toEqual([])
})

test('no page holds what its site would take for markup or a template', () => {
  const marked = pages
    .filter((page) => page.startsWith('docs/'))
    .flatMap((page) =>
      [
        ...prose(page)
          .replaceAll(/`[^`\n]*`/g, '')
          .matchAll(/\{\{|<(?!!--)\/?\w[^\n]*/g),
      ].map(([text]) => `${page}: ${text}`),
    )
  expect(marked).toEqual([])
})

test('no page of prose has a paragraph over 80 words, and the README no more than 120 lines', () => {
  const long = pages
    .filter((page) => /^(?:README|SECURITY|docs\/.*)\.md$/.test(page))
    .flatMap((page) =>
      prose(page)
        .split(/\n\s*\n|\n(?=\s*(?:[-|#]|\d+\.) ?)/)
        .filter((text) => !text.startsWith('|') && text.split(/\s+/).length > 80)
        .map((text) => `${page}: ${text.slice(0, 40)}`),
    )
  expect(long).toEqual([])
  expect(readFileSync('README.md', 'utf8').split('\n').length).toBeLessThanOrEqual(121)
})
