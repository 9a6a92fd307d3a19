import {rmSync, writeFileSync} from 'node:fs'
import {setTimeout} from 'node:timers/promises'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {lookOnSaves, savesOf} from '../../engine/saves.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

const never = new AbortController().signal

/** A look that is under way until it is ended, or `finish` is called. */
function slowLooks(log: string[]) {
  let count = 0
  let finish = () => {}
  const look = (signal: AbortSignal) => {
    const own = (count += 1)
    log.push(`begins ${own}`)
    return new Promise<void>((done, fail) => {
      finish = () => {
        log.push(`ends ${own}`)
        done()
      }
      // What it waits for ends later.
      const end = () => {
        if (!log.includes(`ends ${own}`)) log.push(`is ended ${own}`)
        fail(signal.reason)
      }
      signal.addEventListener('abort', () => setImmediate(end))
    })
  }
  return {look, finish: () => finish()}
}

async function* saves(...steps: (() => void)[]) {
  for (const step of steps) {
    step()
    yield
  }
}

test('without a save it looks once', async () => {
  const log: string[] = []
  await lookOnSaves(saves(), async () => void log.push('looks'), never)
  expect(log).toEqual(['looks'])
})

test('a save ends the look that is under way, and the next begins after it', async () => {
  const log: string[] = []
  const {look, finish} = slowLooks(log)
  const run = lookOnSaves(
    saves(
      () => finish(),
      () => log.push('saved'),
      () => log.push('saved again'),
    ),
    look,
    never,
  )
  await Promise.resolve()
  // The last look is left to end by itself.
  while (!log.includes('begins 4')) await new Promise(setImmediate)
  finish()
  await run
  expect(log).toEqual([
    ...['begins 1', 'ends 1', 'begins 2', 'saved', 'is ended 2', 'begins 3'],
    ...['saved again', 'is ended 3', 'begins 4', 'ends 4'],
  ])
})

test('a fault of a look that nobody ended is not lost', async () => {
  const broken = () => Promise.reject(new Error('ours'))
  await expect(lookOnSaves(saves(), broken, never)).rejects.toThrow('ours')
})

test('a file that is not there is no save', async () => {
  const ended = new AbortController()
  const first = savesOf([join(await temporaryFolder(), 'none')], ended.signal).next()
  await setTimeout(500)
  ended.abort()
  expect(await first).toEqual({done: true, value: undefined})
})

test('the end of all ends the look, too', async () => {
  const [log, all] = [[] as string[], new AbortController()]
  await lookOnSaves(
    saves(() => all.abort()),
    slowLooks(log).look,
    all.signal,
  )
  expect(log).toEqual(['begins 1', 'is ended 1'])
})

test('files are noticed when they are written, appear and vanish', async () => {
  const folder = await temporaryFolder()
  const [file, later, ended] = [join(folder, 'a'), join(folder, 'b'), new AbortController()]
  writeFileSync(file, '1')
  const events = savesOf([file, later], ended.signal)
  let next = events.next()
  for (const [path, text] of [
    [file, 'other'],
    [later, 'new'],
  ] as const) {
    // The first look at a file may be after a write: it is written until it is noticed.
    const writing = setInterval(() => writeFileSync(path, `${text} ${process.hrtime.bigint()}`), 400)
    expect(await next).toEqual({done: false, value: undefined})
    clearInterval(writing)
    next = events.next()
  }
  // A write that was under way may come first.
  const vanishing = setInterval(() => rmSync(later, {force: true}), 400)
  expect(await next).toEqual({done: false, value: undefined})
  clearInterval(vanishing)
  next = events.next()
  ended.abort()
  // A save that was under way may still be told.
  for (let one = await next; !one.done; one = await events.next()) expect(one.value).toBeUndefined()
})
