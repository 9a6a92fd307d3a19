import {stringify} from 'yaml'
import type {LoadedBytes} from '../parquet/arrow-bytes.ts'
import {cardFeature} from '../parquet/column-types.ts'
import {columns} from '../parquet/columns.ts'
import {licences} from '../gates/licences.ts'
import type {ConfigStats} from './stats.ts'

/**
 * The card's YAML head. Features come from the table that wrote the files: a stale copy would break the viewer and
 * `load_dataset`.
 */
export function cardMetadata(stats: readonly ConfigStats[], loaded: LoadedBytes, title: string): string {
  const rows = stats.flatMap(({splits}) => splits).reduce((sum, split) => sum + split.rows, 0)
  const languages = [
    ...new Set(stats.flatMap(({tallies}) => (tallies['language'] ?? []).map(([language]) => language))),
  ]
  const metadata = {
    ...(languages.length > 0 ? {language: languages.sort()} : {}),
    ...licenceKeys(stats),
    pretty_name: title,
    size_categories: [sizeCategory(rows)],
    task_categories: ['text-generation'],
    annotations_creators: ['machine-generated'],
    tags: [
      'ascend-c',
      'npu',
      'kernel-generation',
      'code',
      'chain-of-thought',
      'synthetic',
      ...(stats.some(({config}) => config === 'dpo') ? ['dpo'] : []),
    ],
    configs: stats.map(({config, splits}, index) => ({
      config_name: config,
      ...(index === 0 ? {default: true} : {}),
      data_files: splits.map(({split}) => ({split, path: `data/${config}/${split}-*.parquet`})),
    })),
    dataset_info: datasetInfo(stats, loaded),
  }
  return `---\n${stringify(metadata, {lineWidth: 0})}---\n`
}

interface DatasetInfo {
  config_name: string
  features: ReturnType<typeof cardFeature>[]
  splits: {name: string; num_bytes: number; num_examples: number}[]
  download_size: number
  dataset_size: number
}

/** What `load_dataset` computes itself and compares with the card. */
export function datasetInfo(
  stats: readonly Pick<ConfigStats, 'config' | 'splits'>[],
  loaded: LoadedBytes,
): DatasetInfo[] {
  return stats.map(({config, splits}) => {
    const known = splits.map(({split, rows}) => ({
      name: split,
      num_bytes: loaded.get(`${config}/${split}`) ?? 0,
      num_examples: rows,
    }))
    return {
      config_name: config,
      features: columns[config].map(({name, type}) => cardFeature(name, type)),
      splits: known,
      download_size: splits.reduce((sum, split) => sum + split.bytes, 0),
      dataset_size: known.reduce((sum, split) => sum + split.num_bytes, 0),
    }
  })
}

/** One key, a list, or `other` with its own name if the Hub has no key for one of the licences. */
function licenceKeys(stats: readonly ConfigStats[]): Record<string, unknown> {
  const found = [
    ...new Set(stats.flatMap(({tallies}) => (tallies['licence'] ?? []).map(([licence]) => licence))),
  ].sort()
  const keys = found.map((licence) => licences[licence]?.hub)
  if (found.length === 0) return {}
  if (keys.every((key) => key !== undefined)) return {license: keys.length === 1 ? keys[0] : keys}
  const name = found.map((licence) => licence.replace('LicenseRef-', '').toLowerCase()).join('-and-')
  return {license: 'other', license_name: name, license_link: 'NOTICES.md'}
}

/** The Hub's own steps. */
function sizeCategory(rows: number): string {
  const steps = [
    [1e3, 'n<1K'],
    [1e4, '1K<n<10K'],
    [1e5, '10K<n<100K'],
    [1e6, '100K<n<1M'],
    [1e7, '1M<n<10M'],
  ] as const
  return steps.find(([limit]) => rows < limit)?.[1] ?? 'n>10M'
}
