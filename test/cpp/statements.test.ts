import {expect, test} from 'vitest'
import {syntaxOf} from '../../cpp/read-syntax.ts'
import {functionFlows} from '../../cpp/statements.ts'

const flow = async (text: string) => (await functionFlows(text))[0]
const body = async (statements: string) => (await flow(`int F() {\n${statements}\n}`))?.statements ?? []
const syntax = async (statements: string) => (await syntaxOf(`int F() {\n${statements}\n}`)).functions[0]

test('each simple statement is read with what it gives, to what, and the call in it', async () => {
  const read = await body(
    'int a = b + 1;\nauto c = Get(x, y);\n*p = q;\nn += 2;\nobject->part.Set(a, Inner(b));\nreturn ' +
      'Twice(a);\nreturn;\nVector v(n, 0);\nint plain;\ni++;\nauto s = x->Get<int>(0);\nAscendC::Add(a,' +
      ' b);',
  )
  expect(
    read.map(({kind, target, operator, text, call, line}) => [line, kind, target, operator, text, call?.name]),
  ).toEqual([
    [2, 'value', 'a', '=', 'b + 1', undefined],
    [3, 'value', 'c', '=', 'Get(x, y)', 'Get'],
    [4, 'value', '*p', '=', 'q', undefined],
    [5, 'value', 'n', '+=', '2', undefined],
    [6, 'call', '', '', 'object->part.Set(a, Inner(b))', 'Set'],
    [7, 'return', '', '', 'Twice(a)', 'Twice'],
    [8, 'return', '', '', '', undefined],
    [9, 'call', '', '', 'v(n, 0)', undefined],
    [12, 'value', 's', '=', 'x->Get<int>(0)', 'Get'],
    [13, 'call', '', '', 'AscendC::Add(a, b)', 'Add'],
  ])
  expect(read[4]?.call).toEqual({name: 'Set', receiver: 'object->part', args: ['a', 'Inner(b)']})
})

test('a return that is handed to a macro stays in its text', async () => {
  const [first, second, third] = await body('CHECK(a, return false);\nCHECK(a, return);\nLog("(return x)");')
  expect([first?.text, second?.text, third?.text]).toEqual(['CHECK(a, false)', 'CHECK(a, return)', 'Log("(return x)")'])
})

test('statements know their branches, their loops and how deep the loops stand', async () => {
  const [a, b, c, d] = await body(
    'if (p) {\nfor (int i = 0; i < n; i++) {\nif (q) { a = 1; } else { b = 2; }\n}\n}\nwhile (r) { ' +
      'do { c = 3; } while (s); }\nfor (auto one : list) { d = one; }',
  )
  expect(a).toMatchObject({
    branches: [
      {condition: 'p', arm: 'then', line: 2},
      {condition: 'q', arm: 'then', line: 4},
    ],
    loops: ['for (int i = 0; i < n; i++)'],
    depths: [1],
  })
  expect(b?.branches.map(({arm}) => arm)).toEqual(['then', 'else'])
  expect(c).toMatchObject({branches: [], loops: ['while (r)', 'do'], depths: [0, 0]})
  expect(d).toMatchObject({loops: ['for (auto one : list)']})
})

test('a case has the labels that run into it, and no others', async () => {
  const read = await body(
    'switch (m) {\ncase 0:\ncase 1: a = 1; break;\ncase 2: b = 2;\ncase 3: if (x) { return 1; } else ' +
      '{ return 2; }\ncase 4: if (x) { return 1; }\ncase 5: { c = 3; break; }\n// why\ndefault: d = 4;' +
      '\n}',
  )
  const arms = read.filter(({kind}) => kind === 'value').map(({target, branches}) => [target, branches[0]?.arm])
  expect(arms).toEqual([
    ['a', {case: '1', also: ['0']}],
    ['b', {case: '2'}],
    ['c', {case: '5', also: ['4']}],
    ['d', {case: 'default'}],
  ])
  const returns = read.filter(({kind}) => kind === 'return').map(({branches}) => branches[0]?.arm)
  expect(returns[0]).toEqual({case: '3', also: ['2']})
  expect(returns[2]).toEqual({case: '4'})
})

test('a comment belongs to what it stands right above', async () => {
  const read = await body('// the rows\n// of a tile\na = 1;\n// apart\n\nb = 2;\nc = 3; // behind\nd = 4;')
  expect(read.map(({comment}) => comment)).toEqual(['the rows of a tile', '', '', ''])
})

test('functions are read with their class, their parameters and what decides at compile time', async () => {
  const flows = await functionFlows(`namespace a {
static inline const int* Free(const uint32_t shape[], T& x, int n = 3, int) { return 0; } }
class C { public: C(int a); void In() {} virtual bool Out(int a) const; int Later(int b); template <typename U, bool B = false> void Tmpl(U u) { x = u; } };
template <typename T> void D<T>::Run(T t) { y = t; }
void E::Inner::Deep() { z = 1; }
int value = 3;`)
  expect(flows.map(({name, owner, isDeclared, isStatic}) => [owner, name, isDeclared, isStatic])).toEqual([
    ['', 'Free', false, true],
    ['C', 'C', true, false],
    ['C', 'In', false, false],
    ['C', 'Out', true, false],
    ['C', 'Later', true, false],
    ['C', 'Tmpl', false, false],
    ['D', 'Run', false, false],
    ['Inner', 'Deep', false, false],
  ])
  expect(flows[0]).toMatchObject({
    returns: 'const int*',
    parameters: [
      {type: 'const uint32_t []', name: 'shape'},
      {type: 'T&', name: 'x'},
      {type: 'int', name: 'n'},
    ],
    templates: [],
  })
  expect(flows[5]?.templates).toEqual(['typename U', 'bool B = false'])
})

test('the syntax of a function lists calls with what they are called on and what takes their result', async () => {
  const read = await syntax(
    'a = obj.Get<half>(1, 2);\nint b = Space::Make(c);\nthis->Do(); Inner(Outer(1));' +
      '\nptr->list[0].Call<int, 4>();\nfor (int i = 0; i < n; i++) { while (m) { Deep(i); } }',
  )
  expect(
    read?.calls.map(({name, receiver, templates, args, result, loops, line}) => [
      line,
      name,
      receiver,
      templates,
      args,
      result,
      loops,
    ]),
  ).toEqual([
    [2, 'Get', 'obj', ['half'], ['1', '2'], 'a', []],
    [3, 'Make', 'Space', [], ['c'], 'b', []],
    [4, 'Do', 'this', [], [], undefined, []],
    [4, 'Inner', '', [], ['Outer(1)'], undefined, []],
    [4, 'Outer', '', [], ['1'], undefined, []],
    [5, 'Call', 'ptr->list[0]', ['int', '4'], [], undefined, []],
    [6, 'Deep', '', [], ['i'], undefined, [0, 1]],
  ])
  expect(read?.loops).toEqual([
    {header: 'for (int i = 0; i < n; i++)', line: 6},
    {header: 'while (m)', line: 6},
  ])
  expect(read?.lines).toEqual([1, 7])
})

test('it lists assignments and conditions with the arms around them', async () => {
  const read = await syntax(
    'int a = 1;\nb += a ? 2 : 3;\nif (x > 1) { c = 4; } else if (y) { d = 5; }\nswitch (m) { case 1: ' +
      'e = 6; break; default: f = 7; }\n#if A\ng = 8;\n#else\nh = 9;\n#endif\nint k;',
  )
  const arms = (list: readonly {condition: string; arm: unknown}[]) => list.map(({condition, arm}) => [condition, arm])
  expect(
    read?.assignments.map(({name, operator, value, branches, line}) => [line, name, operator, value, arms(branches)]),
  ).toEqual([
    [2, 'a', '=', '1', []],
    [3, 'b', '+=', 'a ? 2 : 3', []],
    [4, 'c', '=', '4', [['x > 1', 'then']]],
    [
      4,
      'd',
      '=',
      '5',
      [
        ['x > 1', 'else'],
        ['y', 'then'],
      ],
    ],
    [5, 'e', '=', '6', [['m', {case: '1'}]]],
    [5, 'f', '=', '7', [['m', {case: 'default'}]]],
    [7, 'g', '=', '8', [['A', 'then']]],
    [9, 'h', '=', '9', [['A', 'else']]],
  ])
  expect(read?.conditions.map(({text, line}) => [line, text])).toEqual([
    [3, 'a'],
    [4, 'x > 1'],
    [4, 'y'],
    [5, 'm'],
  ])
})

test('a call of a member template that takes a comparison for the grammar is a call still', async () => {
  const read = await body(
    'object.template Copy<half>(a, b);\nobject.Copy<half>(a, b + 1, c);\nqueue.Fill<false>(a, b, c + ' +
      '1);\nx->y.Fill<4>(one);\na.b < 3;\na.b < 3, c;',
  )
  expect(read.map(({text, call}) => [text, call])).toEqual([
    ['object.Copy<half>(a, b)', {name: 'Copy', receiver: 'object', args: ['a', 'b']}],
    ['object.Copy<half>(a, b + 1, c)', {name: 'Copy', receiver: 'object', args: ['a', 'b + 1', 'c']}],
    ['queue.Fill<false>(a, b, c + 1)', {name: 'Fill', receiver: 'queue', args: ['a', 'b', 'c + 1']}],
    ['x->y.Fill<4>(one)', {name: 'Fill', receiver: 'x->y', args: ['one']}],
  ])
})

test('what a lambda does is not done by the function around it', async () => {
  const read = await body('auto f = [&](int i) { a = i; };\nRun([&]() { b = 1; });\nc = 2;')
  expect(read.map(({kind, target}) => `${kind} ${target}`)).toEqual(['value f', 'call ', 'value c'])
})

test('functions that give back references, operators and macros are told apart', async () => {
  const {functions} = await syntaxOf(
    'int& First(int a) { return a; }\nclass C { int* Second(int, half b) { return 0; } bool ' +
      'operator==(int a) { return true; } ~C() {} };\nint third = Call(1);\nint fourth(3);\nextern "C" ' +
      'void Fifth(int a) {}',
  )
  expect(
    functions.map(({name, owner, returns, parameters}) => [owner, name, returns, parameters.map((one) => one.name)]),
  ).toEqual([
    ['', 'First', 'int', ['a']],
    ['C', 'Second', 'int', ['', 'b']],
    ['C', 'operator==', 'bool', ['a']],
    ['C', '~C', '', []],
    ['', 'Fifth', 'void', ['a']],
  ])
  const flows = await functionFlows('class C { bool operator==(int a) { return true; } extern int Out(int a); };')
  expect(flows.map(({name, isStatic}) => [name, isStatic])).toEqual([['Out', false]])
})

test('a case that runs on through all that it does has its label before the next', async () => {
  const read = await body(
    'switch (m) {\ncase 0: { a(); }\ncase 1: if (x) { return 1; }\n// why\ncase 2: if (x) { return 1;' +
      ' } else { b(); }\ncase 3: c = 3; continue;\ncase 4: for (;;) {}\ncase 5: d = 4;\n}\nif (p) case ' +
      '6: e = 5;',
  )
  const arms = read.filter(({kind}) => kind === 'value').map(({target, branches}) => [target, branches.at(-1)?.arm])
  expect(arms).toEqual([
    ['c', {case: '3', also: ['0', '1', '2']}],
    ['d', {case: '5', also: ['4']}],
    ['e', 'then'],
  ])
})
