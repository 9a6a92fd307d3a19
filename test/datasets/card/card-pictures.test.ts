import {describe, expect, test} from 'vitest'
import {barChart} from '../../../datasets/card/bar-chart.ts'
import {cardPictures} from '../../../datasets/card/card-pictures.ts'
import {labels, meaningOf} from '../../../datasets/schema/label.ts'
import type {ConfigStats} from '../../../datasets/card/stats.ts'
import type {LengthStats} from '../../../datasets/tokens/token-lengths.ts'

const stats = (config: ConfigStats['config'], more: Partial<ConfigStats> = {}): ConfigStats => ({
  ...{config, splits: [], tallies: {}, lengths: []},
  ...more,
})
const length = (kind: string | undefined, replies: number, longer: number[]): LengthStats => ({
  ...{kind, replies, longer, total: 0, p50: 0, p90: 0, p99: 0, max: 0},
})

describe('pictures of a card', () => {
  test('are none of what is not there', () => {
    expect(cardPictures([])).toEqual([])
    expect(cardPictures([stats('sft'), stats('errors'), stats('apis'), stats('kto')])).toEqual([])
  })

  test('show samples by kind, and failed candidates by class', () => {
    const kinds = {kind: [['kernel', 3] as [string, number], ['general', 1] as [string, number]]}
    const [first, second, ...others] = cardPictures([
      stats('sft', {tallies: kinds}),
      stats('errors', {tallies: {class: [['syntax-and-structure', 2]]}}),
    ])
    const bar = (name: string, value: number) => ({name, parts: [{value, colour: '#4c8bbf'}]})
    const chart = (path: string, title: string, bars: ReturnType<typeof bar>[]) => ({
      ...{path, title},
      svg: barChart({title, bars}),
    })
    expect(first).toEqual(chart('pictures/sft-kinds.svg', 'Samples by kind', [bar('kernel', 3), bar('general', 1)]))
    expect(second).toEqual(
      chart('pictures/errors-classes.svg', 'Failed candidates by class', [bar('syntax-and-structure', 2)]),
    )
    expect(others).toEqual([])
  })

  test('show both sides of pairs by label', () => {
    const tallies = {
      chosen_label: [['green', 4] as [string, number]],
      rejected_label: [['purple', 3] as [string, number]],
    }
    const title = 'Sides of pairs by label'
    const parts = (counts: Record<string, number>) =>
      labels.map((name) => ({value: counts[name] ?? 0, colour: meaningOf(name).tones[0], name}))
    const bars = [
      {name: 'chosen', parts: parts({green: 4})},
      {name: 'rejected', parts: parts({purple: 3})},
    ]
    expect(cardPictures([stats('dpo', {tallies})])).toEqual([
      {path: 'pictures/dpo-labels.svg', title, svg: barChart({title, bars})},
    ])
  })

  test('show how many replies lie between two lengths, up to the longest of them', () => {
    const all = length(undefined, 20, [12, 7, 0, 0, 0, 0])
    const kinds = [
      length('green · orange', 12, [9, 5, 0, 0, 0, 0]),
      ...['b', 'c', 'd', 'e', 'f'].map((kind) => length(kind, 1, [0, 0, 0, 0, 0, 0])),
      length('g', 3, [3, 2, 0, 0, 0, 0]),
    ]
    const title = 'Replies of kto with their prompts, by tokens'
    const palette = ['#9aa4af', '#4c8bbf', '#2e8b57', '#c9730a', '#7d4fc4', '#b5446e']
    const names = ['green over orange', 'b', 'c', 'd', 'e', 'f', 'g']
    const bar = (name: string, values: number[]) => ({
      name,
      parts: names.map((kind, at) => ({value: values[at] ?? 0, colour: palette[at % 6] ?? '', name: kind})),
    })
    const bars = [
      bar('up to 1,024', [3, 1, 1, 1, 1, 1, 0]),
      bar('1,025 to 2,048', [4, 0, 0, 0, 0, 0, 1]),
      bar('2,049 to 4,096', [5, 0, 0, 0, 0, 0, 2]),
    ]
    expect(cardPictures([stats('kto', {lengths: [all, ...kinds]})])).toEqual([
      {path: 'pictures/kto-lengths.svg', title, svg: barChart({title, bars})},
    ])
    const long = length('long', 1, [1, 1, 1, 1, 1, 1])
    const [picture] = cardPictures([stats('kto', {lengths: [long, long]})])
    expect(picture?.svg).toContain('above 32,768')
  })
})
