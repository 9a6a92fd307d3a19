import {describe, expect, test} from 'vitest'
import {PipelineError} from '../../../engine/errors.ts'
import {resumeEvaluation} from '../../../eval/serve/kernelgym-routes.ts'
import {formOf, makeRoom, taskOf} from '../../../eval/serve/office.ts'
import {resumeScore} from '../../../eval/serve/score-routes.ts'
import {evaluation, executor, refusal, world, type Name} from './routes-world.ts'

describe('KernelGYM’s evaluation', () => {
  const reply = async (answers: readonly (Name | Error)[], more: object = {}) => {
    const {call, asked} = world({answers})
    const {content} = await call('/evaluate', evaluation(more))
    return {...(content.json as Record<string, unknown>), asked: asked.length}
  }

  test('of a right kernel', async () => {
    expect(await reply(['green'])).toEqual({
      task_id: 't1',
      status: 'completed',
      compiled: true,
      correctness: true,
      decoy_kernel: false,
      speedup: null,
      error_code: null,
      error_message: null,
      metadata: {
        label: 'green',
        reward: 1,
        stages: {extract: 'passed', compile: 'passed', run: 'passed', verify: 'passed'},
        evidence: {outcome: 'correct', passed: 1, cases: 1},
        metrics: {max_abs_err: 0, modelled_us: null},
        trials: 1,
        cached: 'no',
        executor: 'twin',
      },
      processing_time: 0.25,
      asked: 1,
    })
  })

  test.each<[Name | Error, string, boolean | null, string, string]>([
    ['wrong', 'completed', true, 'CORRECTNESS_ERROR', 'wrong'],
    ['crash', 'completed', true, 'RUNTIME_ERROR', 'SIGSEGV'],
    ['late', 'completed', true, 'TIMEOUT_ERROR', 'it ran for more than 9 s'],
    ['broken', 'completed', false, 'COMPILATION_ERROR', 'a.cpp:3: no x'],
    ['linked', 'completed', false, 'COMPILATION_ERROR', 'no f'],
    ['cheat', 'completed', true, 'CORRECTNESS_ERROR', 'd'],
    ['lacking', 'failed', null, 'SYSTEM_ERROR', 'twin lacks Foo'],
    [
      new PipelineError('disk-full', 'Full.', {fix: 'Free it.', scope: 'record'}),
      'failed',
      null,
      'SYSTEM_ERROR',
      'Full. Free it.',
    ],
  ])('of %o', async (answer, status, compiled, error_code, error_message) => {
    expect(await reply([answer])).toMatchObject({
      status,
      compiled,
      correctness: compiled === null ? null : false,
      decoy_kernel: compiled === null ? null : answer === 'cheat',
      error_code,
      error_message,
    })
  })

  test('of one that cannot be read', async () => {
    expect(await reply(['green'], {kernel_code: 'a bad kernel'})).toMatchObject({
      status: 'completed',
      compiled: false,
      correctness: false,
      error_code: 'VALIDATION_ERROR',
      error_message: 'no file in operator',
      asked: 0,
    })
  })

  test('draws inputs as often as asked, until one is not right', async () => {
    const trials = async (answers: readonly Name[], count: number) => {
      const {metadata, asked} = (await reply(answers, {num_correct_trials: count})) as never as {
        metadata: {trials: number}
        asked: number
      }
      return [metadata.trials, asked]
    }
    expect(await trials(['green'], 3)).toEqual([3, 3])
    expect(await trials(['green', 'wrong', 'green'], 3)).toEqual([2, 2])
    expect(await trials(['wrong'], 3)).toEqual([1, 1])
  })

  test('asks with the seed, the priority and the will of the request, and is recorded', async () => {
    const {call, asked, recorded} = world()
    await call('/evaluate', evaluation({num_correct_trials: 2, priority: 'high', force_refresh: true}))
    expect(asked).toEqual([
      {seed: '0', anew: true, priority: 'high'},
      {seed: '1', anew: true, priority: 'high'},
    ])
    expect(recorded).toEqual([
      ['add', expect.objectContaining({ok: true}), expect.objectContaining({label: 'green'}), 500],
    ])
  })

  test('takes the mode that the workflow names', async () => {
    for (const [workflow, mode] of [
      [undefined, 'operator'],
      [null, 'operator'],
      ['kernelbench', 'operator'],
      ['kernel-only', 'kernel-only'],
    ])
      expect(await reply(['green'], {workflow, kernel_code: 'a bad kernel'})).toMatchObject({
        error_message: `no file in ${mode}`,
      })
    const {call} = world()
    expect(await refusal(() => call('/evaluate', evaluation({workflow: 'other'})))).toMatchObject({
      status: 422,
      code: 'mode-unknown',
      fix: 'The modes are operator, kernel-only.',
    })
  })

  test('is found again by its name, and judged once', async () => {
    const {call, asked, named} = world()
    expect(await refusal(() => call('/status/{id}', undefined, {id: 't1'}))).toMatchObject({
      status: 404,
      code: 'request-unknown',
      message: 'There is no request "t1" here.',
    })
    await call('/evaluate', evaluation())
    await call('/evaluate', evaluation())
    expect(asked).toHaveLength(1)
    await call('/evaluate', evaluation({force_refresh: true, task_id: 't2'}))
    await call('/evaluate', evaluation({force_refresh: true, task_id: 't2'}))
    expect(asked).toHaveLength(3)
    expect(await refusal(() => call('/evaluate', evaluation({kernel_code: 'another kernel'})))).toMatchObject({
      status: 409,
      code: 'name-taken',
    })
    expect((await call('/status/{id}', undefined, {id: 't1'})).content.json).toEqual({
      task_id: 't1',
      status: 'completed',
    })
    const results = await call('/results/{id}', undefined, {id: 't1'})
    expect([results.status, results.content.json]).toMatchObject([200, {task_id: 't1', correctness: true}])
    void named.take('kernelgym:t9', {}, () => new Promise(() => {}))
    expect((await call('/status/{id}', undefined, {id: 't9'})).content.json).toEqual({
      task_id: 't9',
      status: 'processing',
    })
    const open = await call('/results/{id}', undefined, {id: 't9'})
    expect([open.status, open.content.json]).toEqual([202, {task_id: 't9', status: 'processing'}])
  })

  test('of many counts those that nothing was found out about', async () => {
    const {call} = world({answers: ['green', 'lacking']})
    const tasks = [evaluation(), evaluation({task_id: 't2', num_correct_trials: 2})]
    const {content} = await call('/evaluate/batch', {batch_id: 'b', tasks})
    expect(content.json).toMatchObject({
      ...{batch_id: 'b', total_tasks: 2, completed_tasks: 1, failed_tasks: 1, batch_status: 'failed'},
      results: [{task_id: 't1'}, {task_id: 't2'}],
    })
    const all = await call('/evaluate/batch', {batch_id: 'c', tasks: tasks.slice(0, 1)})
    expect(all.content.json).toMatchObject({completed_tasks: 1, failed_tasks: 0, batch_status: 'completed'})
  })

  test('finds no place where as many are new as there is none for', async () => {
    const {call} = world({load: {waiting: 5, places: 1}})
    await call('/evaluate', evaluation())
    const tasks = [evaluation(), evaluation({task_id: 't2'})]
    await call('/evaluate/batch', {batch_id: 'b', tasks})
    const more = ['t3', 't4'].map((task_id) => evaluation({task_id}))
    expect(await refusal(() => call('/evaluate/batch', {batch_id: 'b', tasks: more}))).toMatchObject({status: 429})
  })

  test('goes on after a stop', async () => {
    const {office} = world()
    expect(await resumeEvaluation(office, evaluation())).toMatchObject({task_id: 't1', correctness: true})
  })
})

const item = (id: string, more: object = {}) => ({id, task_id: 'add', completion: 'good', ...more})

describe('scores', () => {
  test('come in the order of the request, with who gave them', async () => {
    const {call, asked} = world({answers: ['green', 'wrong']})
    const items = [item('a', {seed: 1}), item('b', {completion: 'bad'}), item('c')]
    const {status, content} = await call('/v1/score', {items, priority: 'low'})
    expect(status).toBe(200)
    expect(content.json).toMatchObject({
      validator: executor,
      items: [
        {id: 'a', label: 'orange', wall_ms: expect.any(Number) as number},
        {id: 'b', label: 'invalid'},
        {id: 'c', label: 'green'},
      ],
    })
    expect(asked).toEqual([
      {seed: '1', anew: false, priority: 'low'},
      {seed: '0', anew: false, priority: 'low'},
    ])
  })

  test('are asked for in the ordinary mode and priority, unless another is said', async () => {
    const {call, asked} = world()
    const {content} = await call('/v1/score', {
      items: [item('a', {completion: 'bad'}), item('b', {completion: 'bad', mode: 'kernel-only'})],
    })
    expect(content.json).toMatchObject({
      items: [{evidence: {message: 'no file in operator'}}, {evidence: {message: 'no file in kernel-only'}}],
    })
    await call('/v1/score', {items: [item('a')]})
    expect(asked).toEqual([{seed: '0', anew: false, priority: 'normal'}])
  })

  test('come as lines where lines are wanted', async () => {
    const {call} = world()
    const {content} = await call(
      '/v1/score',
      {items: [item('a'), item('b')]},
      {headers: {accept: 'application/x-ndjson'}},
    )
    const ids: unknown[] = []
    for await (const line of content.lines) ids.push((line as {id: string}).id)
    expect(ids.sort()).toEqual(['a', 'b'])
  })

  test.each<[string, object, object]>([
    [
      'an id twice',
      {items: [item('a'), item('b'), item('a')]},
      {status: 422, code: 'item-twice', message: 'Two items have the id "a".'},
    ],
    [
      'another chip',
      {items: [item('a', {target: {soc: 'Ascend950'}})]},
      {status: 422, code: 'soc-unknown', message: 'This service judges for Ascend910B1, not for Ascend950.'},
    ],
    ['an unknown task', {items: [item('a', {task_id: 'ad'})]}, {status: 422, code: 'task-unknown'}],
    ['an unknown mode', {items: [item('a', {mode: 'x'})]}, {status: 422, code: 'mode-unknown'}],
  ])('are refused for %s', async (_, request, refused) => {
    const {call, asked} = world()
    expect(await refusal(() => call('/v1/score', request))).toMatchObject(refused)
    expect(asked).toEqual([])
  })

  test('are taken for the chip that it is, or for any', async () => {
    const {call} = world()
    for (const target of [{soc: 'Ascend910B1'}, {}, {cann: '8'}])
      expect((await call('/v1/score', {items: [item('a', {target})]})).status).toBe(200)
  })

  test('with a name are judged once, and need no place again', async () => {
    const {call, asked} = world({load: {waiting: 3, places: 1}})
    const headers = {'idempotency-key': 'k1'}
    const first = await call('/v1/score', {items: [item('a')]}, {headers})
    const again = await call('/v1/score', {items: [item('a')]}, {headers})
    expect(again.content.json).toEqual(first.content.json)
    expect(asked).toHaveLength(1)
    expect(await refusal(() => call('/v1/score', {items: [item('b')]}, {headers}))).toMatchObject({code: 'name-taken'})
    const two = {items: [item('a'), item('b')]}
    expect(await refusal(() => call('/v1/score', two))).toMatchObject({status: 429})
    expect(await refusal(() => call('/v1/score', two, {headers: {'idempotency-key': 'k2'}}))).toMatchObject({
      status: 429,
    })
  })

  test('a name has two hundred characters at most', async () => {
    const {call} = world()
    const named = (length: number) => ({headers: {'idempotency-key': 'k'.repeat(length)}})
    expect((await call('/v1/score', {items: [item('a')]}, named(200))).status).toBe(200)
    expect(await refusal(() => call('/v1/score', {items: [item('a')]}, named(201)))).toMatchObject({
      status: 422,
      code: 'key-too-long',
      message: 'The Idempotency-Key has more than 200 characters.',
    })
  })

  test('go on after a stop', async () => {
    const {office} = world()
    expect(await resumeScore(office, {items: [item('a')]})).toMatchObject([{id: 'a', label: 'green'}])
  })

  test('are of the tasks that are listed', async () => {
    const {call} = world()
    expect((await call('/v1/tasks', undefined)).content.json).toEqual({
      tasks: [
        {
          ...{task_id: 'add', operator: 'AddCustom', level: 1, category: 'math'},
          prompts: {operator: 'operator of it', 'kernel-only': 'kernel-only of it'},
        },
      ],
    })
  })
})

describe('what a request names has to be there', () => {
  test('a task, with the nearest one', async () => {
    const {office} = world()
    expect(taskOf(office, 'add').name).toBe('AddCustom')
    expect(await refusal(() => taskOf(office, 'adds'))).toMatchObject({
      status: 422,
      message: 'There is no task "adds" here; did you mean add?',
    })
    expect(await refusal(() => taskOf(office, 'x'.repeat(200)))).toMatchObject({
      message: `There is no task "${'x'.repeat(100)}" here.`,
    })
    expect(formOf(office, 'operator')).toBeDefined()
  })

  test('a place in the queue', async () => {
    const room = (candidates: number, load: {waiting: number; places: number}) =>
      refusal(() => makeRoom(world({load}).office, candidates))
    expect(await room(4, {waiting: 6, places: 4})).toBeUndefined()
    expect(await room(5, {waiting: 6, places: 4})).toEqual({
      status: 429,
      code: 'queue-full',
      message: 'No room for 5 candidates: 6 waiting, 4 places free.',
      fix: 'Send the request again after 7 s.',
      headers: {'retry-after': '7'},
    })
    expect(await room(10, {waiting: 6, places: 4})).toMatchObject({status: 429})
    expect(await room(11, {waiting: 6, places: 4})).toMatchObject({
      status: 422,
      code: 'request-too-large',
      message: 'The request has 11 items; the queue holds 10.',
    })
  })
})
