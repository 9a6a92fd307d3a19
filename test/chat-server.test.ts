import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {expect, onTestFinished, test} from 'vitest'
import type {ChatServerStats, ServedRequest} from './helpers/chat-server.ts'
import {faultsByShare} from './helpers/misbehaviour.ts'
import {programOf} from './helpers/program.ts'

test('as a process of its own it prints its address, answers the same request alike, and counts', {
  timeout: 60_000,
}, async () => {
  const child = spawn(
    process.execPath,
    [programOf('test/helpers/chat-server.ts'), '--port', '0', '--latency', '1-2', '--faults', '503:0.5'],
    {stdio: ['ignore', 'pipe', 'inherit']},
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const {url, port} = JSON.parse(line.toString()) as {url: string; port: number}
  expect(url).toBe(`http://127.0.0.1:${port}/v1`)
  const body = JSON.stringify({model: 'm', messages: [{role: 'user', content: 'hello'}]})
  const texts: string[] = []
  for (let request = 0; request < 20; request += 1) {
    const response = await fetch(`${url}/chat/completions`, {method: 'POST', body})
    if (response.ok) texts.push(await response.text())
  }
  expect(new Set(texts).size).toBe(1)
  const stats = (await (await fetch(`http://127.0.0.1:${port}/stats`)).json()) as ChatServerStats
  expect(stats).toMatchObject({
    requests: 20,
    distinct: 1,
    replies: texts.length,
    byKind: {reply: texts.length, 503: 20 - texts.length},
  })
})

test('faults by share meet about their share of requests, and the same ones every time', () => {
  const draw = faultsByShare('429:0.05,stall:0.01', 'seed')
  const request = (index: number): ServedRequest => ({
    index,
    repeat: 0,
    headers: {},
    body: {model: 'm', messages: [{role: 'user', content: String(index)}]},
  })
  const kinds = Array.from({length: 4000}, (_, index) => draw(request(index))?.kind ?? 'reply')
  expect(kinds.filter((kind) => kind === 'status').length / 4000).toBeCloseTo(0.05, 1.5)
  expect(kinds.filter((kind) => kind === 'stall').length).toBeGreaterThan(15)
  expect(Array.from({length: 4000}, (_, index) => draw(request(3999 - index))?.kind ?? 'reply').reverse()).toEqual(
    kinds,
  )
})
