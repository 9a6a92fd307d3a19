import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {LabelledCandidate} from '../../../datasets/schema/candidate.ts'
import {OperatorTask} from '../../../datasets/schema/task.ts'
import {decode, encode} from '../../../datasets/dtype.ts'
import {silentLog} from '../../../engine/log.ts'
import {Pipeline} from '../../../engine/pipeline.ts'
import {asFinished, openRun, readRunRecord} from '../../../engine/run.ts'
import {runPipeline} from '../../../engine/runner.ts'
import operatorTasks from '../../../eval/tasks/operator-tasks.ts'
import candidates from '../../../pipelines/recipes/candidates.ts'
import {workspaceWorld} from '../../../pipelines/commands/world.ts'
import {Config} from '../../../pipelines/workspace/config.ts'
import {openWorkspace} from '../../../pipelines/workspace/workspace.ts'
import {scriptedExecutor, type Script} from '../../helpers/scripted-executor.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'

const folder = {root: 'test/fixtures/tasks'}

/** What the task of the folder asks for. */
const scaleShift: Script['run'] = ({inputs: [x], attributes: {scale, shift}}) =>
  x
    ? [
        encode(
          decode(x.data, x.dtype).map((value) => value * Number(scale) + Number(shift)),
          x.dtype,
        ),
      ]
    : []

const workspace = (out: string) => {
  const config = Config.parse({out, sources: {tasks: [folder]}, samples: {candidatesPerTask: 1}})
  return openWorkspace(
    config,
    () => Promise.resolve(scriptedExecutor({run: scaleShift})),
    workspaceWorld(recordedWorld()),
  )
}

async function run(out: string, pipeline: Pipeline<unknown>): Promise<void> {
  const signal = new AbortController().signal
  const directory = join(out, pipeline.name)
  await runPipeline({pipeline, directory, model: () => undefined, seed: 's', now: () => 0, signal, log: silentLog})
}

const origins = async (out: string) => {
  const opened = await openRun(join(out, 'candidates'))
  const records = [...(opened?.emitted() ?? [])].map(({json}) => LabelledCandidate.parse(JSON.parse(json)))
  opened?.close()
  return records.map(({task}) => `${task.origin.path} ${task.reference.kind}`)
}

describe('candidates', () => {
  test('are of the tasks of folders where nobody made others', async () => {
    const pipeline = await candidates(workspace(await temporaryFolder()))
    expect(pipeline.origins).toEqual([folder])
    expect(pipeline.stages.map(({name}) => name)).toEqual(['operator-tasks', 'candidates', 'judge', 'label'])
  })

  test('are also of those that a run made, behind them, and know of its stages', async () => {
    const out = await temporaryFolder()
    const made = {
      name: 'made',
      version: 3,
      input: OperatorTask,
      output: OperatorTask,
      async *run(tasks: AsyncIterable<OperatorTask>) {
        for await (const task of tasks) yield {...task, origin: {...task.origin, path: 'made'}}
      },
    }
    await run(out, Pipeline.from('tasks', [folder], operatorTasks()).via(made))
    await run(out, await candidates(workspace(out)))
    const [given] = (await readRunRecord(join(out, 'tasks')))?.counts.map(({written}) => written) ?? []
    const found = await origins(out)
    expect(found.filter((one) => one === 'made typescript')).toHaveLength(given ?? 0)
    expect(found.at(-1)).toBe('made typescript')
    expect(found.slice(0, given)).not.toContain('made typescript')
    expect(found).toHaveLength(2 * (given ?? 0))
    const {stages} = asFinished(out, await readRunRecord(join(out, 'candidates')))
    expect(stages).toMatchObject({made: 3, judge: 7})
  })
})
