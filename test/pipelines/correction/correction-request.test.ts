import {expect, test} from 'vitest'
import type {Failure} from '../../../datasets/schema/correction.ts'
import {voice} from '../../../datasets/voice.ts'
import {randomFrom} from '../../../engine/random.ts'
import type {CompileError} from '../../../pipelines/correction/compile-error.ts'
import {requestOf} from '../../../pipelines/correction/correct.ts'
import type {FailureFacts} from '../../../pipelines/correction/failure-facts.ts'

const failed = [{path: 'op_kernel/k.cpp', text: 'f(x);\n'}]
const shown = '================== op_kernel/k.cpp ==================\n```cpp\nf(x);\n```'
const error = (over: Partial<CompileError> = {}): CompileError => ({
  file: 'op_kernel/k.cpp',
  line: 1,
  text: 'f(x);',
  message: 'no f',
  cause: {kind: 'other'},
  errors: 1,
  others: [],
  log: 'op_kernel/k.cpp:1:1: error: no f',
  ...over,
})
const request = (facts: Partial<FailureFacts>, language: 'en' | 'zh' = 'en') =>
  requestOf(
    {prompt: '\nWrite Scale.\n'} as Failure,
    {operator: 'Scale', edits: [], failed, right: [], error: undefined, observed: undefined, api: undefined, ...facts},
    voice(language, randomFrom('r')),
  )

test('code that does not compile is shown with what the compiler says, without its task', () => {
  expect(request({error: error()})).toBe(
    [
      'My Ascend C operator Scale does not compile. What is wrong, and how do I fix it?',
      'The compiler says:',
      '```text\nop_kernel/k.cpp:1:1: error: no f\n```',
      'The code:',
      shown,
      'Give each file that changes, whole, under the line that names it; files that stay are left out.',
    ].join('\n\n'),
  )
  expect(request({error: error()}, 'zh')).toMatch(
    /^我的Ascend C算子Scale编译不过。错在哪里，怎样改？\n\n编译器的输出：/,
  )
})

test('a wrong operator comes with its task and what its run showed', () => {
  const observed = {kind: 'stopped', case: '3', how: 'crashed', detail: 'signal 11'} as const
  expect(request({observed})).toBe(
    [
      'Write Scale.',
      '# An attempt',
      'The files below were written for this task. A run of the operator failed.',
      shown,
      'What the run showed:',
      '```text\ncase 3: crashed: signal 11\n```',
      'Analyse the error, then give the corrected code in the form of the reply above.',
      'Give each file that changes, whole, under the line that names it; files that stay are left out.',
    ].join('\n\n'),
  )
  expect(request({})).toContain('```text\n\n```')
})

const other = {file: 'op_kernel/k.cpp', line: 7, message: 'no g'}
test.each<[string, Partial<CompileError>, string]>([
  ['no more', {}, ''],
  ['all of which are shown', {errors: 2, others: [other]}, '\nop_kernel/k.cpp:7: error: no g'],
  ['one more', {errors: 2}, '\n(1 more error after this one)'],
  ['two more', {errors: 3}, '\n(2 more errors after this one)'],
  [
    'one more after those that are shown',
    {errors: 3, others: [other]},
    '\nop_kernel/k.cpp:7: error: no g\n(1 more error after these)',
  ],
])('of further errors it is told how many: %s', (_, over, more) => {
  expect(request({error: error(over)})).toContain(`error: no f${more}\n\`\`\`\n`)
})
