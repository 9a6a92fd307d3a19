import {describe, expect, test} from 'vitest'
import type {KernelStatement} from '../../../../pipelines/ascendcraft/language/ast.ts'
import {spell} from '../../../../pipelines/ascendcraft/language/check/spell.ts'
import {readModule} from '../../../../pipelines/ascendcraft/language/parse.ts'
import {expressionOf} from '../../../helpers/tile-expression.ts'

const program = (parameters: string, kernel: string) => `import tile.language as tl
T = tl.dtypes(tl.float16, tl.float32)
@ascend_kernel
def one_kernel(${parameters}):
${kernel.replace(/^(?=.)/gm, '    ')}
def one_host(x: tl.tensor(tl.float32), y: tl.output(tl.float32, shape=[1])):
    one_kernel[1](x)
`

function kernelOf(kernel: string, parameters = 'x_ptr') {
  const read = readModule(program(parameters, kernel))
  if (!read.ok) throw new TypeError(read.faults.map(({message}) => message).join('\n'))
  return read.module.kernel
}

function saidOf(kernel: string, parameters = 'x_ptr'): string[] {
  const read = readModule(program(parameters, kernel))
  return read.ok ? [] : read.faults.map(({line, rule, message}) => `${line} ${rule}: ${message}`)
}

const elementOf = ({type}: Extract<KernelStatement, {kind: 'alloc'}>) => (type.kind === 'type' ? type.type : type.name)

/** A statement in one line, with all that was read of it. */
function told(one: KernelStatement): string {
  const inner = (body: readonly KernelStatement[]) => `{${body.map(told).join('; ')}}`
  switch (one.kind) {
    case 'assign':
      return `${one.name} = ${spell(one.value)}`
    case 'alloc':
      return `${one.name}: ${spell(one.size)} of ${elementOf(one)}, ${one.depth}`
    case 'for':
      return `${one.variable} from ${[one.start, one.stop, one.step].map(spell).join(', ')} ${inner(one.body)}`
    case 'if':
      return one.branches
        .map(({condition, body}) => `${condition ? spell(condition) : 'else'} ${inner(body)}`)
        .join(' ')
    case 'stage':
      return `${one.stage} ${inner(one.body)}`
    case 'sync_all':
      return 'sync_all'
    case 'operation': {
      const named = Object.entries(one.named).map(([name, value]) => `${name}=${spell(value)}`)
      return `${one.primitive}(${[...one.arguments.map(spell), ...named].join(', ')})`
    }
  }
}

describe('statements of a kernel', () => {
  test.each<[string, string]>([
    ['v = 1', 'v = 1'],
    ['v += 2', 'v = v + 2'],
    ['v -= k * 2', 'v = v - (k * 2)'],
    ['u = tl.alloc_ub(64, tl.int8)', 'u: 64 of int8, undefined'],
    ['u = tl.alloc_ub(n + 1, dtype=T)', 'u: n + 1 of T, undefined'],
    ['u = tl.alloc_ub(64, dtype=tl.int8, depth=1)', 'u: 64 of int8, 1'],
    ['u = tl.alloc_ub(64, depth=2, dtype=tl.int8)', 'u: 64 of int8, 2'],
    ['u = tl.alloc_ub(64, tl.int8, depth=None)', 'u: 64 of int8, undefined'],
    ['for i in range(n):\n    v = i', 'i from 0, n, 1 {v = i}'],
    ['for i in range(2, n):\n    v = i', 'i from 2, n, 1 {v = i}'],
    ['for i in range(2, n, k):\n    v = i', 'i from 2, n, k {v = i}'],
    ['if n > 1:\n    v = 1', 'n > 1 {v = 1}'],
    ['if n > 1:\n    v = 1\nelif n > 0:\n    v = 2\nelse:\n    v = 3', 'n > 1 {v = 1} n > 0 {v = 2} else {v = 3}'],
    ['with tl.copyin():\n    v = 1', 'copyin {v = 1}'],
    ['with tl.compute( ):\n    v = 1\n    w = 2', 'compute {v = 1; w = 2}'],
    ['with tl.copyout():\n    v = 1', 'copyout {v = 1}'],
    ['tl.sync_all()', 'sync_all'],
    ['tl.sync_all( )', 'sync_all'],
    ['with tl.compute():\n    tl.exp(a, b[8], count=n)', 'compute {exp(a, b[8], count=n)}'],
    ['with tl.compute():\n    tl.cast(a, b, count=n, round=None)', 'compute {cast(a, b, count=n)}'],
  ])('%j', (text, statement) => {
    expect(kernelOf(text).body.map(told)).toEqual([statement])
  })

  test('stand where they are written, with the comments right above', () => {
    const {body} = kernelOf('# first\n## second\nv = 1\n# lost\n\nw = 2\nfor i in range(2):\n    #third\n    u = 3')
    const [v, w, loop] = body
    expect([v, w, loop].map((one) => [one?.line, one?.column, one?.comments])).toEqual([
      [7, 5, ['first', 'second']],
      [10, 5, []],
      [11, 5, []],
    ])
    expect(loop?.kind === 'for' && loop.body.map(({line, column, comments}) => [line, column, comments])).toEqual([
      [13, 9, ['third']],
    ])
    expect(loop?.kind === 'for' && [loop.start, loop.step]).toEqual([
      {line: 11, column: 5, kind: 'number', value: 0, isFloat: false},
      {line: 11, column: 5, kind: 'number', value: 1, isFloat: false},
    ])
  })
})

describe('parameters of a kernel', () => {
  test.each<[string, string[]]>([
    ['', []],
    ['x_ptr', ['x_ptr 3:16']],
    ['x_ptr, n', ['x_ptr 3:16', 'n 3:23']],
  ])('%j', (parameters, names) => {
    const found = kernelOf('v = 1', parameters).parameters.map(
      ({name, line, column}) => `${name} ${line - 1}:${column}`,
    )
    expect(found).toEqual(names)
  })

  test.each<[string, string[]]>([
    [
      'x_ptr, n=1',
      [
        '4 parameters: `=` stands among the parameters of the kernel',
        '4 parameters: `1` stands among the parameters of the kernel',
      ],
    ],
    ['x_ptr, *n', ['4 parameters: `*` stands among the parameters of the kernel']],
    ['x_ptr: int', ['4 parameters: `: int` stands among the parameters of the kernel']],
  ])('%j is refused', (parameters, said) => {
    expect(saidOf('v = 1', parameters)).toEqual(said)
  })
})

describe('calls in an expression', () => {
  const inf = Number.POSITIVE_INFINITY
  test.each<[string, number]>([
    ['float("inf")', inf],
    ["float('inf')", inf],
    ['float("+inf")', inf],
    ['float("-inf")', -inf],
    ['float("Infinity")', inf],
    ['float("-INFINITY")', -inf],
  ])('%s is a number', (text, value) => {
    expect(expressionOf(text)).toMatchObject({kind: 'number', value, isFloat: true})
  })

  test.each<[string, object]>([
    ['x.numel()', {kind: 'count', tensor: 'x', of: 'elements'}],
    ['x.dim()', {kind: 'count', tensor: 'x', of: 'axes'}],
    ['float(n)', {kind: 'call', callee: 'float', arguments: [{kind: 'name', name: 'n'}]}],
    ['tl.program_id(0)', {kind: 'call', callee: 'program_id', arguments: [{kind: 'number', value: 0}]}],
    ['tl.item_bytes(tl.int8)', {kind: 'call', callee: 'item_bytes', arguments: [{kind: 'type'}]}],
    ['min(1, 2, 3, 4, 5, 6, 7, 8)', {kind: 'call', callee: 'min', arguments: Array.from({length: 8}, () => ({}))}],
    ['max(1, 2)', {kind: 'call', callee: 'max', arguments: [{value: 1}, {value: 2}]}],
  ])('%s', (text, read) => {
    expect(expressionOf(text)).toMatchObject(read)
  })

  test.each<[string, string]>([
    ['x.numel(1)', '`x.numel` is no function of scalars'],
    ['x.dim(keep=1)', '`x.dim` is no function of scalars'],
    ['x.numel', '`x.numel` is no name of the language'],
    ['max(1)', '`max(1)` does not have the arguments of max'],
    ['max(1, 2, 3, 4, 5, 6, 7, 8, 9)', '`max(1, 2, 3, 4, 5, 6, 7, 8, 9)` does not have the arguments of max'],
    ['int()', '`int()` does not have the arguments of int'],
    ['int(1, 2)', '`int(1, 2)` does not have the arguments of int'],
    ['tl.extract(u)', '`tl.extract(u)` does not have the arguments of extract'],
    ['abs(x=1)', '`abs(x=1)` does not have the arguments of abs'],
    ['sqrt(2)', '`sqrt` is no function of scalars'],
    ['tl.abs(2)', '`tl.abs` is no function of scalars'],
  ])('%s is refused', (text, said) => {
    expect(saidOf(`v = ${text}`)).toEqual([`5 expression: ${said}`])
  })

  const own =
    'tl.program_id, tl.num_programs, tl.extract, tl.cdiv, tl.align, tl.item_bytes, min, max, abs, tl.sqrt, float, int'
  test.each<[string, string]>([
    ['sqrt(2)', 'write `tl.sqrt`'],
    ['math.sqrt(2)', 'write `tl.sqrt`'],
    ['torch.abs(2)', 'write `abs`'],
    ['np.max(2, 3)', 'write `max`'],
    ['tl.min(2, 3)', 'write `min`'],
    ['program_id(0)', 'write `tl.program_id`'],
    ['cdiv(2, 3)', 'write `tl.cdiv`'],
    ['ceil_div(2, 3)', 'write tl.cdiv(a, b)'],
    ['math.ceil(2)', 'write tl.cdiv(a, b)'],
    ...['tl.exp', 'math.log', 'ln', 'np.tanh'].map((name): [string, string] => [
      `${name}(2)`,
      'compute it on a one-element buffer in a compute stage, then tl.extract it',
    ]),
    ...['len', 'x.size', 'itemsize'].map((name): [string, string] => [
      `${name}(x)`,
      'write x.shape[i], x.numel() or x.dim()',
    ]),
    // Parts of words and words of other homes are none of these.
    ...['expand', 'sexp', 'lent', 'ceiling', 'sqrts', 'xx.sqrt', 'x.sqrt', 'sizes'].map((name): [string, string] => [
      `${name}(2)`,
      `scalars have ${own}; vector operations are statements of a compute stage`,
    ]),
    ['tl.align(2)', 'give it 2 arguments by place'],
    ['max(2)', 'give it 2 to 8 arguments by place'],
    ['abs()', 'give it 1 argument by place'],
  ])('of %s is told: %s', (text, mend) => {
    const read = readModule(program('x_ptr', `v = ${text}`))
    expect(read.ok ? [] : read.faults.map((one) => one.mend)).toEqual([mend])
  })

  test.each<[string, string[]]>([
    ['tl.exp(a, count=8, b)', ['an argument by place follows one by name']],
    ['tl.exp(a, b, count=8, count=9)', ['count is given twice']],
    ['tl.exp(*a, count=8)', ['`*...` is no argument']],
  ])('%s is refused', (text, said) => {
    const found = saidOf(`with tl.compute():\n    ${text}`)
    expect(found.filter((one) => one.includes(' arguments: '))).toEqual(said.map((one) => `6 arguments: ${one}`))
  })
})
