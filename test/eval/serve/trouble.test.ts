import {expect, test, vi} from 'vitest'
import {judgeServer, reply} from '../../helpers/judge-server.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const item = (id: string, kernel: string) => ({id, task_id: 'ScaleShift', completion: reply(kernel)})
const evaluation = (task_id: string, kernel: string) => ({
  ...{task_id, entry_point: 'ScaleShift', kernel_code: reply(kernel)},
})

test('what fails in the judge fails one completion, and the health tells of it', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  const service = await judgeServer()
  const items = [item('a', 'GREEN'), item('b', 'DISK BREAKS'), item('c', 'JUDGE BREAKS'), item('d', 'PURPLE')]
  const {status, json} = await service.ask('/v1/score', {items})
  expect(status).toBe(200)
  expect((json as {items: {label: string}[]}).items.map(({label}) => label)).toEqual([
    ...['green', 'infra_error', 'infra_error', 'purple'],
  ])
  expect(warned).toHaveBeenCalledOnce()
  const lines = await fetch(`${service.url}/v1/score`, {
    method: 'POST',
    headers: {'content-type': 'application/json', accept: 'application/x-ndjson'},
    body: JSON.stringify({items}),
  })
  expect((await lines.text()).trim().split('\n')).toHaveLength(items.length)
  const bad = Array.from({length: 10}, (_, at) => item(String(at), `DISK BREAKS ${at}`))
  await service.ask('/v1/score', {items: bad})
  expect(await service.ask('/health')).toMatchObject({status: 503, json: {status: 'degraded'}})
  warned.mockRestore()
})

test('of a batch with a name that is taken, nothing is begun', async () => {
  const service = await judgeServer()
  await service.ask('/evaluate', evaluation('taken', 'GREEN'))
  const [first, second] = [evaluation('new', 'GREEN 2'), evaluation('taken', 'GREEN 3')]
  const tasks = {batch_id: 'b', tasks: [first, second]}
  expect(await service.ask('/evaluate/batch', tasks)).toMatchObject({status: 409, json: {error: {code: 'name-taken'}}})
  expect((await service.ask('/status/new')).status).toBe(404)
  const twice = {batch_id: 'b', tasks: [first, evaluation('new', 'GREEN 4')]}
  expect((await service.ask('/evaluate/batch', twice)).status).toBe(409)
  expect((await service.ask('/status/new')).status).toBe(404)
  // The task's answer and the first candidate.
  expect(service.builds()).toBeLessThanOrEqual(2)
})

test('a name that is too long is refused in the form of the service, behind the token', async () => {
  const service = await judgeServer({token: 'secret'})
  const path = `/status/${'x'.repeat(300)}`
  expect(await service.ask(path)).toMatchObject({status: 401, json: {error: {code: 'token-missing'}}})
  const known = {headers: {authorization: 'Bearer secret'}}
  expect(await service.ask(path, undefined, known)).toMatchObject({
    ...{status: 404, json: {error: {code: 'request-unknown'}}},
  })
})

test('a service that goes says so, takes on nothing more, and answers what it cannot end', async () => {
  const directory = await temporaryFolder()
  const service = await judgeServer({directory, drainSeconds: 1, hold: () => new Promise(() => {})})
  const asked = service.ask('/evaluate', evaluation('endless', 'GREEN'))
  await vi.waitFor(async () => expect(await service.ask('/v1/capacity')).toMatchObject({json: {running: 1}}))
  const closed = service.close()
  expect(await service.ask('/health')).toMatchObject({status: 503, json: {status: 'draining'}})
  expect(await service.ask('/v1/score', {items: [item('a', 'GREEN')]})).toMatchObject({
    ...{status: 503, json: {error: {code: 'draining'}}},
  })
  expect(await asked).toMatchObject({status: 200, json: {status: 'failed'}})
  await closed
  // It is judged after the next start.
  expect((await judgeServer({directory})).resumed).toBe(1)
})
