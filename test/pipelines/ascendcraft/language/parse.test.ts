import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {bindTypes} from '../../../../pipelines/ascendcraft/language/bind-types.ts'
import {spell} from '../../../../pipelines/ascendcraft/language/check/spell.ts'
import {readModule} from '../../../../pipelines/ascendcraft/language/parse.ts'

const program = (condition: string, body = 'n = 1') => `import tile.language as tl
T = tl.dtypes(tl.float16, tl.float32)


@ascend_kernel
def one_kernel(x_ptr, a, b, c):
    """What it does."""
    # above
    # and again
    if ${condition}:
        ${body}


def one_host(x: tl.tensor(T), y: tl.output(T, shape=[])):
    one_kernel[1](x, y, 1, 2)
`

function readKernel(text: string) {
  const read = readModule(text)
  if (!read.ok) throw new Error(JSON.stringify(read.faults))
  return read.module
}

function conditionOf(condition: string): string {
  const statement = readKernel(program(condition)).kernel.body[0]!
  if (statement.kind !== 'if') throw new Error(statement.kind)
  return spell(statement.branches[0]!.condition!)
}

describe('expressions are read as Python reads them', () => {
  // Python 3.11 groups them like this: ast.unparse with parentheses around every operator.
  test.each([
    ['not a and b', '(not a) and b'],
    ['a and not b or c', '(a and (not b)) or c'],
    ['a or b and not c', 'a or (b and (not c))'],
    ['not not a or b', '(not (not a)) or b'],
    ['not a < b', 'not (a < b)'],
    ['not (a and b) or c', '(not (a and b)) or c'],
    ['-a ** 2 < b', '(-(a ** 2)) < b'],
    ['2 ** -a < b', '(2 ** (-a)) < b'],
    ['a - b - c < 1', '((a - b) - c) < 1'],
    ['a // b * c % 2 == 1', '(((a // b) * c) % 2) == 1'],
    ['(a if b < c else a + 1) < 2', '(a if (b < c) else (a + 1)) < 2'],
    ['a < -1.5e3', 'a < -1500.0'],
    ['a < float("-inf")', 'a < float("-inf")'],
    ['a < 0x10 + 1_000', 'a < (16 + 1000)'],
  ])('%s', (text, wanted) => {
    const bare = (one: string) => one.replaceAll(/[() ]/g, '')
    expect(bare(conditionOf(text))).toBe(bare(wanted))
    expect(conditionOf(text)).toBe(conditionOf(wanted))
  })
})

test('comments above a statement and a text at the top of a function are kept or passed over', () => {
  const {kernel} = readKernel(program('a < b'))
  expect(kernel.body).toHaveLength(1)
  expect(kernel.body[0]).toMatchObject({kind: 'if', comments: ['above', 'and again'], line: 10, column: 5})
})

test('`a += b` is an assignment, operands go by name too, None is an argument that is not given', () => {
  const [statement] = readKernel(program('a < b', 'n += 2')).kernel.body
  expect(statement).toMatchObject({branches: [{body: [{kind: 'assign', value: {kind: 'binary', operator: '+'}}]}]})
  const call = 'tl.reduce_sum(y, x, tmp=t, count=a)\n        tl.load(x_ptr, x, count=a, pad=None)'
  const [operations] = readKernel(program('a < b', call)).kernel.body
  const [sum, load] = operations!.kind === 'if' ? operations!.branches[0]!.body : []
  expect(sum).toMatchObject({arguments: [{name: 'y'}, {name: 'x'}, {name: 't'}], named: {count: {name: 'a'}}})
  expect(load!.kind === 'operation' && Object.keys(load!.named)).toEqual(['count'])
})

describe('type parameters', () => {
  const module = readKernel(program('a < b'))
  const typeOf = (types?: {T: 'float16' | 'float32'}) => bindTypes(module, types).module.host.parameters[0]

  test('the first choice is the default', () => {
    expect(typeOf()).toMatchObject({type: {kind: 'type', type: 'float16'}})
    expect(typeOf({T: 'float32'})).toMatchObject({type: {kind: 'type', type: 'float32'}})
  })

  test('a type that is no choice and a parameter that is none are refused', () => {
    expect(() => bindTypes(module, {T: 'int32'})).toThrow(/T is one of float16, float32, not int32/)
    expect(() => bindTypes(module, {U: 'int32'})).toThrow(/no type parameter U; it has T/)
  })
})

describe('damaged texts', () => {
  const page = readFileSync('pipelines/ascendcraft/language/page.md', 'utf8')
  const whole = /```python\n([\s\S]*?)```/.exec(page)![1]!
  const insertions = ['(', ':', 'not ', '\n', '"', '=', 'if ', '\t', '# ']

  test('never make the reader throw, and are legal or have a fault with a line of the text', () => {
    const lines = whole.split('\n').length
    let faulty = 0
    for (let at = 0; at < whole.length; at += 7) {
      const texts = insertions.map((text) => whole.slice(0, at) + text + whole.slice(at))
      for (const text of [whole.slice(0, at), whole.slice(0, at) + whole.slice(at + 5), ...texts]) {
        const read = readModule(text)
        if (read.ok) continue
        faulty++
        expect(read.faults.length).toBeGreaterThan(0)
        for (const {line} of read.faults) expect(line > 0 && line <= lines + 1).toBe(true)
      }
    }
    expect(faulty).toBeGreaterThan(1000)
  })

  test.each([
    ['a text that is not closed', '"abc\nimport tile.language as tl\n', 'text'],
    ['two statements in a line', program('a < b', 'n = 1; m = 2'), 'statement'],
    ['a slice with two ends', program('a < b', 'tl.exp(x[0:8], y, count=8)'), 'expression'],
    ['a def away from its decorator', program('a < b').replace('\ndef one_kernel', '\n def one_kernel'), 'indentation'],
    ['a tensor of no type', program('a < b').replace('tl.tensor(T)', 'tl.tensor(U)'), 'parameters'],
    ['a number above 2**53', program('a < 9007199254740993'), 'number'],
    ['an argument by place behind one by name', program('a < b', 'tl.exp(y, count=8, x)'), 'arguments'],
    [
      'an else that is indented otherwise',
      `${program('a < b')}    if x:\n        y = 1\n     else:\n        y = 2\n`,
      'syntax',
    ],
  ])('%s', (_, text, rule) => {
    const read = readModule(text)
    expect(read.ok ? [] : read.faults.map((fault) => fault.rule)).toContain(rule)
  })
})
