import {createLogUpdate} from 'log-update'

/** The part of a terminal that is redrawn: the last lines, below everything that was printed. */
export interface Display {
  /** Cells per line. */
  readonly width: number
  /** Replaces what was drawn before. No line may be wider than `width`. */
  draw(lines: readonly string[]): void
  /** Leaves what was drawn where it is; the next drawing begins below it. */
  settle(): void
  /** Writes something that stays above what is drawn. */
  above(write: () => void): void
}

/** What we need of a terminal's stream; one that reports no size, or 0 columns, counts as 80 by 24. */
interface Screen {
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
}

/** The cursor stays visible: a hidden one would stay hidden when the process is killed. */
export function openDisplay(screen: Screen): Display {
  const sized = {
    get columns() {
      return screen.columns || 80
    },
    get rows() {
      return screen.rows || 24
    },
    write: (text: string) => screen.write(text),
  }
  const update = createLogUpdate(sized as unknown as NodeJS.WritableStream, {showCursor: true})
  let drawn: {lines: readonly string[]; width: number} | undefined
  const render = (lines: readonly string[]) => update(lines.join('\n'))
  return {
    get width() {
      return sized.columns
    },
    draw(lines) {
      // After a change of width the terminal has rewrapped the old lines: nobody can tell how many there are now.
      if (drawn && drawn.width !== sized.columns) update.done()
      drawn = {lines, width: sized.columns}
      render(lines)
    },
    settle() {
      drawn = undefined
      update.done()
    },
    above(write) {
      if (drawn?.width === sized.columns) update.clear()
      else update.done()
      write()
      if (drawn) render(drawn.lines)
    },
  }
}
