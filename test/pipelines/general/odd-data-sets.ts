import {gzipSync} from 'node:zlib'
import {compress} from '@bokuweb/zstd-wasm'
import {Table, tableToIPC, vectorFromArray} from 'apache-arrow'
import {parquetWriteBuffer} from 'hyparquet-writer'
import {zstdReady} from '../../../engine/zstd.ts'

/** One way in which a data set lies in a folder, as people bring them. */
export interface OddDataSet {
  name: string
  files: Readonly<Record<string, string | Uint8Array>>
  /** More keys of its entry in `sources.general`. */
  options?: object
  /** What comes of it. Default: one row, nothing dropped, nothing said. */
  rows?: number
  prompt?: string
  dropped?: string[]
  /** What is said before the run or in it, or the error with its way out. */
  says?: RegExp
}

export const [q, r, a] = ['Why is the sky blue?', 'Air scatters blue light more than red.', 'Because of scattering.']
const tagged = `<think>\n${r}\n</think>\n\n${a}`
const row = {question: q, reasoning: r, answer: a}
const other = {question: 'Who?', reasoning: r, answer: 'I.'}
const line = JSON.stringify(row)
const both = [row, other]
const lines = (...rows: unknown[]) => rows.map((one) => `${JSON.stringify(one)}\n`).join('')
const user = {role: 'user', content: q}
const said = (more: object) => ({messages: [user, {role: 'assistant', content: a, ...more}]})

const column = (name: string, data: unknown[]) => ({name, data, type: 'STRING' as const})
const columnsOf = (rows: readonly Record<string, string>[]) =>
  Object.keys(rows[0] ?? row).map((name) =>
    column(
      name,
      rows.map((one) => one[name]),
    ),
  )
const parquet = (...rows: Record<string, string>[]) => new Uint8Array(parquetWriteBuffer({columnData: columnsOf(rows)}))
const noRows = new Uint8Array(parquetWriteBuffer({columnData: ['question', 'answer'].map((name) => column(name, []))}))
const arrow = tableToIPC(
  new Table({question: vectorFromArray([q]), reasoning: vectorFromArray([r]), answer: vectorFromArray([a])}),
  'stream',
)
const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 146946961\n`
const many = lines(...Array.from({length: 4000}, (_, at) => ({...row, question: `${q} ${Math.sin(at)}`})))
const cutGzip = gzipSync(many).subarray(0, 40_000)
const csv = `question,reasoning,answer\n"${q}","${r}","${a}"\n`
await zstdReady()
const zstd = (text: string) => compress(Buffer.from(text))
const utf16 = Buffer.from(`\uFEFF${line}\n`, 'utf16le')
/** 「为什么天是蓝的？因为空气的散射。」 in GB18030, which no library here writes. */
const chinese = Buffer.from(
  'ceaa cab2 c3b4 ccec cac7 c0b6 b5c4 a3bf d2f2 ceaa bfd5 c6f8 b5c4 c9a2 c9e4 a1a3'.replaceAll(' ', ''),
  'hex',
)
const quoted = (name: string) => [Buffer.from(`"${name}": "`), chinese, Buffer.from('"')]
const gb18030 = Buffer.concat([
  Buffer.from('{'),
  ...quoted('question'),
  Buffer.from(', '),
  ...quoted('reasoning'),
  Buffer.from(', '),
  ...quoted('answer'),
  Buffer.from('}\n'),
])

/** Those of the table, in its order. */
export const tried: OddDataSet[] = [
  {
    name: 'truncated Parquet',
    dropped: ['file-cut-short'],
    says: /b.parquet is cut short: it ends at byte 200/,
    files: {'a.parquet': parquet(row), 'b.parquet': parquet(row).subarray(0, 200)},
  },
  {
    name: 'truncated Parquet alone',
    rows: 0,
    says: /b.parquet is cut short: it ends at byte 200.*Download it again/s,
    files: {'b.parquet': parquet(row).subarray(0, 200)},
  },
  {
    name: 'Git-LFS pointer',
    dropped: ['file-is-pointer'],
    says: /b.parquet is a Git LFS pointer.*git lfs pull/,
    files: {'a.parquet': parquet(row), 'b.parquet': pointer},
  },
  {
    name: 'second shard with other columns',
    dropped: ['other-columns'],
    says: /b.parquet has no column question, answer.*it has x, z; its first row is {x: 'y'/,
    files: {'a.parquet': parquet(row), 'b.parquet': parquet({x: 'y', z: 'w'})},
  },
  {
    name: 'second shard with other columns that say what they hold',
    rows: 2,
    files: {'a.parquet': parquet(row), 'b.parquet': parquet({problem: q, cot: r, response: a})},
  },
  {
    name: 'truncated gzip',
    rows: 3847,
    dropped: ['file-cut-short'],
    says: /ends at byte 40000, in the middle of gzip; only its rows up to 3846/,
    files: {'a.jsonl': lines(row), 'b.jsonl.gz': cutGzip},
  },
  {name: 'plain text named .gz', files: {'b.jsonl.gz': lines(row)}},
  {name: 'one line with NaN', files: {'a.jsonl': `${line.replace('{', '{"score": NaN, ')}\n`}},
  {name: 'pretty-printed JSON', rows: 2, files: {'a.json': both.map((one) => JSON.stringify(one, null, 2)).join('\n')}},
  {name: 'data in an object', rows: 2, files: {'a.json': JSON.stringify({data: both})}},
  {name: 'data in an object, pretty', rows: 2, files: {'a.json': JSON.stringify({version: 1, data: both}, null, 2)}},
  {name: 'JSON of columns', files: {'a.json': JSON.stringify({question: [q], reasoning: [r], answer: [a]})}},
  {name: '.JSONL.GZ', files: {'A.JSONL.GZ': gzipSync(lines(row))}},
  {name: 'lone CR', rows: 2, files: {'a.jsonl': `${line}\r${JSON.stringify(other)}\r`}},
  {name: 'UTF-16', files: {'a.jsonl': utf16}},
  {name: 'list with a trailing comma', rows: 2, files: {'a.json': `[${line},\n${line},\n]`}},
  {name: 'list with NaN', rows: 2, files: {'a.json': `[${line.replace('{', '{"score": NaN, ')},\n${line}]`}},
  {name: '.zst', rows: 2, files: {'a.jsonl.zst': zstd(lines(...both))}},
  {name: '.bz2', rows: 0, says: /only a.jsonl.bz2.*\.zst/s, files: {'a.jsonl.bz2': Buffer.from('BZh91AY&SY')}},
  {name: '.csv', files: {'a.csv': csv}},
  {name: '.tsv', files: {'a.tsv': `question\treasoning\tanswer\n${q}\t${r}\t${a}\n`}},
  {name: '.arrows', files: {'a.arrows': arrow}},
  {name: 'Question, Complex_CoT, Response', files: {'a.jsonl': lines({Question: q, Complex_CoT: r, Response: a})}},
  {
    name: 'generations with a verdict on each',
    files: {
      'a.jsonl': lines({
        problem: q,
        solution: '42',
        generations: [`<think>no</think>wrong`, tagged],
        correctness_math_verify: [false, true],
      }),
    },
  },
  {
    name: "TRL's prompt with a system turn",
    prompt: `Be brief.\n\n${q}`,
    files: {
      'a.jsonl': lines({
        prompt: [{role: 'system', content: 'Be brief.'}, user],
        completion: [{role: 'assistant', content: tagged}],
      }),
    },
  },
  {
    name: 'conversations as a struct of lists',
    files: {'a.jsonl': lines({conversations: {from: ['human', 'gpt'], value: [q, tagged]}})},
  },
  {name: '<THINK>', files: {'a.jsonl': lines({prompt: q, response: `<THINK>${r}</THINK>${a}`})}},
  {name: '< think >', files: {'a.jsonl': lines({prompt: q, response: `< think >${r}< /think >${a}`})}},
  {name: '&lt;think&gt;', files: {'a.jsonl': lines({prompt: q, response: `&lt;think&gt;${r}&lt;/think&gt;${a}`})}},
  {
    name: 'several turns',
    rows: 0,
    dropped: ['several-turns'],
    says: /none of its rows was kept.*`turns: first`/,
    files: {'a.jsonl': lines({messages: [...said({reasoning: r}).messages, user, user]})},
  },
  {
    name: 'several turns, the first wanted',
    files: {'a.jsonl': lines({messages: [...said({reasoning: r}).messages, user, user]})},
    options: {turns: 'first'},
  },
  {name: 'content parts', files: {'a.jsonl': lines(said({content: [{type: 'text', text: tagged}]}))}},
  {
    name: 'thinking empty',
    rows: 0,
    dropped: ['no-reasoning'],
    says: /another column holds the reasoning.*`columns`/,
    files: {'a.jsonl': lines(said({thinking: ''}))},
  },
  {name: 'GB18030', prompt: '为什么天是蓝的？因为空气的散射。', files: {'a.jsonl': gb18030}},
  {name: 'zero rows', rows: 0, says: /holds no rows: there are none in a.parquet/, files: {'a.parquet': noRows}},
  {
    name: 'columns whose names tell nothing',
    files: {'a.jsonl': lines({x: q, y: r, z: a})},
    rows: 0,
    says: /it has x, y, z; .*columns: \{prompt: x, reasoning: y, answer: z\}/s,
  },
  {
    name: 'columns that do not say it',
    rows: 0,
    says: /it has q, why, a, n; its first row is {q: 'Why is.*columns: {prompt: q, reasoning: why, answer: a}/s,
    files: {'a.jsonl': lines({q, why: r, a, n: 3})},
  },
]

/** Further ones, each with where it was seen, or that it was not looked up. */
export const further: (OddDataSet & {source: string})[] = [
  {
    name: 'reasoning as an object beside messages',
    source: 'docs.deepfabric.dev/dataset-generation/reasoning',
    files: {'a.jsonl': lines({...said({}), reasoning: {style: 'freetext', content: r}})},
  },
  {
    name: 'target with tags',
    source: 'datasets/gray311/PromptSD',
    files: {
      'a.jsonl': lines({id: 'x', prompt: q, target: `<think>${r}</think><answer>${a}</answer>`, meta: {gold: 'A'}}),
    },
  },
  {
    name: 'conversation as JSON, its answer in parts of reasoning and answer',
    source: 'datasets/Mercity/ReasonBridge-URT',
    files: {
      'a.jsonl': lines({
        conversation: JSON.stringify([
          user,
          {
            role: 'assistant',
            content: [
              {type: 'reasoning', content: r},
              {type: 'answer', content: a},
            ],
          },
        ]),
      }),
    },
  },
  {
    name: '.jsonl.zst with think and answer tags and info',
    source: 'datasets/a-m-team/AM-DeepSeek-R1-Distilled-1.4M',
    files: {
      'am_0.9M.jsonl.zst': zstd(
        lines({
          messages: [
            {...user, info: {source: 'x', think_content: null}},
            {role: 'assistant', content: `<think>${r}</think> <answer>${a}</answer>`, info: null},
          ],
        }),
      ),
    },
  },
  {
    name: 'lines that are a list of one row each',
    source: 'github.com/THUDM/LongCite/issues/11',
    files: {'long.jsonl': lines([row], [other])},
    rows: 2,
  },
  {
    name: 'a column that is a number in one row and a text in the next',
    source: 'github.com/RUC-NLPIR/FlashRAG/issues/132',
    files: {'test.jsonl': lines({...row, title: 1984}, {...other, title: 'Brazil'})},
    rows: 2,
  },
  {
    name: 'a list of lists of turns',
    source: 'github.com/unslothai/unsloth/issues/337',
    files: {
      'a.json': JSON.stringify([
        [
          {from: 'human', value: q},
          {from: 'gpt', value: tagged},
        ],
      ]),
    },
  },
  {
    name: 'thought and answer of one model beside a reference solution',
    source: 'datasets/simplescaling/s1K-1.1, read by github.com/Infini-AI-Lab/Multiverse data/collect_1k.py',
    files: {
      'a.jsonl': lines({
        solution: '42',
        question: q,
        cot_type: 'math',
        deepseek_thinking_trajectory: r,
        deepseek_attempt: a,
        gemini_thinking_trajectory: 'other',
        gemini_attempt: 'other',
      }),
    },
  },
  {
    name: 'deepseek_reasoning and deepseek_solution',
    source: 'a program with bespokelabs.curator, found without its repository',
    files: {'a.jsonl': lines({problem: q, deepseek_reasoning: r, deepseek_solution: a, ground_truth_solution: '42'})},
  },
  {
    name: 'messages of a solution beside conversations with thought',
    source: 'datasets/open-r1/OpenThoughts-114k-math',
    files: {
      'a.jsonl': lines({
        ...said({}),
        conversations: [
          {from: 'user', value: q},
          {
            from: 'assistant',
            value: `<|begin_of_thought|>${r}<|end_of_thought|><|begin_of_solution|>${a}<|end_of_solution|>`,
          },
        ],
        correct: true,
      }),
    },
  },
  {
    name: 'a column reasoning that only says on',
    source: 'datasets/nvidia/Nemotron-Post-Training-Dataset-v1',
    files: {
      'a.jsonl': lines({reasoning: 'on', messages: [user, {role: 'assistant', content: tagged, tool_calls: []}]}),
    },
  },
  {
    name: 'a question as messages, reasoning and answer in columns',
    source: 'not looked up: datasets/cognitivecomputations/dolphin-r1 as it is remembered',
    files: {'a.jsonl': lines({messages: [user], reasoning: r, answer: a, model: 'deepseek-reasoner'})},
  },
  {
    name: 'other delimiters of thought',
    source: 'github.com/axolotl-ai-cloud/axolotl/pull/2591 tells that delimiters differ; these are remembered',
    files: {'a.jsonl': lines({prompt: q, response: `[THINK]${r}[/THINK]${a}`})},
  },
  {
    name: 'thinking and final response under headings',
    source: 'not looked up: github.com/FreedomIntelligence/HuatuoGPT-o1 as it is remembered',
    files: {'a.jsonl': lines({prompt: q, response: `## Thinking\n\n${r}\n\n## Final Response\n\n${a}`})},
  },
  {
    name: 'turns in a CSV cell, as Python prints them',
    source: 'not looked up: how pandas writes a cell of turns as CSV',
    files: {
      'a.csv':
        `id,conversations\n1,"[{'from': 'human', 'value': '${q}'}\n ` +
        `{'from': 'gpt', 'value': ""<think>${r}</think>${a}""}]"\n`,
    },
  },
  {
    name: 'the answer of the viewer of the Hub',
    source: 'not looked up: huggingface.co/docs/dataset-viewer as it is remembered',
    files: {'a.json': JSON.stringify({features: [{name: 'question'}], rows: [{row_idx: 0, row, truncated_cells: []}]})},
  },
]
