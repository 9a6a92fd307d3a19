import type {Curve} from '../protocol.ts'
import {toneOf} from './badge.tsx'

const [width, height, margin] = [560, 120, 6]

/** Lines over one axis, each in the colour of its name; where a value is missing, a line has a gap. */
export function CurveView({title, lines}: Curve & {title: string}) {
  const points = lines.flatMap((line) => line.points)
  const values = points.flatMap(([, value]) => value ?? [])
  const [left, right] = rangeOf(points.map(([at]) => at))
  const [low, high] = rangeOf(values)
  const x = (at: number) => margin + ((at - left) / (right - left || 1)) * (width - 2 * margin)
  const y = (value: number) => margin + ((high - value) / (high - low || 1)) * (height - 2 * margin)
  return (
    <figure class="curve">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title}>
        {lines.flatMap(({name, points: own}) =>
          stretches(own).map((stretch, at) => (
            <polyline
              key={`${name} ${at}`}
              class={`curve-line ${toneOf(name) ?? ''}`}
              points={stretch.map(([one, value]) => `${x(one).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}
            />
          )),
        )}
      </svg>
    </figure>
  )
}

const rangeOf = (values: readonly number[]) => [Math.min(...values), Math.max(...values)] as const

type Point = readonly [at: number, value: number]

function stretches(points: Curve['lines'][number]['points']): Point[][] {
  const found: Point[][] = [[]]
  for (const [at, value] of points) {
    if (value === null) found.push([])
    else found.at(-1)?.push([at, value])
  }
  return found.filter((one) => one.length > 0)
}
