import {describe, expect, test} from 'vitest'
import {methodRewrites} from '../../../../pipelines/preference/variants/methods.ts'
import {rewriting} from './chance.ts'

const rewritten = rewriting(methodRewrites)

const klass = (lines: string) => `class K {\npublic:\n${lines}};\n`
const init = (head: string, lines: string, after = '') => klass(`    ${head}\n    {\n${lines}${after}    }\n`)
const buffers = '        p.InitBuffer(a_, n);\n        p.InitBuffer(b_, 2, n);\n'
const head = '__aicore__ inline void Init(uint32_t n)'

describe('lines that set up buffers move to a method', () => {
  const moved = (call: string, signature: string, lines: string, first = head) =>
    init(first, `        ${call};\n`).replace('    }\n};', `    }\n\n    ${signature}\n    {\n${lines}    }\n};`)

  test('with what they read: parameters, and variables that stand before them', () => {
    expect(rewritten('split-method', init(head, buffers))).toBe(
      moved('InitBuffers(n)', '__aicore__ inline void InitBuffers(uint32_t n)', buffers),
    )
    const own = buffers.replaceAll('n)', 'n_)')
    expect(rewritten('split-method', init(head, own))).toBe(
      moved('InitBuffers()', '__aicore__ inline void InitBuffers()', own),
    )
    const local = '        uint32_t m = 4;\n'
    const ofLocal = buffers.replace('a_, n', 'a_, m')
    expect(rewritten('split-method', init(head, local + ofLocal))).toBe(
      moved('InitBuffers(n, m)', '__aicore__ inline void InitBuffers(uint32_t n, uint32_t m)', ofLocal).replace(
        '        InitBuffers',
        `${local}        InitBuffers`,
      ),
    )
  })

  test('at the level of a method, however deep they stood', () => {
    const deeper = buffers.replaceAll('        p.', '            p.')
    const block = (lines: string) => `        if (n > 0) {\n${lines}        }\n`
    expect(rewritten('split-method', init(head, block(deeper)))).toBe(
      moved('InitBuffers(n)', '__aicore__ inline void InitBuffers(uint32_t n)', buffers).replace(
        '        InitBuffers(n);\n',
        block('            InitBuffers(n);\n'),
      ),
    )
  })

  test('of the method that they stand in', () => {
    const text = klass(`    void First(float n)\n    {\n    }\n    ${head}\n    {\n${buffers}    }\n`)
    expect(rewritten('split-method', text)).toContain('__aicore__ inline void InitBuffers(uint32_t n)')
  })

  test('with tensors that get their addresses', () => {
    const tensors = '        x_.SetGlobalBuffer(x);\n        y_.SetGlobalBuffer(y + n);\n'
    const first = 'void Init(GM_ADDR x, GM_ADDR y, uint32_t n)'
    expect(rewritten('split-method', init(first, tensors))).toBe(
      moved('BindTensors(x, y, n)', 'void BindTensors(GM_ADDR x, GM_ADDR y, uint32_t n)', tensors, first),
    )
  })

  test('with the length that they declare, unless it is used after them', () => {
    const declared =
      '        const uint32_t bytes = n * 4;\n        p.InitBuffer(a_, bytes);\n        p.InitBuffer(b_, n);\n'
    expect(rewritten('split-method', init(head, declared))).toBe(
      moved('InitBuffers(n)', '__aicore__ inline void InitBuffers(uint32_t n)', declared),
    )
    expect(rewritten('split-method', init(head, declared, '        f(bytes);\n'))).toBeUndefined()
    expect(rewritten('split-method', init(head, declared, '        f(bytesOf);\n'))).toBeDefined()
  })

  test.each([
    ['a single line', init(head, '        p.InitBuffer(a_, n);\n')],
    ['lines outside of a method', klass(buffers)],
    ['a name that is taken', init(head, buffers, '        InitBuffers();\n')],
    ['a variable without a type', init(head, `        auto n = 1;\n${buffers}`)],
    ['a variable that hides a parameter', init(head, `        uint32_t n = 1;\n${buffers}`)],
    ['a method that returns something', init('int Init(uint32_t n)', buffers)],
    ['a static method', init('static void Init(uint32_t n)', buffers)],
    ['a method that is a template', init('template <typename U> void Init(uint32_t n)', buffers)],
  ])('not %s', (_, text) => expect(rewritten('split-method', text)).toBeUndefined())

  test('a name behind a dot is of another object', () => {
    const other = '        p.InitBuffer(a_, t.n);\n        p.InitBuffer(b_, t->n);\n'
    expect(rewritten('split-method', init(head, other))).toContain('inline void InitBuffers()\n')
    const [one, two] = [
      '        p.InitBuffer(a_, t.n);\n        p.InitBuffer(b_, n);\n',
      'void InitBuffers(uint32_t n)\n',
    ]
    expect(rewritten('split-method', init(head, one))).toContain(two)
  })
})

const step = '    void Step(uint32_t k)\n    {\n        f(k);\n    }\n'
/** A class in which `Run` does `lines`, and `method` is private. */
const merging = (lines: string, method = step, access = 'private:\n', rest = '') =>
  klass(`    void Run(uint32_t n)\n    {\n${lines}    }\n${access}${method}${rest}`)

describe('a method that is called once stands where it was called', () => {
  const merged = (block: string, rest = '') =>
    klass(`    void Run(uint32_t n)\n    {\n${block}    }\nprivate:\n    ${rest}`)

  test('its parameters become variables, unless they are given by their own name', () => {
    expect(rewritten('merge-method', merging('        Step(n + 1);\n'))).toBe(
      merged('        {\n            uint32_t k = n + 1;\n            f(k);\n        }\n'),
    )
    expect(rewritten('merge-method', merging('        Step(k);\n'))).toBe(
      merged('        {\n            f(k);\n        }\n'),
    )
  })

  test('further in where the call stands further in', () => {
    const lines = '        if (n) {\n            Step(n);\n        }\n'
    expect(rewritten('merge-method', merging(lines))).toContain(
      '            {\n                uint32_t k = n;\n                f(k);\n            }\n        }\n',
    )
    const flat = '            void Step(uint32_t k)\n            {\n                f(k);\n            }\n'
    expect(rewritten('merge-method', merging('        Step(n);\n', flat))).toContain(
      '        {\n            uint32_t k = n;\n                f(k);\n        }\n',
    )
  })

  test('whether it stands before the call or after it', () => {
    const before = klass(`private:\n${step}public:\n    void Run(uint32_t n)\n    {\n        Step(n);\n    }\n`)
    const block = '        {\n            uint32_t k = n;\n            f(k);\n        }\n'
    expect(rewritten('merge-method', before)).toBe(
      klass(`private:\n    public:\n    void Run(uint32_t n)\n    {\n${block}    }\n`),
    )
  })

  test('what follows the method keeps its place, and the blank line between goes', () => {
    const rest = '\n    uint32_t m_;\n'
    const text = rewritten('merge-method', merging('        Step(n);\n', step, 'private:\n', rest))
    expect(text).toMatch(/\nprivate:\n {4}uint32_t m_;\n\};\n$/)
  })

  test('of several one is merged', () => {
    const other = step.replaceAll('Step', 'Other')
    const text = rewritten('merge-method', merging('        Step(n);\n        Other(n);\n', step + other)) ?? ''
    expect([text.includes('Step'), text.includes('void Other(uint32_t k)')]).toEqual([false, true])
  })

  test.each([
    ['that is called twice', merging('        Step(n);\n        Step(n);\n')],
    ['that is called nowhere', merging('        f(n);\n')],
    ['that calls itself alone', merging('        f(n);\n', step.replace('f(k)', 'Step(k)'))],
    ['that is called outside of a method', `${merging('        f(n);\n')}int x = Step(1);\n`],
    ['that a function calls', `${merging('        f(n);\n')}void G()\n{\n    Step(1);\n}\n`],
    ['whose call is a part of a statement', merging('        x = Step(n);\n')],
    ['whose call is asked of an object', merging('        this->Step(n);\n')],
    ['whose call does not begin its line', merging('        g(); Step(n);\n')],
    ['that others may call', merging('        Step(n);\n', step, 'public:\n')],
    ['that subclasses may call', merging('        Step(n);\n', step, 'private:\n    int a;\nprotected:\n')],
    ['that returns something', merging('        Step(n);\n', step.replace('void', 'int'))],
    ['that is static', merging('        Step(n);\n', step.replace('void', 'static void'))],
    ['that ends early', merging('        Step(n);\n', step.replace('f(k)', 'return'))],
    ['with another number of arguments', merging('        Step(n, 1);\n')],
    [
      'whose arguments read names of its parameters',
      merging('        Step(b, k);\n', step.replace('uint32_t k', 'uint32_t k, uint32_t b')),
    ],
  ])('not one %s', (_, text) => expect(rewritten('merge-method', text)).toBeUndefined())

  test.each(['__aicore__ inline void', 'inline __aicore__ void', 'inline void', '__aicore__ void'])('%s', (type) => {
    expect(rewritten('merge-method', merging('        Step(n);\n', step.replace('void', type)))).toContain(
      'uint32_t k = n;',
    )
  })
  test('with a comment above it', () => {
    const commented = `    // What it does.\n${step}`
    expect(rewritten('merge-method', merging('        Step(n);\n', commented))).not.toContain('What it does')
  })
})
