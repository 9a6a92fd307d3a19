import {describe, expect, test} from 'vitest'
import type {CaseResult, Verdict} from '../../../datasets/schema/verdict.ts'
import {rewardOf, RewardRule} from '../../../eval/serve/reward.ts'

const executor = {name: 'e', fingerprint: 'f', compiler: 'c', soc: 's'}
const caseOf = (passed: boolean): CaseResult => ({
  case: '0',
  literal: true,
  hardened: passed,
  worstAbsolute: 0,
  worstRelative: 0,
  reason: passed ? '' : 'wrong',
})
const verdicts = {
  correct: {outcome: 'correct', cases: [caseOf(true)], executor},
  half: {outcome: 'mismatched', cases: [caseOf(true), caseOf(false)], executor},
  none: {outcome: 'mismatched', cases: [caseOf(false), caseOf(false)], executor},
  crashed: {outcome: 'crashed', case: '0', cause: 'SIGSEGV', log: '', executor},
  broken: {outcome: 'compile-failed', diagnostics: [], log: '', executor},
  cheated: {outcome: 'cheated', rule: 'not-computed', detail: 'zeros', literal: true, executor},
  uncovered: {outcome: 'not-covered', missing: ['Foo'], executor},
} satisfies Record<string, Verdict>

describe('rewards', () => {
  test('by colour', () => {
    const rule = RewardRule.parse({})
    const rewards = Object.entries(verdicts).map(([name, verdict]) => [name, rewardOf(verdict, rule)])
    expect(Object.fromEntries(rewards)).toEqual({
      correct: 1,
      half: 0.3,
      none: 0.3,
      crashed: 0.3,
      broken: 0,
      cheated: -0.1,
      uncovered: undefined,
    })
  })

  test('graded: later stages and more cases give more, and nothing wrong reaches green', () => {
    const rule = RewardRule.parse({kind: 'graded'})
    const {correct, half, none, crashed, broken} = verdicts
    const rewards = [broken, crashed, none, half, correct].map((verdict) => rewardOf(verdict, rule) ?? NaN)
    expect(rewards).toEqual([...rewards].sort((a, b) => a - b))
    expect(new Set(rewards).size).toBe(5)
    expect(rewards[1]).toBeCloseTo(0.15)
    expect(rewards[3]).toBeLessThan(1)
    const shifted = RewardRule.parse({kind: 'graded', purple: -1, orange: 1, green: 4})
    const of = (verdict: Verdict) => rewardOf(verdict, shifted)
    expect([broken, crashed, none, half, correct].map(of)).toEqual([-1, 0, 1, 2, 4])
  })

  test('who goes round the task never has more than what does not compile', () => {
    expect(rewardOf(verdicts.cheated, RewardRule.parse({purple: -1}))).toBe(-1)
    expect(rewardOf(verdicts.cheated, RewardRule.parse({kind: 'graded'}))).toBe(-0.1)
  })

  test('speed counts for what is right, against the own answer, and within bounds', () => {
    const rule = RewardRule.parse({speed: 0.5})
    const at = (candidate: number) => rewardOf(verdicts.correct, rule, {candidate, answer: 8})
    expect([at(4), at(8), at(16), at(1), at(1000)]).toEqual([1.5, 1, 0.5, 1.5, 0.5])
    expect(rewardOf(verdicts.correct, rule)).toBe(1)
    expect(rewardOf(verdicts.half, rule, {candidate: 1, answer: 8})).toBe(0.3)
  })
})
