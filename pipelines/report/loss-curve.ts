import type {Progress} from '../../datasets/schema/job.ts'
import {html, type Html} from '../../eval/scores/markup.ts'

const [width, height, margin] = [560, 120, 6]
const mostPoints = 280

/** Loss by step as a line, the highest and the lowest named; steps whose loss is no number leave a gap. */
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

/** Every so many, first and last among them: a picture shows no more. */
function thinned(progress: readonly Progress[]): Progress[] {
  const every = Math.ceil(progress.length / mostPoints)
  return progress.filter((_, at) => at % every === 0 || at === progress.length - 1)
}
