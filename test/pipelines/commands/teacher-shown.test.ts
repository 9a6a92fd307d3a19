import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {main} from '../../../pipelines/cli.ts'
import type {ChatBody} from '../../helpers/chat-server.ts'
import {setUp} from '../../helpers/documentation-teacher.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'

interface Tried {
  id?: string
  input?: string
  messages?: {content: string}[]
  reply?: object
  way?: {stage: string}[]
}

interface Asked {
  stage: string
  input: string
  messages: {content: string}[]
  reply?: {finishReason: string}
}

describe('what a teacher is asked', () => {
  test('says afterwards what was asked of a record, and what was answered', async () => {
    const {server, run, out} = await setUp()
    await run()
    const sent = server.stats.requests
    const look = async (...args: string[]) => {
      const world = recordedWorld()
      const code = await main(['asked', 'documentation', ...args, '--out', out], world)
      return {code, said: world.said.join('\n'), printed: world.printed}
    }
    const all = (await look('--json')).printed.map((line) => JSON.parse(line) as Asked)
    expect(all).toHaveLength(sent)
    for (const {stage, messages, reply} of all) {
      expect(stage).toBe('documentation-cot')
      expect(messages.at(-1)?.content).toMatch(/^(Page|Question): /m)
      expect(reply?.finishReason).toBe('stop')
    }
    const one = await look(all[0]?.input.slice(0, 12) ?? '')
    expect(one.printed).toHaveLength(2)
    expect(one.printed[0]).toContain('documentation-cot')
    expect(one.printed[1]).toContain('── thought\nWhere do operands live')
    expect(one.printed[1]).toContain('<answer>It works on each LocalTensor')
    expect(await look('ffffffffffff')).toMatchObject({code: 1, said: expect.stringContaining('No record has an id')})
    expect(server.stats.requests).toBe(sent)
  })

  test('is refused by its budget before a twin is compiled', async () => {
    const {server, run} = await setUp()
    const cache = await temporaryFolder()
    const {summary, said} = await run(['--set', 'budget.tokens=3000', '--set', `cache=${cache}`])
    expect(said).not.toContain('compiling the twin')
    expect(summary?.error).toMatchObject({code: 'budget-exceeded'})
    expect(server.stats.requests).toBe(0)
  })

  test('is shown by --dry-run as it would be asked, and nothing is sent or compiled', async () => {
    const {server, run} = await setUp()
    const cache = await temporaryFolder()
    const unknown = 'teachers.documentation.apiKeyEnv=A_KEY_THAT_IS_NOT_SET'
    const {code, said, printed} = await run(['--dry-run=2', '--set', `cache=${cache}`, '--set', unknown])
    expect(said).not.toContain('compiling the twin')
    expect(code).toBe(0)
    expect(said).toContain('requests to mock for documentation-cot')
    const requests = printed.split('\n').map((line) => JSON.parse(line) as {url: string; body: ChatBody})
    expect(requests).toHaveLength(2)
    expect(requests[0]).toMatchObject({url: `${server.url}/chat/completions`, body: {model: 'mock', max_tokens: 300}})
    expect(requests[0]?.body.messages.at(-1)?.content).toContain('Page: ')
    expect(server.stats.requests).toBe(0)
  })

  describe('--try', () => {
    const lines = (printed: string) => printed.split('\n').map((line) => JSON.parse(line) as Tried)

    test('asks about so many records, shows what came of them, and leaves no run', async () => {
      const {server, run, out} = await setUp({read: ['duplicate', 'cast']})
      const {code, printed} = await run(['--try=2'])
      const shown = lines(printed)
      const exchanges = shown.filter((one) => one.reply)
      expect([code, server.stats.requests, exchanges.length]).toEqual([0, 4, 4])
      expect(exchanges[0]?.messages?.[0]?.content).toContain('Ascend C')
      const ways = shown.filter((one) => one.way)
      expect(ways.map(({id}) => id).sort()).toEqual([...new Set(exchanges.map(({input}) => input))].sort())
      for (const {way = []} of ways) {
        expect(way[0]?.stage).toBe('documentation-cot')
        expect(way.at(-1)?.stage).toBe('documentation-verify-code')
      }
      expect(existsSync(join(out, 'documentation'))).toBe(false)
      expect(existsSync(join(out, 'recipes.json'))).toBe(false)
      const whole = await run()
      expect(whole.summary?.spending).toMatchObject({cachedReplies: 4})
    })

    test('shows a person the exchange, the way of its record, and what it cost', async () => {
      const {server, run} = await setUp({json: false})
      await run(['--try=1'])
      const {printed} = await run(['--try=1'])
      expect(server.stats.requests).toBe(2)
      expect(printed).toMatch(/^● documentation-cot \w{12} asked mock\nuser: /)
      expect(printed).toContain('── thought\nWhere do operands live')
      expect(printed).toMatch(/● \w{32}\n {2}documentation\/documentation-cot {2}\w{12} → \w{12}\n/)
      expect(printed).toMatch(/\n {2}documentation\/documentation-verify-code {2}\w{12} → \w{12}\n/)
      expect(printed).toMatch(/\n0 requests, 2 from cache, 0 tokens$/)
    })

    test('shows what was asked also where it ends in an error', async () => {
      const {server, run} = await setUp({script: () => ({kind: 'page', text: 'no such key', status: 401})})
      const {code, printed} = await run(['--try=1'])
      expect([code, server.stats.requests]).toEqual([1, 1])
      expect(printed).toMatch(/"failure":.*\n.*"way":.*\n\{"error":/s)
    })
  })

  test('is nothing where no teacher is configured, and a dry run says so and leaves no recipes to resume', async () => {
    const [world, out] = [recordedWorld(), await temporaryFolder()]
    expect(await main(['run', 'scenarios', '--dry-run', '--out', out], world)).toBe(0)
    expect(world.said.join('\n')).toContain('scenarios uses no configured teacher: nothing would be sent')
    expect(existsSync(join(out, 'recipes.json'))).toBe(false)
    expect(await main(['run', 'scenarios', '--try=1', '--limit', '1', '--out', out], world)).toBe(0)
    expect(world.printed).toEqual([])
  })
})
