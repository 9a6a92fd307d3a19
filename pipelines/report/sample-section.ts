import {html, type Html} from '../../eval/scores/markup.ts'
import type {ReportSample} from './input.ts'
import {readable} from './prose.ts'
import {badge} from '../../eval/scores/marks.ts'

/**
 * A list with filters beside one open sample. Without script all samples stay readable one below the other in print.
 */
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
<p class="quiet">An unbiased selection of each kind, the same in every report.
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

/** The prompt's first line of words; kernels' prompts begin alike, so the source says more and stands in the sample. */
function firstWords(prompt: string): string {
  const line =
    prompt
      .split('\n')
      .map((text) => text.replace(/[#*`>]/g, '').trim())
      .find((text) => text !== '') ?? ''
  return line.length > 160 ? `${line.slice(0, 160)}…` : line
}

function article(sample: ReportSample, index: number): Html {
  return html`<article class="sample" id="sample-${index}" hidden>
<h3>${badge(sample.kind)} ${labelsOf(sample).map(badge)} <code>${sample.id}</code></h3>
<p class="quiet">${sample.source} · ${sample.licence} · ${sample.author} · ${sample.split}</p>
<h4>Prompt</h4>
${readable(sample.prompt)}
${difference(sample)}
<div class="sides">${sample.sides.map(
    (side) => html`<div>
${sample.sides.length > 1 && html`<h4>${side.title} ${side.label !== undefined && badge(side.label)}</h4>`}
${side.reasoning !== '' && html`<h4>Reasoning</h4><div class="reasoning">${readable(side.reasoning)}</div>`}
<h4>Answer</h4>
${side.verdict !== '' && html`<p class="quiet">Verdict: ${side.verdict}</p>`}
${readable(side.answer)}
</div>`,
  )}</div>
</article>
`
}

const marked = (kind: string, sign: string, line: string) => html`<span class="${kind}">${sign} ${line}</span>\n`

/**
 * The lines of one side that the other has not: candidates of one task differ in little, and that little is the lesson.
 */
function difference({sides: [better, worse]}: ReportSample): Html | undefined {
  if (!better || !worse) return undefined
  const lines = {better: better.answer.split('\n'), worse: worse.answer.split('\n')}
  const gone = lines.better.filter((line) => !lines.worse.includes(line))
  const came = lines.worse.filter((line) => !lines.better.includes(line))
  if (gone.length + came.length === 0 || gone.length + came.length > 60) return undefined
  return html`<h4>Lines that differ: <span class="gone">− chosen</span>, <span class="came">+ rejected</span></h4>
<pre>${gone.map((line) => marked('gone', '−', line))}${came.map((line) => marked('came', '+', line))}</pre>`
}
