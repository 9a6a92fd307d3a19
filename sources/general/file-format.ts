import type {GeneralFormat} from '../../datasets/schema/general.ts'

const formats: readonly [ending: RegExp, format: GeneralFormat][] = [
  [/\.(?:parquet|pq)$/i, 'parquet'],
  [/\.(?:arrow|arrows|feather|ipc)$/i, 'arrow'],
  [/\.(?:jsonl|ndjson|jsonlines)(?:\.(?:gz|zst))?$/i, 'jsonl'],
  [/\.json(?:\.(?:gz|zst))?$/i, 'json'],
  [/\.(?:csv|tsv)(?:\.(?:gz|zst))?$/i, 'csv'],
]

/** Metadata files that libraries write next to data sets. */
const about = /(?:^|\/)(?:dataset_infos?|dataset_dict|state|croissant|package|tokenizer\w*|\w*config)\.json$/i

/** Files that hold data in a form that is not read. */
const unread = /\.(?:bz2|xz|zip|7z|rar|tar|tgz|tar\.\w+|pkl|pickle|h5|hdf5|npy|npz|xlsx?|avro|orc|msgpack|tfrecord)$/i

/** The endings that are read, for messages. */
export const readEndings =
  '.parquet, .arrow, .arrows, .feather, .jsonl, .json, .csv or .tsv, the last four also as .gz or .zst'

/** The format that a file's name tells; undefined for an unsupported one. */
export function formatOf(path: string): GeneralFormat | undefined {
  return about.test(path) ? undefined : formats.find(([ending]) => ending.test(path))?.[1]
}

/** Whether a file's name says that it holds data in a form that is not read. */
export const isUnread = (path: string) => unread.test(path)
