import {expect, test} from 'vitest'
import {damagedAnswers} from '../../../../eval/bench/npukernelbench/benchmark.ts'
import {fixtureTask} from '../../../pipelines/preference/records.ts'

const task = await fixtureTask()
const seen = (text: string) =>
  damagedAnswers([{...task, answer: [{path: 'op_kernel/a.h', text}]}]).map(({line, what}) => [line, what])

test('an answer that is whole is not named', () => {
  expect(damagedAnswers([task])).toEqual([])
  expect(
    seen(
      '/* split\n   by rows */\nint a; // */\nconst char* b = "*/";\n#define M(x) \\\n    /* one */ \\\n    x\n// two\nint c;\n',
    ),
  ).toEqual([])
})

test('a block comment without its beginning is', () => {
  expect(seen('int a;\n// Implementation note.\n  rows: 8\n  */\nint b;\n')).toEqual([
    [4, 'a block comment ends that was never opened'],
  ])
})

test('a macro that a line comment cuts off is', () => {
  expect(
    seen('#define LOOP(n) \\\n    // Implementation note.\n    for (int i = 0; i < n; i++) { \\\n    }\n'),
  ).toEqual([[2, 'a line comment cuts a macro off']])
})
