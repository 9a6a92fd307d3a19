import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {z} from 'zod'
import {PipelineError} from '../../../engine/errors.ts'
import {contentId} from '../../../engine/ids.ts'
import {silentLog} from '../../../engine/log.ts'
import {Pipeline} from '../../../engine/pipeline.ts'
import {runPipeline} from '../../../engine/runner.ts'
import {each, type RecordFunction, type Stage} from '../../../engine/stage.ts'
import {inspect} from '../../../pipelines/commands/inspect.ts'
import {saveSequence} from '../../../pipelines/workspace/runs.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'

const Text = z.strictObject({text: z.string(), kind: z.string().optional()})
type Text = z.infer<typeof Text>

const stage = (name: string, fn: RecordFunction<Text, Text>): Stage<Text, Text> => ({
  name,
  version: 1,
  input: Text,
  output: Text,
  run: each(fn),
})
const given = stage('given', (record) => [record])
const split = stage('split', (record, context) => {
  if (record.text === 'long') return context.drop(record, 'unwanted', 'too long')
  if (record.text === 'old') return context.drop(record, 'alike')
  if (record.text === 'some') return [{text: 'some1', kind: 'kernel'}]
  if (record.text === 'bad') throw new PipelineError('executor-failed', 'no luck', {fix: ''})
  return [{text: `${record.text}1`}, {text: `${record.text}2`}]
})
const last = stage('last', (record, context) =>
  record.text === 'a2' ? context.drop(record, 'second') : [{text: record.text.toUpperCase()}],
)

const idOf = (text: string) => contentId({text})
const short = (text: string) => idOf(text).slice(0, 12)

/** Two runs, of which the later one reads what the earlier one left. */
async function twoRuns(further: readonly string[] = []): Promise<string> {
  const out = await temporaryFolder()
  const run = (recipe: string, texts: readonly string[], stages: readonly Stage<Text, Text>[]) =>
    runPipeline({
      pipeline: Pipeline.of(
        recipe,
        texts.map((text) => ({text})),
        stages,
      ),
      directory: join(out, recipe),
      model: () => undefined,
      seed: 's',
      now: () => 0,
      signal: new AbortController().signal,
      log: silentLog,
    })
  await run('pages', ['a', 'long', 'bad', ...further], [given, split])
  await run('later', ['a1', 'a2'], [given, last])
  await saveSequence(out, [{name: 'pages'}, {name: 'later'}])
  return out
}

async function inspected(id: string, {json = false, text}: {json?: boolean; text?: string} = {}) {
  const world = recordedWorld()
  expect(await inspect({id, out: await twoRuns(text === undefined ? [] : [text]), json}, world)).toBe(0)
  return world.printed
}

const steps = {
  givenA: `  pages/given  ${short('a')} → ${short('a')}`,
  split: `  pages/split  ${short('a')} → ${short('a1')} ${short('a2')}`,
  given1: `  later/given  ${short('a1')} → ${short('a1')}`,
  given2: `  later/given  ${short('a2')} → ${short('a2')}`,
  last1: `  later/last  ${short('a1')} → ${short('A1')}`,
  last2: `  later/last  ${short('a2')} dropped: second`,
}
const record = (text: string) => `\ntext: ${text}`

describe('the way of a record', () => {
  test('goes on through all later runs', async () => {
    const {givenA, split: cut, given1, given2, last1, last2} = steps
    const printed = await inspected(idOf('a'))
    expect(printed.slice(0, 3)).toEqual([`● ${idOf('a')}`, givenA, cut])
    expect(printed.slice(3, 5).sort()).toEqual([given1, given2].sort())
    expect(printed.slice(5, 7).sort()).toEqual([last1, last2].sort())
    expect(printed.slice(7)).toEqual([record('a')])
  })

  test('comes from all earlier ones', async () => {
    const {givenA, split: cut, given1, last1} = steps
    expect(await inspected(idOf('A1').slice(0, 20))).toEqual([
      ...[`● ${idOf('A1')}`, givenA, cut, given1, last1],
      record('A1'),
    ])
  })

  test('goes both ways from its middle', async () => {
    const {givenA, split: cut, given2, last2} = steps
    expect(await inspected(idOf('a2'))).toEqual([`● ${idOf('a2')}`, givenA, cut, given2, last2, record('a2')])
  })

  test('ends where it was dropped or failed', async () => {
    expect(await inspected(idOf('long'))).toEqual([
      `● ${idOf('long')}`,
      `  pages/given  ${short('long')} → ${short('long')}`,
      `  pages/split  ${short('long')} dropped: unwanted (too long)`,
      record('long'),
    ])
    expect((await inspected(idOf('bad')))[2]).toBe(`  pages/split  ${short('bad')} failed: no luck`)
  })

  test('explains the reasons of our own stages', async () => {
    const [, , dropped] = await inspected(idOf('old'), {text: 'old'})
    expect(dropped).toMatch(/dropped: alike\n {4}alike: Enough functions .* What to do: Nothing\.$/)
  })

  test('ends with the record, its code as it was written and nothing that a terminal obeys', async () => {
    const code = 'void f() {\n  g("x");\n}'
    expect((await inspected(idOf(code), {text: code})).at(-1)).toBe('\ntext: |-\n  void f() {\n    g("x");\n  }')
    const hostile = 'a\n\u001b[2J'
    expect((await inspected(idOf(hostile), {text: hostile})).at(-1)).toBe('\ntext: "a\\n\\e[2J"')
  })

  test('is told as JSON', async () => {
    const [line, ...others] = await inspected(idOf('A1'), {json: true})
    expect(others).toEqual([])
    const told = JSON.parse(line ?? '') as {way: {recipe: string; stage: string; input: string; outputs: object[]}[]}
    expect(told).toMatchObject({id: idOf('A1'), record: {text: 'A1'}})
    expect(told.way.map((step) => `${step.recipe}/${step.stage} ${step.input}`)).toEqual([
      `pages/given ${idOf('a')}`,
      `pages/split ${idOf('a')}`,
      `later/given ${idOf('a1')}`,
      `later/last ${idOf('a1')}`,
    ])
    expect(told.way[0]?.outputs).toEqual([{id: idOf('a'), record: {text: 'a'}}])
  })
})

test('an id that is none, or that of several records, is refused', async () => {
  const out = await twoRuns()
  const refused = (id: string) => inspect({id, out, json: false}, recordedWorld())
  await expect(refused('xyz')).rejects.toMatchObject({
    code: 'input-missing',
    message: 'No record has an id that begins with xyz.',
    fix: "Take an id from `ascend-cot inspect`, from the data set's `id` column, or from the report.",
  })
  const two = [idOf('A1'), idOf('a2')].filter((id) => id.startsWith('9'))
  const both = two.length === 2 ? two.sort().join('|') : 'not two'
  await expect(refused('9')).rejects.toMatchObject({
    message: expect.stringMatching(`^2 records have ids that begin with 9: (?:(?:${both})(?:, |\\.$)){2}`) as string,
  })
})

test('without an id, the first records of each run are listed with their kind', async () => {
  const list = async (json: boolean, id?: string) => {
    const world = recordedWorld()
    const out = await twoRuns(['some', 'c', 'd'])
    expect(await inspect({id, out, json}, world)).toBe(0)
    return world.printed
  }
  const [text = ''] = await list(false)
  const rows = text.split('\n').map((line) => line.trim().split(/ {2,}/))
  expect(rows[0]).toEqual(['id', 'run', 'kind'])
  expect(rows.slice(1, -1)).toEqual([
    [short('a1'), 'pages'],
    [short('a2'), 'pages'],
    [contentId({text: 'some1', kind: 'kernel'}).slice(0, 12), 'pages', 'kernel'],
    [short('A1'), 'later'],
  ])
  expect(text).toContain(`see one with \`ascend-cot inspect ${short('a1')}\``)
  expect(await list(false, '')).toEqual([text])
  expect(JSON.parse((await list(true))[0] ?? '')).toContainEqual({run: 'later', id: idOf('A1'), kind: ''})
})
