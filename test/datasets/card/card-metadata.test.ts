import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {cardMetadata, datasetInfo} from '../../../datasets/card/card-metadata.ts'
import {columns} from '../../../datasets/parquet/columns.ts'
import type {ConfigStats} from '../../../datasets/card/stats.ts'

const stats = (config: ConfigStats['config'], rows: number, tallies: ConfigStats['tallies'] = {}): ConfigStats => ({
  config,
  splits: [{split: 'train', rows, files: 2, bytes: 100}],
  tallies,
  lengths: [],
})

function head(found: readonly ConfigStats[]): Record<string, unknown> {
  const text = cardMetadata(found, new Map([['sft/train', 700]]), 'Ascend-CoT')
  expect(text).toMatch(/^---\n[\s\S]*\n---\n$/)
  return parse(text.slice(4, -4)) as Record<string, unknown>
}

describe('the head of a card', () => {
  test('says all that the Hub asks for', () => {
    const sft = stats('sft', 7, {
      language: [
        ['zh', 4],
        ['en', 3],
      ],
      licence: [['Apache-2.0', 7]],
    })
    const {dataset_info, ...rest} = head([
      sft,
      {
        ...stats('dpo', 2),
        splits: [
          {split: 'train', rows: 2, files: 1, bytes: 30},
          {split: 'test', rows: 3, files: 1, bytes: 12},
        ],
      },
    ])
    expect(rest).toEqual({
      language: ['en', 'zh'],
      license: 'apache-2.0',
      pretty_name: 'Ascend-CoT',
      size_categories: ['n<1K'],
      task_categories: ['text-generation'],
      annotations_creators: ['machine-generated'],
      tags: ['ascend-c', 'npu', 'kernel-generation', 'code', 'chain-of-thought', 'synthetic', 'dpo'],
      configs: [
        {config_name: 'sft', default: true, data_files: [{split: 'train', path: 'data/sft/train-*.parquet'}]},
        {
          config_name: 'dpo',
          data_files: [
            {split: 'train', path: 'data/dpo/train-*.parquet'},
            {split: 'test', path: 'data/dpo/test-*.parquet'},
          ],
        },
      ],
    })
    expect((dataset_info as object[]).map((one) => ({...one, features: 0}))).toEqual([
      {
        config_name: 'sft',
        features: 0,
        splits: [{name: 'train', num_bytes: 700, num_examples: 7}],
        download_size: 100,
        dataset_size: 700,
      },
      {
        config_name: 'dpo',
        features: 0,
        splits: [
          {name: 'train', num_bytes: 0, num_examples: 2},
          {name: 'test', num_bytes: 0, num_examples: 3},
        ],
        download_size: 42,
        dataset_size: 0,
      },
    ])
  })

  test('has a feature for every column', () => {
    const [info] = datasetInfo([stats('errors', 1)], new Map())
    expect(info?.features.map((feature) => feature['name'])).toEqual(columns.errors.map(({name}) => name))
  })

  test.each([
    [999, 'n<1K'],
    [1000, '1K<n<10K'],
    [9999, '1K<n<10K'],
    [10_000, '10K<n<100K'],
    [99_999, '10K<n<100K'],
    [100_000, '100K<n<1M'],
    [999_999, '100K<n<1M'],
    [1_000_000, '1M<n<10M'],
    [9_999_999, '1M<n<10M'],
    [10_000_000, 'n>10M'],
  ])('puts %i rows among %s', (rows, category) => {
    expect(head([stats('sft', rows)])['size_categories']).toEqual([category])
    expect(head([stats('sft', rows - 1), stats('apis', 1)])['size_categories']).toEqual([category])
  })

  test.each<[string[], Record<string, unknown>]>([
    [[], {}],
    [['MIT'], {license: 'mit'}],
    [['MIT', 'Apache-2.0'], {license: ['apache-2.0', 'mit']}],
    [
      ['MIT', 'LicenseRef-CANN-OSL-2.0'],
      {license: 'other', license_name: 'cann-osl-2.0-and-mit', license_link: 'NOTICES.md'},
    ],
  ])('of rows under %j', (licences, keys) => {
    const found = head([stats('sft', 1, {licence: licences.map((licence) => [licence, 1])})])
    const {license, license_name, license_link} = found
    expect(JSON.parse(JSON.stringify({license, license_name, license_link}))).toEqual(keys)
    expect(found).not.toHaveProperty('language')
    expect(found['tags']).not.toContain('dpo')
  })
})
