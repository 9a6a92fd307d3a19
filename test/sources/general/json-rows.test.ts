import {appendFileSync, writeFileSync} from 'node:fs'
import {truncate} from 'node:fs/promises'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {compress} from '@bokuweb/zstd-wasm'
import {describe, expect, test} from 'vitest'
import {zstdReady} from '../../../engine/zstd.ts'
import type {FoundRow} from '../../../sources/general/found-row.ts'
import {jsonRows} from '../../../sources/general/json-rows.ts'
import {lenientJson} from '../../../sources/general/lenient-json.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

async function all(rows: AsyncIterable<FoundRow>): Promise<FoundRow[]> {
  const found: FoundRow[] = []
  for await (const row of rows) found.push(row)
  return found
}

async function rowsOf(read: typeof jsonRows, name: string, content: string | Uint8Array): Promise<FoundRow[]> {
  const path = join(await temporaryFolder(), name)
  writeFileSync(path, content)
  return all(read(path))
}

const short = (row: FoundRow) =>
  'fault' in row ? `${row.number} ${row.fault}` : `${row.number} ${JSON.stringify(row.value)}`
const lines = async (content: string | Uint8Array, name = 'a.jsonl') =>
  (await rowsOf(jsonRows, name, content)).map(short)
const list = async (content: string | Uint8Array, name = 'a.json') => (await rowsOf(jsonRows, name, content)).map(short)

describe('JSON lines', () => {
  test.each([
    ['{"a":1}\n{"b":2}\n', ['1 {"a":1}', '2 {"b":2}']],
    ['{"a":1}\n\n  \n{"b":2}', ['1 {"a":1}', '4 {"b":2}']],
    ['\n"x"', ['2 "x"']],
    ['"a"\r\n"b"\r\n', ['1 "a"', '2 "b"']],
    ['\uFEFF"a"\n\uFEFF"b"\n', ['1 "a"', '2 "b"']],
    ['{"a":NaN}\n3\n[', ['1 {"a":null}', '2 3', '3 not-json']],
    ['', []],
    ['\n', []],
  ])('%j', async (text, rows) => {
    expect(await lines(text)).toEqual(rows)
  })

  test('tell what is wrong with one, briefly', async () => {
    const [row] = await rowsOf(jsonRows, 'a.jsonl', `{"a": ${'x'.repeat(300)}}`)
    expect(row).toMatchObject({number: 1, fault: 'not-json'})
    expect((row as {detail: string}).detail.length).toBeLessThanOrEqual(120)
  })

  test('may be packed, and longer than the parts in which they are read', async () => {
    expect(await lines(gzipSync('"a"\n"b"'), 'a.jsonl.gz')).toEqual(['1 "a"', '2 "b"'])
    const long = JSON.stringify('中'.repeat(200_001))
    expect(await lines(`${long}\n${long}\n"x"`)).toEqual([`1 ${long}`, `2 ${long}`, '3 "x"'])
  })
})

test('a line of more than 64 MiB is no row, and is not held', async () => {
  const path = join(await temporaryFolder(), 'a.jsonl')
  const most = 64 * 1024 * 1024
  writeFileSync(path, '')
  await truncate(path, most + 1)
  appendFileSync(path, '\n1')
  expect(await all(jsonRows(path))).toEqual([
    {number: 1, fault: 'line-too-long', detail: 'more than 67108864 characters'},
    {number: 2, value: 1},
  ])
})

describe('a .json file', () => {
  test.each([
    ['[{"a":1},{"b":2}]', ['1 {"a":1}', '2 {"b":2}']],
    ['\uFEFF \n [1]', ['1 1']],
    [' \n [1,\n 2]\n', ['1 1', '2 2']],
    ['[]', []],
    ['{"a":1}\n[2]\n', ['1 {"a":1}', '2 [2]']],
    ['', []],
  ])('%j', async (text, rows) => {
    expect(await list(text)).toEqual(rows)
  })

  test('may be packed', async () => {
    expect(await list(gzipSync('["a"]'), 'a.json.gz')).toEqual(['1 "a"'])
  })

  test('that is a list of any size is read value by value', async () => {
    const path = join(await temporaryFolder(), 'a.json')
    const most = 64 * 1024 * 1024
    writeFileSync(path, '[1,\n{"a":"')
    appendFileSync(path, Buffer.alloc(most, 'x'))
    appendFileSync(path, '"},\n{"b":2}\n]')
    const rows = await all(jsonRows(path))
    expect(rows.map(short)).toEqual(['1 1', '2 line-too-long', '3 {"b":2}'])
  })

  test.each([
    ['objects over several lines', '{\n"a": 1\n}\n{\n"b": "}"\n}', ['1 {"a":1}', '2 {"b":"}"}']],
    ['the same, parted by commas', '{\n"a": "\\"{"\n},\n{\n"b": [2]\n},', ['1 {"a":"\\"{"}', '2 {"b":[2]}']],
    ['a list whose elements are broken', '[{"a": 1},\n{"b": },\n{"c": 3}]', ['1 {"a":1}', '2 not-json', '3 {"c":3}']],
    ['lists one after the other', '[\n{"a":1}\n]\n[\n{"b":2}\n]', ['1 {"a":1}', '2 {"b":2}']],
    ['data within', '{"version": "1", "data": [{"a": 1}]}', ['1 {"a":1}']],
    ['a split within', '{"test": [{"a": 1}], "train": [{"a": 2}]}', ['1 {"a":2}']],
    ['columns', '{"a": [1, 2], "b": ["x", "y"]}', ['1 {"a":1,"b":"x"}', '2 {"a":2,"b":"y"}']],
    ['numbered columns', '{"a": {"0": 1, "1": 2}, "b": {"0": 3, "1": 4}}', ['1 {"a":1,"b":3}', '2 {"a":2,"b":4}']],
    ['columns and cells apart', '{"columns": ["a", "b"], "index": [0], "data": [[1, 2]]}', ['1 {"a":1,"b":2}']],
    ['rows by their names', '{"x": {"a": 1}, "y": {"a": 2}}', ['1 {"a":1}', '2 {"a":2}']],
    ['the viewer', '{"features": [{"name": "a"}], "rows": [{"row_idx": 7, "row": {"a": 1}}]}', ['1 {"a":1}']],
    ['one row with a list', '{"a": "x", "b": [1, 2]}', ['1 {"a":"x","b":[1,2]}']],
    ['one row of turns', '{"m": [{"role": "user", "content": "x"}]}', ['1 {"m":[{"role":"user","content":"x"}]}']],
    ['turns alone', '[{"role": "user", "content": "x"}]', ['1 {"messages":[{"role":"user","content":"x"}]}']],
  ])('holds %s', async (_, text, rows) => {
    expect(await list(text)).toEqual(rows)
  })

  test.each(['[\n{"a":1},\n{"b"', '[\n{"a":1},', '{\n"data": [\n{"a":1},'])('cut short says so: %j', async (text) => {
    await expect(list(text)).rejects.toMatchObject({reason: 'file-cut-short'})
  })
})

describe('text that is no UTF-8', () => {
  const line = '{"a":"为什么天是蓝的，因为空气的散射"}\n'
  test.each([
    ['UTF-16 with its mark', Buffer.from(`\uFEFF${line}`, 'utf16le')],
    ['UTF-16 without', Buffer.from(line, 'utf16le')],
    ['UTF-16 the other way', Buffer.from(`\uFEFF${line}`, 'utf16le').swap16()],
    ['UTF-16 in gzip', gzipSync(Buffer.from(line, 'utf16le'))],
  ])('%s', async (_, bytes) => {
    expect(await lines(bytes)).toEqual([`1 ${line.trim()}`])
  })

  test('with one bad byte costs the row that holds it', async () => {
    const bad = Buffer.concat([Buffer.from(line), Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}\n')])
    expect(await lines(bad)).toEqual([`1 ${line.trim()}`, '2 {"a":"\uFFFD"}'])
  })
})

describe('zstd', () => {
  test('of many blocks and of several frames is read piece by piece', async () => {
    await zstdReady()
    const row = (at: number) => JSON.stringify({at, text: String(Math.sin(at)).repeat(50)})
    const part = (from: number) => Array.from({length: 2000}, (_, at) => `${row(from + at)}\n`).join('')
    const bytes = Buffer.concat([part(0), part(2000)].map((text) => compress(Buffer.from(text))))
    expect(await lines(bytes, 'a.jsonl.zst')).toEqual(Array.from({length: 4000}, (_, at) => `${at + 1} ${row(at)}`))
    await expect(lines(bytes.subarray(0, bytes.length - 9), 'a.jsonl.zst')).rejects.toMatchObject({
      reason: 'file-cut-short',
      message: `is cut short: it ends at byte ${bytes.length - 9}, in the middle of zstd`,
    })
  })
})

test.each([
  ["{'a': 'it\\'s', \"b\": None, 'c': [True, False,]}", {a: "it's", b: null, c: [true, false]}],
  ['{"a": NaN, "b": -Infinity, "c": -1.5e3}', {a: null, b: null, c: -1500}],
  ["[{'a': 'x\\n\\x41\\u4e2d'}\n {'a': 2}]", [{a: 'x\nA中'}, {a: 2}]],
  ['[1 2]', [1, 2]],
  ['["NaN", "\\"None\\""]', ['NaN', '"None"']],
])('a value that is not quite JSON: %s', (text, value) => {
  expect(lenientJson(text)).toEqual(value)
})

test.each(['', '{', '{"a" 1}', '[1', '"x', "'x\\'", 'word', '1 2', '{"a":1}}', '1.2.3'])('no value: %s', (text) => {
  expect(() => lenientJson(text)).toThrow(SyntaxError)
})
