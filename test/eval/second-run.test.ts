import {describe, expect, test} from 'vitest'
import type {Candidate} from '../../datasets/schema/candidate.ts'
import type {Execution} from '../../datasets/schema/executor.ts'
import {decode, encode} from '../../datasets/dtype.ts'
import judge from '../../eval/judge.ts'
import type {Recheck} from '../../eval/second-run.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import {kernelsOfChance} from '../helpers/kernels-of-chance.ts'
import {realExecutor} from '../helpers/real-executor.ts'
import {runStage} from '../helpers/run-stage.ts'
import {scriptedExecutor, scriptedIdentity, untouchedOutputs, type Script} from '../helpers/scripted-executor.ts'

const [task] = await loadTasks({root: 'test/fixtures/tasks'}, () => [])
if (!task) throw new Error('the fixture task is gone')

function candidate(files: Candidate['files'], answer: Candidate['files'] = []): Candidate {
  return {
    task: {...(task as NonNullable<typeof task>), answer},
    sampler: {kind: 'answer'},
    prompt: 'Write it.',
    reasoning: '',
    files,
    written: [files[0]?.path ?? ''],
  }
}

/** What an executor says that does one thing in its first judgement and another one in the second. */
async function judged(scripts: readonly [Script, Script], recheck: Recheck) {
  let builds = 0
  const executor = scriptedExecutor({
    build: (program) => {
      builds += 1
      return scripts[builds > 2 ? 1 : 0].build?.(program)
    },
    run: (...run) => scripts[builds > 2 ? 1 : 0].run(...run),
  })
  const files = [{path: 'op_kernel/scale_shift.cpp', text: 'void scale_shift() {}'}]
  const {outputs, dropped} = await runStage(judge({executor, recheck}), [candidate(files)])
  return {outcome: outputs[0]?.verdict.outcome, dropped, builds: executor.builds.length}
}

const spoilt = (by: number, cases: readonly string[] = ['0', '1', '2']): Script => ({
  run(operatorCase) {
    const [x] = operatorCase.inputs
    const {scale, shift} = operatorCase.attributes as {scale: number; shift: number}
    if (!x) throw new Error('no input')
    const wrong = cases.includes(operatorCase.id) ? by : 0
    return [
      encode(
        decode(x.data, x.dtype).map((value) => value * scale + shift + wrong),
        x.dtype,
      ),
    ]
  },
})
const stops = (execution: Execution): Script => ({run: () => execution})
const violated = (rule: string, message: string): Script =>
  stops({outcome: 'violated', violation: {rule, block: 0, api: 'Add', tensor: 'x', message, fix: 'f'}})
const right = spoilt(0)
const unbuilt: Script = {
  ...right,
  build: () => ({outcome: 'compile-failed', diagnostics: [], log: 'error', executor: scriptedIdentity}),
}

describe('a candidate whose two runs disagree has no label', () => {
  test.each<[string, readonly [Script, Script], RegExp]>([
    ['wrong, then right', [spoilt(1), right], /^the first run said: mismatched in case 0, 1, 2 .*inputs: correct$/],
    ['wrong in one case, then in another', [spoilt(1, ['0']), spoilt(1, ['2'])], /case 0 .*mismatched in case 2 /],
    ['wrong by one amount, then by another', [spoilt(1), spoilt(2)], /mismatched in case 0, .*mismatched in case 0, /],
    ['a crash, then right', [stops({outcome: 'crashed', cause: 'SIGSEGV', log: ''}), right], /crashed in case 0, SIGS/],
    [
      'out of time, then right',
      [stops({outcome: 'timed-out', limitSeconds: 9, byClock: true}), right],
      /timed-out in case 0;.*correct/,
    ],
    ['not launched, then right', [stops({outcome: 'launch-failed', message: 'm'}), right], /launch-failed in case 0;/],
    [
      'one rule, then another',
      [violated('gm-race', 'm'), violated('queue-state', 'm')],
      /gm-race in Add;.*queue-state/,
    ],
    ['a rule, then right', [violated('gm-race', 'm'), right], /violated in case 0, gm-race in Add; .*correct$/],
    ['two crashes', [stops(crash('SIGSEGV')), stops(crash('SIGFPE'))], /SIGSEGV;.*SIGFPE$/],
  ])('%s', async (_, scripts, detail) => {
    const {outcome, dropped} = await judged(scripts, 'failed')
    expect(outcome).toBeUndefined()
    expect(dropped).toEqual([{reason: 'flaky-verdict', detail: expect.stringMatching(detail) as string}])
  })

  test('nor one that passed first, where all are run again', async () => {
    expect((await judged([right, spoilt(1)], 'all')).dropped[0]?.detail).toMatch(
      /said: correct; .*mismatched in case 0/,
    )
    expect(await judged([right, spoilt(1)], 'failed')).toMatchObject({outcome: 'correct', dropped: []})
  })
})

describe('a candidate whose two runs agree keeps its verdict', () => {
  test.each<[string, readonly [Script, Script], string]>([
    ['wrong', [spoilt(1), spoilt(1)], 'mismatched'],
    ['right', [right, right], 'correct'],
    ['a crash that prints an address', [stops(crash('SIGSEGV', '0x1a')), stops(crash('SIGSEGV', '0x2b'))], 'crashed'],
    ['a rule that names an address', [violated('r', '0x1a'), violated('r', '0x2b')], 'violated'],
    ['nothing written at all', [{run: untouchedOutputs}, {run: untouchedOutputs}], 'mismatched'],
  ])('%s', async (_, scripts, outcome) => {
    expect(await judged(scripts, 'all')).toEqual({outcome, dropped: [], builds: 4})
  })
})

test('nothing is run again that did not run, that passed, or where nobody asked', async () => {
  expect((await judged([unbuilt, right], 'all')).builds).toBe(1)
  expect((await judged([right, right], 'failed')).builds).toBe(2)
  expect((await judged([spoilt(1), right], 'none')).builds).toBe(2)
})

test('what used up its CPU time is not run again', async () => {
  const late = stops({outcome: 'timed-out', limitSeconds: 9})
  expect(await judged([late, right], 'all')).toEqual({outcome: 'timed-out', dropped: [], builds: 2})
})

describe('on the twin', async () => {
  const {answer} = task
  const byChance = kernelsOfChance(answer)

  test.each(Object.keys(byChance.flaky))('what depends on %s is quarantined', async (name) => {
    const stage = judge({executor: await realExecutor(), recheck: 'failed'})
    const {outputs, dropped} = await runStage(stage, [candidate(byChance.flaky[name] ?? [], answer)])
    expect(outputs).toEqual([])
    expect(dropped.map(({reason}) => reason)).toEqual(['flaky-verdict'])
  })

  test.each(Object.keys(byChance.steady))('%s is not', async (name) => {
    const stage = judge({executor: await realExecutor(), recheck: 'all'})
    const {outputs, dropped} = await runStage(stage, [candidate(byChance.steady[name]?.files ?? [], answer)])
    expect(dropped).toEqual([])
    expect(outputs[0]?.verdict.outcome).toBe(byChance.steady[name]?.outcome)
  })
})

function crash(cause: string, log = ''): Execution {
  return {outcome: 'crashed', cause, log}
}
