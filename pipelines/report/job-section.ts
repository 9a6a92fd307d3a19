import {number} from '../../eval/scores/marks.ts'
import {html, type Html} from '../../eval/scores/markup.ts'
import type {ReportJob} from './input.ts'
import {lossCurve} from './loss-curve.ts'

interface Shown {
  jobs: readonly ReportJob[]
  /** SHA-256 of the manifest of the data set beside this report; null where there is none. */
  manifest: string | null
}

/** Training jobs, each with what it was made from and what came of it. */
export function jobSection({jobs, manifest}: Shown): Html {
  return html`<section id="jobs">
<h2>Training</h2>
${jobs.map((job) => jobPart(job, manifest))}
</section>
`
}

function jobPart({record, progress, scores, sources}: ReportJob, manifest: string | null): Html {
  const last = progress.at(-1)
  const attempt = record.attempts.at(-1)
  const steps = last && `${number(last.step)} of ${number(record.arithmetic.steps)} steps`
  const loss = last?.loss === undefined || last.loss === null ? '' : `loss ${last.loss.toPrecision(4)}`
  const facts = [attempt?.state ?? 'not started', steps, loss, attemptsOf(record.attempts.length)]
  return html`<details ${attempt?.state === 'succeeded' ? '' : 'open'}>
<summary>${record.id}<span class="quiet">${facts.filter((fact) => fact).join(' · ')}</span></summary>
<ul>
<li>${record.method} by ${record.engine} on ${record.backend}${versionsOf(record.versions)}</li>
<li>from ${baseOf(record.base)}</li>
<li>on ${dataOf(record.data, manifest)}${sources.length > 0 && html`<ul>${sources.map(sourceOf)}</ul>`}</li>
${scores.map((run) => html`<li>scored in ${run}</li>`)}
${attempt && attempt.detail !== '' && html`<li>${attempt.detail}</li>`}
</ul>
${lossCurve(progress)}
</details>
`
}

function sourceOf({repository, revision, licence, rows}: ReportJob['sources'][number]): Html {
  const at = revision === '' ? '' : ` at ${revision.slice(0, 12)}`
  return html`<li>${repository}${at}, ${licence}: ${number(rows)} rows</li>`
}

const attemptsOf = (count: number) => (count > 1 ? `${count} attempts` : '')

function versionsOf(versions: Readonly<Record<string, string>>): string {
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return named.length === 0 ? '' : ` (${named.join(', ')})`
}

function baseOf({name, revision, job}: ReportJob['record']['base']): string {
  const at = revision === null ? '' : ` at ${revision.slice(0, 12)}`
  return job === null ? `the model ${name}${at}` : `what the job ${job} left`
}

function dataOf({config, split, rows, source, sha256, manifest}: ReportJob['record']['data'], here: string | null) {
  const which =
    manifest !== null && manifest === here
      ? 'the data set of this report'
      : `the data set ${source}${manifest === null ? '' : `, manifest ${manifest.slice(0, 12)}`}`
  return `${number(rows)} rows of ${config}, ${split}, of ${which} (rows ${sha256.slice(0, 12)})`
}
