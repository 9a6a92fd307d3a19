import {barChart} from './bar-chart.ts'
import {count} from './card-sections.ts'
import {meaningOf, labels} from '../schema/label.ts'
import {combined, type ConfigStats} from './stats.ts'
import {lengthSteps, type LengthStats} from '../tokens/token-lengths.ts'

/** A picture of the card: its path, what it shows, and its SVG. */
export interface Picture {
  path: string
  title: string
  svg: string
}

/** Lengths, kinds, labels and classes of errors, of the configurations that exist. */
export function cardPictures(stats: readonly ConfigStats[]): Picture[] {
  return stats.flatMap((one) => [...lengthsOf(one), ...(pictures[one.config]?.(one) ?? [])])
}

const pictures: {readonly [C in ConfigStats['config']]?: (stats: ConfigStats) => Picture[]} = {
  sft: ({tallies}) => tallied('sft-kinds', 'Samples by kind', tallies['kind'] ?? []),
  dpo: labelPicture,
  errors: ({tallies}) => tallied('errors-classes', 'Failed candidates by class', tallies['class'] ?? []),
}

const tone = '#4c8bbf'
const palette = ['#9aa4af', '#4c8bbf', '#2e8b57', '#c9730a', '#7d4fc4', '#b5446e']

/** How many replies fall between two common truncation lengths, by kind. */
function lengthsOf({config, lengths}: ConfigStats): Picture[] {
  const [all, ...kinds] = lengths
  if (!all) return []
  const names = lengthSteps.map((step, index) => {
    const before = lengthSteps[index - 1]
    return before === undefined ? `up to ${count(step)}` : `${count(before + 1)} to ${count(step)}`
  })
  const title = `Replies of ${config} with their prompts, by tokens`
  const bars = [...names, `above ${count(lengthSteps.at(-1) ?? 0)}`].map((name, index) => ({
    name,
    parts: kinds.map((kind, at) => ({
      value: between(kind, index),
      colour: palette[at % palette.length] as string,
      name: (kind.kind ?? '').replaceAll(combined, ' over '),
    })),
  }))
  const last = bars.findLastIndex(({parts}) => parts.some(({value}) => value > 0))
  return [picture(`${config}-lengths`, title, bars.slice(0, last + 1))]
}

function between({replies, longer}: LengthStats, index: number): number {
  return (index === 0 ? replies : (longer[index - 1] ?? 0)) - (longer[index] ?? 0)
}

function labelPicture({tallies}: ConfigStats): Picture[] {
  const bars = (['chosen', 'rejected'] as const).map((side) => ({
    name: side,
    parts: labels.map((label) => ({
      value: (tallies[`${side}_label`] ?? []).find(([name]) => name === label)?.[1] ?? 0,
      colour: meaningOf(label).tones[0],
      name: label,
    })),
  }))
  return [picture('dpo-labels', 'Sides of pairs by label', bars)]
}

function tallied(name: string, title: string, tally: readonly (readonly [string, number])[]): Picture[] {
  if (tally.length === 0) return []
  const bars = tally.map(([value, rows]) => ({name: value, parts: [{value: rows, colour: tone}]}))
  return [picture(name, title, bars)]
}

function picture(name: string, title: string, bars: Parameters<typeof barChart>[0]['bars']): Picture {
  return {path: `pictures/${name}.svg`, title, svg: barChart({title, bars})}
}
