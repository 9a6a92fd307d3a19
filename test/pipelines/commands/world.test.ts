import {afterEach, expect, onTestFinished, test, vi} from 'vitest'
import {endInOrder, endOfService, interruptedCode, realWorld} from '../../../pipelines/commands/world.ts'

const signals = ['SIGINT', 'SIGTERM'] as const

/** A world whose process ends only on paper; its listeners are called, since a signal would reach the test too. */
function world() {
  vi.useFakeTimers()
  const before = new Set(signals.flatMap((signal) => process.listeners(signal)))
  const exits: unknown[] = []
  vi.spyOn(process, 'exit').mockImplementation((code) => void exits.push(code) as never)
  const said: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  const made = realWorld()
  const mine = new Map(
    signals.map((signal) => [signal, process.listeners(signal).filter((one) => !before.has(one))] as const),
  )
  onTestFinished(() => {
    for (const [signal, listeners] of mine) for (const one of listeners) process.off(signal, one)
  })
  const send = (signal: (typeof signals)[number]) => {
    for (const listener of mine.get(signal) ?? []) listener(signal)
  }
  return {made, exits, said: () => said.join(''), send}
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends what has no end of its own after a moment, with %i', (signal, code) => {
  const {made, exits, said, send} = world()
  send(signal)
  expect(made.signal.reason).toMatchObject({code: 'interrupted'})
  expect(said()).toBe('stopping\n')
  expect(exits).toEqual([])
  vi.advanceTimersByTime(1000)
  expect(exits).toEqual([code])
})

test('what ends in order is waited for, and only a second Ctrl-C cuts it short', () => {
  const {made, exits, said, send} = world()
  endInOrder(made)
  send('SIGINT')
  expect(said()).toMatch(/press Ctrl-C again to stop now\n$/)
  expect(said().length).toBeLessThan(80)
  vi.advanceTimersByTime(60_000)
  expect(exits).toEqual([])
  send('SIGINT')
  expect(exits).toEqual([130])
})

test('SIGTERM says nothing of Ctrl-C, and a second one changes nothing', () => {
  const {made, exits, said, send} = world()
  endInOrder(made)
  send('SIGTERM')
  send('SIGTERM')
  expect(said()).toBe('finishing the work in progress, then stopping\n')
  expect(exits).toEqual([])
  expect(interruptedCode(made.interrupted)).toBe(143)
  expect(endOfService(made)).toBe(0)
})

test('a service that was broken off by hand ends as anything else', () => {
  const {made, send} = world()
  endInOrder(made)
  send('SIGINT')
  expect(endOfService(made)).toBe(130)
})
