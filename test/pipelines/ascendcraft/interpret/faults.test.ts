import {describe, expect, test} from 'vitest'
import {interpretedText, type Sketch, sketched} from '../../../helpers/interpreting.ts'

const copyTile = `
x_ub = tl.alloc_ub(64, dtype=tl.float32)
y_ub = tl.alloc_ub(64, dtype=tl.float32)
with tl.copyin():
    tl.load(x_ptr + first, x_ub, count=taken)
with tl.compute():
    tl.copy(y_ub, x_ub, count=used)
with tl.copyout():
    tl.store(y_ptr + to, y_ub, count=stored)
`
const whole = {first: '0', taken: 'n', used: 'n', to: '0', stored: 'n'}
const withSpare = `s_ub = tl.alloc_ub(more, dtype=tl.float32)${copyTile}`.replace(
  'tl.copy(',
  'tl.duplicate(s_ub, 0.0, count=1)\n    tl.copy(',
)
const copying = (scalars: Partial<typeof whole>, more: Partial<Sketch> = {}): Sketch => ({
  kernel: copyTile,
  scalars: {...whole, ...scalars},
  ...more,
})

/** Two cores copy 8 elements each, `apart` elements from one another. */
const spread = (apart: string): Sketch => ({
  kernel: copyTile.replace('y_ptr + to', 'y_ptr + tl.program_id(0) * apart').replace('x_ptr + first', 'x_ptr'),
  scalars: {taken: 'n', used: 'n', stored: 'n', apart},
  cores: '2',
  outputShape: '[n * 2]'.replace('n', 'x.shape[0]'),
})
const onMany = (cores: string): Sketch => ({...spread('n'), cores, outputShape: '[x.shape[0]]'})
const meeting = `
a_ub = tl.alloc_ub(64, dtype=tl.float32)
b_ub = tl.alloc_ub(64, dtype=tl.float32)
me = tl.program_id(0)
with tl.compute():
    tl.duplicate(a_ub, 1.0, count=8)
with tl.copyout():
    tl.store(w_ptr + me * 8, a_ub, count=8)
`
const readOther = `
with tl.copyin():
    tl.load(w_ptr + (1 - me) * 8, b_ub, count=8)
with tl.compute():
    tl.copy(a_ub, b_ub, count=8)
with tl.copyout():
    tl.store(y_ptr + me * 8, a_ub, count=8)
`
const shared: Omit<Sketch, 'kernel'> = {cores: '2', workspace: '16, tl.float32'}

/** Each with 16 elements of x, and the nearest program that is right. */
const cases: [rule: string, wrong: Sketch, right: Sketch, words: RegExp][] = [
  ['gm-bounds', copying({taken: 'n + 1'}), copying({}), /elements 0 to 16 of x/],
  ['gm-bounds', copying({to: '8'}), copying({}), /elements 8 to 23 of y/],
  ['unwritten-ub', copying({taken: 'n - 1'}), copying({}), /element 15 of x_ub/],
  ['ub-bounds', copying({used: 'n * 5'}), copying({}), /which has 64/],
  ['count', copying({used: 'n - 16'}), copying({}), /count of 0/],
  ['output-unwritten', copying({stored: 'n - 1'}), copying({}), /Element 15 of the output y/],
  ['gm-race', spread('n - 15'), spread('n'), /another core stores too/],
  ['core-count', onMany('n + 33'), onMany('n - 15'), /49 cores/],
  ['core-count', onMany('n - 16'), onMany('n - 15'), /0 cores/],
  ['assert', copying({}, {host: 'assert n == 15, "fifteen"'}), copying({}, {host: 'assert n == 16, "x"'}), /fifteen/],
  ['division-by-zero', copying({to: '(n // (n - 16))'}), copying({to: '(n // 16 - 1)'}), /divisor 0/],
  ['axis', copying({to: 'x.shape[n - 15]'}), copying({to: 'x.shape[n - 16] - 16'}), /no axis 1/],
  [
    'ub-overflow',
    {...copying({}), kernel: withSpare, scalars: {...whole, more: 'n * 3200'}},
    {...copying({}), kernel: withSpare, scalars: {...whole, more: 'n * 3000'}},
    /bytes of UB/,
  ],
  [
    'buffer-size',
    {...copying({}), kernel: withSpare, scalars: {...whole, more: 'n - 16'}},
    {...copying({}), kernel: withSpare, scalars: {...whole, more: 'n'}},
    /0 elements/,
  ],
  [
    'ub-alignment',
    {
      kernel: copyTile.replace('copy(y_ub, x_ub,', 'copy(y_ub, x_ub[at],'),
      scalars: {...whole, used: '8', stored: '8', at: 'n // 4'},
    },
    {
      kernel: copyTile.replace('copy(y_ub, x_ub,', 'copy(y_ub, x_ub[at],'),
      scalars: {...whole, used: '8', stored: '8', at: 'n // 2'},
      outputShape: '[8]',
    },
    /16 bytes behind the start/,
  ],
  [
    'overlap',
    {
      kernel: copyTile.replace(
        'tl.copy(',
        'tl.copy(y_ub[32], x_ub, count=16)\n    tl.adds(y_ub[at], y_ub[32], 1, count=16)\n    tl.copy(',
      ),
      scalars: {...whole, at: 'n + 24'},
    },
    {
      kernel: copyTile.replace(
        'tl.copy(',
        'tl.copy(y_ub[32], x_ub, count=16)\n    tl.adds(y_ub[at], y_ub[32], 1, count=16)\n    tl.copy(',
      ),
      scalars: {...whole, at: 'n + 32'},
    },
    /parts that overlap/,
  ],
  [
    'unwritten-gm',
    {...shared, kernel: meeting + readOther},
    {...shared, kernel: `${meeting}tl.sync_all()${readOther}`},
    /nobody wrote/,
  ],
  [
    'unwritten-gm',
    {
      ...shared,
      workspace: '64, tl.float32',
      kernel: `${meeting}tl.sync_all()${readOther.replace('(1 - me) * 8', '(1 - me) * 8 + n')}`,
      scalars: {n: 'n'},
    },
    {
      ...shared,
      workspace: '64, tl.float32',
      kernel: `${meeting}tl.sync_all()${readOther.replace('(1 - me) * 8', '(1 - me) * 8 + n')}`,
      scalars: {n: 'n - 16'},
    },
    /nobody wrote/,
  ],
]

describe('what the checker cannot see is refused when it happens', () => {
  test.each(cases.map((one, at) => [at, ...one] as const))('%i: %s', (_, rule, wrong, right, words) => {
    const x = [{shape: [16], values: Float64Array.from({length: 16}, (__, i) => i)}]
    const accepted = interpretedText(sketched(right), x)
    expect(accepted.ok ? '' : accepted.fault.message).toBe('')
    const refused = interpretedText(sketched(wrong), x)
    if (refused.ok) throw new Error('it ran')
    expect(refused.fault.rule).toBe(rule)
    expect(refused.fault.message).toMatch(words)
    expect(refused.fault.mend).toMatch(/\.$/)
    const line = sketched(wrong).split('\n')[refused.fault.line - 1]
    expect(line).toMatch(/tl\.|assert|sketch_kernel|shape|y:/)
  })

  test('a kernel that runs too long is ended', () => {
    const kernel = `${copyTile.replace('with tl.copyin', 'for turn in range(0, turns, 1):\n    last = turn\nwith tl.copyin')}`
    const x = [{shape: [16], values: new Float64Array(16)}]
    const text = sketched({kernel, scalars: {...whole, turns: 'n * 100000'}})
    expect(interpretedText(text, x, {maximumSteps: 1000})).toMatchObject({ok: false, fault: {rule: 'too-many-steps'}})
  })
})
