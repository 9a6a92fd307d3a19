import {cpSync, mkdirSync, symlinkSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {describe, expect, it, onTestFinished} from 'vitest'
import {main} from '../../../pipelines/cli.ts'
import {startChatServer, type ChatBody, type ChatServerOptions} from '../../helpers/chat-server.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'

const executorCache = join(tmpdir(), 'ascend-cot-test-cache')

/** A teacher that answers in the form that the prompts of the documentation stage ask for. */
function answer({messages}: ChatBody): {content: string; reasoning: string} {
  const prompt = messages.at(-1)?.content ?? ''
  const asked = /^Question: (.*)$/m.exec(prompt)?.[1]
  if (asked === undefined) return {content: `<question>How is ${/^Page: (.*)$/m.exec(prompt)?.[1] ?? 'it'} used, and what must hold when it is?</question>`, reasoning: ''}
  return {content: '<answer>It works on tensors in the unified buffer, and its operands must be ready before it is called.</answer>', reasoning: 'First comes the question of where the operands live, then that of when they are ready.'}
}

async function setUp(options: ChatServerOptions = {}) {
  const server = await startChatServer({reply: answer, ...options})
  onTestFinished(() => server.close())
  const [pages, out] = [await temporaryFolder(), await temporaryFolder()]
  cpSync('sources/starter/docs/duplicate.html', join(pages, 'duplicate.html'))
  // Replies are this test's own; the precompiled twin is everybody's.
  mkdirSync(join(out, 'cache'))
  mkdirSync(executorCache, {recursive: true})
  symlinkSync(executorCache, join(out, 'cache/twin'))
  const teacher = {model: 'mock', baseUrl: server.url, concurrency: 4, maxTokens: 300, expectedCompletionTokens: 50, outageSeconds: 1, maxAttempts: 3}
  async function run(more: readonly string[] = [], profile: object = {}) {
    const world = recordedWorld()
    const realNow = {...world, now: () => performance.now()}
    const code = await main(['run', 'documentation', '--docs', pages, '--out', out, '--json', '--set', `cache=${join(out, 'cache')}`,
      '--set', `teachers.documentation=${JSON.stringify({...teacher, ...profile})}`, ...more], realNow)
    const summary = world.printed.at(-1)
    return {code, said: world.said.join('\n'), summary: summary === undefined ? undefined : (JSON.parse(summary) as Summary)}
  }
  return {server, run, out}
}

interface Summary {
  error?: {code: string; message: string; fix: string}
  spending?: {requests: number; cachedReplies: number; tokens: number}
  runs?: {counts: {stage: string; read: number; written: number; accepted: number; dropped: number; failed: number; reasons: Record<string, number>}[]}[]
}

const teaching = (summary: Summary | undefined) => summary?.runs?.[0]?.counts.find(({stage}) => stage === 'documentation-cot')

describe('a run with a teacher', () => {
  it('asks twice per section, says what it will cost first, and pays nothing when run again', async () => {
    const {server, run} = await setUp()
    const first = await run()
    const count = teaching(first.summary)
    expect(first.code).toBe(0)
    expect(count?.written).toBeGreaterThan(0)
    expect(server.stats.requests).toBe(2 * (count?.read ?? 0))
    expect(first.said).toMatch(new RegExp(`forecast ${server.stats.requests} requests to mock, about \\d+ tokens`))
    const before = server.stats.requests
    const second = await run()
    expect(second.code).toBe(0)
    expect(server.stats.requests).toBe(before)
  })

  it('survives an endpoint that misbehaves in every way it knows, and loses no record', async () => {
    const faults = [
      {kind: 'status', status: 429, headers: {'retry-after-ms': '20'}}, {kind: 'status', status: 500}, {kind: 'cut'}, {kind: 'invalid-json'}, {kind: 'early-end'},
    ] as const
    // Every fifth request goes wrong, each time in another way; a repeat of the same request is answered well.
    const {run} = await setUp({script: ({index, repeat}) => (repeat === 0 && index % 5 === 0 ? faults[(index / 5) % faults.length] : undefined)})
    const {code, summary} = await run()
    const count = teaching(summary)
    expect(count?.read).toBe((count?.accepted ?? 0) + (count?.dropped ?? 0) + (count?.failed ?? 0))
    expect(count?.failed).toBe(0)
    expect(code).toBe(0)
  }, 60_000)

  it('drops replies without reasoning, with a reason', async () => {
    const {run} = await setUp({reply: (body) => ({...answer(body), reasoning: ''})})
    const count = teaching((await run()).summary)
    expect(count?.written).toBe(0)
    expect(count?.reasons['reply-without-reasoning']).toBe(count?.read)
  })

  it('does not start past the budget, and stops inside it when told to start anyway', async () => {
    const {server, run} = await setUp()
    const refused = await run(['--set', 'budget.tokens=3000'])
    expect(refused.summary?.error).toMatchObject({code: 'budget-exceeded'})
    expect(server.stats.requests).toBe(0)
    const stopped = await run(['--set', 'budget.tokens=3000', '--start-anyway'])
    expect(stopped.code).toBe(1)
    expect(stopped.summary?.error).toMatchObject({code: 'budget-exceeded'})
    expect(server.stats.requests).toBeGreaterThan(0)
    const paid = server.stats.requests
    const rest = await run()
    expect(rest.code).toBe(0)
    // What was paid before the stop is not asked again.
    expect(server.stats.requests).toBe(2 * (teaching(rest.summary)?.read ?? 0))
    expect(server.stats.requests).toBeGreaterThan(paid)
  })

  it('stops with a clear error when the model does not exist', async () => {
    const {run} = await setUp({script: () => ({kind: 'status', status: 404, body: {error: {code: 'model_not_found', message: 'no such model'}}})})
    const {code, summary} = await run()
    expect(code).toBe(1)
    expect(summary?.error?.message).toContain('mock')
  })

  it('stops with a clear error when nobody listens', async () => {
    const {server, run} = await setUp()
    await server.close()
    const {code, summary} = await run()
    expect(code).toBe(1)
    expect(summary?.error?.code).toBe('endpoint-unreachable')
    expect(summary?.error?.message).toContain(server.url)
  }, 60_000)
})
