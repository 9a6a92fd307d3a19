import {describe, expect, test} from 'vitest'
import {limits, partsSection, promise} from '../../../datasets/card/card.ts'
import type {Config} from '../../../datasets/schema/export.ts'
import type {ConfigStats} from '../../../datasets/card/stats.ts'

type Tallies = ConfigStats['tallies']

/** A configuration of so many rows, in two splits. */
const stats = (config: Config, rows: number, tallies: Tallies = {}): ConfigStats => ({
  config,
  splits: [
    {split: 'train', rows: rows - 1, files: 1, bytes: 10},
    {split: 'test', rows: 1, files: 1, bytes: 10},
  ],
  tallies,
  lengths: [],
})

const kinds: Record<string, string> = {
  documentation: 'documentation samples',
  kernel: 'kernel-level samples',
  project: 'project-level samples',
  evaluated: "samples in the benchmark's form",
  'api-correction': 'corrections of code that did not compile',
  'kernel-correction': 'corrections of operators that were wrong',
  optimisation: 'steps of optimisation',
  general: 'general chains of thought',
}
const sft = (...names: string[]) => stats('sft', 9, {kind: names.map((name, at) => [name, 1000 + at])})

describe('the parts of a data set', () => {
  test('are told with their numbers, then those that it has not', () => {
    expect(partsSection([sft('documentation', 'general'), stats('dpo', 12)])).toBe(
      'Made of 1,000 documentation samples (`sft`), 1,001 general chains of thought (`sft`) and 12 preference pairs ' +
        "(`dpo`). It has no kernel-level samples, project-level samples, samples in the benchmark's form, " +
        'corrections of code that did not compile, corrections of operators that were wrong and no documented ' +
        'interfaces.',
    )
    expect(partsSection([stats('apis', 3)])).toMatch(/^Made of 3 documented interfaces \(`apis`\)\. It has no .*/)
    expect(partsSection([stats('apis', 1)])).toMatch(/^Made of 1 documented interfaces \(`apis`\)\. It/)
    expect(partsSection([stats('dpo', 12), sft('kernel')])).toMatch(/ \(`sft`\) and 12 preference pairs/)
  })

  test('lack nothing where all of them are there, the errors, unpaired replies and steps beside them or not', () => {
    const all = [sft(...Object.keys(kinds)), stats('dpo', 2), stats('apis', 3)]
    const counted = Object.values(kinds).map((name, at) => `1,00${at} ${name} (\`sft\`)`)
    const others = ['2 preference pairs (`dpo`)', '3 documented interfaces (`apis`)']
    expect(partsSection(all)).toBe(`Made of ${[...counted, ...others].join(', ').replace(/, (?=3 d)/, ' and ')}.`)
    const beside = [stats('errors', 4), stats('kto', 5), stats('optimisation', 6)]
    expect(partsSection([...all, ...beside])).toBe(
      `Made of ${[...counted, ...others, '4 errors of candidates (`errors`)'].join(', ')}, ` +
        '5 unpaired preferences (`kto`) and 6 pairs of faster and slower operators (`optimisation`).',
    )
  })

  test('are none of an empty data set', () => {
    expect(partsSection([])).toBe('')
    expect(partsSection([stats('sft', 4)])).toBe('')
  })
})

describe('what was checked', () => {
  const origin = 'Each row names its source, and the executor if one judged it.'
  test('is told of the parts that are there', () => {
    expect(promise([])).toBe('')
    expect(promise([stats('dpo', 1)])).toBe(`Every preference is based on what an executor observed. ${origin}`)
    expect(promise([stats('sft', 1), stats('errors', 1)])).toBe(
      'The column `proof` states for every code answer whether it ran, compiled or was only parsed. Every error was ' +
        `observed by an executor. ${origin}`,
    )
    expect(promise([stats('apis', 1)])).toBe(`Every interface is described in the words of its page. ${origin}`)
    expect(promise([stats('kto', 1), stats('optimisation', 1)])).toBe(
      'Every unpaired label is based on the colour that an executor observed. Both sides of every step are correct, and ' +
        `their times are modelled. ${origin}`,
    )
  })
})

describe('limits', () => {
  const lines = (...found: ConfigStats[]) =>
    limits(found)
      .split('\n')
      .map((line) => line.slice(0, 34))

  test.each<[string, ConfigStats[], string[]]>([
    ['nobody wrote', [stats('sft', 1, {teacher: [['template', 1]]})], ['']],
    [
      'the offline teacher wrote',
      [stats('sft', 1, {teacher: [['offline', 1]]})],
      ['- Text by the offline teacher is c'],
    ],
    ['a model taught', [stats('sft', 1, {teacher: [['model', 1]]})], ['- Where a model wrote the text, tha']],
    ['a model chose', [stats('kto', 1, {chosen_sampler: [['model', 1]]})], ['- Where a model wrote the text, tha']],
    [
      'faults were planted in',
      [stats('dpo', 1, {rejected_sampler: [['mutation', 2]]})],
      ['- The operators and tasks cover a s', '- Rejected sides by `mutation` contain'],
    ],
    [
      'a model was rejected in',
      [stats('dpo', 1, {rejected_sampler: [['model', 2]]})],
      ['- Where a model wrote the text, tha', '- The operators and tasks cover a s'],
    ],
    ['pages are the source of', [stats('apis', 1)], ['- The index of interfaces was extracted']],
    ['estimates count', [stats('sft', 1, {tokenizer: [['o200k_base', 1]]})], ['- Token counts under o200k_base are']],
    ['a vocabulary of its own counts', [stats('sft', 1, {tokenizer: [['Qwen3', 1]]})], ['']],
  ])('of text that %s', (_what, found, expected) => {
    expect(lines(...found)).toEqual(expected.map((line) => line.slice(0, 34)))
  })
})
