import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {Table, tableToIPC, vectorFromArray} from 'apache-arrow'
import {parquetWriteBuffer} from 'hyparquet-writer'
import {describe, expect, test} from 'vitest'
import type {GeneralFiles, GeneralRow} from '../../../datasets/schema/general.ts'
import {columnNames, detectColumns} from '../../../sources/general/detect-columns.ts'
import {formatOf} from '../../../sources/general/file-format.ts'
import generalRows from '../../../sources/general/general-rows.ts'
import {partThought} from '../../../sources/general/part-thought.ts'
import {rowsOf} from '../../../sources/general/rows-of.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const origin = {repository: 'a/b', revision: 'c', licence: 'MIT'}

/** Reads files as a run would: columns told by the first of them. */
async function read(files: Readonly<Record<string, string | Uint8Array>>, columns?: GeneralFiles['columns']) {
  const root = await temporaryFolder()
  const listed: GeneralFiles['files'] = []
  const first: Record<string, unknown>[] = []
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), {recursive: true})
    writeFileSync(join(root, path), content)
    listed.push({path, format: formatOf(path) ?? 'jsonl', sha256: ''})
    for await (const found of rowsOf(root, {path, format: formatOf(path) ?? 'jsonl'}))
      if ('value' in found) first.push(found.value as Record<string, unknown>)
  }
  const source = {root, files: listed, columns: columns ?? detectColumns(first, 'a/b'), origin}
  const {outputs, dropped} = await runStage(generalRows(), [source])
  return {rows: outputs, dropped, columns: source.columns}
}

const lines = (...rows: unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const three = ({prompt, reasoning, answer}: GeneralRow) => [prompt, reasoning, answer]
const [q, r, a] = ['Why?', 'Since it is so.', 'Because.']
const tagged = `<think>\n${r}\n</think>\n\n${a}`

describe('every form of a data set comes to the same', () => {
  const forms: [string, object][] = [
    [
      'messages with tags',
      {
        messages: [
          {role: 'user', content: q},
          {role: 'assistant', content: tagged},
        ],
      },
    ],
    [
      'messages behind a system message',
      {
        messages: [
          {role: 'system', content: 'Be brief.'},
          {role: 'user', content: q},
          {role: 'assistant', content: tagged},
        ],
      },
    ],
    [
      'reasoning_content',
      {
        messages: [
          {role: 'user', content: q},
          {role: 'assistant', content: a, reasoning_content: r},
        ],
      },
    ],
    [
      'sharegpt',
      {
        conversations: [
          {from: 'human', value: q},
          {from: 'gpt', value: tagged},
        ],
        id: 4,
      },
    ],
    [
      'conversations as JSON',
      {
        conversation: JSON.stringify([
          {role: 'user', content: q},
          {role: 'assistant', content: tagged},
        ]),
      },
    ],
    ['alpaca', {instruction: q, input: '', output: tagged}],
    ['columns', {input: q, reasoning_content: r, content: a, repo_name: 'x', score: 9}],
    ['other columns', {Problem: q, Reasoning: `<think>${r}</think>`, Solution: a}],
    ['a short answer beside the whole one', {question: q, answer: '42', response: tagged}],
    ['a closing tag alone', {prompt: q, response: `${r}\n</think>\n${a}`}],
    [
      'other tags',
      {prompt: q, response: `<|begin_of_thought|>${r}<|end_of_thought|>\n<|begin_of_solution|>${a}<|end_of_solution|>`},
    ],
    ['thinking and answer tags', {prompt: q, response: `<thinking>${r}</thinking>\n<answer>\n${a}\n</answer>`}],
    [
      'prompt and completion of TRL',
      {prompt: [{role: 'user', content: q}], completion: [{role: 'assistant', content: tagged}]},
    ],
  ]
  test.each(forms)('%s', async (_, row) => {
    const {rows, dropped} = await read({'train.jsonl': lines(row)})
    expect([rows.map(three), dropped]).toEqual([[[q, r, a]], []])
    expect(rows[0]?.origin).toEqual({...origin, path: 'train.jsonl', lines: [1, 1]})
  })

  test('alpaca with an input puts it below the instruction', async () => {
    const {rows} = await read({'a.jsonl': lines({instruction: q, input: 'of x', output: tagged})})
    expect(rows[0]?.prompt).toBe(`${q}\n\nof x`)
  })

  test('Parquet, Arrow in both formats, gzip and a list', async () => {
    const columns = {prompt: 'question', reasoning: 'reasoning', answer: 'answer'}
    const table = new Table({
      question: vectorFromArray([q, 'Who?']),
      reasoning: vectorFromArray([r, r]),
      answer: vectorFromArray([a, 'I.']),
    })
    const column = (name: string, data: unknown[]) => ({name, data, type: 'STRING' as const})
    const parquet = parquetWriteBuffer({
      columnData: [column('question', [q, 'Who?']), column('reasoning', [r, r]), column('answer', [a, 'I.'])],
      rowGroupSize: 1,
    })
    const rows = [
      {question: q, reasoning: r, answer: a},
      {question: 'Who?', reasoning: r, answer: 'I.'},
    ]
    const files = {
      'a.parquet': new Uint8Array(parquet),
      'b.arrow': tableToIPC(table, 'stream'),
      'c.feather': tableToIPC(table, 'file'),
      'd.jsonl.gz': gzipSync(lines(...rows)),
      'e.json': JSON.stringify(rows, null, 2),
      'f.json': lines(...rows),
    }
    const read_ = await read(files)
    expect(read_.columns).toEqual(columns)
    expect(read_.rows.map(three)).toEqual(
      Object.keys(files).flatMap(() => [
        [q, r, a],
        ['Who?', r, 'I.'],
      ]),
    )
    expect(read_.rows.map(({origin: {lines: at}}) => at?.[0])).toEqual(Object.keys(files).flatMap(() => [1, 2]))
  })
})

test.each(['lz4.feather', 'lz4.arrow', 'zstd.feather', 'zstd.arrow'])(
  'Arrow as pyarrow compresses it: %s',
  async (name) => {
    const {rows, dropped} = await read({[name]: readFileSync(join('test/fixtures/arrow', name))})
    // The last is longer than a block of LZ4.
    expect([rows.map(three), dropped]).toEqual([
      [
        [q, r, a],
        ['为什么？', '因为它是这样的。'.repeat(8), '就是这样。'],
        ['How long?', 'It goes on and on. '.repeat(9000).trim(), 'Long.'],
      ],
      [],
    ])
  },
)

test('an Arrow file that was cut short is a fault of the file, and no end of the rows', async () => {
  const whole = readFileSync('test/fixtures/arrow/lz4.arrow')
  await expect(read({'cut.arrow': whole.subarray(0, 1500)})).rejects.toMatchObject({
    reason: 'file-damaged',
    message: expect.stringMatching(/^cannot be read as Arrow: Expected/),
  })
})

describe('a row that is not one question and its answer is dropped with its reason and its place', () => {
  const row = (more: object) => ({question: q, reasoning: r, answer: a, ...more})
  const turns = (...list: [string, string][]) => ({messages: list.map(([role, content]) => ({role, content}))})
  const good = row({})
  const odd: [string, object | string, string][] = [
    ['an empty question', row({question: '  '}), 'empty-prompt'],
    ['an empty answer', row({answer: ''}), 'empty-answer'],
    ['no thought', row({reasoning: null}), 'no-reasoning'],
    ['an empty thought', row({reasoning: '<think>\n\n</think>'}), 'no-reasoning'],
    [
      'a number that lost digits',
      '{"question": "q", "reasoning": "r", "answer": 123456789012345678901234567890123456789012345678901234567890}',
      'number-not-exact',
    ],
    ['a fraction', row({answer: 0.5}), 'number-not-exact'],
    ['a list', row({answer: ['x', 'y']}), 'several-answers'],
    ['a list of numbers', row({answer: [1, 2]}), 'not-text'],
    ['NaN, as Python writes it', '{"question": "q", "reasoning": "r", "answer": NaN}', 'empty-answer'],
    ['a torn line', '{"question": "q", ', 'not-json'],
    ['a text alone', '"text"', 'not-an-object'],
  ]
  test.each(odd)('%s', async (_, one, reason) => {
    const text = typeof one === 'string' ? `${one}\n` : lines(one)
    const {rows, dropped} = await read({'x.jsonl': lines(good) + text + lines(good)})
    expect([rows.length, dropped.map((drop) => drop.reason)]).toEqual([2, [reason]])
    expect(dropped[0]?.detail).toMatch(/^x\.jsonl row 2: /)
  })

  test.each<[string, [string, string][], string]>([
    [
      'several turns',
      [
        ['user', q],
        ['assistant', tagged],
        ['user', q],
        ['assistant', tagged],
      ],
      'several-turns',
    ],
    [
      'a tool',
      [
        ['user', q],
        ['tool', '4'],
        ['assistant', tagged],
      ],
      'turn-of-a-tool',
    ],
    [
      'an answer first',
      [
        ['assistant', tagged],
        ['user', q],
      ],
      'not-a-conversation',
    ],
    [
      'an empty message',
      [
        ['user', ''],
        ['assistant', tagged],
      ],
      'empty-prompt',
    ],
    [
      'thought alone',
      [
        ['user', q],
        ['assistant', '<think>never ends'],
      ],
      'empty-answer',
    ],
  ])('%s', async (_, list, reason) => {
    const {dropped} = await read({'x.jsonl': lines(turns(['user', q], ['assistant', tagged]), turns(...list))})
    expect(dropped.map((drop) => drop.reason)).toEqual([reason])
  })

  test('whole numbers that are exact are text, as the files hold them', async () => {
    const {rows} = await read({'x.jsonl': lines(row({answer: 42}))})
    expect(rows[0]?.answer).toBe('42')
  })

  test('five megabytes of text are read like any other', async () => {
    const long = 'word '.repeat(1_048_576)
    const {rows} = await read({'x.jsonl': lines(row({reasoning: long}), good)})
    expect(rows.map(({reasoning}) => reasoning.length)).toEqual([long.trim().length, r.length])
  })
})

describe('a tag in code is text', () => {
  const printing = "```python\nprint('</think>')\n```"
  test.each([
    [
      'in the thought',
      `<think>\nPrint it:\n${printing}\nDone.\n</think>\n\nSo.`,
      `Print it:\n${printing}\nDone.`,
      'So.',
    ],
    ['in the answer', `<think>${r}</think>\n${printing}`, r, printing],
    ['within a line', `<think>Write \`</think>\` last.</think>So.`, 'Write `</think>` last.', 'So.'],
    ['of a fence left open', '<think>\n```py\nx = 1\n</think>\n\nSo:\n```', '```py\nx = 1', 'So:\n```'],
  ])('%s', (_, text, reasoning, answer) => {
    expect(partThought(text, '')).toEqual({reasoning, answer})
  })
})

describe('columns that do not say what they hold', () => {
  test('are an error before the run, which tells them and how to map them', () => {
    expect(() => detectColumns([{q: 'x', a: 'y'}], 'me/set')).toThrow(
      'The question, reasoning and answer columns of me/set are unclear: it has q, a; its first row is',
    )
    // Nothing is thought anywhere.
    expect(() => detectColumns([{question: 'x', answer: 'y'}], 'me/set')).toThrow('are unclear')
  })

  test('are read as they are mapped', async () => {
    const columns = {prompt: 'q', answer: 'a', reasoning: 'why'}
    const {rows} = await read({'x.jsonl': lines({q, a, why: r})}, columns)
    expect([rows.map(three), columnNames(columns)]).toEqual([[[q, r, a]], ['q', 'a', 'why']])
  })
})
