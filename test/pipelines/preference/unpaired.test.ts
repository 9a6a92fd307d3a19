import {expect, test} from 'vitest'
import type {LabelledCandidate} from '../../../datasets/schema/candidate.ts'
import unpaired from '../../../pipelines/preference/unpaired.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {labelled} from './records.ts'

const answer = labelled('green', 'answer', {kind: 'answer'})
const variant = (name: string, over = {}) => labelled('green', name, {kind: 'variant', rewrites: [name]}, over)

async function run(candidates: readonly LabelledCandidate[], options = {}) {
  const {outputs, dropped} = await runStage(unpaired(options), candidates)
  return {
    rows: outputs.map(({files, label}) => `${/\/\/ (\w+)/.exec(files[0]?.text ?? '')?.[1]} ${label}`),
    thinks: outputs.map(({reasoning}) => reasoning !== ''),
    dropped: dropped.map(({reason}) => reason),
  }
}

test('each candidate is a reply of its own, in their order', async () => {
  expect(await run([answer, labelled('orange', 'o'), labelled('purple', 'p')])).toMatchObject({
    rows: ['answer green', 'o orange', 'p purple'],
    dropped: [],
  })
})

test('what teaches nothing, or teaches it twice, is refused with its reason', async () => {
  const unread = labelled('purple', 'u', undefined, {unreadable: 'no code'})
  const rewound = labelled('green', 'r', {kind: 'rewound', steps: ['one-core']})
  const {rows, dropped} = await run([answer, answer, labelled('green', 'harmless'), rewound, unread])
  expect(rows).toEqual(['answer green'])
  expect(dropped).toEqual(['equivalent-mutant', 'rewound', 'reply-without-code', 'same-code'])
})

test('replies to a prompt reason all or none', async () => {
  const reasoned = [{...answer, reasoning: 'plan'}, labelled('orange', 'o', undefined, {reasoning: 'other plan'})]
  expect((await run(reasoned)).thinks).toEqual([true, true])
  expect((await run([...reasoned, labelled('purple', 'p')])).thinks).toEqual([false, false, false])
  const elsewhere = {...labelled('purple', 'p'), prompt: 'Write Other.'}
  expect((await run([...reasoned, elsewhere])).thinks).toEqual([true, true, false])
})

test('of many replies to a prompt as many are kept of either label, and the rest is counted', async () => {
  const good = (count: number) => Array.from({length: count}, (_, at) => variant(`v${at}`))
  const bad = (count: number) => Array.from({length: count}, (_, at) => labelled('orange', `o${at}`))
  const kept = async (greens: number, oranges: number, most: number) => {
    const {rows, dropped} = await run([...good(greens), ...bad(oranges)], {maxPerTask: most})
    expect(dropped).toEqual(Array.from({length: greens + oranges - rows.length}, () => 'over-limit'))
    return [rows.filter((row) => row.endsWith('green')).length, rows.filter((row) => row.endsWith('orange')).length]
  }
  expect(await kept(6, 6, 4)).toEqual([2, 2])
  expect(await kept(6, 1, 4)).toEqual([3, 1])
  expect(await kept(1, 6, 4)).toEqual([1, 3])
  expect(await kept(6, 6, 5)).toEqual([3, 2])
  expect(await kept(2, 2, 12)).toEqual([2, 2])
  expect(await kept(20, 20, 40)).toEqual([20, 20])
  expect((await kept(20, 20, 99)).reduce((sum, one) => sum + one)).toBe(40)
  expect((await run([...good(20), ...bad(20)])).rows).toHaveLength(12)
})

test('the same are kept at every look, and others with another seed', async () => {
  const many = Array.from({length: 30}, (_, at) => labelled('orange', `o${at}`))
  const rows = async (seed: string) =>
    (await runStage(unpaired({maxPerTask: 5}), many, {seed})).outputs.map(({answer: text}) => text)
  expect(await rows('a')).toEqual(await rows('a'))
  expect(await rows('a')).not.toEqual(await rows('b'))
})
