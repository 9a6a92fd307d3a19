import {describe, expect, test} from 'vitest'
import {interpretedText, type Sketch, sketched} from '../../../helpers/interpreting.ts'
import {buffers, ran, shape16, stages, valuesOf} from '../../../helpers/interpreted-sketch.ts'

const scalarOf = (statements: string) => ({
  kernel:
    `${buffers}${statements}` +
    stages(
      'tl.load(x_ptr, x_ub, count=8)',
      'tl.duplicate(y_ub, v, count=8)\n    tl.axpy(y_ub, x_ub, 0, count=8)',
      'tl.store(y_ptr, y_ub, count=1)',
    ),
  outputShape: '[1]',
  scalars: {n: 'n', f: '0.1', last: 'x.shape[-1]'},
})

describe('statements of a kernel', () => {
  test.each<[string, string, number[] | string]>([
    ['an assignment', 'v = n + 1\n', [17]],
    ['a scalar of the launch is float32', 'v = f\n', [Math.fround(0.1)]],
    ['an axis from behind', 'v = last\n', [4]],
    ['a loop', 'v = 0\nfor i in range(2, 9, 3):\n    v = v * 10 + i\n', [258]],
    ['a loop without turns', 'v = 3\nfor i in range(4, 4, 1):\n    v = i\n', [3]],
    ['loops in loops', 'v = 0\nfor i in range(3):\n    for j in range(i):\n        v = v + 1\n', [3]],
    [
      'the first branch that holds',
      'if n > 20:\n    v = 1\nelif n > 10:\n    v = 2\nelif n > 5:\n    v = 3\nelse:\n    v = 4\n',
      [2],
    ],
    ['the last branch', 'if n > 20:\n    v = 1\nelif n > 17:\n    v = 2\nelse:\n    v = 4\n', [4]],
    ['no branch', 'v = 5\nif n > 20:\n    v = 1\n', [5]],
    [
      'a step below 1',
      'v = 0\nfor i in range(0, 9, n - 16):\n    v = i\n',
      "loop-step on core 0: The loop's step is 0. Steps are at least 1; assert it in the host.",
    ],
    ['the core and their number', 'v = tl.program_id(0) + tl.num_programs(0) * 10\n', [10]],
  ])('%s', (_, statements, expected) => expect(valuesOf(scalarOf(statements))).toEqual(expected))

  test('steps are counted, and one more than may be is too many', () => {
    const kernel = scalarOf('v = 0\nfor i in range(0, 10, 1):\n    v = v + 1\n')
    // One assignment, ten turns of two steps, a load, two operations and a store.
    expect(valuesOf(kernel, {maximumSteps: 26})).toEqual([10])
    expect(valuesOf(kernel, {maximumSteps: 25})).toBe(
      'too-many-steps on core 0: The kernel runs more statements than it may. Make tiles larger, or ' +
        'the shapes smaller.',
    )
  })

  test('an element is read, and what a loop has loaded is gone behind it', () => {
    const kernel = `${buffers}v = 0.0
for i in range(0, 2, 1):
    with tl.copyin():
        tl.load(x_ptr + i * 8, x_ub, count=8)
    with tl.compute():
        v = v + tl.extract(x_ub, 3)
        tl.duplicate(y_ub, v, count=8)
with tl.copyout():
    tl.store(y_ptr, y_ub, count=1)
`
    expect(valuesOf({kernel, outputShape: '[1]'})).toEqual([14])
    const hole = kernel.replace('count=8)\n    with tl.compute', 'count=3)\n    with tl.compute')
    expect(valuesOf({kernel: hole, outputShape: '[1]'})).toBe(
      'unwritten-ub on core 0: tl.extract reads element 3 of x_ub, which nobody wrote. Write it before,' +
        ' or count fewer elements.',
    )
  })
})

const exchange = `
x_ub = tl.alloc_ub(8, dtype=tl.float32)
y_ub = tl.alloc_ub(8, dtype=tl.float32)
o_ub = tl.alloc_ub(8, dtype=tl.float32)
z_ub = tl.alloc_ub(8, dtype=tl.float32)
me = tl.program_id(0)
cores = tl.num_programs(0)
with tl.copyin():
    tl.load(x_ptr + me * 8, x_ub, count=8)
with tl.compute():
    tl.adds(y_ub, x_ub, 100, count=8)
with tl.copyout():
    tl.store(w_ptr + me * 8, y_ub, count=8)
tl.sync_all()
with tl.copyin():
    tl.load(w_ptr + (cores - 1 - me) * 8, o_ub, count=8)
with tl.compute():
    tl.copy(z_ub, o_ub, count=8)
with tl.copyout():
    tl.store(y_ptr + me * 8, z_ub, count=8)
`

describe('cores', () => {
  const sketch = {kernel: exchange, cores: '2', workspace: '16, tl.float32', ...shape16}
  const swapped = [108, 109, 110, 111, 112, 113, 114, 115, 100, 101, 102, 103, 104, 105, 106, 107]

  test.each(['forward', 'reverse'] as const)('meet, in whatever order they run: %s', (order) => {
    expect(ran(sketch, {order})).toMatchObject({
      values: swapped,
      cores: [
        {loadedBytes: 64, storedBytes: 64},
        {loadedBytes: 64, storedBytes: 64},
      ],
      operations: {adds: {calls: 2, elements: 16}, copy: {calls: 2, elements: 16}},
    })
  })

  test('meet in loops and branches as well', () => {
    const often = exchange.replace('tl.sync_all()', 'for i in range(0, 3, 1):\n    if n > 1:\n        tl.sync_all()')
    expect(valuesOf({...sketch, kernel: often, scalars: {n: 'n'}})).toEqual(swapped)
    const never = often.replace('n > 1', 'n > 16')
    // The first to run looks for what nobody has stored yet.
    const unwritten = (core: number, element: number) =>
      `unwritten-gm on core ${core}: Core ${core} loads element ${element} of w, which nobody wrote. ` +
      'Store it before, by a core that all wait for with tl.sync_all().'
    const unmet = {...sketch, kernel: never, scalars: {n: 'n'}}
    expect(valuesOf(unmet)).toBe(unwritten(0, 8))
    expect(valuesOf(unmet, {order: 'reverse'})).toBe(unwritten(1, 0))
  })

  test.each([
    [
      '1',
      'output-unwritten: Element 8 of the output y was never written. Let the loops of all cores cover ' +
        'the whole output.',
    ],
    [
      'n * 3',
      'gm-bounds on core 2: A load touches elements 16 to 23 of x, which has 16. Let the last tile ' +
        'count only what is left.',
    ],
    ['n * 3 + 1', 'core-count: The kernel is launched on 49 cores; the chip has 1 to 48. Use max(1, min(48, …)).'],
    ['n - 16', 'core-count: The kernel is launched on 0 cores; the chip has 1 to 48. Use max(1, min(48, …)).'],
  ])('are as many as the launch says: %s', (cores, fault) => {
    expect(valuesOf({...sketch, workspace: '512, tl.float32', cores})).toBe(fault)
  })
})

describe('the host', () => {
  const given = (host: string, more: Partial<Sketch> = {}): Sketch => ({
    ...scalarOf('v = k\n'),
    host,
    scalars: {k: 'm'},
    ...more,
  })

  test.each<[string, Sketch, number[] | string]>([
    ['counts elements and axes', given('m = x.numel() * 10 + x.dim()'), [162]],
    ['looks at shapes, of outputs too', given('m = x.shape[0] * 10 + y.shape[0]'), [41]],
    [
      'takes the first branch that holds',
      given('if n > 20:\n    m = 1\nelif n > 10:\n    m = 2\nelse:\n    m = 3'),
      [2],
    ],
    ['takes the last branch', given('if n > 20:\n    m = 1\nelse:\n    m = 3'), [3]],
    ['takes no branch', given('m = 4\nif n > 20:\n    m = 1'), [4]],
    ['computes in double', given('m = int((16777216 + 1.0) - 16777216)'), [1]],
    [
      'asks for an axis that is not there',
      given('m = x.shape[n - 14]'),
      'axis: x has 2 axes, no axis 2. Assert x.dim() first.',
    ],
    [
      'refuses a call',
      given('m = 1\nassert n < 16, "n is small"'),
      'assert: The host refuses this call: n is small. Call it with what it serves.',
    ],
    ['serves a call', given('m = 1\nassert n < 17, "n is small"'), [1]],
  ])('%s', (_, sketch, expected) => expect(valuesOf(sketch)).toEqual(expected))

  test('attributes have their defaults, and are float32', () => {
    const sketch = given('m = 1 if flag else 2', {
      attributes: 'a: float = 0.1,\ncount: int = 3,\nflag: bool = True,',
      scalars: {k: 'm + count * 10 + a'},
    })
    expect(valuesOf(sketch)).toEqual([Math.fround(31 + Math.fround(0.1))])
    expect(valuesOf(sketch, {attributes: {a: 0.25, count: 5, flag: false}})).toEqual([52.25])
  })

  test('inputs are as many as its parameters', () => {
    expect(() => interpretedText(sketched(given('m = 1')), [])).toThrow()
  })
})

describe('buffers have to fit into UB', () => {
  const sized = (first: string, second: string, compute = 'tl.copy(y_ub, x_ub, count=16)') => ({
    kernel: `
x_ub = tl.alloc_ub(a, dtype=tl.float32)
y_ub = tl.alloc_ub(b, dtype=tl.float32)
m_ub = tl.alloc_ub(32, dtype=tl.uint8)
${stages('tl.load(x_ptr, x_ub, count=16)', `tl.compares(m_ub, x_ub, 0, mode="gt", count=16)\n    ${compute}`, 'tl.store(y_ptr, y_ub, count=16)')}`,
    scalars: {a: first, b: second},
    ...shape16,
  })
  const zeroTo15 = Array.from({length: 16}, (_, i) => i)
  const over = (bytes: number, room: number) =>
    `ub-overflow: The buffers take ${bytes} bytes of UB, those of loads and stores as often as ` +
    `they exist; there are ${room}. ` +
    'Make the tiles smaller, or give depth=1 to a buffer.'

  test.each<[string, Sketch, number[] | string]>([
    ['exactly', sized('n * 1534', 'n * 1534 - 8'), zeroTo15],
    ['a block too many', sized('n * 1534', 'n * 1534'), over(196_384, 196_352)],
    ['part of a block is a block', sized('n * 1534', 'n * 1534 - 7'), over(196_384, 196_352)],
    [
      'a selection takes its share',
      sized('n * 1470', 'n * 1470 - 8', 'tl.selects(y_ub, m_ub, x_ub, 0, count=16)'),
      'unwritten',
    ],
    [
      'a selection takes too much',
      sized('n * 1470', 'n * 1470', 'tl.selects(y_ub, m_ub, x_ub, 0, count=16)'),
      over(188_192, 188_160),
    ],
    ['no element', sized('n', 'n - 16'), 'buffer-size: y_ub has 0 elements. Allocate at least 1 element.'],
  ])('%s', (_, sketch, expected) => {
    const result = valuesOf(sketch)
    if (expected === 'unwritten') expect(String(result)).not.toMatch(/^ub-overflow/)
    else expect(result).toEqual(expected)
  })
})
