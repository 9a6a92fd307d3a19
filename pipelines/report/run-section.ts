import type {StageCounts} from '../../engine/progress.ts'
import {html, type Html} from '../../eval/scores/markup.ts'
import type {ReportRun} from './input.ts'
import {cell, number} from '../../eval/scores/marks.ts'

/** One table per recipe: input and output of each stage, and why records were dropped. */
export function runSection(runs: readonly ReportRun[]): Html {
  return html`<section id="runs">
<h2>Runs</h2>
${runs.map(recipe)}
</section>
`
}

const numbers = ['in', 'out', 'dropped', 'failed', 'reused']

function recipe({recipe: name, state, counts, error, startedAt, endedAt}: ReportRun): Html {
  const seconds = startedAt && endedAt ? (Date.parse(endedAt) - Date.parse(startedAt)) / 1000 : undefined
  const dropped = counts.reduce((sum, count) => sum + sumOf(count.reasons), 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, 0)
  const facts = [
    state,
    `${number(counts.at(-1)?.written ?? 0)} written`,
    `${number(dropped)} dropped`,
    failed > 0 ? `${number(failed)} failed` : '',
    seconds === undefined ? '' : `${seconds.toFixed(1)} s`,
  ]
  return html`<details ${state === 'finished' && failed === 0 ? '' : 'open'}>
<summary>${name}<span class="quiet">${facts.filter((fact) => fact !== '').join(' · ')}</span></summary>
${error && html`<p class="trouble"><b>${error.message}</b> ${error.fix}</p>`}
<div class="scroll"><table class="stages">
<tr><th>stage</th>${numbers.map((name) => html`<th class="n">${name}</th>`)}<th>reasons</th></tr>
${counts.map(stage)}
</table></div>
</details>
`
}

function stage({stage: name, read, written, dropped, failed, reused, reasons, failures}: StageCounts): Html {
  const why = [...Object.entries(reasons), ...Object.entries(failures)]
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${reason} ${number(count)}`)
    .join(', ')
  const trouble = failed > 0 ? html`class="trouble"` : ''
  const cells = [read, written, dropped, failed, reused].map(cell)
  return html`<tr ${trouble}><td>${name}</td>${cells}<td class="wide">${why}</td></tr>
`
}

const sumOf = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((sum, count) => sum + count, 0)
