import {describe, expect, test} from 'vitest'
import {ScoreItem, ScoreRequest} from '../../../eval/serve/score-wire.ts'
import {refusal, world} from './routes-world.ts'

const text = (length: number) => 'x'.repeat(length)
const file = {path: 'a.cpp', text: 'x'}
const least = {id: 'a', task_id: 'add', completion: 'good'}
const withFiles = (count: number) => ({completion: undefined, files: Array<object>(count).fill(file)})

describe('an item', () => {
  test.each<[object, boolean]>([
    [{}, true],
    [{completion: ''}, true],
    [{completion: text(1_000_000)}, true],
    [{completion: text(1_000_001)}, false],
    [{completion: undefined}, false],
    [{files: [file]}, false],
    [withFiles(0), false],
    [withFiles(1), true],
    [withFiles(16), true],
    [withFiles(17), false],
    [{id: ''}, false],
    [{id: text(200)}, true],
    [{id: text(201)}, false],
    [{task_id: ''}, false],
    [{task_id: text(201)}, false],
    [{mode: text(200)}, true],
    [{mode: ''}, false],
    [{seed: 0}, true],
    [{seed: 1_000_000}, true],
    [{seed: 1_000_001}, false],
    [{seed: -1}, false],
    [{seed: 0.5}, false],
    [{target: {}}, true],
    [{target: {soc: 's', cann: 'c'}}, true],
    [{target: {chip: 's'}}, false],
    [{other: 1}, false],
  ])('case %#', (more, taken) => {
    expect(ScoreItem.safeParse({...least, ...more}).success).toBe(taken)
  })
})

describe('a request', () => {
  test.each([
    [0, false],
    [1, true],
    [1024, true],
    [1025, false],
  ])('of %d items is taken: %s', (count, taken) => {
    expect(ScoreRequest.safeParse({items: Array<object>(count).fill(least)}).success).toBe(taken)
  })

  test.each<[object, boolean]>([
    [{deadline_ms: 0}, false],
    [{deadline_ms: 1}, true],
    [{deadline_ms: 3_600_000}, true],
    [{deadline_ms: 3_600_001}, false],
    [{policy_step: 0}, true],
    [{policy_step: -1}, false],
    [{priority: 'low'}, true],
    [{priority: 'urgent'}, false],
    [{run_id: ''}, false],
  ])('with %j is taken: %s', (more, taken) => {
    expect(ScoreRequest.safeParse({items: [least], ...more}).success).toBe(taken)
  })
})

describe('a deadline', () => {
  const slow = () => {
    const service = world()
    let free = () => {}
    const held = new Promise<void>((done) => (free = done))
    const {ask} = service.office.desk
    service.office.desk.ask = async (...asking) => held.then(() => ask(...asking))
    return {...service, free: () => free()}
  }
  const headers = {'idempotency-key': 'k'}

  test('ends the waiting for what has a name; the same name finds it when it is judged', async () => {
    const {call, free, asked} = slow()
    expect(await refusal(() => call('/v1/score', {items: [least], deadline_ms: 1}, {headers}))).toEqual({
      status: 504,
      code: 'deadline',
      message: 'The request was accepted, but is not judged yet.',
      fix: 'Send it again with the same Idempotency-Key; nothing is judged twice.',
      headers: expect.anything(),
    })
    free()
    const {status, content} = await call('/v1/score', {items: [least], deadline_ms: 60_000}, {headers})
    expect([status, content.json]).toMatchObject([200, {items: [{id: 'a', label: 'green'}]}])
    const without = await call('/v1/score', {items: [least]}, {headers})
    expect(without.content.json).toEqual(content.json)
    expect(asked).toHaveLength(1)
  })

  test('far away changes nothing', async () => {
    const {call} = world()
    const {status} = await call('/v1/score', {items: [least], deadline_ms: 60_000}, {headers})
    expect(status).toBe(200)
  })
})

test('lines come as items are done, each once', async () => {
  const {call, office} = world()
  const waiting = new Map<string, () => void>()
  const {ask} = office.desk
  office.desk.ask = async (asking) => {
    await new Promise<void>((done) => waiting.set(asking.seed, done))
    return ask(asking)
  }
  const items = [0, 1, 2].map((seed) => ({...least, id: `item ${seed}`, seed}))
  const {content} = await call('/v1/score', {items}, {headers: {accept: 'text/html, application/x-ndjson'}})
  const lines = content.lines[Symbol.asyncIterator]()
  const order: unknown[] = []
  for (const seed of ['2', '0', '1']) {
    await expect.poll(() => waiting.has(seed)).toBe(true)
    waiting.get(seed)?.()
    order.push(((await lines.next()).value as {id: string}).id)
  }
  expect([order, (await lines.next()).done]).toEqual([['item 2', 'item 0', 'item 1'], true])
})
