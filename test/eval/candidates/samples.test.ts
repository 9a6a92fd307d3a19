import {describe, expect, test} from 'vitest'
import type {ChatReply} from '../../../engine/llm/model.ts'
import {modeOf} from '../../../eval/bench/load-benchmark.ts'
import benchmark from '../../../eval/bench/npukernelbench/benchmark.ts'
import type {Evaluation} from '../../../eval/candidates/attempt.ts'
import samples from '../../../eval/candidates/samples.ts'
import {replayModel} from '../../helpers/replay-llm.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {fixtureTask} from '../../pipelines/preference/records.ts'

const asked = (mode: string, count: number, put: Omit<Evaluation, 'mode'>) =>
  samples({profile: 'candidates', count, evaluation: {mode, ...put}, mode: modeOf(benchmark, mode)})

describe('samples', async () => {
  const task = await fixtureTask()
  const reply = (text: string, reasoning = ''): Partial<ChatReply> => ({text, reasoning, finishReason: 'stop'})
  const good = '<kernel_impl>\nextern "C" void scale_shift(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {}\n</kernel_impl>'

  test('of a static shape are asked for case by case, each a task with one row', async () => {
    const llm = replayModel(Array.from({length: 4}, () => reply(good)))
    const {outputs} = await runStage(asked('kernel-only', 2, {shape: 'static', cases: 2}), [task], {llm})
    expect(outputs.map((one) => one.task.cases.map((row) => row['case_id']))).toEqual([['0'], ['0'], ['1'], ['1']])
    expect(outputs[0]?.prompt).toContain('0;[5];float32')
    expect(outputs[0]?.prompt).not.toContain('1;[3, 700]')
  })
  test('keep the given host file, and show the signature cut after workspace', async () => {
    const {outputs} = await runStage(asked('kernel-only', 1, {shape: 'dynamic'}), [task], {
      llm: replayModel([reply(good)]),
    })
    expect(outputs[0]?.files.map(({path: file}) => file)).toEqual([task.hostTemplate.path, task.kernelTemplate.path])
    expect(outputs[0]?.files[0]).toEqual(task.hostTemplate)
    expect(outputs[0]?.files[1]?.text).toContain('GM_ADDR workspace, GM_ADDR tiling)')
    expect(outputs[0]?.prompt).toContain('GM_ADDR workspace)')
    expect(outputs[0]?.prompt).not.toContain('GM_ADDR tiling')
    expect(outputs[0]?.written).toEqual([task.kernelTemplate.path])
  })
  test('keep a reply without code as a failed attempt', async () => {
    const {outputs, dropped} = await runStage(asked('full', 1, {shape: 'dynamic'}), [task], {
      llm: replayModel([reply('No.')]),
    })
    expect(dropped).toEqual([])
    expect(outputs[0]?.files.at(-1)?.text).toBe(
      '#error "no readable answer: no banner with a cpp block for op_host/scale_shift_tiling.h"\n',
    )
  })
  test('need a model', async () => {
    await expect(runStage(asked('full', 1, {shape: 'dynamic'}), [task])).rejects.toMatchObject({code: 'config-invalid'})
  })
})
