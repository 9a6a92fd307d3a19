import {appendFileSync, writeFileSync} from 'node:fs'
import {truncate} from 'node:fs/promises'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {describe, expect, test} from 'vitest'
import type {FoundRow} from '../../../sources/general/found-row.ts'
import {jsonLines, jsonRows} from '../../../sources/general/json-rows.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

async function all(rows: AsyncIterable<FoundRow>): Promise<FoundRow[]> {
  const found: FoundRow[] = []
  for await (const row of rows) found.push(row)
  return found
}

async function rowsOf(read: typeof jsonLines, name: string, content: string | Uint8Array): Promise<FoundRow[]> {
  const path = join(await temporaryFolder(), name)
  writeFileSync(path, content)
  return all(read(path))
}

const short = (row: FoundRow) =>
  'fault' in row ? `${row.number} ${row.fault}` : `${row.number} ${JSON.stringify(row.value)}`
const lines = async (content: string | Uint8Array, name = 'a.jsonl') =>
  (await rowsOf(jsonLines, name, content)).map(short)
const list = async (content: string | Uint8Array, name = 'a.json') => (await rowsOf(jsonRows, name, content)).map(short)

describe('JSON lines', () => {
  test.each([
    ['{"a":1}\n{"b":2}\n', ['1 {"a":1}', '2 {"b":2}']],
    ['{"a":1}\n\n  \n{"b":2}', ['1 {"a":1}', '4 {"b":2}']],
    ['\n"x"', ['2 "x"']],
    ['"a"\r\n"b"\r\n', ['1 "a"', '2 "b"']],
    ['\uFEFF"a"\n\uFEFF"b"\n', ['1 "a"', '2 not-json']],
    ['{"a":NaN}\n3\n[', ['1 not-json', '2 3', '3 not-json']],
    ['', []],
    ['\n', []],
  ])('%j', async (text, rows) => {
    expect(await lines(text)).toEqual(rows)
  })

  test('tell what is wrong with one, briefly', async () => {
    const [row] = await rowsOf(jsonLines, 'a.jsonl', `{"a": ${'x'.repeat(300)}}`)
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
  expect(await all(jsonLines(path))).toEqual([
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

  test('that begins as a list is one, and has an end to its size', async () => {
    const path = join(await temporaryFolder(), 'a.json')
    const fix = 'Write it as JSON lines, one object a line, or as Parquet.'
    writeFileSync(path, '[1]\n[2]')
    await expect(all(jsonRows(path))).rejects.toMatchObject({
      code: 'input-invalid',
      message: `${path} is not the list that it begins as.`,
      fix,
    })
    writeFileSync(path, '[')
    await truncate(path, 256 * 1024 * 1024 + 1)
    await expect(all(jsonRows(path))).rejects.toMatchObject({
      message: `${path} is one list of 268435457 bytes, more than 268435456.`,
      fix,
    })
  })
})
