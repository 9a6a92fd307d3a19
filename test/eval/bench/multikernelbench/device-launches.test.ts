import {expect, test} from 'vitest'
import {LaunchEnd, launchFailure} from '../../../../eval/bench/submission/device-launches.ts'

const signals = {SIGKILL: 9, SIGSEGV: 11, SIGXCPU: 24}
const violation = {rule: 'r', block: 0, api: 'Add', tensor: 'x', message: 'It is.', fix: 'Mend it.'}

test.each([
  [{signal: signals.SIGSEGV}, 'crashed', 'SIGSEGV'],
  [{exit: 3}, 'crashed', 'status 3'],
  [{signal: signals.SIGXCPU}, 'timed-out', 'ran on'],
  // At the hard limit of its time.
  [{signal: signals.SIGKILL}, 'timed-out', 'ran on'],
  [{violation}, 'violated', 'r: It is. Mend it.'],
])('%j is the kernel %s', (end, kind, why) => {
  const parsed = LaunchEnd.parse(end)
  if ('launch' in parsed) throw new TypeError('it came to its end')
  expect(launchFailure(parsed)).toMatchObject({outcome: 'failed', kind, why: expect.stringContaining(why) as string})
})
