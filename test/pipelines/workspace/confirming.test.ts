import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Executor} from '../../../datasets/schema/executor.ts'
import {closedHub} from '../../helpers/closed-hub.ts'
import {workspaceWorld} from '../../../pipelines/commands/world.ts'
import {candidatesBehind, unrefutedIn} from '../../../pipelines/workspace/candidate-runs.ts'
import {Config} from '../../../pipelines/workspace/config.ts'
import {findRuns} from '../../../pipelines/workspace/runs.ts'
import {openWorkspace} from '../../../pipelines/workspace/workspace.ts'
import preference from '../../../pipelines/recipes/preference.ts'
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
