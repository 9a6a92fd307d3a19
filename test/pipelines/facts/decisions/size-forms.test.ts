import {expect, test} from 'vitest'
import {readExpression} from '../../../../cpp/evaluator.ts'
import {functionFlows} from '../../../../cpp/statements.ts'
import {formNames, formOf, formsInside, written} from '../../../../pipelines/facts/decisions/size-forms.ts'

test.each([
  ['(a + b - 1) / b', 'ceil a by b'],
  ['(a + (b - 1)) / b', 'ceil a by b'],
  ['(a + b - 2) / b', 'divide a + b - 2 by b'],
  ['(a + b - 1) / c', 'divide a + b - 1 by c'],
  ['(a + b - 1) / b * b', 'round-up a by b'],
  ['a / b * b', 'round-down a by b'],
  ['b * (a / b)', 'round-down a by b'],
  ['a / b * c', undefined],
  ['a % b', 'rest a by b'],
  ['b == 0 ? 0 : a / b', 'divide a by b'],
  ['b != 0 ? a / b : 0', 'divide a by b'],
  ['a < b ? a : b', 'min a by b'],
  ['a > b ? b : a', 'min b by a'],
  ['a < b ? b : a', 'max a by b'],
  ['a < b ? c : b', undefined],
  ['std::min<uint64_t>(a, b)', 'min a by b'],
  ['Ops::Base::CeilDiv(static_cast<int64_t>(a), b)', 'ceil a by b'],
  ['RoundUp(a, b)', 'round-up a by b'],
  ['Other(a, b)', undefined],
  ['CeilDiv(a)', undefined],
])('%s', (text, expected) => {
  const form = formOf(readExpression(text))
  expect(form && `${form.kind} ${written(form.of)} by ${written(form.by)}`).toBe(expected)
})

test('forms inside of others come after them', () => {
  const kinds = formsInside(readExpression('std::max(RoundUp(CeilDiv(n, cores), unit), unit)')).map(({kind}) => kind)
  expect(kinds).toEqual(['max', 'round-up', 'ceil'])
})

test('a function of the file is known by what it returns', async () => {
  const flows = await functionFlows(
    'int Up(int a, int b) { if (b == 0) { return a; } return (a + b - 1) / b; }\n' +
      'int Swapped(int a, int b) { return (b + a - 1) / a; }\nint Three(int a, int b, int c) { return a / b; }',
  )
  expect([...formNames(flows)]).toEqual([['Up', 'ceil']])
})

test('is written with the brackets that it needs', () => {
  for (const text of ['(a + b) * c', 'a * b + c', 'a - (b - c)', 'c ? a : b', 'F(a, b + 1)'])
    expect(written(readExpression(text))).toBe(text)
})
