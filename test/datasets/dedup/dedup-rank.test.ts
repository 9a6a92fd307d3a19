import {expect, test} from 'vitest'
import {rankOf} from '../../../datasets/dedup/dedup.ts'
import type {CotSample} from '../../../datasets/schema/sample.ts'
import {sample} from '../rows.ts'

const worth = (over: object, length = 100) =>
  rankOf('sft', {...sample({reasoning: 'r'.repeat(length - 50), answer: 'a'.repeat(50)}), ...over} as CotSample)

const model = {teacher: {kind: 'model', model: 'm'}}
const offline = {teacher: {kind: 'offline'}}

/** Each is worth more than the next, however long the next is. */
const ladder: object[] = [
  {proof: 'ran', verdict: {outcome: 'correct'}, ...model},
  {proof: 'ran', verdict: {outcome: 'correct'}, ...offline},
  {proof: 'ran', verdict: {outcome: 'compiled'}, ...model},
  {proof: 'ran', verdict: {outcome: 'mismatched'}, ...model},
  {proof: 'ran', verdict: undefined, ...offline},
  {proof: 'compiled', verdict: {outcome: 'correct'}, ...model},
  {proof: 'compiled', verdict: undefined, ...model},
  {proof: 'parsed', verdict: {outcome: 'correct'}, ...model},
  {proof: 'parsed', verdict: undefined, ...offline},
  {proof: undefined, verdict: undefined, ...model},
  {proof: undefined, verdict: undefined, ...offline},
]

test('what ran before what compiled, what is correct before what is not, a model before the offline writer', () => {
  const ranks = ladder.map((over, at) => worth(over, at % 2 === 0 ? 100 : 100_000))
  expect(ranks).toEqual([...ranks].sort((a, b) => b - a))
  for (const [at, rank] of ranks.slice(1).entries()) expect(ranks[at], JSON.stringify(ladder[at])).toBeGreaterThan(rank)
})

test('of what is equal the longer one, by a tenth and not by a word', () => {
  expect(worth(model, 1000)).toBe(worth(model, 1005))
  expect(worth(model, 1120)).toBe(worth(model, 1000) + 1)
  // Reasoning and answer count alike; the empty one has nothing.
  const bare = {...model, proof: undefined, verdict: undefined}
  expect(rankOf('sft', {...sample(), ...bare, reasoning: '', answer: ''} as CotSample)).toBe(2 ** 10)
  expect(rankOf('sft', {...sample(), ...bare, reasoning: 'r'.repeat(9), answer: ''} as CotSample)).toBe(2 ** 10 + 24)
  expect(rankOf('sft', {...sample(), ...bare, reasoning: '', answer: 'a'.repeat(9)} as CotSample)).toBe(2 ** 10 + 24)
})

test('records that are no samples are all alike', () => {
  expect(rankOf('dpo', {} as never)).toBe(0)
})
