import {describe, expect, test} from 'vitest'
import type {Decision} from '../../../datasets/schema/decision.ts'
import {notBorneOut} from '../../../pipelines/facts/borne-out.ts'

const tile: Decision = {
  ...{topic: 'tile', situation: 'one', subject: 'tileLength', values: {bytes: 8192}},
  because: [{kind: 'arithmetic', name: 'tileLength', expression: 'SIZE / 2', values: [['SIZE', 4096]], result: 2048}],
}
const copy: Decision = {
  ...{topic: 'copy', situation: 'padded', subject: 'DataCopyPad', values: {}},
  because: [{kind: 'rule', api: 'DataCopy', rule: 'whole-blocks'}],
}
const text = 'constexpr int SIZE = 4096; DataCopyPad(x, gm, 17.906);'
const found = (reasoning: string, decisions: readonly Decision[] = []) => notBorneOut(reasoning, {text, decisions})

describe('each decision with evidence is said', () => {
  test.each([
    ['by its name', 'The tile, `tileLength`, is half of it.', []],
    ['by a number of it', 'Half of it is 2,048.', []],
    ['not by a smaller number', 'Half of it is 2.', ['it says nothing of the decision on tile (tileLength)']],
  ])('%s', (_, reasoning, faults) => {
    expect(found(reasoning, [tile])).toEqual(faults)
  })

  test('of several the ones that are left out', () => {
    expect(found('`tileLength` is half of it.', [tile, copy])).toEqual([
      'it says nothing of the decision on copy (DataCopyPad)',
    ])
  })

  test('one without evidence may go unsaid', () => {
    expect(found('So it is.', [{...copy, because: []}])).toEqual([])
  })
})

describe('a number is given, worked out, or made up', () => {
  test.each([
    ['given', 'There are 4,096 elements.', []],
    ['rounded', 'It takes 17.91 µs.', []],
    ['in KB', 'There are 4 KB, and 4096.', []],
    ['of the device', 'A block has 32 bytes and half 11 bits.', []],
    ['small', 'There are 9 of them.', []],
    ['a sum that is written out', '4096 + 1701 + 3 = 5800 and 5800 is even.', ['1701 is']],
    ['of two beside it', 'Of 4096 elements in tiles of 512 there are 8, or 3584 without the last.', []],
    ['of two in the sentence before', 'There are 4096 elements. In halves of it 8192 bytes.', []],
    ['made up, of two digits', 'There are 10 of them.', ['10 is']],
    ['made up, of three digits', 'There are 777 elements.', ['777 is']],
    ['made up', 'There are 1234 elements.', ['1234 is neither given nor worked out']],
    ['a part of a name', 'As `float16` it is cast by `x1234`.', []],
  ])('%s', (_, reasoning, faults) => {
    expect(found(reasoning)).toEqual(faults.map((one) => expect.stringContaining(one) as string))
  })
})

test('an interface in marks of code is in the code or in the evidence', () => {
  expect(found('`DataCopyPad` takes 17.906.')).toEqual([])
  expect(found('`DataCopy(x, gm)` would not do.')).toEqual(['DataCopy is in neither the code nor the evidence'])
  expect(found('DataCopy would not do.')).toEqual([])
})
