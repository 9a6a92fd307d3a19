import {describe, expect, test} from 'vitest'
import {bracketsAround, callsOf, spelled} from '../../../pipelines/facts/bracketed.ts'
import {differenceOf} from '../../../pipelines/facts/edits.ts'
import type {CodeStatement as Statement} from '../../../datasets/schema/edit-facts.ts'
import {statementsOf} from '../../../pipelines/facts/code-statements.ts'

const one = (text: string): Statement => statementsOf(text)[0]!
const told = ({mark, receiver, name, templates, args, open}: ReturnType<typeof callsOf>[number]) =>
  `${open} ${mark} [${receiver}] ${name} <${templates}> ${args.map((text) => `{${text}}`).join('')}`

describe('tokens are spelled as one would write them', () => {
  test.each([
    'Adds(y, x, -1, count);',
    'this->x_[i + 1] = a->b.c;',
    'LocalTensor<T> y = queue_.AllocTensor<T>();',
    'Cast<half, float>(y, x, RoundMode::CAST_NONE, n);',
    'if (a < b) {',
    'for (int i = 0; i < n; i += 1) {',
    'p = {1, 2, 0, 0};',
    'ok = i < n && j > m;',
    'f(&x, *y, !ok, ~mask);',
    'return -n;',
    'n = a * sizeof(T) - b / 2;',
    'n = a + -b;',
    'a[-1] = -(b + c);',
    'f({a, b});',
    'static_cast<uint32_t>(n) * 4;',
    'y = a > b;',
    'if (a && -b > 0 || *p) {',
  ])('%s', (text) => expect(spelled(one(text).tokens)).toBe(text))
})

describe('a call is read', () => {
  test.each<[string, string[]]>([
    ['Adds(y, x, 1, n);', ['1 ( [] Adds <> {y}{x}{1}{n}']],
    ['Run();', ['1 ( [] Run <> ']],
    ['f(a, g(b, c), {d, e}, h[i, j]);', ['1 ( [] f <> {a}{g(b, c)}{{d, e}}{h[i, j]}', '5 ( [] g <> {b}{c}']],
    ['x = (a + b) * c;', []],
    ['Cast<half, float>(y, x);', ['6 ( [] Cast <half, float> {y}{x}']],
    ['q.DeQue<LocalTensor<T>>();', ['9 ( [q] DeQue <LocalTensor<T>> ']],
    ['if (a > b) (f)(x);', ['1 ( [] if <> {a > b}']],
    ['y = a > (b);', []],
    ['this->pipe_.InitBuffer(q, 2, n);', ['5 ( [this->pipe_] InitBuffer <> {q}{2}{n}']],
    ['AscendC::vec::Adds(y);', ['5 ( [AscendC::vec] Adds <> {y}']],
    ['AscendC::Adds(y);', ['3 ( [AscendC] Adds <> {y}']],
    ['Pack(all...).Run(n);', ['1 ( [] Pack <> {all...}', '7 ( [)] Run <> {n}']],
    ['a.Get().Reset(n);', ['3 ( [a] Get <> ', '7 ( [)] Reset <> {n}']],
    ['queue.template DeQue<T>();', ['7 ( [queue] DeQue <T> ']],
    ['template DeQue<T>();', ['5 ( [] DeQue <T> ']],
    ['f(a', ['1 ( [] f <> {a}']],
    ['{1} > (a);', []],
    ['a < b; c > (d);', []],
  ])('%s', (text, calls) => expect(callsOf(one(text)).map(told)).toEqual(calls))
})

describe('the brackets around a stretch, the innermost first', () => {
  test.each<[string, string, string[]]>([
    ['f(a, g(HERE), c);', 'HERE', ['5 ( [] g <> {HERE}', '1 ( [] f <> {a}{g(HERE)}{c}']],
    ['f(g(a)[b]{c}, HERE);', 'HERE', ['1 ( [] f <> {g(a)[b] {c}}{HERE}']],
    ['f(g(h(a)), HERE);', 'HERE', ['1 ( [] f <> {g(h(a))}{HERE}']],
    ['{HERE};', 'HERE', []],
    ['f(g(a), HERE);', 'HERE', ['1 ( [] f <> {g(a)}{HERE}']],
    ['f(a)(HERE);', 'HERE', ['4 ( []  <> {HERE}']],
    ['f(a) + HERE;', 'HERE', []],
    ['x_[i + HERE] = 0;', 'HERE', ['1 [ [] x_ <> {i + HERE}']],
    ['const DataCopyExtParams p{1, HERE, 0};', 'HERE', ['3 { [p] DataCopyExtParams <> {1}{HERE}{0}']],
    ['DataCopyPadExtParams<T> p{true, HERE};', 'HERE', ['5 { [p] DataCopyPadExtParams <> {true}{HERE}']],
    ['f({HERE, 1});', 'HERE', ['2 { []  <> {HERE}{1}', '1 ( [] f <> {{HERE, 1}}']],
    ['return p{HERE};', 'HERE', ['2 { [p] return <> {HERE}']],
    ['f(HERE', 'HERE', ['1 ( [] f <> {HERE}']],
    ['(HERE, b);', 'HERE', ['0 ( []  <> {HERE}{b}']],
    ['<T>(HERE);', 'HERE', ['3 ( []  <> {HERE}']],
    ['y = a > (HERE);', 'HERE', ['4 ( []  <> {HERE}']],
    ['p{HERE};', 'HERE', ['1 { [p]  <> {HERE}']],
    ['x = p{HERE};', 'HERE', ['3 { [p]  <> {HERE}']],
  ])('%s', (text, word, brackets) => {
    const statement = one(text)
    const at = statement.tokens.findIndex((each) => each.text === word)
    expect(bracketsAround(statement, at, at + 1).map(told)).toEqual(brackets)
  })

  test('a bracket that closes inside of the stretch is not around it', () => {
    const statement = one('f(g(a, b), c);')
    // From `b` to `c`: the call of g ends between them.
    expect(bracketsAround(statement, 5, 9).map(told)).toEqual(['1 ( [] f <> {g(a, b)}{c}'])
    // The stretch may reach up to the closing mark itself.
    expect(bracketsAround(statement, 5, 7).map(({name}) => name)).toEqual(['g', 'f'])
    expect(bracketsAround(statement, 4, 8).map(({name}) => name)).toEqual(['f'])
    // A stretch that begins with the opening mark is not inside of it.
    expect(bracketsAround(statement, 3, 5).map(({name}) => name)).toEqual(['f'])
    expect(bracketsAround(statement, 0, 2)).toEqual([])
  })
})

describe('where two statements differ', () => {
  test.each<[string, string, [number, number, number]]>([
    ['f(a, b);', 'f(a, c);', [4, 5, 5]],
    ['f(a, b);', 'f(a, b);', [7, 7, 7]],
    ['f(a);', 'f(a, a);', [3, 3, 5]],
    ['f(a, a);', 'f(a);', [3, 5, 3]],
    ['a;', 'b', [0, 2, 1]],
    ['x = a;', 'y = a;', [0, 1, 1]],
    ['a', 'a b', [1, 1, 2]],
    ['f(g(a));', 'g(a);', [0, 6, 3]],
  ])('%s %s', (before, after, [start, wrongEnd, rightEnd]) => {
    expect(differenceOf(one(before), one(after))).toEqual({start, wrongEnd, rightEnd})
  })
})
