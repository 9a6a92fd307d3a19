import {expect, test} from 'vitest'
import {meaningOf} from '../../../../eval/executors/cann/device-errors.ts'

const at = (step: string, code: number, message = 'EZ9999') => meaningOf({step, code, message}, 7)

test.each([
  [507015, {outcome: 'crashed', cause: expect.stringMatching(/^507015, exception of an AI Core/), log: 'EZ9999'}],
  [507035, {outcome: 'crashed', cause: expect.stringMatching(/^507035, exception of a vector core/), log: 'EZ9999'}],
  [507018, {outcome: 'crashed', cause: '507018, exception of the AI CPU', log: 'EZ9999'}],
  [507014, {outcome: 'timed-out', limitSeconds: 7}],
  [507034, {outcome: 'timed-out', limitSeconds: 7}],
  [507046, {outcome: 'timed-out', limitSeconds: 7}],
  [507016, {outcome: 'violated', violation: {rule: 'assert-failed'}}],
  [507036, {outcome: 'violated', violation: {rule: 'assert-failed'}}],
  [507042, {outcome: 'violated', violation: {rule: 'gm-out-of-range', message: expect.stringMatching(/AI Core read/)}}],
  [507045, {outcome: 'violated', violation: {rule: 'gm-out-of-range', message: expect.stringMatching(/core wrote/)}}],
])('%d while a kernel runs is the kernel', (code, execution) => {
  expect(at('aclrtSynchronizeStream', code)).toMatchObject(execution)
})

test.each([507010, 507033, 507053, 507899, 207004, 107001, 207001, 999999])(
  '%d is the device, and no verdict',
  (code) => {
    expect(at('aclrtSynchronizeStream', code)).toMatch(
      new RegExp(`^aclrtSynchronizeStream ended with ${code}.*EZ9999$`),
    )
  },
)

test('what is refused before the launch is a launch that failed, unless the device is at fault', () => {
  const message = 'GetWorkspaceSize ended with 561002: EZ9999'
  expect(at('GetWorkspaceSize', 561002)).toEqual({outcome: 'launch-failed', message})
  expect(at('GetWorkspaceSize', 507899)).toMatch(/the driver failed/)
  expect(at('launch', 161002, '')).toEqual({outcome: 'launch-failed', message: 'launch ended with 161002'})
  expect(at('launch', 507033)).toMatch(/could not be set up/)
})
