import xterm from '@xterm/headless'
import {describe, expect, test} from 'vitest'
import {openDisplay} from '../../../pipelines/commands/display.ts'

/** A display on an emulated terminal, and what is on its screen. */
function emulated(columns: number, rows = 10) {
  const written: string[] = []
  const size = {columns, rows}
  const display = openDisplay({
    get columns() {
      return size.columns
    },
    get rows() {
      return size.rows
    },
    write: (text) => written.push(text),
  })
  const say = (text: string) => display.above(() => written.push(`${text}\n`))
  const screen = async () => {
    const terminal = new xterm.Terminal({cols: columns || 80, rows, allowProposedApi: true, convertEol: true})
    await new Promise<void>((resolve) => terminal.write(written.join(''), resolve))
    const {active} = terminal.buffer
    const lines = Array.from({length: active.length}, (_, at) => active.getLine(at)?.translateToString(true) ?? '')
    while (lines.at(-1) === '') lines.pop()
    return lines
  }
  return {display, say, screen, size, written}
}

describe('what is drawn on a terminal', () => {
  test('replaces what was drawn before, fewer lines and more', async () => {
    const {display, screen} = emulated(20)
    display.draw(['a', 'bb', 'ccc'])
    display.draw(['d'])
    display.draw(['e', 'f'])
    expect(await screen()).toEqual(['e', 'f'])
  })

  test('stays once it is settled, and the next drawing begins below', async () => {
    const {display, screen} = emulated(20)
    display.draw(['first'])
    display.settle()
    display.draw(['second'])
    expect(await screen()).toEqual(['first', 'second'])
  })

  test('stays below whatever is said meanwhile', async () => {
    const {display, say, screen} = emulated(20)
    say('before')
    display.draw(['drawn'])
    say('during')
    display.draw(['drawn again'])
    display.settle()
    say('after')
    expect(await screen()).toEqual(['before', 'during', 'drawn again', 'after'])
  })

  test('takes 80 columns and 24 rows where the terminal reports none', async () => {
    const {display, screen} = emulated(0, 24)
    expect(display.width).toBe(80)
    display.draw(['x'.repeat(80), 'y'])
    display.draw(['z'.repeat(80), 'w'])
    expect(await screen()).toEqual(['z'.repeat(80), 'w'])
  })

  test('begins anew when the width has changed', async () => {
    const {display, size, screen} = emulated(20)
    display.draw(['wide'])
    size.columns = 10
    display.draw(['narrow'])
    expect(await screen()).toEqual(['wide', 'narrow'])
  })

  test('shows the last lines where there are more than rows', async () => {
    const {display, screen} = emulated(20, 4)
    for (const round of [1, 2, 3]) display.draw(Array.from({length: 9}, (_, at) => `${round}-${at}`))
    expect((await screen()).slice(-3)).toEqual(['3-6', '3-7', '3-8'])
  })

  test('never hides the cursor', () => {
    const {display, written} = emulated(20)
    display.draw(['a'])
    display.settle()
    expect(written.join('')).not.toContain('\u001b[?25')
  })
})
