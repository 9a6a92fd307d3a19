import {describe, expect, test} from 'vitest'
import type {WorkedRun} from '../../../../datasets/schema/worked.ts'
import workedCot from '../../../../pipelines/documentation/worked/worked-cot.ts'
import workedQuestions from '../../../../pipelines/documentation/worked/worked-questions.ts'
import {shownValues} from '../../../../pipelines/documentation/worked/worked-cot.ts'
import {catalogue} from '../../../../pipelines/telling/catalogue.ts'
import {tell, type Message} from '../../../../pipelines/telling/tell-message.ts'
import {everyEntry} from '../../../helpers/documented-names.ts'
import {nthWording} from '../../../helpers/nth-wording.ts'
import {runStage} from '../../../helpers/run-stage.ts'
import {scriptedExecutor} from '../../../helpers/scripted-executor.ts'

const {identity: executor} = scriptedExecutor({run: () => []})

/** Questions as if their kernels had given what the formula says. */
const runs: WorkedRun[] = (await runStage(workedQuestions({most: 1}), everyEntry)).outputs.map((question) => ({
  ...question,
  results: {z: question.expected['z'] ?? [1]},
  ...(question.other && {observed: {outcome: 'refused', rule: 'unaligned-ub', api: question.api, message: 'm'}}),
  executor,
}))

const parts = ['ask', 'rule', 'numbers', 'consequence', 'choice', 'answer']

describe('words', () => {
  test('each situation has all parts in both languages, and nothing is told of what is never asked', () => {
    const situations = new Set(runs.map(({situation}) => `worked-${situation}`))
    for (const language of ['en', 'zh'] as const) {
      const {'worked-why': _, ...topics} = catalogue(language).topics
      const told = Object.entries(topics).filter(([topic]) => topic.startsWith('worked-'))
      expect(new Set(told.map(([topic]) => topic))).toEqual(situations)
      for (const [, {situations: all}] of told) expect(Object.keys(all).sort()).toEqual([...parts].sort())
    }
  })

  test('each interface whose results are derived has its reason in both languages, and no other has', () => {
    const derived = new Set(runs.filter(({situation}) => situation.startsWith('derived')).map(({api}) => api))
    for (const language of ['en', 'zh'] as const)
      expect(new Set(Object.keys(catalogue(language).topics['worked-why']?.situations ?? {}))).toEqual(derived)
  })

  test('every wording finds its values', () => {
    for (const run of runs) {
      for (const language of ['en', 'zh'] as const) {
        for (let at = 0; at < 5; at += 1) {
          const speaker = nthWording(language, at)
          const values = {right: 'r', wrong: 'w', ...shownValues(run, speaker), ...run.values}
          for (const situation of parts) {
            const text = tell({topic: `worked-${run.situation}`, situation, values} as Message, speaker)
            expect(text, `${run.situation} ${situation} ${language} ${at}`).not.toMatch(/undefined|\{[a-z]|^$/)
          }
        }
      }
    }
  })
})

describe('rows', () => {
  test('ask, derive and answer with the kernel that ran; what the other one did is their evidence', async () => {
    const {outputs} = await runStage(workedCot(), runs)
    expect(outputs.length).toBe(runs.length)
    for (const [at, row] of outputs.entries()) {
      const run = runs[at]!
      expect(row.answer).toContain(run.text)
      for (const one of [run.values['data'] ?? []].flat()) expect(row.prompt).toContain(one)
      expect(row).toMatchObject({kind: 'documentation', proof: 'ran', origin: run.origin})
      const [decision] = row.decisions!
      expect(decision?.because.length).toBe(run.other ? 2 : 1)
      if (!run.other) continue
      const [, seen] = decision!.because
      expect(seen).toMatchObject({kind: 'counterfactual', observed: run.observed})
      const {line, before} = seen as {line: number; before: string}
      if (before !== '') expect(before.startsWith(run.text.split('\n')[line - 1]!.trim())).toBe(true)
    }
  })

  test('questions on the machine are told from those on a call', async () => {
    const {outputs} = await runStage(workedCot(), runs)
    const qaOf = (situation: string) => outputs[runs.findIndex((run) => run.situation === situation)]?.qa
    expect(['ub-total', 'wait-alone', 'tiles', 'core-share'].map(qaOf)).toEqual(Array(4).fill('basic-knowledge'))
    expect(['start', 'rounding', 'scaled-rows', 'derived-or'].map(qaOf)).toEqual(Array(4).fill('api-call'))
  })

  test('a result is told with its numbers, and with what the type makes of it', () => {
    const run = runs.find(({api, situation}) => api === 'Exp' && situation === 'results')!
    const exact = run.expected['z']!.map(Number)
    const held = {...run, results: {z: exact.map((value) => (value > 65_504 ? ('Infinity' as const) : value))}}
    const {steps, kind, given} = shownValues(
      {...held, outputs: [{name: 'z', dtype: 'float16', shape: [8]}]},
      nthWording('en'),
    )
    expect(given).toMatch(/^`x = \[/)
    expect(steps).toContain('`exp(0.5) ≈ 1.64872`')
    expect(steps).toMatch(/`exp\(-\d/)
    expect(kind).toBe(exact.some((value) => value > 65_504) ? 'inf' : 'exact')
    expect(shownValues({...held, results: {z: exact.map((value) => value + 1)}}, nthWording('en'))['kind']).toBe(
      'round',
    )
  })
})
