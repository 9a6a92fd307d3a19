import {readdir, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {placesOf, writeScores} from '../../../../pipelines/commands/evaluation/score-files.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'

type Document = Parameters<typeof writeScores>[1]

const [correct, crashed] = [{outcome: 'correct'}, {outcome: 'crashed'}]
const of = (over: Partial<Document> = {}): Document => ({
  benchmark: 'b',
  request: {root: '/a'},
  author: {samples: 1},
  revision: '1',
  results: [correct],
  scores: [{author: 'model'}],
  ...over,
})

/** The files of a folder after scores were written into it one after another, and what was printed of the last. */
async function written(...documents: Document[]) {
  const folder = await temporaryFolder()
  let lines: string[] = []
  for (const [at, document] of documents.entries())
    lines = placesOf(await writeScores(folder, document, {markdown: `md ${at}`, html: `html ${at}`}))
  return {folder, names: (await readdir(folder)).sort(), lines}
}

const one = ['score.html', 'score.json', 'score.md']

test.each<[string, Document, Document]>([
  ['the same', of(), of()],
  ['more of the same request', of({results: [correct, {outcome: 'not-judged'}]}), of({results: [crashed, correct]})],
  ['the same, of a folder given otherwise', of(), of({request: {root: 'a'}})],
  ['more replies of whole models', of({judged: [1]}), of({judged: [2, 1]})],
])('scores are replaced by %s', async (_, first, second) => {
  const {names, folder, lines} = await written(first, second)
  expect(names).toEqual(one)
  expect(await readFile(join(folder, 'score.md'), 'utf8')).toBe('md 1')
  expect(lines).toEqual([`scores in ${folder}/score.json, score.md and score.html next to it`])
})

test.each<[string, Document]>([
  ['tasks', of({request: {root: '/a', tasks: 'x'} as Document['request']})],
  ['samples', of({author: {samples: 2}})],
  ['commit', of({revision: '2'})],
  ['verdicts', of({results: [crashed]})],
  ['model', of({scores: [{author: 'other'}]})],
  ['benchmark', of({benchmark: 'c'})],
])('scores are kept beside those of other %s', async (_, other) => {
  const {names, folder, lines} = await written(of(), other, of())
  expect(names).toEqual([...one, ...['1', '2'].flatMap((at) => one.map((name) => name.replace('.', `-${at}.`)))].sort())
  const texts = ['score-1.md', 'score-2.html', 'score.md'].map((name) => readFile(join(folder, name), 'utf8'))
  expect(await Promise.all(texts)).toEqual(['md 0', 'html 1', 'md 2'])
  expect(JSON.parse(await readFile(join(folder, 'score-2.json'), 'utf8'))).toEqual(other)
  expect(lines[1]).toBe(`earlier scores, which these do not contain, are kept in ${folder}/score-2.json`)
})

test.each(['{', 'null', '{"results": []}'])('a file that holds %j is kept as it is', async (text) => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'score.json'), text)
  await writeScores(folder, of(), {markdown: '', html: ''})
  expect(await readFile(join(folder, 'score-1.json'), 'utf8')).toBe(text)
})
