import {createHash} from 'node:crypto'
import {appendFile, mkdir, mkdtemp, readFile, rm, truncate, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import card from '../../../datasets/card/card.ts'
import {cells, columns} from '../../../datasets/parquet/columns.ts'
import {createParquetFile} from '../../../datasets/parquet/parquet-file.ts'
import parquet from '../../../datasets/parquet/parquet.ts'
import type {Config, SplitRow} from '../../../datasets/schema/export.ts'
import type {Artifact} from '../../../datasets/schema/sample.ts'
import {rowProblems} from '../../../datasets/verify/check-parquet.ts'
import {verifyDataset} from '../../../datasets/verify/verify-dataset.ts'
import writeViews from '../../../datasets/views/views.ts'
import {
  apiEntry,
  apiRow,
  collect,
  dpoRow,
  errorEntry,
  errorRow,
  kernelSample,
  pair,
  recordingContext,
  sample,
  sftRow,
  stream,
} from '../rows.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'verify-'))
})
afterEach(async () => {
  await rm(directory, {recursive: true, force: true})
})

const [train, pairs] = ['data/sft/train-00000-of-00001.parquet', 'data/dpo/train-00000-of-00001.parquet']

async function made(): Promise<void> {
  const write = (config: Config, rows: SplitRow[]) =>
    collect(parquet({config, directory, rowGroupRows: 2}).run(stream(rows), recordingContext()))
  const data = [
    ...(await write(
      'sft',
      [sample(), kernelSample(), kernelSample({prompt: '二'})].map((row) => sftRow(row)),
    )),
    ...(await write('dpo', [dpoRow(pair()), dpoRow(pair({task: 'Other'}))])),
    ...(await write('apis', [apiRow(apiEntry())])),
    ...(await write('errors', [errorRow(errorEntry())])),
  ]
  const context = recordingContext()
  const views = writeViews({directory, views: ['messages', 'kto']}).run(stream(data), context)
  await collect(card({directory, regenerate: []}).run(views, context))
}

const problems = async () => (await verifyDataset(directory)).problems.map(({file, row, what}) => [file, row, what])
const at = (path: string) => join(directory, path)

/** Changes what the manifest says of a file, as one who wants to deceive would. */
async function inManifest(path: string, change: (artifact: Artifact) => Partial<Artifact>): Promise<void> {
  const manifest = JSON.parse(await readFile(at('manifest.json'), 'utf8')) as {files: Artifact[]}
  const files = manifest.files.map((one) => (one.path === path ? {...one, ...change(one)} : one))
  await writeFile(at('manifest.json'), JSON.stringify({files}))
}

async function accepted(path: string): Promise<void> {
  const content = await readFile(at(path))
  const sha256 = createHash('sha256').update(content).digest('hex')
  await inManifest(path, () => ({bytes: content.length, sha256}))
}

/** A file of these cells in place of another, with a manifest that agrees. */
async function replaced(path: string, rows: Record<string, unknown>[], config: 'sft' | 'dpo' = 'sft'): Promise<void> {
  const limits = {codec: 'zstd', rowGroupBytes: 1 << 20, rowGroupRows: 2} as const
  const file = await createParquetFile(at(path), columns[config], limits)
  for (const row of rows) await file.write(row)
  await file.finish()
  await file.publish(at(path))
  await accepted(path)
}

describe('a data set', () => {
  test('is verified as it was made, and where git and the Hub left files', async () => {
    await made()
    await writeFile(at('.gitattributes'), '')
    await mkdir(at('.cache/huggingface'), {recursive: true})
    await writeFile(at('.cache/huggingface/x'), '')
    expect(await verifyDataset(directory)).toMatchObject({rows: 7, problems: []})
  })

  test('names a file that is missing, cut, longer, flipped in one bit or foreign', async () => {
    await made()
    await rm(at('NOTICES.md'))
    await truncate(at(train), 300)
    await appendFile(at('pictures/sft-kinds.svg'), ' ')
    const bytes = await readFile(at(pairs))
    bytes[200] = (bytes[200] ?? 0) ^ 1
    await writeFile(at(pairs), bytes)
    await writeFile(at('data/sft/train-00001-of-00002.parquet'), 'x')
    const found = await problems()
    expect(found).toContainEqual(['NOTICES.md', undefined, 'is missing'])
    expect(found).toContainEqual([train, undefined, expect.stringMatching(/^has 300 bytes, the manifest says \d+$/)])
    expect(found).toContainEqual([train, undefined, expect.stringContaining('cannot be read as Parquet')])
    expect(found).toContainEqual(['pictures/sft-kinds.svg', undefined, expect.stringMatching(/^has \d+ bytes/)])
    expect(found).toContainEqual([pairs, undefined, expect.stringMatching(/^has the SHA-256 [0-9a-f]{12}…, the manif/)])
    expect(found).toContainEqual(['data/sft/train-00001-of-00002.parquet', undefined, 'is not in the manifest'])
  })

  test('names what an edited card tells otherwise than the files', async () => {
    await made()
    const text = await readFile(at('README.md'), 'utf8')
    const edited = async (change: (text: string) => string) => {
      expect(change(text)).not.toBe(text)
      await writeFile(at('README.md'), change(text))
      await accepted('README.md')
      return problems()
    }
    expect(await edited((it) => it.replace('num_examples: 3', 'num_examples: 30'))).toEqual([
      ['README.md', undefined, 'sft: says rows of train 30, the files say 3'],
    ])
    expect(await edited((it) => it.replace(/num_bytes: (\d+)/, 'num_bytes: 1$1'))).toEqual([
      ['README.md', undefined, expect.stringMatching(/^sft: says num_bytes of train 1\d+, the files say \d+$/)],
    ])
    expect(await edited((it) => it.replace(/download_size: \d+/, 'download_size: 1'))).toHaveLength(1)
    expect(await edited((it) => it.replace('- name: proof', '- name: proofs'))).toEqual([
      ['README.md', undefined, 'sft: lists features that differ from the columns'],
    ])
    expect(await edited((it) => it.replaceAll('config_name: dpo', 'config_name: xpo'))).toEqual([
      ['README.md', undefined, 'lists the configuration xpo, which has no file'],
      ['README.md', undefined, 'does not list the configuration dpo'],
    ])
    expect(await edited((it) => it.replace('---\n', ''))).toEqual([['README.md', undefined, 'has no YAML head']])
    expect(await edited((it) => it.replace('pretty_name:', 'pretty_name: [: '))).toEqual([
      ['README.md', undefined, expect.stringContaining('not YAML')],
    ])
  })

  test('names rows and columns that are other than declared, though the manifest agrees', async () => {
    await made()
    const rows = [sample(), kernelSample()].map((row) => cells(sftRow(row)))
    const [first = {}, second = {}] = rows
    await replaced(train, [first, {...second, completion: [{role: 'assistant', content: 'no reasoning'}]}, first])
    expect(await problems()).toEqual([
      [train, 2, expect.stringContaining('files: ')],
      [train, 2, 'completion has no reasoning, expected a <think> block'],
      [train, 3, `repeats the id ${String(first['id'])}`],
    ])
    await replaced(train, rows)
    expect(await problems()).toContainEqual([train, undefined, 'has 2 rows, the manifest says 3'])
    await replaced(train, [cells(dpoRow(pair()))], 'dpo')
    expect(await problems()).toContainEqual([
      train,
      undefined,
      'declares features in its footer that differ from the columns',
    ])
    expect(await problems()).toContainEqual([
      train,
      undefined,
      'has columns that differ from the declaration, first at completion',
    ])
  })

  test('says of a manifest that it is missing, no JSON, of another form, or leads outside', async () => {
    await made()
    await inManifest('NOTICES.md', () => ({path: '../NOTICES.md'}))
    expect(await problems()).toContainEqual(['../NOTICES.md', undefined, 'is outside the data set'])
    await inManifest(pairs, () => ({config: 'unknown'}))
    expect(await problems()).toContainEqual([pairs, undefined, 'belongs to no known configuration or view'])
    // Of a form that is wrong the first fault alone is told, and where it stands.
    for (const [text, why] of [
      ['{', /^SyntaxError: .*JSON/],
      ['{"files": [{"path": 1}]}', /^✖ Invalid option: expected one of .* {3}→ at files\[0\]\.kind$/],
      ['{}', /^✖ Invalid input: expected array, received undefined {3}→ at files$/],
    ] as const) {
      await writeFile(at('manifest.json'), text)
      const error = await verifyDataset(directory).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({code: 'input-invalid', scope: 'run', evidence: {path: at('manifest.json')}})
      const [path, said] = (error as Error).message.split(' is not a manifest: ')
      expect([path, said]).toEqual([at('manifest.json'), expect.stringMatching(why)])
    }
    await rm(at('manifest.json'))
    await expect(verifyDataset(directory)).rejects.toMatchObject({code: 'input-missing'})
  })
})

describe('a row', () => {
  const good = cells(sftRow(kernelSample()))
  const [file] = good['files'] as {path: string; start: number; end: number; text: string | null}[]
  const turn = (content: string) => ({completion: [{role: 'assistant', content}], files: []})

  test.each([
    ['with a second block', turn('<think>\na\n</think>\n\nb <think>'), 'has the tags'],
    ['with an open block', turn('<think>\na'), 'has the tags'],
    ['with reasoning alone', turn('<think>\na\n</think>\n\n'), 'has no answer'],
    ['of two turns', {completion: [...(good['completion'] as object[]), {role: 'user', content: 'x'}]}, 'single turn'],
    ['of the wrong role', {prompt: [{role: 'system', content: 'x'}]}, 'prompt is not a single turn of user'],
    ['with a blank prompt', {prompt: [{role: 'user', content: ' '}]}, 'prompt is blank'],
    ['without a turn', {prompt: null}, 'prompt is not a single turn'],
    ['whose file stands behind the end', {files: [{...file, end: 1e6}]}, 'should be at'],
    ['whose file stands in the reasoning', {files: [{...file, start: 3}]}, 'should be at'],
    ['whose file ends before it starts', {files: [{...file, end: (file?.start ?? 0) - 1}]}, 'should be at'],
    ['whose file has a place and a text', {files: [{...file, text: 'x'}]}, 'needs either'],
    ['whose file has half a place', {files: [{...file, end: null}]}, 'needs either'],
    ['whose file has neither', {files: [{...file, start: null, end: null}]}, 'neither a position nor a text'],
  ])('%s is wrong', (_, change, what) => {
    expect(rowProblems('sft', good)).toEqual([])
    expect(rowProblems('sft', {...good, ...change}).join('\n')).toContain(what)
  })

  test('of two sides has reasoning on both or on none', () => {
    const row = cells(dpoRow(pair()))
    expect(rowProblems('dpo', row)).toEqual([])
    const chosen = [{role: 'assistant', content: `<think>\nr\n</think>\n\n${'x'.repeat(2000)}`}]
    expect(rowProblems('dpo', {...row, chosen, chosen_files: []})).toEqual([
      'only one side has reasoning, which identifies the better one',
    ])
  })

  test('of an index or a table of errors has no turns to look at', () => {
    expect(rowProblems('apis', cells(apiRow(apiEntry())))).toEqual([])
  })
})
