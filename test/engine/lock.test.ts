import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, onTestFinished, test} from 'vitest'
import {inTurn, isLocked, lockDirectory} from '../../engine/lock.ts'
import {isAlive} from '../../engine/process-table.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

// The start of a process is known only where there is /proc.
const proc = existsSync('/proc/self/stat')

const lockOf = async (text: string) => {
  const directory = await temporaryFolder()
  writeFileSync(join(directory, 'lock'), text)
  return directory
}

/** A living process with spaces and parentheses in its name. */
function sleeper(): number {
  const child = spawn('bash', ['-c', 'exec -a ") Z 1 (" sleep 300'])
  onTestFinished(() => void child.kill('SIGKILL'))
  return child.pid as number
}

describe('a lock', () => {
  test('is there until it is given back', async () => {
    const directory = await temporaryFolder()
    const unlock = lockDirectory(directory)
    expect(isLocked(directory)).toBe(true)
    const text = readFileSync(join(directory, 'lock'), 'utf8')
    expect(text).toMatch(new RegExp(proc ? `^${process.pid} \\d+$` : `^${process.pid} $`))
    unlock()
    expect(isLocked(directory)).toBe(false)
  })

  test('of a living process holds, with or without a word on when it began', async () => {
    const owner = sleeper()
    for (const text of [String(owner), `${owner} `, ...(proc ? [`${owner} ${startOf(owner)}`] : [])]) {
      const directory = await lockOf(text)
      expect(isLocked(directory)).toBe(true)
      expect(() => lockDirectory(directory)).toThrow(`${directory} is in use by process ${owner}.`)
    }
  })

  test.runIf(proc)('of a process whose number another one has now is taken over', async () => {
    const directory = await lockOf(`${sleeper()} 1`)
    expect(isLocked(directory)).toBe(false)
    lockDirectory(directory)()
  })

  test.each(['', '4194305 12', 'not a number', '-1 5'])('of nobody is taken over: "%s"', async (text) => {
    const directory = await lockOf(text)
    expect(isLocked(directory)).toBe(false)
    lockDirectory(directory)()
  })
})

test.runIf(proc)('a process that ended and was not asked about is not alive', async () => {
  // The shell becomes a program that never asks about the child that the shell had started. The child ends with the
  // input, which is after that: a shell that is still one would ask.
  const script = 'cat <&0 >/dev/null & echo $!; exec sleep 300'
  const parent = spawn('bash', ['-c', script], {stdio: ['pipe', 'pipe', 'ignore']})
  onTestFinished(() => void parent.kill('SIGKILL'))
  const child = Number(await new Promise((resolve) => parent.stdout.once('data', (data) => resolve(String(data)))))
  await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8'), {timeout: 60_000}).toBe('sleep\n')
  parent.stdin.end()
  await expect.poll(() => readFileSync(`/proc/${child}/stat`, 'utf8'), {timeout: 60_000}).toContain(') Z ')
  expect(isAlive(child)).toBe(false)
  expect(isAlive(parent.pid as number)).toBe(true)
})

const startOf = (owner: number) => readFileSync(`/proc/${owner}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19]

describe('work that is done once for a machine', () => {
  /** Makes a file where there is none, and says on a line of its own that it did. */
  const program = (file: string) => `
    import {appendFileSync, existsSync, writeFileSync} from 'node:fs'
    import {setTimeout} from 'node:timers/promises'
    import {inTurn} from './dist/engine/lock.js'
    await inTurn(${JSON.stringify(file)}, async () => {
      if (existsSync(${JSON.stringify(file)})) return
      appendFileSync(${JSON.stringify(`${file}.log`)}, 'made\\n')
      await setTimeout(300)
      writeFileSync(${JSON.stringify(file)}, '')
    })`
  const processOf = (file: string) =>
    once(spawn(process.execPath, ['--input-type=module', '-e', program(file)]), 'exit')

  test('is done by one of three processes, and all end well', async () => {
    const file = join(await temporaryFolder(), 'made')
    const ends = await Promise.all([processOf(file), processOf(file), processOf(file)])
    expect(ends.map(([code]) => code as number)).toEqual([0, 0, 0])
    expect(readFileSync(`${file}.log`, 'utf8')).toBe('made\n')
    expect(existsSync(`${file}.lock`)).toBe(false)
  })

  test('goes one after another within a process, also behind one that failed', async () => {
    const file = join(await temporaryFolder(), 'made')
    const order: string[] = []
    const step = (name: string) => async () => {
      order.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      order.push(`${name} ends`)
      if (name === 'first') throw new Error('broken')
    }
    const both = await Promise.allSettled([inTurn(file, step('first')), inTurn(file, step('second'))])
    expect(both.map(({status}) => status)).toEqual(['rejected', 'fulfilled'])
    expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
  })

  test('asks again where a lock is gone before it is read', async () => {
    const file = join(await temporaryFolder(), 'made')
    // A link to nowhere is there to be made, and not there to be read.
    symlinkSync('nowhere', `${file}.lock`)
    setTimeout(() => rmSync(`${file}.lock`), 150)
    expect(await inTurn(file, () => Promise.resolve('done'))).toBe('done')
  })

  test('waits for a living process, says so once, and ends with the signal', async () => {
    const file = join(await temporaryFolder(), 'made')
    writeFileSync(`${file}.lock`, String(sleeper()))
    const ending = new AbortController()
    let waits = 0
    const onWait = () => {
      waits += 1
      setTimeout(() => ending.abort(), 350)
    }
    const waiting = inTurn(file, () => Promise.resolve('never'), {signal: ending.signal, onWait})
    await expect(waiting).rejects.toMatchObject({name: 'AbortError'})
    expect(waits).toBe(1)
    expect(existsSync(`${file}.lock`)).toBe(true)
  })
})
