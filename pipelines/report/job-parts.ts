import type {Part} from '../view/protocol.ts'
import type {ReportJob} from './input.ts'

/**
 * A training job with its inputs and its result, and its losses by step.
 * @param manifest SHA-256 of the manifest of the data set of this folder; null without one
 */
export function jobParts({record, progress, scores, sources}: ReportJob, manifest: string | null): Part[] {
  const {id, method, engine, backend, versions, base, attempts, arithmetic} = record
  const last = progress.at(-1)
  const attempt = attempts.at(-1)
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const facts = [
    [
      attempt?.state ?? 'not started',
      ...(last ? [`${last.step} of ${arithmetic.steps} steps`, lossOf(last)] : []),
    ].join(' · '),
    ...(attempts.length > 1 ? [`${attempts.length} attempts`] : []),
    `${method} by ${engine} on ${backend}${named.length > 0 ? ` (${named.join(', ')})` : ''}`,
    `from ${baseOf(base)}`,
    `on ${dataOf(record.data, manifest)}`,
    ...sources.map(({repository, revision, licence, rows}) => {
      const at = revision === '' ? '' : ` at ${revision.slice(0, 12)}`
      return `  ${repository}${at}, ${licence}: ${rows} rows`
    }),
    ...scores.map((run) => `scored in ${run}`),
    ...(attempt && attempt.detail !== '' ? [attempt.detail] : []),
  ]
  const text: Part = {kind: 'text', title: id, text: facts.join('\n')}
  const losses = progress.flatMap(({loss}) => loss ?? [])
  if (losses.length < 2) return [text]
  const points = thinned(progress).map(({step, loss}): [number, number | null] => [step, loss])
  const [high, low] = [Math.max(...losses), Math.min(...losses)].map((loss) => loss.toPrecision(4))
  const steps = progress.map(({step}) => step)
  const note = `Loss from step ${Math.min(...steps)} to ${Math.max(...steps)}: highest ${high}, lowest ${low}.`
  return [text, {kind: 'curve', title: `${id}: loss by step`, note, lines: [{name: 'loss', points}]}]
}

const lossOf = ({loss}: ReportJob['progress'][number]) => `loss ${loss === null ? 'not a number' : loss.toPrecision(4)}`

function baseOf({name, revision, job}: ReportJob['record']['base']): string {
  const at = revision === null ? '' : ` at ${revision.slice(0, 12)}`
  return job === null ? `the model ${name}${at}` : `the model of job ${job}`
}

function dataOf({config, split, rows, source, sha256, manifest}: ReportJob['record']['data'], here: string | null) {
  const which =
    manifest !== null && manifest === here
      ? 'the data set of this report'
      : `the data set ${source}${manifest === null ? '' : `, manifest ${manifest.slice(0, 12)}`}`
  return `${rows} rows of ${config}, ${split}, of ${which} (rows ${sha256.slice(0, 12)})`
}

const mostPoints = 280

/** Every n-th point, the last included: a picture shows no more. */
function thinned<T>(points: readonly T[]): T[] {
  const every = Math.ceil(points.length / mostPoints)
  return points.filter((_, at) => at % every === 0 || at === points.length - 1)
}
