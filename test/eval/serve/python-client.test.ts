import {spawn} from 'node:child_process'
import {createServer, type Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import {expect, onTestFinished, test} from 'vitest'
import {judgeServer, reply} from '../../helpers/judge-server.ts'

// The client needs nothing beside Python; libraries of trainers are tried by hand (eval/serve/python/README.md).

/** What a script prints that has the client at hand, as JSON. */
async function python(script: string, env: Record<string, string>): Promise<unknown> {
  const child = spawn('python3', ['-c', script], {
    env: {...process.env, PYTHONPATH: 'eval/serve/python', PYTHONDONTWRITEBYTECODE: '1', ...env},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, error] = ['', '']
  child.stdout.on('data', (chunk) => (out += String(chunk)))
  child.stderr.on('data', (chunk) => (error += String(chunk)))
  const code = await new Promise((done) => child.on('close', done))
  if (code !== 0) throw new Error(error)
  return JSON.parse(out)
}

const rewards = (completions: string[], more = '') => `
import json
from ascend_cot_judge.trl import judge_reward
completions = json.loads(${JSON.stringify(JSON.stringify(completions))})
print(json.dumps(judge_reward(completions, ["ScaleShift"] * len(completions)${more})))`

test('rewards for TRL, texts and conversations alike, None where a tool failed', async () => {
  const server = await judgeServer({token: 'right'})
  const env = {JUDGE_URL: server.url, JUDGE_TOKEN: 'right'}
  const completions = [reply('x'), reply('ORANGE'), reply('PURPLE'), 'no code', reply('TOOL BREAKS')]
  expect(await python(rewards(completions), env)).toEqual([1, 0.3, 0, -0.1, null])
  const turns = completions.map((content) => [{role: 'assistant', content}]) as unknown as string[]
  expect(await python(rewards(turns), env)).toEqual([1, 0.3, 0, -0.1, null])
})

test('prompts of all tasks, as rows of a data set', async () => {
  const server = await judgeServer()
  const script = 'import json\nfrom ascend_cot_judge.trl import prompts\nprint(json.dumps(prompts("kernel-only")))'
  const rows = (await python(script, {JUDGE_URL: server.url})) as {prompt: {content: string}[]; task_id: string}[]
  expect(rows).toMatchObject([{task_id: 'ScaleShift', mode: 'kernel-only', prompt: [{role: 'user'}]}])
  expect(rows[0]?.prompt[0]?.content).toContain('ScaleShift')
})

const caught = `
import json
from ascend_cot_judge import Judge, JudgeError
try:
    print(json.dumps(Judge(patience=3).score([{"id": "1", "task_id": "ScaleShfit", "completion": "x"}])))
except JudgeError as error:
    print(json.dumps([error.code, str(error)]))`

test('what the service refuses is told in its words', async () => {
  const server = await judgeServer()
  expect(await python(caught, {JUDGE_URL: server.url})).toEqual([
    'task-unknown',
    expect.stringContaining('did you mean ScaleShift?'),
  ])
})

test('a full queue and lost connections are waited for, under one name', async () => {
  const keys: (string | undefined)[] = []
  const stand = await listening((number, key, answer) => {
    keys.push(key)
    if (number === 1) return answer(429, {error: {code: 'queue-full', message: 'full', fix: 'wait'}})
    if (number === 2) return answer(undefined, {})
    return answer(200, {items: [{id: '1', reward: 1}]})
  })
  expect(await python(caught, {JUDGE_URL: stand})).toEqual([{id: '1', reward: 1}])
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(1)
})

type Answer = (status: number | undefined, body: unknown) => void

/** A service that answers as it is told; without a status it hangs up. */
async function listening(script: (number: number, key: string | undefined, answer: Answer) => void): Promise<string> {
  let number = 0
  const server: Server = createServer((request, response) => {
    number += 1
    request.resume()
    request.on('end', () =>
      script(number, [request.headers['idempotency-key']].flat()[0], (status, body) => {
        if (status === undefined) return request.socket.destroy()
        return response.writeHead(status, {'retry-after': '0'}).end(JSON.stringify(body))
      }),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
