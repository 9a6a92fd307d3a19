import {describe, expect, onTestFinished, test} from 'vitest'
import type {EvaluationReply} from '../../../eval/serve/kernelgym-wire.ts'
import {judgeServer, reply} from '../../helpers/judge-server.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const request = (task_id: string, kernel: string, more = {}) => ({
  task_id,
  entry_point: 'ScaleShift',
  kernel_code: reply(kernel),
  reference_code: 'class Model: pass',
  backend: 'triton',
  ...more,
})

describe('the interface of KernelGYM', () => {
  test('a verdict in its words', async () => {
    const server = await judgeServer()
    const asked = async (kernel: string) =>
      (await server.ask('/evaluate', request(kernel, kernel))).json as EvaluationReply
    expect(await asked('right')).toMatchObject({
      status: 'completed',
      compiled: true,
      correctness: true,
      error_code: null,
    })
    expect(await asked('ORANGE')).toMatchObject({compiled: true, correctness: false, error_code: 'CORRECTNESS_ERROR'})
    expect(await asked('PURPLE')).toMatchObject({
      status: 'completed',
      compiled: false,
      correctness: false,
      error_code: 'COMPILATION_ERROR',
      error_message: "k.cpp:3: expected ';'",
    })
    expect(await asked('right\n#include <fstream>')).toMatchObject({
      compiled: true,
      correctness: false,
      decoy_kernel: true,
      error_code: 'CORRECTNESS_ERROR',
    })
    expect(await asked('TOOL BREAKS')).toMatchObject({
      status: 'failed',
      compiled: null,
      correctness: null,
      error_code: 'SYSTEM_ERROR',
    })
  })

  test('status and result can be asked for later, and a name stands for one request', async () => {
    let free = () => {}
    const held = new Promise<void>((done) => (free = done))
    const server = await judgeServer({hold: () => held})
    const waiting = server.ask('/evaluate', request('one', 'x'))
    await expect.poll(async () => (await server.ask('/status/one')).status).toBe(200)
    expect((await server.ask('/status/one')).json).toEqual({task_id: 'one', status: 'processing'})
    expect((await server.ask('/results/one')).status).toBe(202)
    free()
    const {json} = await waiting
    expect(await server.ask('/results/one')).toMatchObject({status: 200, json})
    expect((await server.ask('/status/two')).status).toBe(404)
    expect((await server.ask('/evaluate', request('one', 'y'))).status).toBe(409)
  })

  test('a refresh judges again', async () => {
    const server = await judgeServer()
    await server.ask('/evaluate', request('one', 'x'))
    const builds = server.builds()
    await server.ask('/evaluate', request('one', 'x'))
    expect(server.builds()).toBe(builds)
    await server.ask('/evaluate', request('one', 'x', {force_refresh: true}))
    expect(server.builds()).toBeGreaterThan(builds)
  })

  test('what is judged again has no result until it is done', async () => {
    let held = Promise.resolve()
    let free = () => {}
    const server = await judgeServer({hold: () => held})
    await server.ask('/evaluate', request('one', 'x'))
    held = new Promise<void>((done) => (free = done))
    const again = server.ask('/evaluate', request('one', 'PURPLE', {force_refresh: true}))
    await expect.poll(async () => (await server.ask('/results/one')).status).toBe(202)
    free()
    expect((await again).json).toMatchObject({compiled: false})
    expect((await server.ask('/results/one')).json).toMatchObject({compiled: false})
  })

  test('so many trials as are asked for, each with other inputs', async () => {
    const server = await judgeServer()
    const {json} = await server.ask('/evaluate', request('one', 'x', {num_correct_trials: 3}))
    expect(json).toMatchObject({correctness: true, metadata: {trials: 3}})
    const wrong = await server.ask('/evaluate', request('two', 'ORANGE', {num_correct_trials: 3}))
    expect(wrong.json).toMatchObject({correctness: false, metadata: {trials: 1}})
  })

  test('a batch counts what was found out', async () => {
    const server = await judgeServer()
    const tasks = [request('a', 'x'), request('b', 'PURPLE'), request('c', 'TOOL BREAKS')]
    const {json} = await server.ask('/evaluate/batch', {batch_id: 'step', tasks})
    expect(json).toMatchObject({
      batch_id: 'step',
      total_tasks: 3,
      completed_tasks: 2,
      failed_tasks: 1,
      results: [{task_id: 'a'}, {task_id: 'b'}, {task_id: 'c'}],
    })
  })

  test.each([
    [request('', 'x'), 'body-invalid'],
    [request('a'.repeat(101), 'x'), 'body-invalid'],
    [request('a', 'x', {kernel_code: 'x'.repeat(100_001)}), 'body-invalid'],
    [request('a', 'x', {num_correct_trials: 0}), 'body-invalid'],
    [request('a', 'x', {timeout: 9}), 'body-invalid'],
    [request('a', 'x', {entry_point: 'Model'}), 'task-unknown'],
    [request('a', 'x', {workflow: 'kernel_simple'}), 'mode-unknown'],
  ])('%# is refused', async (body, code) => {
    const server = await judgeServer()
    expect(await server.ask('/evaluate', body)).toMatchObject({status: 422, json: {error: {code}}})
  })

  test('what was taken on outlives the process', async () => {
    const directory = await temporaryFolder()
    let free = () => {}
    const stuck = new Promise<void>((done) => (free = done))
    const held = await judgeServer({directory, hold: () => stuck})
    onTestFinished(free)
    void held.ask('/evaluate', request('one', 'x')).catch(() => {})
    await expect.poll(async () => (await held.ask('/status/one')).status).toBe(200)
    const next = await judgeServer({directory})
    await expect.poll(async () => (await next.ask('/results/one')).status).toBe(200)
    expect((await next.ask('/results/one')).json).toMatchObject({correctness: true})
  })
})
