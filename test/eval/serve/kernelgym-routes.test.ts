import {describe, expect, test} from 'vitest'
import {BatchRequest, EvaluationRequest} from '../../../eval/serve/kernelgym-wire.ts'
import {evaluation, refusal, world} from './routes-world.ts'

const least = {task_id: 't', kernel_code: 'k'.repeat(10), entry_point: 'e'}
const text = (length: number) => 'x'.repeat(length)
const accepts = (more: object) => EvaluationRequest.safeParse({...least, ...more}).success

describe('a request', () => {
  test('has these defaults', () => {
    expect(EvaluationRequest.parse(least)).toEqual({
      ...least,
      num_correct_trials: 1,
      timeout: 300,
      priority: 'normal',
      force_refresh: false,
    })
  })

  test.each<[string, object[], object[]]>([
    ['a name', [{task_id: 'x'}, {task_id: text(100)}], [{task_id: ''}, {task_id: text(101)}]],
    [
      'code',
      [{kernel_code: text(10)}, {kernel_code: text(100_000)}],
      [{kernel_code: text(9)}, {kernel_code: text(100_001)}],
    ],
    ['a task', [{entry_point: 'x'}, {entry_point: text(200)}], [{entry_point: ''}, {entry_point: text(201)}]],
    [
      'trials',
      [{num_correct_trials: 1}, {num_correct_trials: 20}],
      [{num_correct_trials: 0}, {num_correct_trials: 21}, {num_correct_trials: 1.5}],
    ],
    ['seconds', [{timeout: 10}, {timeout: 3600}], [{timeout: 9}, {timeout: 3601}, {timeout: 10.5}]],
    ['a priority', [{priority: 'low'}, {priority: 'high'}], [{priority: 'urgent'}, {priority: null}]],
    ['what it need not say', [{workflow: null}, {reference_code: null}, {backend: 'cuda'}], [{workflow: 1}]],
  ])('takes %s within its limits', (_, good, bad) => {
    expect([good.map(accepts), bad.map(accepts)]).toEqual([good.map(() => true), bad.map(() => false)])
  })

  test.each([
    [0, false],
    [1, true],
    [100, true],
    [101, false],
  ])('of %d tasks together is taken: %s', (count, taken) => {
    const tasks = Array<object>(count).fill(least)
    expect(BatchRequest.safeParse({batch_id: 'b', tasks}).success).toBe(taken)
  })
})

describe('a verdict that takes longer than the client waits', () => {
  const slow = async () => {
    const service = world()
    let free = () => {}
    const held = new Promise<void>((done) => (free = done))
    const {ask} = service.office.desk
    service.office.desk.ask = async (...asking) => held.then(() => ask(...asking))
    const late = await service.call('/evaluate', {...evaluation(), timeout: 0.001})
    return {...service, late, free}
  }

  test('is told as such, and where it will be found', async () => {
    const {late, call} = await slow()
    expect([late.status, late.content.json]).toEqual([
      200,
      {
        task_id: 't1',
        status: 'timeout',
        compiled: null,
        correctness: null,
        decoy_kernel: null,
        speedup: null,
        error_code: 'SYSTEM_ERROR',
        error_message: 'not judged after 0.001 s; get the verdict later from GET /results/t1',
        metadata: {},
        processing_time: 0.001,
      },
    ])
    expect((await call('/status/{id}', undefined, {id: 't1'})).content.json).toEqual({
      task_id: 't1',
      status: 'processing',
    })
  })

  test('is the same request when it is sent again with more time, and judged once', async () => {
    const {call, free, asked} = await slow()
    const again = call('/evaluate', evaluation({timeout: 600}))
    free()
    expect((await again).content.json).toMatchObject({status: 'completed', correctness: true})
    expect(asked).toHaveLength(1)
    const {content} = await call('/results/{id}', undefined, {id: 't1'})
    expect(content.json).toMatchObject({status: 'completed'})
  })
})

describe('a place in the queue', () => {
  const full = async (task: object) => {
    const load = {waiting: 4, places: 1}
    const {call, office} = world({load})
    await call('/evaluate', evaluation())
    office.desk.load = () => ({waiting: 5, running: 0, places: 0})
    return refusal(() => call('/evaluate', evaluation(task)))
  }

  test('is not needed for what is known', async () => {
    expect(await full({})).toBe(undefined)
    expect(await full({timeout: 20})).toBe(undefined)
  })

  test.each([[{task_id: 't2'}], [{force_refresh: true}]])('is needed for %j', async (task) => {
    expect(await full(task)).toEqual({
      status: 429,
      code: 'queue-full',
      message: 'No room for 1 candidate: 5 waiting, 0 places free.',
      fix: 'Send the request again after 7 s.',
      headers: {'retry-after': '7'},
    })
  })
})
