import {readFileSync} from 'node:fs'
import {size} from '../../datasets/card/card-sections.ts'
import type {Config} from '../../datasets/schema/export.ts'
import {best, labels, meaningOf} from '../../datasets/schema/label.ts'
import {html, type Html} from '../../eval/scores/markup.ts'
import {ReportInput, type ReportConfig, type Tally} from './input.ts'
import {errorSection} from './error-section.ts'
import {htmlPage} from '../../eval/scores/document.ts'
import {jobSection} from './job-section.ts'
import {runSection} from './run-section.ts'
import {sampleBrowser} from './sample-section.ts'
import {scoreSections} from '../../eval/scores/page.ts'
import {bars, number} from '../../eval/scores/marks.ts'

const script = readFileSync(new URL('browse.js', import.meta.url), 'utf8')

/**
 * One HTML file that shows what a set of runs made.
 * @throws z.ZodError when the input is not what `ReportInput` says
 */
export function renderReport(unchecked: ReportInput): string {
  const input = ReportInput.parse(unchecked)
  const body = [
    summary(input),
    runSection(input.runs),
    records(input),
    verdicts(input),
    ...(input.jobs.length > 0 ? [jobSection(input)] : []),
    scoreSections(input.scores),
    ...(input.errors ? [errorSection(input.errors)] : []),
    sampleBrowser(input.samples),
    sources(input),
    paths(input),
  ]
  return htmlPage(input.title, body, script)
}

function summary({title, configs, candidates, runs, jobs, scores, errors}: ReportInput): Html {
  const rows = (config: Config) =>
    configs.find((it) => it.config === config)?.splits.reduce((sum, split) => sum + split.rows, 0) ?? 0
  const failed = runs.flatMap(({counts}) => counts).reduce((sum, count) => sum + count.failed, 0)
  const figures: [figure: string, what: string][] = [
    [number(rows('sft')), 'SFT samples'],
    [number(rows('dpo')), 'preference pairs'],
    [number(rows('apis')), 'documented interfaces'],
  ]
  if (candidates)
    figures.push(
      [number(candidates.total), 'candidates judged'],
      [number(bestOf(candidates.labels)), `${best} among them`],
    )
  figures.push([number(failed), 'records failed'])
  const chapters = [
    ['runs', 'Runs'],
    ['records', 'Records'],
    ['verdicts', 'Labels and verdicts'],
    ...(jobs.length > 0 ? [['jobs', 'Training']] : []),
    ...(scores.length > 0 ? [['scores', 'Scores']] : []),
    ...(errors ? [['errors', 'Errors']] : []),
    ['samples', 'Samples'],
    ['sources', 'Licences'],
    ['paths', 'Files'],
  ]
  return html`<header>
<h1>${title}</h1>
<nav>${chapters.map(([id, name]) => html`<a href="#${id}">${name}</a>`)}</nav>
<ul class="figures">${figures.map(([figure, what]) => html`<li><b>${figure}</b><span>${what}</span></li>`)}</ul>
</header>
`
}

function records({configs}: ReportInput): Html {
  if (configs.length === 0) return html`<section id="records"><h2>Records</h2><p>Nothing was exported.</p></section>`
  return html`<section id="records">
<h2>Records</h2>
<div class="columns">${configs.map(
    (config) => html`<div>
<h3>${told[config.config].rows}</h3>
${bars(config.kinds)}
<p class="quiet">${config.splits.map(splitInWords).join(' · ')}</p>
<p class="quiet">${teachers(config)}</p>
</div>`,
  )}</div>
</section>
`
}

/** How the rows of a configuration are counted, and who wrote them. */
const told: {readonly [C in Config]: {rows: string; written?: string}} = {
  sft: {rows: 'Samples by kind', written: 'Written by'},
  dpo: {rows: 'Pairs by labels, chosen · rejected', written: 'Rejected sides by'},
  apis: {rows: 'Documented interfaces by kind'},
  errors: {rows: 'Failed candidates by class', written: 'Candidates by'},
  kto: {rows: 'Unpaired replies by label', written: 'Replies by'},
  optimisation: {rows: 'Pairs of faster and slower operators by step'},
}

function splitInWords({split, rows, files, bytes}: ReportConfig['splits'][number]): string {
  return `${split}: ${number(rows)} rows in ${files} ${files === 1 ? 'file' : 'files'}, ${size(bytes)}`
}

function teachers({config, teachers: tally}: ReportConfig): string {
  const {written} = told[config]
  if (written === undefined) return 'Extracted from their pages by rules; no model wrote them.'
  const note = tally.some(([name]) => name === 'offline')
    ? '. Offline text is composed from computed facts; no model wrote it.'
    : ''
  return `${written} ${tally.map(([name, rows]) => `${name} ${number(rows)}`).join(', ')}${note}`
}

const bestOf = (counts: Tally) => counts.find(([label]) => label === best)?.[1] ?? 0

/** What the candidates of each label did, one sentence each. */
function labelTexts(tally: Tally): string[] {
  return labels.map((label) => {
    const {report, deeds} = meaningOf(label)
    const counted = deeds.map(({what, outcomes}) => {
      const fitting = tally.filter(([outcome]) => outcomes.some((one) => one === outcome))
      return `${what} (${number(fitting.reduce((sum, [, count]) => sum + count, 0))})`
    })
    const done = counted.join(', ').replace(/, (?=[^,]*$)/, ' or ')
    return `${label.replace(/^./, (first) => first.toUpperCase())}: ${report.replace('{deeds}', done)}.`
  })
}

const aboutTwin = [
  'The twin is a CPU emulation of the Ascend C device and host interfaces with strict checks.',
  'It is neither the CANN compiler nor an NPU: its verdicts are not hardware verdicts, and it measures no speed.',
].join(' ')

function executorRow({name, compiler, soc, fingerprint}: ReportInput['executors'][number]): Html {
  const print = html`<code>${fingerprint}</code>`
  return html`<tr><td>${name}</td><td>${compiler}</td><td>${soc}</td><td class="wide">${print}</td></tr>`
}

function verdicts({candidates, executors}: ReportInput): Html {
  const explained = [...labelTexts(candidates?.outcomes ?? []), 'Labels are observed, never assumed.'].join(' ')
  const authors = candidates?.samplers.map(([name, count]) => `${name} ${number(count)}`).join(', ')
  return html`<section id="verdicts">
<h2>Labels and verdicts</h2>
${
  candidates
    ? html`<div class="columns">
<div><h3>Candidates by label</h3>${bars(candidates.labels)}<p class="quiet">${explained}</p></div>
<div><h3>Candidates by verdict</h3>${bars(candidates.outcomes)}<p class="quiet">Authors: ${authors}.</p></div>
</div>`
    : html`<p>No candidates for training were judged.</p>`
}
${
  executors.length > 0 &&
  html`${apart(candidates, executors)}<h3>Executors</h3>
<div class="scroll"><table><tr><th>name</th><th>compiler</th><th>SoC</th><th>fingerprint</th></tr>
${executors.map(executorRow)}</table></div>`
}
${executors.some(({name}) => name.startsWith('twin')) && html`<p class="quiet">${aboutTwin}</p>`}
</section>
`
}

function apart(candidates: ReportInput['candidates'], {length}: ReportInput['executors']): Html | '' {
  if (!candidates || length < 2) return ''
  return html`<h3>Candidates by executor and label</h3>${bars(candidates.executors)}\n`
}

function sources({configs}: ReportInput): Html {
  return html`<section id="sources">
<h2>Licences</h2>
<div class="columns">${configs.map(({config, licences}) => html`<div><h3>${config}</h3>${bars(licences)}</div>`)}</div>
<p class="quiet">The data set's NOTICES.md lists the conditions and the sources.</p>
</section>
`
}

function paths({paths: files}: ReportInput): Html {
  const rows = files.map(({what, path}) => html`<tr><td>${what}</td><td class="wide"><code>${path}</code></td></tr>`)
  return html`<section id="paths">
<h2>Files</h2>
<div class="scroll"><table>${rows}</table></div>
</section>
`
}
