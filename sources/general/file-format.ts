import type {GeneralFormat} from '../../datasets/schema/general.ts'

const formats: readonly [ending: RegExp, format: GeneralFormat][] = [
  [/\.parquet$/i, 'parquet'],
  [/\.(?:arrow|feather)$/i, 'arrow'],
  [/\.(?:jsonl|ndjson)(?:\.gz)?$/i, 'jsonl'],
  [/\.json(?:\.gz)?$/i, 'json'],
]

/** Files about data sets, which their libraries write beside them. */
const about = /(?:^|\/)(?:dataset_infos?|dataset_dict|state|croissant|package|tokenizer\w*|\w*config)\.json$/i

/** The format that a file's name tells; undefined for one that is not read. */
export function formatOf(path: string): GeneralFormat | undefined {
  return about.test(path) ? undefined : formats.find(([ending]) => ending.test(path))?.[1]
}
