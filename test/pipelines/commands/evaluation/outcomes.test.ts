import {describe, expect, test} from 'vitest'
import type {Candidate} from '../../../../datasets/schema/candidate.ts'
import type {TaskFolder} from '../../../../datasets/schema/source-folder.ts'
import type {OperatorTask} from '../../../../datasets/schema/task.ts'
import {envelopeOf} from '../../../../engine/ids.ts'
import type {Outcome} from '../../../../engine/ledger-records.ts'
import type {OpenRun} from '../../../../engine/run.ts'
import {taskOutcomes} from '../../../../pipelines/commands/evaluation/outcomes.ts'
import {executor, fixtureTask, judged} from '../../preference/records.ts'

const folder = {root: '/r', repository: 'r', licence: 'Apache-2.0'} as TaskFolder
const base = await fixtureTask()
const taskNamed = (name: string): OperatorTask => ({...base, name, origin: {...base.origin, path: `level1/${name}`}})

const made = (...outputs: unknown[]): Outcome => ({outputs: outputs.map(envelopeOf), drops: []})
const failure = {code: 'executor-failed', message: 'It broke.', fix: 'Mend it.'}

type Stages = Record<string, readonly (readonly [input: unknown, outcome: Outcome])[]>

/** A run whose stages made this of their inputs. */
function runOf(stages: Stages): OpenRun {
  return {
    record: {recipe: 'evaluate'},
    stage(name: string) {
      const outcomes = stages[name]
      return outcomes && {find: (id: string) => outcomes.find(([input]) => envelopeOf(input).id === id)?.[1]}
    },
  } as unknown as OpenRun
}

const [add, mul] = [taskNamed('Add'), taskNamed('Mul')]
const candidateOf = (task: OperatorTask, prompt = 'p'): Candidate => {
  const {verdict: _, ...candidate} = judged({task, prompt})
  return candidate
}
const verdict = {outcome: 'compiled', executor} as const
const listed: Stages[string] = [[folder, made(add, mul)]]

function outcomesOf(stages: Stages, tasks = '*', kind: 'answers' | 'model' | 'file' = 'answers') {
  return [...taskOutcomes(runOf(stages), {folder, tasks, sampling: {kind}})]
}

describe('the ways of tasks through a run', () => {
  test('are those of each task, its candidates and their verdicts, in order', () => {
    const [first, second] = [candidateOf(add, 'one'), candidateOf(add, 'two')]
    const drop = {reason: 'too-large', detail: 'case 1'}
    const outcomes = outcomesOf({
      'operator-tasks': listed,
      answers: [
        [add, made(first, second)],
        [mul, made(candidateOf(mul))],
      ],
      judge: [
        [first, {...made({...first, verdict}), drops: [drop]}],
        [second, {outputs: [], drops: [drop], failure}],
      ],
    })
    expect(outcomes).toEqual([
      {
        task: add,
        attempts: [
          {candidate: first, verdict, drops: [drop], failure: undefined},
          {candidate: second, verdict: undefined, drops: [drop], failure: 'It broke.'},
        ],
        why: undefined,
      },
      {
        task: mul,
        attempts: [{candidate: candidateOf(mul), verdict: undefined, drops: [], failure: undefined}],
        why: undefined,
      },
    ])
  })

  test.each<[string, string[]]>([
    ['*', ['Add', 'Mul']],
    ['Add', ['Add']],
    ['level1/*', ['Add', 'Mul']],
    ['level2/*', []],
  ])('are those that match %s', (tasks, names) => {
    const stages = {'operator-tasks': listed, answers: [], judge: []}
    expect(outcomesOf(stages, tasks).map(({task}) => task.name)).toEqual(names)
  })

  const drops = [
    {reason: 'first', detail: 'a'},
    {reason: 'no-answer', detail: 'b'},
  ]
  test.each<[string, Outcome | undefined, {reason: string; detail: string}]>([
    ['was not reached', undefined, {reason: 'not-reached', detail: ''}],
    ['made nothing of it', made(), {reason: 'not-reached', detail: ''}],
    ['dropped it', {outputs: [], drops}, {reason: 'no-answer', detail: 'b'}],
    ['failed', {outputs: [], drops, failure}, {reason: 'executor-failed', detail: 'It broke.'}],
  ])('end at the stage that %s', (_, outcome, why) => {
    const answers = outcome ? [[mul, outcome] as const] : []
    const outcomes = outcomesOf({'operator-tasks': [[folder, made(mul)]], answers, judge: []})
    expect(outcomes).toEqual([{task: mul, attempts: [], why}])
  })

  test.each([
    ['answers', 'answers'],
    ['model', 'samples'],
    ['file', 'replies'],
  ] as const)('with candidates of kind %s go through the stage %s', (kind, stage) => {
    const stages = {'operator-tasks': listed, [stage]: [[add, made(candidateOf(add))] as const], judge: []}
    expect(outcomesOf(stages, 'Add', kind).map(({attempts}) => attempts.length)).toEqual([1])
    const other = kind === 'file' ? 'samples' : 'replies'
    expect(() => outcomesOf({'operator-tasks': listed, [other]: [], judge: []}, '*', kind)).toThrow(
      new TypeError(`the run evaluate has no stage ${stage}`),
    )
  })

  test('are none where the folder is another', () => {
    const stages = {'operator-tasks': [[{...folder, root: '/s'}, made(add)] as const], answers: [], judge: []}
    expect(outcomesOf(stages)).toEqual([])
  })
})
