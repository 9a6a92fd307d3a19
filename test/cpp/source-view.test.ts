import {expect, test} from 'vitest'
import {viewSource} from '../../cpp/source-view.ts'

const callsOf = (text: string) => viewSource('op_kernel/a.cpp', text).calls
const shape = (text: string) =>
  callsOf(text).map(({name, args, statement}) => [
    name,
    args.map((arg) => arg.text),
    statement ? text.slice(statement.start, statement.end) : undefined,
  ])

test('splits arguments at commas that are not inside brackets or template arguments', () => {
  expect(shape('Foo(a[i, j], Bar(b, c), static_cast<Map<int, T>>(d), e);')).toEqual([
    [
      'Foo',
      ['a[i, j]', 'Bar(b, c)', 'static_cast<Map<int, T>>(d)', 'e'],
      'Foo(a[i, j], Bar(b, c), static_cast<Map<int, T>>(d), e);',
    ],
    ['Bar', ['b', 'c'], undefined],
  ])
})

test('tells statements from parts of expressions', () => {
  const text = [
    'LocalTensor<T> x = queue_.template DeQue<T>();',
    'queue_.EnQue(x) ;',
    'if (Ready(x)) { pipe->Init(x); }',
    'void Compute(int n) {}',
  ].join('\n')
  expect(shape(text)).toEqual([
    ['DeQue', [], undefined],
    ['EnQue', ['x'], 'queue_.EnQue(x) ;'],
    ['Ready', ['x'], undefined],
    ['Init', ['x'], 'pipe->Init(x);'],
    ['Compute', ['int n'], undefined],
  ])
})

test('does not see comments, strings and directives', () => {
  expect(shape('// Foo(a);\n/* Bar(b); */\n#define BAZ(x) \\\n  Qux(x)\nprintf("Foo(%d);", n);')).toEqual([
    ['printf', ['"Foo(%d);"', 'n'], 'printf("Foo(%d);", n);'],
  ])
})

test('an unclosed bracket ends the search for that call only', () => {
  expect(shape('Foo(a;\nBar(b);').map(([name]) => name)).toEqual(['Bar'])
})

test('of branches that leave a block open, the first is read', () => {
  const text =
    'void A() {\n#if X\n  if (a) {\n    Foo(a);\n#else\n  if (b) {\n    Bar(b);\n#endif\n    Baz(c);\n  }\n}\n'
  const {code, calls} = viewSource('op_kernel/a.cpp', text)
  expect(code).toHaveLength(text.length)
  expect(calls.filter(({statement}) => statement).map(({name}) => name)).toEqual(['Foo', 'Baz'])
  expect([...code].filter((character) => character === '{')).toHaveLength(2)
})

test('of branches that close what they open, all are read', () => {
  expect(
    callsOf('#if X\n  Foo(a);\n#elif Y\n  if (b) { Bar(b); }\n#else\n  Baz(c);\n#endif\n').map(({name}) => name),
  ).toEqual(['Foo', 'Bar', 'Baz'])
})

test('statements have receivers of every spelling', () => {
  const text = [
    '{ this->queue.EnQue(x); Base::queue.template EnQue<T>(x); GetTPipePtr()->InitBuffer(q, 1, n);',
    'Common::Apply(x); queues[0].FreeTensor(x); return Foo(x); }',
  ].join(' ')
  expect(callsOf(text).map(({name, statement}) => [name, statement !== undefined])).toEqual([
    ['EnQue', true],
    ['EnQue', true],
    ['GetTPipePtr', false],
    ['InitBuffer', true],
    ['Apply', true],
    ['FreeTensor', true],
    ['Foo', false],
  ])
})
