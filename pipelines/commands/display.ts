import {createLogUpdate} from 'log-update'

/** The part of a terminal that is redrawn: the last lines, below everything that was printed. */
export interface Display {
  /** Cells per line. */
  readonly width: number
  /** Replaces what was drawn before. No line may be wider than `width`. */
  draw(lines: readonly string[]): void
  /** Keeps what was drawn; the next drawing begins below it. */
  settle(): void
  /** Writes text that stays above the redrawn part. */
  above(write: () => void): void
}

/**
 * The part of a terminal's stream that we use; a terminal that reports no size, or 0 columns, is treated as 80 by 24.
 */
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
      // After a change of width the terminal has rewrapped the old lines: their number is unknown.
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
