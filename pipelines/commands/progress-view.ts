import {clock} from '../../engine/counted.ts'
import type {Spending} from '../../engine/llm/connect.ts'
import type {StageCounts} from '../../engine/progress.ts'
import type {Display} from './display.ts'
import {
  describeSpending,
  estimates,
  stageInWords,
  stageLine,
  tallyLine,
  workforceLine,
  type StageLine,
} from './stage-line.ts'
import type {Terminal} from './terminal.ts'
import {wrapped, wrappedItems} from './text-table.ts'

/** Shows the progress of one recipe after another. */
interface ProgressView {
  /** The counts are live. Replaces a recipe that is still shown. */
  start(recipe: string, counts: readonly StageCounts[]): void
  /**
   * Ends the current recipe's display; `failed` marks the stages that did not finish. Does nothing when none was
   * started.
   */
  stop(how: {failed: boolean}): void
}

interface Shown {
  recipe: string
  counts: readonly StageCounts[]
  started: number
}

interface Form {
  everyMilliseconds: number
  during(shown: Shown): void
  end(shown: Shown, how: {failed: boolean}): void
}

/**
 * Bars on a terminal, plain lines when piped. Counts are polled, so that drawing costs the engine nothing.
 * @param ahead returns what follows the recipe that is shown
 */
export function progressView(
  terminal: Terminal,
  now: () => number,
  spending: () => Readonly<Spending>,
  ahead: () => string = () => '',
): ProgressView {
  const form = terminal.display ? bars(terminal.display, {now, spending, ahead}) : lines(terminal, now, spending)
  let shown: Shown | undefined
  let timer: NodeJS.Timeout | undefined
  return {
    start(recipe, counts) {
      clearInterval(timer)
      const current = {recipe, counts, started: now()}
      shown = current
      timer = setInterval(() => form.during(current), form.everyMilliseconds)
      timer.unref()
    },
    stop(how) {
      clearInterval(timer)
      if (shown) form.end(shown, how)
      shown = undefined
    },
  }
}

const signs = {running: '●', finished: '✓', stopped: '✗'}

interface Told {
  now(): number
  spending(): Readonly<Spending>
  /** What follows the recipe that is shown. */
  ahead(): string
}

function bars(display: Display, {now, spending, ahead}: Told): Form {
  const frame = ({recipe, counts, started}: Shown, state: StageLine['state']) => {
    const seconds = (now() - started) / 1000
    const nameWidth = Math.max(...counts.map(({stage}) => stage.length))
    const totals = estimates(counts)
    const {width} = display
    const stages = counts.flatMap((count, index) => {
      const [upstream, estimate] = [counts[index - 1], totals[index]]
      const below = [tallyLine(count, seconds), workforceLine(count)].filter((text) => text !== '')
      const line = stageLine({count, upstream, estimate, seconds, state, nameWidth, width})
      return [...line, ...below.flatMap((text) => wrappedItems(text, 6, width).split('\n'))]
    })
    const asked = describeSpending(spending())
    const told = asked === '' ? [] : wrapped(`    ${asked}`, 6, width).split('\n')
    return [`${signs[state]} ${recipe}  ${clock(seconds)}`, ...stages, ...told].map((line) => line.slice(0, width))
  }
  return {
    everyMilliseconds: 200,
    during(shown) {
      const next = ahead()
      const told = next === '' ? [] : wrapped(`  ${next}`, 2, display.width).split('\n')
      display.draw([...frame(shown, 'running'), ...told])
    },
    end(shown, {failed}) {
      display.draw(frame(shown, failed ? 'stopped' : 'finished'))
      display.settle()
    },
  }
}

function lines(terminal: Terminal, now: () => number, spending: () => Readonly<Spending>): Form {
  const write = ({recipe, counts, started}: Shown) => {
    const stages = counts.filter(({read}) => read > 0).map(stageInWords)
    const parts = [...stages, describeSpending(spending())].filter((part) => part !== '')
    terminal.say(`${recipe} ${((now() - started) / 1000).toFixed(1)}s: ${parts.join(' | ') || 'nothing read yet'}`)
  }
  return {everyMilliseconds: 10_000, during: write, end: write}
}
