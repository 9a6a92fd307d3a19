import {expect, test} from 'vitest'
import type {LabelledCandidate} from '../../../datasets/schema/candidate.ts'
import {randomFrom} from '../../../engine/random.ts'
import {RightOnes, changedLines, changesBetween} from '../../../pipelines/correction/references.ts'
import {labelled} from '../preference/records.ts'

const random = randomFrom('right-ones')
const words = ['a', 'b', 'c', 'd', 'e', 'f']
const text = () => `${Array.from({length: 6}, () => random.pick(words)).join('\n')}\n`
const rewrites = () => [random.pick(['x', 'y', 'z'])]

const paths = ['op_host/k.cpp', 'op_kernel/k.cpp']

const some = (label: LabelledCandidate['label'], index: number) => {
  const files = (random.pick([true, true, false]) ? paths : paths.slice(1)).map((path) => ({path, text: text()}))
  const sampler = random.pick([
    {kind: 'answer' as const},
    {kind: 'variant' as const, rewrites: rewrites()},
    {kind: 'mutation' as const, mutation: 'm', detail: '', rewrites: rewrites()},
  ])
  return labelled(label, `${label} ${index}`, sampler, {files})
}

function first(failed: LabelledCandidate, right: readonly LabelledCandidate[]) {
  const ranked = right.map((one) => ({one, distance: changedLines(changesBetween(failed.files, one.files))}))
  return ranked.sort((a, b) => a.distance - b.distance)[0]?.one
}

test('the nearest is the one that comparing each with each finds, also among equals', () => {
  for (let round = 0; round < 60; round += 1) {
    const right = Array.from({length: 1 + (round % 12)}, (_, index) => some('green', index))
    const ones = new RightOnes(right)
    for (let index = 0; index < 6; index += 1) {
      const failed = some('orange', index)
      const {task: _, prompt: _prompt, canary: _canary, ...expected} = first(failed, right)!
      expect(ones.nearest(failed)).toEqual(expected)
    }
  }
})

test('an earlier one that is as near comes first, although both lack the same line', () => {
  const files = (...lines: string[]) => [{path: 'op_kernel/k.cpp', text: `${lines.join('\n')}\n`}]
  const variant = (name: string, last: string) =>
    labelled('green', name, {kind: 'variant', rewrites: [name]}, {files: files('p', 'q', last)})
  const planted = {kind: 'mutation' as const, mutation: 'm', detail: '', rewrites: ['later']}
  const failed = labelled('orange', 'f', planted, {files: files('p', 'q', 'r')})
  const right = [variant('earlier', 's'), variant('later', 't')]
  expect(new RightOnes(right).nearest(failed)?.files).toEqual(right[0]!.files)
})

test('of none there is none', () => {
  expect(new RightOnes([]).nearest(some('orange', 0))).toBeUndefined()
})
