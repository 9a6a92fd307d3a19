import {createHash} from 'node:crypto'
import {existsSync} from 'node:fs'
import {mkdir, mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {asyncBufferFromFile, parquetReadObjects} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {completion} from '../../../datasets/tokens/chat-turns.ts'
import {qwen3} from '../../../datasets/tokens/chat-format.ts'
import {tokenCount} from '../../../datasets/tokens/token-count.ts'
import parquet from '../../../datasets/parquet/parquet.ts'
import type {Config, SplitRow} from '../../../datasets/schema/export.ts'
import type {Artifact} from '../../../datasets/schema/sample.ts'
import {viewNames, type ViewName} from '../../../datasets/views/view-forms.ts'
import writeViews from '../../../datasets/views/views.ts'
import {
  apiEntry,
  apiRow,
  collect,
  dpoRow,
  kernelSample,
  pair,
  recordingContext,
  sample,
  sftRow,
  side,
  stream,
} from '../rows.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'views-'))
})
afterEach(async () => {
  await rm(directory, {recursive: true, force: true})
})

const one = sample({prompt: '搬运🚀'})
const two = kernelSample()
const better = side({reasoning: 'r', answer: 'right'})
const pairs = [
  pair({chosen: better, rejected: side({reasoning: 'w', answer: 'wrong'})}),
  pair({chosen: better, rejected: side({reasoning: 'w', answer: 'also wrong'}), task: 'same prompt'}),
]

async function exported(): Promise<Artifact[]> {
  const write = (config: Config, rows: SplitRow[]) =>
    collect(parquet({config, directory, rowGroupRows: 2}).run(stream(rows), recordingContext()))
  return [
    ...(await write('sft', [sftRow(one), sftRow(two), sftRow(kernelSample({prompt: 'x'})), sftRow(two, 'test')])),
    ...(await write(
      'dpo',
      pairs.map((row) => dpoRow(row)),
    )),
    ...(await write('apis', [apiRow(apiEntry())])),
  ]
}

async function made(views: readonly ViewName[], data?: Artifact[]): Promise<Artifact[]> {
  return collect(writeViews({directory, views}).run(stream(data ?? (await exported())), recordingContext()))
}

const read = async (path: string) =>
  parquetReadObjects({file: await asyncBufferFromFile(join(directory, path)), compressors})

const turns = (user: string, assistant: string) => [
  {role: 'user', content: user},
  {role: 'assistant', content: assistant},
]
const reply = completion(one.reasoning, one.answer)
const [right, wrong] = [completion('r', 'right'), completion('w', 'wrong')]
const ask = pairs[0]?.prompt ?? ''

describe('views', () => {
  test('are none unless they are asked for; the data passes', async () => {
    const data = await exported()
    expect(await made([], data)).toEqual(data)
    expect(existsSync(join(directory, 'views'))).toBe(false)
  })

  test('lie outside of data/, one file a configuration and split, after the data', async () => {
    const out = await made(['messages'])
    expect(out.map(({kind, path, rows, config, split}) => [kind, path, rows, config, split]).slice(4)).toEqual([
      ['view', 'views/messages/sft-train.parquet', 3, 'sft', 'train'],
      ['view', 'views/messages/sft-test.parquet', 1, 'sft', 'test'],
      ['view', 'views/messages/dpo-train.parquet', 2, 'dpo', 'train'],
    ])
    expect(out.slice(0, 4).every(({kind}) => kind === 'parquet')).toBe(true)
  })

  test('tell each trainer the rows in its form', async () => {
    await made(viewNames)
    const first = async (path: string) => {
      const [{id, ...row} = {}] = await read(`views/${path}.parquet`)
      return row
    }
    expect(await first('messages/sft-train')).toEqual({messages: turns('搬运🚀', reply)})
    expect(await first('messages/dpo-train')).toEqual({chosen: turns(ask, right), rejected: turns(ask, wrong)})
    expect(await first('llama-factory/sft-train')).toEqual({messages: turns('搬运🚀', reply)})
    expect(await first('llama-factory/dpo-train')).toEqual({
      messages: [{role: 'user', content: ask}],
      chosen: {role: 'assistant', content: right},
      rejected: {role: 'assistant', content: wrong},
    })
    expect(await first('mindspeed-llm/sft-train')).toEqual({instruction: '搬运🚀', input: '', output: reply})
    expect(await first('mindspeed-llm/dpo-train')).toEqual({system: '', question: ask, chosen: right, rejected: wrong})
    expect(await first('ms-swift/sft-train')).toEqual({messages: turns('搬运🚀', reply), channel: 'documentation'})
    expect(await first('ms-swift/dpo-train')).toEqual({messages: turns(ask, right), rejected_response: wrong})
  })

  test('of unpaired preferences hold each reply of the pairs once', async () => {
    await made(['kto'])
    const rows = await read('views/kto/dpo-train.parquet')
    expect(rows.map(({completion: [turn], label}) => [turn.content, label])).toEqual([
      [right, true],
      [wrong, false],
      [completion('w', 'also wrong'), false],
    ])
  })

  test('for models that do not think hold every row, without its think block', async () => {
    const out = await made(['no-think'])
    const rows = out.filter(({kind}) => kind === 'view').map(({path, rows: held}) => [path, held])
    expect(rows).toEqual([
      ['views/no-think/sft-train.parquet', 3],
      ['views/no-think/sft-test.parquet', 1],
      ['views/no-think/dpo-train.parquet', 2],
    ])
    expect(JSON.stringify(await read('data/sft/train-00000-of-00001.parquet'))).toContain('<think>')
    for (const [path] of rows) expect(JSON.stringify(await read(String(path)))).not.toContain('think>')
    const [{id, ...first} = {}] = await read('views/no-think/sft-train.parquet')
    const [prompt, ...reply] = turns('搬运🚀', one.answer)
    expect(first).toEqual({kind: 'documentation', prompt: [prompt], completion: reply})
    expect(await read('views/no-think/dpo-train.parquet')).toMatchObject([
      {chosen: [{role: 'assistant', content: 'right'}], rejected: [{role: 'assistant', content: 'wrong'}]},
      {chosen: [{content: 'right'}], rejected: [{content: 'also wrong'}]},
    ])
  })

  test('as JSON have every column of every row that the Parquet files have', async () => {
    const out = await made(['json'])
    const written = out.filter(({kind}) => kind === 'view')
    expect(written.map(({path}) => path)).toEqual([
      ...['sft-train', 'sft-test', 'dpo-train', 'apis-train'].map((name) => `views/json/${name}.jsonl`),
    ])
    for (const {path, config, split, rows, bytes, sha256} of written) {
      const text = await readFile(join(directory, path), 'utf8')
      const lines = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown)
      const data = out.find((file) => file.kind === 'parquet' && file.config === config && file.split === split)
      expect(lines).toEqual(await read(data?.path ?? ''))
      expect([rows, bytes]).toEqual([lines.length, Buffer.byteLength(text)])
      expect(sha256).toBe(createHash('sha256').update(text).digest('hex'))
    }
  })

  test('in windows hold whole rows up to the limit, each once, and name what is longer', async () => {
    const short = Array.from({length: 150}, (_, at) =>
      sample({prompt: `question ${at}`, answer: 'word '.repeat(1 + ((at * 37) % 90))}),
    )
    const long = sample({prompt: 'long', answer: 'word '.repeat(400)})
    const rows = [...short.slice(0, 90), long, ...short.slice(90)].map((record) => sftRow(record))
    const data = await collect(parquet({config: 'sft', directory}).run(stream(rows), recordingContext()))
    const window = 200
    await collect(writeViews({directory, views: ['packed'], window}).run(stream(data), recordingContext()))
    const windows = (await read('views/packed/sft-train.parquet')) as {ids: string[]; text: string; tokens: number}[]
    const given = await read('data/sft/train-00000-of-00001.parquet')
    const texts = new Map(
      given.map(({id, prompt, completion: reply}) => [id, qwen3.render(prompt[0].content, reply[0].content)]),
    )
    for (const {ids, text, tokens} of windows) {
      expect(tokenCount(text)).toBe(tokens)
      expect(tokens).toBeLessThanOrEqual(window)
      expect(text).toBe(ids.map((id) => texts.get(id)).join(''))
    }
    const packed = windows.flatMap(({ids}) => ids)
    const {rows: leftOut} = JSON.parse(await readFile(join(directory, 'views/packed/left-out.json'), 'utf8')) as {
      rows: {id: string}[]
    }
    expect(leftOut).toMatchObject([{split: 'train', reason: 'longer-than-window'}])
    expect(leftOut[0]?.id).toBe(given.find(({prompt}) => prompt[0].content === 'long')?.['id'])
    expect([...packed, ...leftOut.map(({id}) => id)].sort()).toEqual(given.map(({id}) => String(id)).sort())
    const held = windows.reduce((sum, {tokens}) => sum + tokens, 0)
    expect(held / (windows.length * window)).toBeGreaterThan(0.85)
  })

  test('name every file of theirs to LLaMA-Factory', async () => {
    await made(['llama-factory'])
    const info = JSON.parse(await readFile(join(directory, 'views/llama-factory/dataset_info.json'), 'utf8')) as object
    expect(Object.keys(info)).toEqual(['ascend_cot_sft', 'ascend_cot_sft_test', 'ascend_cot_dpo'])
    expect(info).toMatchObject({
      ascend_cot_sft: {file_name: 'sft-train.parquet', formatting: 'sharegpt', columns: {messages: 'messages'}},
      ascend_cot_dpo: {
        file_name: 'dpo-train.parquet',
        ranking: true,
        columns: {messages: 'messages', chosen: 'chosen', rejected: 'rejected'},
      },
    })
    expect(info).not.toHaveProperty('ascend_cot_sft.ranking')
  })

  test('of an earlier export are gone, files of others stay', async () => {
    await made(['messages', 'kto'])
    await mkdir(join(directory, 'views/mine'), {recursive: true})
    await writeFile(join(directory, 'views/mine/a.txt'), '')
    await made(
      ['kto'],
      (await exported()).filter(({config}) => config === 'dpo'),
    )
    expect(await readdir(join(directory, 'views'))).toEqual(['kto', 'mine'])
    await rm(join(directory, 'views/mine'), {recursive: true})
    await made([])
    expect(existsSync(join(directory, 'views'))).toBe(false)
  })

  test('have the same bytes twice', async () => {
    expect(await made(viewNames)).toEqual(await made(viewNames))
  })
})
