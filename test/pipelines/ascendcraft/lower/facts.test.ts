import {describe, expect, test} from 'vitest'
import {assertedDivisors, definitionsOf, findFacts} from '../../../../pipelines/ascendcraft/lower/facts.ts'
import {readModule} from '../../../../pipelines/ascendcraft/language/parse.ts'
import {expressionOf} from '../../../helpers/tile-expression.ts'

const indented = (text: string) => text.replace(/^(?=.)/gm, '    ')

/** What a host's and a kernel's statements say of expressions; e is a multiple of 8 from 0 on, m of 4 and may be below. */
function factsOf({host = '', kernel = '', of = ''}: {host?: string; kernel?: string; of?: string}) {
  const text = `import tile.language as tl
@ascend_kernel
def one_kernel(x_ptr):
    first = 1
${indented(kernel)}
def one_host(x: tl.tensor(tl.float32), y: tl.output(tl.float32, shape=[1])):
    first = 1
${indented(host)}
    one_kernel[1](x)
`
  const read = readModule(text)
  if (!read.ok) throw new TypeError(JSON.stringify(read.faults))
  const {module} = read
  const given = (name: string) => {
    if (name === 'e') return {divisor: 8, nonNegative: true}
    return name === 'm' ? {divisor: 4, nonNegative: false} : undefined
  }
  const facts = findFacts(
    new Map([...definitionsOf(module.kernel.body), ...definitionsOf(module.host.body)]),
    given,
    assertedDivisors(module.host.body),
  )
  const {divisor, nonNegative} = facts.of(expressionOf(of))
  return `${divisor}${nonNegative ? ' from 0 on' : ''}`
}

describe('what an expression is a multiple of', () => {
  test.each([
    ['12', '12 from 0 on'],
    ['-12', '12'],
    ['0', '0 from 0 on'],
    ['1.5', '1 from 0 on'],
    ['e', '8 from 0 on'],
    ['m', '4'],
    ['unknown', '1'],
    ['-e', '8'],
    ['e + 12', '4 from 0 on'],
    ['e + m', '4'],
    ['e + e', '8 from 0 on'],
    ['e - 4', '4'],
    ['e * 3', '24 from 0 on'],
    ['e * m', '32'],
    ['e * unknown', '8'],
    ['e * 0', '0 from 0 on'],
    ['0.0', '1 from 0 on'],
    ['-0.5', '1'],
    ['m if unknown > 0 else e', '4'],
    ['e if unknown > 0 else m', '4'],
    ['tl.align(4, 3)', '3 from 0 on'],
    ['tl.align(12, 1)', '12 from 0 on'],
    ['tl.align(0, 8)', '0 from 0 on'],
    ['tl.item_bytes(T)', '1 from 0 on'],
    ['e // 1', '8 from 0 on'],
    ['e // 4', '2 from 0 on'],
    ['e // 3', '1 from 0 on'],
    ['e // 0', '1 from 0 on'],
    ['e // unknown', '1'],
    ['m // 2', '2'],
    ['e % 12', '4 from 0 on'],
    ['m % 8', '4 from 0 on'],
    ['e % m', '4'],
    ['e / 2', '1 from 0 on'],
    ['m / 2', '1'],
    ['e ** 2', '1'],
    ['e < 2', '1'],
    ['e if m > 0 else 12', '4 from 0 on'],
    ['e if m > 0 else m', '4'],
    ['min(e, 12)', '4 from 0 on'],
    ['min(e, m)', '4'],
    ['max(m, 12)', '4 from 0 on'],
    ['max(m, m)', '4'],
    ['max(e, 24, 32)', '8 from 0 on'],
    ['tl.align(unknown, 8)', '8'],
    ['tl.align(e, 4)', '8 from 0 on'],
    ['tl.align(e, 16)', '16 from 0 on'],
    ['tl.align(m, 8)', '8'],
    ['tl.align(e * 3, 8)', '24 from 0 on'],
    ['tl.cdiv(e, 4)', '2 from 0 on'],
    ['tl.cdiv(m, 4)', '1'],
    ['tl.cdiv(e, unknown)', '1'],
    ['tl.cdiv(e, 16)', '1 from 0 on'],
    ['abs(m)', '4 from 0 on'],
    ['tl.sqrt(m)', '1 from 0 on'],
    ['int(e)', '1 from 0 on'],
    ['int(m)', '1'],
    ['float(e)', '1 from 0 on'],
    ['tl.program_id(0)', '1 from 0 on'],
    ['tl.num_programs(0)', '1 from 0 on'],
    ['tl.item_bytes(tl.float32)', '4 from 0 on'],
    ['tl.extract(x_ub, 0)', '1'],
    ['x.shape[0]', '1 from 0 on'],
    ['x.numel()', '1 from 0 on'],
    ['True', '1'],
  ])('%s: %s', (of, fact) => expect(factsOf({of})).toBe(fact))
})

describe('what statements say of names', () => {
  test.each<[string, Parameters<typeof factsOf>[0], string]>([
    ['a name has the fact of its value', {kernel: 'v = e * 2', of: 'v'}, '16 from 0 on'],
    ['of two values what they share', {kernel: 'v = e * 2\nv = 12', of: 'v'}, '4 from 0 on'],
    ['of a branch as well', {kernel: 'v = e\nif m > 0:\n    v = 6', of: 'v'}, '2 from 0 on'],
    ['of the other branch', {kernel: 'if m > 0:\n    v = 6\nelse:\n    v = m', of: 'v'}, '2'],
    ['of a stage', {kernel: 'with tl.compute():\n    v = 6', of: 'v'}, '6 from 0 on'],
    ['a loop goes in steps', {kernel: 'for i in range(0, m, e):\n    w = 1', of: 'i'}, '8 from 0 on'],
    ['a loop begins somewhere', {kernel: 'for i in range(4, m, e):\n    w = 1', of: 'i'}, '4 from 0 on'],
    ['a loop may begin below 0', {kernel: 'for i in range(m, e, 8):\n    w = 1', of: 'i'}, '4'],
    [
      'names follow each other',
      {kernel: 'for i in range(0, m, 16):\n    v = i * 3\n    w = v + 32', of: 'w'},
      '16 from 0 on',
    ],
    [
      'a sum keeps what all its parts have',
      {kernel: 'v = 0\nfor i in range(0, m, 1):\n    v = v + 12', of: 'v'},
      '12 from 0 on',
    ],
    [
      'a sum with another part',
      {kernel: 'v = 0\nfor i in range(0, m, 1):\n    v = v + 12\n    v = v + 8', of: 'v'},
      '4 from 0 on',
    ],
    ['a difference may fall below 0', {kernel: 'v = 0\nfor i in range(0, m, 1):\n    v = v - 12', of: 'v'}, '12'],
  ])('%s', (_, given, fact) => expect(factsOf(given)).toBe(fact))

  test.each<[string, string, string, string]>([
    ['an axis', 'assert x.shape[1] % 8 == 0, "a"', 'x.shape[1]', '8 from 0 on'],
    ['another axis', 'assert x.shape[1] % 8 == 0, "a"', 'x.shape[0]', '1 from 0 on'],
    ['all elements', 'assert x.shape[1] % 8 == 0 and x.shape[0] % 3 == 0, "a"', 'x.numel()', '24 from 0 on'],
    ['elements', 'assert x.numel() % 64 == 0, "a"', 'x.numel()', '64 from 0 on'],
    ['both', 'assert x.numel() % 64 == 0 and x.shape[0] % 3 == 0, "a"', 'x.numel()', '192 from 0 on'],
    ['axes are no elements', 'assert x.dim() % 2 == 0, "a"', 'x.numel()', '1 from 0 on'],
    ['twice', 'assert x.shape[1] % 8 == 0, "a"\nassert x.shape[1] % 12 == 0, "b"', 'x.shape[1]', '24 from 0 on'],
    ['a name with one value', 'n = x.shape[0]\nassert n % 8 == 0, "a"', 'n', '8 from 0 on'],
    ['what a name is as well', 'n = x.shape[0] * 3\nassert n % 8 == 0, "a"', 'n', '24 from 0 on'],
    ['a name with two values', 'n = 12\nn = 6\nassert n % 8 == 0, "a"', 'n', '6 from 0 on'],
    ['an attribute', 'assert unknown % 8 == 0, "a"', 'unknown', '8'],
    ['not 0', 'assert x.shape[1] % 8 == 1, "a"', 'x.shape[1]', '1 from 0 on'],
    ['not equal', 'assert x.shape[1] % 8 != 0, "a"', 'x.shape[1]', '1 from 0 on'],
    ['no remainder', 'assert x.shape[1] // 8 == 0, "a"', 'x.shape[1]', '1 from 0 on'],
    ['by a name', 'assert x.shape[1] % first == 0, "a"', 'x.shape[1]', '1 from 0 on'],
    ['one of two', 'assert x.shape[1] % 8 == 0 or x.shape[1] % 12 == 0, "a"', 'x.shape[1]', '1 from 0 on'],
    ['of a sum', 'assert (x.shape[1] + 1) % 8 == 0, "a"', 'x.shape[1]', '1 from 0 on'],
    ['a truth', 'assert True, "a"', 'x.shape[1]', '1 from 0 on'],
    ['of an axis by a name', 'assert x.shape[first] % 8 == 0, "a"', 'x.shape[first]', '1 from 0 on'],
    ['of 0', 'assert unknown % 8 == 0, "a"', 'unknown * 0', '0'],
  ])('an assertion of the host, %s: %s', (_, host, of, fact) => expect(factsOf({host, of})).toBe(fact))
})

test.each<[name: string, kernel: string, of: string, fact: string]>([
  ['what it is a multiple of', 'q = 8\nq = r\nr = 4', 'q', '4 from 0 on'],
  ['that it may be below 0 alone', 'q = 8\nq = r\nr = 16\nr = -16', 'q', '8'],
])('a name loses what a later one does not keep: %s', (_, kernel, of, fact) => {
  expect(factsOf({kernel, of})).toBe(fact)
})
