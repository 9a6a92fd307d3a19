import {expect, test} from 'vitest'
import {DeviceSaid, launchFailure} from '../../../../eval/bench/multikernelbench/submission/device-launches.ts'

const ended = (failure: unknown) => launchFailure(DeviceSaid.parse({launches: [], failure}))
const signals = {SIGKILL: 9, SIGSEGV: 11, SIGXCPU: 24}

test('launches that came to their end are no failure', () => {
  expect(ended(undefined)).toBeUndefined()
})

test.each([
  [{signal: signals.SIGSEGV}, 'crashed', 'SIGSEGV'],
  [{exit: 3}, 'crashed', 'status 3'],
  [{signal: signals.SIGXCPU}, 'timed-out', 'ran on'],
  // At the hard limit of its time.
  [{signal: signals.SIGKILL}, 'timed-out', 'ran on'],
])('%j is the kernel %s', (failure, kind, why) => {
  expect(ended(failure)).toMatchObject({outcome: 'failed', kind, why: expect.stringContaining(why) as string})
})

test('what kept the machine from running a kernel says nothing of it', () => {
  const run = () => ended({fault: 'no process to be had'})
  expect(run).toThrow(expect.objectContaining({code: 'executor-failed', scope: 'record'}) as Error)
  expect(run).toThrow('no process to be had')
})

test('what was read on the host is told before all else', () => {
  const said = DeviceSaid.parse({launches: [], failure: {exit: 1}, hostRead: 'aclrtMemcpy'})
  expect(launchFailure(said)).toMatchObject({kind: 'cheated', why: expect.stringContaining('aclrtMemcpy') as string})
})
