import {expect, test} from 'vitest'
import {viewSource} from '../../../../cpp/source-view.ts'
import {everywhere, somewhere, statementEdit} from '../../../../pipelines/preference/rewinds/step.ts'
import {firstAndReversed} from '../variants/chance.ts'

const files = ['op_host/a.cpp', 'op_kernel/a.cpp', 'op_kernel/b.cpp'].map((path) => ({path, text: `abcd ${path}`}))
const edit = (start: number, end: number, replacement: string) => ({start, end, replacement})
const texts = (made: ReturnType<ReturnType<typeof everywhere>['take']>) =>
  made?.map(({text}) => text.slice(0, 4).trim())

test('a step that is taken everywhere changes all files of its side, of edits that overlap by the earlier one', () => {
  const step = (...edits: ReturnType<typeof edit>[]) =>
    texts(everywhere('x', 'op_kernel', () => edits).take(files, firstAndReversed))
  expect(step(edit(2, 3, 'C'), edit(0, 1, 'A'))).toEqual(['abcd', 'AbCd', 'AbCd'])
  expect(step(edit(0, 2, 'XY'), edit(1, 3, 'Z'), edit(2, 3, 'C'))).toEqual(['abcd', 'XYCd', 'XYCd'])
  expect(step()).toBeUndefined()
  const ofOne = everywhere('x', 'op_kernel', ({path}) => (path.endsWith('b.cpp') ? [edit(0, 1, 'B')] : []))
  expect(texts(ofOne.take(files, firstAndReversed))).toEqual(['abcd', 'abcd', 'Bbcd'])
})

test('a step that is taken somewhere changes one place', () => {
  const step = somewhere('x', 'op_kernel', () => [edit(0, 1, 'A'), edit(1, 2, 'B')])
  expect(texts(step.take(files, firstAndReversed))).toEqual(['abcd', 'Abcd', 'abcd'])
  const last = {...firstAndReversed, pick: <T>(items: readonly T[]) => items.at(-1) as T}
  expect(texts(step.take(files, last))).toEqual(['abcd', 'abcd', 'aBcd'])
  expect(somewhere('x', 'op_kernel', () => []).take(files, firstAndReversed)).toBeUndefined()
})

test('lines in place of a statement are indented as it is', () => {
  const text = 'f();\n\t  g();\nh(); i();'
  const lines = (start: number, end: number) =>
    statementEdit(viewSource('op_kernel/a.cpp', text), {start, end}, ['x', 'y']).replacement
  expect([lines(0, 4), lines(8, 12), lines(18, 22)]).toEqual(['x\ny', 'x\n\t  y', 'x\ny'])
})
