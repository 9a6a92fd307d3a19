import {describe, expect, test} from 'vitest'
import type {KernelStatement} from '../../../../pipelines/ascendcraft/language/ast.ts'
import {findBuffers} from '../../../../pipelines/ascendcraft/language/check/check-buffers.ts'
import {Findings} from '../../../../pipelines/ascendcraft/language/check/findings.ts'
import {readModule} from '../../../../pipelines/ascendcraft/language/parse.ts'
import {findLifetimes, type QueueAction} from '../../../../pipelines/ascendcraft/lower/lifetimes.ts'
import {flat} from '../../../../pipelines/ascendcraft/lower/mentions.ts'
import {sketched} from '../../../helpers/interpreting.ts'

/** Stages, each in one line: what it does with which buffers. */
const shorthand: Readonly<Record<string, string>> = {
  'load x': 'with tl.copyin():\n    tl.load(x_ptr, x, count=64)',
  'load z': 'with tl.copyin():\n    tl.load(x_ptr, z, count=64)',
  'y = x': 'with tl.compute():\n    tl.exp(y, x, count=64)',
  'y = y': 'with tl.compute():\n    tl.exp(y, y, count=64)',
  's = x': 'with tl.compute():\n    tl.exp(s, x, count=64)',
  'y = s': 'with tl.compute():\n    tl.exp(y, s, count=64)',
  'y = z': 'with tl.compute():\n    tl.exp(y, z, count=64)',
  'y = 0': 'with tl.compute():\n    tl.duplicate(y, 0.0, count=64)',
  'store y': 'with tl.copyout():\n    tl.store(y_ptr, y, count=64)',
  loop: 'for i in range(4):',
  again: 'for j in range(4):',
  if: 'if n > 4:',
  else: 'else:',
}

/** Lines of a kernel, with what happens to its buffers in front of, in and behind each. */
function told(kernel: string): string[] {
  const lines = kernel.split('\n')
  const written = lines.map((line) => {
    const indent = /^ */.exec(line)?.[0] ?? ''
    const stage = shorthand[line.trim()]
    if (stage === undefined) throw new TypeError(`there is no line ${line}`)
    return stage.replace(/^/gm, indent)
  })
  const used = ['x', 'z', 's', 'y'].filter((name) => new RegExp(`\\b${name}\\b`).test(kernel))
  const allocs = used.map((name) => `${name} = tl.alloc_ub(64, dtype=tl.float32)`)
  const read = readModule(sketched({kernel: [...allocs, ...written].join('\n'), scalars: {n: 'n'}}))
  if (!read.ok) throw new TypeError(JSON.stringify(read.faults))
  const {body} = read.module.kernel
  const {handling, before, after, members} = findLifetimes(body, findBuffers(body, new Findings()))
  const statements = flat(body).filter(({kind}) => kind === 'stage' || kind === 'for' || kind === 'if')
  const names = lines.filter((line) => line.trim() !== 'else').map((line) => line.trim())
  const actions = (of: readonly QueueAction[] | undefined) =>
    (of ?? []).map(({action, buffer}) => `${action} ${buffer}`)
  const all = statements.flatMap((one: KernelStatement, at) => {
    const how = [...(one.kind === 'stage' ? (handling.get(one) ?? []) : [])].map(([name, does]) => `${name} ${does}`)
    const parts = [actions(before.get(one)).join(', '), how.join(', '), actions(after.get(one)).join(', ')]
    return parts.some((part) => part !== '') ? [`${names[at]}: ${parts.join(' | ')}`] : []
  })
  return [...all, ...(members.size > 0 ? [`members: ${[...members].join(', ')}`] : [])]
}

describe('a tensor that is loaded', () => {
  test.each<[string, string, string[]]>([
    [
      'belongs to the only stage that uses it',
      'load x\ny = x\nstore y',
      ['load x:  | x fill | ', 'y = x:  | x take-and-free, y alloc-and-enque | ', 'store y:  | y take-and-free | '],
    ],
    [
      'is shared by two stages',
      'load x\ns = x\ny = x\nstore y',
      [
        'load x:  | x fill | ',
        's = x: deque x | x use, s get | ',
        'y = x:  | x use, y alloc-and-enque | free x',
        'store y:  | y take-and-free | ',
        'members: x',
      ],
    ],
    [
      'is shared by all turns of a loop',
      'load x\nloop\n    y = x\n    store y',
      [
        'load x:  | x fill | ',
        'loop: deque x |  | free x',
        'y = x:  | x use, y alloc-and-enque | ',
        'store y:  | y take-and-free | ',
        'members: x',
      ],
    ],
    [
      'is used by nothing',
      'load x\ny = 0\nstore y',
      [
        'load x:  | x fill | deque x, free x',
        'y = 0:  | y alloc-and-enque | ',
        'store y:  | y take-and-free | ',
        'members: x',
      ],
    ],
    [
      'lives until it is loaded again',
      'load x\ny = x\nstore y\nload x\ns = x\ny = x\nstore y',
      [
        'load x:  | x fill | ',
        'y = x:  | x take-and-free, y alloc-and-enque | ',
        'store y:  | y take-and-free | ',
        'load x:  | x fill | ',
        's = x: deque x | x use, s get | ',
        'y = x:  | x use, y alloc-and-enque | free x',
        'store y:  | y take-and-free | ',
        'members: x',
      ],
    ],
    [
      'lives until a loop loads it again',
      'load x\ns = x\nloop\n    load x\n    y = x\n    store y',
      [
        'load x:  | x fill | ',
        's = x:  | x take-and-free, s get | ',
        'load x:  | x fill | ',
        'y = x:  | x take-and-free, y alloc-and-enque | ',
        'store y:  | y take-and-free | ',
      ],
    ],
    [
      'is told apart from others',
      'load x\nload z\ns = x\ny = z\nstore y',
      [
        'load x:  | x fill | ',
        'load z:  | z fill | ',
        's = x:  | x take-and-free, s get | ',
        'y = z:  | z take-and-free, y alloc-and-enque | ',
        'store y:  | y take-and-free | ',
      ],
    ],
    [
      'in a branch belongs to it',
      'if\n    load x\n    y = x\n    store y\nelse\n    y = 0\n    store y',
      [
        'load x:  | x fill | ',
        'y = x:  | x take-and-free, y alloc-and-enque | ',
        'store y:  | y take-and-free | ',
        'y = 0:  | y alloc-and-enque | ',
        'store y:  | y take-and-free | ',
      ],
    ],
  ])('%s', (_, kernel, lines) => {
    expect(told(kernel)).toEqual(lines)
  })
})

describe('a tensor that is stored', () => {
  test.each<[string, string, string[]]>([
    [
      'is written by two stages',
      'y = 0\ny = y\nstore y',
      ['y = 0: alloc y | y use | ', 'y = y:  | y use | enque y', 'store y:  | y take-and-free | ', 'members: y'],
    ],
    [
      'is written in a loop',
      'y = 0\nloop\n    y = y\nstore y',
      [
        'y = 0: alloc y | y use | ',
        'loop:  |  | enque y',
        'y = y:  | y use | ',
        'store y:  | y take-and-free | ',
        'members: y',
      ],
    ],
    [
      'is written in a loop alone',
      'loop\n    y = 0\nstore y',
      ['loop: alloc y |  | enque y', 'y = 0:  | y use | ', 'store y:  | y take-and-free | ', 'members: y'],
    ],
    [
      'is stored by each turn of a loop',
      'y = 0\nloop\n    store y',
      ['y = 0:  | y alloc-and-enque | ', 'loop: deque y |  | free y', 'store y:  | y use | ', 'members: y'],
    ],
    [
      'is written and stored twice',
      'y = 0\nstore y\ny = 0\ny = y\nstore y',
      [
        'y = 0:  | y alloc-and-enque | ',
        'store y:  | y take-and-free | ',
        'y = 0: alloc y | y use | ',
        'y = y:  | y use | enque y',
        'store y:  | y take-and-free | ',
        'members: y',
      ],
    ],
    [
      'is written and stored in each turn',
      'loop\n    y = 0\n    store y',
      ['y = 0:  | y alloc-and-enque | ', 'store y:  | y take-and-free | '],
    ],
    [
      'is there at all times where a writer follows the last store',
      'y = 0\nstore y\ny = 0',
      [
        'y = 0: alloc y | y use | ',
        'store y: enque y | y take-and-free | alloc y',
        'y = 0:  | y use | free y',
        'members: y',
      ],
    ],
    [
      'is there at all times where it is written before a loop and in it',
      'y = 0\nloop\n    y = 0\n    store y',
      [
        'y = 0: alloc y | y use | ',
        'loop:  |  | free y',
        'y = 0:  | y use | ',
        'store y: enque y | y take-and-free | alloc y',
        'members: y',
      ],
    ],
    [
      'is there at all times where a loop stores before it writes',
      'loop\n    store y\n    y = 0',
      ['loop: alloc y |  | free y', 'store y: enque y | y take-and-free | alloc y', 'y = 0:  | y use | ', 'members: y'],
    ],
  ])('%s', (_, kernel, lines) => {
    expect(told(kernel)).toEqual(lines)
  })
})

test('scratch is got by each stage that names it', () => {
  expect(told('load x\ns = x\nloop\n    again\n        y = s\n        store y')).toEqual([
    'load x:  | x fill | ',
    's = x:  | x take-and-free, s get | ',
    'y = s:  | s get, y alloc-and-enque | ',
    'store y:  | y take-and-free | ',
  ])
})
