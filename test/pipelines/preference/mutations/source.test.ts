import {expect, test} from 'vitest'
import {viewSource} from '../../../../pipelines/preference/mutations/source.ts'

const callsOf = (text: string) => viewSource('op_kernel/a.cpp', text).calls
const shape = (text: string) => callsOf(text).map(({name, args, statement}) => [name, args.map((arg) => arg.text), statement ? text.slice(statement.start, statement.end) : undefined])

test('splits arguments at commas that are not inside brackets or template arguments', () => {
  expect(shape('Foo(a[i, j], Bar(b, c), static_cast<Map<int, T>>(d), e);')).toEqual([
    ['Foo', ['a[i, j]', 'Bar(b, c)', 'static_cast<Map<int, T>>(d)', 'e'], 'Foo(a[i, j], Bar(b, c), static_cast<Map<int, T>>(d), e);'],
    ['Bar', ['b', 'c'], undefined],
  ])
})

test('tells statements from parts of expressions', () => {
  const text = 'LocalTensor<T> x = queue_.template DeQue<T>();\nqueue_.EnQue(x) ;\nif (Ready(x)) { pipe->Init(x); }\nvoid Compute(int n) {}'
  expect(shape(text)).toEqual([
    ['DeQue', [], undefined], ['EnQue', ['x'], 'queue_.EnQue(x) ;'], ['Ready', ['x'], undefined], ['Init', ['x'], 'pipe->Init(x);'], ['Compute', ['int n'], undefined],
  ])
})

test('does not see comments, strings and directives', () => {
  expect(shape('// Foo(a);\n/* Bar(b); */\n#define BAZ(x) \\\n  Qux(x)\nprintf("Foo(%d);", n);')).toEqual([['printf', ['"Foo(%d);"', 'n'], 'printf("Foo(%d);", n);']])
})

test('an unclosed bracket ends the search for that call only', () => {
  expect(shape('Foo(a;\nBar(b);').map(([name]) => name)).toEqual(['Bar'])
})
