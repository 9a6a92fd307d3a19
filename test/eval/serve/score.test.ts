import {describe, expect, onTestFinished, test} from 'vitest'
import {RewardRule} from '../../../eval/serve/reward.ts'
import type {ScoredItem, ScoreReply} from '../../../eval/serve/score-wire.ts'
import {judgeServer, reply, scaleShift, type JudgeServer} from '../../helpers/judge-server.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const item = (id: string, kernel: string, more = {}) => ({
  id,
  task_id: 'ScaleShift',
  completion: reply(kernel),
  ...more,
})

async function scored(server: JudgeServer, items: unknown[], headers = {}): Promise<ScoredItem[]> {
  const {status, json} = await server.ask('/v1/score', {items}, {headers})
  expect(status, JSON.stringify(json)).toBe(200)
  return (json as ScoreReply).items
}

describe('POST /v1/score', () => {
  test('a label, a reward and what can be learnt from it, for each kind of completion', async () => {
    const server = await judgeServer()
    const [green, orange, purple, invalid, broken] = await scored(server, [
      item('right', 'right'),
      item('wrong', 'ORANGE'),
      item('no compile', 'PURPLE'),
      item('no code', 'x', {completion: 'I do not know.'}),
      item('tool', 'TOOL BREAKS'),
    ])
    expect(green).toMatchObject({id: 'right', label: 'green', reward: 1, evidence: {passed: 3, cases: 3}})
    expect(green?.stages).toEqual({extract: 'passed', compile: 'passed', run: 'passed', verify: 'passed'})
    expect(orange).toMatchObject({id: 'wrong', label: 'orange', reward: 0.3, error_class: 'accuracy'})
    expect(orange?.evidence.wrong).toMatch(/expected/)
    expect(orange?.stages).toMatchObject({run: 'passed', verify: 'failed'})
    expect(purple).toMatchObject({label: 'purple', reward: 0, stages: {compile: 'failed', run: 'skipped'}})
    expect(purple?.evidence.errors).toEqual([{file: 'k.cpp', line: 3, message: "expected ';'"}])
    expect(invalid).toMatchObject({label: 'invalid', reward: -0.1, stages: {extract: 'failed'}})
    expect(broken).toMatchObject({label: 'infra_error', reward: null, evidence: {outcome: 'executor-failed'}})
  })

  test('a candidate that goes round the task is a decoy, with its rule, for less than one that does not compile', async () => {
    const server = await judgeServer()
    const [decoy, right] = await scored(server, [item('decoy', 'right\n#include <fstream>'), item('right', 'right')])
    expect(decoy).toMatchObject({label: 'orange', decoy: true, reward: -0.1, stages: {verify: 'failed'}})
    expect(decoy?.evidence).toMatchObject({outcome: 'cheated', rule: 'forbidden-include'})
    expect(right).toMatchObject({label: 'green', decoy: false})
  })

  test('the same files for two tasks are judged for each', async () => {
    const other = {...scaleShift, description: 'Another task.', cases: scaleShift.cases.slice(0, 1)}
    const server = await judgeServer({
      tasks: new Map([
        ['ScaleShift', scaleShift],
        ['Other', other],
      ]),
    })
    const items = [item('a', 'same'), item('b', 'same', {task_id: 'Other'})]
    expect((await scored(server, items)).map(({evidence}) => evidence.cases)).toEqual([3, 1])
  })

  test('code that is only thought of does not count', async () => {
    const server = await judgeServer()
    const completion = reply('right').replace('\n</think>\n', '')
    const [read] = await scored(server, [item('cut', '', {completion})])
    expect(read?.label).toBe('invalid')
  })

  test('files may come as such, and no others than are asked for', async () => {
    const server = await judgeServer()
    const text = '// right\n'
    const climbing = {id: 'b', task_id: 'ScaleShift', files: [{path: '../../etc/passwd', text}]}
    const own = {id: 'a', task_id: 'ScaleShift', files: [{path: 'op_kernel/scale_shift.cpp', text}]}
    const [good, bad] = await scored(server, [own, climbing])
    expect(good?.label).toBe('green')
    expect(bad).toMatchObject({label: 'invalid', evidence: {message: expect.stringContaining('../../etc/passwd')}})
  })

  test('identical sources are judged once, whoever asks and whenever', async () => {
    const server = await judgeServer()
    const [a, b] = await scored(server, [item('a', 'same'), item('b', 'same')])
    const [c] = await scored(server, [item('c', 'same')])
    expect([a?.cached, b?.cached, c?.cached]).toEqual(['no', 'shared', 'stored'])
    const buildsOfOne = server.builds()
    await scored(server, [item('d', 'another')])
    expect(server.builds()).toBe(2 * buildsOfOne)
  })

  test('another seed draws other inputs, so it is judged anew', async () => {
    const server = await judgeServer()
    await scored(server, [item('a', 'same')])
    const first = server.inputs()
    const [other] = await scored(server, [item('b', 'same', {seed: 7})])
    expect(other?.cached).toBe('no')
    expect(
      server
        .inputs()
        .slice(first.length)
        .filter((input) => first.includes(input)),
    ).toEqual([])
  })

  test('the failure of a tool is forgotten', async () => {
    const server = await judgeServer()
    await scored(server, [item('a', 'TOOL BREAKS')])
    const before = server.builds()
    const [again] = await scored(server, [item('a', 'TOOL BREAKS')])
    expect(again).toMatchObject({label: 'infra_error', cached: 'no'})
    expect(server.builds()).toBeGreaterThan(before)
  })

  test('lines come in the order in which they are done', async () => {
    let free = () => {}
    const held = new Promise<void>((done) => (free = done))
    let first = true
    const server = await judgeServer({
      hold: async () => {
        const wait = first
        first = false
        if (wait) await held
      },
    })
    const response = await fetch(`${server.url}/v1/score`, {
      method: 'POST',
      headers: {'content-type': 'application/json', accept: 'application/x-ndjson'},
      body: JSON.stringify({items: [item('slow', 'slow'), item('fast', 'fast')]}),
    })
    const reader = response.body!.getReader()
    const one = new TextDecoder().decode((await reader.read()).value)
    expect(JSON.parse(one.trim())).toMatchObject({id: 'fast', label: 'green'})
    free()
    const two = new TextDecoder().decode((await reader.read()).value)
    expect(JSON.parse(two.trim())).toMatchObject({id: 'slow', label: 'green'})
  })

  test('a deadline ends the waiting, not the service', async () => {
    let free = () => {}
    const stuck = new Promise<void>((done) => (free = done))
    const server = await judgeServer({hold: () => stuck})
    onTestFinished(free)
    const {json} = await server.ask('/v1/score', {items: [item('a', 'slow')], deadline_ms: 50})
    expect((json as ScoreReply).items[0]).toMatchObject({
      label: 'infra_error',
      reward: null,
      evidence: {outcome: 'deadline'},
    })
    expect((await server.ask('/health')).status).toBe(200)
  })

  test('rewards are as configured', async () => {
    const server = await judgeServer({rule: RewardRule.parse({green: 2, orange: -1, unreadable: -5})})
    const items = await scored(server, [item('a', 'x'), item('b', 'ORANGE'), item('c', '', {completion: 'no'})])
    expect(items.map(({reward}) => reward)).toEqual([2, -1, -5])
  })
})

describe('a full queue', () => {
  test('is said before anything of a request is begun, with the time to wait', async () => {
    let free = () => {}
    const held = new Promise<void>((done) => (free = done))
    const server = await judgeServer({hold: () => held, workers: 1, queue: 2})
    const first = scored(server, [item('a', '1')])
    await expect.poll(async () => ((await server.ask('/v1/capacity')).json as {running: number}).running).toBe(1)
    const second = scored(server, [item('b', '2'), item('c', '3')])
    await expect.poll(async () => ((await server.ask('/v1/capacity')).json as {waiting: number}).waiting).toBe(2)
    const refused = await server.ask('/v1/score', {items: [item('d', '4')]})
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    free()
    expect((await first)[0]?.label).toBe('green')
    expect((await second).map(({label}) => label)).toEqual(['green', 'green'])
    expect((await scored(server, [item('d', '4')]))[0]?.label).toBe('green')
  })

  test('a request that can never find room is told so', async () => {
    const server = await judgeServer({queue: 2})
    const items = ['1', '2', '3'].map((text) => item(text, text))
    expect(await server.ask('/v1/score', {items})).toMatchObject({
      status: 422,
      json: {error: {code: 'request-too-large'}},
    })
  })

  test('who vanishes makes room', async () => {
    let free = () => {}
    const held = new Promise<void>((done) => (free = done))
    const server = await judgeServer({hold: () => held, workers: 1, queue: 4})
    const running = scored(server, [item('a', '1')])
    const leaving = new AbortController()
    const gone = fetch(`${server.url}/v1/score`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({items: [item('b', '2'), item('c', '3')]}),
      signal: leaving.signal,
    }).catch(() => 'gone')
    const waiting = async () => ((await server.ask('/v1/capacity')).json as {waiting: number}).waiting
    await expect.poll(waiting).toBe(2)
    leaving.abort()
    expect(await gone).toBe('gone')
    await expect.poll(waiting).toBe(0)
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toContain('judge_verdicts_total{label="infra_error",outcome="client-left",cached="no"} 2')
    free()
    expect((await running)[0]?.label).toBe('green')
  })
})

describe('a request with a key', () => {
  test('gives the same reply again, and is not judged twice', async () => {
    const server = await judgeServer()
    const headers = {'idempotency-key': 'step-1'}
    const once = await scored(server, [item('a', 'x')], headers)
    const builds = server.builds()
    expect(await scored(server, [item('a', 'x')], headers)).toEqual(once)
    expect(server.builds()).toBe(builds)
  })

  test('stands for one request only', async () => {
    const server = await judgeServer()
    const headers = {'idempotency-key': 'step-1'}
    await scored(server, [item('a', 'x')], headers)
    const other = await server.ask('/v1/score', {items: [item('a', 'y')]}, {headers})
    expect(other).toMatchObject({status: 409, json: {error: {code: 'name-taken'}}})
  })

  test('is judged although the client and the process are gone', async () => {
    const directory = await temporaryFolder()
    const headers = {'idempotency-key': 'step-1'}
    let free = () => {}
    const stuck = new Promise<void>((done) => (free = done))
    const held = await judgeServer({directory, hold: () => stuck})
    onTestFinished(free)
    const late = await held.ask('/v1/score', {items: [item('a', 'x')], deadline_ms: 50}, {headers})
    expect(late).toMatchObject({status: 504, json: {error: {code: 'deadline'}}})
    // No close: a killed process says nothing to anybody. A second one opens the same store.
    const next = await judgeServer({directory})
    expect(next.resumed).toBe(1)
    const [judged] = await scored(next, [item('a', 'x')], headers)
    expect(judged).toMatchObject({id: 'a', label: 'green'})
  })
})

describe('what is refused as a whole, with words that help', () => {
  test.each([
    [{items: []}, 422, 'body-invalid', 'items'],
    [{items: [{id: 'a', task_id: 'ScaleShift'}]}, 422, 'body-invalid', 'either completion or files'],
    [{items: [item('a', 'x', {task_id: 'ScaleShfit'})]}, 422, 'task-unknown', 'did you mean ScaleShift?'],
    [{items: [item('a', 'x', {mode: 'kernel'})]}, 422, 'mode-unknown', 'no mode "kernel"'],
    [{items: [item('a', 'x'), item('a', 'y')]}, 422, 'item-twice', 'the id "a"'],
    [{items: [item('a', 'x', {target: {soc: 'Ascend310'}})]}, 422, 'soc-unknown', 'not for Ascend310'],
    [{items: [item('a', 'x', {seed: 1.5})]}, 422, 'body-invalid', 'seed'],
    [{items: [item('a', 'x')], more: 1}, 422, 'body-invalid', 'more'],
    ['text', 422, 'body-invalid', 'the body'],
  ])('%j', async (body, status, code, words) => {
    const server = await judgeServer()
    const refused = await server.ask('/v1/score', body)
    expect(refused).toMatchObject({status, json: {error: {code, message: expect.stringContaining(words)}}})
    expect(server.builds()).toBe(0)
  })
})
