import {createHash} from 'node:crypto'
import {mkdir, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {ColumnType} from '../../datasets/parquet/column-types.ts'
import {shareOrder} from '../../datasets/mix.ts'
import {createParquetFile} from '../../datasets/parquet/parquet-file.ts'
import {originOfRow} from '../../datasets/parquet/row-origin.ts'
import {chooseRows, type TrainingRow} from '../../trainers/training-rows.ts'
import {collect} from '../datasets/rows.ts'
import {specOf} from '../helpers/job-attempt.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

const turns = {list: {struct: {role: 'string', content: 'string'}}} as const
const typeOf = (name: string): ColumnType =>
  ['prompt', 'completion', 'chosen', 'rejected', 'messages'].includes(name) ? turns : 'string'

const user = (content: string) => [{role: 'user', content}]
const assistant = (content: string) => [{role: 'assistant', content}]
const row = (question: string, more: TrainingRow = {}): TrainingRow => ({
  kind: 'kernel',
  prompt: user(question),
  completion: assistant(`to ${question}`),
  ...more,
})
const pair = (question: string, strategy: string): TrainingRow => ({
  strategy,
  prompt: user(question),
  chosen: assistant('right'),
  rejected: assistant('wrong'),
})

/** A data set of files of such rows, the columns of each those of its first row. */
async function dataset(...files: readonly (readonly TrainingRow[])[]) {
  const root = await temporaryFolder()
  const paths = files.map((_, at) => join(root, `data/sft/train-${at}.parquet`))
  for (const [at, rows] of files.entries()) {
    const path = paths[at] as string
    await mkdir(dirname(path), {recursive: true})
    const columns = Object.keys(rows[0] ?? {}).map((name) => ({name, type: typeOf(name)}))
    const file = await createParquetFile(path, columns, {codec: 'snappy', rowGroupBytes: 1e6, rowGroupRows: 100})
    for (const [number, one] of rows.entries()) await file.write({...one}, `${number}`)
    await file.finish()
    await file.publish(path)
  }
  return {root, files: paths, manifest: null}
}

const data = (more: object = {}) => ({data: {source: 'runs/dataset', config: 'sft', ...more}})
const dpo = (strategies: string[]) => ({method: 'dpo', dpo: {beta: 0.1, strategies}, ...data({config: 'dpo'})})
const grpo = {method: 'grpo', grpo: {judge: 'http://localhost:1', generations: 2, maxCompletionLength: 64}}

const asked = (rows: readonly TrainingRow[]) =>
  rows.map(({prompt}) => (prompt as {content: string}[] | null)?.[0]?.content)
const hash = (lines: readonly string[]) => {
  const all = createHash('sha256')
  for (const line of lines) all.update(`${line}\n`)
  return all.digest('hex')
}

describe('the rows of a job', () => {
  test('are all of all files in their order, hashed by what is trained on', async () => {
    const found = await dataset([row('a', {id: '1'}), row('b', {id: '2'})], [row('c', {id: '3'})])
    const rows = await chooseRows(specOf(), found)
    const line = (question: string) =>
      `[[{"content":"${question}","role":"user"}],[{"content":"to ${question}","role":"assistant"}]]`
    expect({...rows, read: undefined}).toEqual({
      columns: ['kind', 'prompt', 'completion', 'id'],
      read: undefined,
      count: 3,
      leftOut: 0,
      sha256: hash(['a', 'b', 'c'].map(line)),
    })
    const all = await collect(rows.read())
    expect(all[2]).toEqual({kind: 'kernel', prompt: user('c'), completion: assistant('to c'), id: '3'})
    expect(asked(all)).toEqual(['a', 'b', 'c'])
    expect(asked(await collect(rows.read()))).toEqual(['a', 'b', 'c'])
  })

  test('have a hash of empty cells too', async () => {
    const rows = await chooseRows(specOf(), await dataset([row('a'), row('b', {completion: null})]))
    const [first, second] = ['[[{"content":"a","role":"user"}],[{"content":"to a","role":"assistant"}]]', '']
    expect(rows.sha256).toBe(hash([first, `[[{"content":"b","role":"user"}],null]${second}`]))
  })

  test('have the columns that all files have, and of them only what is trained on or checked', async () => {
    const [one, two] = [row('a', {licence: 'MIT', benchmark: 'x'}), row('b', {benchmark: 'y', task: 't'})]
    const rows = await chooseRows(specOf(), await dataset([one], [two]))
    expect(rows.columns).toEqual(['kind', 'prompt', 'completion', 'benchmark'])
    const columns = (await collect(rows.read())).map((each) => Object.keys(each).sort())
    expect(columns).toEqual(Array(2).fill(['benchmark', 'completion', 'kind', 'prompt']))
  })

  test('for a reward ask each question once', async () => {
    const rows = await chooseRows(specOf(grpo), await dataset([row('a'), row('b'), row('a')], [row('b'), row('c')]))
    expect(asked(await collect(rows.read()))).toEqual(['a', 'b', 'c'])
    expect([rows.count, rows.leftOut]).toEqual([3, 0])
    expect((await chooseRows(specOf(), await dataset([row('a'), row('a')]))).count).toBe(2)
  })
})

test('a view leaves cells that are no turns for a check to find, and prompts of a reward as they are', async () => {
  const thinking = assistant('<think>\nx\n</think>\n\na')
  const rows = await dataset([row('a', {completion: thinking, label: 'x'}), row('b', {completion: null, label: 'x'})])
  const read = async (more: object) =>
    collect((await chooseRows(specOf({...data({view: 'no-think'}), ...more}), rows)).read())
  for (const method of [{}, {method: 'kto', kto: {beta: 0.1}}])
    expect((await read(method)).map(({completion}) => completion ?? null)).toEqual([assistant('a'), null])
  expect(asked(await read(grpo))).toEqual(['a', 'b'])
})

describe('rows that are left out', () => {
  const kinds = [row('a'), row('b', {kind: 'project'}), row('c', {kind: 'documentation'}), row('d')]

  test('are those of kinds that are not wanted', async () => {
    const rows = await chooseRows(specOf(data({without: ['project', 'documentation']})), await dataset(kinds))
    expect(asked(await collect(rows.read()))).toEqual(['a', 'd'])
    expect([rows.count, rows.leftOut]).toEqual([2, 2])
  })

  test('are those of other strategies, in pairs alone', async () => {
    const pairs = [pair('a', 'compile-fail'), pair('b', 'execution-fail'), pair('c', 'compile-fail')]
    const of = async (strategies: string[]) => chooseRows(specOf(dpo(strategies)), await dataset(pairs))
    const some = await of(['compile-fail'])
    expect([some.count, some.leftOut]).toEqual([2, 1])
    expect(asked(await collect(some.read()))).toEqual(['a', 'c'])
    expect((await of([])).count).toBe(3)
    const both = pairs.map((one) => ({...one, completion: assistant('x')}))
    const sft = specOf({...dpo(['compile-fail']), method: 'sft'})
    expect((await chooseRows(sft, await dataset(both))).count).toBe(3)
  })

  test('are beyond a share of the others, origin by origin', async () => {
    const twice = ['a', 'b', 'c', 'd'].flatMap((question) => [row(question), row(question)])
    const others = ['e', 'f', 'g', 'h'].map((question) => row(question, {kind: 'project'}))
    const ordered = ['a', 'b', 'c', 'd'].sort((one, two) => (place(one) < place(two) ? -1 : 1))
    const spec = specOf(data({share: 0.5, without: ['project']}))
    const rows = await chooseRows(spec, await dataset([...twice, ...others]))
    expect([...new Set(asked(await collect(rows.read())))].sort()).toEqual(ordered.slice(0, 2).sort())
    expect([rows.count, rows.leftOut]).toEqual([4, 4])
    const keys = Object.keys((await collect(rows.read()))[0] ?? {})
    expect(keys.sort()).toEqual(['completion', 'kind', 'prompt'])
  })

  const place = (question: string) => shareOrder(originOfRow(row(question)))
})

describe('a data set that cannot be trained on', () => {
  const refusal = async (spec: Record<string, unknown>, ...files: readonly (readonly TrainingRow[])[]) => {
    const found = await dataset(...files)
    const error: unknown = await chooseRows(specOf(spec), found).catch((reason: unknown) => reason)
    const {code, message, fix} = error as {code: string; message: string; fix: string}
    return [code, message.replace(found.root, 'ROOT'), fix]
  }

  test('is no Parquet', async () => {
    const root = await temporaryFolder()
    const path = join(root, 'train-0.parquet')
    await writeFile(path, 'version https://git-lfs.github.com/spec/v1\n')
    await expect(chooseRows(specOf(), {root, files: [path], manifest: null})).rejects.toMatchObject({
      code: 'input-invalid',
      message: `${path} is not a Parquet file.`,
      fix: 'Export or download the data set again; a git-lfs pointer must be resolved.',
    })
  })

  test('lacks a column', async () => {
    expect(await refusal({}, [{prompt: user('a'), kind: 'kernel'}])).toEqual([
      'input-invalid',
      'ROOT, configuration sft, has no column completion; sft is trained on prompt, completion, seen: prompt, kind.',
      'Choose another configuration with `data.config`.',
    ])
    expect(await refusal(dpo([]), [row('a')])).toEqual([
      'input-invalid',
      'ROOT, configuration dpo, has no column chosen, rejected; dpo is trained on prompt, chosen, rejected, ' +
        'seen: kind, prompt, completion.',
      'Choose another configuration with `data.config`, such as dpo.',
    ])
    expect((await refusal({}, [{messages: user('a')}]))[2]).toBe(
      'Split `messages` into `prompt` and `completion`: as they are, the model would learn the questions too.',
    )
  })

  test('has no such kind, no such strategy, or no column for it', async () => {
    const without = (kind: string) => data({without: [kind]})
    expect(await refusal(without('projct'), [row('a')])).toEqual([
      'config-invalid',
      'data.without: there is no kind projct.',
      'Did you mean project?',
    ])
    expect(await refusal(without('project'), [{prompt: user('a'), completion: assistant('b')}])).toEqual([
      'config-invalid',
      'data.without: the data set has no column kind.',
      expect.stringMatching(/^Known are \S+, .*project.*\.$/),
    ])
    expect(await refusal(dpo(['compile-fails']), [pair('a', 'compile-fail')])).toEqual([
      'config-invalid',
      'dpo.strategies: there is no strategy compile-fails.',
      'Did you mean compile-fail?',
    ])
  })

  test('has no row left', async () => {
    const left = (spec: Record<string, unknown>, ...rows: TrainingRow[]) => refusal(spec, rows)
    const says = (after: string) => `No row of runs/dataset, configuration sft, is left${after}.`
    expect(await left(data({without: ['kernel']}), row('a'))).toEqual([
      'input-invalid',
      says(' after data.without'),
      'Set data.without so that rows are left.',
    ])
    expect(await left(data({without: ['kernel'], share: 0.9}), row('a'))).toEqual([
      'input-invalid',
      says(' after data.without and data.share'),
      'Set data.without, data.share so that rows are left.',
    ])
    const lengths = [900, 700].map((tokens) => ({...row('a'), tokens: String(tokens)}))
    expect(await left(data({maxTokens: 600}), ...lengths)).toEqual([
      'input-invalid',
      says(' after data.maxTokens'),
      'Set data.maxTokens so that rows are left: the shortest has 700 tokens, data.maxTokens is 600.',
    ])
    const empty = await chooseRows(specOf(), {root: '', files: [], manifest: null}).catch((error: unknown) => error)
    expect(empty).toMatchObject({code: 'input-invalid', message: expect.stringContaining('has no column') as string})
  })
})
