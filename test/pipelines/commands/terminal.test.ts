import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import {explained, processTerminal} from '../../../pipelines/commands/terminal.ts'
import {redraws} from '../../../pipelines/redraws.ts'

describe('a screen is drawn again', () => {
  test.each([
    [true, {isTTY: true}, {TERM: 'xterm'}],
    [true, {isTTY: true}, {CI: ''}],
    [true, {isTTY: true}, {CI: 'false'}],
    [true, {isTTY: true}, {CI: '0'}],
    [false, {isTTY: true}, {CI: 'true'}],
    [false, {isTTY: true}, {CI: '1'}],
    [false, {isTTY: true}, {TERM: 'dumb'}],
    [false, {isTTY: false}, {TERM: 'xterm'}],
    [false, {}, {}],
  ])('%j: %j with %j', (expected, stream, env) => {
    expect(redraws(stream, env)).toBe(expected)
  })
})

describe('a message', () => {
  const {stderr} = process
  const before = {isTTY: stderr.isTTY, columns: stderr.columns}
  afterEach(() => void Object.assign(stderr, before))

  function said(text: string, screen: object): string {
    Object.assign(stderr, screen)
    const write = vi.spyOn(stderr, 'write').mockReturnValue(true)
    try {
      processTerminal({CI: 'true'}).say(text)
      return write.mock.calls.map(([chunk]) => String(chunk)).join('')
    } finally {
      write.mockRestore()
    }
  }
  const text = 'error: the folder /a/folder/with/a/name/that/is/long is full\n  → Make room there, or name another.'

  test('on a terminal breaks between words, and goes on below its line', () => {
    expect(said(text, {isTTY: true, columns: 40})).toBe(
      'error: the folder\n  /a/folder/with/a/name/that/is/long is\n  full\n  → Make room there, or name another.\n',
    )
    expect(said('  → Make room there, or name another.', {isTTY: true, columns: 20})).toBe(
      '  → Make room there,\n    or name another.\n',
    )
  })

  test('in a log is left as it is', () => {
    expect(said(text, {isTTY: false, columns: 40})).toBe(`${text}\n`)
  })
})

describe('what is waited for', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const waiting = (milliseconds: number) => {
    const said: string[] = []
    const work = new Promise<string>((resolve) => setTimeout(() => resolve('done'), milliseconds))
    return {said, result: explained({say: (line) => said.push(line)}, 'reading', work)}
  }

  test('is said once where it takes more than a second', async () => {
    const {said, result} = waiting(3000)
    await vi.advanceTimersByTimeAsync(999)
    expect(said).toEqual([])
    await vi.advanceTimersByTimeAsync(3000)
    expect([await result, said]).toEqual(['done', ['reading']])
  })

  test('is not said where it is over before, however it ends', async () => {
    const {said, result} = waiting(900)
    await vi.advanceTimersByTimeAsync(5000)
    expect([await result, said]).toEqual(['done', []])
    await expect(explained({say: (line) => said.push(line)}, 'x', Promise.reject(new Error('gone')))).rejects.toThrow()
    await vi.advanceTimersByTimeAsync(5000)
    expect(said).toEqual([])
  })
})
