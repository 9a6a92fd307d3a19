import {describe, expect, test} from 'vitest'
import type {Branch, FunctionSyntax} from '../../cpp/syntax.ts'
import {syntaxOf} from '../../cpp/read-syntax.ts'

async function first(text: string): Promise<FunctionSyntax> {
  const {functions} = await syntaxOf(text)
  if (!functions[0]) expect.fail('the text has no function')
  return functions[0]
}
const bodyOf = (body: string) => first(`void F(int n) {\n${body}\n}\n`)

describe('the head of a function', () => {
  test.each<[text: string, head: string]>([
    ['int F(int a, const half* b) {}', 'int F(int a, half b)'],
    ['int& F(int& a) {}', 'int F(int a)'],
    ['half* F() {}', 'half F()'],
    ['void K::F(int) {}', 'void K::F(int )'],
    ['void n::K<T>::F() {}', 'void K::F()'],
    ['template <typename T> void F(T a = 0) {}', 'void F(T a)'],
    ['template <> void F<half>(half a) {}', 'void F(half a)'],
    ['class K { void F(LocalTensor<T>& a) {} };', 'void K::F(LocalTensor<T> a)'],
    ['class K { K(int a) : a_(a) {} };', ' K::K(int a)'],
    ['class K { class L { void F() {} }; };', 'void L::F()'],
    ['void F(int a /* of */, ...) {}', 'void F(int a)'],
  ])('%s', async (text, head) => {
    const {owner, name, returns, parameters} = await first(text)
    const list = parameters.map((one) => `${one.type} ${one.name}`).join(', ')
    expect(`${returns} ${owner === '' ? '' : `${owner}::`}${name}(${list})`).toBe(head)
  })

  test('has its lines and its body as they are written', async () => {
    const {lines, body} = await first('int a;\nvoid F()\n{\n    b();\n}\n')
    expect([lines, body]).toEqual([[2, 5], '{\n    b();\n}'])
  })

  test.each(['int F(int a);', 'int a = F(1);', 'class K { K() = default; void F(); };', ''])(
    'none is %j',
    async (text) => expect((await syntaxOf(text)).functions).toEqual([]),
  )
})

describe('calls', () => {
  test.each<[text: string, call: string]>([
    ['F(a, b + 1);', 'F(a | b + 1)'],
    ['q.EnQue(x);', 'q . EnQue(x)'],
    ['this->q->EnQue(x);', 'this->q . EnQue(x)'],
    ['AscendC::Add(a, b, c, 8);', 'AscendC . Add(a | b | c | 8)'],
    ['q.AllocTensor<half>();', 'q . AllocTensor<half>()'],
    ['Cast<half, float>(a, b);', 'Cast<half, float>(a | b)'],
    ['AscendC::Duplicate<T>(a, 0);', 'AscendC . Duplicate<T>(a | 0)'],
    ['auto x = q.DeQue();', 'x = q . DeQue()'],
    ['x[0] = F();', 'x[0] = F()'],
    ['x.~K();', 'x . ~K()'],
    ['F(a /* of */, b);', 'F(a | b)'],
  ])('%s', async (text, call) => {
    const [found] = (await bodyOf(text)).calls
    const {name, receiver, templates, args, result} = found!
    const called = `${name}${templates.length > 0 ? `<${templates.join(', ')}>` : ''}(${args.join(' | ')})`
    expect(`${result ? `${result} = ` : ''}${receiver === '' ? '' : `${receiver} . `}${called}`).toBe(call)
  })

  test('of what has no name there is none, and inner calls follow outer ones', async () => {
    const {calls} = await bodyOf('(*f)(a);\nf[0](b);\nG(H(1));')
    expect(calls.map(({name, line}) => `${name} ${line}`)).toEqual(['G 4', 'H 4'])
  })
})

test('assignments are initialisations and all that sets a name, with its operator', async () => {
  const {assignments} = await bodyOf('int a = 1, *b = &a, c;\na += n  * 2;\np->x[1] = {3};\nint d{4};\nd <<= 1;\nd++;')
  expect(assignments.map(({name, operator, value, line}) => `${line}: ${name} ${operator} ${value}`)).toEqual([
    '2: a = 1',
    '2: b = &a',
    '3: a += n * 2',
    '4: p->x[1] = {3}',
    '5: d = {4}',
    '6: d <<= 1',
  ])
})

const armText = ({condition, arm}: Branch) => {
  if (typeof arm === 'string') return `${condition}: ${arm}`
  return `${condition}: ${[...(arm.also ?? []), arm.case].join(' or ')}`
}

describe('a call stands in', () => {
  test.each<[body: string, branches: string[]]>([
    ['X();', []],
    ['if (a > 1) { X(); }', ['a > 1: then']],
    ['if (a) { } else { X(); }', ['a: else']],
    ['if (a) X(); else Y();', ['a: then']],
    ['if (X()) { }', []],
    ['if (a) { if (b) { X(); } }', ['a: then', 'b: then']],
    ['if (a) { } else if (b) { X(); }', ['a: else', 'b: then']],
    ['n = a ? X() : Y();', ['a: then']],
    ['n = a ? Y() : X();', ['a: else']],
    ['#if A\nX();\n#endif', ['A: then']],
    ['#ifdef A\nX();\n#else\n#endif', ['A: then']],
    ['#ifdef A\n#else\nX();\n#endif', ['A: else']],
    ['#if A\n#elif B\nX();\n#endif', ['A: else', 'B: then']],
    ['switch (a) { case 1: X(); break; }', ['a: 1']],
    ['switch (a) { case 1: break; default: X(); }', ['a: default']],
    ['switch (a) { case 1: case 2: X(); }', ['a: 1 or 2']],
    ['switch (a) { case 1: Y(); case 2: Y(); /* on */ default: X(); }', ['a: 1 or 2 or default']],
    ['switch (a) { case 1: Y(); break; case 2: X(); }', ['a: 2']],
    ['switch (a) { case 1: return; /* not on */ case 2: X(); }', ['a: 2']],
    ['switch (a) { case 1: { Y(); break; } case 2: X(); }', ['a: 2']],
    ['switch (a) { case 1: { Y(); } case 2: X(); }', ['a: 1 or 2']],
    ['switch (a) { case 1: if (b) { return; } case 2: X(); }', ['a: 1 or 2']],
    ['switch (a) { case 1: if (b) { return; } else { break; } case 2: X(); }', ['a: 2']],
    ['switch (a) { case 1: if (b) { return; } else { Y(); } case 2: X(); }', ['a: 1 or 2']],
    ['switch (a) { case 1: if (b) { Y(); } else { return; } case 2: X(); }', ['a: 1 or 2']],
    ['switch (a) { case 1: throw 1; case 2: X(); }', ['a: 2']],
    ['while (b) { switch (a) { case 1: continue; case 2: X(); } }', ['a: 2']],
    ['switch (a) { case X(): break; }', []],
  ])('%s', async (body, branches) => {
    const {calls} = await bodyOf(body)
    expect(calls.find(({name}) => name === 'X')?.branches.map(armText)).toEqual(branches)
  })

  test('a case that nothing runs into names itself alone', async () => {
    const {calls} = await bodyOf('switch (a) { case 1: X(); break; }')
    expect(calls[0]?.branches).toEqual([{condition: 'a', arm: {case: '1'}, line: 2}])
  })

  test('with the line of the whole statement', async () => {
    const {calls} = await bodyOf('if (a) {\nX();\n}\nswitch (b) {\ncase 1:\nX();\n}')
    expect(calls.map(({line, branches}) => [line, branches[0]?.line])).toEqual([
      [3, 2],
      [7, 5],
    ])
  })
})

test('loops have their headers, and what stands in them knows which', async () => {
  const {loops, calls} = await bodyOf(
    'for (int i = 0; i < n; i++) {\n  A();\n  while (b) C();\n}\ndo { D(); } while (e);\n' +
      'for (auto x : y) { E(); }\nF();',
  )
  expect(loops).toEqual([
    {header: 'for (int i = 0; i < n; i++)', line: 2},
    {header: 'while (b)', line: 4},
    {header: 'do', line: 6},
    {header: 'for (auto x : y)', line: 7},
  ])
  expect(calls.map(({name, loops: inside}) => `${name} ${inside.join()}`)).toEqual(['A 0', 'C 0,1', 'D 2', 'E 3', 'F '])
})

test('conditions are those of branches and choices, with their lines', async () => {
  const {conditions} = await bodyOf('if (a) { }\nn = b > 1 ? 2 : 3;\nswitch (c) { }\nwhile (d) { }')
  expect(conditions).toEqual([
    {text: 'a', line: 2},
    {text: 'b > 1', line: 3},
    {text: 'c', line: 4},
  ])
})
