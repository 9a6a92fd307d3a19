import type {ColumnType} from '../parquet/column-types.ts'
import {columns} from '../parquet/columns.ts'
import {dividedReply} from '../parquet/reply-parts.ts'
import {configs, type Config} from '../schema/export.ts'
import {packed, packedColumns, type LeftOut, type Packing} from './packed.ts'

interface Turn {
  role: string
  content: string
}

/** A column of a view; it reads the cells of a row of the data. */
interface ViewColumn {
  name: string
  type: ColumnType
  value(row: Readonly<Record<string, unknown>>): unknown
}

interface ViewForm {
  /** Columns of the data that it reads. */
  reads: readonly string[]
  columns: readonly ViewColumn[]
  /** Several view rows for one data row: a pair has two sides. Default: the row itself. */
  rows?(row: Readonly<Record<string, unknown>>): Record<string, unknown>[]
  /** View rows that are made from several data rows. */
  joins?(rows: AsyncIterable<Readonly<Record<string, unknown>>>, packing: Packing): AsyncIterable<object>
}

/** The same rows in the native format of one family of trainers. */
interface View {
  /** How to pass it to the trainer, for the card. */
  use: string
  forms: {readonly [C in Config]?: ViewForm}
  /** JSON lines instead of Parquet. */
  isJson?: true
  /** Additional files, by name, made from the names and configurations of the written ones. */
  beside?(files: readonly ViewFile[], leftOut: readonly LeftOut[]): Record<string, string>
}

export interface ViewFile {
  name: string
  config: string
  split: string
}

const turn: ColumnType = {struct: {role: 'string', content: 'string'}}
const turns: ColumnType = {list: turn}

const turnsOf = (row: Readonly<Record<string, unknown>>, name: string) => row[name] as Turn[]
const textOf = (row: Readonly<Record<string, unknown>>, name: string) => turnsOf(row, name)[0]?.content ?? ''

const text = (name: string, value: ViewColumn['value']): ViewColumn => ({name, type: 'string', value})
const copied = (name: string, of = name): ViewColumn => text(name, (row) => row[of])
const flat = (name: string, of: string): ViewColumn => text(name, (row) => textOf(row, of))
const empty = (name: string): ViewColumn => text(name, () => '')
const joined = (name: string, ...of: string[]): ViewColumn => ({
  name,
  type: turns,
  value: (row) => of.flatMap((one) => turnsOf(row, one)),
})
const single = (name: string): ViewColumn => ({name, type: turn, value: (row) => turnsOf(row, name)[0]})

const sft = (...columns: ViewColumn[]): ViewForm => ({reads: ['id', 'kind', 'prompt', 'completion'], columns})
const dpo = (...columns: ViewColumn[]): ViewForm => ({reads: ['id', 'prompt', 'chosen', 'rejected'], columns})

const id = copied('id')
const label: ViewColumn = {name: 'label', type: 'bool', value: (row) => row['label']}

const conversations: View = {
  use: 'one list of turns per row, in pairs one per side: axolotl (`chat_template`), OpenRLHF, and most others',
  forms: {
    sft: sft(id, joined('messages', 'prompt', 'completion')),
    dpo: dpo(id, joined('chosen', 'prompt', 'chosen'), joined('rejected', 'prompt', 'rejected')),
  },
}

const llamaFactory: View = {
  use: '`dataset_dir: views/llama-factory`, `dataset: ascend_cot_sft` or, with `stage: dpo`, `ascend_cot_dpo`',
  forms: {
    sft: sft(id, joined('messages', 'prompt', 'completion')),
    dpo: dpo(id, joined('messages', 'prompt'), single('chosen'), single('rejected')),
  },
  beside: (files) => ({
    'dataset_info.json': `${JSON.stringify(Object.fromEntries(files.map(datasetEntry)), null, 2)}\n`,
  }),
}

function datasetEntry({name, config, split}: ViewFile): [string, object] {
  return [`ascend_cot_${config}${split === 'train' ? '' : `_${split}`}`, llamaFactoryEntry(name, config === 'dpo')]
}

/** LLaMA-Factory's description of a file of this view: it assumes neither column names nor roles. */
export function llamaFactoryEntry(file: string, isOfPairs: boolean): object {
  return {
    file_name: file,
    formatting: 'sharegpt',
    ...(isOfPairs ? {ranking: true} : {}),
    columns: {messages: 'messages', ...(isOfPairs ? {chosen: 'chosen', rejected: 'rejected'} : {})},
    tags: {
      role_tag: 'role',
      content_tag: 'content',
      user_tag: 'user',
      assistant_tag: 'assistant',
      system_tag: 'system',
    },
  }
}

const mindspeed: View = {
  use:
    '`preprocess_data.py --enable-thinking true` with `--handler-name AlpacaStyleInstructionHandler`, for pairs ' +
    '`AlpacaStylePairwiseHandler --map-keys \'{"prompt":"question","query":"","system":"system"}\'`',
  forms: {
    sft: sft(id, flat('instruction', 'prompt'), empty('input'), flat('output', 'completion')),
    dpo: dpo(id, empty('system'), flat('question', 'prompt'), flat('chosen', 'chosen'), flat('rejected', 'rejected')),
  },
}

const swift: View = {
  use: '`--dataset views/ms-swift/sft-train.parquet`, for pairs `rlhf_type: dpo`; `channel` is the kind of the sample',
  forms: {
    sft: sft(id, joined('messages', 'prompt', 'completion'), copied('channel', 'kind')),
    dpo: dpo(id, joined('messages', 'prompt', 'chosen'), flat('rejected_response', 'rejected')),
  },
}

const unpaired: View = {
  use: 'unpaired preferences (TRL: KTO, BCO): each reply of the pairs once, `label` true for the better side',
  forms: {
    dpo: {
      ...dpo(joined('prompt', 'prompt'), joined('completion', 'completion'), label),
      rows: ({prompt, chosen, rejected}) => [
        {prompt, completion: chosen, label: true},
        {prompt, completion: rejected, label: false},
      ],
    },
  },
}

/** A reply without its think block, in any column. */
const answered = (name: string): ViewColumn => ({
  name,
  type: turns,
  value: (row) => turnsOf(row, name).map((one) => ({...one, content: dividedReply(one.content).answer})),
})

const unthinking: View = {
  use: "for models that do not think: TRL's columns, with replies without their think blocks",
  forms: {
    sft: sft(id, copied('kind'), joined('prompt', 'prompt'), answered('completion')),
    dpo: dpo(id, joined('prompt', 'prompt'), answered('chosen'), answered('rejected')),
    kto: {
      reads: ['id', 'prompt', 'completion', 'label'],
      columns: [id, joined('prompt', 'prompt'), answered('completion'), label],
    },
  },
}

const jsonLines: View = {
  use: 'all columns as JSON, one row per line, for programs without Parquet; `load_dataset("json", data_files=…)`',
  isJson: true,
  forms: Object.fromEntries(
    configs.map((config) => {
      const own = columns[config].map(({name, type}) => ({name, type, value: (row) => row[name] ?? null}) as ViewColumn)
      return [config, {reads: own.map(({name}) => name), columns: own}]
    }),
  ),
}

const windows: View = {
  use:
    "whole rows of `sft` in the model's chat format, packed up to `export.window` tokens: for trainers that " +
    'read plain text (TRL: `dataset_text_field: text`); questions are learnt too. Longer rows are in `left-out.json`',
  forms: {
    sft: {
      ...sft(...packedColumns.map(({name, type}) => ({name, type, value: (row) => row[name]}) as ViewColumn)),
      joins: packed,
    },
  },
  beside: (_, leftOut) => ({'left-out.json': `${JSON.stringify({rows: leftOut}, null, 1)}\n`}),
}

/** By the name used in `export.views` and below `views/`. */
const views = {
  messages: conversations,
  'llama-factory': llamaFactory,
  'mindspeed-llm': mindspeed,
  'ms-swift': swift,
  kto: unpaired,
  'no-think': unthinking,
  json: jsonLines,
  packed: windows,
} as const satisfies Record<string, View>

export type ViewName = keyof typeof views
export const viewNames = Object.keys(views) as ViewName[]

export const viewOf = (name: ViewName): View => views[name]

/** The columns of the file of a view; undefined for a file of no view. */
export function viewColumns(path: string): readonly ViewColumn[] | undefined {
  const [, name = '', config = ''] = /^views\/([^/]+)\/([a-z]+)-[a-z]+\.parquet$/.exec(path) ?? []
  const view = viewNames.find((one) => one === name)
  return view && viewOf(view).forms[config as Config]?.columns
}
