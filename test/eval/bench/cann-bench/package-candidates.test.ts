import {describe, expect, test} from 'vitest'
import judgePackage from '../../../../eval/bench/cann-bench/judge-package.ts'
import packageCandidates from '../../../../eval/bench/cann-bench/package-candidates.ts'
import type {ReplySource} from '../../../../eval/bench/whole-model.ts'
import {ownCheckout} from './own-packages.ts'
import {runStage} from '../../../helpers/run-stage.ts'

const source: ReplySource = {
  id: 'replies',
  name: 'someone',
  repliesTo: (names) =>
    Promise.resolve(names.includes('level1/scale') ? [{reply: 'one'}, {reply: 'two', model: 'another'}] : []),
}

test('an operator has as many candidates as replies, by any of its names, and is dropped without one', async () => {
  const stage = packageCandidates({source, pattern: 'level?/*'})
  const {outputs, dropped} = await runStage(stage, [{root: ownCheckout}])
  expect(outputs.map(({task, sampler, reply}) => [task.name, sampler, reply])).toEqual([
    ['Scale', {model: 'someone', sample: 0}, 'one'],
    ['Scale', {model: 'another', sample: 1}, 'two'],
  ])
  expect(dropped.map(({reason, detail}) => `${reason}: ${detail}`)).toEqual([
    'no-reply: someone holds no reply to TopPlace',
    'no-reply: someone holds no reply to ShiftRows',
  ])
})

describe('a reply that does not open', () => {
  test('is a verdict, with the number of what it is refused for', async () => {
    const task = {name: 'Scale', category: 'level1', path: 'tasks/level1/scale', root: ownCheckout, content: 'c'}
    const stage = judgePackage({
      identity: {name: 'twin'},
      open: (reply) =>
        Promise.resolve({
          ok: false,
          kind: reply === 'one' ? 'refused-source' : 'compile-failed',
          why: reply,
          log: '',
          ...(reply === 'one' && {behaviour: 'SUB-BEH-003'}),
        }),
      python: {command: '', torch: '', package: '', headers: '', folders: []},
      sandbox: 'none' as never,
      workDirectory: '.',
      sizes: ['small'],
      largestInput: 1,
      trials: 1,
    })
    const sampler = {model: 'someone', sample: 0}
    const {outputs} = await runStage(
      stage,
      ['one', 'two'].map((reply) => ({task, sampler, reply})),
    )
    expect(outputs.map(({verdict}) => verdict)).toEqual([
      {opened: false, kind: 'refused-source', why: 'one', behaviour: 'SUB-BEH-003'},
      {opened: false, kind: 'compile-failed', why: 'two'},
    ])
    expect(outputs.map((one) => stage.tally?.(one))).toEqual(['SUB-BEH-003', 'compile-failed'])
  })
})
