import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Executor, Program} from '../../../datasets/schema/executor.ts'
import {closedHub} from '../../helpers/closed-hub.ts'
import {workspaceWorld} from '../../../pipelines/commands/world.ts'
import {candidatesBehind, unrefutedIn} from '../../../pipelines/workspace/candidate-runs.ts'
import {Config} from '../../../pipelines/workspace/config.ts'
import {emittedBy, findRuns} from '../../../pipelines/workspace/runs.ts'
import {openWorkspace} from '../../../pipelines/workspace/workspace.ts'
import candidates from '../../../pipelines/recipes/candidates.ts'
import errors from '../../../pipelines/recipes/errors.ts'
import optimisation from '../../../pipelines/recipes/optimisation.ts'
import preference from '../../../pipelines/recipes/preference.ts'
import {decode, encode} from '../../../datasets/dtype.ts'
import {LabelledCandidate} from '../../../datasets/schema/candidate.ts'
import {ErrorEntry} from '../../../datasets/schema/error-entry.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import {runPipeline} from '../../../engine/runner.ts'
import {openRun} from '../../../engine/run.ts'
import {PreferencePair} from '../../../datasets/schema/sample.ts'
import {bisheng, candidate, judgedRun, verdict} from '../../eval/agreement/judged-run.ts'
import {requestOf} from '../../helpers/sample-run.ts'
import {scriptedExecutor, scriptedIdentity} from '../../helpers/scripted-executor.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'

function opened(given: object) {
  const asked: Config['executor'][] = []
  const make = (config: Config): Promise<Executor> => {
    asked.push(config.executor)
    const name = config.executor.kind === 'twin' ? 'twin' : (config.executor.level ?? 'cann-compile')
    return Promise.resolve({...scriptedExecutor({run: () => []}), identity: {...scriptedIdentity, name}})
  }
  const world = workspaceWorld(recordedWorld({HF_ENDPOINT: closedHub}))
  return {asked, workspace: openWorkspace(Config.parse(given), make, world)}
}

describe('the second executor', () => {
  test('is none where none is asked for', async () => {
    const {workspace, asked} = opened({})
    expect(await workspace.confirming()).toBeUndefined()
    expect(asked).toEqual([])
  })

  test('is CANN at the level that is asked for, made once, beside the first', async () => {
    const {workspace, asked} = opened({executor: {confirm: 'cann-board', soc: 'Ascend910B1'}})
    const [first, second, again] = [
      await workspace.executor(),
      await workspace.confirming(),
      await workspace.confirming(),
    ]
    expect([first.identity.name, second?.identity.name]).toEqual(['twin', 'cann-board'])
    expect(again).toBe(second)
    expect(asked.map(({kind, level, confirm, soc}) => [kind, level, confirm, soc])).toEqual([
      ['twin', undefined, 'cann-board', 'Ascend910B1'],
      ['cann', 'cann-board', 'none', 'Ascend910B1'],
    ])
  })

  test('is not the first once more', async () => {
    const {workspace} = opened({executor: {kind: 'cann', level: 'cann-sim', confirm: 'cann-sim'}})
    await expect(workspace.confirming()).rejects.toThrow('cann-sim judges already, so that it cannot confirm.')
  })
})

/** What the twin cannot see: every second text that is not the answer's is refused, the others it takes for right. */
function seeingLess(config: Config, answer: string): Executor {
  const isTwin = config.executor.kind === 'twin'
  const name = isTwin ? 'twin' : (config.executor.level ?? '')
  const identity = {...scriptedIdentity, name, fingerprint: name}
  const textOf = ({files}: Program) => files.find(({path}) => path.startsWith('op_kernel/'))?.text ?? ''
  const refused: Verdict = {outcome: 'compile-failed', diagnostics: [], log: 'error: no', executor: identity}
  return {
    ...scriptedExecutor({
      build: (program) => {
        const text = textOf(program)
        return text !== answer && text.length % 2 === 0 ? refused : undefined
      },
      run({inputs: [x], attributes: {scale, shift}}, _, program) {
        const off = isTwin || textOf(program) === answer ? 0 : 1
        const values = x ? decode(x.data, x.dtype).map((one) => one * Number(scale) + Number(shift) + off) : []
        return [encode(values, x?.dtype ?? 'float32')]
      },
    }),
    identity,
  }
}

describe('what a board refutes', () => {
  test('is green nowhere, chosen by no pair, and told as the board has it', async () => {
    const out = await temporaryFolder()
    const [task] = await loadTasks({root: 'test/fixtures/tasks'}, () => [])
    const answer = task?.answer.find(({path}) => path.startsWith('op_kernel/'))?.text ?? ''
    const config = Config.parse({
      out,
      executor: {confirm: 'cann-board', recheck: 'none'},
      samples: {maxPairsPerChosen: 6},
      sources: {tasks: [{root: 'test/fixtures/tasks', repository: 'r', licence: 'Apache-2.0'}]},
    })
    const world = workspaceWorld(recordedWorld({HF_ENDPOINT: closedHub}))
    const make = (asked: Config) => Promise.resolve(seeingLess(asked, answer))
    const workspace = openWorkspace(config, make, world)
    await runPipeline(requestOf(await candidates(workspace), out))
    const labelled = await all(emittedBy(out, 'candidates', LabelledCandidate))
    const isAnswer = (one: LabelledCandidate) => one.files.some(({text}) => text === answer)
    expect(new Set(labelled.filter((one) => !isAnswer(one)).map(({label}) => label))).toEqual(
      new Set(['orange', 'purple']),
    )
    const asked = labelled.filter(({confirmation}) => confirmation)
    expect(asked.length).toBeGreaterThan(2)
    for (const {confirmation, verdict: last, label} of asked) {
      expect(confirmation?.first).toMatchObject({outcome: 'correct', executor: {name: 'twin'}})
      expect([last, last.executor.name]).toEqual([confirmation?.second, 'cann-board'])
      expect(label === 'green').toBe(last.outcome === 'correct')
    }
    await runPipeline(requestOf(await preference(workspace), out))
    const pairs = await all(emittedBy(out, 'preference', PreferencePair))
    expect(new Set(pairs.map(({rejected}) => rejected.verdict.executor.name))).toEqual(new Set(['twin', 'cann-board']))
    for (const {chosen, rejected} of pairs) {
      expect([chosen.verdict.outcome, chosen.verdict.executor.name]).toEqual(['correct', 'cann-board'])
      expect(chosen.confirmation).toBeDefined()
      expect(rejected.confirmation !== undefined).toBe(rejected.verdict.executor.name === 'cann-board')
    }
    await runPipeline(requestOf(await errors(workspace), out))
    const told = await all(emittedBy(out, 'errors', ErrorEntry))
    const by = (outcome: string) =>
      new Set(told.filter((one) => one.outcome === outcome).map((one) => one.executor.name))
    expect([by('mismatched'), by('compile-failed')]).toEqual([new Set(['cann-board']), new Set(['twin'])])
  })

  test('is asked for wherever a recipe judges', async () => {
    const {workspace} = opened({executor: {confirm: 'cann-board'}})
    for (const recipe of [candidates, optimisation]) {
      const names = (await recipe(workspace)).stages.map(({name}) => name)
      expect(names.slice(names.indexOf('judge')).slice(0, 2)).toEqual(['judge', 'confirm'])
    }
  })
})

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

/** Two folders: in the other, one more executor found the opposite of a candidate, and agreed on the rest. */
async function folders() {
  const [out, other] = [await temporaryFolder(), await temporaryFolder()]
  const pair = (names: string[], executor = verdict('correct').executor) =>
    names.map((name) => candidate(name, verdict('correct', 'first', executor)))
  await judgedRun(out, 'candidates', [...pair(['refuted', 'kept']), candidate('bad', verdict('crashed'))])
  const crash = candidate('refuted', verdict('crashed', 'core exception', bisheng))
  await judgedRun(other, 'candidates', [crash, ...pair(['own'], bisheng)])
  return {out, other}
}

describe('candidates of several folders', () => {
  test('go into one data set, and what one executor refutes is chosen by none', async () => {
    const {out, other} = await folders()
    const {workspace} = opened({out, samples: {candidatesFrom: [other]}})
    await runPipeline(requestOf(await preference(workspace), out))
    const run = await openRun(join(out, 'preference'))
    const pairs = [...(run?.emitted() ?? [])].map(({json}) => PreferencePair.parse(JSON.parse(json)))
    const reasons = run?.record.counts.map(({stage, reasons: why}) => [stage, why])
    run?.close()
    const named = (text = '') => /^\/\/ (.*)/.exec(text)?.[1]
    expect(
      pairs.map(({chosen, rejected}) =>
        [chosen, rejected].map((side) => [named(side.files[0]?.text), side.verdict.executor.name]),
      ),
    ).toEqual([
      [
        ['kept', 'twin'],
        ['bad', 'twin'],
      ],
      [
        ['own', 'cann'],
        ['refuted', 'cann'],
      ],
    ])
    expect(reasons).toContainEqual(['unrefuted', {'refuted-elsewhere': 1}])
    const behind = []
    for await (const one of candidatesBehind(out, await findRuns(out))) behind.push(one.verdict.executor.name)
    expect(behind).toEqual(['twin', 'twin', 'twin', 'cann', 'cann'])
  })

  test('are of one folder without a word, and a folder without a run is named', async () => {
    const {out} = await folders()
    const {workspace} = opened({out})
    expect(await unrefutedIn(await workspace.found(['candidates']))).toEqual([])
    const {workspace: lost} = opened({out, samples: {candidatesFrom: ['/nowhere']}})
    await expect(lost.found(['candidates'])).rejects.toThrow('/nowhere/candidates holds no run.')
    expect(await lost.found(['tasks'])).toEqual([])
  })
})
