import {describe, expect, test} from 'vitest'
import {
  columnSection,
  configSections,
  dropSection,
  executorSection,
  licenceSection,
  overview,
} from '../../datasets/card/card-sections.ts'
import {columns} from '../../datasets/parquet/columns.ts'
import {combined, type ConfigStats} from '../../datasets/card/stats.ts'
import type {Config} from '../../datasets/schema/export.ts'

const stats = (config: Config, tallies: Record<string, [value: readonly string[], rows: number][]>): ConfigStats => ({
  config,
  splits: [],
  lengths: [],
  tallies: Object.fromEntries(
    Object.entries(tallies).map(([key, tally]) => [key, tally.map(([value, rows]) => [value.join(combined), rows])]),
  ),
})
const bodyOf = (config: Config, tallies: Parameters<typeof stats>[1]) => configSections([stats(config, tallies)])
const tableIn = (text: string) => text.split('\n').filter((line) => line.startsWith('|'))

describe('what a card says of one configuration', () => {
  test('samples stand by kind and teacher; one without a model has computed facts', () => {
    const tallies = {
      'kind+teacher+model': [
        [['kernel', 'model', 'deep_seek|r1'], 1200],
        [['documentation', 'offline', ''], 3],
      ],
    } satisfies Parameters<typeof stats>[1]
    expect(bodyOf('sft', tallies)).toMatch(/^## Supervised fine-tuning \(`sft`\)\n\nEach row has one question, /)
    expect(tableIn(bodyOf('sft', tallies))).toEqual([
      '| kind | teacher | rows |',
      '| --- | --- | --- |',
      '| kernel | deep_seek\\|r1 | 1,200 |',
      '| documentation | offline (computed facts, no model) | 3 |',
    ])
    expect(tableIn(bodyOf('sft', {}))).toHaveLength(2)
  })

  test('kernel-level rows stand by what they ask for, calls by where they come from', () => {
    const body = bodyOf('sft', {
      'side+role+asks+proof': [
        [['ran'], 58],
        [['kernel', 'kernel', 'function', 'compiled'], 1200],
      ],
      contract: [
        [['example'], 1500],
        [['page'], 2],
      ],
      formula: [
        [['agrees'], 1200],
        [['none'], 302],
      ],
    })
    expect(tableIn(body).slice(2)).toEqual([
      '| side | role | asks | proof | rows |',
      '| --- | --- | --- | --- | --- |',
      '| kernel | kernel | function | compiled | 1,200 |',
    ])
    expect(tableIn(bodyOf('sft', {'side+role+asks+proof': [[['ran'], 58]]}))).toHaveLength(2)
    expect(body).toContain('(column `contract`): `example` 1,500, `page` 2.')
    expect(body).toContain('(column `formula`): 1,200 of 1,502 (80 %).')
    expect(bodyOf('sft', {formula: [[['none'], 3]]})).toContain('(column `formula`): 0 of 3 (0 %).')
    expect(bodyOf('sft', {})).not.toContain('column `formula`')
  })

  test('a side counts where both its label and what it did are those of the deed', () => {
    const body = bodyOf('dpo', {
      'chosen_label+rejected_label': [[['green', 'orange'], 1500]],
      chosen_sampler: [
        [['twin*'], 2],
        [['model'], 1],
      ],
      rejected_sampler: [[['model'], 3]],
      task: [
        [['a'], 2],
        [['b'], 1],
      ],
      'chosen_label+chosen_outcome': [
        [['green', 'correct'], 1000],
        [['orange', 'violated'], 1],
        // A verdict that is no deed of its label is counted nowhere.
        [['green', 'violated'], 50],
        [['orange', 'correct'], 60],
      ],
      'rejected_label+rejected_outcome': [
        [['orange', 'violated'], 10],
        [['orange', 'crashed'], 2],
        [['orange', 'timed-out'], 3],
        [['orange', 'launch-failed'], 4],
        [['orange', 'mismatched'], 30],
        [['purple', 'link-failed'], 70],
      ],
    })
    expect(body).toBe(
      [
        '## Preferences (`dpo`)',
        '',
        'Each row has two answers to one task. Labels were observed, never assumed: **green** passed every case of ' +
          'the hardened check, **orange** compiled, but broke a hardware rule (11 sides), crashed, ran out of time ' +
          'or could not be launched (9), computed wrong numbers (30), or bypassed the task (0), **purple** did not ' +
          'compile or link.',
        '',
        '| chosen | rejected | pairs |',
        '| --- | --- | --- |',
        '| green | orange | 1,500 |',
        '',
        'Authors of the sides: chosen: twin\\* 2, model 1; rejected: model 3. Tasks: 2.',
        '',
      ].join('\n'),
    )
  })

  test('interfaces stand by kind and licence, whose name may hold the separator', () => {
    const body = bodyOf('apis', {
      'kind+licence': [
        [['vector', 'Apache-2.0'], 7],
        [['type', 'odd', 'name'], 1],
      ],
      product: [
        [['A2'], 5],
        [['A3'], 2],
      ],
    })
    expect(tableIn(body).slice(2)).toEqual(['| vector | Apache-2.0 | 7 |', `| type | odd${combined}name | 1 |`])
    expect(body).toContain('what applies to `A2`, `A3`. It is')
  })

  test('errors stand by class, with their authors and tasks', () => {
    const body = bodyOf('errors', {
      class: [[['alignment'], 4]],
      sampler: [
        [['model'], 3],
        [['a<b'], 1],
      ],
      task: [[['t'], 4]],
    })
    expect(tableIn(body)).toEqual(['| class | candidates |', '| --- | --- |', '| alignment | 4 |'])
    expect(body).toMatch(/\n\nAuthors of the candidates: model 3, a\\<b 1\. Tasks: 1\.\n$/)
  })

  test('replies to prefer and others are counted, none as 0', () => {
    const told = (label: [value: readonly string[], rows: number][]) =>
      /`label` is true for \S+ and false for \S+,/.exec(bodyOf('kto', {label}))?.[0]
    expect(
      told([
        [['false'], 2000],
        [['true'], 1],
      ]),
    ).toBe('`label` is true for 1 and false for 2,000,')
    expect(told([[['false'], 5]])).toBe('`label` is true for 0 and false for 5,')
    expect(told([])).toBe('`label` is true for 0 and false for 0,')
    const body = bodyOf('kto', {colour: [[['green'], 3]], task: [[['a'], 1]]})
    expect(tableIn(body)).toEqual(['| colour | replies |', '| --- | --- |', '| green | 3 |'])
    expect(body).toMatch(/\n\nTasks: 1\.\n$/)
  })

  test('steps stand by how the chosen side differs', () => {
    const body = bodyOf('optimisation', {step: [[['double <buffers>'], 9]], task: [[['a'], 9]]})
    expect(tableIn(body)).toEqual([
      '| how the chosen side differs | pairs |',
      '| --- | --- |',
      '| double \\<buffers\\> | 9 |',
    ])
    expect(body).toMatch(/^## Faster over slower \(`optimisation`\)\n[^]*\n\nTasks: 1\.\n$/)
  })

  test('without a value to count, every table is empty and every number 0', () => {
    const all = configSections(Object.keys(columns).map((config) => stats(config as Config, {})))
    expect(all.match(/^## /gm)).toHaveLength(6)
    expect(tableIn(all)).toHaveLength(12)
    expect(all.match(/Tasks: 0\./g)).toHaveLength(4)
    expect(all).not.toContain('undefined')
  })
})

test('the overview has a line for each split, and says where there are no rows', () => {
  expect(overview([])).toBe('This export has no rows.')
  const sft: ConfigStats = {
    ...stats('sft', {}),
    splits: [
      {split: 'train', rows: 1234, files: 2, bytes: 1536},
      {split: 'test', rows: 1, files: 1, bytes: 10},
    ],
  }
  expect(overview([sft]).split('\n')).toEqual([
    '| configuration | split | rows | files | size |',
    '| --- | --- | --- | --- | --- |',
    '| sft | train | 1,234 | 2 | 1.5 KiB |',
    '| sft | test | 1 | 1 | 10 B |',
  ])
})

test('executors stand by configuration and, of a pair, by side', () => {
  const key = 'executor+compiler+soc+executor_fingerprint'
  expect(executorSection([stats('sft', {kind: [[['kernel'], 1]]})])).toBe('No row contains code.')
  expect(executorSection([stats('sft', {[key]: []})])).toBe('No row contains code.')
  const dpo = stats('dpo', {
    [`chosen_${key}`]: [[['twin', 'g++', '910B', 'f'], 2]],
    [`rejected_${key}`]: [[['twin', 'g++', '910B', 'f'], 1]],
    executor: [[['not counted'], 9]],
  })
  const value = ['twin', 'g++', '910B', 'f'].join(combined)
  expect(executorSection([stats('sft', {[key]: [[['twin*'], 3]]}), dpo]).split('\n')).toEqual([
    '| rows of | executor | verdicts |',
    '| --- | --- | --- |',
    '| sft | twin\\* | 3 |',
    `| dpo, chosen | ${value} | 2 |`,
    `| dpo, rejected | ${value} | 1 |`,
  ])
})

test('rows of a licence are summed over configurations; one that no hub knows is told apart', () => {
  const licensed = (...tally: [string, number][]) =>
    stats('sft', {licence: tally.map(([id, rows]) => [[id], rows] as [string[], number])})
  const lines = licenceSection([licensed(['MIT', 999], ['X y', 1]), licensed(['MIT', 1]), stats('dpo', {})], [])
  expect(lines).toContain('| MIT | MIT License | 1,000 |')
  expect(lines).toContain('| X y | X y | 1 | Read its terms before use. |')
  expect(lines).toContain('\n\n**X y**: rows from these sources are published')
  expect(lines).toContain('Its text is not part of this export: add it as `LICENSES/X-y.txt` before you pass')
  expect(lines).not.toContain('**MIT**')
  expect(licenceSection([licensed(['X y', 1])], ['X y'])).toMatch(/allows\. Its text is in `LICENSES\/X-y\.txt`\.$/)
  expect(licenceSection([], ['MIT']).split('\n')).toEqual([
    '| licence | name | rows | conditions in brief |',
    '| --- | --- | --- | --- |',
  ])
})

test('drops stand by recipe, stage and reason', () => {
  expect(dropSection([])).toBe('No stage dropped a record.')
  expect(dropSection([{recipe: 'a', stage: 'b', reasons: {}}])).toBe('No stage dropped a record.')
  expect(dropSection([{recipe: 'r*', stage: 's', reasons: {twin: 1000, 'too-long': 2}}]).split('\n')).toEqual([
    '| recipe | stage | reason | records |',
    '| --- | --- | --- | --- |',
    '| r\\* | s | twin | 1,000 |',
    '| r\\* | s | too-long | 2 |',
  ])
})

test('every column of every configuration is told', () => {
  const all = Object.keys(columns) as Config[]
  const text = columnSection(all.map((config) => stats(config, {})))
  for (const config of all) expect(text).toContain(`**${config}**\n\n| column | meaning |\n| --- | --- |\n| \``)
  expect(tableIn(text)).toHaveLength(all.reduce((sum, config) => sum + columns[config].length + 2, 0))
})
