import {join} from 'node:path'
import {expect, test} from 'vitest'
import {cells, columns} from '../../datasets/parquet/columns.ts'
import parquet from '../../datasets/parquet/parquet.ts'
import {parquetRows} from '../../datasets/parquet/parquet-rows.ts'
import type {SplitRow} from '../../datasets/schema/export.ts'
import {qwen3, type ChatFormat} from '../../datasets/tokens/chat-format.ts'
import {tokenCount} from '../../datasets/tokens/token-count.ts'
import {temporaryFolder} from '../helpers/temporary.ts'
import * as rows from './rows.ts'

/** A model with a token for every character, which no estimate comes near. */
const characters: ChatFormat = {
  ...qwen3,
  fingerprint: 'letters-1',
  tokens: (prompt, reply) => qwen3.render(prompt, reply).length,
  vocabulary: {tokenizer: 'letters', fingerprint: 'letters-1', count: (text) => text.length},
}
const textOf = (turns: unknown) => (turns as {content: string}[])[0]?.content ?? ''

test.each<[string, SplitRow, [column: string, reply: string][]]>([
  ['sft', rows.sftRow(rows.sample()), [['tokens', 'completion']]],
  ['kto', rows.unpairedRow(rows.unpairedReply()), [['tokens', 'completion']]],
  [
    'dpo',
    rows.dpoRow(rows.pair()),
    [
      ['chosen_tokens', 'chosen'],
      ['rejected_tokens', 'rejected'],
    ],
  ],
  [
    'optimisation',
    rows.optimisationRow(rows.optimisationPair()),
    [
      ['chosen_tokens', 'chosen'],
      ['rejected_tokens', 'rejected'],
    ],
  ],
])('tokens of %s are those of the tokenizer that the row names', (_, row, counted) => {
  const [given, estimated] = [cells(row, characters), cells(row)]
  expect([given['tokenizer'], estimated['tokenizer']]).toEqual(['letters', 'o200k_base'])
  for (const [column, reply] of counted) {
    const rendered = qwen3.render(textOf(given['prompt']), textOf(given[reply]))
    expect(given[column]).toBe(rendered.length)
    expect(estimated[column]).toBe(tokenCount(rendered))
  }
})

test('the difference in length of a pair is counted the same way', () => {
  const {chosen_tokens: chosen, rejected_tokens: rejected, ...row} = cells(rows.dpoRow(rows.pair()), characters)
  expect(row['length_difference']).toBe(Number(chosen) - Number(rejected))
})

test('no column tells of a vocabulary that is not counted in', () => {
  for (const own of Object.values(columns))
    for (const {name, meaning} of own)
      expect(meaning.includes('o200k') && name !== 'tokenizer', `${name}: ${meaning}`).toBe(false)
})

test('a tokenizer is part of what a written file is made of, and stands in it', async () => {
  const directory = await temporaryFolder()
  const stage = (format?: ChatFormat) => parquet({config: 'sft', directory, ...(format && {format})})
  expect(stage().options).not.toEqual(stage(characters).options)
  expect(stage(characters).options).not.toEqual(stage({...characters, fingerprint: 'letters-2'}).options)
  const [file] = await rows.collect(
    stage(characters).run(rows.stream([rows.sftRow(rows.sample())]), rows.recordingContext()),
  )
  const [row] = await rows.collect(parquetRows(join(directory, file?.path ?? ''), ['tokens', 'tokenizer']))
  expect(row).toEqual({tokens: cells(rows.sftRow(rows.sample()), characters)['tokens'], tokenizer: 'letters'})
})
