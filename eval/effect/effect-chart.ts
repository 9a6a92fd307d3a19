import {html, type Html} from '../scores/markup.ts'
import type {ArmDifference} from './effect-tables.ts'

const [nameWidth, plotWidth, line] = [190, 420, 22]

/** For every measure, the arms as dots with intervals, around the arm that they are compared with. */
export function differenceCharts(all: readonly ArmDifference[]): Html {
  const names = [...new Set(all.map(({name}) => name))]
  return html`${names.map((name) => chart(all.filter((one) => one.name === name)))}`
}

function chart(rows: readonly ArmDifference[]): Html {
  const [first] = rows
  if (!first) return html``
  const most = Math.max(...rows.flatMap(({difference: {low, high}}) => [Math.abs(low), Math.abs(high)]), 1e-9)
  const at = (value: number) => nameWidth + plotWidth * (0.5 + (0.5 * value) / most)
  const height = rows.length * line + 8
  const middle = at(0)
  const title = `${first.name} (${first.unit}, ${first.better} is better)`
  return html`<h4>${title}</h4>
<svg viewBox="0 0 ${nameWidth + plotWidth + 90} ${height}" width="100%" style="max-width:46rem" role="img">
<line x1="${middle}" x2="${middle}" y1="0" y2="${height}" stroke="currentColor" stroke-opacity="0.3"/>
${rows.map(({arm, difference}, row) => dot(arm, difference, (row + 0.6) * line, at))}
</svg>
`
}

function dot(
  arm: string,
  {value, low, high}: ArmDifference['difference'],
  y: number,
  at: (value: number) => number,
): Html {
  const number = `${value > 0 ? '+' : ''}${value.toFixed(3)}`
  return html`<text x="0" y="${y + 4}" fill="currentColor" font-size="12">${arm}</text>
<line x1="${at(low)}" x2="${at(high)}" y1="${y}" y2="${y}" stroke="currentColor" stroke-width="2"/>
<circle cx="${at(value)}" cy="${y}" r="4" fill="currentColor"/>
<text x="${nameWidth + plotWidth + 12}" y="${y + 4}" fill="currentColor" font-size="12">${number}</text>
`
}
