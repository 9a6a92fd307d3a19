import type {CostPipe} from '../schema/optimisation.ts'
import type {CoreTimeline, Stall, Timeline, TimelineInterval, TimelineWait} from '../schema/timeline.ts'
import {escaped} from './bar-chart.ts'
import {count} from './card-sections.ts'

export interface ShownTimeline {
  title: string
  /** The call that it is of. */
  sizes?: string
  timeline: Timeline
  /** Position in `cores`; default the slowest. */
  core?: number
}

interface Window {
  from: number
  to: number
}

interface PictureOptions {
  /** Cycles that are shown; default all, or as many as `mostIntervals` of the busiest pipe take. */
  window?: Window | undefined
  /** Pixels, for Markdown, whose pages scale pictures; default as wide as the place of the picture. */
  pixels?: number | undefined
}

/** Of one pipe: more are too narrow on a telephone. */
const mostIntervals = 60

/** Pixels. Horizontal places are in percent, so that bars are as wide as the page and letters stay as large. */
const [lineHeight, laneHeight, gap] = [17, 22, 8]
const [left, width] = [1.5, 97]
/** As many letters as 390 pixels hold. */
const lettersPerLine = 57
/** Causes that a narrow page or a terminal tells of each timeline. */
export const mostWaits = 3

export const lanes: Readonly<Record<CostPipe, string>> = {
  MTE2: 'MTE2, copies in',
  V: 'V, vector unit',
  S: 'S, scalar unit',
  MTE3: 'MTE3, copies out',
}

/** Of causes without a name. */
const labels: Partial<Record<TimelineWait['kind'], string>> = {scalar: 'value', issue: 'S', gm: 'GM'}

const style = `<style>
.tl{font:12px Arial,Helvetica,sans-serif}.tl-bg{fill:#fff}.tl text{fill:#1f2328}.tl-track{fill:#eaeef2}
.tl .tl-on{fill:#fff}.tl-bold{font-weight:bold}.tl-bar{stroke:#fff;stroke-width:.5}.tl-axis{stroke:#6e7781}
.tl-hatch{stroke:#8c959f;stroke-width:2}.tl .tl-why{paint-order:stroke;stroke:#eaeef2;stroke-width:4px}
.tl-MTE2{fill:#2f6fb0}.tl-V{fill:#2e7d4f}.tl-S{fill:#9a6700}.tl-MTE3{fill:#7a4fc0}
.tl-narrow{display:none}
@media (max-width:700px){.tl-on,.tl-why,.tl-wide{display:none}.tl-narrow{display:inline}}
@media (prefers-color-scheme:dark){.tl-bg{fill:#0d1117}.tl text{fill:#e6edf3}.tl-track{fill:#21262d}
.tl-bar{stroke:#0d1117}.tl-hatch{stroke:#6e7681}.tl .tl-why{stroke:#21262d}}
</style>
<defs><pattern id="tl-wait" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<line class="tl-hatch" x1="1" y1="0" x2="1" y2="7"/></pattern></defs>`

/**
 * Timelines below one another, on one axis of modelled cycles: an SVG as wide as its place, for light and dark pages.
 * The same timelines give the same bytes.
 */
export function timelinePicture(shown: readonly ShownTimeline[], {window: asked, pixels}: PictureOptions = {}): string {
  const chosen = shown.map(({title, sizes, timeline, core}) => {
    const one = timeline.cores[core ?? timeline.slowest]
    if (!one) throw new TypeError(`timelinePicture: ${title} has no core ${core}`)
    return {title, lines: [...(sizes ? [sizes] : []), ...summaryOf(timeline, one)], core: one}
  })
  const window = asked ?? windowOf(shown)
  const sheet = new Sheet(window)
  for (const {title, lines, core} of chosen) {
    sheet.text(title, 'tl-bold')
    for (const line of lines) sheet.text(line)
    for (const pipe of pipesOf(core)) sheet.lane(core, pipe)
    sheet.axis()
    for (const line of leftOut(core, window)) sheet.text(line)
    sheet.list(waitsOf(core))
    sheet.space()
  }
  sheet.text('Modelled from published rates and the instructions of a run, never measured. Hatched: the pipe waits.')
  const scaled = `width="${pixels}" height="${sheet.height}" viewBox="0 0 ${pixels} ${sheet.height}"`
  const size = pixels === undefined ? `width="100%" height="${sheet.height}"` : scaled
  const titles = chosen.map(({title}) => title).join('; ')
  const told = chosen.flatMap(({title, lines, core}) =>
    [title, ...lines, ...waitsOf(core).slice(0, mostWaits)].map((line) => `${line}.`),
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} class="tl" role="img"`,
    ` aria-label="${escaped(`Modelled timeline: ${titles}`)}">`,
    `\n<title>${escaped(`Modelled timeline: ${titles}`)}</title>\n<desc>${escaped(told.join(' '))}</desc>\n`,
    `${style}\n<rect class="tl-bg" width="100%" height="100%"/>\n${sheet.parts.join('\n')}\n</svg>\n`,
  ].join('')
}

/** Cycles that show the first part of each: what several pictures have to share to be compared. */
export function windowOf(shown: readonly ShownTimeline[]): Window {
  const cores = shown.flatMap(({timeline, core}) => timeline.cores[core ?? timeline.slowest] ?? [])
  return {from: 0, to: Math.max(1, ...cores.map(firstPart))}
}

export const pipesOf = ({busy}: CoreTimeline) => (Object.keys(lanes) as CostPipe[]).filter((pipe) => busy[pipe] > 0)

/** The end of the last interval that is shown. */
function firstPart(core: CoreTimeline): number {
  const ends = pipesOf(core).flatMap((pipe) => {
    const lane = core.intervals.filter((one) => one.pipe === pipe)
    return lane.length > mostIntervals ? [lane[mostIntervals - 1]?.end ?? 0] : []
  })
  return Math.min(core.cycles, ...ends)
}

class Sheet {
  readonly parts: string[] = []
  height = gap
  readonly #window: Window

  constructor(window: Window) {
    this.#window = window
  }

  /** On one line of a wide page, on several of a narrow one. */
  text(text: string, kind = ''): void {
    this.#lines([text], linesOf(text), kind)
  }

  /** The first of a list on a narrow page, and as many more on a wide one as there is room for. */
  list(texts: readonly string[]): void {
    const narrow = texts.slice(0, mostWaits).flatMap(linesOf)
    this.#lines(texts.slice(0, narrow.length), narrow, '')
  }

  #lines(wide: readonly string[], narrow: readonly string[], kind: string): void {
    const placed = (lines: readonly string[], as: string) =>
      lines.map((line, at) => {
        const y = this.height + (at + 1) * lineHeight - 4
        const kinds = [kind, as].filter((one) => one !== '').join(' ')
        return `<text x="${left}%" y="${y}"${kinds === '' ? '' : ` class="${kinds}"`}>${escaped(line)}</text>`
      })
    const alike = wide.length === narrow.length
    this.parts.push(...(alike ? placed(narrow, '') : [...placed(wide, 'tl-wide'), ...placed(narrow, 'tl-narrow')]))
    this.height += narrow.length * lineHeight
  }

  space(): void {
    this.height += gap
  }

  lane({intervals, stalls, busy, cycles}: CoreTimeline, pipe: CostPipe): void {
    this.text(`${lanes[pipe]}: busy ${percent(busy[pipe] / cycles)}`)
    this.parts.push(this.#box({start: this.#window.from, end: this.#window.to}, 'class="tl-track"'))
    for (const stall of stalls.filter((one) => one.pipe === pipe)) this.#stall(stall)
    for (const interval of intervals.filter((one) => one.pipe === pipe)) this.#interval(interval)
    this.height += laneHeight + gap
  }

  axis(): void {
    const {from, to} = this.#window
    const across = `x1="${left}%" x2="${left + width}%" y1="${this.height}" y2="${this.height}"`
    this.parts.push(`<line class="tl-axis" ${across}/>`)
    for (const tick of ticksOf(from, to)) {
      const x = `${this.#place(tick)}%`
      const anchor = tick === from ? 'start' : 'middle'
      this.parts.push(
        `<line class="tl-axis" x1="${x}" x2="${x}" y1="${this.height}" y2="${this.height + 4}"/>`,
        `<text x="${x}" y="${this.height + 16}" text-anchor="${anchor}">${count(tick)}</text>`,
      )
    }
    this.height += lineHeight + 4
    this.text('modelled cycles')
  }

  #stall({start, end, cause}: Stall): void {
    if (!this.#isShown({start, end})) return
    const told = `waits ${rounded(end - start)} cycles for ${causeOf(cause)}`
    const label = this.#label({start, end}, cause.name || (labels[cause.kind] ?? ''), 'tl-why')
    this.parts.push(`<g><title>${escaped(told)}</title>${this.#box({start, end}, 'fill="url(#tl-wait)"')}${label}</g>`)
  }

  #interval(interval: TimelineInterval): void {
    if (!this.#isShown(interval)) return
    const {pipe, start, end, api, bytes, repeats} = interval
    const amount = bytes === undefined ? repeats && `${count(repeats)} repeats` : `${count(bytes)} bytes`
    const what = [nameOf(interval), ...(amount ? [amount] : []), `cycles ${rounded(start)} to ${rounded(end)}`]
    const box = this.#box(interval, `class="tl-bar tl-${pipe}"`)
    const label = this.#label(interval, api, 'tl-on')
    this.parts.push(`<g><title>${escaped(what.join(', '))}</title>${box}${label}</g>`)
  }

  #isShown({start, end}: {start: number; end: number}): boolean {
    return end > this.#window.from && start < this.#window.to
  }

  #place(cycle: number): number {
    const {from, to} = this.#window
    const share = (Math.min(Math.max(cycle, from), to) - from) / (to - from)
    return short(left + width * share)
  }

  #box({start, end}: {start: number; end: number}, as: string): string {
    const x = this.#place(start)
    return `<rect ${as} x="${x}%" y="${this.height}" width="${short(this.#place(end) - x)}%" height="${laneHeight}"/>`
  }

  /** Cut where the box ends, and omitted if that is narrow. */
  #label({start, end}: {start: number; end: number}, text: string, kind: string): string {
    const x = this.#place(start)
    const wide = short(this.#place(end) - x)
    if (wide < text.length * 0.55 + 0.8) return ''
    const size = `x="${x}%" y="${this.height}" width="${wide}%" height="${laneHeight}"`
    return `<svg ${size}><text class="${kind}" x="5" y="15">${escaped(text)}</text></svg>`
  }
}

export function summaryOf({cores, cyclesPerMicrosecond}: Timeline, core: CoreTimeline): string[] {
  const time = `${cycles(core.cycles)} (${short(core.cycles / cyclesPerMicrosecond)} µs)`
  const apart = Math.abs(core.modelledCycles - core.cycles) > core.cycles / 1000
  const [shorter, longer] = core.busy.V < core.busy.MTE2 ? ['V', 'MTE2'] : ['MTE2', 'V']
  return [
    `${core.left > 0 ? 'First ' : ''}${time}, core ${cores.indexOf(core) + 1} of ${cores.length}`,
    ...(apart ? [`Cost model, tile by tile: ${cycles(core.modelledCycles)}`] : []),
    `${shorter} works beside ${longer} for ${percent(core.overlap)} of its time`,
  ]
}

function leftOut(core: CoreTimeline, {from, to}: Window): string[] {
  const left = core.left > 0 ? [`${count(core.left)} further instructions are not told`] : []
  if (from <= 0 && to >= core.cycles) return left
  return [`Shown: cycles ${rounded(from)} to ${rounded(to)} of ${rounded(core.cycles)}`, ...left]
}

/** What pipes wait for over all of the core, longest first. */
export function waitsOf({stalls, intervals}: CoreTimeline): string[] {
  const home = intervals.find(({place}) => place)?.place?.path
  const sums = new Map<string, {stall: Stall; cycles: number; times: number}>()
  for (const stall of stalls) {
    const key = `${stall.pipe} ${causeOf(stall.cause, home)}`
    const {cycles, times} = sums.get(key) ?? {cycles: 0, times: 0}
    sums.set(key, {stall, cycles: cycles + stall.end - stall.start, times: times + 1})
  }
  return [...sums.values()]
    .sort((one, other) => other.cycles - one.cycles)
    .map(({stall: {pipe, cause}, cycles, times}) => {
      const gaps = `${rounded(cycles)} cycles in ${times} ${times === 1 ? 'gap' : 'gaps'}`
      return `${pipe} waits ${gaps} for ${causeOf(cause, home)}`
    })
}

const objects: Readonly<Record<TimelineWait['kind'], (wait: TimelineWait) => string>> = {
  queue: ({name, api}) => (api === 'DeQue' ? name : `a free tensor of ${name}`),
  event: ({name}) => name,
  barrier: ({name}) => name,
  scalar: ({by}) => `what ${by.pipe} works on`,
  issue: () => 'the scalar unit, which gives out instructions',
  gm: ({by}) => `bandwidth of GM, which ${by.pipe} has`,
}

/** @param home the file whose name is omitted */
function causeOf(wait: TimelineWait, home?: string): string {
  const call = wait.api === '' ? '' : ` (${nameOf(wait, home)})`
  return `${objects[wait.kind](wait)}${call}, until ${nameOf(wait.by, home)} ends`
}

/** `DataCopy, line 30 of add.cpp`. */
function nameOf({api, place}: Pick<TimelineWait, 'api' | 'place'>, home?: string): string {
  if (!place) return api
  return `${api}, line ${place.line}${place.path === home ? '' : ` of ${place.path.split('/').at(-1)}`}`
}

function linesOf(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < lettersPerLine) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(lines.length === 0 ? word : `  ${word}`)
  }
  return lines
}

/** At most five, at round numbers. */
function ticksOf(from: number, to: number): number[] {
  const power = 10 ** Math.floor(Math.log10((to - from) / 4))
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => (to - from) / one <= 4.9) ?? to
  const ticks: number[] = []
  for (let at = Math.ceil(from / step) * step; at <= to - step / 10; at += step) ticks.push(at)
  return ticks
}

const short = (value: number) => Math.round(value * 100) / 100
const rounded = (value: number) => count(Math.round(value))
const cycles = (value: number) => `${rounded(value)} modelled cycles`
export const percent = (share: number) => `${Math.round(share * 100)} %`
