import {cpSync, mkdirSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import {main} from '../../pipelines/cli.ts'
import {startChatServer, type ChatBody, type ChatServerOptions} from './chat-server.ts'
import {temporaryFolder} from './temporary.ts'
import {twinCache} from './test-cache.ts'
import {recordedWorld} from './world.ts'

/** A teacher that answers in the form that the prompts of the documentation stage ask for. */
export function answer({messages}: ChatBody): {content: string; reasoning: string} {
  const prompt = messages.at(-1)?.content ?? ''
  const asked = /^Question: (.*)$/m.exec(prompt)?.[1]
  if (asked === undefined) {
    const page = /^Page: (.*)$/m.exec(prompt)?.[1] ?? 'it'
    return {content: `<question>How is ${page} used, and what must hold when it is?</question>`, reasoning: ''}
  }
  return {
    content:
      '<answer>It works on each LocalTensor in the unified buffer once its elements have been copied there.</answer>',
    reasoning: 'Where do operands live? In a LocalTensor. When are they ready? Once a TQue has handed them over.',
  }
}

export async function setUp({
  read = ['duplicate'],
  json = true,
  ...options
}: ChatServerOptions & {read?: string[]; json?: boolean} = {}) {
  const server = await startChatServer({reply: answer, ...options})
  onTestFinished(() => server.close())
  const [pages, out] = [await temporaryFolder(), await temporaryFolder()]
  for (const page of read) cpSync(`sources/starter/docs/${page}.html`, join(pages, `${page}.html`))
  // Replies are this test's own; the precompiled twin is everybody's.
  mkdirSync(join(out, 'cache'))
  mkdirSync(twinCache, {recursive: true})
  symlinkSync(twinCache, join(out, 'cache/twin'))
  const teacher = {
    model: 'mock',
    baseUrl: server.url,
    concurrency: 4,
    maxTokens: 300,
    expectedCompletionTokens: 50,
    outageSeconds: 1,
    maxAttempts: 3,
  }
  async function run(more: readonly string[] = [], profile: object = {}, env: Record<string, string> = {}) {
    const world = recordedWorld(env)
    const realNow = {...world, now: () => performance.now()}
    const cache = `cache=${join(out, 'cache')}`
    const asked = `teachers.documentation=${JSON.stringify({...teacher, ...profile})}`
    const args = ['run', 'documentation', '--docs', pages, '--out', out, '--set', cache, '--set', asked]
    const code = await main([...args, ...(json ? ['--json'] : []), ...more], realNow)
    const summary = json ? world.printed.at(-1) : undefined
    const [said, printed] = [world.said.join('\n'), world.printed.join('\n')]
    return {code, said, printed, summary: summary === undefined ? undefined : (JSON.parse(summary) as Summary)}
  }
  return {server, run, out}
}

export interface Summary {
  seconds?: number
  error?: {code: string; message: string; fix: string}
  spending?: {requests: number; cachedReplies: number; tokens: number}
  runs?: {
    counts: {
      stage: string
      read: number
      written: number
      accepted: number
      dropped: number
      failed: number
      reasons: Record<string, number>
    }[]
  }[]
}
