import {describe, expect, test} from 'vitest'
import {viewSource} from '../../../../cpp/source-view.ts'
import {classesOf, definitionsOf, fieldsOf, methodsOf} from '../../../../pipelines/preference/variants/definitions.ts'

const view = (text: string) => viewSource('op_kernel/k.cpp', text)
/** Each definition as its head, name, parameters, and its text. */
const defined = (text: string) =>
  definitionsOf(view(text)).map(({head, name, parameters, start, end, open}) => ({
    head: `${head} ${name}`,
    given: parameters.map((one) => `${one.type}|${one.name}`).join(),
    text: text.slice(start, end),
    body: text.slice(open, end),
  }))

describe('classes', () => {
  test('are found with their braces', () => {
    const text = 'class A {\nint a;\n};\nstruct B : public A {\nvoid F() { }\n};\n'
    expect(classesOf(view(text)).map(({name, open, close}) => [name, text.slice(open, close + 1)])).toEqual([
      ['A', '{\nint a;\n}'],
      ['B', '{\nvoid F() { }\n}'],
    ])
  })
  test('are none of declarations, of templates and where a brace stays open', () => {
    expect(classesOf(view('class A;\ntemplate <class T> void F(T t) {}\n'))).toEqual([])
    expect(classesOf(view('class A {\nint a;\n'))).toEqual([])
  })
})

describe('definitions', () => {
  test.each([
    ['void F(int a) { }', 'void F', 'int|a', '{ }'],
    ['static uint32_t F(const T& a, uint32_t n = 1) const { }', 'static uint32_t F', 'const T&|a,uint32_t|n', '{ }'],
    ['T* F(int *a) noexcept {\n}', 'T* F', 'int *|a', '{\n}'],
    ['Vector<T> F(int) { }', 'Vector<T> F', '', '{ }'],
    ['__aicore__ inline K(int a) : a_(a) { }', '__aicore__ inline K', 'int|a', '{ }'],
  ])('%s', (text, head, given, body) => {
    expect(defined(text)).toEqual([{head, given, text, body}])
  })

  test.each([
    ['a declaration', 'void F(int a);'],
    ['a call', 'int x = F(a);'],
    ['a branch', '{ if (a) { } else if (Holds(b)) { } }'],
    ['a loop of a macro', 'x = FOR(a) { }'],
    ['what returns', '{ return F(a) { } }'],
    ['what makes an object', '{ new F(a) { } }'],
    ['a body that stays open', 'void F() {'],
    ['without a type', '; F() { }'],
    ['an argument', 'g(a, F(b) { })'],
  ])('%s is none', (_, text) => expect(defined(text)).toEqual([]))

  test('begin behind what stands before them, and with the comments right above', () => {
    const comment = '// What it does.\n  // In short.\n  '
    const text = (before: string) => `${before}void F() { }`
    const begins = (before: string) => defined(text(before)).at(-1)?.text
    for (const before of ['int a; ', 'void G() { } ', 'public: ', 'class K { ', '#include <x>\n'])
      expect([before, begins(before)]).toEqual([before, 'void F() { }'])
    expect(begins(`int a;\n  ${comment}`)).toBe(text(comment))
    expect(begins('int a;\n// Far away.\n\n  ')).toBe('void F() { }')
    expect(begins('int a; // Of a.\n  ')).toBe('void F() { }')
    expect(begins('// At the top.\n')).toBe('// At the top.\nvoid F() { }')
    expect(begins('private:\n  template <typename T>\n  ')).toBe('template <typename T>\n  void F() { }')
  })
})

const text = `void Before() { }
class K {
public:
    void A() {
        struct Inner {
            void Deep() { }
        };
        uint32_t local = 1;
    }
    void B() { }
private:
    uint32_t n_ = 1;
    const float f_{2};
    TQue<QuePosition::VECIN, 2> queue_;
    half* p_;
    int a_, b_;
    return x_;
    using T2 = X;
    friend F;
    static int s_;
    int trailing_; // Why.
    int twice_; int same_;
};
void After() { }
int outside_;
`
const body = classesOf(view(text))[0]

test('methods of a class are those in its own braces', () => {
  if (!body) throw new Error('no class')
  expect(methodsOf(view(text), body).map(({name}) => name)).toEqual(['A', 'B'])
})

test('fields of a class have a line of their own, outside of its methods', () => {
  if (!body) throw new Error('no class')
  const fields = fieldsOf(view(text), body)
  expect(fields.map(({name, initialiser}) => [name, initialiser].join('|'))).toEqual([
    'n_|= 1',
    'f_|{2}',
    'queue_|',
    'p_|',
    'trailing_|',
  ])
  expect(fields.slice(0, 2).map(({start, end}) => text.slice(start, end))).toEqual([
    '    uint32_t n_ = 1;',
    '    const float f_{2};',
  ])
})
