import {tmpdir} from 'node:os'
import {expect, onTestFinished, test} from 'vitest'
import {Session} from '../../engine/session.ts'

/** A program of the shell; it is closed after the test. */
function started(script: string): Session {
  const session = new Session({
    program: 'sh',
    args: ['-c', script],
    cwd: tmpdir(),
    env: {PATH: process.env['PATH'] ?? ''},
    failure: (fault) => new Error(`failed: ${fault}`),
  })
  onTestFinished(() => session.close())
  return session
}

const echo = 'while read -r line; do echo "<$line>"; done'

test('each line gets its own answer, in the order of the questions', async () => {
  const session = started(echo)
  const answers = await Promise.all(['a', 'b c', 'd'].map((line) => session.ask(line, 20)))
  expect(answers).toEqual(['<a>', '<b c>', '<d>'])
})

test('a program that ends by itself fails what is asked, then and afterwards, with its own words', async () => {
  const session = started('read -r line; echo "no room" >&2; exit 3')
  await expect(session.ask('a', 20)).rejects.toThrow('failed: it ended by itself, status 3: no room')
  await expect(session.ask('b', 20)).rejects.toThrow(/status 3/)
})

test('a program that gives no answer is ended', async () => {
  const session = started('sleep 600')
  await expect(session.ask('a', 0.05)).rejects.toThrow('failed: no answer within 0.05 s')
  await expect(session.ask('b', 20)).rejects.toThrow('failed: no answer within 0.05 s')
})

test('an abort ends it as well', async () => {
  const session = started('sleep 600')
  const stop = new AbortController()
  const asked = session.ask('a', 20, stop.signal)
  stop.abort()
  await expect(asked).rejects.toMatchObject({code: 'interrupted'})
})

test('closing ends what is asked, and a program that is missing is told', async () => {
  const session = started('sleep 600')
  const asked = expect(session.ask('a', 20)).rejects.toThrow('failed: it was closed')
  await session.close()
  await asked
  const failure = (fault: string) => new Error(fault)
  const missing = new Session({program: '/no/such/program', args: [], cwd: tmpdir(), env: {}, failure})
  await expect(missing.ask('a', 20)).rejects.toMatchObject({code: 'toolchain-missing'})
})
