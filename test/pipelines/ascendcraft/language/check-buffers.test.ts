import {describe, expect, test} from 'vitest'
import type {Expression} from '../../../../pipelines/ascendcraft/language/ast.ts'
import {checkUb, findBuffers} from '../../../../pipelines/ascendcraft/language/check/check-buffers.ts'
import {Findings} from '../../../../pipelines/ascendcraft/language/check/findings.ts'
import type {Buffer} from '../../../../pipelines/ascendcraft/language/checked.ts'
import {type ElementType, elementBytes} from '../../../../pipelines/ascendcraft/language/dtypes.ts'
import {readModule} from '../../../../pipelines/ascendcraft/language/parse.ts'
import {sketched} from '../../../helpers/interpreting.ts'

function bodyOf(kernel: string) {
  const read = readModule(sketched({kernel}))
  if (!read.ok) throw new TypeError(JSON.stringify(read.faults))
  return read.module.kernel.body
}

const saidIn = ({faults}: Pick<Findings, 'faults'>) =>
  faults.map(({rule, message, mend}) => `${rule}: ${message}; ${mend}`)

/** Role and depth of the first buffer of a kernel, and what is said of it. */
function first(kernel: string): [string, ...string[]] {
  const findings = new Findings()
  const [buffer] = findBuffers(bodyOf(kernel), findings)
  const faults = findings.faults.filter(({line}) => line === buffer?.line)
  return [`${buffer?.role} ${buffer?.depth}`, ...saidIn({faults})]
}

const alloc = (more = '', type = 'float32') =>
  `u = tl.alloc_ub(64, dtype=tl.${type}${more})\nw = tl.alloc_ub(8, tl.float32)`
const load = 'with tl.copyin():\n    tl.load(x_ptr, u, count=64)'
const store = 'with tl.copyout():\n    tl.store(y_ptr, u, count=64)'
const compute = 'with tl.compute():\n    tl.exp(w, u, count=64)'
const extract = 'with tl.compute():\n    v = tl.extract(u, 0)'
const again = (text: string) => `for i in range(4):\n${text.replace(/^/gm, '    ')}`

describe('the role and depth of a buffer', () => {
  test.each<[string, string, ...string[]]>([
    ['scratch', 'scratch 1', alloc(), compute],
    ['scratch in a loop', 'scratch 1', alloc(), again(compute)],
    ['read by a scalar', 'scratch 1', alloc(), extract],
    ['loaded once', 'in 1', alloc(), load, compute],
    ['loaded once, and read by a scalar', 'in 1', alloc(), load, extract],
    ['loaded in a loop', 'in 2', alloc(), again(load), compute],
    ['loaded in a loop, as one', 'in 1', alloc(', depth=1'), again(load), compute],
    ['loaded once, as two', 'in 2', alloc(', depth=2'), load, compute],
    ['loaded once, and computed in a loop', 'in 1', alloc(), load, again(compute)],
    ['stored once', 'out 1', alloc(), compute, store],
    ['stored in a loop', 'out 2', alloc(), again(`${compute}\n${store}`)],
    ['stored and never computed', 'out 1', alloc(), store],
    [
      'loaded in a loop that stands in its stage',
      'in 1',
      alloc(),
      'with tl.copyin():\n    for i in range(4):\n        tl.load(x_ptr, u, count=64)',
      compute,
    ],
  ])('%s: %s', (_, told, ...lines) => {
    expect(first(lines.join('\n'))).toEqual([told])
  })

  test.each<[string, string, string, ...string[]]>([
    [
      'loaded and stored',
      'in 1',
      'buffer-role: u is both loaded and stored; tl.copy u to a buffer of its own before the store, and store that',
      ...[alloc(), load, compute, store],
    ],
    ['never used', 'scratch 1', 'unused: u is never used; leave it out', alloc()],
    [
      'loaded alone',
      'in 1',
      'unused: u is loaded but never read; use u in a compute stage, or do not load it; to move data, tl.copy it to ' +
        'an output buffer',
      ...[alloc(), load],
    ],
    [
      'scratch of which there are two',
      'scratch 2',
      'alloc: u is scratch, of which there is one; leave depth out',
      ...[alloc(', depth=2'), compute],
    ],
    [
      'of bool',
      'scratch 1',
      'element-type: u is a buffer of bool; use tl.uint8: bools are bytes 0 and 1 in UB',
      ...[alloc('', 'bool'), compute],
    ],
  ])('one that is %s is refused', (_, told, said, ...lines) => {
    expect(first(lines.join('\n'))).toEqual([told, said])
  })
})

describe('what buffers take of UB', () => {
  type Size = [elements: number, type: ElementType, depth?: 1 | 2]
  const whole = 196_608 - 256

  function said(sizes: readonly Size[], kernel = 'tl.sync_all()'): string[] {
    const findings = new Findings()
    const buffers = sizes.map(([elements, type, depth = 1], at): Buffer => {
      const size: Expression = {line: 1, column: 1, kind: 'number', value: elements, isFloat: false}
      return {line: at + 1, column: 1, name: `b${at}`, type, size, role: 'scratch', depth}
    })
    const rangeOf = ({size}: Buffer) => {
      const value = size.kind === 'number' ? size.value : Number.NaN
      return {low: value, high: value}
    }
    checkUb(bodyOf(kernel), buffers, rangeOf, findings)
    return saidIn(findings)
  }
  const tooMuch = (taken: number, parts: string, room: string) => [
    `ub-overflow: buffers take ${taken} bytes of UB and more (${parts}); there are ${room}; make the tiles smaller, ` +
      'or give depth=1 to buffers that need no second copy',
  ]

  test.each(Object.entries(elementBytes))('elements of %s have %d bytes each', (type, bytes) => {
    const most = whole / bytes
    expect(said([[most, type as ElementType]])).toEqual([])
    expect(said([[most + 1, type as ElementType]])).toEqual(tooMuch(whole + 32, `b0 ${whole + 32}`, `${whole}`))
  })

  test('one element takes a block of 32 bytes', () => {
    const most = whole / 32
    const ones = (count: number) => Array.from({length: count}, (): Size => [1, 'int8'])
    expect(said(ones(most))).toEqual([])
    expect(said(ones(most + 1))[0]).toContain(`take ${whole + 32} bytes`)
    expect(
      said([
        [most * 32 - 32, 'int8'],
        [1, 'float32'],
      ]),
    ).toEqual([])
    expect(
      said([
        [most * 32 - 31, 'int8'],
        [1, 'float32'],
      ]),
    ).toEqual(tooMuch(whole + 32, `b0 ${whole}, b1 32`, `${whole}`))
  })

  test('two copies take twice as much', () => {
    const half = whole / 8
    expect(said([[half, 'float32', 2]])).toEqual([])
    expect(said([[half + 1, 'float32', 2]])).toEqual(tooMuch(whole + 64, `b0 ${whole + 64} (twice)`, `${whole}`))
  })

  test('a selection takes 8192 bytes of it', () => {
    const select = `with tl.compute():\n    tl.selects(u, m, u, 0.0, count=64)\n    tl.exp(u, u, count=64)`
    const most = whole - 8192
    expect(said([[most, 'uint8']], select)).toEqual([])
    expect(said([[most + 1, 'uint8']], select)).toEqual(
      tooMuch(most + 32, `b0 ${most + 32}`, `${most} less 8192 that tl.select takes`),
    )
  })

  test('a buffer has at least one element; what may be any number counts as none', () => {
    const none = (elements: number) => [`alloc: b0 has ${elements} elements; allocate at least 1`]
    expect([1, 0, -1].map((elements) => said([[elements, 'float32']]))).toEqual([[], none(0), none(-1)])
    const findings = new Findings()
    const [buffer] = findBuffers(bodyOf(`${alloc()}\n${compute}`), findings)
    const unknown = {low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY}
    checkUb([], [buffer!], () => unknown, findings)
    expect(findings.faults.filter(({rule}) => rule === 'ub-overflow')).toEqual([])
  })

  test('is told once, where it is first too much', () => {
    const findings = said([
      [whole / 4, 'float32'],
      [8, 'float32'],
      [8, 'float32'],
    ])
    expect(findings).toEqual(tooMuch(whole + 32, `b0 ${whole}, b1 32`, `${whole}`))
  })
})
