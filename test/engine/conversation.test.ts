import {describe, expect, onTestFinished, test} from 'vitest'
import {converse} from '../../engine/conversation.ts'
import {rejection} from '../helpers/teacher.ts'

/** A shell that runs this. */
async function talking(script: string, options?: Parameters<typeof converse>[2]) {
  const conversation = await converse('/bin/sh', ['-c', script], options)
  onTestFinished(() => conversation.close())
  const ask = (line: string | undefined, timeoutSeconds = 20, signal?: AbortSignal) =>
    conversation.ask(line, {timeoutSeconds, signal})
  return {...conversation, ask}
}
const echo = 'while read -r line; do echo "you said $line"; done'

describe('a conversation', () => {
  test('has a line for each line', async () => {
    const {ask} = await talking(echo)
    expect([await ask('one'), await ask('two three')]).toEqual(['you said one', 'you said two three'])
  })

  test('may begin with what the program says by itself', async () => {
    const {ask} = await talking(`echo hello; ${echo}`)
    expect([await ask(undefined), await ask('x')]).toEqual(['hello', 'you said x'])
  })

  test('takes one question at a time', async () => {
    const {ask} = await talking('read -r a; read -r b; echo $a $b; read -r c')
    const first = ask('a')
    expect((await rejection(ask('b')))['message']).toBe('the previous request has not been answered yet')
    const signal = AbortSignal.abort()
    expect((await rejection(ask('c', 20, signal)))['message']).toBe('the previous request has not been answered yet')
    void first.catch(() => undefined)
  })

  test('is held in the folder and environment that are given, with PATH, HOME and UTF-8', async () => {
    const {ask} = await talking('echo "$PWD $LC_ALL $OWN ${PATH:+path} ${HOME:+home} $VITEST"', {
      cwd: '/',
      env: {OWN: 'x'},
    })
    expect(await ask(undefined)).toBe('/ C.UTF-8 x path home ')
  })

  test('does not begin where there is no such program', async () => {
    expect(await rejection(converse('/no/such/program', []))).toMatchObject({code: 'toolchain-missing'})
  })
})

describe('a program that ends', () => {
  const fix = 'Run `ascend-cot resume`, which starts it again. If it fails again, the last lines it printed say why.'
  test.each([
    ['exit 3', '/bin/sh ended with status 3: it printed nothing'],
    ['echo first >&2; echo last >&2; echo >&2; exit 0', '/bin/sh ended with status 0: last'],
    ['kill -TERM $$', '/bin/sh ended with SIGTERM: it printed nothing'],
  ])('%s: %s', async (script, message) => {
    const {ask} = await talking(`read -r line; ${script}`)
    expect(await rejection(ask('x'))).toMatchObject({code: 'executor-failed', message, fix})
    expect(await rejection(ask('y'))).toMatchObject({message})
  })

  test('is quoted with the last 4000 bytes that it said', async () => {
    const {ask} = await talking('read -r l; printf "%05000d" 7 >&2; exit 1')
    const error = await rejection(ask('x'))
    expect(error['evidence']).toEqual({command: '/bin/sh', said: `${'0'.repeat(3999)}7`})
  })

  test('that was closed answers no more', async () => {
    const {ask, close} = await talking(echo)
    await ask('x')
    const open = rejection(ask('sleep'))
    close()
    expect((await open)['message']).toBe('/bin/sh was closed: it printed nothing')
    expect((await rejection(ask('y')))['message']).toBe('/bin/sh was closed: it printed nothing')
  })
})

describe('an answer that does not come', () => {
  test('is waited for so many seconds, and then the program is gone', async () => {
    const {ask} = await talking('echo $$; sleep 60; echo late')
    const pid = Number(await ask(undefined))
    const message = '/bin/sh gave no answer within 0.05 s: it printed nothing'
    expect(await rejection(ask('x', 0.05))).toMatchObject({code: 'executor-failed', message})
    expect(await rejection(ask('y'))).toMatchObject({message})
    const gone = () => {
      try {
        process.kill(pid, 0)
        return false
      } catch {
        return true
      }
    }
    await expect.poll(gone).toBe(true)
  })

  test('is not waited for once the work is called off, before or after it was asked for', async () => {
    const early = await talking(echo)
    expect(await rejection(early.ask('x', 20, AbortSignal.abort()))).toMatchObject({code: 'interrupted'})
    const late = await talking('read -r line; sleep 60')
    const controller = new AbortController()
    const asked = rejection(late.ask('x', 20, controller.signal))
    controller.abort()
    expect(await asked).toMatchObject({code: 'interrupted'})
    expect((await rejection(late.ask('y')))['message']).toBe('/bin/sh was interrupted: it printed nothing')
  })

  test('a signal that fires after the answer ends nothing', async () => {
    const {ask} = await talking(echo)
    const controller = new AbortController()
    await ask('x', 20, controller.signal)
    controller.abort()
    expect(await ask('y')).toBe('you said y')
  })
})
