import {describe, expect, test} from 'vitest'
import type {ChatReply} from '../../../engine/llm/model.ts'
import {compileClasses} from '../../../datasets/schema/error-class.ts'
import {mutationsByClass} from '../../../pipelines/preference/mutations.ts'
import candidates from '../../../pipelines/preference/candidates.ts'
import {canonicalJson} from '../../../engine/ids.ts'
import {formatFiles} from '../../../datasets/operator-reply.ts'
import {replayModel} from '../../helpers/replay-llm.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {fixtureTask} from './records.ts'

const task = await fixtureTask()

describe('without a model', () => {
  test('gives the answer first, then a variant and mutants, as many as asked', async () => {
    const {outputs} = await runStage(candidates({count: 6}), [task])
    expect(outputs.map(({sampler}) => sampler.kind)).toEqual([
      'answer',
      'variant',
      'mutation',
      'mutation',
      'mutation',
      'mutation',
    ])
    expect(outputs[0]?.files).toEqual(task.answer)
    expect(new Set(outputs.map(({files}) => JSON.stringify(files))).size).toBe(6)
  })

  test('writes a quarter right, and plants faults in all right texts alike', async () => {
    const {outputs} = await runStage(candidates({count: 16, severalFaults: 0}), [task])
    const variants = outputs.flatMap(({sampler}) => (sampler.kind === 'variant' ? [sampler.rewrites.join()] : []))
    expect(variants).toHaveLength(3)
    const planted = outputs.flatMap(({sampler}) =>
      sampler.kind === 'mutation' ? [(sampler.rewrites ?? []).join()] : [],
    )
    for (const text of [...variants, '']) expect(planted.filter((one) => one === text)).toHaveLength(3)
    const kinds = outputs.map(({sampler}) => sampler.kind)
    expect([kinds[0], new Set(outputs.map(({files}) => JSON.stringify(files))).size]).toEqual(['answer', 16])
  })

  test('asks all candidates of a task the same, and shows no answer', async () => {
    const {outputs} = await runStage(candidates({count: 3}), [task])
    const [prompt = ''] = new Set(outputs.map((candidate) => candidate.prompt))
    expect(new Set(outputs.map((candidate) => candidate.prompt)).size).toBe(1)
    for (const part of [
      '# ScaleShift',
      'op.Init',
      'scale_shift(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)',
      'class ScaleShift : public OpDef',
      'case_id;shape;dtype;scale;shift\n0;[5];float32;2.0;-0.5',
      '================== op_host/scale_shift_tiling.h ==================',
    ]) {
      expect(prompt.includes(part), part).toBe(part !== 'op.Init')
    }
  })

  test('gives no reasoning to either side', async () => {
    const {outputs} = await runStage(candidates({count: 4}), [task])
    expect(outputs.map(({reasoning}) => reasoning)).toEqual(['', '', '', ''])
  })

  test('depends on the seed and on the task', async () => {
    const first = await runStage(candidates({count: 6}), [task])
    expect(await runStage(candidates({count: 6}), [task])).toEqual(first)
    expect(await runStage(candidates({count: 6}), [task], {seed: 'other'})).not.toEqual(first)
  })

  test('mixes faults as it is asked', async () => {
    const faults = async (shares: {faultsThatRun: number; severalFaults: number}) =>
      (await runStage(candidates({count: 40, ...shares}), [task])).outputs.flatMap(({sampler}) =>
        sampler.kind === 'mutation' ? [sampler] : [],
      )
    const still = new Set(compileClasses.flatMap((name) => (name === 'unclassified' ? [] : mutationsByClass[name])))
    const names = new Set([...still].map(({name}) => name))
    const single = await faults({faultsThatRun: 0, severalFaults: 0})
    expect(single.filter(({mutation, more}) => more || !names.has(mutation))).toEqual([])
    const several = await faults({faultsThatRun: 1, severalFaults: 1})
    expect(several.filter(({mutation, more}) => !more || names.has(mutation))).toEqual([])
    expect([single.length, several.length]).toEqual([30, 30])
  })

  test('asks the same of a task that a stopped run has stored', async () => {
    const stored = JSON.parse(canonicalJson(task)) as typeof task
    expect(Object.keys(stored.cases[0]!)).not.toEqual(Object.keys(task.cases[0]!))
    const of = async (one: typeof task) => (await runStage(candidates({count: 4}), [one])).outputs
    expect(canonicalJson(await of(stored))).toBe(canonicalJson(await of(task)))
  })

  test('drops a task that has no answer', async () => {
    expect((await runStage(candidates(), [{...task, answer: []}])).dropped.map(({reason}) => reason)).toEqual([
      'no-answer',
    ])
  })
})

describe('with a model', () => {
  const reply = (text: string): Partial<ChatReply> => ({text, reasoning: 'The tail needs care.', finishReason: 'stop'})
  const good = formatFiles([task.answer[1], task.answer[0], task.answer[2]].flatMap((file) => file ?? []))

  test('asks n times and keeps reasoning apart from files', async () => {
    const llm = replayModel([reply(good), reply(`Sure.\n${good}`)])
    const {outputs, dropped} = await runStage(candidates({count: 2}), [task], {llm})
    expect(dropped).toEqual([])
    expect(outputs.map(({sampler}) => sampler)).toEqual([
      {kind: 'model', model: llm.model, sample: 0},
      {kind: 'model', model: llm.model, sample: 1},
    ])
    expect(outputs[1]).toMatchObject({
      reasoning: 'The tail needs care.',
      written: ['op_host/scale_shift_tiling.h', 'op_host/scale_shift.cpp', 'op_kernel/scale_shift.cpp'],
    })
    expect(llm.requests.map(({sample}) => sample)).toEqual([0, 1])
  })

  test('drops a reply without code and keeps the others', async () => {
    const {outputs, dropped} = await runStage(candidates({count: 2}), [task], {
      llm: replayModel([reply('I would rather not.'), reply(good)]),
    })
    expect(outputs).toHaveLength(1)
    expect(dropped).toEqual([
      {reason: 'reply-without-code', detail: 'ScaleShift, sample 0 (stop): no banner for op_host/scale_shift_tiling.h'},
    ])
  })

  test('never asks for a task with the answer in the prompt', async () => {
    const llm = replayModel([reply(good)])
    await runStage(candidates({count: 1}), [task], {llm})
    expect(llm.requests[0]?.messages.map(({content}) => content).join('')).not.toContain('inQueueX')
  })
})
