import {describe, expect, test} from 'vitest'
import type {ExecuteOptions, Execution} from '../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../datasets/schema/task.ts'
import type {CaseSource, RuleFinding} from '../../eval/cases.ts'
import {caseResult, describeStop, runCase, stoppedResult, type CasePlan, type Stopped} from '../../eval/run-case.ts'
import {scriptedExecutor} from '../helpers/scripted-executor.ts'

const row = {case_id: '3', shape: '[6]'}
const other = {case_id: '3', shape: '[9]'}
const good: RuleFinding = {ok: true, output: 'y', reason: '', worstAbsolute: 0.5, worstRelative: null}
const bad: RuleFinding = {ok: false, output: 'y', reason: 'too far', worstAbsolute: 2, worstRelative: 1}
const violation = {rule: 'r', block: 0, api: 'Add', tensor: 'x', message: 'at 4', fix: 'f'}

interface Run {
  end?: Execution
  tolerated?: typeof violation
  literal?: RuleFinding
  hardened?: RuleFinding
  expectsNaN?: boolean
}

/** What the runs of a case come to, one after the other; the last one goes on. */
async function judged(
  runs: readonly Run[],
  {trials = [], tolerant = false}: {trials?: CasePlan['trials']; tolerant?: boolean} = {},
) {
  let at = -1
  let discarded = 0
  const prepared: string[] = []
  const options: ExecuteOptions[] = []
  const literals: boolean[] = []
  const run = () => runs[Math.min(at, runs.length - 1)] as Run
  const executor = scriptedExecutor({
    run: (_: OperatorCase, how) => {
      at += 1
      options.push(how)
      const {end, tolerated} = run()
      const ran = {outcome: 'ran', outputs: [new Uint8Array(2)], trace: {}, cpuSeconds: 0, log: ''}
      return (end ?? {...ran, ...(tolerated && {tolerated})}) as Execution
    },
  })
  const built = await executor.build({operator: 'Add', files: [], dtypes: {}})
  if (!built.ok) throw new TypeError('it builds')
  const source: Partial<CaseSource> = {
    prepare: async (given, family) => {
      prepared.push(`${family} ${given['shape']}`)
      return {
        operatorCase: {
          id: '3',
          inputs: [{name: 'x', dtype: 'int8', shape: [1], data: Uint8Array.of(7)}],
          outputs: [],
          attributes: {},
        },
        compare: async (_: unknown, {literal}: {literal: boolean}) => {
          literals.push(literal)
          const {hardened = good, literal: said, expectsNaN = false} = run()
          return {
            hardened,
            expectsNaN,
            seen: [Uint8Array.of(1)],
            expected: [Uint8Array.of(2)],
            ...(said && {literal: said}),
          }
        },
        discard: async () => void (discarded += 1),
      } as never
    },
  }
  const plan = {executor, build: built.build, source: source as CaseSource, row, trials, seed: ['s'], tolerant}
  const found = await runCase(plan)
  return {found, options, prepared, literals, discarded}
}

const result = async (...given: Parameters<typeof judged>) => {
  const {found} = await judged(...given)
  return 'result' in found ? found.result : found
}

describe('one row', () => {
  test('is run as the benchmark does, then with each trial, in either order, on poison', async () => {
    const trials = [
      {family: 'uniform', row},
      {family: 'zeros', row: other},
      {family: 'ones', row},
    ] as const
    const {found, options, prepared, literals, discarded} = await judged([{}], {trials})
    expect(options).toEqual([
      {poison: 'zero', order: 'forward'},
      {poison: 'nan', order: 'reverse'},
      {poison: 'nan', order: 'forward'},
      {poison: 'nan', order: 'reverse'},
    ])
    expect(prepared).toEqual(['normal [6]', 'uniform [6]', 'zeros [9]', 'ones [6]'])
    expect(literals).toEqual([true, false, false, false])
    expect(discarded).toBe(4)
    expect(found).toMatchObject({
      result: {case: '3', literal: true, hardened: true, worstAbsolute: 0.5, worstRelative: null, reason: ''},
    })
    expect('evidence' in found && found.evidence).toHaveLength(4)
  })

  test('keeps what went in, what came out and what was expected', async () => {
    const {found} = await judged([{}])
    expect('evidence' in found && found.evidence).toEqual([
      {inputs: [Uint8Array.of(7)], outputs: [Uint8Array.of(1)], expected: [Uint8Array.of(2)], trace: {}},
    ])
  })

  test('is run again on other poison where NaN is expected', async () => {
    const trials = [{family: 'nan', row}] as const
    expect((await judged([{expectsNaN: true}], {trials})).options).toEqual([
      {poison: 'zero', order: 'forward'},
      {poison: 'nan', order: 'reverse'},
      {poison: 'zero', order: 'reverse'},
    ])
    expect((await judged([{}, {expectsNaN: true, hardened: bad}], {trials})).options).toHaveLength(2)
    expect(await result([{}, {expectsNaN: true}, {hardened: bad}], {trials})).toMatchObject({
      hardened: false,
      reason: 'y, nan inputs: too far',
    })
  })
})

describe('a wrong number', () => {
  const trials = [
    {family: 'uniform', row},
    {family: 'ones', row},
    {family: 'zeros', row},
  ] as const
  test('by both rules ends the row', async () => {
    const {options} = await judged([{literal: bad, hardened: bad}], {trials})
    expect(options).toHaveLength(1)
    expect(await result([{literal: bad, hardened: bad}], {trials})).toEqual({
      case: '3',
      literal: false,
      hardened: false,
      worstAbsolute: 2,
      worstRelative: 1,
      reason: 'y, normal inputs: too far',
    })
  })
  test('by ours alone gets a second run', async () => {
    expect((await judged([{literal: good, hardened: bad}], {trials})).options).toHaveLength(2)
    expect((await judged([{}, {hardened: bad}], {trials})).options).toHaveLength(2)
    expect((await judged([{}, {}, {hardened: bad}], {trials})).options).toHaveLength(3)
    expect((await judged([{literal: bad}], {trials})).options).toHaveLength(4)
  })
  test('of another size says so, and its element is handed on', async () => {
    const found = {...bad, worst: {index: 4, seen: NaN, expected: 2}}
    expect(await result([{}, {hardened: found}], {trials: [{family: 'ones', row: other}]})).toMatchObject({
      literal: true,
      hardened: false,
      reason: 'y, ones inputs of another size (shape [9]): too far',
      fault: {kind: 'element', output: 'y', index: 4, otherSize: true, seen: 'NaN', expected: 2},
    })
    const own = await result([{literal: found, hardened: bad}])
    expect(own).toMatchObject({fault: {kind: 'element', output: 'y', index: 4, seen: 'NaN', expected: 2}})
    expect(JSON.stringify(own)).not.toContain('otherSize')
  })
  test('by the literal rule alone is told as such', async () => {
    expect(await result([{literal: bad}])).toMatchObject({
      literal: false,
      hardened: true,
      reason: 'y, normal inputs: too far',
    })
  })
})

const stops: [Execution & Stopped, string][] = [
  [{outcome: 'launch-failed', message: 'no tiling'}, 'launch failed: no tiling'],
  [{outcome: 'violated', violation}, 'r in Add: at 4'],
  [{outcome: 'crashed', cause: 'SIGSEGV', log: 'l'}, 'crashed: SIGSEGV'],
  [{outcome: 'timed-out', limitSeconds: 9}, 'not done after 9 s'],
]

describe('a run that does not come to its end', () => {
  test.each(stops)('%o stops the row', async (end, words) => {
    expect(await result([{end}])).toEqual(end)
    expect(await result([{}, {end}], {trials: [{family: 'ones', row}]})).toEqual(end)
    expect(describeStop(end)).toBe(words)
    expect(stoppedResult('3', end)).toEqual({
      case: '3',
      literal: false,
      hardened: false,
      worstAbsolute: null,
      worstRelative: null,
      reason: words,
      ...(end.outcome === 'violated' && {fault: {kind: 'rule', rule: 'r'}}),
    })
    expect(stoppedResult('3', end, true).literal).toBe(true)
  })

  test('at another size says so', async () => {
    const trials = [{family: 'ones', row: other}] as const
    const at = async (end: Execution) => result([{}, {end}], {trials})
    const size = 'with inputs of another size (shape [9])'
    expect(await at({outcome: 'launch-failed', message: 'no tiling'})).toMatchObject({message: `no tiling ${size}`})
    expect(await at({outcome: 'violated', violation})).toMatchObject({
      violation: {...violation, message: `at 4 ${size}`, otherSize: true},
    })
    expect(await at({outcome: 'crashed', cause: 'c', log: 'l'})).toMatchObject({cause: 'c', log: `${size}\nl`})
    expect(await at({outcome: 'timed-out', limitSeconds: 9})).toEqual({outcome: 'timed-out', limitSeconds: 9})
    const again = await result([{}, {expectsNaN: true}, {end: {outcome: 'launch-failed', message: 'm'}}], {trials})
    expect(again).toMatchObject({message: `m ${size}`})
  })

  test('leaves the literal verdict to a tolerant judge', async () => {
    const how = {trials: [{family: 'ones', row}] as const, tolerant: true}
    const {found, options} = await judged([{tolerated: violation}], how)
    expect(found).toMatchObject({
      result: {literal: true, hardened: false, reason: 'r in Add: at 4'},
      stopped: {outcome: 'violated', violation},
    })
    expect(options).toEqual([{poison: 'zero', order: 'forward', tolerant: true}])
    expect(await result([{literal: bad}, {end: {outcome: 'timed-out', limitSeconds: 9}}], how)).toMatchObject({
      literal: false,
      reason: 'not done after 9 s',
    })
    expect(await result([{end: {outcome: 'timed-out', limitSeconds: 9}}], how)).toMatchObject({outcome: 'timed-out'})
    expect(await result([{tolerated: violation}])).toEqual({outcome: 'violated', violation})
  })
})

test('a row has its worst errors, none where one has no size, and the first reason', () => {
  const findings = [{...good, worstRelative: 3}, bad, {...bad, reason: 'second', worstRelative: 7}]
  expect(caseResult(row, good, findings)).toEqual({
    case: '3',
    literal: true,
    hardened: false,
    worstAbsolute: 2,
    worstRelative: 7,
    reason: 'too far',
  })
  expect(caseResult(row, good, [...findings, good])).toMatchObject({worstAbsolute: 2, worstRelative: null})
  expect(caseResult(row, {...bad, reason: 'literally'}, [bad]).reason).toBe('literally')
})
