import {existsSync} from 'node:fs'
import {mkdir, mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {asyncBufferFromFile, parquetReadObjects} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {completion} from '../../../datasets/tokens/chat-turns.ts'
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
