import {structuredPatch} from 'diff'
import {html, type Html} from '../../eval/scores/markup.ts'
import type {ReportSample} from './input.ts'
import {readable} from './prose.ts'
import {badge} from '../../eval/scores/marks.ts'

/** A list with filters next to one open sample. Without scripts, and in print, all samples are shown in sequence. */
export function sampleBrowser(samples: readonly ReportSample[]): Html {
  if (samples.length === 0)
    return html`<section id="samples"><h2>Samples</h2><p>There are no samples to show.</p></section>`
  const filter = (name: string, valuesOf: (sample: ReportSample) => readonly string[]) => {
    const values = [...new Set(samples.flatMap(valuesOf))].sort()
    const options = values.map((value) => html`<option>${value}</option>`)
    return html`<label>${name} <select id="${name}"><option value="">all</option>${options}</select></label>`
  }
  return html`<section id="samples">
<h2>Samples</h2>
<p class="quiet">One of each kind, chosen by chance, the same in every report. <code>ascend-cot view</code> shows all;
<code>ascend-cot inspect &lt;id&gt;</code> follows a sample back through every stage.</p>
<div class="filters">
${filter('kind', (sample) => [sample.kind])}
${filter('label', labelsOf)}
${filter('split', (sample) => [sample.split])}
<input type="search" id="search" placeholder="search in samples" aria-label="search in samples">
<span class="quiet" id="shown"></span>
</div>
<div class="browser">
<div class="list">${samples.map(listEntry)}</div>
<div>${samples.map(article)}</div>
</div>
</section>
`
}

function labelsOf({sides}: ReportSample): string[] {
  return sides.flatMap(({label}) => (label === undefined ? [] : [label]))
}

function listEntry(sample: ReportSample, index: number): Html {
  const labels = labelsOf(sample)
  const data = html`data-kind="${sample.kind}" data-label="${labels.join(' ')}" data-split="${sample.split}"`
  const badges = html`${badge(sample.kind)} ${labels.map(badge)}${sample.split === 'test' && badge('test')}`
  const words = html`<span class="first">${firstWords(sample.prompt)}</span> ${badges}`
  const source = html`<span class="quiet">${sample.source.split('/').at(-1)}</span>`
  return html`<button type="button" data-target="sample-${index}" ${data}>${words}${source}</button>
`
}

/** The prompt's first line of text; kernel prompts begin alike, so their source is shown instead. */
function firstWords(prompt: string): string {
  const line =
    prompt
      .split('\n')
      .map((text) => text.replace(/[#*`>]/g, '').trim())
      .find((text) => text !== '') ?? ''
  return line.length > 160 ? `${line.slice(0, 160)}…` : line
}

/**
 * For a pair, the observations and the differences come first: they are its lesson, and its prompt and sides are long.
 */
function article(sample: ReportSample, index: number): Html {
  const {sides} = sample
  return html`<article class="sample" id="sample-${index}" hidden>
<h3>${badge(sample.kind)} ${labelsOf(sample).map(badge)} <code>${sample.id}</code></h3>
<p class="quiet">${sample.source} · ${sample.licence} · ${sample.author} · ${sample.split}</p>
${sides.length > 1 && html`<div class="sides">${sides.map(headed)}</div>`}
${difference(sample)}
<h4>Prompt</h4>
${readable(sample.prompt)}
<div class="sides">${sides.map(
    (side) => html`<div>
${sides.length > 1 && titled(side)}
${side.reasoning !== '' && html`<h4>Reasoning</h4><div class="reasoning">${readable(side.reasoning)}</div>`}
<h4>Answer</h4>
${sides.length === 1 && observed(side)}
${readable(side.answer)}
</div>`,
  )}</div>
</article>
`
}

type Side = ReportSample['sides'][number]

const titled = ({title, label}: Side) => html`<h4>${title} ${label !== undefined && badge(label)}</h4>`

const headed = (side: Side) => html`<div>${titled(side)}${observed(side)}</div>`

const observed = ({verdict, said}: Side) =>
  html`${verdict !== '' && html`<p class="quiet">Verdict: ${verdict}</p>`}${
    said.length > 0 && html`<pre class="said">${said.join('\n')}</pre>`
  }`

/** More changed lines than this are folded away. */
const atOnce = 80

/** Context lines before and after a change. */
const context = 3

const kinds: Record<string, string> = {'-': 'gone', '+': 'came'}

/** The diff from the first side to the second: candidates of one task differ little, which is the lesson. */
function difference({sides: [better, worse]}: ReportSample): Html | undefined {
  if (!better || !worse) return undefined
  const {hunks} = structuredPatch('', '', `${better.answer}\n`, `${worse.answer}\n`, '', '', {context})
  const changed = hunks.flatMap(({lines}) => lines).filter((line) => /^[-+]/.test(line)).length
  if (changed === 0) return undefined
  const title = html`Lines that differ, ${changed}: <span class="gone">− ${better.title}</span>,
<span class="came">+ ${worse.title}</span>`
  return html`<details ${changed > atOnce ? '' : 'open'}><summary>${title}</summary>
<pre>${hunks.map(
    ({oldStart, lines}) => html`<span class="quiet">line ${oldStart} of ${better.title}</span>\n${lines.map(diffLine)}`,
  )}</pre></details>`
}

function diffLine(line: string): Html {
  const [sign, text] = [line.slice(0, 1), line.slice(1)]
  const kind = kinds[sign]
  if (kind === undefined) return html`  ${text}\n`
  return html`<span class="${kind}">${sign === '-' ? '−' : sign} ${text}</span>\n`
}
