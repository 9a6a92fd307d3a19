import {describe, expect, test} from 'vitest'
import {checkHost} from '../../../../pipelines/ascendcraft/language/check/check-host.ts'
import type {ScalarType} from '../../../../pipelines/ascendcraft/language/checked.ts'
import {Findings} from '../../../../pipelines/ascendcraft/language/check/findings.ts'
import {readModule} from '../../../../pipelines/ascendcraft/language/parse.ts'
import {expressionOf} from '../../../helpers/tile-expression.ts'

const inf = Number.POSITIVE_INFINITY

function checked(body: readonly string[], parameters = 'x: tl.tensor(T), y: tl.output(tl.int32, shape=[1])') {
  const text = `import tile.language as tl
T = tl.dtypes(tl.float16, tl.float32)
@ascend_kernel
def one_kernel(x_ptr):
    v = 1
def one_host(${parameters}):
${body.map((line) => `    ${line}`).join('\n')}
`
  const read = readModule(text)
  if (!read.ok) throw new TypeError(JSON.stringify(read.faults))
  const findings = new Findings()
  const facts = checkHost(read.module.host, findings)
  return {
    facts,
    said: findings.faults.map(({rule, message, mend}) => `${rule}: ${message}; ${mend}`),
    module: read.module,
  }
}

const launch = 'one_kernel[1](x, y)'

describe('where the host launches', () => {
  const last = 'launch unconditionally, at the end'
  test.each<[string, string[], string[]]>([
    ['at its end', ['n = 1', launch], []],
    ['never', ['n = 1'], ['launch: the host function launches nothing; end it with `kernel[n_cores](arguments)`']],
    ['twice', [launch, launch], ['launch: the kernel is launched a second time; launch once: loop inside the kernel']],
    ['before the end', [launch, 'n = 1'], ['launch: statements follow the launch; put the launch at the end']],
    ['under a condition', ['if x.dim() == 1:', `    ${launch}`], [`launch: the launch stands under \`if\`; ${last}`]],
    [
      'under a condition and at its end',
      ['if x.dim() == 1:', `    ${launch}`, launch],
      [
        'launch: the kernel is launched a second time; launch once: loop inside the kernel',
        `launch: the launch stands under \`if\`; ${last}`,
      ],
    ],
  ])('%s', (_, body, said) => {
    expect(checked(body).said).toEqual(said)
  })

  test('is its first launch, and that of none is none', () => {
    const {facts, module} = checked(['n = 1', launch])
    expect(facts.launch).toBe(module.host.body[1])
    expect(checked(['n = 1']).facts.launch).toBeUndefined()
  })
})

test('tensors of the host, and its scalars', () => {
  const parameters =
    'x: tl.tensor(tl.int8), y: tl.output(tl.int32, shape=[k]), k: int = 1, s: float = 0.5, o: bool = True'
  const {facts, said} = checked(
    ['n = x.numel()', 'f = n / 2', 'b = n > 1', 'w = tl.workspace(n, tl.float16)', launch],
    parameters,
  )
  expect(said).toEqual([])
  expect([...facts.tensors]).toEqual([
    ['x', {type: 'int8', of: 'input'}],
    ['y', {type: 'int32', of: 'output'}],
    ['w', {type: 'float16', of: 'workspace'}],
  ])
  expect(facts.scalars).toEqual({k: 'int', s: 'float', o: 'bool', n: 'int', f: 'float', b: 'bool'})
})

test('a host has an output', () => {
  const no = ['parameters: the host function has no output; add `y: tl.output(T, shape=[...])`']
  expect(checked(['one_kernel[1](x)'], 'x: tl.tensor(tl.float32)').said).toEqual(no)
  expect(checked(['one_kernel[1]()'], '').said).toEqual(no)
})

describe('between which values a number of the host lies', () => {
  const body = [
    ...['n = x.numel()', 'd = x.shape[0]', 't = 64', 'if n > 4:', '    t = 128', 'c = min(n, 48)', 'g = t + 1'],
    ...['u = u0', 'i = 1', 'i = i + 1', 'yes = True', 'no = False', launch],
  ]
  const {facts} = checked(body, 'x: tl.tensor(tl.int8), y: tl.output(tl.int32, shape=[1]), u0: int = 1')

  test.each<[string, number, number]>([
    ['n', 0, inf],
    ['d', 0, inf],
    ['t', 64, 128],
    ['g', 65, 129],
    ['c', 0, 48],
    ['t * 2', 128, 256],
    ['u', -inf, inf],
    ['u0', -inf, inf],
    ['other', -inf, inf],
    // One that is made of itself may be anything.
    ['i', -inf, inf],
    ['yes', 1, 1],
    ['no', 0, 0],
    ['max(c, 1)', 1, 48],
    ['x.numel() + 1', 1, inf],
    ['x.dim()', 0, inf],
    // A name may be met twice.
    ['t + t', 128, 256],
  ])('%s from %d to %d', (text, low, high) => {
    expect(facts.range(expressionOf(text))).toEqual({low, high})
  })
})

test('a scalar keeps its first type', () => {
  const values = {int: '1', float: '1.0', bool: '1 < 2'}
  const changes = (before: ScalarType, now: ScalarType) =>
    checked([`v = ${values[before]}`, `v = ${values[now]}`])
      .said.filter((one) => one.startsWith('type-change'))
      .join()
  for (const type of ['int', 'float', 'bool'] as const) expect(changes(type, type)).toBe('')
  expect(changes('int', 'float')).toBe('type-change: v is int above and float here; start v as a float, e.g. 0.0')
  expect(changes('float', 'int')).toBe('type-change: v is float above and int here; convert it with float(...)')
  for (const [before, now] of [
    ['int', 'bool'],
    ['float', 'bool'],
    ['bool', 'int'],
    ['bool', 'float'],
  ] as const)
    expect(changes(before, now)).toBe(`type-change: v is ${before} above and ${now} here; choose another name`)
})
