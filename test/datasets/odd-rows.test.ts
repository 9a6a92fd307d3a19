import {join} from 'node:path'
import {createRequire} from 'node:module'
import {DuckDBInstance} from '@duckdb/node-api'
import {describe, expect, test} from 'vitest'
import {storable} from '../../datasets/parquet/column-types.ts'
import exportGate from '../../datasets/gates/export-gate.ts'
import parquet from '../../datasets/parquet/parquet.ts'
import {parquetRows} from '../../datasets/parquet/parquet-rows.ts'
import {SplitRow} from '../../datasets/schema/export.ts'
import {CotSample} from '../../datasets/schema/sample.ts'
import {temporaryFolder} from '../helpers/temporary.ts'
import * as rows from './rows.ts'

/** The row that comes back from Parquet behind the gate, or why there is none. */
async function sent(record: CotSample): Promise<{refused: string} | {row: Record<string, unknown>; path: string}> {
  const directory = await temporaryFolder()
  const context = rows.recordingContext()
  const passed = await rows.collect(exportGate({config: 'sft'}).run(rows.stream([record]), context))
  const stage = parquet({config: 'sft', directory, codec: 'snappy'})
  const [file] = await rows.collect(stage.run(rows.stream(passed.map((one) => rows.sftRow(one))), context))
  if (!file) return {refused: context.drops.map(({reason}) => reason).join(', ')}
  const path = join(directory, file.path)
  const [row = {}] = await rows.collect(parquetRows(path, ['prompt', 'completion', 'first_line', 'rounds', 'files']))
  return {row, path}
}

const textOf = (turns: unknown) => (turns as {content: string}[])[0]?.content
const digits = '123456789012345678901234567890123456789012345678901234567890'
const long = (bytes: number) => `${'A word of many. '.repeat(Math.ceil(bytes / 16))}`.slice(0, bytes)

describe('kept right, text for text', () => {
  test.each([
    ['a number of sixty digits', `It is ${digits}, not ${digits}0.`],
    ['NaN and infinities in words', 'The result is NaN, then Infinity, -0 and 1e400.'],
    ['a pair of surrogates', 'A 🚀 and a 𝛼.'],
    ['null characters and controls', 'A \u0000 zero, a \u0007 bell and \u2028 a separator.'],
    ['line ends of all kinds', 'One\r\ntwo\rthree\nfour'],
    ['words that trainers read as nothing', 'null'],
    ['a tag of another kind', 'Write `std::vector<thinker>` and &lt;think&gt;.'],
  ])('%s', async (_, answer) => {
    const out = await sent(rows.sample({prompt: `Q: ${answer}`, answer}))
    if (!('row' in out)) throw new Error(out.refused)
    expect(textOf(out.row['prompt'])).toBe(`Q: ${answer}`)
    expect(textOf(out.row['completion'])?.endsWith(`</think>\n\n${answer}`)).toBe(true)
    const connection = await (await DuckDBInstance.create()).connect()
    const reader = await connection.runAndReadAll(
      `SELECT prompt[1].content AS p, completion[1].content AS c FROM read_parquet('${out.path}')`,
    )
    expect(reader.getRowObjectsJson()).toEqual([{p: `Q: ${answer}`, c: textOf(out.row['completion'])}])
    connection.closeSync()
  })
})

describe('refused with a reason', () => {
  const kernel = (text: string) => rows.kernelSample({files: [{path: 'a.cpp', text}]})
  test.each<[string, CotSample, string]>([
    ['a lone surrogate in the answer', rows.sample({answer: 'half \ud83d of a rocket'}), 'unstorable-value'],
    ['a lone surrogate in the prompt', rows.sample({prompt: '\udc00?'}), 'unstorable-value'],
    ['a lone surrogate in code', kernel('// \ud83d\nint a;'), 'unstorable-value'],
    ['an empty prompt', rows.sample({prompt: ''}), 'empty-side'],
    ['a reasoning of spaces', rows.sample({reasoning: ' \n\t'}), 'empty-side'],
    ['an answer of marks without width', rows.sample({answer: '\u200b\ufeff'}), 'empty-side'],
    ['5 MB of text', rows.sample({answer: long(5_000_000)}), 'row-too-large'],
    ['5 MB of one letter', rows.sample({answer: 'a'.repeat(5_000_000)}), 'row-too-large'],
    ['a think tag inside code', kernel('// </think>\nint a;'), 'template-mark'],
    ['a think tag inside a string', kernel('const char* a = "<think>";'), 'template-mark'],
    ['the mark of a turn', rows.sample({prompt: 'What does <|im_end|> do?'}), 'template-mark'],
  ])('%s', async (_, record, reason) => {
    expect(await sent(record)).toEqual({refused: reason})
  })

  test('what is no number of its column never becomes a row', () => {
    const at = (first: number) => ({...rows.sample(), origin: {...rows.sample().origin, lines: [first, first]}})
    for (const first of [Number.NaN, Number.POSITIVE_INFINITY, 1.5, Number(digits)])
      expect(CotSample.safeParse(at(first)).success, String(first)).toBe(false)
    expect(SplitRow.safeParse(rows.sftRow(rows.sample())).success).toBe(true)
  })

  test('a number past its column is refused by the writer', async () => {
    const record = rows.sample({origin: {...rows.sample().origin, lines: [1, 2 ** 31]}})
    expect(await sent(record)).toEqual({refused: 'unstorable-value'})
    const largest = await sent(rows.sample({origin: {...rows.sample().origin, lines: [2 ** 31 - 1, 2 ** 31 - 1]}}))
    expect(largest).toMatchObject({row: {first_line: 2 ** 31 - 1}})
  })
})

interface LiteWriter {
  appendRow(row: object): Promise<void>
  close(): Promise<void>
}

test.each([
  ['INT32', 1.5, 1],
  ['UTF8', 'half \ud83d', 'half \ufffd'],
])(
  'parquetjs-lite would write another %s without a word, so files in snappy are ours too',
  async (type, given, found) => {
    const path = join(await temporaryFolder(), 'lite.parquet')
    const {ParquetSchema, ParquetWriter} = createRequire(import.meta.url)('parquetjs-lite') as {
      ParquetSchema: new (fields: object) => object
      ParquetWriter: {openFile(schema: object, path: string): Promise<LiteWriter>}
    }
    const writer = await ParquetWriter.openFile(new ParquetSchema({value: {type}}), path)
    await writer.appendRow({value: given})
    await writer.close()
    expect(await rows.collect(parquetRows(path, ['value']))).toEqual([{value: found}])
    expect(storable(type === 'INT32' ? 'int32' : 'string').safeParse(given).success).toBe(false)
  },
)
