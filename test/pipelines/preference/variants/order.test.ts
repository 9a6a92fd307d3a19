import {describe, expect, test} from 'vitest'
import {orderRewrites} from '../../../../pipelines/preference/variants/order.ts'
import {rewriting} from './chance.ts'

const rewritten = rewriting(orderRewrites)
const host = {path: 'op_host/a.cpp'}
const klass = (lines: string) => `class K {\npublic:\n${lines}};\n`
const method = (name: string, head = 'void') => `    ${head} ${name}()\n    {\n        f();\n    }\n`
const joined = (...names: string[]) => names.map((name) => method(name)).join('\n')

describe('methods of a class change places', () => {
  test('with nothing but white space between them', () => {
    expect(rewritten('reorder-methods', klass(joined('A', 'B', 'C')))).toBe(klass(joined('C', 'B', 'A')))
    const apart = (...runs: string[]) => klass(runs.join('private:\n'))
    expect(rewritten('reorder-methods', apart(joined('A', 'B'), joined('C', 'D')))).toBe(
      apart(joined('B', 'A'), joined('D', 'C')),
    )
    expect(rewritten('reorder-methods', apart(joined('A'), joined('B')))).toBeUndefined()
  })
  test('constructors stay, and what has to be known before it is used', () => {
    expect(rewritten('reorder-methods', klass(method('K', '__aicore__ inline') + method('A')))).toBeUndefined()
    expect(rewritten('reorder-methods', klass(method('A', 'auto') + method('B')))).toBeUndefined()
    expect(rewritten('reorder-methods', klass(joined('A', 'B')), host)).toBeUndefined()
  })
})

describe('members of a class with methods change places', () => {
  const [one, two] = ['    uint32_t a_ = 1;\n', '    float b_;\n']
  test('unless one is made from another', () => {
    expect(rewritten('reorder-members', klass(method('A') + one + two))).toBe(klass(method('A') + two + one))
    const tied = (value: string) => klass(`${method('A')}    uint32_t a_ = ${value};\n    uint32_t b_;\n`)
    expect(rewritten('reorder-members', tied('b_'))).toBeUndefined()
    expect(rewritten('reorder-members', tied('b_c'))).toBeDefined()
  })
  test('of data alone keep their places', () => expect(rewritten('reorder-members', klass(one + two))).toBeUndefined())
})

test('fields of the tiling change places', () => {
  const fields = (...names: string[]) => names.map((name) => `  TILING_DATA_FIELD_DEF(uint32_t, ${name});\n`).join('')
  const array = '  TILING_DATA_FIELD_DEF_ARR(uint32_t, 4, d);\n'
  const wrap = (lines: string) => `BEGIN_TILING_DATA_DEF(T)\n${lines}END_TILING_DATA_DEF;\n`
  expect(rewritten('reorder-tiling-fields', wrap(fields('a', 'b') + array), host)).toBe(wrap(array + fields('b', 'a')))
  expect(rewritten('reorder-tiling-fields', wrap(fields('a')), host)).toBeUndefined()
  expect(rewritten('reorder-tiling-fields', wrap(fields('a', 'b')))).toBeUndefined()
})

describe('statements that do not depend on each other change places', () => {
  test.each([
    ['p.InitBuffer(a_, n);', 'p->InitBuffer(b_, 2, n);'],
    ['a_.SetGlobalBuffer(x);', 'b_.SetGlobalBuffer(y + n);'],
    ['a_.EnQue(x);', 'b_.EnQue(y);'],
    ['a_.FreeTensor(x);', 'b_.FreeTensor(y);'],
    ['t.set_a(n);', 't.set_b(m);'],
    ['auto x = a_.DeQue<T>();', 'LocalTensor<half> y = b_.template AllocTensor<half>();'],
    ['a_ = t.a;', 'b_ = n;'],
  ])('%s %s', (one, two) => {
    expect(rewritten('reorder-statements', `    ${one}\n    ${two}\n`)).toBe(`    ${two}\n    ${one}\n`)
    expect(rewritten('reorder-statements', `    ${one}\n    f();\n    ${two}\n`)).toBeUndefined()
    expect(rewritten('reorder-statements', `    ${one}\n`)).toBeUndefined()
  })
  test.each([
    ['of one queue', '    a_.EnQue(x);\n    a_.EnQue(y);\n'],
    ['of one field', '    t.set_a(n);\n    t.set_a(m);\n'],
    ['what the first one sets', '    a_ = n;\n    b_ = a_;\n'],
    ['what the second one sets', '    a_ = b_;\n    b_ = n;\n'],
  ])('not %s', (_, text) => expect(rewritten('reorder-statements', text)).toBeUndefined())
  test('a name within another one is not read', () => {
    expect(rewritten('reorder-statements', '    a_ = n;\n    b_ = a_b;\n')).toBe('    b_ = a_b;\n    a_ = n;\n')
    expect(rewritten('reorder-statements', '    t.set_a(b);\n    t.set_b(a);\n')).toBe(
      '    t.set_b(a);\n    t.set_a(b);\n',
    )
    expect(rewritten('reorder-statements', '    a_ = n;\n    b_ = m;\n', host)).toBe('    b_ = m;\n    a_ = n;\n')
  })
})

describe('two tiling keys change places', () => {
  const arm = (key: number) => `if (TILING_KEY_IS(${key})) { f${key}(); }`
  test('where there are two of them', () => {
    expect(rewritten('reorder-tiling-keys', `${arm(1)} else ${arm(2)}\n`)).toBe(`${arm(2)} else ${arm(1)}\n`)
    expect(rewritten('reorder-tiling-keys', `${arm(1)} else ${arm(2)} else { g(); }\n`)).toBeUndefined()
    expect(rewritten('reorder-tiling-keys', `${arm(1)}\n${arm(2)}\n`)).toBeUndefined()
  })
})
