import {readdirSync, readFileSync} from 'node:fs'
import {join, relative} from 'node:path'
import {describe, expect, onTestFinished, test} from 'vitest'
import {main} from '../../../pipelines/cli.ts'
import {startChatServer, type ChatBody} from '../../helpers/chat-server.ts'
import {answer, setUp, type Summary} from '../../helpers/documentation-teacher.ts'
import type {Misbehaviour} from '../../helpers/misbehaviour.ts'
import {recordedWorld} from '../../helpers/world.ts'

/** Whatever a command has left in its output folder, the twin's parts apart. */
function filesIn(out: string): Map<string, string> {
  const files = new Map<string, string>()
  for (const entry of readdirSync(out, {recursive: true, withFileTypes: true})) {
    const file = join(entry.parentPath, entry.name)
    if (entry.isFile()) files.set(relative(out, file), readFileSync(file, 'latin1'))
  }
  return files
}

const teaching = (summary: Summary | undefined) =>
  summary?.runs?.[0]?.counts.find(({stage}) => stage === 'documentation-cot')

describe('a run with a teacher', () => {
  test('asks and answers each section, says first what it will cost at most, and pays nothing when run again', async () => {
    const {server, run} = await setUp()
    const first = await run()
    const count = teaching(first.summary)
    expect(first.code).toBe(0)
    expect(count?.written).toBeGreaterThan(0)
    expect(server.stats.requests).toBe(2 * (count?.read ?? 0))
    const most = (1 + 4) * (count?.read ?? 0)
    expect(first.said).toMatch(
      new RegExp(`forecast ${most} requests to mock for documentation-cot, about [\\d,]+ tokens`),
    )
    expect(first.summary?.seconds).toBeLessThan(600)
    const before = server.stats.requests
    const second = await run()
    expect(second.code).toBe(0)
    expect(server.stats.requests).toBe(before)
  })

  test('survives an endpoint that misbehaves in every way it knows, and loses no record', async () => {
    const faults = [
      {kind: 'status', status: 429, headers: {'retry-after-ms': '20'}},
      {kind: 'status', status: 500},
      {kind: 'cut'},
      {kind: 'invalid-json'},
      {kind: 'early-end'},
    ] as const
    // Every fifth request goes wrong, each time in another way; a repeat of the same request is answered well.
    const {run} = await setUp({
      script: ({index, repeat}) => (repeat === 0 && index % 5 === 0 ? faults[(index / 5) % faults.length] : undefined),
    })
    const {code, summary} = await run()
    const count = teaching(summary)
    expect(count?.read).toBe((count?.accepted ?? 0) + (count?.dropped ?? 0) + (count?.failed ?? 0))
    expect(count?.failed).toBe(0)
    expect(code).toBe(0)
  }, 60_000)

  test('drops replies without reasoning, with a reason', async () => {
    const {run} = await setUp({reply: (body) => ({...answer(body), reasoning: ''})})
    const count = teaching((await run()).summary)
    expect(count?.written).toBe(0)
    expect(count?.reasons['reply-without-reasoning']).toBe(count?.read)
  })

  test('does not start past the budget, and stops inside it when told to start anyway', async () => {
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

  test('stops with a clear error when the model does not exist', async () => {
    const {run} = await setUp({
      script: () => ({kind: 'status', status: 404, body: {error: {code: 'model_not_found', message: 'no such model'}}}),
    })
    const {code, summary} = await run()
    expect(code).toBe(1)
    expect(summary?.error?.message).toContain('mock')
  })

  test('stops with a clear error when nobody listens', async () => {
    const {server, run} = await setUp()
    await server.close()
    const {code, summary} = await run()
    expect(code).toBe(1)
    expect(summary?.error?.code).toBe('endpoint-unreachable')
    expect(summary?.error?.message).toContain(server.url)
  }, 60_000)
})

/** The prompt, when it wants a question on a section: the first request of a record. */
const firstPrompt = ({messages}: ChatBody) => messages.find(({content}) => /^Page: /m.test(content))?.content
const tally = (summary: Summary | undefined) => {
  const {read = 0, accepted = 0, dropped = 0, failed = 0} = teaching(summary) ?? {}
  return {read, sum: accepted + dropped + failed, accepted, failed}
}

type Fault = [name: string, misbehaviour: Misbehaviour, profile: object]
type Stop = [...Fault, code: string, words: string]

describe('a run beside an endpoint that misbehaves', () => {
  const key = 'sk-0123456789abcdef'
  const withKey = [{apiKeyEnv: 'TEACHER_KEY'}, {TEACHER_KEY: key}] as const

  test('writes the key nowhere, though the endpoint echoes it', async () => {
    const {run, out} = await setUp({
      script: ({index, headers}) => {
        const message = `you sent ${JSON.stringify(headers)}`
        if (index === 0) return {kind: 'status', status: 401, body: {error: {message}}}
        if (index % 3 === 1) return {kind: 'words', content: `<question>${message}</question>`, reasoning: message}
        return {kind: 'status', status: index % 3 === 2 ? 400 : 500, body: {error: {message}}}
      },
    })
    const refused = await run([], ...withKey)
    expect(refused.summary?.error).toMatchObject({
      code: 'endpoint-rejected',
      message: expect.stringContaining('[key hidden]'),
    })
    const some = await run([], ...withKey)
    expect(some.code).toBe(1)
    const world = recordedWorld()
    for (const command of ['failed', 'status', 'report']) await main([command, '--out', out], world)
    const shown = [refused, some]
      .flatMap(({said, printed}) => [said, printed])
      .concat(world.said, world.printed)
      .join('\n')
    const files = filesIn(out)
    expect([...files.keys()]).toEqual(
      expect.arrayContaining(['documentation/run.json', 'documentation/ledger.db', 'cache/replies.db']),
    )
    // What is not yet in the database is in its log.
    expect([...files].some(([name, text]) => name.includes('ledger.db') && text.includes('[key hidden]'))).toBe(true)
    for (const [name, text] of files) expect(`${name} ${/sk-0|0123456789abc/.test(text)}`).toBe(`${name} false`)
    expect(shown).not.toMatch(/sk-0|0123456789abc/)
  })

  test('refuses a base URL that holds a password, without repeating it', async () => {
    const {server, run, out} = await setUp()
    const baseUrl = server.url.replace('//', '//me:pass-word-123@')
    const {code, summary, said, printed} = await run([], {baseUrl})
    expect(code).toBe(2)
    expect(summary?.error).toMatchObject({code: 'config-invalid', message: expect.stringContaining('apiKeyEnv')})
    expect([said, printed, ...filesIn(out).values()].join('\n')).not.toContain('pass-word')
    const withQuery = await run([], {baseUrl: `${server.url}?key=pass-word-123`})
    expect(withQuery.summary?.error?.code).toBe('config-invalid')
    expect(withQuery.printed).not.toContain('pass-word')
    expect(server.stats.requests).toBe(0)
  })

  test('keeps to the budget although the endpoint reports that it owes us tokens', async () => {
    const {server, run} = await setUp({
      script: () => ({kind: 'usage', usage: {prompt_tokens: 10, completion_tokens: -1_000_000}}),
    })
    const {code, summary} = await run(['--set', 'budget.tokens=3000', '--start-anyway'])
    expect(code).toBe(1)
    expect(summary?.error?.code).toBe('budget-exceeded')
    expect(server.stats.billedTokens).toBeGreaterThan(0)
    expect(server.stats.billedTokens).toBeLessThanOrEqual(3000)
  })

  test.each([
    [
      'a web page with status 200',
      {kind: 'page', text: '<html>Welcome</html>'},
      {},
      'reply-invalid',
      'the server there is not a chat-completions API (a web page',
    ],
    ['503', {kind: 'status', status: 503}, {}, 'endpoint-unreachable', 'did not answer within'],
    [
      '503 and a day',
      {kind: 'status', status: 503, headers: {'retry-after': '86400'}},
      {},
      'endpoint-unreachable',
      '503',
    ],
    ['silence', {kind: 'hang'}, {timeoutSeconds: 0.3}, 'endpoint-unreachable', 'nothing was received for 0.3 s'],
    [
      'headers without end',
      {kind: 'drip', milliseconds: 20, from: 'headers'},
      {timeoutSeconds: 0.3},
      'endpoint-unreachable',
      'nothing was received',
    ],
    [
      'a byte now and then',
      {kind: 'drip', milliseconds: 20},
      {patienceSeconds: 0.5},
      'endpoint-unreachable',
      'was not complete after 0.5 s',
    ],
  ] satisfies Stop[])('stops soon, and says why, beside %s', async (_, misbehaviour, profile, code, words) => {
    const {server, run} = await setUp({read: ['duplicate', 'cast', 'select'], script: () => misbehaviour})
    const {summary, ...ended} = await run([], profile)
    expect(ended.code).toBe(1)
    expect(summary?.error).toMatchObject({code, message: expect.stringContaining(words)})
    expect(summary?.error?.fix).not.toBe('')
    expect(server.stats.requests).toBeLessThan(40)
  })

  test.each([
    ['503', {kind: 'status', status: 503}, {}],
    ['a web page', {kind: 'page', text: '<html>Restarting</html>'}, {}],
    ['silence', {kind: 'hang'}, {timeoutSeconds: 1}],
    ['silence in the middle', {kind: 'stall'}, {idleSeconds: 1}],
    ['bytes that are not UTF-8', {kind: 'bytes', bytes: [0xff, 0xfe]}, {}],
  ] satisfies Fault[])('loses nothing to %s now and then', async (_, misbehaviour, profile) => {
    const {run, out} = await setUp({
      script: ({index, repeat}) => (repeat === 0 && index % 5 === 2 ? misbehaviour : undefined),
    })
    const {code, summary} = await run([], profile)
    expect(tally(summary)).toMatchObject({failed: 0, sum: teaching(summary)?.read})
    expect(code).toBe(0)
    // U+FFFD, what decoders make of bytes that are not UTF-8.
    expect([...filesIn(out)].filter(([name, text]) => name.includes('.db') && text.includes('\xef\xbf\xbd'))).toEqual(
      [],
    )
  })

  test.each([
    ['a byte now and then', {kind: 'drip', milliseconds: 20}, {patienceSeconds: 2}],
    ['a wait of a day', {kind: 'status', status: 429, headers: {'retry-after': '99999'}}, {}],
    ['a filtered reply', {kind: 'words', content: 'Half', finishReason: 'content_filter'}, {}],
  ] satisfies Fault[])('fails only the records that get %s; resumed, they arrive', async (_, misbehaviour, profile) => {
    let unlucky: string | undefined
    let well = false
    const {run, out} = await setUp({
      script: ({body}) => {
        unlucky ??= firstPrompt(body)
        return firstPrompt(body) === unlucky && !well ? misbehaviour : undefined
      },
    })
    const first = await run([], profile)
    const {read, sum, accepted, failed} = tally(first.summary)
    expect(first.code).toBe(1)
    expect(first.summary?.error).toBeUndefined()
    expect(sum).toBe(read)
    expect(failed).toBeGreaterThan(0)
    expect(accepted).toBeGreaterThan(0)
    well = true
    const world = recordedWorld()
    expect(await main(['resume', '--out', out, '--json'], {...world, now: () => performance.now()})).toBe(0)
    expect(tally(JSON.parse(world.printed.at(-1) ?? '') as Summary)).toMatchObject({read, failed: 0})
  })
})

describe('before anything is prepared', () => {
  // Preparing the executor would fail at once, with words of its own.
  const noExecutor = ['--set', 'executor.compiler=/no/such/compiler']

  test('a missing key stops the run', async () => {
    const {server, run} = await setUp()
    const {code, summary} = await run(noExecutor, {apiKeyEnv: 'TEACHER_KEY'})
    expect(code).toBe(1)
    expect(summary?.error).toMatchObject({
      code: 'key-missing',
      message: expect.stringContaining('TEACHER_KEY is not set'),
    })
    expect(server.stats.requests).toBe(0)
  })

  test('a key that cannot be sent stops the run, unseen', async () => {
    const {run} = await setUp()
    const {summary, said, printed} = await run(noExecutor, {apiKeyEnv: 'TEACHER_KEY'}, {TEACHER_KEY: 'sk-0123–456789'})
    expect(summary?.error?.code).toBe('key-missing')
    expect(said + printed).not.toContain('sk-0123')
  })

  test('an address where nobody listens stops the run, after some tries', async () => {
    const {server, run} = await setUp()
    await server.close()
    const {code, summary, said} = await run(noExecutor)
    expect(code).toBe(1)
    expect(summary?.error).toMatchObject({
      code: 'endpoint-unreachable',
      message: expect.stringMatching(/cannot be reached: .*ECONNREFUSED/),
    })
    expect(said).toContain(`teacher documentation at ${server.url}: it does not answer`)
  })

  test('a server that is only starting is waited for', async () => {
    const {server, run} = await setUp()
    await server.close()
    const restarted = new Promise<void>((resolve, reject) => {
      setTimeout(
        () =>
          void startChatServer({port: server.port, reply: answer}).then((again) => {
            onTestFinished(() => again.close())
            resolve()
          }, reject),
        300,
      )
    })
    const {code} = await run([], {outageSeconds: 15})
    await restarted
    expect(code).toBe(0)
  })

  test('a profile that no recipe of the command line asks is not looked at', async () => {
    const {run} = await setUp()
    const other = {model: 'other', baseUrl: 'http://127.0.0.1:9/v1', apiKeyEnv: 'NO_SUCH_KEY'}
    expect((await run(['--set', `teachers.kernel=${JSON.stringify(other)}`])).code).toBe(0)
  })

  test('replies that are kept are enough', async () => {
    const {server, run} = await setUp()
    expect((await run()).code).toBe(0)
    await server.close()
    const again = await run()
    expect(again.code).toBe(0)
    expect(again.said).toContain(`note: teacher documentation at ${server.url}: it does not answer`)
  })

  test('a model that is not listed is said, and is asked all the same', async () => {
    const {run} = await setUp({models: ['other', 'another']})
    const {code, said} = await run()
    expect(code).toBe(0)
    expect(said).toContain('it does not list the model mock. Use one of other, another.')
  })
})
