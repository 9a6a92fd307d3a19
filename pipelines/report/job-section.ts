import {number} from '../../eval/scores/marks.ts'
import {html, type Html} from '../../eval/scores/markup.ts'
import type {ReportJob} from './input.ts'
import type {Progress} from '../../datasets/schema/job.ts'

interface Shown {
  jobs: readonly ReportJob[]
  /** SHA-256 of the manifest of the data set next to this report; null without one. */
  manifest: string | null
}

/** Training jobs, each with its inputs and its result. */
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
  return job === null ? `the model ${name}${at}` : `the model of job ${job}`
}

function dataOf({config, split, rows, source, sha256, manifest}: ReportJob['record']['data'], here: string | null) {
  const which =
    manifest !== null && manifest === here
      ? 'the data set of this report'
      : `the data set ${source}${manifest === null ? '' : `, manifest ${manifest.slice(0, 12)}`}`
  return `${number(rows)} rows of ${config}, ${split}, of ${which} (rows ${sha256.slice(0, 12)})`
}

const [width, height, margin] = [560, 120, 6]
const mostPoints = 280

/** Loss by step as a line, the highest and the lowest named; steps whose loss is not a number leave a gap. */
export function lossCurve(progress: readonly Progress[]): Html | undefined {
  const shown = thinned(progress)
  const losses = shown.flatMap(({loss}) => (loss === null ? [] : [loss]))
  const steps = shown.map(({step}) => step)
  if (losses.length < 2) return undefined
  const [low, high] = [Math.min(...losses), Math.max(...losses)]
  const [first, last] = [Math.min(...steps), Math.max(...steps)]
  const x = (step: number) => margin + ((step - first) / Math.max(1, last - first)) * (width - 2 * margin)
  const y = (loss: number) => margin + ((high - loss) / (high - low || 1)) * (height - 2 * margin)
  const lines = runsOf(shown).map((run) => run.map(({step, loss}) => `${short(x(step))},${short(y(loss))}`).join(' '))
  return html`<figure><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img"
aria-label="loss by step">${lines.map(lineOf)}
</svg><figcaption class="quiet">loss from step ${first} to ${last}: highest ${high.toPrecision(4)}, lowest
${low.toPrecision(4)}</figcaption></figure>
`
}

const lineOf = (points: string) => html`<polyline points="${points}" fill="none" stroke="currentColor"/>`

const short = (value: number) => value.toFixed(1)

interface Point {
  step: number
  loss: number
}

/** Stretches of steps whose loss is a number. */
function runsOf(progress: readonly Progress[]): Point[][] {
  const runs: Point[][] = [[]]
  for (const {step, loss} of progress) {
    if (loss === null) runs.push([])
    else runs.at(-1)?.push({step, loss})
  }
  return runs.filter((run) => run.length > 0)
}

/** Every n-th point, first and last included: a picture shows no more. */
function thinned(progress: readonly Progress[]): Progress[] {
  const every = Math.ceil(progress.length / mostPoints)
  return progress.filter((_, at) => at % every === 0 || at === progress.length - 1)
}
