import {expect, test} from 'vitest'
import type {ModelledCost} from '../../../datasets/schema/optimisation.ts'
import {voice} from '../../../datasets/voice.ts'
import {randomFrom} from '../../../engine/random.ts'
import {busyPipes, bytes, micros, profileTable} from '../../../pipelines/telling/figures.ts'

const cost = {
  cores: 3,
  blockDim: 4,
  readBytes: 8192,
  writtenBytes: 100,
  microseconds: 12.345,
  pipes: {MTE2: 1.5, V: 0, S: 0.25, MTE3: 4},
  work: {copiesIn: 1, copiesOut: 2, vectorInstructions: 5, vectorRepeats: 6, scalarAccesses: 7, tiles: 8, drains: 9},
} as unknown as ModelledCost

test('times have three digits', () => {
  expect([0, 1.2345, 12.345, 1234.5].map(micros)).toEqual(['0 µs', '1.23 µs', '12.3 µs', '1230 µs'])
})

test.each([
  [0, '0 B'],
  [4095, '4095 B'],
  [4096, '4 KiB'],
  [5000, '4.883 KiB'],
  [1048575, '1024 KiB'],
  [1048576, '1 MiB'],
  [3 * 1048576 + 1234, '3.001 MiB'],
])('%i bytes are %s', (count, text) => expect(bytes(count)).toBe(text))

test('pipes that have something to do, the busiest first', () => {
  expect(busyPipes(cost)).toEqual([
    ['MTE3', 4],
    ['MTE2', 1.5],
    ['S', 0.25],
  ])
})

test('the profile tells what was counted and what was modelled', () => {
  const rows = (language: 'en' | 'zh') => profileTable(cost, voice(language, randomFrom('r'))).split('\n')
  expect(rows('en')).toEqual([
    '| Counted | Value |',
    '|---|---|',
    '| cores with work, of blocks launched | 3 / 4 |',
    '| bytes read from GM | 8 KiB |',
    '| copies from GM | 1 |',
    '| bytes written to GM | 100 B |',
    '| copies to GM | 2 |',
    '| vector instructions | 5 |',
    '| their repeats of 256 bytes | 6 |',
    '| scalar accesses (GetValue, SetValue) | 7 |',
    '| loads of a tile by the block with most | 8 |',
    '| waits of the scalar unit for another pipe | 9 |',
    '| modelled: MTE3 (copies to GM) busy | 4 µs |',
    '| modelled: MTE2 (copies from GM) busy | 1.5 µs |',
    '| modelled: the scalar unit busy | 0.25 µs |',
    '| modelled: in all | 12.3 µs |',
  ])
  expect(rows('zh').at(-1)).toBe('| 模型估算：总计 | 12.3 µs |')
})
