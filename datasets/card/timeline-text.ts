import type {CoreTimeline} from '../schema/timeline.ts'
import type {CostPipe} from '../schema/optimisation.ts'
import {lanes, mostWaits, percent, pipesOf, summaryOf, waitsOf, type ShownTimeline} from './timeline-picture.ts'

/** Marks by how much of a cell a pipe is busy, from nothing to all of it. */
const marks = ['·', '░', '▒', '▓', '█'] as const

/** A timeline for a terminal: its figures, a lane of cells for each pipe over all cycles, and the longest waits. */
export function timelineText({timeline, core: asked, sizes}: ShownTimeline, columns: number): string[] {
  const core = timeline.cores[asked ?? timeline.slowest]
  if (!core) throw new TypeError(`timelineText: there is no core ${asked}`)
  const names = pipesOf(core).map((pipe) => ({pipe, name: `${lanes[pipe]} ${percent(core.busy[pipe] / core.cycles)}`}))
  const wide = Math.max(...names.map(({name}) => name.length))
  const cells = Math.max(10, columns - wide - 1)
  return [
    ...(sizes === undefined ? [] : [sizes]),
    ...summaryOf(timeline, core),
    ...names.map(({pipe, name}) => `${name.padEnd(wide)} ${lane(core, pipe, cells)}`),
    ...waitsOf(core).slice(0, mostWaits),
  ]
}

function lane({cycles, intervals}: CoreTimeline, pipe: CostPipe, cells: number): string {
  const [each, busy] = [cycles / cells, new Float64Array(cells)]
  for (const one of intervals.filter((other) => other.pipe === pipe)) {
    const last = Math.min(cells - 1, Math.floor(one.end / each))
    for (let cell = Math.floor(one.start / each); cell <= last; cell += 1)
      busy[cell]! += Math.max(0, Math.min(one.end, (cell + 1) * each) - Math.max(one.start, cell * each)) / each
  }
  const top = marks.length - 1
  return Array.from(busy, (share) => marks[Math.min(top, Math.ceil(share * top - 1e-9))]).join('')
}
