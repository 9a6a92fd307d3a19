import {describe, expect, test} from 'vitest'
import {readExpression, truthOf, valueOf, type Environment, type Value} from '../../cpp/evaluator.ts'

const names = new Map<string, Value>([
  ['n', 7],
  ['rows', 12],
  ['zero', 0],
  ['type', 'DT_FLOAT16'],
])
const known: Environment = {
  name: (path) => names.get(path),
  call: (name, texts, args) =>
    name === 'sum' ? args.reduce<number>((a, b) => a + Number(b), 0) : names.get(texts[0]!),
}
const value = (text: string) => valueOf(readExpression(text), known)

describe('an expression has the value that C++ gives it', () => {
  test.each<[expression: string, value: Value]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 4 - 3', 3],
    ['100 / 7 / 2', 7],
    ['-rows / n', -1],
    ['17 % 5 * 2', 4],
    ['-1 >> 1', -1],
    ['1 << 2 + 3', 32],
    ['1 + 2 << 3', 24],
    ['64>>1<<3', 256],
    ['3 << n', 384],
    ['n == 7', 1],
    ['n == 8', 0],
    ['n != 7', 0],
    ['n != 8', 1],
    ['n < 7', 0],
    ['n < 8', 1],
    ['n<8', 1],
    ['n > 7', 0],
    ['n > 6', 1],
    ['n <= 6', 0],
    ['n <= 7', 1],
    ['n >= 8', 0],
    ['n >= 7', 1],
    ['zero || n', 1],
    ['n || zero', 1],
    ['zero or zero', 0],
    ['n && zero', 0],
    ['n and rows', 1],
    ['1 || 1 && 0', 1],
    ['!n', 0],
    ['!!n', 1],
    ['not zero', 1],
    ['!n == 0', 1],
    ['- -n', 7],
    ['6 == 6 == 1', 1],
    ['1 + 2 < 4 && 3 > 2', 1],
    ['zero ? 3 : n', 7],
    ['n ? 3 : zero', 3],
    ['n < 7 ? 3 : n <= 7 ? 5 : 6', 5],
    ['(n) ? (zero ? 1 : 2) : 3', 2],
    ['n || n ? 1 : 2', 1],
    ['0x10u + 0XfUL + 1', 32],
    ['type', 'DT_FLOAT16'],
    ['type == n', 0],
    ['!type', 0],
    ['9007199254740990 + 1', 9007199254740991],
    ['static_cast<uint32_t>(n * 2) + (uint64_t)(n) + (int)-n', 14],
    ['sum(n, sum(1, 2), (3))', 13],
    ['sum<int64_t>(n, 1) + sum()', 8],
    [`${'!'.repeat(999)}n`, 0],
  ])('%s', (expression, expected) => expect(value(expression)).toBe(expected))
})

describe('it has none', () => {
  const strays = ['', 'n n', '1 +', '* 2', '(n', 'n)', 'n ?', 'n ? 1', 'n ? 1 2', '1 : 2', '? 1 : 2', '!', '-', 'n, n']
  const numbers = ['1.5', '1e3', '1a', 'n / zero', 'n % zero', '1 << 60', '1 << 9999', '9007199254740991 + 1']
  const others = ['--n', 'n++', '*n', '&n', 'n & 3', 'n = 7', 'n[0]', '"n"', 'x{1}', 'other', 'sum(n', '[n](){}', '()']
  test.each([...strays, ...numbers, ...others, 'type + 1', 'type < 1', '-type', `${'!'.repeat(1000)}n`])(
    'for %s',
    (text) => expect(value(text)).toBeUndefined(),
  )
  test('for brackets without end, however many', () => expect(value('('.repeat(100_000))).toBeUndefined())
})

describe('what is known decides alone where it can', () => {
  test.each<[condition: string, holds: boolean | undefined]>([
    ['zero && other', false],
    ['other && zero', false],
    ['n && other', undefined],
    ['other && n', undefined],
    ['n || other', true],
    ['other || n', true],
    ['zero || other', undefined],
    ['other || zero', undefined],
    ['zero || zero || n', true],
    ['!other', undefined],
    ['!(zero && other)', true],
    ['other == 7', undefined],
    ['7 == other', undefined],
    ['other ? 1 : 1', undefined],
    ['zero ? other : n', true],
    ['n ? other : 1', undefined],
    ['f(a || b) && zero', false],
    ['list[i].f<T, 3>(a)->b && zero', false],
    ['a b && zero', false],
    ['(a b || n) && !zero', true],
    ['n && a b', undefined],
    ['[&](int n) { return n; }(3) || n', true],
    ['1.5 < other || n', true],
  ])('%s', (condition, holds) => expect(truthOf(condition, known)).toBe(holds))
})

/** What the environment is asked for. */
function asked(text: string): string[] {
  const all: string[] = []
  const note = (...parts: readonly string[]) => void all.push(parts.join(' '))
  truthOf(text, {
    name: (path) => note(path),
    call: (name, texts) => note(`${name}:`, texts.join(' | ')),
    equal: (left, right) => note(left, '=', right) as undefined,
  })
  return all
}

test.each<[expression: string, ...asked: string[]]>([
  ['n + this -> rows', 'n', 'this->rows'],
  ['a::b::C * info.shape.rows', 'a::b::C', 'info.shape.rows'],
  ['list[i].rows - list[i]', 'list[i].rows'],
  ['sizeof( AscendC::half )', 'AscendC::half', 'sizeof: AscendC::half'],
  ['defined N || n', 'defined: N', 'n'],
  ['defined(N)', 'N', 'defined: N'],
  ['std::is_same<T, int>::value', 'std::is_same::value: T | int'],
  ['Is<A<B>, C>{} != Is<T>()', 'Is: A<B> | C', 'Is: T', 'Is<A<B>, C>{} = Is<T>()'],
  ['a<b>(c)', 'c', 'a: b'],
  ['a<b>-1', 'a', 'b'],
  ['a < b > (c)', 'a', 'b', 'c'],
  ['x->Get(0, n) == DT_FLOAT', 'n', 'x->Get: 0 | n', 'DT_FLOAT', 'x->Get(0, n) = DT_FLOAT'],
])('%s asks for %s …', (expression, ...wanted) => expect(asked(expression)).toEqual(wanted))

test('an answer tells whether operands without values are equal', () => {
  const holds = (text: string) => truthOf(text, {...known, equal: (left, right) => left === '(a b)' && right === 'c.d'})
  expect(holds('(a b) == c.d')).toBe(true)
  expect(holds('(a b) != c.d')).toBe(false)
  expect(holds('c.d == n')).toBe(false)
  expect(holds('n == 7')).toBe(true)
  expect(holds('other < 7')).toBeUndefined()
  expect(holds('!other')).toBeUndefined()
})
